"""Normalised Levenshtein similarity of two texts (docs/measures.md, section 2).

Insertions, deletions and substitutions all cost 1: this is not the ``2·M/T`` ratio that many libraries call similarity
(kitten/sitting is 0.571 here, 0.615 there).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

#: From this many pairs on they are compared in one block.
_BLOCK = 20_000


def normalised(text: str) -> str:
    """A text as it is compared: NFKC, casefold, white space collapsed and stripped.

    >>> normalised("  Two\\n WORDS ")
    'two words'
    """
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
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
    """All pairs of indices of *normalised* texts that are at least ``least`` similar, with the similarity.

    Quadratic, as nothing but the texts is known, with a bound that keeps the factor small: of the longer text each
    character that does not match costs 1, so the similarity is at most the share of it that the longest common
    subsequence has. That takes a sixth of the time of the distance, and hardly any pair that passes is not similar.
    """
    if len(first) * len(second) < _BLOCK:
        lengths = [len(text) for text in second]
        for i, text in enumerate(first):
            size = len(text)
            for j, other in enumerate(lengths):
                shorter, longer = (size, other) if size < other else (other, size)
                if shorter >= least * longer:
                    value = similarity(text, second[j])
                    if value >= least:
                        yield i, j, value
        return
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    # A block of rows at a time, so that memory grows with the nodes and not with their square.
    rows = max(1, 4_000_000 // len(second))
    for start in range(0, len(first), rows):
        block = list(first[start : start + rows])
        scores = cdist(block, second, scorer=LCSseq.normalized_similarity, score_cutoff=max(least - 1e-4, 0.0))
        hits = (scores >= max(least - 1e-4, 1e-9)).nonzero() if least > 0 else (scores >= 0).nonzero()
        for i, j in zip(hits[0].tolist(), hits[1].tolist(), strict=True):
            value = similarity(block[i], second[j])
            if value >= least:
                yield start + i, j, value
