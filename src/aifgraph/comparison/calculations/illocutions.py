"""``illocutions``: what is done where (paper, section 6, YA, first).

Items are the anchors: the locution classes, and the transitions of either side.
"""

from __future__ import annotations

from typing import Any

from aifgraph.comparison.calculations.calculation import Calculation, add
from aifgraph.comparison.calculations.links import SideLinks

NAME = "illocutions"


def calculate(links: tuple[SideLinks, SideLinks], anchors: int, names: dict[str, str]) -> Calculation:
    """``anchors`` is the number of locution classes and transitions of either side."""
    labels: tuple[dict[Any, set[str]], dict[Any, set[str]]] = ({}, {})
    for joined, found in zip(links, labels, strict=True):
        for label, anchored, _, _ in joined.acts:
            for anchor in anchored:
                add(found, anchor, label)
    return Calculation(NAME, anchors, *labels, names=names)
