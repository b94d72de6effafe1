"""RuArg-2022: stance and premise in Russian comments on masks, quarantine and vaccines."""

from aifgraph.tasks.ruarg.agreement import RuArgAgreement, agreement
from aifgraph.tasks.ruarg.baseline import predict
from aifgraph.tasks.ruarg.checks import Finding, check, stats
from aifgraph.tasks.ruarg.data import RuArg, Sentence, Subtask, read, written
from aifgraph.tasks.ruarg.score import RuArgScore, score

__all__ = [
    "Finding",
    "RuArg",
    "RuArgAgreement",
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
