"""What a graph is made of: its nodes and edges as columns.

Nodes are numbered in their order, and an edge is the numbers of its ends. A comparison works on these; ``Node`` and
``Edge`` objects are made when somebody asks for one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aifgraph.errors import InputError
from aifgraph.graph.nodes import NODE_CLASSES, Edge, Node, OtherNode, Scheme

#: Lists of numbers of nodes, by number.
Neighbours = list[list[int]]


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
        """The ids of the nodes."""
        return tuple(self.numbers)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes as objects."""
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
        """The edges as objects."""
        ends = map(self.ids.__getitem__, self.sources), map(self.ids.__getitem__, self.targets)
        extras = map(self.edge_extras.get, range(len(self.edge_ids)))
        return tuple(map(Edge, *ends, map(_text_or_none, self.edge_ids), extras))

    @cached_property
    def neighbours(self) -> tuple[Neighbours, Neighbours]:
        """Where the edges from each node lead, and where those to it come from, in the order of the edges."""
        successors: Neighbours = [[] for _ in self.kinds]
        predecessors: Neighbours = [[] for _ in self.kinds]
        deque(map(list.append, map(successors.__getitem__, self.sources), self.targets), maxlen=0)
        deque(map(list.append, map(predecessors.__getitem__, self.targets), self.sources), maxlen=0)
        return successors, predecessors


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)
