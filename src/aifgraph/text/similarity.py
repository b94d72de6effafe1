"""Normalised Levenshtein similarity (docs/measures.md, section 2), and the similar pairs of two lists of texts.

Insertions, deletions and substitutions all cost 1: this is not the ``2·M/T`` ratio that many libraries call similarity
(kitten/sitting is 0.571 here, 0.615 there).

Of two lists every pair has to be considered, since texts that are half alike need not share any part. Two bounds leave
out nearly all pairs: two texts are at most as similar as the shorter one is long, measured by the longer one; and at
most as similar as their longest common subsequence is long, which takes a sixth of the time of the distance.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import Any, Final

from aifgraph.errors import LimitError

#: How many pairs of characters are compared at most, in one pair of texts or one pair of lists: about ten seconds.
MAX_CELLS: Final = 100_000_000_000
#: What rounding may cost a bound.
_ERROR = 1e-6


def normalised(text: str) -> str:
    """Return a text as it is compared: NFKC, casefold, white space collapsed and stripped."""
    if text.isascii():
        folded = text.lower()
        if text.isprintable() and "  " not in text:  # of white space only single spaces, as in most texts
            return folded.strip()
    else:
        folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split())


def similarity(first: str, second: str) -> float:
    """Return the similarity ``1 − lev / longer`` of two *normalised* texts, from 0 to 1.

    It is 1 if both are empty, 0 if one is.

    >>> round(similarity("kitten", "sitting"), 3), similarity("", ""), similarity("", "a")
    (0.571, 1.0, 0.0)
    """
    if first == second:
        return 1.0
    if not first or not second:
        return 0.0
    _check_cells(len(first) * len(second))
    distance: int = _distance()(first, second)
    longer = max(len(first), len(second))
    # One division: 1 − 9/10 is not 0.1, and thresholds are written as 0.1.
    return (longer - distance) / longer


def _check_cells(cells: int) -> None:
    if cells > MAX_CELLS:
        raise LimitError(f"the texts of nodes are too long to compare: more than {MAX_CELLS:,} pairs of characters")


@cache
def _distance() -> Any:
    # The same engine under two names; python-Levenshtein (GPL) need not be there.
    try:
        return import_module("Levenshtein").distance
    except ImportError:
        return import_module("rapidfuzz.distance.Levenshtein").distance


def similar_pairs(first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of indices of *normalised* texts that are at least ``least`` similar, with the similarity.

    They come in no particular order.

    >>> list(similar_pairs(["tea", "cake"], ["tea", "cakes"], 0.5))
    [(0, 0, 1.0), (1, 1, 0.8)]
    """
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import extract

    bound = max(0.0, least - _ERROR)
    places = sorted(range(len(second)), key=lambda j: len(second[j]))
    texts = [second[j] for j in places]
    lengths = [len(text) for text in texts]
    sums = list(accumulate(lengths, initial=0))
    cells = 0
    for i, text in enumerate(first):
        start = bisect_left(lengths, bound * len(text))
        stop = bisect_right(lengths, len(text) / bound) if bound else len(texts)
        _check_cells(cells := cells + len(text) * (sums[stop] - sums[start]))
        scorer = LCSseq.normalized_similarity
        for _, _, place in extract(text, texts[start:stop], scorer=scorer, score_cutoff=bound, limit=None):
            j = places[start + place]
            value = similarity(text, second[j])
            if value >= least:
                yield i, j, value
