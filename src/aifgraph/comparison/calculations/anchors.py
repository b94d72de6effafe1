"""``illocutionary_anchors``: what is done where to which content (paper, section 6, YA, second).

Items are all pairs of a content (proposition class, or relation of either side) and an anchor (locution class, or
transition of either side).
"""

from __future__ import annotations

from typing import Any

from aifgraph.comparison.calculations.calculation import Calculation, add
from aifgraph.comparison.calculations.links import SideLinks

NAME = "illocutionary_anchors"


def calculate(links: tuple[SideLinks, SideLinks], contents: int, anchors: int, names: dict[str, str]) -> Calculation:
    """``contents`` and ``anchors`` are the numbers of either."""
    labels: tuple[dict[Any, set[str]], dict[Any, set[str]]] = ({}, {})
    for joined, found in zip(links, labels, strict=True):
        for label, anchored, contained, _ in joined.acts:
            for content in contained:
                for anchor in anchored:
                    add(found, (content, anchor), label)
    return Calculation(NAME, contents * anchors, *labels, names=names)
