"""Graphs in all the ways that they are handed over: one, several, or the maps of a corpus, each loaded in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from aifgraph.errors import AifgraphError, also_unreadable
from aifgraph.graph import ArgumentGraph


class Loadable(Protocol):
    """A map of a corpus, such as :class:`aifgraph.corpus.entries.Entry`: its name there, and how it is loaded."""

    name: str

    def load(self) -> ArgumentGraph: ...


#: A graph, an entry of a corpus, several, or a corpus.
Graphs = ArgumentGraph | Loadable | Iterable[ArgumentGraph | Loadable]


def each_graph(graphs: Graphs) -> Iterator[ArgumentGraph]:
    """The graphs one by one; those of a corpus under their names in it. Raises what loading a map raises, when all
    have been tried, so that it names every map that cannot be read."""
    failed: list[tuple[str, AifgraphError]] = []
    for each in [graphs] if isinstance(graphs, ArgumentGraph) or not isinstance(graphs, Iterable) else graphs:
        try:
            graph = each if isinstance(each, ArgumentGraph) else each.load().with_name(each.name)
        except AifgraphError as error:
            failed.append((each.name, error))
            continue
        if not failed:
            yield graph
    if failed:
        (_, first), *others = failed
        first.what += also_unreadable(others)
        raise first
