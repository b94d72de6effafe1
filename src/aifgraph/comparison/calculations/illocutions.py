"""The two calculations over illocutions (paper, section 6, YA; docs/measures.md, section 4).

``illocutions``: what is done where. ``illocutionary_anchors``: what is done where to which content.
"""

from __future__ import annotations

from collections.abc import Sequence

from aifgraph.comparison.calculations.calculation import Sizes
from aifgraph.comparison.calculations.items import Item, Labels, label_sets
from aifgraph.comparison.calculations.links import SideLinks


def illocution_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Anchors with the labels of the illocutions there."""
    return label_sets(side.anchors)


def illocution_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """The anchors: the locution classes, and the transitions of any side."""
    return sizes.anchors


def anchor_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Contents in their anchors with the labels of the illocutions between them."""
    return label_sets(side.anchored)


def anchor_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """All pairs of a content (proposition class, or relation of any side) and an anchor."""
    return (sizes.propositions + sizes.relations) * sizes.anchors
