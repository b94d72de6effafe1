"""What each scheme node of a comparison claims, as items of the calculations, and whether the other side agrees.

A *fact* is an item with a label: that a premise supports a conclusion, that a locution leads to another, that a content
is asserted in a locution. Facts are the same values that the calculations count, so that pictures and matrices agree.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.items import AnchoredContent, At, Claim, Group, Link, Undercut
from aifgraph.comparison.calculations.links import SideLinks, links_of_both
from aifgraph.graph.nodes import RELATIONS

#: agreed: both sides; first, second: one side only; different: both, under other labels; part: a piece of one unit.
Status = Literal["agreed", "first", "second", "different", "part"]

Fact = tuple[Claim, str]
#: What of a claim two nodes may have in common: all of it, all with its ends reversed, or one end.
Part = Literal["all", "reversed", "start", "end", "content", "anchor"]


@dataclass(frozen=True)
class Facts:
    """The facts of one side: per scheme node, and per claim its labels."""

    nodes: dict[int, tuple[Group, tuple[Fact, ...]]]
    names: dict[str, str]

    @cached_property
    def labels(self) -> dict[Group, dict[Claim, set[str]]]:
        """The labels of each claim, by group."""
        labels: dict[Group, dict[Claim, set[str]]] = {"S": {}, "TA": {}, "YA": {}}
        for group, facts in self.nodes.values():
            for claim, label in facts:
                labels[group].setdefault(claim, set()).add(label)
        return labels


def facts_of(alignment: Alignment) -> tuple[Facts, Facts]:
    """The facts of both sides."""
    first, second = links_of_both(alignment)
    return _facts(first), _facts(second)


def _facts(side: SideLinks) -> Facts:
    nodes: dict[int, tuple[Group, tuple[Fact, ...]]] = {}
    illocutions = iter(side.structure.illocutions)
    for node, kind in enumerate(side.analysis.kinds):
        if kind == "YA":
            label, anchored_in, leads_to = next(illocutions)
            anchors = [anchor for other in anchored_in for anchor in side.places.get(other, ())]
            contents = [content for other in leads_to for content in side.contents.get(other, ())]
            claims: list[Claim] = [AnchoredContent(content, anchor) for content in contents for anchor in anchors]
            if not contents:
                claims = [At(anchor) for anchor in anchors]
            nodes[node] = ("YA", _facts_of(claims, label))
        elif kind == "TA":
            nodes[node] = ("TA", _facts_of(side.transitions.get(node, ()), "TA"))
        elif kind in RELATIONS:
            claims = [relation.link for relation in side.relations.get(node, ())]
            claims += side.undercuts(node)
            nodes[node] = ("S", _facts_of(claims, kind))
    return Facts(nodes, side.structure.label_names)


def _facts_of(claims: Sequence[Claim], label: str) -> tuple[Fact, ...]:
    if len(claims) == 1:  # as nearly always
        return ((claims[0], label),)
    return tuple((claim, label) for claim in dict.fromkeys(claims))


def status_of(facts: Iterable[Fact], others: dict[Claim, set[str]], side: Literal[0, 1]) -> Status:
    """What the other side, with its labels ``others``, says of some facts.

    >>> from aifgraph.comparison.calculations.items import Link
    >>> fact = (Link(0, 1), "RA")
    >>> status_of([fact], {Link(0, 1): {"CA"}}, 0), status_of([fact], {}, 1)
    ('different', 'second')
    """
    agreed = different = False
    for claim, label in facts:
        labels = others.get(claim)
        if labels is not None:
            agreed |= label in labels
            different |= label not in labels
    if different:
        return "different"
    if agreed:
        return "agreed"
    return "second" if side else "first"


def part_of(claim: Claim, part: Part) -> Hashable:
    """A part of a claim; None where it has none.

    >>> from aifgraph.comparison.calculations.items import Link
    >>> part_of(Link(0, 1), "reversed"), part_of(Link(0, 1), "end"), part_of(Link(0, 1), "anchor")
    (Link(start=1, end=0), 1, None)
    """
    match part, claim:
        case "all", _:
            return claim
        case "reversed", Link(start, end):
            return Link(end, start)
        case ("start", Link(start=found) | Undercut(premise=found)) | ("end", Link(end=found)):
            return found
        case "end", Undercut(relation=relation):
            return relation
        case "content", AnchoredContent(content=content):
            return content
        case "anchor", AnchoredContent(anchor=anchor) | At(anchor=anchor):
            return anchor
    return None
