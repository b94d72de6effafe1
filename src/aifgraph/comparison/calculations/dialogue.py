"""The five calculations over locutions (paper, section 6; docs/measures.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aifgraph.comparison.calculations.calculation import Definition
from aifgraph.comparison.calculations.items import (
    Anchor,
    AnchoredContent,
    At,
    Claimed,
    Item,
    Link,
    Relation,
    label_sets,
    only,
)

if TYPE_CHECKING:
    from aifgraph.comparison.calculations.explanation import Explainer, Wording
    from aifgraph.comparison.calculations.links import SideLinks


def _anchor_in_words(explainer: Explainer, item: Anchor) -> Wording:
    """A place where an illocution is anchored, in words."""
    return explainer.anchor(item)


def explain_anchored(explainer: Explainer, item: AnchoredContent) -> Wording:
    """What is done, and where."""
    return explainer.both(explainer.content(item.content), " in ", explainer.anchor(item.anchor))


def anchored_claims(item: AnchoredContent, label: str | None) -> tuple[Claimed, ...]:
    """Those of the illocutions between the two, then of the relation and the transition that they are."""
    relation = (Claimed("S", item.content.link),) if isinstance(item.content, Relation) else ()
    return Claimed("YA", item, label), *relation, *_of_anchor(item.anchor)


def _of_anchor(anchor: Anchor) -> tuple[Claimed, ...]:
    return () if isinstance(anchor, int) else (Claimed("TA", anchor),)


def _in_transitions(side: SideLinks, content_type: type[int] | type[Relation]) -> dict[Item, frozenset[str]]:
    """The contents of a type in the transitions that they are anchored in."""
    return {
        item: only("anchored")
        for item, _ in side.anchored
        if not isinstance(item.anchor, int) and isinstance(item.content, content_type)
    }


#: What is done where; the universe are the locution classes, and the transitions of any side.
ILLOCUTIONS = Definition(
    "illocutions",
    "IL",
    ("locutions",),
    "What is done by saying it (asserting, asking, challenging …)?",
    labels=lambda side: label_sets(side.anchors),
    universe=lambda sizes, sides: sizes.anchors,
    explain=_anchor_in_words,
    claims=lambda anchor, label: (Claimed("YA", At(anchor), label), *_of_anchor(anchor)),
    illocutionary=True,
)
#: What is done where to which content: all pairs of a proposition class, or a relation of any side, and an anchor.
ILLOCUTIONARY_ANCHORS = Definition(
    "illocutionary_anchors",
    "IA",
    ("propositions", "locutions"),
    "Which content is said or done where?",
    labels=lambda side: label_sets(side.anchored),
    universe=lambda sizes, sides: (sizes.propositions + sizes.relations) * sizes.anchors,
    explain=explain_anchored,
    claims=anchored_claims,
    illocutionary=True,
)
#: Which locutions a TA joins: the ordered pairs of different locution classes. Links inside a class are no items.
TRANSITIONS = Definition(
    "transitions",
    "TR",
    ("locutions",),
    "Which locution answers which?",
    labels=lambda side: {
        link: only("TA") for links in side.transitions.values() for link in links if isinstance(link, Link)
    },
    universe=lambda sizes, sides: sizes.locutions * (sizes.locutions - 1),
    explain=_anchor_in_words,
    claims=lambda link, label: (Claimed("TA", link, label),),
)
#: Which propositions a YA anchors in which transition: all pairs of a proposition class and a transition of any side.
TRANSITION_PROPOSITIONS = Definition(
    "transition_propositions",
    "TP",
    ("propositions", "locutions"),
    "Which propositions are anchored in which transition?",
    labels=lambda side: _in_transitions(side, int),
    universe=lambda sizes, sides: sizes.propositions * sizes.transitions,
    explain=explain_anchored,
    claims=lambda item, label: anchored_claims(item, None),
)
#: Which relations a YA anchors in which transition: all pairs of a relation and a transition of any side.
TRANSITION_RELATIONS = Definition(
    "transition_relations",
    "TR2",
    ("propositions", "locutions"),
    "Which relations are anchored in which transition?",
    labels=lambda side: _in_transitions(side, Relation),
    universe=lambda sizes, sides: sizes.relations * sizes.transitions,
    explain=explain_anchored,
    claims=lambda item, label: anchored_claims(item, None),
)
