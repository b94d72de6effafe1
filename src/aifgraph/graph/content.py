"""The equality of graphs, a cache for each graph, and the types of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import networkx
    import pandas

    from aifgraph.graph.graph import ArgumentGraph

    Networkx: TypeAlias = networkx.Graph[Any]
    MultiDiGraph: TypeAlias = networkx.MultiDiGraph[Any]
    DataFrame: TypeAlias = pandas.DataFrame
else:  # imported when they are made
    Networkx = MultiDiGraph = DataFrame = Any

T = TypeVar("T")


def content(graph: ArgumentGraph) -> dict[str, Sequence[object]]:
    """Return what has to be the same in equal graphs."""
    return {
        "node": [(node.id, node.type, node.text, frozenset(node.schemes), node.extra) for node in graph.nodes],
        "edge": [(edge.source, edge.target, edge.extra or {}) for edge in graph.edges],
        "participant": graph.meta.participants,
        "locution record": graph.meta.locutions,
        "source text": [graph.text],
    }


def content_differences(first: ArgumentGraph, second: ArgumentGraph) -> Iterator[str]:
    """Yield the differences of two graphs, one line each."""
    theirs = content(second)
    for what, ours in content(first).items():
        for place, (one, other) in enumerate(zip_longest(ours, theirs[what])):
            if one != other:
                yield f"{what} {place}: {one!r} ≠ {other!r}"


def cached_per_graph(function: Callable[[ArgumentGraph], T]) -> Callable[[ArgumentGraph], T]:
    """Keep what a function returns for a graph as long as the graph lives.

    The value must not refer to the graph, which would keep it alive until the next run of the garbage collector.
    """

    @wraps(function)
    def cached(graph: ArgumentGraph) -> T:
        if function not in graph._cache:
            graph._cache[function] = function(graph)
        value: T = graph._cache[function]
        return value

    return cached
