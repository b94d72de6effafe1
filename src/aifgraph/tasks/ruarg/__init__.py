"""RuArg-2022: stance and premise in Russian comments on masks, quarantine and vaccines."""

from aifgraph.datasets.ruarg import Sentence, Subtask
from aifgraph.tasks.ruarg.annotation import RuArgAgreement, agreement, stats
from aifgraph.tasks.ruarg.score import RuArgFile, RuArgRanking, RuArgScore, ranking, read, score, significance

__all__ = [
    "RuArgAgreement",
    "RuArgFile",
    "RuArgRanking",
    "RuArgScore",
    "Sentence",
    "Subtask",
    "agreement",
    "ranking",
    "read",
    "score",
    "significance",
    "stats",
]
