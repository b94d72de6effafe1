"""Graphviz DOT."""

from aifgraph.formats.dot.write import DotFormat

__all__ = ["DotFormat"]
