"""F1 over the links of two discourse graphs, as Afantenos et al. (2012) and Muller et al. (2012) score attachment.

*Attachment* looks at which classes are linked, in which direction; *labelled* at the type of relation too.
"""

from __future__ import annotations

from collections.abc import Set

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.links import links_of_both


def attachment(alignment: Alignment) -> float | None:
    """F1 of links without their types; None if neither side has one."""
    first, second = ({link[:2] for link in side.typed_links()} for side in links_of_both(alignment))
    return _f1(first, second)


def labelled(alignment: Alignment) -> float | None:
    """F1 of links with their types; None if neither side has one."""
    first, second = (side.typed_links() for side in links_of_both(alignment))
    return _f1(first, second)


def _f1(first: Set[tuple[object, ...]], second: Set[tuple[object, ...]]) -> float | None:
    both = len(first) + len(second)
    return 2 * len(first & second) / both if both else None
