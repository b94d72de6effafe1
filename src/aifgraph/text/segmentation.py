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
SegmentationMeasures(segmentation_similarity=0.9, boundary_similarity=0.75, pk=0.5, window_diff=0.5)

Sources: Fournier and Inkpen (2012), Segmentation similarity and agreement; Fournier (2013), Evaluating text
segmentation using boundary edit distance; Beeferman, Berger, Lafferty (1999), Statistical models for text segmentation
(Pk); Pevzner and Hearst (2002), A critique and improvement of an evaluation metric for text segmentation (WindowDiff).
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import pairwise

from aifgraph.errors import OptionError

#: The span of a transposition in places, both ends counted (the n_t of Fournier and Inkpen).
_N_T = 2


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A text of ``length`` words, cut before each word in ``boundaries`` (sorted, unique, 1 to length − 1).

    Raises:
        OptionError: a negative length; boundaries out of order, repeated, or not inside the text.
    """

    length: int
    boundaries: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.length < 0:
            raise OptionError(f"a text cannot have {self.length} words")
        marks = self.boundaries
        if any(a >= b for a, b in pairwise(marks)):
            raise OptionError("the boundaries are not in rising order", remedy="use Segmentation.of")
        if marks and (marks[0] < 1 or marks[-1] >= self.length):
            raise OptionError(f"a boundary lies outside 1 to {self.length - 1}", remedy="use Segmentation.of")

    @classmethod
    def of(cls, length: int, boundaries: Iterable[int]) -> Segmentation:
        """Make a segmentation of boundaries in any order; those outside the text are left out.

        >>> Segmentation.of(6, [6, 3, 0, 3]).boundaries
        (3,)
        """
        return cls(length, tuple(sorted({place for place in boundaries if 0 < place < length})))

    @classmethod
    def of_masses(cls, masses: Iterable[int]) -> Segmentation:
        """Make a segmentation of the numbers of words of the segments, each at least 1.

        >>> Segmentation.of_masses([1, 2, 3])
        Segmentation(length=6, boundaries=(1, 3))
        """
        length, marks = 0, []
        for mass in masses:
            if mass < 1:
                raise OptionError(f"a segment cannot have {mass} words")
            length += mass
            marks.append(length)
        return cls(length, tuple(marks[:-1]))

    @property
    def masses(self) -> tuple[int, ...]:
        """The numbers of words of the segments; of a text without words, none.

        >>> Segmentation(6, (1, 3)).masses
        (1, 2, 3)
        """
        if not self.length:
            return ()
        return tuple([b - a for a, b in pairwise((0, *self.boundaries, self.length))])


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits between two segmentations, in a form that can be summed over the texts of a corpus.

    ``additions`` and ``transpositions`` are numbers of edits, ``weight`` is their weight together, ``potential`` the
    number of places where a boundary may stand (words − 1), ``matches`` that of boundaries both sides have. (With one
    kind of boundary there are no substitutions.)
    """

    additions: int = 0
    transpositions: int = 0
    matches: int = 0
    weight: float = 0.0
    potential: int = 0

    def __add__(self, other: Edits) -> Edits:
        if not isinstance(other, Edits):
            return NotImplemented
        return Edits(
            self.additions + other.additions,
            self.transpositions + other.transpositions,
            self.matches + other.matches,
            self.weight + other.weight,
            self.potential + other.potential,
        )

    @property
    def similarity(self) -> float:
        """S: the share of the potential boundaries without an edit; 1 without edits, and never below 0."""
        if not self.weight:
            return 1.0
        return max(0.0, (self.potential - self.weight) / self.potential) if self.potential > 0 else 0.0


@dataclass(frozen=True, slots=True)
class SegmentationMeasures:
    """The four measures of a pair; ``None`` where one is undefined. Pk and WindowDiff are distances."""

    segmentation_similarity: float | None
    boundary_similarity: float | None
    pk: float | None
    window_diff: float | None


def edits(first: Segmentation, second: Segmentation) -> Edits:
    """Return the boundary edit distance: transpositions by one place (n_t = 2), the rest additions.

    Transpositions are found from left to right and do not share a place.

    Raises:
        OptionError: texts of different lengths.
    """
    _check_lengths(first, second)
    ours, theirs = set(first.boundaries), set(second.boundaries)
    missed = ours ^ theirs
    matches = (len(ours) + len(theirs) - len(missed)) // 2
    transpositions = len(transposed(ours, theirs))
    additions = len(missed) - 2 * transpositions
    return Edits(additions, transpositions, matches, additions + transpositions / _N_T, max(first.length - 1, 0))


def transposed(first: Set[int], second: Set[int]) -> list[tuple[int, int]]:
    """Return the boundaries that are moved by one place, as (first, second), left to right.

    >>> transposed({3, 9}, {4, 9})
    [(3, 4)]
    """
    missed = set(first ^ second)
    pairs: list[tuple[int, int]] = []
    for place in sorted(missed):
        # Each of the two places has a boundary on one side only, and not on the same side.
        other = place + 1
        if place in missed and other in missed and (place in first) != (other in first):
            missed -= {place, other}
            pairs.append((place, other) if place in first else (other, place))
    return pairs


def measures(first: Segmentation, second: Segmentation) -> SegmentationMeasures:
    """Return the four measures, with ``first`` as the reference of Pk and WindowDiff.

    S = 1 − weight of the edits / (words − 1), B = 1 − weight of the edits / (edits + boundaries in common); both are 1
    for two texts without inner boundary, and undefined without a word. Pk is the share of windows where only one side
    has a boundary inside, WindowDiff of those where the two sides have different numbers of boundaries inside; both are
    undefined where no window fits.

    Raises:
        OptionError: texts of different lengths.
    """
    far, different = _windows(first, second)
    changes = edits(first, second)
    if not first.length:
        return SegmentationMeasures(None, None, far, different)
    count = changes.additions + changes.transpositions + changes.matches
    return SegmentationMeasures(changes.similarity, (count - changes.weight) / count if count else 1.0, far, different)


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
    """Return the four measures by segeval 2.0.11, Fournier's own package; ``None`` where it fails.

    It fails on S and B of two texts without inner boundary and on WindowDiff with windows of 256 words and more; of a
    text of one or two words, where no window fits, it makes a Pk of 0 and a WindowDiff of −0, which is ``None`` here.
    Time and memory grow with the words of the text (WindowDiff: times those of the window).
    """
    _check_lengths(first, second)
    if not first.length:
        return SegmentationMeasures(None, None, None, None)
    import segeval

    ours, theirs = first.masses, second.masses
    similar = same = far = different = None
    if first.boundaries or second.boundaries:
        similar = float(segeval.segmentation_similarity(ours, theirs, n_t=_N_T))
        same = float(segeval.boundary_similarity(ours, theirs, n_t=_N_T))
    window = window_size(first)
    if window < first.length:
        far = float(segeval.pk(theirs, ours))
        # From 256 on its `is` between two ints fails; no assertion says so under python -O.
        if window < 256:
            different = float(segeval.window_diff(theirs, ours))
    return SegmentationMeasures(similar, same, far, different)


def _check_lengths(first: Segmentation, second: Segmentation) -> None:
    if first.length != second.length:
        raise OptionError(
            f"segmentations of {first.length} and of {second.length} words cannot be compared",
            remedy="put both on one axis",
        )


def _windows(reference: Segmentation, hypothesis: Segmentation) -> tuple[float | None, float | None]:
    """Return Pk and WindowDiff. Window i holds the places i + 1 to i + window; i runs from 0 to length − window − 1."""
    _check_lengths(reference, hypothesis)
    window = window_size(reference)
    count = reference.length - window
    if count <= 0:
        return None, None
    # A boundary comes into the window at i = place − window and is out of it at i = place. Between two such events
    # nothing changes, so runs of windows are counted at once. The four lists are sorted: sorting them joined is linear.
    events: list[tuple[int, int, int]] = []
    for side, marks in enumerate((reference.boundaries, hypothesis.boundaries)):
        events += [(max(place - window, 0), side, 1) for place in marks]
        events += [(place, side, -1) for place in marks if place < count]
    events.sort()
    inside = [0, 0]
    far = different = now = 0
    for at, side, change in events:
        if at > now:
            run = min(at, count) - now
            if inside[0] != inside[1]:
                different += run
                if not (inside[0] and inside[1]):
                    far += run
            now = at
        inside[side] += change
    if now < count and inside[0] != inside[1]:
        different += count - now
        if not (inside[0] and inside[1]):
            far += count - now
    return far / count, different / count
