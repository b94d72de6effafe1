"""One function for every map of a corpus, in this process or in several; the results are in the order of the maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeVar

from aifgraph.corpus.entries import Entry, MapRun, NamedMap
from aifgraph.evaluation.pair_task import Source
from aifgraph.evaluation.workers import Workers, run_each, sender
from aifgraph.formats.files import Input
from aifgraph.formats.io import read_input
from aifgraph.graph import ArgumentGraph

T = TypeVar("T")

#: Maps that go to a worker at a time.
CHUNK = 16


@dataclass(frozen=True, slots=True)
class SentMap:
    """An entry of a corpus in another process."""

    name: str
    source: str
    place: Source

    def input(self) -> Input:
        """Its bytes, with its name."""
        return self.place.input()

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """The graph, with ``source`` as its name. Raises the errors of ``aifgraph.load``."""
        return read_input(self.input(), format).with_name(self.source)


def over_maps(jobs: int) -> MapRun:
    """What calls a function for every map, in ``jobs`` processes (-1: one a core), as ``map`` does in this one.

    >>> import aifgraph
    >>> list(over_maps(1)(str, aifgraph.open_corpus("fixtures/debates/ann")[:1]))
    ["<Entry 'nodeset1' of fixtures/debates/ann>"]
    """
    workers = Workers(jobs)
    return map if workers.alone else partial(_in_processes, workers=workers)


def _in_processes(function: Callable[[NamedMap], T], maps: Iterable[Entry], *, workers: Workers) -> Iterator[T]:
    send = sender(workers)
    sent = (SentMap(entry.name, entry.source, send(entry)) for entry in maps)
    chunks = iter(lambda: tuple(islice(sent, CHUNK)), ())
    return run_each(chunks, partial(_chunk, function=function), workers)


def _chunk(maps: Sequence[SentMap], function: Callable[[NamedMap], T]) -> list[T]:
    return [function(each) for each in maps]
