"""AURC-8 and its robustness tests: are the tokens of a sentence argument for, against, or none?"""

from aifgraph.tasks.aurc.corpus import Agreement, AurcCorpus, agreement, read_folder, read_tokens, stats
from aifgraph.tasks.aurc.perturbation import Change, Perturbation, perturbation
from aifgraph.tasks.aurc.predictions import (
    Predicted,
    Run,
    Tokens,
    read_run,
    sentence_label,
    with_token_gold,
)
from aifgraph.tasks.aurc.score import AurcScore, RunScore, score, segment_score, significance
from aifgraph.tasks.aurc.subpopulation import Subpopulations, subpopulation

__all__ = [
    "Agreement",
    "AurcCorpus",
    "AurcScore",
    "Change",
    "Perturbation",
    "Predicted",
    "Run",
    "RunScore",
    "Subpopulations",
    "Tokens",
    "agreement",
    "perturbation",
    "read_folder",
    "read_run",
    "read_tokens",
    "score",
    "segment_score",
    "sentence_label",
    "significance",
    "stats",
    "subpopulation",
    "with_token_gold",
]
