"""The alignment of two analyses: their nodes in classes, and why each class is one (docs/measures.md, section 3).

A class is a set of nodes of the first side with a set of nodes of the second; a node that nobody matched is a class of
its own. Classes of propositions and of locutions are numbered separately, from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, Literal, NamedTuple

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.context import UNPERMUTED, Contexts, Permutation, Permutations
from aifgraph.align.matching import Group, Match, MatchingRules, Rank, match, ranked
from aifgraph.align.meaning import match_by_meaning
from aifgraph.align.positions import Placement, Position, bounded, overlapping, place, size
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.text.similarity import similarity
from aifgraph.text.words import words_of

NodeKind = Literal["propositions", "locutions"]
#: The share of its words that the matched node of the other side covers where a node joins its class.
_MIN_SHARE: Final = 0.5
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


# -- finer segmentation with the same content agrees fully (docs/measures.md, section 3, step 2) ----------------------


def join(
    side: Literal[0, 1],
    group: Group,
    leftovers: Iterable[int],
    others: Group,
    matched: Iterable[int],
    contexts: Contexts,
) -> dict[int, tuple[int, float]]:
    """Return for leftovers of ``group`` the matched node of ``others`` whose class they join, and the share it covers.

    It is the one that covers most of a leftover's words, at least half of them.

    Where a position is unknown, the other's said words have to hold the leftover's as one run, which counts as all of
    them. What is loosely placed joins nothing. Ties: the greater similarity, then what starts earlier, then the smaller
    whole text, then the smaller surroundings, then file order. ``side`` is that of ``group``.
    """
    unmatched, hosts = [node for node in leftovers if node not in group.loose], list(matched)
    if not unmatched or not hosts:
        return {}
    shares: dict[int, dict[int, float]] = {}
    places = {node: group.positions[node] for node in unmatched if node in group.positions}
    host_places = {node: others.positions[node] for node in hosts if node in others.positions}
    for node, host, common in overlapping(places, host_places):
        share = common / size(places[node])
        if share >= _MIN_SHARE:
            shares.setdefault(node, {})[host] = share
    unplaced = [node for node in unmatched if node not in places]
    unplaced_hosts = [host for host in hosts if host not in host_places]
    for nodes, possible_hosts in ((unplaced, hosts), (list(places), unplaced_hosts)):
        for node, host in bounded(_contained(group, nodes, others, possible_hosts)):
            shares.setdefault(node, {})[host] = 1.0

    def best(node: int, shares: Mapping[int, float]) -> tuple[int, float]:
        top = max(shares.values())
        equal = [host for host, share in shares.items() if share == top]
        if len(equal) > 1:
            text, texts = group.texts[node], others.texts
            equal.sort(
                key=lambda host: (
                    -round(similarity(text, texts[host]), 12),
                    others.first_word(host),
                    others.analysis.whole(host),
                    contexts.surroundings(1 - side, host),
                    contexts.node_with_text(1 - side, host),
                )
            )
        return equal[0], top

    return {node: best(node, hosts) for node, hosts in shares.items()}


def _contained(group: Group, nodes: list[int], others: Group, hosts: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs in which the said words of the host hold those of the node as one run."""
    if not nodes or not hosts:
        return
    said, other_said = group.analysis.said, others.analysis.said
    words = {host: words_of(other_said[host]) for host in hosts}
    counts = Counter(chain.from_iterable(words.values()))
    # Only hosts that have the rarest word of a node are looked at.
    by_rarest: dict[str, list[tuple[int, str]]] = {}
    for node in nodes:
        run = words_of(said[node])
        if run:
            by_rarest.setdefault(min(run, key=counts.__getitem__), []).append((node, _line(run)))
    for host, its_words in words.items():
        if rare := by_rarest.keys() & its_words:
            line = _line(its_words)
            for word in rare:
                for node, run_line in by_rarest[word]:
                    if run_line in line:
                        yield node, host


def _line(words: list[str]) -> str:
    """Return words as one string, each between line breaks, which no word has in it (some have spaces)."""
    return "\n" + "\n".join(words) + "\n"
