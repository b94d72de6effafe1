"""What is given to a function that takes a graph, and is none: its path, an entry of a corpus, a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Final

from aifgraph.errors import OptionError
from aifgraph.graph.graph import ArgumentGraph

#: How one comes to a graph, by the family of what is given (``aifgraph.guesses``).
_WAYS: Final = {
    "entry": "{}(entry.load())",
    "corpus": "[{}(entry.load()) for entry in corpus]",
    "dataset": "[{}(graph) for graph in dataset]",
    "builder": "{}(build.graph())",
}


def needs_graph(graph: object, function: str) -> None:
    """Refuse what is given to a function for a graph and is none, with the way from it to one.

    Raises:
        OptionError: it is none.

    >>> needs_graph("map.json", "validate")
    Traceback (most recent call last):
    aifgraph.errors.OptionError: validate takes a graph, not a str; load it first: validate(load(path))
    """
    if isinstance(graph, ArgumentGraph):
        return
    way = _WAYS.get(getattr(graph, "_family", ""), "")
    if way:
        remedy = f"give {way}"
    elif isinstance(getattr(graph, "graph", None), ArgumentGraph):
        remedy = "give its graph: {}(merged.graph)"
    elif isinstance(graph, Mapping):
        remedy = "read it first: {}(from_dict(document))"
    elif isinstance(graph, str | bytes | PathLike) or not isinstance(graph, Iterable):
        remedy = "load it first: {}(load(path))"
    elif hasattr(graph, "is_directed"):
        remedy = "read it first: {}(ArgumentGraph.from_networkx(graph))"
    else:
        remedy = "take one after the other: [{}(graph) for graph in graphs]"
    article = "an" if type(graph).__name__[:1] in "AEIO" else "a"
    raise OptionError(f"{function} takes a graph, not {article} {type(graph).__name__}", remedy=remedy.format(function))
