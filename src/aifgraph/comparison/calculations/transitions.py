"""The three calculations over transitions (paper, section 6, TA; docs/measures.md, section 4).

``transitions``: which locutions a TA joins. ``transition_propositions`` and ``transition_relations``: which contents a
YA anchors in which transition.
"""

from __future__ import annotations

from collections.abc import Sequence

from aifgraph.comparison.calculations.calculation import Sizes
from aifgraph.comparison.calculations.items import Item, Labels, Link, Relation, only
from aifgraph.comparison.calculations.links import SideLinks

_TRANSITION, _ANCHORED = only("TA"), only("anchored")


def transition_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Links between locutions; those inside a class are no items here."""
    return {link: _TRANSITION for links in side.transitions.values() for link in links if isinstance(link, Link)}


def transition_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """The ordered pairs of different locution classes."""
    return sizes.locutions * (sizes.locutions - 1)


def proposition_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Propositions in the transitions that they are anchored in."""
    return _anchored(side, int)


def proposition_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """All pairs of a proposition class and a transition of any side."""
    return sizes.propositions * sizes.transitions


def relation_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Relations in the transitions that they are anchored in."""
    return _anchored(side, Relation)


def relation_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """All pairs of a relation and a transition of any side."""
    return sizes.relations * sizes.transitions


def _anchored(side: SideLinks, content_type: type[int] | type[Relation]) -> dict[Item, frozenset[str]]:
    return {
        item: _ANCHORED
        for item, _ in side.anchored
        if not isinstance(item.anchor, int) and isinstance(item.content, content_type)
    }
