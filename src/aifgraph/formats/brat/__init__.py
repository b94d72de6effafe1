"""Standoff annotation of brat."""

from aifgraph.formats.brat.read import Brat

__all__ = ["Brat"]
