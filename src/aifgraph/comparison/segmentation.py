"""How alike two analyses cut their text (docs/measures.md, section 6).

With positions: boundaries on the common axis, and the measures of ``aifgraph.text.segmentation``. Without (no text, or
one that does not fit): from the numbers of units in each class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.options import SegmentationEngine
from aifgraph.comparison.sides import Count
from aifgraph.text.segmentation import Edits, Segmentation, edits, measures, with_segeval


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """S, and where positions are known B, Pk and WindowDiff; S and B are similarities, Pk and WindowDiff distances.

    None is undefined, with its reason in ``reasons``. A corpus sums up ``weight``, that of all edits between the two,
    and ``potential``, the number of places where a boundary may stand. ``masses`` are the lengths of the segments of
    both sides, in words; None without positions.

    Sources: Fournier (2013) for B, Beeferman et al. (1999) for Pk, Pevzner and Hearst (2002) for WindowDiff.
    """

    mode: Literal["positions", "units"]
    S: float | None
    B: float | None
    Pk: float | None
    WindowDiff: float | None
    masses: tuple[tuple[Count, ...], tuple[Count, ...]] | None
    weight: Annotated[float, Ge(0)]
    potential: Count

    @property
    def edits(self) -> Edits:
        """What a corpus sums up."""
        return Edits(weight=self.weight, potential=self.potential)

    @property
    def reasons(self) -> dict[str, str]:
        """Why a measure is undefined."""
        why = "there are no positions" if self.mode == "units" else "the text is too short for it"
        values = {"B": self.B, "Pk": self.Pk, "WindowDiff": self.WindowDiff}
        reasons = {name: why for name, value in values.items() if value is None}
        return {"S": "no unit has a word", **reasons} if self.S is None else reasons


def segmentation_of(alignment: Alignment, engine: SegmentationEngine = "own") -> SegmentationScore:
    """S of an alignment: from positions where the analyses have a text that fits, else from their units."""
    placement = alignment.placement
    if placement.fits and placement.axis is not None:
        return by_positions(placement.axis.length, placement.first.boundaries, placement.second.boundaries, engine)
    units, other_units = set(alignment.first.units), set(alignment.second.units)
    counts = (
        (sum(node in units for node in node_class.first), sum(node in other_units for node in node_class.second))
        for layer in (alignment.locutions, alignment.propositions)
        for node_class in layer.classes
    )
    return by_units(counts, has_words=alignment.first.has_words or alignment.second.has_words)


def by_positions(
    length: int, first: Iterable[int], second: Iterable[int], engine: SegmentationEngine = "own"
) -> SegmentationScore:
    """From the inner boundaries that each side puts on an axis of ``length`` words."""
    pair = Segmentation.of(length, first), Segmentation.of(length, second)
    changes = edits(*pair)
    similarity: float | None = changes.similarity
    values = (with_segeval if engine == "segeval" else measures)(*pair)
    if engine == "segeval" and (pair[0].boundaries or pair[1].boundaries):
        similarity = values.segmentation_similarity
    return SegmentationScore(
        "positions",
        similarity,
        values.boundary_similarity,
        values.pk,
        values.window_diff,
        (pair[0].masses, pair[1].masses),
        changes.weight,
        changes.potential,
    )


def by_units(classes: Iterable[tuple[int, int]], *, has_words: bool) -> SegmentationScore:
    """From the numbers of units that each class has on the first side and on the second: S = 1 − E / U, with
    E = Σ|n_A − n_B| and U the number of units of both sides; undefined if no unit has a word.

    >>> by_units([(1, 1), (2, 1), (1, 0)], has_words=True).S
    0.6666666666666666
    """
    differing = total = 0
    for units, other_units in classes:
        differing += abs(units - other_units)
        total += units + other_units
    if not has_words:
        return SegmentationScore("units", None, None, None, None, None, 0.0, 0)
    changes = Edits(weight=float(differing), potential=total)
    return SegmentationScore("units", changes.similarity, None, None, None, None, changes.weight, changes.potential)
