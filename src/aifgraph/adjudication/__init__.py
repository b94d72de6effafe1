"""From disagreement to one agreed map: decisions about differences, and two maps merged by them."""

from aifgraph.adjudication.decisions import Decision, DecisionTable, read_decisions
from aifgraph.adjudication.merge import ContradictionError, Merged, MergedCorpora, merge, merge_corpora

__all__ = [
    "ContradictionError",
    "Decision",
    "DecisionTable",
    "Merged",
    "MergedCorpora",
    "merge",
    "merge_corpora",
    "read_decisions",
]
