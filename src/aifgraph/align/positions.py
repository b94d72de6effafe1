"""Where the nodes of two analyses stand on one axis of words (docs/measures.md, section 1).

A position is a set of places as sorted, separate runs ``(start, stop)``; a node without one is not in a mapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeVar

from aifgraph.align.analysis import Analysis
from aifgraph.errors import LimitError
from aifgraph.graph import ArgumentGraph, Notice, SourceText
from aifgraph.graph.content import cached_per_graph
from aifgraph.text.axis import Axis, merge
from aifgraph.text.placing import PlacedUnit, Run, SourceWords, merged, place_units, source_words

T = TypeVar("T")
TextKind = Literal["given", "embedded", "shared", "none"]
Position = tuple[Run, ...]

#: The most pairs of nodes that may match or overlap: about five seconds, 400 MB.
MAX_PAIRS: Final = 500_000


@dataclass(frozen=True, slots=True)
class SidePlacement:
    """Where one analysis stands: the kind of its text, how many of its units were found in it, the boundaries that they
    put on the axis, and where the text fits, positions by node number and the nodes that are placed loosely."""

    text: TextKind
    placed: int
    positions: dict[int, Position]
    boundaries: frozenset[int]
    loose: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Placement:
    """Both sides on one axis, which is None where there is no text; positions are used where the text ``fits``.

    ``texts`` are those that were used, None where a side has none.
    """

    first: SidePlacement
    second: SidePlacement
    axis: Axis | None
    fits: bool
    notices: tuple[Notice, ...]
    texts: tuple[SourceText | None, SourceText | None] = field(default=(None, None), repr=False)


def place(
    first: Analysis, second: Analysis, first_text: SourceText | None, second_text: SourceText | None
) -> Placement:
    """Place two analyses in the texts given, else in their own; one text serves both where only one has any.

    Where a side has units and fewer than a quarter of them are found, the text does not fit.
    """
    text, words = _first_with_words(None, first_text, first.graph.meta.source)
    other_text, other_words = _first_with_words(words, second_text, second.graph.meta.source)
    shared = words or other_words
    if shared is None:
        empty = SidePlacement("none", 0, {}, frozenset())
        return Placement(empty, empty, None, False, ())
    kinds: list[TextKind] = [source.origin if source else "shared" for source in (text, other_text)]
    words, other_words = words or shared.without_ids(), other_words or shared.without_ids()
    length = len(words.words)
    axis = Axis(length, length) if words.words is other_words.words else merge(words.words, other_words.words)
    sides = (
        _on_axis(first, _placed_units(first, words), kinds[0], axis.first, axis.length),
        _on_axis(second, _placed_units(second, other_words), kinds[1], axis.second, axis.length),
    )
    notices: list[Notice] = []
    if axis.overlap < 0.5:
        share = f"{100 * axis.overlap:.0f} %"
        message = f"the texts share only {share} of their words; these do not look like two analyses of one text"
        notices.append(Notice("text-overlap", message))
    fits = True
    for name, analysis, side in (("first", first, sides[0]), ("second", second, sides[1])):
        if 4 * side.placed < len(analysis.units):
            fits = False
            found = f"{side.placed} of {len(analysis.units)} units"
            message = f"the text does not fit the {name} analysis ({found} were found in it); positions are not used"
            notices.append(Notice("text-fit", message))
    if not fits:
        sides = replace(sides[0], positions={}, loose=frozenset()), replace(sides[1], positions={}, loose=frozenset())
    return Placement(*sides, axis, fits, tuple(notices), (text, other_text))


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
    """Return the places of units in their text, which are kept with the graph for the next comparison."""
    cache = _placements(analysis.graph)
    if words.key not in cache:
        if len(cache) >= 4:
            cache.clear()
        units = [(analysis.ids[unit], analysis.said[unit]) for unit in analysis.units]
        # A span under the id of a node that is left out marks nothing.
        taking_part = (id_ for id_, kind in zip(analysis.ids, analysis.kinds, strict=True) if kind)
        cache[words.key] = place_units(words, units, taking_part if words.spans else ())
    return cache[words.key]


def _on_axis(
    analysis: Analysis, placed_units: list[PlacedUnit], kind: TextKind, places: Sequence[int] | None, length: int
) -> SidePlacement:
    """Map the places of units in their text to the axis, and give them to the propositions that they say."""
    positions: dict[int, Position] = {}
    boundaries: set[int] = set()
    loose: set[int] = set()
    for unit, (runs, loosely) in zip(analysis.units, placed_units, strict=True):
        if not runs:
            continue
        if loosely:
            loose.add(unit)
        if places is None:
            # Two runs of a bundle may touch: two boundaries to draw, one set of places to compare.
            positions[unit] = runs if len(runs) == 1 else merged(runs)
            for run in runs:
                boundaries.update(run)
        else:
            positions[unit] = merged((place, place + 1) for start, stop in runs for place in places[start:stop])
            for start, stop in runs:
                boundaries.update((places[start], places[stop - 1] + 1))
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
    inner = frozenset(boundary for boundary in boundaries if 0 < boundary < length)
    return SidePlacement(kind, placed, positions, inner, frozenset(loose))


def size(position: Position) -> int:
    """Return the number of places of a position."""
    if len(position) == 1:  # as most have
        return position[0][1] - position[0][0]
    return sum(stop - start for start, stop in position)


def common_places(first: Position, second: Position) -> int:
    """Return the number of places that two positions share."""
    common = row = column = 0
    while row < len(first) and column < len(second):
        common += max(0, min(first[row][1], second[column][1]) - max(first[row][0], second[column][0]))
        if first[row][1] < second[column][1]:
            row += 1
        else:
            column += 1
    return common


def jaccard(first: Position | None, second: Position | None) -> float:
    """Return the shared places among all places of two positions; 0 if either is unknown."""
    if not first or not second:
        return 0.0
    common = common_places(first, second)
    return common / (size(first) + size(second) - common)


def bounded(pairs: Iterable[T], most: int = MAX_PAIRS, remedy: str = "") -> Iterator[T]:
    """Yield pairs; raise ``LimitError`` if they are more than ``most``."""
    for number, pair in enumerate(pairs):
        if number >= most:
            raise LimitError(f"more than {most:,} pairs of nodes that could match", remedy=remedy)
        yield pair


def overlapping(first: Mapping[int, Position], second: Mapping[int, Position]) -> Iterator[tuple[int, int, int]]:
    """Yield every pair of nodes that share places, once, with the number of places they share.

    Raises ``LimitError`` if the nodes overlap more than ``MAX_PAIRS`` times.

    >>> list(overlapping({1: ((0, 4),)}, {7: ((3, 9),), 8: ((5, 6),)}))
    [(1, 7, 1)]
    """
    runs = sorted(
        [(start, stop, 0, node) for node, position in first.items() for start, stop in position]
        + [(start, stop, 1, node) for node, position in second.items() for start, stop in position]
    )
    common: dict[tuple[int, int], int] = {}
    open_runs: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    times = 0
    for start, stop, side, node in runs:
        others = open_runs[1 - side]
        times += len(others)
        if times > MAX_PAIRS:
            raise LimitError(f"more than {MAX_PAIRS:,} overlaps of nodes in the text")
        ended = False
        for other_stop, other in others:
            if other_stop > start:
                pair = (node, other) if side == 0 else (other, node)
                common[pair] = common.get(pair, 0) + (stop if stop < other_stop else other_stop) - start
            else:
                ended = True
        if ended:  # what ended before this run shares nothing with those that follow
            others[:] = [run for run in others if run[0] > start]
        open_runs[side].append((stop, node))
    return ((one, other, shared) for (one, other), shared in common.items())
