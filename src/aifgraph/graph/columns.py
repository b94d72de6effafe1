"""What a graph is made of: its nodes and edges as columns.

Nodes are numbered in their order, and an edge is the numbers of its ends. A comparison works on these; ``Node`` and
``Edge`` objects are made when somebody asks for one.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from itertools import repeat, zip_longest
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeAlias, TypeVar

from aifgraph.errors import InputError, LimitError
from aifgraph.graph.nodes import NODE_CLASSES, Edge, Node, OtherNode, Scheme, check_text

if TYPE_CHECKING:
    import networkx
    import pandas

    from aifgraph.graph.graph import ArgumentGraph

    Networkx: TypeAlias = networkx.Graph[Any]
    MultiDiGraph: TypeAlias = networkx.MultiDiGraph[Any]
    DataFrame: TypeAlias = pandas.DataFrame
else:  # imported when they are made
    Networkx = MultiDiGraph = DataFrame = Any

P = ParamSpec("P")
T = TypeVar("T")
#: Items that nodes with several ends may make by themselves: 316 premises with 316 conclusions.
MAX_ITEMS: Final = 100_000
#: Lists of numbers of nodes, by number.
Neighbours = list[list[int]]


class UnionFind(Generic[T]):
    """Groups of things that are joined, directly or by way of others. The one of networkx takes long to import.

    >>> groups = UnionFind(["a", "b", "c"])
    >>> groups.union("a", "c")
    >>> groups["c"] == groups["a"], [sorted(group) for group in groups.to_sets()]
    (True, [['a', 'c'], ['b']])
    """

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._parents = {item: item for item in items}

    def __getitem__(self, item: T) -> T:
        """Return the item that stands for the group of an item."""
        path = []
        while (parent := self._parents.setdefault(item, item)) != item:
            path.append(item)
            item = parent
        self._parents.update(dict.fromkeys(path, item))
        return item

    def union(self, *items: T) -> None:
        """Join the groups of items."""
        host, *others = [self[item] for item in items]
        self._parents.update(dict.fromkeys(others, host))

    def to_sets(self) -> list[set[T]]:
        sets: dict[T, set[T]] = {}
        for item in self._parents.copy():
            sets.setdefault(self[item], set()).add(item)
        return list(sets.values())


@dataclass(frozen=True, eq=False)
class Columns:
    """The nodes and edges of a graph. What few of them have stands in mappings by number.

    ``kinds`` are the AIF types, empty for a node of another type, which ``other_types`` has. ``times`` and ``edge_ids``
    are as files have them: texts, numbers or None.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    times: list[Any] = field(default_factory=list)
    schemes: Mapping[int, tuple[Scheme, ...]] = field(default_factory=dict)
    extras: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    other_types: Mapping[int, str] = field(default_factory=dict)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    edge_ids: list[Any] = field(default_factory=list)
    edge_extras: Mapping[int, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[Node], edges: Iterable[Edge]) -> Columns:
        """Return the columns of nodes and edges, which are checked: see ``ArgumentGraph``."""
        nodes, edges = tuple(nodes), tuple(edges)
        numbers = {node.id: number for number, node in enumerate(nodes)}
        for node in nodes:
            if not isinstance(node.id, str) or not isinstance(node.text, str):
                check_text(node.text, "the text", f"node {check_text(node.id, 'the id')}")
        if len(numbers) < len(nodes):
            twice = Counter(node.id for node in nodes).most_common(1)[0][0]
            raise InputError("a node id is given twice", where=f"node {twice}")
        if len({edge[:2] for edge in edges}) < len(edges):
            source, target = Counter(edge[:2] for edge in edges).most_common(1)[0][0]
            raise InputError("an edge is given twice", where=f"edge {source} → {target}")
        for source, target, _, _ in edges:
            if source not in numbers or target not in numbers:
                raise InputError("an edge has an unknown end", where=f"edge {source} → {target}")
            if source == target:
                raise InputError("an edge joins a node to itself", where=f"node {source}")
        columns = cls(
            numbers,
            [node.kind for node in nodes],
            [node.text for node in nodes],
            [node.timestamp for node in nodes],
            {number: node.schemes for number, node in enumerate(nodes) if node.schemes},
            {number: node.extra for number, node in enumerate(nodes) if node.extra},
            {number: node.type for number, node in enumerate(nodes) if not node.kind},
            [numbers[edge.source] for edge in edges],
            [numbers[edge.target] for edge in edges],
            [edge.id for edge in edges],
            {number: edge.extra for number, edge in enumerate(edges) if edge.extra is not None},
        )
        columns.__dict__.update(nodes=nodes, edges=edges)
        return columns

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self.numbers)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        schemes, extras, others = self.schemes, self.extras, self.other_types
        rows = enumerate(zip(self.ids, self.kinds, self.texts, map(_text_or_none, self.times), strict=True))
        return tuple(
            NODE_CLASSES[kind](id_, text, schemes.get(number, ()), time, extras.get(number))
            if kind
            else OtherNode(id_, text, schemes.get(number, ()), time, extras.get(number, {}), others[number])
            for number, (id_, kind, text, time) in rows
        )

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        ends = map(self.ids.__getitem__, self.sources), map(self.ids.__getitem__, self.targets)
        extras = map(self.edge_extras.get, range(len(self.edge_ids)))
        return tuple(map(Edge, *ends, map(_text_or_none, self.edge_ids), extras))

    @cached_property
    def neighbours(self) -> tuple[Neighbours, Neighbours]:
        """Where the edges from each node lead, and where those to it come from, in the order of the edges."""
        successors: Neighbours = [[] for _ in self.kinds]
        predecessors: Neighbours = [[] for _ in self.kinds]
        for source, target in zip(self.sources, self.targets, strict=True):
            successors[source].append(target)
            predecessors[target].append(source)
        return successors, predecessors


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


# -- equality, and what all that works on graphs shares ---------------------------------------------------------------


def content(graph: ArgumentGraph) -> dict[str, Sequence[Sequence[object]]]:
    """Return what has to be the same in equal graphs, in columns."""
    columns, meta, nothing = graph._columns, graph.meta, dict[str, Any]()
    types = [kind or columns.other_types[number] for number, kind in enumerate(columns.kinds)]
    schemes = list(map(_unordered, map(columns.schemes.get, range(len(types)), repeat(()))))
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


def _unordered(schemes: tuple[Scheme, ...]) -> tuple[Scheme, ...]:
    return tuple(sorted({*schemes}, key=repr)) if len(schemes) > 1 else schemes


def content_differences(first: ArgumentGraph, second: ArgumentGraph) -> Iterator[str]:
    """Yield the differences of two graphs, one line each."""
    theirs = content(second)
    for what, ours in content(first).items():
        both = ours, theirs[what]
        rows, other_rows = (zip(*columns, strict=True) if columns[1:] else columns[0] for columns in both)
        for index, (row, other_row) in enumerate(zip_longest(rows, other_rows)):
            if row != other_row:
                yield f"{what} {index}: {row!r} ≠ {other_row!r}"


def check_products(
    name: str, products: Iterable[tuple[int, int]], what: str = "nodes with several starts and several ends"
) -> None:
    """Raise an error that names the map if products of two numbers, neither 1, make too many items in all."""
    if (count := sum(starts * ends for starts, ends in products if starts > 1 < ends)) > MAX_ITEMS:
        raise LimitError(f"{what} make {count} items; {MAX_ITEMS} are the most", where=name)


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


def gc_paused(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function so that the cyclic collector pauses while it runs. Reference counting goes on.

    Reading and comparing maps makes hundreds of thousands of objects that are all kept, and no cycles. With the
    collector running that takes a third more time at 1 000 propositions and twice the time at 30 000.
    """

    @wraps(function)
    def paused(*args: P.args, **kwargs: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return paused
