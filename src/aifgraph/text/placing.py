"""Where the units of an analysis stand in its source text (docs/measures.md, section 1, steps 1 to 4).

::

    1  marked by id       a span has the unit's id
    2  marked by words    a span that marks no node holds exactly the unit's words
       found              the unit's words stand in the text, as they are
    3  nearly found       at least half of them do, in order (Smith-Waterman)
    4  unknown

Units of equal words are placed together, as a bundle that takes as many runs as it has units: which of two identical
sentences is meant cannot be seen from their words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from aifgraph.text.local import nearly_found
from aifgraph.text.markup import MarkedSpan, plain_text
from aifgraph.text.words import WordIndex, Words, words_of, words_with_places

Run = tuple[int, int]


class WordSpan(NamedTuple):
    """The words ``start`` to ``stop`` (exclusive) of a text, marked under an id."""

    id: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class SourceWords:
    """A source text as words, with its spans; a span without a word is not there."""

    index: WordIndex
    spans: tuple[WordSpan, ...]
    #: The text with the ids of its spans: sources of one key are equal.
    key: tuple[object, ...] = field(default=(), repr=False, compare=False)

    @property
    def words(self) -> list[str]:
        """The words, in order."""
        return self.index.words

    def without_ids(self) -> SourceWords:
        """The same text seen by an analysis whose nodes the spans do not name."""
        return SourceWords(self.index, tuple(span._replace(id="") for span in self.spans), (*self.key, "without ids"))


def source_words(text: str, spans: Iterable[MarkedSpan] | None = None) -> SourceWords | None:
    """The words of a source text, or None if it has none.

    Without ``spans`` the text may be marked up; with them it is plain. A word belongs to a span that holds at least
    half of its characters.
    """
    if spans is None:
        text, spans = plain_text(text)
    spans = tuple(spans)
    key = (text, spans)
    if not spans:
        index = _kept_index(text) if len(text) <= _KEPT else WordIndex(words_of(text))
        return SourceWords(index, (), key) if index.words else None
    tokens, index = _kept_tokens(text) if len(text) <= _KEPT else _tokens(text)
    if not tokens.words:
        return None
    starts, ends = tokens.starts, tokens.ends
    found: list[WordSpan] = []
    for span in spans:
        first = bisect_right(ends, span.start)
        stop = bisect_left(starts, span.end)
        # Only the outermost words can lie partly outside (a word longer than the span is both).
        while first < stop and not _half_inside(starts[first], ends[first], span):
            first += 1
        while first < stop and not _half_inside(starts[stop - 1], ends[stop - 1], span):
            stop -= 1
        if first < stop:
            found.append(WordSpan(span.id, first, stop))
    return SourceWords(index, tuple(found), key)


#: The words of a few texts of at most so many characters are kept: both sides of a pair, and one annotator after
#: another, mostly have the same text.
_KEPT = 200_000


def _tokens(text: str) -> tuple[Words, WordIndex]:
    tokens = words_with_places(text)
    return tokens, WordIndex(tokens.words)


_kept_tokens = lru_cache(maxsize=4)(_tokens)


@lru_cache(maxsize=4)
def _kept_index(text: str) -> WordIndex:
    return WordIndex(words_of(text))


def _half_inside(start: int, end: int, span: MarkedSpan) -> bool:
    return 2 * (min(end, span.end) - max(start, span.start)) >= end - start


class PlacedUnit(NamedTuple):
    """The runs of words (start, stop) of a unit, none where its position is unknown, and whether it stands there
    ``loosely``: nearly found with a score below three quarters of its number of words."""

    runs: tuple[Run, ...] = ()
    loosely: bool = False


def place_units(
    source: SourceWords, units: Sequence[tuple[str, Sequence[str]]], nodes: Iterable[str]
) -> list[PlacedUnit]:
    """Where each unit stands.

    ``units`` are ids with their said words; ``nodes`` are the ids of all nodes of the analysis, which says of the spans
    whether they mark a node.

    >>> text = source_words("Yes. Masks help. Yes.")
    >>> units = place_units(text, [("1", ["masks", "help"]), ("2", ["yes"]), ("3", ["no"])], ["1", "2", "3"])
    >>> [unit.runs for unit in units]
    [((1, 3),), ((0, 1),), ()]
    """
    placed = [PlacedUnit()] * len(units)
    taken = bytearray(len(source.words))
    marked: dict[str, list[Run]] = {}
    free_spans: set[Run] = set()
    if source.spans:
        known = set(nodes)
        for span in source.spans:
            if span.id in known:
                marked.setdefault(span.id, []).append((span.start, span.stop))
            else:
                free_spans.add((span.start, span.stop))
    bundles: dict[tuple[str, ...], list[int]] = {}
    for index, (id_, said) in enumerate(units):
        if id_ in marked:
            placed[index] = PlacedUnit(merged(marked[id_]))
            _take(taken, placed[index].runs)
        elif said:
            bundles.setdefault(tuple(said), []).append(index)
    for words, members in sorted(bundles.items(), key=lambda bundle: (-len(bundle[0]), bundle[0])):
        runs = _take_runs(source.index, words, len(members), free_spans, taken)
        _take(taken, runs)
        unit = PlacedUnit(runs) if runs else _nearly_placed(source.index, words)
        for index in members:
            placed[index] = unit
    return placed


def _nearly_placed(index: WordIndex, words: tuple[str, ...]) -> PlacedUnit:
    near = nearly_found(index, words)
    if near is None:
        return PlacedUnit()
    return PlacedUnit(((near.start, near.stop),), loosely=4 * near.score < 3 * len(words))


def _take_runs(
    index: WordIndex, words: tuple[str, ...], wanted: int, free_spans: set[Run], taken: bytearray
) -> tuple[Run, ...]:
    """Up to ``wanted`` runs of exactly these words: of spans first, then on free words, then any."""
    size = len(words)
    runs = [(start, start + size) for start in index.occurrences(words)]
    if len(runs) <= 1:
        return tuple(runs)
    in_spans = [run for run in runs if run in free_spans] if free_spans else []
    free = [run for run in runs if taken.find(1, run[0], run[1]) < 0]
    chosen: list[Run] = []
    for start, stop in (*in_spans, *free, *runs):
        if len(chosen) == wanted:
            break
        # The chosen are kept sorted; only the neighbours can overlap.
        at = bisect_left(chosen, (start, stop))
        if (at == 0 or chosen[at - 1][1] <= start) and (at == len(chosen) or stop <= chosen[at][0]):
            chosen.insert(at, (start, stop))
    return tuple(chosen)


def _take(taken: bytearray, runs: Iterable[Run]) -> None:
    for start, stop in runs:
        taken[start:stop] = b"\1" * (stop - start)


def merged(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Runs as a set of places: sorted, those that touch or overlap joined.

    >>> merged([(4, 6), (0, 2), (1, 4)])
    ((0, 6),)
    """
    joined: list[Run] = []
    for start, stop in sorted(runs):
        if joined and start <= joined[-1][1]:
            if stop > joined[-1][1]:
                joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)
