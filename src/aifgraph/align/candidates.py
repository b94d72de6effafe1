"""What the matching of one kind of node (propositions, or locutions) looks at, and which pairs it may match.

A pair is admissible (docs/measures.md, section 2) if both positions are known, share at least half of the smaller one
and the texts are not wholly different; or if a position is unknown and the texts are at least half alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from aifgraph.align.analysis import Analysis
from aifgraph.align.positions import Position
from aifgraph.text.similarity import similar_pairs, similarity

#: What comes before everything else where pairs compete; less is better.
Rank = tuple[float, float]


class CandidatePair(NamedTuple):
    """An admissible pair of nodes, its similarity, and the Jaccard overlap of their positions (0 if unknown)."""

    first: int
    second: int
    similarity: float
    jaccard: float


@dataclass(frozen=True)
class Group:
    """The propositions or the locutions of one side, with their texts and (known) positions, some ``loose``."""

    analysis: Analysis
    nodes: Sequence[int]
    positions: Mapping[int, Position]
    axis_length: int
    loose: frozenset[int] = frozenset()

    @property
    def texts(self) -> Mapping[int, str]:
        """The said texts, normalised."""
        return self.analysis.said_normalised

    def first_word(self, node: int) -> int:
        """The place of a node's first word; the length of the axis where it is unknown."""
        position = self.positions.get(node)
        return position[0][0] if position else self.axis_length


@dataclass(frozen=True, slots=True)
class Gate:
    """Which pairs are admissible; without ``positions`` every pair is judged by its texts."""

    positions: bool = True
    min_overlap: float = 0.5
    min_similarity: float = 0.5


class Similarities:
    """Similarities of normalised texts, computed each time."""

    def of(self, first: str, second: str) -> float:
        """How alike two texts are, from 0 to 1."""
        return similarity(first, second)

    def pairs(self, first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
        """All pairs of indices of texts that are at least ``least`` similar, with the similarity."""
        return similar_pairs(first, second, least)

    def ranked(self, first: Group, second: Group, gate: Gate) -> list[tuple[Rank, CandidatePair]]:
        """The admissible pairs of two groups that greedy matching looks at, the best first."""
        pairs = candidates(first, second, gate, self, greedy=True)
        return sorted([(rank_of(pair), pair) for pair in pairs], key=itemgetter(0))


class CachedSimilarities(Similarities):
    """Similarities of the texts of two sides, each computed once, and the admissible pairs of two groups likewise: for
    whoever matches the same nodes again and again.

    >>> cached = CachedSimilarities(["a", "bc"], ["bd", "a"])
    >>> sorted(cached.pairs(["bc", "a"], ["a", "bd"], 0.5))
    [(0, 1, 0.5), (1, 0, 1.0)]
    """

    def __init__(self, first: Iterable[str], second: Iterable[str]) -> None:
        self._texts = list(dict.fromkeys(first)), list(dict.fromkeys(second))
        self._values: dict[tuple[str, str], float] = {}
        self._near: dict[float, dict[str, list[tuple[str, float]]]] = {}
        self._ranked: dict[tuple[object, ...], list[tuple[Rank, CandidatePair]]] = {}

    def of(self, first: str, second: str) -> float:
        value = self._values.get((first, second))
        if value is None:
            value = self._values[first, second] = similarity(first, second)
        return value

    def pairs(self, first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
        if least not in self._near:
            ours, theirs = self._texts
            near = self._near[least] = {}
            for i, j, value in similar_pairs(ours, theirs, least):
                near.setdefault(ours[i], []).append((theirs[j], value))
        places: dict[str, list[int]] = {}
        for place, text in enumerate(second):
            places.setdefault(text, []).append(place)
        for i, text in enumerate(first):
            for other, value in self._near[least].get(text, ()):
                for j in places.get(other, ()):
                    yield i, j, value

    def ranked(self, first: Group, second: Group, gate: Gate) -> list[tuple[Rank, CandidatePair]]:
        of = tuple(first.nodes), tuple(second.nodes), gate
        if of not in self._ranked:
            self._ranked[of] = super().ranked(first, second, gate)
        return self._ranked[of]


def rank_of(pair: CandidatePair) -> Rank:
    """Similarity, then the overlap of positions; less is better."""
    return (-round(pair.similarity, 12), -pair.jaccard)


def candidates(
    first: Group, second: Group, gate: Gate, similarities: Similarities, *, greedy: bool = False
) -> Iterator[CandidatePair]:
    """All admissible pairs of two groups; for ``greedy`` matching without those that it never comes to."""
    texts, others = first.texts, second.texts
    places = {node: first.positions[node] for node in first.nodes if node in first.positions}
    other_places = {node: second.positions[node] for node in second.nodes if node in second.positions}
    unknown, other_unknown = list(first.nodes), list(second.nodes)
    blocks = [(unknown, other_unknown)]
    if gate.positions:
        # With nothing to share, pairs without a place in common are admissible, too.
        apart = [
            (one, other, common_places(place, other_place))
            for one, place in (places.items() if gate.min_overlap == 0 else ())
            for other, other_place in other_places.items()
        ]
        for one, other, common in apart or overlapping(places, other_places):
            sizes = size(places[one]), size(other_places[other])
            smaller = min(sizes)
            if smaller and common / smaller >= gate.min_overlap:
                value = similarities.of(texts[one], others[other])
                if value > 0:
                    yield CandidatePair(one, other, value, common / (sizes[0] + sizes[1] - common))
        unknown = [node for node in first.nodes if node not in places]
        other_unknown = [node for node in second.nodes if node not in other_places]
        blocks = [(unknown, list(second.nodes)), (list(places), other_unknown)]
    # Equal texts come first, and each of these nodes may be matched with any node of its text on the other side: where
    # that side has as many of them or more, it gets one, and is in no other pair that counts.
    numbers, other_numbers = Counter(map(texts.get, first.nodes)), Counter(map(others.get, second.nodes))
    sure = {node for node in unknown if greedy and numbers[texts[node]] <= other_numbers[texts[node]]}
    other_sure = {node for node in other_unknown if greedy and other_numbers[others[node]] <= numbers[others[node]]}
    for rows, columns in blocks:
        of_text: dict[str, list[int]] = {}
        for node in columns if sure or other_sure else ():
            of_text.setdefault(others[node], []).append(node)
        for one in rows:
            for other in of_text.get(texts[one], ()):
                if one in sure or other in other_sure:
                    share = jaccard_of(places.get(one), other_places.get(other))
                    yield CandidatePair(one, other, 1.0, share)
        left, other_left = [n for n in rows if n not in sure], [n for n in columns if n not in other_sure]
        if left and other_left:
            pairs = similarities.pairs([texts[n] for n in left], [others[n] for n in other_left], gate.min_similarity)
            for i, j, value in pairs:
                one, other = left[i], other_left[j]
                share = jaccard_of(places.get(one), other_places.get(other))
                yield CandidatePair(one, other, value, share)


def size(position: Position) -> int:
    """The number of places of a position."""
    if len(position) == 1:  # most positions: worth its own line
        return position[0][1] - position[0][0]
    return sum(stop - start for start, stop in position)


def overlapping(first: Mapping[int, Position], second: Mapping[int, Position]) -> Iterator[tuple[int, int, int]]:
    """Every pair of nodes that share places, once, with the number of places they share.

    >>> list(overlapping({1: ((0, 4),)}, {7: ((3, 9),), 8: ((5, 6),)}))
    [(1, 7, 1)]
    """
    runs = sorted(
        [(start, stop, 0, node) for node, position in first.items() for start, stop in position]
        + [(start, stop, 1, node) for node, position in second.items() for start, stop in position]
    )
    common: dict[tuple[int, int], int] = {}
    open_runs: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for start, stop, side, node in runs:
        others = open_runs[1 - side]
        ended = False
        for other_stop, other in others:
            shared = (other_stop if other_stop < stop else stop) - start
            if shared > 0:
                pair = (node, other) if side == 0 else (other, node)
                common[pair] = common.get(pair, 0) + shared
            else:
                ended = True
        if ended:
            others[:] = [run for run in others if run[0] > start]
        own = open_runs[side]
        if len(own) > 8:
            own[:] = [run for run in own if run[0] > start]
        own.append((stop, node))
    for (one, other), shared in common.items():
        yield one, other, shared


def common_places(first: Position, second: Position) -> int:
    """The number of places that two positions share."""
    if len(first) == 1 and len(second) == 1:
        (start, stop), (other_start, other_stop) = first[0], second[0]
        return max(0, min(stop, other_stop) - max(start, other_start))
    common = i = j = 0
    while i < len(first) and j < len(second):
        common += max(0, min(first[i][1], second[j][1]) - max(first[i][0], second[j][0]))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return common


def jaccard_of(first: Position | None, second: Position | None) -> float:
    """Shared places among all places of two positions; 0 if either is unknown."""
    if not first or not second:
        return 0.0
    common = common_places(first, second)
    return common / (size(first) + size(second) - common)
