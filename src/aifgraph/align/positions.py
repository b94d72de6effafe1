"""Where the nodes of two analyses stand on one axis of words (docs/measures.md, section 1).

A position is a set of places as sorted, separate runs ``(start, stop)``; a node without one is not in the mapping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from aifgraph.align.analysis import Analysis
from aifgraph.graph import ArgumentGraph, Notice, SourceText
from aifgraph.graph.graph import cached_per_graph
from aifgraph.text.axis import Axis, merge
from aifgraph.text.placing import PlacedUnit, Run, SourceWords, merged, place_units, source_words

TextKind = Literal["given", "embedded", "shared", "none"]
Position = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class SidePlacement:
    """Where one analysis stands: the kind of its text, how many of its units were placed, positions by node number,
    the boundaries that its units put on the axis, and the nodes that are placed ``loosely``."""

    text: TextKind
    placed: int
    positions: dict[int, Position]
    boundaries: frozenset[int]
    loose: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Placement:
    """Both sides on one axis; ``axis`` is None where there is no text, and ``fits`` says whether positions are used."""

    first: SidePlacement
    second: SidePlacement
    axis: Axis | None
    fits: bool
    notices: tuple[Notice, ...]
    #: The texts that were used, for those who show them; None where a side has none.
    texts: tuple[SourceText | None, SourceText | None] = field(default=(None, None), repr=False)


def place(
    first: Analysis, second: Analysis, first_text: SourceText | None, second_text: SourceText | None
) -> Placement:
    """Place two analyses in their texts; one text serves both where only one has any.

    Where a graph's units stand in a text is kept with the graph, for the next comparison with the same text.

    Where a side has units and fewer than a quarter of them are found, the text does not fit and no position is used.
    """
    ours, first_text = _words(first_text, first.graph.meta.source)
    theirs, second_text = _words(second_text, second.graph.meta.source, known=(first_text, ours))
    kinds: tuple[TextKind, TextKind] = (_kind(first_text, ours, theirs), _kind(second_text, theirs, ours))
    if ours is None and theirs is None:
        empty = SidePlacement("none", 0, {}, frozenset())
        return Placement(empty, empty, None, False, ())
    if ours is None or theirs is None:
        shared = ours or theirs
        assert shared is not None
        ours, theirs = ours or shared.without_ids(), theirs or shared.without_ids()
        axis = Axis(len(shared.words), len(shared.words))
    else:
        axis = merge(ours.words, theirs.words) if ours is not theirs else Axis(len(ours.words), len(ours.words))
    sides = (
        _side(first, ours, kinds[0], axis.first, axis.length),
        _side(second, theirs, kinds[1], axis.second, axis.length),
    )
    notices: list[Notice] = []
    if axis.overlap < 0.5:
        share = f"{axis.overlap:.0%}"
        message = f"only {share} of the words are common to both texts: these do not look like two analyses of one text"
        notices.append(Notice("text-overlap", message))
    fits = True
    for name, analysis, side in (("first", first, sides[0]), ("second", second, sides[1])):
        if 4 * side.placed < len(analysis.units):
            fits = False
            found = f"{side.placed} of {len(analysis.units)} units"
            message = f"the text does not fit the {name} analysis ({found} were found in it): positions are not used"
            notices.append(Notice("text-fit", message))
    return Placement(*sides, axis, fits, tuple(notices), (first_text, second_text))


def _words(
    *texts: SourceText | None, known: tuple[SourceText | None, SourceWords | None] = (None, None)
) -> tuple[SourceWords | None, SourceText | None]:
    """The first of the texts that has a word, as words; one that is ``known`` is not read again."""
    for text in texts:
        if text is None:
            continue
        if known[0] is not None and (text.text, text.spans) == (known[0].text, known[0].spans):
            return known[1], text
        words = source_words(text.text, text.spans, known=known[1])
        if words is not None:
            return words, text
    return None, None


def _kind(text: SourceText | None, words: SourceWords | None, others: SourceWords | None) -> TextKind:
    if words is not None and text is not None:
        return text.origin
    return "none" if others is None else "shared"


def _side(
    analysis: Analysis, source: SourceWords, kind: TextKind, places: Sequence[int] | None, length: int
) -> SidePlacement:
    cache = _placements(analysis.graph)
    units = cache.get(source.key)
    if units is None:
        if len(cache) >= _MAX_CACHED:
            cache.clear()
        units = cache[source.key] = _placed_units(analysis, source)
    return _on_axis(analysis, units, kind, places, length)


@cached_per_graph
def _placements(graph: ArgumentGraph) -> dict[object, list[PlacedUnit]]:
    """Where the units of a graph stand, by the key of the text."""
    return {}


#: The texts whose placements are cached with a graph.
_MAX_CACHED = 4


def _placed_units(analysis: Analysis, source: SourceWords) -> list[PlacedUnit]:
    ids, said = analysis.ids, analysis.said
    units = [(ids[index], said[index]) for index in analysis.units]
    # What is left out of the comparison is no node here: a span of its id marks nothing.
    taking_part = (id_ for id_, kind in zip(ids, analysis.kinds, strict=True) if kind)
    return place_units(source, units, taking_part if source.spans else ())


def _on_axis(
    analysis: Analysis, placed_units: list[PlacedUnit], kind: TextKind, places: Sequence[int] | None, length: int
) -> SidePlacement:
    """The places of the axis that units of a text take, and of the propositions that they say."""
    positions: dict[int, Position] = {}
    boundaries: set[int] = set()
    loose: set[int] = set()
    for index, (own, loosely) in zip(analysis.units, placed_units, strict=True):
        if not own:
            continue
        if loosely:
            loose.add(index)
        if places is None:
            # Two runs of an equivalence class may touch: two boundaries to draw, one set of places to compare.
            positions[index] = own if len(own) == 1 else merged(own)
            for run in own:
                boundaries.update(run)
        else:
            positions[index] = merged((place, place + 1) for start, stop in own for place in places[start:stop])
            for start, stop in own:
                boundaries.add(places[start])
                boundaries.add(places[stop - 1] + 1)
    placed = len(positions)
    _add_propositions(analysis, positions, loose)
    inner = frozenset(mark for mark in boundaries if 0 < mark < length)
    return SidePlacement(kind, placed, positions, inner, frozenset(loose))


def _add_propositions(analysis: Analysis, positions: dict[int, Position], loose: set[int]) -> None:
    """A proposition stands where the locutions that say it stand, and loosely if all of these that are placed do."""
    for index, sayings in analysis.sayings.items():
        if len(sayings) == 1:  # as nearly always
            known = positions.get(sayings[0])
            if known is not None:
                positions[index] = known
                if sayings[0] in loose:
                    loose.add(index)
            continue
        placed = [saying for saying in sayings if saying in positions]
        if not placed:
            continue
        positions[index] = merged(run for saying in placed for run in positions[saying])
        if loose.issuperset(placed):
            loose.add(index)
