"""The equality of graphs, a cache for each graph, and the types of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import repeat, zip_longest
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


def content(graph: ArgumentGraph) -> dict[str, Sequence[Sequence[object]]]:
    """Return what has to be the same in equal graphs, in columns."""
    columns, meta, nothing = graph._columns, graph.meta, dict[str, Any]()
    types = [kind or columns.other_types[number] for number, kind in enumerate(columns.kinds)]
    schemes = list(map(frozenset, map(columns.schemes.get, range(len(types)), repeat(()))))
    extras = list(map(columns.extras.get, range(len(types)), repeat(nothing)))
    ends = (list(map(columns.ids.__getitem__, side)) for side in (columns.sources, columns.targets))
    edge_extras = [columns.edge_extras.get(number) or nothing for number in range(len(columns.sources))]
    return {
        "node": (columns.ids, types, columns.texts, schemes, extras),
        "edge": (*ends, edge_extras),
        "participant": (meta.participants,),
        "locution record": (meta.locutions,),
        "source text": ([graph.text],),
    }


def content_differences(first: ArgumentGraph, second: ArgumentGraph) -> Iterator[str]:
    """Yield the differences of two graphs, one line each."""
    theirs = content(second)
    for what, ours in content(first).items():
        both = ours, theirs[what]
        rows, other_rows = (zip(*columns, strict=True) if columns[1:] else columns[0] for columns in both)
        for place, (one, other) in enumerate(zip_longest(rows, other_rows)):
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
