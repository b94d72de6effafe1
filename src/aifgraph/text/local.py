"""Nearly found: the best local alignment of a few words with a long text (Smith and Waterman 1981).

Match 1, mismatch −1, gap −1. The whole table would cost (words of the unit) × (words of the text) for every unit, so it
is filled only where an alignment that is good enough can lie. Let a unit have m words and the least score be t. An
alignment of score t or more with M matches has at most M − t mismatches and gaps, hence

- spans at most 2M − t ≤ 2m − t words of the text, and
- breaks its matches into at most M − t + 1 unbroken runs, so at least t − 1 of its matches follow another directly:
  it holds t − 1 pairs of neighbouring words that also are neighbours in the unit.

Such pairs are looked up in an index; where t − 1 of them stand close enough together, the table is filled as far as the
alignment can reach. What is found there is what the whole table would give, ties included.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from aifgraph.text.words import WordIndex

#: Units shorter than this are not looked for, in words.
_SHORTEST = 4
_LEAST_SCORE = 3


class NearRun(NamedTuple):
    """The words ``start`` to ``stop`` (exclusive) of a text, and the score of the alignment that found them."""

    start: int
    stop: int
    score: int


def nearly_found(index: WordIndex, words: Sequence[str]) -> NearRun | None:
    """The run of the text, from the first to the last matched word, of the best local alignment; None if its score is
    below 3 or below half the number of ``words``, or these are fewer than four.

    Ties: the alignment that ends first, then the shortest run.

    >>> nearly_found(WordIndex("they say masks help us a bit".split()), "masks help us a lot".split())
    NearRun(start=2, stop=6, score=4)
    """
    size = len(words)
    if size < _SHORTEST:
        return None
    least = max(_LEAST_SCORE, -(-size // 2))
    reach = 2 * size - least
    best: tuple[int, int, int] | None = None  # score, −end, start: the greatest is the best
    for start, stop in _windows(index, words, least, reach):
        alignment = _align(words, index.words[start:stop])
        if alignment[0] >= least:
            score, end, first = alignment
            candidate = (score, -(start + end), start + first)
            if best is None or candidate > best:
                best = candidate
    return None if best is None else NearRun(best[2], 1 - best[1], best[0])


def _windows(index: WordIndex, words: Sequence[str], least: int, reach: int) -> list[tuple[int, int]]:
    """Return where an alignment of at least ``least`` can lie: separate stretches, from left to right."""
    pairs = index.pairs
    places = sorted(place for pair in set(pairwise(words)) for place in pairs.get(pair, ()))
    needed = least - 1
    length = len(index.words)
    windows: list[tuple[int, int]] = []
    for first, last in zip(places, places[needed - 1 :], strict=False):
        if last + 2 - first > reach:
            continue
        low, high = max(0, last + 2 - reach), min(length, first + reach)
        if windows and low <= windows[-1][1]:
            windows[-1] = (windows[-1][0], high)
        else:
            windows.append((low, high))
    return windows


def _align(words: Sequence[str], text: Sequence[str]) -> tuple[int, int, int]:
    """Score, end and start (places of the last and the first matched word in ``text``) of the best local alignment.

    A column per word of the text, a cell per word of the unit; next to each score stands the greatest start that
    reaches it, so that the shortest of equally good alignments is known without going back.
    """
    size = len(words)
    scores = [0] * (size + 1)
    starts = [-1] * (size + 1)
    best = (0, 0, 0)
    known = set(words)
    for place, word in enumerate(text):
        if word not in known and not any(scores):
            continue
        diagonal_score, diagonal_start = 0, -1
        above_score, above_start = 0, -1
        top, top_start = 0, -1
        for row in range(1, size + 1):
            left_score, left_start = scores[row], starts[row]
            if words[row - 1] == word:
                score = diagonal_score + 1
                start = diagonal_start if diagonal_score else place
            else:
                score, start = diagonal_score - 1, diagonal_start
            for other, begun in ((left_score - 1, left_start), (above_score - 1, above_start)):
                if other > score or (other == score and begun > start):
                    score, start = other, begun
            if score <= 0:
                score, start = 0, -1
            elif score > top or (score == top and start > top_start):
                top, top_start = score, start
            diagonal_score, diagonal_start = left_score, left_start
            scores[row], starts[row] = above_score, above_start = score, start
        if top > best[0]:
            best = (top, place, top_start)
    return best
