"""Where the nodes of two analyses stand on one axis of words, and which of them match one to one (docs/measures.md,
sections 1 to 3).

A position is a set of words of the axis as sorted, separate runs ``(start, stop)``; a node without one is not in a
mapping. A pair is admissible if both positions are known, share enough of the smaller one and the texts are not wholly
different; or if a position is unknown and the texts are alike enough. What competes for a node goes by

1. the greater similarity, then the greater overlap of positions; 2. equal whole texts; 3. what surrounds both;
4. the earlier first words; 5. the smaller whole texts; 6. the smaller surroundings; 7. file order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, groupby, pairwise
from operator import itemgetter
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from aifgraph.align.analysis import Analysis, Context, Pair, Permutation, WLLabel, common_context
from aifgraph.errors import LimitError
from aifgraph.graph import ArgumentGraph, Notice, SourceText
from aifgraph.graph.columns import UnionFind, cached_per_graph
from aifgraph.options import Options
from aifgraph.text.similarity import (
    Axis,
    Position,
    bounded,
    jaccard,
    merge,
    overlaps,
    similar_pairs,
    similarity,
    size,
)
from aifgraph.text.source import PlacedUnit, SourceWords, merged, place_units, source_words
from aifgraph.text.words import Budget, words_of

TextKind = Literal["given", "embedded", "shared", "none"]

#: The pairs that optimal matching looks at: about ten seconds where all texts are alike (measured on two cores).
MAX_OPTIMAL: Final = 250_000
#: How much rules 1 to 3, and the order by all rules, may add to a similarity: less than any difference that counts.
_TIE: Final = 1e-8
_ORDER: Final = 1e-11


# -- positions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlacedSide:
    """One analysis on the axis.

    ``text`` is its source text, None where it has none or shares the other's, as ``origin`` says. ``placed`` is how
    many units were found in it, ``boundaries`` what they cut. Where the text fits, ``positions`` are by node, and the
    ``loose`` nodes are placed loosely.
    """

    analysis: Analysis
    text: SourceText | None = field(default=None, repr=False)
    origin: TextKind = "none"
    placed: int = 0
    positions: Mapping[int, Position] = field(default_factory=dict)
    boundaries: frozenset[int] = frozenset()
    loose: frozenset[int] = frozenset()

    def reconstructed(self, permutation: Permutation = MappingProxyType({})) -> frozenset[int]:
        """Return the propositions that nobody said: units without a position in a text that fits."""
        units = (node for node in self.analysis.propositions if node not in self.analysis.locutions_of)
        return frozenset([node for node in units if permutation.get(node, node) not in self.positions])


@dataclass(frozen=True, slots=True)
class Placement:
    """Both sides on one axis, which is None where there is no text; positions are used where the text ``fits``."""

    sides: Pair[PlacedSide]
    axis: Axis | None = None
    fits: bool = False
    notices: tuple[Notice, ...] = ()

    @property
    def analyses(self) -> Pair[Analysis]:
        first, second = self.sides
        return first.analysis, second.analysis

    @property
    def length(self) -> int:
        """The number of words of the axis."""
        return self.axis.length if self.axis else 0


def place(
    analyses: Pair[Analysis], texts: Pair[SourceText | None] = (None, None), *, reference: bool = False
) -> Placement:
    """Place two analyses in the texts given, else in their own; one text serves both where only one has any.

    Where a side has units and fewer than a quarter of them are found, the text does not fit; of a ``reference``, which
    is the first, only its own units decide.
    """
    (first, second), (given, other_given) = analyses, texts
    text, words = _first_with_words(None, given, first.graph.meta.source)
    other_text, other_words = _first_with_words(words, other_given, second.graph.meta.source)
    shared = words or other_words
    if shared is None:
        return Placement((PlacedSide(first), PlacedSide(second)))
    words, other_words = words or shared.without_ids(), other_words or shared.without_ids()
    length = len(words.words)
    try:
        axis = Axis(length, length) if words.words is other_words.words else merge(words.words, other_words.words)
    except LimitError as error:
        raise error.at(" and ".join(filter(None, (first.graph.name, second.graph.name)))) from None
    sides = (
        _on_axis(PlacedSide(first, text), words, axis.first, axis.length),
        _on_axis(PlacedSide(second, other_text), other_words, axis.second, axis.length),
    )
    notices: list[Notice] = []
    if axis.overlap < 0.5:
        share = f"{100 * axis.overlap:.0f} %"
        message = f"the texts share only {share} of their words; these do not look like two analyses of one text"
        notices.append(Notice("text-overlap", message))
    fits = True
    for name, side in zip(("first",) if reference else ("first", "second"), sides, strict=False):
        if 4 * side.placed < len(side.analysis.units):
            fits = False
            found = f"{side.placed} of {len(side.analysis.units)} units"
            message = f"the text does not fit the {name} analysis ({found} were found in it); positions are not used"
            notices.append(Notice("text-fit", message))
    if not fits:
        one, other = (replace(side, positions={}, loose=frozenset()) for side in sides)
        sides = one, other
    return Placement(sides, axis, fits, tuple(notices))


def _first_with_words(
    known: SourceWords | None, *texts: SourceText | None
) -> tuple[SourceText | None, SourceWords | None]:
    """Return the first of the texts that has a word, and its words; those of a ``known`` text are not read again."""
    for text in filter(None, texts):
        if words := source_words(text.text, text.spans, known=known):
            return text, words
    return None, None


@cached_per_graph
def _placements(graph: ArgumentGraph) -> dict[object, list[PlacedUnit]]:
    """Return where the units of a graph stand, by the key of the text."""
    return {}


def _placed_units(analysis: Analysis, words: SourceWords) -> list[PlacedUnit]:
    """Return where units stand in their text, which is kept with the graph for the next comparison."""
    cache = _placements(analysis.graph)
    if words.key not in cache:
        if len(cache) >= 4:
            cache.clear()
        units = [(analysis.ids[unit], analysis.said[unit]) for unit in analysis.units]
        # A span under the id of a node that is left out marks nothing.
        taking_part = compress(analysis.ids, analysis.kinds)
        try:
            cache[words.key] = place_units(words, units, taking_part if words.spans else ())
        except LimitError as error:
            raise error.at(analysis.graph.name) from None
    return cache[words.key]


#: The most runs of words in which the units of a side stand on the axis; real ones are under 300.
MAX_RUNS: Final = 1_000_000


def _on_axis(side: PlacedSide, words: SourceWords, indices: Sequence[int] | None, length: int) -> PlacedSide:
    """Place a side: map its units from the words of its text to those of the axis (``indices``; None where they are the
    same), and give their positions to the propositions that they say."""
    analysis = side.analysis
    positions: dict[int, Position] = {}
    boundaries: set[int] = set()
    loose: set[int] = set()
    # The words before which another text stands on the axis.
    breaks = [word for word, (a, b) in enumerate(pairwise(indices or ()), 1) if b != a + 1]
    budget = Budget(MAX_RUNS, f"the units of {analysis.graph.name or 'a map'} stand in too many pieces")
    for unit, (runs, loosely) in zip(analysis.units, _placed_units(analysis, words), strict=True):
        if not runs:
            continue
        if loosely:
            loose.add(unit)
        if indices is None:
            # Two runs of a bundle may touch: two boundaries to draw, one set of words to compare.
            positions[unit] = runs if len(runs) == 1 else merged(runs)
            for run in runs:
                boundaries.update(run)
        else:
            cuts = [
                (start, *breaks[bisect_right(breaks, start) : bisect_left(breaks, stop)], stop) for start, stop in runs
            ]
            budget.spend(sum(map(len, cuts)))
            positions[unit] = merged((indices[a], indices[b - 1] + 1) for cut in cuts for a, b in pairwise(cut))
            for start, stop in runs:
                boundaries.update((indices[start], indices[stop - 1] + 1))
    placed = len(positions)
    # A proposition stands where the locutions that say it stand, and loosely if all of these that are placed do.
    for proposition, locutions in analysis.locutions_of.items():
        known = [locution for locution in locutions if locution in positions]
        if len(known) == 1:  # as most have
            positions[proposition] = positions[known[0]]
        elif known:
            positions[proposition] = merged(run for locution in known for run in positions[locution])
        if known and loose.issuperset(known):
            loose.add(proposition)
    origin = side.text.origin if side.text else "shared"
    inner = frozenset(boundary for boundary in boundaries if 0 < boundary < length)
    return PlacedSide(analysis, side.text, origin, placed, positions, inner, frozenset(loose))


# -- one to one -------------------------------------------------------------------------------------------------------

#: What comes before everything else where pairs compete; less is better.
Rank = tuple[float, float]
#: Rules 2 to 7.
TieBreakKey = tuple[bool, tuple[int, int, int], int, str, str, list[WLLabel], int, int]


class Match(NamedTuple):
    """Two matched nodes and the similarity of their texts; ``cosine`` if they match by meaning."""

    first: int
    second: int
    similarity: float
    by: Literal["text", "meaning"] = "text"
    cosine: float | None = None


@dataclass(frozen=True)
class Group:
    """The propositions or the locutions of one side, with what surrounds them; ``length`` is that of the axis."""

    side: PlacedSide
    nodes: Sequence[int]
    context: Context
    length: int

    @property
    def texts(self) -> Mapping[int, str]:
        """The said texts, normalised."""
        return self.side.analysis.said_normalised

    @property
    def positions(self) -> Mapping[int, Position]:
        """The positions of all nodes of the side."""
        return self.side.positions

    def first_word(self, node: int) -> int:
        """Return the first word of a node's position; the length of the axis where it is unknown."""
        position = self.side.positions.get(node)
        return position[0][0] if position else self.length

    def placed(self, nodes: Iterable[int]) -> dict[int, Position]:
        """Return the known positions of some nodes."""
        positions = self.side.positions
        return {node: positions[node] for node in nodes if node in positions}


class Candidates(NamedTuple):
    """The admissible pairs: those whose nodes are in no other pair, and the rivals by rank.

    ``common`` is the number of words that two nodes share, by pair of nodes that share any.
    """

    alone: list[Match]
    rivals: list[tuple[Rank, Match]]
    common: Mapping[tuple[int, int], int]


def candidate_pairs(first: Group, second: Group, options: Options) -> Candidates:
    """Return the admissible pairs of two groups; for greedy matching without those that it never comes to."""
    common = overlaps(first.placed(first.nodes), second.placed(second.nodes))
    pairs = bounded(_admissible(first, second, common, options))
    if options.matching == "optimal":
        pairs = bounded(pairs, MAX_OPTIMAL, "use matching=greedy")
    listed = list(pairs)
    times, other_times = (Counter(map(itemgetter(end), map(itemgetter(0), listed))) for end in (0, 1))
    alone: list[Match] = []
    rivals: list[tuple[Rank, Match]] = []
    for pair, overlap in listed:
        if times[pair[0]] == 1 and other_times[pair[1]] == 1:
            alone.append(pair)
        else:
            rivals.append(((-round(pair.similarity, 12), -overlap), pair))
    return Candidates(alone, sorted(rivals, key=itemgetter(0)), common)


def _admissible(
    first: Group, second: Group, common: Mapping[tuple[int, int], int], options: Options
) -> Iterator[tuple[Match, float]]:
    """Yield admissible pairs with the Jaccard overlap of their positions (0 if unknown)."""
    texts, other_texts = first.texts, second.texts
    placed, other_placed = first.placed(first.nodes), second.placed(second.nodes)
    unknown, other_unknown = list(first.nodes), list(second.nodes)
    blocks = [(unknown, other_unknown)]
    if options.gate:
        yield from _at_one_place(first, second, common, options.min_overlap)
        unknown = [node for node in first.nodes if node not in placed]
        other_unknown = [node for node in second.nodes if node not in other_placed]
        blocks = [(unknown, list(second.nodes)), (list(placed), other_unknown)]
    exact: set[int] = set()
    other_exact: set[int] = set()
    if options.matching == "greedy":
        # Equal texts come first, and each of these nodes may be matched with any node of its text on the other side:
        # where that side has as many of them or more, it gets one, and is in no other pair that counts.
        numbers, other_numbers = Counter(map(texts.get, first.nodes)), Counter(map(other_texts.get, second.nodes))
        exact = {node for node in unknown if numbers[texts[node]] <= other_numbers[texts[node]]}
        other_exact = {node for node in other_unknown if other_numbers[other_texts[node]] <= numbers[other_texts[node]]}
    for rows, columns in blocks:
        of_text: dict[str, list[int]] = {}
        for node in columns if exact or other_exact else ():
            of_text.setdefault(other_texts[node], []).append(node)
        for node in rows:
            for partner in of_text.get(texts[node], ()):
                if node in exact or partner in other_exact:
                    yield Match(node, partner, 1.0), jaccard(placed.get(node), other_placed.get(partner))
        left, other_left = [n for n in rows if n not in exact], [n for n in columns if n not in other_exact]
        if left and other_left:
            least = options.min_similarity
            for row, column, value in similar_pairs(
                [texts[n] for n in left], [other_texts[n] for n in other_left], least
            ):
                node, partner = left[row], other_left[column]
                yield Match(node, partner, value), jaccard(placed.get(node), other_placed.get(partner))


def _at_one_place(
    first: Group, second: Group, common: Mapping[tuple[int, int], int], least: float
) -> Iterator[tuple[Match, float]]:
    """Yield the admissible pairs with both positions known, which share at ``least`` so much of the smaller one."""
    texts, other_texts = first.texts, second.texts
    positions, other_positions = first.positions, second.positions
    # With nothing to share, pairs without a word in common are admissible, too.
    placed, other_placed = first.placed(first.nodes), second.placed(second.nodes)
    all_pairs = (((node, partner), common.get((node, partner), 0)) for node in placed for partner in other_placed)
    for (node, partner), shared in common.items() if least else bounded(all_pairs):
        own_size, other_size = size(positions[node]), size(other_positions[partner])
        smaller = own_size if own_size < other_size else other_size
        if smaller and shared / smaller >= least:
            text, other_text = texts[node], other_texts[partner]
            value = 1.0 if text == other_text else similarity(text, other_text)
            if value > 0:
                yield Match(node, partner, value), shared / (own_size + other_size - shared)


def match(first: Group, second: Group, candidates: Candidates, options: Options) -> list[Match]:
    """Match the nodes of two groups, each at most once."""
    choose = _greedy if options.matching == "greedy" else _optimal
    return candidates.alone + (choose(first, second, candidates.rivals) if candidates.rivals else [])


def _greedy(first: Group, second: Group, pairs: list[tuple[Rank, Match]]) -> list[Match]:
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
            rivals.sort(key=lambda pair: tie_break(first, second, pair.first, pair.second))
            free = [pair for pair in free if ours[pair.first] == theirs[pair.second] == 1] + rivals
        for pair in free:
            if pair.first not in matched and pair.second not in other_matched:
                matched.add(pair.first)
                other_matched.add(pair.second)
                matches.append(pair)
    return matches


def tie_break(first: Group, second: Group, one: int, other: int) -> TieBreakKey:
    """Return the key of rules 2 to 7 of a pair; less is better."""
    ours, theirs = first.context, second.context
    context, other_context = ours.context(one), theirs.context(other)
    k2, k1, k0 = common_context(context, other_context)
    smaller, larger = sorted((context.text, other_context.text))
    starts = first.first_word(one) + second.first_word(other)
    surroundings = sorted((ours.surroundings(one), theirs.surroundings(other)))
    order = ours.node_with_text(one), theirs.node_with_text(other)
    return (smaller != larger, (-k2, -k1, -k0), starts, smaller, larger, surroundings, *order)


def _optimal(first: Group, second: Group, pairs: list[tuple[Rank, Match]]) -> list[Match]:
    """The assignment with the greatest total similarity; equal totals are decided by greedy's rules.

    Worked out separately for every set of nodes that compete with each other. Rules 1 to 3 enter as amounts and not as
    ranks, so that their sum too is greatest where a map meets itself.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    # Of equally good assignments the solver takes one: the same whichever side is given first.
    ours, theirs = (
        sorted((group.side.analysis.whole(node), group.context.surroundings(node)) for node in group.nodes)
        for group in (first, second)
    )
    if theirs < ours:
        swapped = [(rank, Match(pair.second, pair.first, pair.similarity)) for rank, pair in pairs]
        return [Match(pair.second, pair.first, pair.similarity) for pair in _optimal(second, first, swapped)]
    keyed = [(rank, tie_break(first, second, pair.first, pair.second), pair) for rank, pair in pairs]
    keyed.sort(key=itemgetter(0, 1))
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
            weights[cell] += _ORDER * (1 - order / len(part)) / max(weights.shape)
            values[cell] = pair
        at_rows, at_columns = linear_sum_assignment(weights, maximize=True)
        cells = [(int(row), int(column)) for row, column in zip(at_rows, at_columns, strict=True)]
        matches += [values[cell] for cell in cells if cell in values]
    return matches


def _components(pairs: list[tuple[Rank, TieBreakKey, Match]]) -> list[list[tuple[Rank, TieBreakKey, Match]]]:
    """Return the pairs by connected component, each in its order."""
    joined: UnionFind[tuple[int, int]] = UnionFind()
    for *_, pair in pairs:
        joined.union((0, pair.first), (1, pair.second))
    parts: dict[tuple[int, int], list[tuple[Rank, TieBreakKey, Match]]] = {}
    for ranked in pairs:
        parts.setdefault(joined[0, ranked[2].first], []).append(ranked)
    return list(parts.values())


# -- by meaning: it is no test of agreement, “should ban” and “should not ban” are near -------------------------------


def match_by_meaning(first: Group, second: Group, matches: Iterable[Match], options: Options) -> list[Match]:
    """Match what ``matches`` leave over and a position of which is unknown, by cosine: the highest first.

    Ties go by similarity, then as in matching by text.
    """
    matched, other_matched = {pair.first for pair in matches}, {pair.second for pair in matches}
    nodes, other_nodes = _with_words(first, matched), _with_words(second, other_matched)
    # A pair of which both positions are known is no candidate: such nodes need not be encoded for each other.
    if all(node in second.positions for node in other_nodes):
        nodes = [node for node in nodes if node not in first.positions]
    if all(node in first.positions for node in nodes):
        other_nodes = [node for node in other_nodes if node not in second.positions]
    if not nodes or not other_nodes:
        return []
    said, other_said = first.side.analysis.said, second.side.analysis.said
    cosines = options.meaning.cosines([said[node] for node in nodes], [other_said[node] for node in other_nodes])
    levels: dict[float, list[tuple[int, int]]] = {}
    for row, column in zip(*(at.tolist() for at in (cosines >= options.min_meaning).nonzero()), strict=True):
        node, partner = nodes[row], other_nodes[column]
        if node not in first.positions or partner not in second.positions:
            levels.setdefault(float(cosines[row, column]), []).append((node, partner))

    def ties(pair: tuple[int, int]) -> tuple[float, object]:
        value = similarity(first.texts[pair[0]], second.texts[pair[1]])
        return -round(value, 12), tie_break(first, second, *pair)

    by_meaning: list[Match] = []
    for cosine in sorted(levels, reverse=True):
        free = [
            (node, partner) for node, partner in levels[cosine] if node not in matched and partner not in other_matched
        ]
        for node, partner in sorted(free, key=ties) if len(free) > 1 else free:
            if node not in matched and partner not in other_matched:
                matched.add(node)
                other_matched.add(partner)
                value = similarity(first.texts[node], second.texts[partner])
                by_meaning.append(Match(node, partner, value, "meaning", cosine))
    return by_meaning


def _with_words(group: Group, matched: set[int]) -> list[int]:
    said = group.side.analysis.said
    return [node for node in group.nodes if node not in matched and words_of(said[node])]
