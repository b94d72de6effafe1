"""A measure: a function of an alignment, which says what corresponds to what in two analyses."""

from __future__ import annotations

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.links import links_of_both
from aifgraph.comparison.measures.registry import Measure


def shared_conclusions(alignment: Alignment) -> float | None:
    """Of the propositions that either side supports, the share that both do; None where neither supports any."""
    first, second = ({end for _, end, kind in side.typed_links() if kind == "RA"} for side in links_of_both(alignment))
    return len(first & second) / len(first | second) if first | second else None


SHARED_CONCLUSIONS = Measure(
    name="shared_conclusions",
    function=shared_conclusions,
    range=(0, 1),
    symmetric=True,
    formula="|A ∩ B| / |A ∪ B| over the conclusions of inferences",
    source="our annotation manual, section 5",
    checked="by hand on two maps",
)
