"""The alignment of two analyses: their nodes in classes, and why each class is one (docs/measures.md, section 3).

A class is a set of nodes of the first side with a set of nodes of the second; a node that nobody matched is a class of
its own. Classes of propositions and of locutions are numbered separately, from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.candidates import Gate, Group
from aifgraph.align.context import Contexts
from aifgraph.align.granularity import join
from aifgraph.align.matching import match
from aifgraph.align.positions import Placement, Position, place
from aifgraph.graph import ArgumentGraph, SourceText


@dataclass(frozen=True, slots=True)
class NodeClass:
    """Nodes that stand for the same thing, by number on each side.

    ``match`` is the one-to-one match that the class is built on and ``similarity`` its similarity; both are None for a
    node that stands alone. ``joined`` gives for every further node the share of its words that its host covers.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    match: tuple[int, int] | None = None
    similarity: float | None = None
    joined: tuple[tuple[Literal[0, 1], int, float], ...] = ()


@dataclass(frozen=True)
class Layer:
    """The classes of propositions, or of locutions: ``first_class`` and ``second_class`` map nodes to theirs."""

    classes: tuple[NodeClass, ...]
    first_class: dict[int, int] = field(repr=False)
    second_class: dict[int, int] = field(repr=False)

    @cached_property
    def matched(self) -> int:
        """The number of classes with nodes of both sides."""
        return sum(bool(each.first and each.second) for each in self.classes)


@dataclass(frozen=True)
class Alignment:
    """Two analyses on one axis, their propositions and locutions in classes."""

    first: Analysis
    second: Analysis
    placement: Placement
    propositions: Layer
    locutions: Layer
    #: Positions by node number on the axis; empty where they are not used.
    first_positions: Mapping[int, Position] = field(repr=False)
    second_positions: Mapping[int, Position] = field(repr=False)

    def ids(self, layer: Literal["propositions", "locutions"], number: int) -> tuple[list[str], list[str]]:
        """The node ids of a class on the two sides."""
        each = getattr(self, layer).classes[number]
        return [self.first.nodes[n].id for n in each.first], [self.second.nodes[n].id for n in each.second]


@dataclass(frozen=True)
class PlacedSide:
    """What of an analysis takes part and where it stands: positions by node number, and which nodes are placed loosely;
    both empty where positions are not used."""

    analysis: Analysis
    positions: Mapping[int, Position] = field(default_factory=dict, repr=False)
    loose: frozenset[int] = frozenset()
    positions_used: bool = True

    @cached_property
    def reconstructed(self) -> frozenset[int]:
        """The propositions that the analyst wrote and nobody said: units without a position in a text that fits."""
        if not self.positions_used:
            return frozenset()
        units = set(self.analysis.units)
        return frozenset(n for n in self.analysis.propositions if n in units and n not in self.positions)


def placed_sides(first: Analysis, second: Analysis, placement: Placement) -> tuple[PlacedSide, PlacedSide]:
    """Both sides of a placement, without positions where they are not used."""
    if not placement.fits:
        return PlacedSide(first, positions_used=False), PlacedSide(second, positions_used=False)
    return (
        PlacedSide(first, placement.first.positions, placement.first.loose),
        PlacedSide(second, placement.second.positions, placement.second.loose),
    )


@dataclass(frozen=True, slots=True)
class MatchingRules:
    """How nodes are matched and joined: ``matching`` is ``greedy`` or ``optimal``, ``granularity`` is ``merge`` or
    ``strict``."""

    matching: str = "greedy"
    granularity: str = "merge"
    gate: Gate = field(default_factory=Gate)


def align(
    first: ArgumentGraph,
    second: ArgumentGraph,
    rules: MatchingRules | None = None,
    *,
    first_text: SourceText | None = None,
    second_text: SourceText | None = None,
) -> Alignment:
    """Align the propositions and the locutions of two analyses of one text.

    The source texts are those given, else those of the graphs.

    >>> from aifgraph import GraphBuilder
    >>> one, other = GraphBuilder(), GraphBuilder()
    >>> _ = one.proposition("Masks help"), other.proposition("masks help"), other.proposition("They filter")
    >>> [(each.first, each.second) for each in align(one.graph(), other.graph()).propositions.classes]
    [((0,), (0,)), ((), (1,))]
    """
    analyses = analyse(first), analyse(second)
    placement = place(*analyses, first_text, second_text)
    return align_placed(*placed_sides(*analyses, placement), placement, rules)


def align_placed(
    first: PlacedSide, second: PlacedSide, placement: Placement, rules: MatchingRules | None = None
) -> Alignment:
    """Match and join what stands where the two sides say, on the axis of ``placement``.

    The texts and positions of the sides need not be those that the analyses had at first: comparing with chance deals
    them out anew.
    """
    rules = rules or MatchingRules()
    contexts = Contexts(first.analysis, second.analysis)
    length = placement.axis.length if placement.axis else 0

    def layer(nodes: Sequence[int], others: Sequence[int]) -> Layer:
        groups = (
            Group(first.analysis, nodes, first.positions, length, first.loose),
            Group(second.analysis, others, second.positions, length, second.loose),
        )
        return _layer(*groups, contexts, rules)

    return Alignment(
        first.analysis,
        second.analysis,
        placement,
        layer(first.analysis.propositions, second.analysis.propositions),
        layer(first.analysis.locutions, second.analysis.locutions),
        first.positions,
        second.positions,
    )


def _layer(first: Group, second: Group, contexts: Contexts, rules: MatchingRules) -> Layer:
    found = match(first, second, rules.gate, contexts, rules.matching)
    matches = {one: (other, value) for one, other, value in found}
    partners = {other: one for one, (other, _) in matches.items()}
    joined: tuple[dict[int, tuple[int, float]], dict[int, tuple[int, float]]] = ({}, {})
    if rules.granularity == "merge":
        joined = (
            join(0, first, [node for node in first.nodes if node not in matches], second, partners, contexts),
            join(1, second, [node for node in second.nodes if node not in partners], first, matches, contexts),
        )
    parts: dict[int, list[int]] = {}
    other_parts: dict[int, list[int]] = {}
    for node in first.nodes:
        if node in joined[0]:
            parts.setdefault(partners[joined[0][node][0]], []).append(node)
    for node in second.nodes:
        if node in joined[1]:
            other_parts.setdefault(joined[1][node][0], []).append(node)
    classes: list[NodeClass] = []
    for node in first.nodes:
        if node in joined[0]:
            continue
        if node not in matches:
            classes.append(NodeClass((node,), ()))
            continue
        other, value = matches[node]
        ours, theirs = parts.get(node), other_parts.get(node)
        if ours or theirs:
            shares = (
                *((0, each, joined[0][each][1]) for each in ours or ()),
                *((1, each, joined[1][each][1]) for each in theirs or ()),
            )
            members = tuple(sorted((node, *(ours or ()))))
            classes.append(NodeClass(members, tuple(sorted((other, *(theirs or ())))), (node, other), value, shares))  # type: ignore[arg-type]
        else:
            classes.append(NodeClass((node,), (other,), (node, other), value))
    classes += [NodeClass((), (node,)) for node in second.nodes if node not in partners and node not in joined[1]]
    return Layer(
        tuple(classes),
        {node: number for number, each in enumerate(classes) for node in each.first},
        {node: number for number, each in enumerate(classes) for node in each.second},
    )
