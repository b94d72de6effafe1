"""Argument graphs over AIF: load → align → compare → score → report."""

from aifgraph.corpus import Corpus, open_corpus
from aifgraph.corpus.comparison import Comparison, compare
from aifgraph.corpus.run import CorpusComparison, compare_corpora
from aifgraph.formats import LossReport, dump, dumps, load, loads
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.repair import Repairs, repair
from aifgraph.graph.rules import Finding, Findings, validate
from aifgraph.metrics.options import Options
from aifgraph.version import __version__

__all__ = [
    "ArgumentGraph",
    "Comparison",
    "Corpus",
    "CorpusComparison",
    "Finding",
    "Findings",
    "GraphBuilder",
    "LossReport",
    "Options",
    "Repairs",
    "__version__",
    "compare",
    "compare_corpora",
    "dump",
    "dumps",
    "load",
    "loads",
    "open_corpus",
    "repair",
    "validate",
]
