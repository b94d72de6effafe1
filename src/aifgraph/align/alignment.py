"""The alignment of two analyses: their nodes in classes, and why each class is one (docs/measures.md, section 3).

A class is a set of nodes of the first side with a set of nodes of the second; a node that nobody matched is a class of
its own. Classes of propositions and of locutions are numbered separately, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.context import UNPERMUTED, Contexts, Permutation, Permutations
from aifgraph.align.granularity import join
from aifgraph.align.matching import Group, Match, MatchingRules, Rank, match, ranked
from aifgraph.align.meaning import match_by_meaning
from aifgraph.align.positions import Placement, Position, place
from aifgraph.graph import ArgumentGraph, SourceText

NodeKind = Literal["propositions", "locutions"]
#: The admissible pairs of each kind of nodes, for whoever aligns the same two analyses again and again.
KnownPairs = dict[NodeKind, list[tuple[Rank, Match]]]


class NodeClass(NamedTuple):
    """The nodes of both sides that count as one node, by number on each side.

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
class NodeClasses:
    """The classes of propositions, or of locutions: ``first_class`` and ``second_class`` map nodes to theirs."""

    classes: tuple[NodeClass, ...]
    first_class: dict[int, int] = field(repr=False)
    second_class: dict[int, int] = field(repr=False)

    @cached_property
    def matched(self) -> int:
        """The number of classes with nodes of both sides."""
        return sum(bool(node_class.first and node_class.second) for node_class in self.classes)

    @property
    def matched_by_meaning(self) -> int:
        """The number of classes that are built on a match by meaning."""
        return sum(node_class.match is not None and node_class.match.by == "meaning" for node_class in self.classes)


@dataclass(frozen=True)
class Alignment:
    """Two analyses on one axis, their propositions and locutions in classes.

    ``by_context``: it depends on what surrounds the nodes.
    """

    first: Analysis
    second: Analysis
    placement: Placement
    propositions: NodeClasses
    locutions: NodeClasses
    rules: MatchingRules = field(default_factory=MatchingRules, repr=False)
    by_context: bool = field(default=False, repr=False)

    @property
    def first_positions(self) -> Mapping[int, Position]:
        """Positions of the first side by node number; empty where they are not used."""
        return self.placement.first.positions

    @property
    def second_positions(self) -> Mapping[int, Position]:
        """Positions of the second side."""
        return self.placement.second.positions

    @property
    def one_sided(self) -> bool:
        """Whether one side has units and the other none."""
        return bool(self.first.units) != bool(self.second.units)

    @cached_property
    def reconstructed(self) -> tuple[frozenset[int], frozenset[int]] | tuple[None, None]:
        """The propositions of each side that nobody said; None where positions are not used."""
        if not self.placement.fits:
            return None, None
        return unplaced(self.first, self.first_positions), unplaced(self.second, self.second_positions)

    def because(self, node_class: NodeClass) -> str:
        """Return in words why a class exists: a match and the nodes that joined it, or a single node."""
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


def unplaced(
    analysis: Analysis, positions: Mapping[int, Position], permutation: Permutation = UNPERMUTED[0]
) -> frozenset[int]:
    """Return the propositions that the analyst wrote and nobody said: units without a position in a text that fits."""
    units = (node for node in analysis.propositions if node not in analysis.locutions_of)
    return frozenset([node for node in units if permutation.get(node, node) not in positions])


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
    return align_placed(*analyses, place(*analyses, first_text, second_text), rules)


def align_placed(
    first: Analysis,
    second: Analysis,
    placement: Placement,
    rules: MatchingRules | None = None,
    permutations: Permutations = UNPERMUTED,
    known: KnownPairs | None = None,
) -> Alignment:
    """Match and join nodes whose positions are known from ``placement``.

    Comparing with chance gives the ``permutations`` of texts and positions, and the pairs that are ``known`` from round
    to round. The classes are of nodes that have their own texts, all the same.
    """
    rules = rules or MatchingRules()
    known = {} if known is None else known
    contexts = Contexts(first, second, permutations)
    length = placement.axis.length if placement.axis else 0
    of_kind: dict[NodeKind, NodeClasses] = {}
    nodes: tuple[tuple[NodeKind, list[int], list[int]], ...] = (
        ("propositions", first.propositions, second.propositions),
        ("locutions", first.locutions, second.locutions),
    )
    for name, own, others in nodes:
        ours = Group(first, own, placement.first.positions, length, placement.first.loose)
        theirs = Group(second, others, placement.second.positions, length, placement.second.loose)
        if name not in known:
            known[name] = ranked(ours, theirs, rules)
        matches = match(ours, theirs, known[name], contexts, rules)
        if rules.meaning and name == "propositions":
            matches += match_by_meaning(ours, theirs, matches, contexts, rules.meaning, rules.min_meaning)
        of_kind[name] = _classes(ours, theirs, matches, contexts, rules)
    return Alignment(first, second, placement, of_kind["propositions"], of_kind["locutions"], rules, contexts.asked)


def _classes(
    first: Group, second: Group, pairs: Iterable[Match], contexts: Contexts, rules: MatchingRules
) -> NodeClasses:
    """Return the classes that are built on one-to-one matches."""
    matches = {pair.first: pair for pair in pairs}
    partners = {pair.second: pair.first for pair in matches.values()}
    joined: dict[int, tuple[int, float]] = {}
    other_joined: dict[int, tuple[int, float]] = {}
    if rules.granularity == "merge":
        unmatched = [node for node in first.nodes if node not in matches]
        others_unmatched = [node for node in second.nodes if node not in partners]
        joined = join(0, first, unmatched, second, partners, contexts)
        other_joined = join(1, second, others_unmatched, first, matches, contexts)
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
                classes.append(NodeClass((node,), ()))
            continue
        if node not in parts and node not in other_parts:  # as most are
            classes.append(NodeClass((node,), (pair.second,), pair))
            continue
        ours, theirs = parts.get(node, []), other_parts.get(node, [])
        shares: list[tuple[Literal[0, 1], int, float]] = [(0, part, joined[part][1]) for part in ours]
        shares += [(1, part, other_joined[part][1]) for part in theirs]
        members, others = sorted((node, *ours)), sorted((pair.second, *theirs))
        classes.append(NodeClass(tuple(members), tuple(others), pair, tuple(shares)))
    classes += [NodeClass((), (node,)) for node in second.nodes if node not in partners and node not in other_joined]
    return NodeClasses(
        tuple(classes),
        {node: number for number, node_class in enumerate(classes) for node in node_class.first},
        {node: number for number, node_class in enumerate(classes) for node in node_class.second},
    )
