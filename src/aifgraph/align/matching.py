"""One-to-one matching of the propositions, or of the locutions, of two sides (docs/measures.md, sections 2 and 3).

A pair is admissible if both positions are known, share enough of the smaller one and the texts are not wholly
different; or if a position is unknown and the texts are alike enough. What competes for a node goes by

1. the greater similarity, then the greater overlap of positions; 2. equal whole texts; 3. what surrounds both;
4. the earlier first words; 5. the smaller whole texts; 6. the smaller surroundings; 7. file order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Literal, NamedTuple, TypedDict, get_args

from aifgraph.align.analysis import Analysis
from aifgraph.align.context import Contexts, Label, common_context
from aifgraph.align.positions import Position, bounded, common_places, jaccard, overlapping, size
from aifgraph.text.similarity import similar_pairs, similarity

Matching = Literal["greedy", "optimal"]
Granularity = Literal["merge", "strict"]
#: What comes before everything else where pairs compete; less is better.
Rank = tuple[float, float]
#: Rules 2 to 7.
FineKey = tuple[bool, tuple[int, int, int], int, str, str, list[Label], int, int]

#: The pairs that optimal matching looks at: about ten seconds where all texts are alike (measured on two cores).
MAX_OPTIMAL: Final = 250_000
#: How much rules 1 to 3, and the order by all rules, may add to a similarity: less than any difference that counts.
_TIE: Final = 1e-8
_ORDER: Final = 1e-11


def option(default: Any, help: str, **values: Any) -> Any:
    """Declare a field of ``aifgraph.Options``: its default, and what it does.

    Its values are one of ``choices`` (by their words in signatures), a number within ``bounds`` (a whole one where
    these are), or several of ``names`` (by their codes).
    """
    return field(default=default, metadata={"help": help, **values})


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingRules:
    """The options that decide how nodes are matched and joined."""

    matching: Matching = option(
        "greedy",
        "Match the most similar nodes first (greedy), or find the best total (optimal).",
        choices={word: word for word in get_args(Matching)},
    )
    gate: bool = option(
        True, "Use positions in the text to decide which nodes can match.", choices={"on": True, "off": False}
    )
    min_overlap: float = option(
        0.5, "Least share of the smaller node's words that both nodes must have.", bounds=(0.0, 1.0)
    )
    min_similarity: float = option(
        0.5, "Least similarity of matched nodes if a position is unknown.", bounds=(0.0, 1.0)
    )
    granularity: Granularity = option(
        "merge",
        "Join the parts of a unit that one side splits (merge), or not (strict).",
        choices={word: word for word in get_args(Granularity)},
    )
    meaning: Any = option(None, "Sentence model that matches further propositions by meaning (Python only).")
    min_meaning: float = option(0.75, "Least cosine of nodes that match by meaning.", bounds=(0.0, 1.0))


class MatchingKeywords(TypedDict, total=False):
    """The fields of ``MatchingRules`` as keywords, but ``meaning``, for type checkers."""

    matching: Matching
    gate: bool
    min_overlap: float
    min_similarity: float
    granularity: Granularity
    min_meaning: float


class Match(NamedTuple):
    """Two matched nodes and the similarity of their texts; ``cosine`` if they match by meaning."""

    first: int
    second: int
    similarity: float
    by: Literal["text", "meaning"] = "text"
    cosine: float | None = None


RankedPair = tuple[Rank, FineKey, Match]


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
        """Return the place of a node's first word; the length of the axis where it is unknown."""
        position = self.positions.get(node)
        return position[0][0] if position else self.axis_length


def ranked(first: Group, second: Group, rules: MatchingRules) -> list[tuple[Rank, Match]]:
    """Return the admissible pairs of two groups by rank; for greedy matching without those that it never comes to.

    Raises:
        LimitError: they are more than ``MAX_PAIRS``, for optimal matching ``MAX_OPTIMAL``.
    """
    pairs = bounded(_candidates(first, second, rules))
    if rules.matching == "optimal":
        pairs = bounded(pairs, MAX_OPTIMAL, "use matching=greedy")
    return sorted([((-round(pair.similarity, 12), -overlap), pair) for pair, overlap in pairs], key=itemgetter(0))


def _candidates(first: Group, second: Group, rules: MatchingRules) -> Iterator[tuple[Match, float]]:
    """Yield admissible pairs with the Jaccard overlap of their positions (0 if unknown)."""
    texts, other_texts = first.texts, second.texts
    places = {node: first.positions[node] for node in first.nodes if node in first.positions}
    other_places = {node: second.positions[node] for node in second.nodes if node in second.positions}
    unknown, other_unknown = list(first.nodes), list(second.nodes)
    blocks = [(unknown, other_unknown)]
    if rules.gate:
        yield from _at_one_place(first, second, places, other_places, rules.min_overlap)
        unknown = [node for node in first.nodes if node not in places]
        other_unknown = [node for node in second.nodes if node not in other_places]
        blocks = [(unknown, list(second.nodes)), (list(places), other_unknown)]
    sure: set[int] = set()
    other_sure: set[int] = set()
    if rules.matching == "greedy":
        # Equal texts come first, and each of these nodes may be matched with any node of its text on the other side:
        # where that side has as many of them or more, it gets one, and is in no other pair that counts.
        numbers, other_numbers = Counter(map(texts.get, first.nodes)), Counter(map(other_texts.get, second.nodes))
        sure = {node for node in unknown if numbers[texts[node]] <= other_numbers[texts[node]]}
        other_sure = {node for node in other_unknown if other_numbers[other_texts[node]] <= numbers[other_texts[node]]}
    for rows, columns in blocks:
        of_text: dict[str, list[int]] = {}
        for node in columns if sure or other_sure else ():
            of_text.setdefault(other_texts[node], []).append(node)
        for one in rows:
            for other in of_text.get(texts[one], ()):
                if one in sure or other in other_sure:
                    yield Match(one, other, 1.0), jaccard(places.get(one), other_places.get(other))
        left, other_left = [n for n in rows if n not in sure], [n for n in columns if n not in other_sure]
        if left and other_left:
            pairs = similar_pairs([texts[n] for n in left], [other_texts[n] for n in other_left], rules.min_similarity)
            for row, column, value in pairs:
                one, other = left[row], other_left[column]
                yield Match(one, other, value), jaccard(places.get(one), other_places.get(other))


def _at_one_place(
    first: Group, second: Group, places: Mapping[int, Position], other_places: Mapping[int, Position], least: float
) -> Iterator[tuple[Match, float]]:
    """Yield the admissible pairs with both positions known, which share at ``least`` so much of the smaller one."""
    texts, other_texts = first.texts, second.texts
    # With nothing to share, pairs without a place in common are admissible, too.
    apart = (
        (one, other, common_places(place, other_place))
        for one, place in places.items()
        for other, other_place in other_places.items()
    )
    for one, other, common in overlapping(places, other_places) if least else bounded(apart):
        own_size, other_size = size(places[one]), size(other_places[other])
        smaller = min(own_size, other_size)
        if smaller and common / smaller >= least:
            value = similarity(texts[one], other_texts[other])
            if value > 0:
                yield Match(one, other, value), common / (own_size + other_size - common)


def match(
    first: Group, second: Group, pairs: list[tuple[Rank, Match]], contexts: Contexts, rules: MatchingRules
) -> list[Match]:
    """Match the nodes of two groups, each at most once; ``pairs`` are those of ``ranked``."""
    return (_greedy if rules.matching == "greedy" else _optimal)(first, second, pairs, contexts)


def _greedy(first: Group, second: Group, pairs: list[tuple[Rank, Match]], contexts: Contexts) -> list[Match]:
    """The traversal of the paper, highest similarity first."""
    matches: list[Match] = []
    matched: set[int] = set()
    other_matched: set[int] = set()
    for _, equal in groupby(pairs, key=itemgetter(0)):
        free = [pair for _, pair in equal if pair.first not in matched and pair.second not in other_matched]
        if len(free) > 1:
            free.sort()
            # Only pairs that compete for a node need the finer rules, which take long.
            ours, theirs = Counter(pair.first for pair in free), Counter(pair.second for pair in free)
            rivals = [pair for pair in free if ours[pair.first] > 1 or theirs[pair.second] > 1]
            rivals.sort(key=lambda pair: finer_rules(first, second, contexts, pair.first, pair.second))
            free = [pair for pair in free if ours[pair.first] == theirs[pair.second] == 1] + rivals
        for pair in free:
            if pair.first not in matched and pair.second not in other_matched:
                matched.add(pair.first)
                other_matched.add(pair.second)
                matches.append(pair)
    return matches


def finer_rules(first: Group, second: Group, contexts: Contexts, one: int, other: int) -> FineKey:
    """Return the key of rules 2 to 7 of a pair; less is better."""
    context, other_context = contexts.context(0, one), contexts.context(1, other)
    k2, k1, k0 = common_context(context, other_context)
    smaller, larger = sorted((context.text, other_context.text))
    starts = first.first_word(one) + second.first_word(other)
    surroundings = sorted((contexts.surroundings(0, one), contexts.surroundings(1, other)))
    order = contexts.node_with_text(0, one), contexts.node_with_text(1, other)
    return (smaller != larger, (-k2, -k1, -k0), starts, smaller, larger, surroundings, *order)


def _optimal(first: Group, second: Group, pairs: list[tuple[Rank, Match]], contexts: Contexts) -> list[Match]:
    """The assignment with the greatest total similarity; equal totals are decided by greedy's rules.

    Worked out separately for every set of nodes that compete with each other. Rules 1 to 3 enter as amounts and not as
    ranks, so that their sum too is greatest where a map meets itself.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    keyed = [(rank, finer_rules(first, second, contexts, pair.first, pair.second), pair) for rank, pair in pairs]
    keyed.sort(key=itemgetter(0, 1))
    # Of equally good assignments the solver takes one: the same whichever side is given first.
    turned = sorted(map(second.analysis.whole, second.nodes)) < sorted(map(first.analysis.whole, first.nodes))
    matches: list[Match] = []
    for part in _components(keyed):
        if len(part) == 1:
            matches.append(part[0][2])
            continue
        rows = {node: index for index, node in enumerate(dict.fromkeys(pair.first for *_, pair in part))}
        columns = {node: index for index, node in enumerate(dict.fromkeys(pair.second for *_, pair in part))}
        weights = np.zeros((len(rows), len(columns)))
        values: dict[tuple[int, int], Match] = {}
        most = max(1, *(-least for _, (_, common, *_), _ in part for least in common))
        for order, (rank, (differ, (k2, k1, k0), *_), pair) in enumerate(part):
            cell = rows[pair.first], columns[pair.second]
            context = -(0.1 * k2 + 0.01 * k1 + 0.001 * k0) / most
            weights[cell] = pair.similarity + _TIE * (-rank[1] + 0.3 * (not differ) + context)
            weights[cell] += _ORDER * (1 - order / len(part)) / len(rows)
            values[cell] = pair
        at_rows, at_columns = linear_sum_assignment(weights.T if turned else weights, maximize=True)
        cells = zip(at_columns, at_rows, strict=True) if turned else zip(at_rows, at_columns, strict=True)
        matches += [values[int(i), int(j)] for i, j in cells if (int(i), int(j)) in values]
    return matches


def _components(pairs: list[RankedPair]) -> list[list[RankedPair]]:
    """Return the pairs by connected component, each in its order."""
    from networkx.utils import UnionFind

    joined: UnionFind[tuple[int, int]] = UnionFind()
    for *_, pair in pairs:
        joined.union((0, pair.first), (1, pair.second))
    parts: dict[tuple[int, int], list[RankedPair]] = {}
    for ranked_pair in pairs:
        parts.setdefault(joined[0, ranked_pair[2].first], []).append(ranked_pair)
    return list(parts.values())
