"""The alignment of two analyses: their nodes in classes, and why each class is one (docs/measures.md, section 3).

A class is a set of nodes of the first side with a set of nodes of the second; a node that nobody matched is a class of
its own. Classes of propositions and of locutions are numbered separately, from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, Literal, NamedTuple, get_args

from aifgraph.align.analysis import UNPERMUTED, Analysis, Pair, Permutation, analyse, contexts_of
from aifgraph.align.matching import (
    Candidates,
    Group,
    Match,
    PlacedSide,
    Placement,
    candidate_pairs,
    match,
    match_by_meaning,
    place,
)
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.options import Options
from aifgraph.text.similarity import bounded, similarity, size
from aifgraph.text.words import words_of

NodeKind = Literal["propositions", "locutions"]
NODE_KINDS: Final[tuple[NodeKind, ...]] = get_args(NodeKind)
#: The share of its words that the matched node of the other side covers where a node joins its class.
_MIN_SHARE: Final = 0.5
#: The admissible pairs of each kind of nodes, for whoever aligns the same two analyses again and again.
CandidatesByKind = dict[NodeKind, Candidates]
#: Node → the matched node of the other side whose class it joins, and the share of its words that this one covers.
_Joined = dict[int, tuple[int, float]]


class NodeClass(NamedTuple):
    """The nodes of both sides that count as one node, by number on each side.

    ``match`` is the one-to-one match that the class is built on, None for a node that stands alone. ``joined`` gives
    for every further node its side, and the share of its words that its host covers.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    match: Match | None = None
    joined: tuple[tuple[Literal["first", "second"], int, float], ...] = ()

    @property
    def sides(self) -> Pair[tuple[int, ...]]:
        """The nodes of both sides."""
        return self.first, self.second

    @property
    def similarity(self) -> float | None:
        """The similarity of the two matched nodes; None for a node that stands alone."""
        return self.match.similarity if self.match else None


@dataclass(frozen=True)
class NodeClasses:
    """The classes of propositions, or of locutions, and by side the number of each node's class."""

    classes: tuple[NodeClass, ...]

    @cached_property
    def class_of(self) -> Pair[dict[int, int]]:
        """Node → the number of its class, of both sides."""
        return (
            {node: number for number, node_class in enumerate(self.classes) for node in node_class.first},
            {node: number for number, node_class in enumerate(self.classes) for node in node_class.second},
        )

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

    placement: Placement
    propositions: NodeClasses
    locutions: NodeClasses
    options: Options = field(repr=False)
    by_context: bool = field(default=False, repr=False)

    @property
    def sides(self) -> Pair[PlacedSide]:
        """Both sides, the first one first."""
        return self.placement.sides

    @property
    def analyses(self) -> Pair[Analysis]:
        """Both analyses."""
        return self.placement.analyses

    @property
    def kinds(self) -> tuple[NodeClasses, NodeClasses]:
        """The classes of propositions, and of locutions."""
        return self.propositions, self.locutions

    @property
    def one_sided(self) -> bool:
        """Whether one side has units and the other none."""
        first, second = self.analyses
        return bool(first.units) != bool(second.units)

    @cached_property
    def reconstructed(self) -> Pair[frozenset[int] | None]:
        """The propositions of each side that nobody said; None where positions are not used."""
        first, second = (side.reconstructed() if self.placement.fits else None for side in self.sides)
        return first, second

    def explain(self, node_class: NodeClass) -> str:
        """Return in words why a class exists: a match and the nodes that joined it, or a single node."""
        if node_class.match is None:
            return "alone: the other analysis has no free unit close enough in place and wording"
        parts = [self._explain_match(node_class.match)]
        sides = dict(zip(("first", "second"), self.sides, strict=True))
        for name, node, share in node_class.joined:
            id_ = sides[name].analysis.ids[node]
            parts.append(f"joined as part: {name} {id_}, {share:.0%} of its words are covered")
        return "; ".join(parts)

    def _explain_match(self, match: Match) -> str:
        same = "equal texts" if match.similarity == 1 else f"similarity {match.similarity:.3f}"
        if match.by == "meaning":
            return f"matched by meaning, {match.cosine:.2f} ({same})"
        first, second = self.sides
        position, other_position = first.positions.get(match.first), second.positions.get(match.second)
        if position and other_position:
            where = "at the same place" if position == other_position else "at places that overlap"
        else:
            where = "by wording alone, as one of the places is unknown"
        return f"matched: {same}, {where}"


def align(graphs: Pair[ArgumentGraph], options: Options, texts: Pair[SourceText | None] = (None, None)) -> Alignment:
    """Align the propositions and the locutions of two analyses of one text.

    The source texts are those given, else those of the graphs.

    >>> from aifgraph import GraphBuilder
    >>> one, other = GraphBuilder(), GraphBuilder()
    >>> _ = one.proposition("Masks help"), other.proposition("masks help"), other.proposition("They filter")
    >>> alignment = align((one.graph(), other.graph()), Options())
    >>> [node_class.sides for node_class in alignment.propositions.classes]
    [((0,), (0,)), ((), (1,))]
    """
    first, second = graphs
    reference = options.reference == "first"
    return align_placed(place((analyse(first), analyse(second)), texts, reference=reference), options)


def align_placed(
    placement: Placement,
    options: Options,
    permutations: Pair[Permutation] = UNPERMUTED,
    candidates: CandidatesByKind | None = None,
) -> Alignment:
    """Match and join nodes whose positions are known from ``placement``.

    Comparing with chance gives the ``permutations`` of texts and positions, and the ``candidates``, which are the same
    in each round. The classes are of nodes that have their own texts, all the same.
    """
    candidates = {} if candidates is None else candidates
    contexts = contexts_of(placement.analyses, permutations)
    of_kind: dict[NodeKind, NodeClasses] = {}
    for kind in NODE_KINDS:
        ours, theirs = (
            Group(side, getattr(side.analysis, kind), context, placement.length)
            for side, context in zip(placement.sides, contexts, strict=True)
        )
        if kind not in candidates:
            candidates[kind] = candidate_pairs(ours, theirs, options)
        matches = match(ours, theirs, candidates[kind], options)
        if options.meaning and kind == "propositions":
            matches += match_by_meaning(ours, theirs, matches, options)
        of_kind[kind] = NodeClasses(tuple(_classes(ours, theirs, matches, candidates[kind].common, options)))
    return Alignment(placement, **of_kind, options=options, by_context=any(context.used for context in contexts))


def _classes(
    first: Group, second: Group, matches: Iterable[Match], common: Mapping[tuple[int, int], int], options: Options
) -> Iterator[NodeClass]:
    """Yield the classes that are built on one-to-one matches; ``common`` is as in ``Candidates``."""
    match_of = {match.first: match for match in matches}
    partner_of = {match.second: match.first for match in match_of.values()}
    joined: _Joined = {}
    other_joined: _Joined = {}
    if options.granularity == "merge":
        swapped = {(node, host): shared for (host, node), shared in common.items()}
        joined = merge_segments(first, match_of, second, partner_of, common)
        other_joined = merge_segments(second, partner_of, first, match_of, swapped)
    #: What joins a match, by its node of the first side.
    parts: dict[int, list[tuple[Literal["first", "second"], int, float]]] = {}
    for node, (host, share) in sorted(joined.items()):
        parts.setdefault(partner_of[host], []).append(("first", node, share))
    for node, (host, share) in sorted(other_joined.items()):
        parts.setdefault(host, []).append(("second", node, share))
    for node in first.nodes:
        pair = match_of.get(node)
        if pair is None:
            if node not in joined:
                yield NodeClass((node,), ())
        elif node not in parts:  # as most are
            yield NodeClass((node,), (pair.second,), pair)
        else:
            members, other_members = (
                tuple(sorted((member, *(part for side, part, _ in parts[node] if side == name))))
                for name, member in (("first", node), ("second", pair.second))
            )
            yield NodeClass(members, other_members, pair, tuple(parts[node]))
    for node in second.nodes:
        if node not in partner_of and node not in other_joined:
            yield NodeClass((), (node,))


# -- finer segmentation with the same content agrees fully (docs/measures.md, section 3, step 2) ----------------------


def merge_segments(
    group: Group,
    matched: Collection[int],
    others: Group,
    hosts: Collection[int],
    common: Mapping[tuple[int, int], int],
) -> _Joined:
    """Return for nodes of ``group`` that are not ``matched`` the host among ``others`` whose class they join.

    It is the matched node that covers most of a node's words, at least half of them.

    Where a position is unknown, the host's said words have to hold the node's as one run, which counts as all of
    them. What is loosely placed joins nothing. Ties: the greater similarity, then what starts earlier, then the smaller
    whole text, then the smaller surroundings, then file order.
    """
    unmatched = [node for node in group.nodes if node not in matched and node not in group.side.loose]
    if not unmatched or not hosts:
        return {}
    shares: dict[int, dict[int, float]] = {}
    placed, placed_hosts = group.placed(unmatched), others.placed(hosts)
    for (node, host), shared in common.items():
        if node in placed and host in placed_hosts and (share := shared / size(placed[node])) >= _MIN_SHARE:
            shares.setdefault(node, {})[host] = share
    unplaced = [node for node in unmatched if node not in placed]
    unplaced_hosts = [host for host in hosts if host not in placed_hosts]
    said, other_said = group.side.analysis.said, others.side.analysis.said
    for nodes, possible in ((unplaced, list(hosts)), (list(placed), unplaced_hosts)):
        for node, host in bounded(_contained(said, nodes, other_said, possible)):
            shares.setdefault(node, {})[host] = 1.0

    def best(node: int, shares: Mapping[int, float]) -> tuple[int, float]:
        top = max(shares.values())
        equal = [host for host, share in shares.items() if share == top]
        if len(equal) > 1:
            equal.sort(
                key=lambda host: (
                    -round(similarity(group.texts[node], others.texts[host]), 12),
                    others.first_word(host),
                    others.side.analysis.whole(host),
                    others.context.surroundings(host),
                    others.context.node_with_text(host),
                )
            )
        return equal[0], top

    return {node: best(node, of_node) for node, of_node in shares.items()}


def _contained(
    said: Mapping[int, str], nodes: list[int], other_said: Mapping[int, str], hosts: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs in which the said words of the host hold those of the node as one run."""
    if not nodes or not hosts:
        return
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
