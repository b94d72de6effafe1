"""What each scheme node of a comparison claims, as items of the calculations, and whether the other side agrees.

A *fact* is an item with a label: that a premise supports a conclusion, that a locution leads to another, that a content
is asserted in a locution. Facts are the same values that the calculations count, so that pictures and matrices agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.links import SideLinks, links_of
from aifgraph.graph.kinds import RELATIONS

#: agreed: both sides; first, second: one side only; different: both, under other labels; part: a piece of one unit.
Status = Literal["agreed", "first", "second", "different", "part"]
Item = Any
Fact = tuple[Item, str]


@dataclass(frozen=True)
class Facts:
    """The facts of one side: per scheme node, and per item its labels, by group (``S``, ``TA``, ``YA``)."""

    nodes: dict[int, tuple[str, tuple[Fact, ...]]]
    labels: dict[str, dict[Any, set[str]]]
    names: dict[str, str]


def facts_of(alignment: Alignment) -> tuple[Facts, Facts]:
    """The facts of both sides."""
    every = frozenset(RELATIONS)
    return _side(alignment, 0, links_of(alignment, 0, every)), _side(alignment, 1, links_of(alignment, 1, every))


def _side(alignment: Alignment, side: Literal[0, 1], links: SideLinks) -> Facts:
    analysis = alignment.second if side else alignment.first
    classes = alignment.propositions.second_class if side else alignment.propositions.first_class
    kinds = analysis.kinds
    nodes: dict[int, tuple[str, tuple[Fact, ...]]] = {}
    acts = iter(links.acts)
    for node, kind in enumerate(kinds):
        if kind == "YA":
            label, anchors, contents, _ = next(acts)
            nothing: list[Any] = [None]
            items: list[Item] = [(content, anchor) for content in (contents or nothing) for anchor in anchors]
            nodes[node] = ("YA", tuple((item, label) for item in dict.fromkeys(items)))
        elif kind == "TA":
            nodes[node] = ("TA", tuple((link, "TA") for link in dict.fromkeys(links.transitions.get(node, ()))))
        elif kind in RELATIONS:
            found: list[Item] = [link for link, _ in links.relations.get(node, ())]
            premises = [other for other in analysis.predecessors[node] if kinds[other] == "I"]
            for target in analysis.successors[node]:
                for relation in links.relations.get(target, ()):
                    found += [("on", classes[premise], relation) for premise in premises]
            nodes[node] = ("S", tuple((item, kind) for item in dict.fromkeys(found)))
    labels: dict[str, dict[Any, set[str]]] = {"S": {}, "TA": {}, "YA": {}}
    for group, facts in nodes.values():
        for item, label in facts:
            labels[group].setdefault(item, set()).add(label)
    return Facts(nodes, labels, links.labels)


def status_of(facts: Iterable[Fact], others: dict[Any, set[str]], side: Literal[0, 1]) -> Status:
    """What the other side, with its labels ``others``, says of some facts.

    >>> status_of([((0, 1), "RA")], {(0, 1): {"CA"}}, 0), status_of([((0, 1), "RA")], {}, 1)
    ('different', 'second')
    """
    agreed = different = False
    for item, label in facts:
        labels = others.get(item)
        if labels is not None:
            agreed |= label in labels
            different |= label not in labels
    if different:
        return "different"
    if agreed:
        return "agreed"
    return "second" if side else "first"
