"""AURC-8 and its robustness tests: are the tokens of a sentence argument for, against, or none?"""

from typing import TYPE_CHECKING

from aifgraph.guesses import answering_module
from aifgraph.tasks.aurc.corpus import Agreement, AurcCorpus, agreement, read_folder, read_tokens, stats, with_topics
from aifgraph.tasks.aurc.perturbation import Candidate, Change, Perturbation, candidates, perturbation
from aifgraph.tasks.aurc.predictions import (
    Predicted,
    Run,
    Tokens,
    predict,
    read_run,
    sentence_label,
    with_token_gold,
    written,
)
from aifgraph.tasks.aurc.score import AurcScore, RunScore, score, segment_score, significance
from aifgraph.tasks.aurc.subpopulation import Subpopulations, read_similarities, subpopulation

__all__ = [
    "Agreement",
    "AurcCorpus",
    "AurcScore",
    "Candidate",
    "Change",
    "Perturbation",
    "Predicted",
    "Run",
    "RunScore",
    "Subpopulations",
    "Tokens",
    "agreement",
    "candidates",
    "perturbation",
    "predict",
    "read_folder",
    "read_run",
    "read_similarities",
    "read_tokens",
    "score",
    "segment_score",
    "sentence_label",
    "significance",
    "stats",
    "subpopulation",
    "with_token_gold",
    "with_topics",
    "written",
]

if not TYPE_CHECKING:
    __getattr__ = answering_module(__name__, __all__)
