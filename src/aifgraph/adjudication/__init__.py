"""From disagreement to one agreed map: decisions about differences, and two maps merged by them."""

from aifgraph.adjudication.corpora import MergedCorpora, PairedDifferences, corpus_differences, merge_corpora
from aifgraph.adjudication.decisions import Decision, DecisionTable, read_decisions
from aifgraph.adjudication.merge import Merged, merge

__all__ = [
    "Decision",
    "DecisionTable",
    "Merged",
    "MergedCorpora",
    "PairedDifferences",
    "corpus_differences",
    "merge",
    "merge_corpora",
    "read_decisions",
]
