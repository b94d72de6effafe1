"""The alignment of two analyses: their nodes in classes, and why each class is one (docs/measures.md, section 3).

A class is a set of nodes of the first side with a set of nodes of the second; a node that nobody matched is a class of
its own. Classes of propositions and of locutions are numbered separately, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.candidates import Gate, Group, Similarities
from aifgraph.align.context import UNPERMUTED, Contexts, Permutation, Permutations
from aifgraph.align.encoders import Encoder
from aifgraph.align.granularity import join
from aifgraph.align.matching import Match, MatchedBy, match
from aifgraph.align.meaning import match_by_meaning
from aifgraph.align.positions import Placement, Position, place
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.printable import quantity
from aifgraph.tables import Table

NodeLayer = Literal["propositions", "locutions"]

# A named tuple's own constructor takes twice the time, and a map has very many classes.
_new = tuple.__new__


class NodeClass(NamedTuple):
    """Nodes that stand for the same thing, by number on each side.

    ``match`` is the one-to-one match that the class is built on, None for a node that stands alone. ``joined`` gives
    for every further node the share of its words that its host covers.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    match: Match | None = None
    joined: tuple[tuple[Literal[0, 1], int, float], ...] = ()

    @property
    def similarity(self) -> float | None:
        """The similarity of the two matched nodes; None for a node that stands alone."""
        return self.match.similarity if self.match else None


@dataclass(frozen=True)
class Layer:
    """The classes of propositions, or of locutions: ``first_class`` and ``second_class`` map nodes to theirs."""

    classes: tuple[NodeClass, ...]
    first_class: dict[int, int] = field(repr=False)
    second_class: dict[int, int] = field(repr=False)

    @cached_property
    def matched(self) -> int:
        """The number of classes with nodes of both sides."""
        return sum(bool(node_class.first and node_class.second) for node_class in self.classes)

    def _of_side(self, side: Literal[0, 1]) -> dict[int, int]:
        """The classes of the nodes of a side."""
        return self.second_class if side else self.first_class

    def matched_by(self, how: MatchedBy) -> int:
        """The number of classes whose match came about so."""
        return sum(node_class.match is not None and node_class.match.by == how for node_class in self.classes)


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
    rules: MatchingRules = field(default_factory=lambda: MatchingRules(), repr=False)
    #: Whether it depends on what surrounds the nodes.
    by_context: bool = field(default=False, repr=False)
    #: What others have worked out from the classes, by name, for whoever asks next.
    _kept: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        matched = (
            f"{getattr(self, layer).matched} of {quantity(len(getattr(self, layer).classes), f'classes of {layer}')}"
            for layer in ("propositions", "locutions")
        )
        return f"<Alignment, matched {', '.join(matched)}>"

    def __str__(self) -> str:
        rows = [
            (layer, *map(", ".join, self.ids(layer, number)), self.because(node_class))
            for layer in get_args(NodeLayer)
            for number, node_class in enumerate(getattr(self, layer).classes)
        ]
        return str(Table("Classes of nodes", ("of", "first", "second", "because"), rows))

    @property
    def one_sided(self) -> bool:
        """Whether one side has units and the other none."""
        return bool(self.first.units) != bool(self.second.units)

    @cached_property
    def reconstructed(self) -> tuple[frozenset[int], frozenset[int]] | tuple[None, None]:
        """The propositions of each side that nobody said; None where positions are not used."""
        if not self.placement.fits:
            return None, None
        first, second = placed_sides(self.first, self.second, self.placement)
        return first.reconstructed, second.reconstructed

    def ids(self, layer: NodeLayer, number: int) -> tuple[list[str], list[str]]:
        """The node ids of a class on the two sides."""
        node_class = getattr(self, layer).classes[number]
        return [self.first.ids[n] for n in node_class.first], [self.second.ids[n] for n in node_class.second]

    def because(self, node_class: NodeClass) -> str:
        """How a class came about: matched, with what joined it, or alone."""
        if node_class.match is None:
            return "alone: the other analysis has no free unit close enough in place and wording"
        parts = [self._matched(node_class.match)]
        for side, node, share in node_class.joined:
            id_ = (self.second if side else self.first).ids[node]
            parts.append(f"joined as part: {('first', 'second')[side]} {id_}, {share:.0%} of its words are covered")
        return "; ".join(parts)

    def _matched(self, match: Match) -> str:
        same = "equal texts" if match.similarity == 1 else f"similarity {match.similarity:.3f}"
        if match.by == "meaning":
            return f"matched by meaning, {match.cosine:.2f} ({same})"
        place, other_place = self.first_positions.get(match.first), self.second_positions.get(match.second)
        if place and other_place:
            where = "at the same place" if place == other_place else "at places that overlap"
        else:
            where = "by wording alone, as one of the places is unknown"
        return f"matched: {same}, {where}"


@dataclass(frozen=True)
class PlacedSide:
    """What of an analysis takes part and where it stands: positions by node number, and which nodes are placed loosely;
    both empty where positions are not used."""

    analysis: Analysis
    positions: Mapping[int, Position] = field(default_factory=dict, repr=False)
    loose: frozenset[int] = frozenset()
    positions_used: bool = True

    @property
    def reconstructed(self) -> frozenset[int]:
        """The propositions that the analyst wrote and nobody said: units without a position in a text that fits."""
        return self.reconstructed_where({})

    def reconstructed_where(self, permutation: Permutation) -> frozenset[int]:
        """The reconstructed propositions where texts and positions are permuted."""
        if not self.positions_used:
            return frozenset()
        units = (node for node in self.analysis.propositions if node not in self.analysis.sayings)
        return frozenset([node for node in units if permutation.get(node, node) not in self.positions])


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
    ``strict``; with an ``encoder`` also by meaning."""

    matching: str = "greedy"
    granularity: str = "merge"
    gate: Gate = field(default_factory=Gate)
    encoder: Encoder | None = None
    min_meaning: float = 0.75


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
    first: PlacedSide,
    second: PlacedSide,
    placement: Placement,
    rules: MatchingRules | None = None,
    similarities: Similarities | None = None,
    permutations: Permutations = UNPERMUTED,
) -> Alignment:
    """Match and join what stands where the two sides say, on the axis of ``placement``.

    Comparing with chance gives cached ``similarities``, and which nodes have which texts in their ``permutations``. The
    classes are of nodes that have their own texts, all the same.
    """
    rules = rules or MatchingRules()
    similarities = similarities or Similarities()
    contexts = Contexts(first.analysis, second.analysis, permutations)
    length = placement.axis.length if placement.axis else 0

    def groups(nodes: Sequence[int], others: Sequence[int]) -> tuple[Group, Group]:
        return (
            Group(first.analysis, nodes, first.positions, length, first.loose),
            Group(second.analysis, others, second.positions, length, second.loose),
        )

    pair = groups(first.analysis.propositions, second.analysis.propositions)
    matches = match(*pair, rules.gate, contexts, rules.matching, similarities)
    if rules.encoder:
        matches += match_by_meaning(
            *pair, matches, contexts, similarities, encoder=rules.encoder, least=rules.min_meaning
        )
    propositions = _layer(*pair, matches, contexts, rules, similarities)
    pair = groups(first.analysis.locutions, second.analysis.locutions)
    matches = match(*pair, rules.gate, contexts, rules.matching, similarities)
    locutions = _layer(*pair, matches, contexts, rules, similarities)
    return Alignment(
        first.analysis,
        second.analysis,
        placement,
        propositions,
        locutions,
        first.positions,
        second.positions,
        rules,
        contexts.asked,
    )


def _layer(
    first: Group,
    second: Group,
    pairs: Iterable[Match],
    contexts: Contexts,
    rules: MatchingRules,
    similarities: Similarities,
) -> Layer:
    """The classes that are built on one-to-one matches."""
    matches = {pair.first: pair for pair in pairs}
    partners = {pair.second: pair.first for pair in matches.values()}
    joined: dict[int, tuple[int, float]] = {}
    other_joined: dict[int, tuple[int, float]] = {}
    if rules.granularity == "merge":
        unmatched = [node for node in first.nodes if node not in matches]
        others_unmatched = [node for node in second.nodes if node not in partners]
        joined = join(0, first, unmatched, second, partners, contexts, similarities)
        other_joined = join(1, second, others_unmatched, first, matches, contexts, similarities)
    parts: dict[int, list[int]] = {}
    other_parts: dict[int, list[int]] = {}
    for node in sorted(joined):
        parts.setdefault(partners[joined[node][0]], []).append(node)
    for node in sorted(other_joined):
        other_parts.setdefault(other_joined[node][0], []).append(node)
    classes: list[NodeClass] = []
    for node in first.nodes:
        pair = matches.get(node)
        if pair is None:
            if node not in joined:
                classes.append(_new(NodeClass, ((node,), (), None, ())))
        elif node in parts or node in other_parts:
            ours, theirs = parts.get(node, []), other_parts.get(node, [])
            shares = (
                *((0, part, joined[part][1]) for part in ours),
                *((1, part, other_joined[part][1]) for part in theirs),
            )
            members, others = tuple(sorted((node, *ours))), tuple(sorted((pair.second, *theirs)))
            classes.append(NodeClass(members, others, pair, shares))  # type: ignore[arg-type]
        else:
            classes.append(_new(NodeClass, ((node,), (pair.second,), pair, ())))
    classes += [NodeClass((), (node,)) for node in second.nodes if node not in partners and node not in other_joined]
    return Layer(
        tuple(classes),
        {node: number for number, node_class in enumerate(classes) for node in node_class.first},
        {node: number for number, node_class in enumerate(classes) for node in node_class.second},
    )
