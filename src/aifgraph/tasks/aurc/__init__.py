"""AURC-8 and its robustness tests: are the tokens of a sentence argument for, against, or none?"""

from aifgraph.tasks.aurc.corpus import agreement, read_folder, read_topics
from aifgraph.tasks.aurc.predictions import (
    Predicted,
    Run,
    Tokens,
    read_run,
    score,
    segment_score,
    sentence_label,
    with_token_gold,
)
from aifgraph.tasks.aurc.robustness import perturbation, subpopulation

__all__ = [
    "Predicted",
    "Run",
    "Tokens",
    "agreement",
    "perturbation",
    "read_folder",
    "read_run",
    "read_topics",
    "score",
    "segment_score",
    "sentence_label",
    "subpopulation",
    "with_token_gold",
]
