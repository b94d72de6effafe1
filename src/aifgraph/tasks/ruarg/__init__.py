"""RuArg-2022: stance and premise in Russian comments on masks, quarantine and vaccines."""

from aifgraph.datasets.ruarg import Sentence, Subtask
from aifgraph.tasks.ruarg.annotation import (
    Consistency,
    Finding,
    LabelCounts,
    RuArgAgreement,
    agreement,
    check,
    stats,
)
from aifgraph.tasks.ruarg.score import RuArgFile, RuArgScore, predict, read, score, written

__all__ = [
    "Consistency",
    "Finding",
    "LabelCounts",
    "RuArgAgreement",
    "RuArgFile",
    "RuArgScore",
    "Sentence",
    "Subtask",
    "agreement",
    "check",
    "predict",
    "read",
    "score",
    "stats",
    "written",
]
