"""Graphs in all the ways that they are handed over: one, several, or the maps of a corpus, each loaded in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

from aifgraph.errors import AifgraphError, OptionError, also_unreadable
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
    if isinstance(graphs, str | PathLike | Mapping):
        raise OptionError(f"graphs are a {type(graphs).__name__}", remedy="give a graph, several, or open_corpus(path)")
    for each in [graphs] if isinstance(graphs, ArgumentGraph) or not isinstance(graphs, Iterable) else graphs:
        if not isinstance(each, ArgumentGraph) and not hasattr(each, "load"):
            raise OptionError(f"a {type(each).__name__} is no graph", remedy="give a graph, several, or a corpus")
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


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in ("arrays", "frames", "networkx", "rdf"):  # imported when it is first used
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has arrays, frames, networkx and rdf")
