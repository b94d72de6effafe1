"""The XML of the argumentative microtexts (arggraph)."""

from aifgraph.formats.arggraph.read import Microtexts

__all__ = ["Microtexts"]
