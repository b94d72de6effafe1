"""The formats that a drawing is made in by Graphviz, in a module of its own: the help of ``draw`` needs it."""

from __future__ import annotations

from typing import Final

PICTURES: Final = ("svg", "png", "pdf")
