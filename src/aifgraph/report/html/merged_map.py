"""Two analyses as one map, which is drawn.

::

    a proposition of either side     one element for a matched pair, one for each further part, one for a node alone
    a scheme node of either side     one element for two that are equal, or that a difference sets against each other
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from aifgraph.align.alignment import Layer
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.breakdown import speaker_names
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences.find import group_of
from aifgraph.comparison.items import InnerLink, Item, Link
from aifgraph.comparison.links import Claims
from aifgraph.printable import unhashed

#: agreed: both sides; first, second: one side only; different: both, under other labels; part: a piece of one unit.
Status = Literal["agreed", "first", "second", "different", "part"]
#: Propositions with their relations, or everything.
MapView = Literal["argument", "dialogue"]


@dataclass(frozen=True, slots=True)
class Member:
    """A node of one side in an element: its type, text (a scheme's label) and speaker."""

    kind: str
    text: str
    speaker: str


@dataclass(frozen=True, slots=True)
class Element:
    """What is drawn as one node: its members, and for a part the element that it is part of."""

    number: int
    status: Status
    first: Member | None
    second: Member | None
    part_of: int | None = None

    @property
    def kind(self) -> str:
        """The type, the first side's where the two differ."""
        member = self.first or self.second
        assert member is not None
        return member.kind


@dataclass(frozen=True, slots=True)
class Line:
    """An edge between two elements."""

    source: int
    target: int
    status: Status


@dataclass(frozen=True)
class MergedMap:
    """All elements and lines."""

    elements: tuple[Element, ...]
    lines: tuple[Line, ...]


def merged_map(comparison: Comparison) -> MergedMap:
    """The merged map of two analyses; nodes that take no part (analysts' own) are left out."""
    maker = _Maker(comparison)
    alignment = comparison.alignment
    for layer in (alignment.propositions, alignment.locutions):
        maker.contents(layer)
    maker.schemes()
    return MergedMap(tuple(maker.elements), tuple(maker.lines()))


class _Maker:
    def __init__(self, comparison: Comparison) -> None:
        self.alignment = alignment = comparison.alignment
        self.differences = comparison.differences()
        self.row_of = {node: row for row in self.differences for node in (*row.nodes, *row.follows)}
        self.sides = (alignment.first, alignment.second)
        self.facts = tuple(_facts(side) for side in comparison.claims)
        self.labels: tuple[dict[tuple[str, Item], set[str]], ...] = ({}, {})
        for analysis, facts, labels in zip(self.sides, self.facts, self.labels, strict=True):
            for node, of_node in facts.items():
                for item, label in of_node:
                    labels.setdefault((group_of(analysis.kinds[node]), item), set()).add(label)
        self.elements: list[Element] = []
        self.of: dict[tuple[int, int], int] = {}

    def add(self, status: Status, first: int | None, second: int | None, part_of: int | None = None) -> int:
        number = len(self.elements)
        one = None if first is None else self.member(0, first)
        other = None if second is None else self.member(1, second)
        self.elements.append(Element(number, status, one, other, part_of))
        for side, node in ((0, first), (1, second)):
            if node is not None:
                self.of[side, node] = number
        return number

    def member(self, side: int, index: int) -> Member:
        analysis = self.sides[side]
        node, kind = analysis.nodes[index], analysis.kinds[index]
        if kind in ("I", "L"):
            return Member(kind, unhashed(node.text.strip()), unhashed(_speaker(analysis, index)))
        return Member(kind, analysis.label_names[index] if kind == "YA" else node.text.strip(), "")

    def contents(self, layer: Layer) -> None:
        for each in layer.classes:
            if each.match is None:
                alone: Status = "first" if each.first else "second"
                self.add(alone, each.first[0] if each.first else None, each.second[0] if each.second else None)
                continue
            row = self.row_of.get((0, each.match.first))
            status: Status = "different" if row and row.kind == "spoken by another" else "agreed"
            host = self.add(status, each.match.first, each.match.second)
            for side, node, _ in each.joined:
                self.add("part", None if side else node, node if side else None, host)

    def schemes(self) -> None:
        pairs = self.differences.pairs
        partners = set(pairs.values())
        for node in self.facts[0]:
            other = pairs.get(node)
            status: Status = "first" if other is None else "different" if (0, node) in self.row_of else "agreed"
            self.add(status, node, other)
        for node in self.facts[1]:
            if node not in partners:
                self.add("second", None, node)

    def lines(self) -> Iterator[Line]:
        statuses: dict[tuple[int, int], list[Status]] = {}
        for side, analysis in enumerate(self.sides):
            for source, targets in enumerate(analysis.successors):
                for target in targets:
                    ends = (self.of.get((side, source)), self.of.get((side, target)))
                    if ends[0] is None or ends[1] is None:
                        continue
                    statuses.setdefault((ends[0], ends[1]), []).append(self.line_status(side, source, target))
        for (one, other), of_sides in statuses.items():
            status = next((status for status in ("different", "agreed") if status in of_sides), of_sides[0])
            yield Line(one, other, status)

    def line_status(self, side: int, source: int, target: int) -> Status:
        """A line says what those facts of its scheme node say that it takes part in."""
        facts = self.facts[side]
        to_scheme = target in facts
        scheme, content = (target, source) if to_scheme else (source, target)
        if scheme not in facts:
            return "second" if side else "first"
        own, group = facts[scheme], group_of(self.sides[side].kinds[scheme])
        if group != "illocutions":
            layer = self.alignment.locutions if group == "transitions" else self.alignment.propositions
            number = (layer.second_class if side else layer.first_class).get(content)

            def takes_part(item: Item) -> bool:
                if isinstance(item, Link | InnerLink):
                    end = item.start if to_scheme else item.end
                    return end == (number if isinstance(item, Link) else content)
                return True

            own = [fact for fact in own if takes_part(fact[0])] or own
        labels = [(label, self.labels[1 - side].get((group, item))) for item, label in own]
        if any(others and label not in others for label, others in labels):
            return "different"
        if any(others for _, others in labels):
            return "agreed"
        return "second" if side else "first"


def _facts(side: Claims) -> dict[int, list[tuple[Item, str]]]:
    """What every scheme node says: items with labels; a node may say nothing."""
    facts: dict[int, list[tuple[Item, str]]] = {
        node: [] for node, kind in enumerate(side.analysis.kinds) if kind not in ("", "I", "L")
    }
    for node, item, label in (*side.relations, *side.undercuts, *side.transitions, *side.acts):
        facts[node].append((item, label))
    return facts


def _speaker(analysis: Analysis, index: int) -> str:
    """Who made a locution, or the first of the locutions that say a proposition and have a speaker."""
    sayings = analysis.sayings.get(index, []) if analysis.kinds[index] == "I" else [index]
    return next((name for saying in sayings for name in speaker_names(analysis, [saying])), "")
