"""Graphs in all the ways that they are handed over: one, several, or the maps of a corpus, each loaded in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from aifgraph.graph import ArgumentGraph


class Loadable(Protocol):
    """A map of a corpus, such as :class:`aifgraph.corpus.entries.Entry`: its name there, and how it is loaded."""

    name: str

    def load(self) -> ArgumentGraph: ...


#: A graph, several, or a corpus.
Graphs = ArgumentGraph | Iterable[ArgumentGraph | Loadable]


def each_graph(graphs: Graphs) -> Iterator[ArgumentGraph]:
    """The graphs one by one; those of a corpus under their names in it. Raises what loading a map raises."""
    for each in [graphs] if isinstance(graphs, ArgumentGraph) else graphs:
        yield each if isinstance(each, ArgumentGraph) else each.load().with_name(each.name)
