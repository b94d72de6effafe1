"""How alike two analyses cut their text (docs/measures.md, section 6).

With positions: boundaries on the common axis, and the measures of ``aifgraph.text.segmentation``. Without (no text, or
one that does not fit): from the numbers of units in each class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.options import SegmentationEngine
from aifgraph.text.segmentation import Edits, Segmentation, edits, measures, with_segeval


@dataclass(frozen=True)
class SegmentationScore:
    """S, and where positions are known B, Pk and WindowDiff, with what a corpus sums up (``edits``).

    S and B are similarities, Pk and WindowDiff distances with the first analysis as the reference; None is undefined,
    with its reason in ``reasons``. ``segmentations`` are the two analyses' own, where positions are known.
    """

    mode: Literal["positions", "units"]
    S: float | None
    edits: Edits
    segmentations: tuple[Segmentation, Segmentation] | None = None
    engine: SegmentationEngine = "own"

    @cached_property
    def _measures(self) -> dict[str, float | None]:
        if self.segmentations is None:
            return {"B": None, "Pk": None, "WindowDiff": None}
        values = (with_segeval if self.engine == "segeval" else measures)(*self.segmentations)
        return {"B": values.boundary_similarity, "Pk": values.pk, "WindowDiff": values.window_diff}

    @property
    def B(self) -> float | None:  # noqa: N802  (its name in the literature)
        """Boundary similarity (Fournier 2013)."""
        return self._measures["B"]

    @property
    def Pk(self) -> float | None:  # noqa: N802
        """Pk (Beeferman et al. 1999), a distance."""
        return self._measures["Pk"]

    @property
    def WindowDiff(self) -> float | None:  # noqa: N802
        """WindowDiff (Pevzner and Hearst 2002), a distance."""
        return self._measures["WindowDiff"]

    @property
    def masses(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The lengths of the segments of both sides, in words; None without positions."""
        return None if self.segmentations is None else (self.segmentations[0].masses, self.segmentations[1].masses)

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why a measure is undefined."""
        why = "there are no positions" if self.mode == "units" else "the text is too short for it"
        reasons = {name: why for name, value in self._measures.items() if value is None}
        return {"S": "no unit has a word", **reasons} if self.S is None else reasons

    def to_dict(self) -> dict[str, Any]:
        """As plain values; undefined measures are None with a reason under ``undefined``."""
        return {
            "mode": self.mode,
            "S": self.S,
            "B": self.B,
            "Pk": self.Pk,
            "WindowDiff": self.WindowDiff,
            "masses": [list(side) for side in self.masses] if self.masses else None,
            "edits": self.edits.weight,
            "potential": self.edits.potential,
            "undefined": self.reasons,
        }


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
    if engine == "segeval" and (pair[0].boundaries or pair[1].boundaries):
        similarity = with_segeval(*pair).segmentation_similarity
    return SegmentationScore("positions", similarity, changes, pair, engine)


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
        return SegmentationScore("units", None, Edits())
    changes = Edits(additions=differing, weight=float(differing), potential=total)
    return SegmentationScore("units", changes.similarity, changes)
