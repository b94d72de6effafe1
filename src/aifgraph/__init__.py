"""Argument graphs over AIF: load → align → compare → score → report."""

__version__ = "0.1.0"

from aifgraph.corpus import Corpus, open_corpus
from aifgraph.corpus.comparison import Comparison, compare
from aifgraph.formats import LossReport, dump, dumps, load, loads
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.repair import Repairs, repair
from aifgraph.graph.rules import Finding, Findings, validate
from aifgraph.metrics.options import Options

__all__ = [
    "ArgumentGraph",
    "Comparison",
    "Corpus",
    "Finding",
    "Findings",
    "GraphBuilder",
    "LossReport",
    "Options",
    "Repairs",
    "compare",
    "dump",
    "dumps",
    "load",
    "loads",
    "open_corpus",
    "repair",
    "validate",
]
