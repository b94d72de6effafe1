"""The source text of both sides, cut at their boundaries, each boundary marked agreed, near or missed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from aifgraph.align.alignment import Alignment
from aifgraph.graph import SourceText
from aifgraph.report.html.merged_map import MergedMap
from aifgraph.text.markup import plain_text
from aifgraph.text.words import words_with_places

#: agreed: both cut here; near: the other one word away; own: only this side; other: only the other side cuts here.
Cut = Literal["", "agreed", "near", "own", "other"]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A stretch of a text: the mark in front of it, the elements whose units cover it, and its place on the axis.

    ``claim``: it is no text but what a locution above is taken to say.
    """

    cut: Cut
    text: str
    elements: tuple[int, ...]
    place: int = 0
    claim: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """How many boundaries are agreed, near (pairs of them), and on one side only."""

    agreed: int
    near: int
    first: int
    second: int


def pieces_of(alignment: Alignment, merged: MergedMap) -> tuple[tuple[TextPiece, ...], tuple[TextPiece, ...]] | None:
    """The texts of both sides in pieces; None where there is no text or it does not fit."""
    placement = alignment.placement
    texts = _both(placement.texts)
    if placement.axis is None or not placement.fits or texts is None:
        return None
    cuts = (placement.first.boundaries, placement.second.boundaries)
    near = near_pairs(*cuts)
    moved = {place for pair in near for place in pair}
    pieces: list[tuple[TextPiece, ...]] = []
    for side, text in enumerate(texts):
        plain = plain_text(text.text).text if text.spans is None else text.text
        places = placement.axis.second if side and placement.texts[1] else placement.axis.first
        positions = alignment.second_positions if side else alignment.first_positions
        runs = [(run, merged.of[side, node]) for node, position in positions.items() for run in position]
        pieces.append(_pieces(plain, places, cuts[side], cuts[1 - side], moved, runs))
    return pieces[0], pieces[1]


def counted(alignment: Alignment) -> Counted:
    """The boundaries of both sides against each other."""
    first, second = alignment.placement.first.boundaries, alignment.placement.second.boundaries
    near = near_pairs(first, second)
    return Counted(len(first & second), len(near), len(first - second) - len(near), len(second - first) - len(near))


def near_pairs(first: frozenset[int], second: frozenset[int]) -> list[tuple[int, int]]:
    """The boundaries that S counts as moved by one word, as (first, second), left to right.

    >>> near_pairs(frozenset({3, 9}), frozenset({4, 9}))
    [(3, 4)]
    """
    missed = set(first ^ second)
    pairs: list[tuple[int, int]] = []
    for place in sorted(missed):
        other = place + 1
        if place in missed and other in missed and (place in first) != (other in first):
            missed -= {place, other}
            pairs.append((place, other) if place in first else (other, place))
    return pairs


def _both(texts: tuple[SourceText | None, SourceText | None]) -> tuple[SourceText, SourceText] | None:
    first, second = texts
    one, other = first or second, second or first
    return (one, other) if one is not None and other is not None else None


def _pieces(
    text: str,
    places: Sequence[int] | None,
    own: frozenset[int],
    others: frozenset[int],
    moved: set[int],
    runs: list[tuple[tuple[int, int], int]],
) -> tuple[TextPiece, ...]:
    words = words_with_places(text)
    count = len(words.words)
    axis = range(count) if places is None else places
    if len(axis) != count:
        return (TextPiece("", text, ()),)
    ends = {edge for run, _ in runs for edge in run}
    marks: dict[int, Cut] = {}
    for place in sorted(ends | own | others):
        word = bisect_left(axis, place)
        if 0 < word < count:
            marks[word] = _worse(marks.get(word, ""), _cut(place, own, others, moved))
    starts = [0, *marks]
    owners: list[list[int]] = [[] for _ in starts]
    for (start, stop), element in runs:
        for piece in range(bisect_left(starts, bisect_left(axis, start)), bisect_left(starts, bisect_left(axis, stop))):
            owners[piece].append(element)
    chars = [0, *(words.starts[word] for word in marks), len(text)]
    return tuple(
        TextPiece(marks.get(start, ""), text[low:high], tuple(dict.fromkeys(owner)), axis[start] if count else 0)
        for start, owner, (low, high) in zip(starts, owners, pairwise(chars), strict=True)
    )


def _cut(place: int, own: frozenset[int], others: frozenset[int], moved: set[int]) -> Cut:
    if place in own:
        return "agreed" if place in others else "near" if place in moved else "own"
    return "other" if place in others and place not in moved else ""


def _worse(one: Cut, other: Cut) -> Cut:
    order: tuple[Cut, ...] = ("own", "near", "agreed", "other", "")
    return min(one, other, key=order.index)
