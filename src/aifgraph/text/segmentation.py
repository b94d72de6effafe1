"""How alike two segmentations of one text are, from their boundaries alone.

A text of n words has n − 1 places where an inner boundary may stand; the place p lies before word p (counted from 0)::

    words        w0   w1   w2   w3   w4   w5
    places          1    2    3    4    5
    first           |         |                 boundaries (1, 3), masses 1 2 3
    second          |              |            boundaries (1, 4), masses 1 3 2

*Segmentation similarity* S and *boundary similarity* B count the edits of boundary edit distance: an addition (a
boundary only one side has, weight 1) and a transposition (one moved by one place, weight 1/2). *Pk* and *WindowDiff*
slide a window over the reference and are distances. Everything is linear in the number of boundaries, whatever the
length of the text.

>>> first, second = Segmentation(6, (1, 3)), Segmentation(6, (1, 4))
>>> measures(first, second)
SegmentationMeasures(S=0.9, B=0.75, Pk=0.5, WindowDiff=0.5)

Sources: Fournier and Inkpen (2012), Segmentation similarity and agreement; Fournier (2013), Evaluating text
segmentation using boundary edit distance; Beeferman, Berger, Lafferty (1999), Statistical models for text segmentation
(Pk); Pevzner and Hearst (2002), A critique and improvement of an evaluation metric for text segmentation (WindowDiff).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

#: The span of a transposition in places, both ends counted (the n_t of Fournier and Inkpen).
_N_T: Final = 2
#: From windows of this many words on segeval's WindowDiff fails: it compares two ints by ``is``.
_SEGEVALS_LIMIT: Final = 256


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A text of ``length`` words, cut before each word in ``boundaries`` (sorted, unique, 1 to length − 1)."""

    length: int
    boundaries: tuple[int, ...] = ()

    @classmethod
    def of(cls, length: int, boundaries: Iterable[int]) -> Segmentation:
        """Return a segmentation by boundaries in any order; those not inside the text do not count."""
        return cls(length, tuple(sorted({place for place in boundaries if 0 < place < length})))

    @property
    def masses(self) -> tuple[int, ...]:
        """The numbers of words of the segments; of a text without words, none."""
        ends = (0, *self.boundaries, self.length)
        return tuple(end - start for start, end in pairwise(ends)) if self.length else ()


class Edits(NamedTuple):
    """The edits between two segmentations: how many boundaries only one side has, how many are moved by one place, and
    how many both have."""

    additions: int
    transpositions: int
    matches: int

    @property
    def weight(self) -> float:
        """The weight of all edits."""
        return self.additions + self.transpositions / _N_T


class SegmentationMeasures(NamedTuple):
    """The four measures of a pair, None where one is undefined. Pk and WindowDiff are distances."""

    S: float | None = None
    B: float | None = None
    Pk: float | None = None
    WindowDiff: float | None = None


def edits(first: Segmentation, second: Segmentation) -> Edits:
    """Return the boundary edit distance: transpositions by one place, left to right; the rest are additions.

    Transpositions do not share a place.
    """
    ours, theirs = set(first.boundaries), set(second.boundaries)
    missed = ours ^ theirs
    transpositions = 0
    last = -1  # the last place that is taken
    for place in sorted(missed):
        if place > last and place + 1 in missed and (place in ours) != (place + 1 in ours):
            transpositions, last = transpositions + 1, place + 1
    return Edits(len(missed) - 2 * transpositions, transpositions, (len(ours) + len(theirs) - len(missed)) // 2)


def edit_similarity(weight: float, potential: int) -> float:
    """Return S: the share of what could be edited without an edit; 1 without edits, and never below 0."""
    if not weight:
        return 1.0
    return max(0.0, (potential - weight) / potential) if potential else 0.0


def measures(first: Segmentation, second: Segmentation) -> SegmentationMeasures:
    """Return all four, with ``first`` as the reference of Pk and WindowDiff.

    S = 1 − weight of the edits / (words − 1), B = 1 − weight of the edits / (edits + boundaries in common); both are 1
    for two texts without inner boundary, and undefined without a word. Pk is the share of windows where only one side
    has a boundary inside, WindowDiff of those where the two sides have different numbers of boundaries inside; both are
    undefined where no window fits.
    """
    if not first.length:
        return SegmentationMeasures()
    changes = edits(first, second)
    count, weight = sum(changes), changes.weight
    boundary_similarity = (count - weight) / count if count else 1.0
    return SegmentationMeasures(
        edit_similarity(weight, first.length - 1), boundary_similarity, *_windows(first, second)
    )


def window_size(reference: Segmentation) -> int:
    """Return half the mean mass of the reference in words, rounded half to even, and at least 2.

    >>> window_size(Segmentation(10, (5,))), window_size(Segmentation(14, (7,)))
    (2, 4)
    """
    segments = len(reference.boundaries) + 1
    size, rest = divmod(reference.length, 2 * segments)
    if rest > segments or (rest == segments and size % 2):
        size += 1
    return max(2, size)


def with_segeval(first: Segmentation, second: Segmentation) -> SegmentationMeasures:
    """Return all four by segeval 2.0.11, Fournier's own package; None for each that it cannot give.

    It fails on S and B of two texts without inner boundary (of which S is 1 here) and on WindowDiff with windows of 256
    words and more; of a text of one or two words, where no window fits, it makes a Pk of 0 and a WindowDiff of −0,
    which is None here. Time and memory grow with the words of the text (WindowDiff: times those of the window).
    """
    if not first.length:
        return SegmentationMeasures()
    import segeval

    ours, theirs = first.masses, second.masses
    similar, same, far, different = 1.0, None, None, None
    if first.boundaries or second.boundaries:
        similar = float(segeval.segmentation_similarity(ours, theirs, n_t=_N_T))
        same = float(segeval.boundary_similarity(ours, theirs, n_t=_N_T))
    window = window_size(first)
    if window < first.length:
        far = float(segeval.pk(theirs, ours))
        if window < _SEGEVALS_LIMIT:
            different = float(segeval.window_diff(theirs, ours))
    return SegmentationMeasures(similar, same, far, different)


def _windows(reference: Segmentation, hypothesis: Segmentation) -> tuple[float | None, float | None]:
    """Return Pk and WindowDiff. Window i holds the places i + 1 to i + window; i runs from 0 to length − window − 1."""
    window = window_size(reference)
    count = reference.length - window
    if count <= 0:
        return None, None
    # A boundary comes into the window at i = place − window and is out of it at i = place. Between two such events
    # nothing changes, so runs of windows are counted at once. The four lists are sorted: sorting them joined is linear.
    events = [(count, 0, 0)]
    for side, marks in enumerate((reference.boundaries, hypothesis.boundaries)):
        events += [(max(place - window, 0), side, 1) for place in marks]
        events += [(place, side, -1) for place in marks if place < count]
    events.sort()
    inside = [0, 0]
    far = different = now = 0
    for at, side, change in events:
        if inside[0] != inside[1]:
            different += at - now
            if not (inside[0] and inside[1]):
                far += at - now
        now = at
        inside[side] += change
    return far / count, different / count
