"""How alike two analyses cut their text (docs/measures.md, section 6).

Where positions are known, from boundaries between words; else from the numbers of units in each class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.options import CountedLayers, SegmentationEngine
from aifgraph.comparison.sides import Natural
from aifgraph.text.segmentation import Segmentation, edit_similarity, edits, measures, with_segeval
from aifgraph.text.words import words_of


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """S, and where positions are known B, Pk and WindowDiff; S and B are similarities, Pk and WindowDiff distances.

    None is undefined, with its reason in ``reasons``. A corpus sums the ``weight`` of all edits and the number of
    ``potential`` boundaries (in mode ``units``: of units). ``masses`` are the lengths of the segments of both sides in
    words; None without positions.
    """

    mode: Literal["positions", "units"]
    S: float | None
    B: float | None
    Pk: float | None
    WindowDiff: float | None
    masses: tuple[tuple[Natural, ...], tuple[Natural, ...]] | None
    weight: Annotated[float, Ge(0)]
    potential: Natural

    @property
    def reasons(self) -> dict[str, str]:
        """Why a measure is undefined."""
        why = "there are no positions" if self.mode == "units" else "the text is too short for it"
        values = {"B": self.B, "Pk": self.Pk, "WindowDiff": self.WindowDiff}
        reasons = {name: why for name, value in values.items() if value is None}
        return {"S": "no unit has a word", **reasons} if self.S is None else reasons


def segmentation_of(
    alignment: Alignment, engine: SegmentationEngine = "own", layers: CountedLayers = "common"
) -> SegmentationScore:
    """Return S of an alignment, and the other measures where positions are known."""
    placement = alignment.placement
    if not placement.fits or placement.axis is None:
        return _by_units(alignment, layers)
    length = placement.axis.length
    first, second = (Segmentation.of(length, side.boundaries) for side in (placement.first, placement.second))
    values = (with_segeval if engine == "segeval" else measures)(first, second)
    masses = first.masses, second.masses
    return SegmentationScore("positions", *values, masses, edits(first, second).weight, length - 1)


def _by_units(alignment: Alignment, layers: CountedLayers) -> SegmentationScore:
    """Return S = 1 − E / U: E sums the differences in number of nodes over all classes, U is the number of nodes."""
    sides = alignment.first, alignment.second
    first, second = (_counted_nodes(own, other, layers) for own, other in (sides, sides[::-1]))
    texts = (side.said[node] for side, nodes in zip(sides, (first, second), strict=True) for node in nodes)
    if not any(map(words_of, texts)):
        return SegmentationScore("units", None, None, None, None, None, 0.0, 0)
    differing = 0.0
    for node_class in (*alignment.propositions.classes, *alignment.locutions.classes):
        differing += abs(len(first.intersection(node_class.first)) - len(second.intersection(node_class.second)))
    units = len(first) + len(second)
    return SegmentationScore("units", edit_similarity(differing, units), None, None, None, None, differing, units)


def _counted_nodes(own: Analysis, other: Analysis, layers: CountedLayers) -> set[int]:
    """Return the units of a side, or all its nodes of the one kind (propositions or locutions) that both sides have."""
    propositions, locutions = own.propositions and other.propositions, own.locutions and other.locutions
    if layers == "common" and propositions and bool(own.locutions) != bool(other.locutions):
        return set(own.propositions)
    if layers == "common" and locutions and bool(own.propositions) != bool(other.propositions):
        return set(own.locutions)
    return set(own.units)
