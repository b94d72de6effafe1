"""The XML of the argumentative microtexts (arggraph)."""

from aifgraph.formats.arggraph.read import ArgGraph

__all__ = ["ArgGraph"]
