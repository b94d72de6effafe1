"""What is done with every map of a corpus, whoever runs it: ``map`` in this process, or several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from aifgraph.graph import ArgumentGraph

if TYPE_CHECKING:
    from aifgraph.corpus.entries import Entry

T = TypeVar("T")


class NamedMap(Protocol):
    """A map that is loaded when it is asked for, as the entries of a corpus are."""

    @property
    def name(self) -> str:
        """Its name in the corpus."""
        ...

    @property
    def source(self) -> str:
        """Its place as messages show it."""
        ...

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """The graph."""
        ...


class MapRun(Protocol):
    """Calls a function for every map and gives what it gives, in the order of the maps, as ``map`` does."""

    def __call__(self, function: Callable[[NamedMap], T], maps: Iterable[Entry], /) -> Iterator[T]:
        """The results, as they are needed."""
        ...
