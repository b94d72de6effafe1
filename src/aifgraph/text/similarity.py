"""Normalised Levenshtein similarity (docs/measures.md, section 2), and the similar pairs of two lists of texts.

Insertions, deletions and substitutions all cost 1: this is not the ``2·M/T`` ratio that many libraries call similarity
(kitten/sitting is 0.571 here, 0.615 there).

Of two lists every pair has to be considered, since texts that are half alike need not share any part. Three bounds
leave out nearly all pairs, the cheapest first:

1. *Lengths*: two texts are at most as similar as the shorter one is long, measured by the longer one.
2. *Two classes of letters*: of the longer text each character without a counterpart costs 1, so two texts are at most
   as similar as their longest common subsequence is long. It holds no more letters of a class than the two texts have
   in common when all other letters are taken out of them; the two classes together bound it.
3. *The longest common subsequence* itself. It takes a sixth of the time of the distance.

Up to 64 letters fit into one word of the processor, and rapidfuzz compares several such texts at a time. This is why
to compare half of the letters takes far less than half of the time.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import int64, object_
    from numpy.typing import NDArray

#: From this many pairs on, bounds are worth their preparation.
MIN_PAIRS = 20_000
#: Pairs in one block, so that memory does not grow with their number.
_BLOCK = 1_000_000
#: The lengths of the rows of a block differ by this factor at most.
_SPREAD = 1.1
#: Short texts fit into a word of the processor, of medium ones a class of letters does, of long ones nothing.
_SHORT, _MEDIUM, _LONG = range(3)
_WORD = 64
#: The letters of so many texts are counted. Letters that these do not have belong to both classes.
_SAMPLE = 200
_ERROR = 1e-6

_Classes = tuple[dict[int, None], dict[int, None]]


def normalised(text: str) -> str:
    """A text as it is compared: NFKC, casefold, white space collapsed and stripped.

    >>> normalised("  Two\\n WORDS ")
    'two words'
    """
    if text.isascii():
        folded = text.lower()
        if text.isprintable() and "  " not in text:  # of white space only single spaces, as in most texts
            return folded.strip()
    else:
        folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split())


def similarity(first: str, second: str) -> float:
    """``1 − lev / longer`` of two *normalised* texts, from 0 to 1; 1 if both are empty, 0 if one is.

    >>> round(similarity("kitten", "sitting"), 3), similarity("", ""), similarity("", "a")
    (0.571, 1.0, 0.0)
    """
    if first == second:
        return 1.0
    if not first or not second:
        return 0.0
    distance: int = _distance()(first, second)
    longer = max(len(first), len(second))
    # One division: 1 − 9/10 is not 0.1, and thresholds are written as 0.1.
    return (longer - distance) / longer


@cache
def _distance() -> Any:
    # The same engine under two names; python-Levenshtein (GPL) need not be there.
    try:
        return import_module("Levenshtein").distance
    except ImportError:
        return import_module("rapidfuzz.distance.Levenshtein").distance


def similar_pairs(first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
    """All pairs of indices of *normalised* texts that are at least ``least`` similar, with the similarity, in no
    particular order.

    >>> list(similar_pairs(["tea", "cake"], ["tea", "cakes"], 0.5))
    [(0, 0, 1.0), (1, 1, 0.8)]
    """
    few = len(first) * len(second) < MIN_PAIRS
    for i, j in (_like_lengths if few else _by_bounds)(first, second, least):
        value = similarity(first[i], second[j])
        if value >= least:
            yield i, j, value


def _like_lengths(first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int]]:
    """The plain way: every pair that the lengths allow."""
    lengths = [len(text) for text in second]
    for i, text in enumerate(first):
        size = len(text)
        for j, other in enumerate(lengths):
            shorter, longer = (size, other) if size < other else (other, size)
            if shorter >= least * longer:
                yield i, j


def _by_bounds(first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int]]:
    """The pairs that no bound leaves out."""
    classes = _classes([text for texts in (first, second) for text in texts if len(text) > _WORD])
    others = _by_length(second, classes)
    for ours in _by_length(first, classes):
        for theirs in others:
            if ours.kind <= theirs.kind:
                yield from _hits(ours, theirs, least)
            else:
                yield from ((i, j) for j, i in _hits(theirs, ours, least))


def _classes(texts: Sequence[str]) -> _Classes:
    """Two classes of letters, about as frequent, each as a table that takes the *other* one out of a text."""
    sums = [0, 0]
    tables: _Classes = {}, {}
    for letter, count in Counter("".join(texts[:: len(texts) // _SAMPLE + 1])).most_common():
        smaller = sums.index(min(sums))
        sums[smaller] += count
        tables[1 - smaller][ord(letter)] = None
    return tables


@dataclass(frozen=True)
class _Texts:
    """Texts of one kind, the shortest first, their places in the list they come from, and their lengths."""

    kind: int
    texts: NDArray[object_]
    places: NDArray[int64]
    lengths: NDArray[int64]
    classes: _Classes

    @cached_property
    def whole(self) -> list[str]:
        """The texts as they are."""
        texts: list[str] = self.texts.tolist()
        return texts

    @cached_property
    def by_class(self) -> list[list[str]]:
        """What is left of the texts of each class of letters."""
        return [[text.translate(table) for text in self.whole] for table in self.classes]


def _by_length(texts: Sequence[str], classes: _Classes) -> list[_Texts]:
    """The short texts, the medium ones and the long ones, as far as there are any."""
    import numpy as np

    every = np.array(texts, dtype=object)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    bounds = [0, *np.searchsorted(lengths[order], (_WORD, 2 * _WORD), "right").tolist(), len(order)]
    parts = [order[start:stop] for start, stop in pairwise(bounds)]
    return [_Texts(kind, every[part], part, lengths[part], classes) for kind, part in enumerate(parts) if len(part)]


def _hits(few: _Texts, many: _Texts, least: float) -> Iterator[tuple[int, int]]:
    """The places of the pairs that no bound leaves out; ``few`` are of the same kind as ``many``, or shorter."""
    import numpy as np

    # So many letters two texts must have in common, by the length of the longer one; a rounding error is no letter.
    need, other_need = (np.ceil(least * texts.lengths - _ERROR).astype(np.uint32) for texts in (few, many))
    for rows, columns in _blocks(few.lengths, many.lengths, least):
        bound = np.maximum(need[rows, None], other_need[columns])
        if few.kind == _MEDIUM:
            parts = zip(few.by_class, many.by_class, strict=True)
            common = sum(_common(ours[rows], theirs[columns]) for ours, theirs in parts)
        else:
            common = _common(few.whole[rows], many.whole[columns], int(bound[0, 0]))
        i, j = (common >= bound).nonzero()
        if few.kind == _MEDIUM and len(i):
            long_enough = _common_of(few.texts[rows], many.texts[columns], i, j) >= bound[i, j]
            i, j = i[long_enough], j[long_enough]
        yield from zip(few.places[rows][i].tolist(), many.places[columns][j].tolist(), strict=True)


def _common(ours: list[str], theirs: list[str], least: int = 0) -> Any:
    """How many letters texts have in common in the same order, row by column; 0 where it is less than ``least``."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    return cdist(ours, theirs, scorer=LCSseq.similarity, score_cutoff=least)


def _common_of(rows: NDArray[object_], columns: NDArray[object_], i: NDArray[int64], j: NDArray[int64]) -> Any:
    """The same, of some pairs of a block only."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cpdist

    if len(i) > len(rows) * len(columns) / 2:  # Texts that are picked out take longer, each.
        return _common(rows.tolist(), columns.tolist())[i, j]
    return cpdist(rows[i].tolist(), columns[j].tolist(), scorer=LCSseq.similarity).ravel()


def _blocks(lengths: NDArray[int64], other_lengths: NDArray[int64], least: float) -> Iterator[tuple[slice, slice]]:
    """Rows and columns that hold all pairs whose lengths allow a similarity of ``least``."""
    start = 0
    while start < len(lengths):
        low = int(other_lengths.searchsorted(least * lengths[start] - _ERROR))
        stop = int(lengths.searchsorted(_SPREAD * lengths[start], "right"))
        stop = min(stop, start + max(1, _BLOCK // max(1, len(other_lengths) - low)))
        high = int((least * other_lengths).searchsorted(lengths[stop - 1] + _ERROR, "right"))
        if low < high:
            yield slice(start, stop), slice(low, high)
        start = stop
