"""What is made of every comparison of two corpora beside its scores: a page, a merged map, a list of differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from aifgraph.comparison.compare import Comparison

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EachPair(Generic[T]):
    """``make`` is called with the name and the comparison of a pair where the pair is compared, in this process or in
    a worker; ``take`` is called with the name and what was made, in this process, in the order of the pairs.

    ``make`` and what it gives are sent between processes, so both can be pickled. An ``AifgraphError`` of either is
    the failure of that pair alone.
    """

    make: Callable[[str, Comparison], T]
    take: Callable[[str, T], None]
