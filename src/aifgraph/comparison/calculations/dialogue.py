"""The five calculations over locutions (paper, section 6; docs/measures.md, section 4).

``illocutions``: what is done where. ``illocutionary_anchors``: what is done where to which content. ``transitions``:
which locutions a TA joins. ``transition_propositions`` and ``transition_relations``: which contents a YA anchors in
which transition.
"""

from __future__ import annotations

from collections.abc import Sequence

from aifgraph.comparison.calculations.calculation import Definition, Sizes
from aifgraph.comparison.calculations.explanation import Explainer, Wording
from aifgraph.comparison.calculations.items import (
    Anchor,
    AnchoredContent,
    At,
    Claimed,
    Item,
    Labels,
    Link,
    Relation,
    label_sets,
    only,
)
from aifgraph.comparison.calculations.links import SideLinks

_TRANSITION, _ANCHORED = only("TA"), only("anchored")


def illocution_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Anchors with the labels of the illocutions there."""
    return label_sets(side.anchors)


def illocution_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """The anchors: the locution classes, and the transitions of any side."""
    return sizes.anchors


def illocution_claims(item: Anchor, label: str) -> tuple[Claimed, ...]:
    """Those of the illocutions in the anchor, and of the transition that it is."""
    return Claimed("YA", At(item), label), *_of_anchor(item)


def anchored_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Contents in their anchors with the labels of the illocutions between them."""
    return label_sets(side.anchored)


def anchored_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """All pairs of a content (proposition class, or relation of any side) and an anchor."""
    return (sizes.propositions + sizes.relations) * sizes.anchors


def anchored_claims(item: AnchoredContent, label: str) -> tuple[Claimed, ...]:
    """Those of the illocutions between the two, then of the relation and the transition that they are."""
    return Claimed("YA", item, label), *_of_content(item), *_of_anchor(item.anchor)


def transition_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Links between locutions; those inside a class are no items here."""
    return {link: _TRANSITION for links in side.transitions.values() for link in links if isinstance(link, Link)}


def transition_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """The ordered pairs of different locution classes."""
    return sizes.locutions * (sizes.locutions - 1)


def transition_claims(item: Link, label: str) -> tuple[Claimed, ...]:
    """That of the TA-nodes."""
    return (Claimed("TA", item, label),)


def transition_proposition_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Propositions in the transitions that they are anchored in."""
    return _in_transitions(side, int)


def transition_proposition_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """All pairs of a proposition class and a transition of any side."""
    return sizes.propositions * sizes.transitions


def transition_relation_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Relations in the transitions that they are anchored in."""
    return _in_transitions(side, Relation)


def transition_relation_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """All pairs of a relation and a transition of any side."""
    return sizes.relations * sizes.transitions


def in_transition_claims(item: AnchoredContent, label: str) -> tuple[Claimed, ...]:
    """As of a content in an anchor, whatever the illocution is."""
    return Claimed("YA", item), *_of_content(item), *_of_anchor(item.anchor)


def explain_anchor(explainer: Explainer, item: Anchor) -> Wording:
    """A locution, or a transition."""
    return explainer.anchor(item)


def explain_anchored(explainer: Explainer, item: AnchoredContent) -> Wording:
    """What is done, and where."""
    return explainer.both(explainer.content(item.content), " in ", explainer.anchor(item.anchor))


def _in_transitions(side: SideLinks, content_type: type[int] | type[Relation]) -> dict[Item, frozenset[str]]:
    return {
        item: _ANCHORED
        for item, _ in side.anchored
        if not isinstance(item.anchor, int) and isinstance(item.content, content_type)
    }


def _of_anchor(anchor: Anchor) -> tuple[Claimed, ...]:
    return () if isinstance(anchor, int) else (Claimed("TA", anchor),)


def _of_content(item: AnchoredContent) -> tuple[Claimed, ...]:
    return (Claimed("S", item.content.link),) if isinstance(item.content, Relation) else ()


ILLOCUTIONS = Definition(
    "illocutions",
    "IL",
    ("locutions",),
    "What is done by saying it (asserting, asking, challenging …)?",
    illocution_labels,
    illocution_universe,
    explain_anchor,
    illocution_claims,
    illocutionary=True,
)
ILLOCUTIONARY_ANCHORS = Definition(
    "illocutionary_anchors",
    "IA",
    ("propositions", "locutions"),
    "Which content is said or done where?",
    anchored_labels,
    anchored_universe,
    explain_anchored,
    anchored_claims,
    illocutionary=True,
)
TRANSITIONS = Definition(
    "transitions",
    "TR",
    ("locutions",),
    "Which locution answers which?",
    transition_labels,
    transition_universe,
    explain_anchor,
    transition_claims,
)
TRANSITION_PROPOSITIONS = Definition(
    "transition_propositions",
    "TP",
    ("propositions", "locutions"),
    "Which propositions are anchored in which transition?",
    transition_proposition_labels,
    transition_proposition_universe,
    explain_anchored,
    in_transition_claims,
)
TRANSITION_RELATIONS = Definition(
    "transition_relations",
    "TR2",
    ("propositions", "locutions"),
    "Which relations are anchored in which transition?",
    transition_relation_labels,
    transition_relation_universe,
    explain_anchored,
    in_transition_claims,
)
