"""Argument graphs over AIF: load → align → compare → score → report."""

__version__ = "0.1.0"

from aifgraph.corpus import Corpus, open_corpus
from aifgraph.formats import LossReport, dump, dumps, load, loads
from aifgraph.graph import ArgumentGraph, GraphBuilder

__all__ = ["ArgumentGraph", "Corpus", "GraphBuilder", "LossReport", "dump", "dumps", "load", "loads", "open_corpus"]
