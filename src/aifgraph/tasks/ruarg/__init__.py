"""RuArg-2022: stance and premise in Russian comments on masks, quarantine and vaccines."""

from typing import TYPE_CHECKING

from aifgraph.datasets.ruarg import Sentence, Subtask
from aifgraph.guesses import answering_module
from aifgraph.tasks.ruarg.annotation import Consistency, Finding, RuArgAgreement, agreement, check, stats
from aifgraph.tasks.ruarg.score import (
    RuArgFile,
    RuArgRanking,
    RuArgScore,
    predict,
    ranking,
    read,
    score,
    significance,
    written,
)

__all__ = [
    "Consistency",
    "Finding",
    "RuArgAgreement",
    "RuArgFile",
    "RuArgRanking",
    "RuArgScore",
    "Sentence",
    "Subtask",
    "agreement",
    "check",
    "predict",
    "ranking",
    "read",
    "score",
    "significance",
    "stats",
    "written",
]

if not TYPE_CHECKING:
    __getattr__ = answering_module(__name__, __all__)
