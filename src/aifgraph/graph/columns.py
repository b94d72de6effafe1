"""A graph's nodes and edges as columns: for readers, and for whoever goes over all of them.

Making a ``Node`` and an ``Edge`` for every entry of a file takes as long as parsing it. A comparison asks for ids,
types and texts only, so a reader may hand over columns; nodes and edges are made from them when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from aifgraph.graph.nodes import NODE_CLASSES, Edge, Node, Scheme
from aifgraph.graph.records import Records, once

#: From so many entries on they are kept compactly, which takes a little time.
_MANY = 400_000


@dataclass(frozen=True, slots=True)
class Columns:
    """Nodes by number, in order: ``ids``, ``kinds`` (the type, empty for one that AIF does not define) and ``texts``,
    with ``schemes`` of the nodes that have any; and ``ends``, the numbers of the nodes that each edge joins.

    ``node_records`` and ``edge_records`` are the entries of the file; both are empty where nodes exist already.

    >>> columns = Columns(["1"], ["I"], ["Masks help"], {}, [], [{"nodeID": 1}])
    >>> columns.nodes()
    {'1': Proposition(id='1', text='Masks help')}
    """

    ids: Sequence[str]
    kinds: Sequence[str]
    texts: Sequence[str]
    schemes: dict[int, tuple[Scheme, ...]]
    ends: Sequence[tuple[int, int]]
    node_records: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    edge_records: Sequence[Mapping[str, Any]] = field(default=(), repr=False)

    @classmethod
    def of(cls, nodes: Iterable[Node], edges: Iterable[Edge]) -> Columns:
        """The columns of nodes and edges that are there."""
        listed = list(nodes)
        number = {node.id: index for index, node in enumerate(listed)}
        return cls(
            list(number),
            [node.kind for node in listed],
            [node.text for node in listed],
            {index: node.schemes for index, node in enumerate(listed) if node.schemes},
            [(number[edge.source], number[edge.target]) for edge in edges],
        )

    def compact(self) -> Columns:
        """The same in less memory, where there are so many entries that it matters."""
        if len(self.node_records) + len(self.edge_records) < _MANY:
            return self
        known: dict[object, object] = {}
        return replace(
            self,
            ids=once(list(self.ids), known),
            kinds=once(list(self.kinds), known),
            texts=once(list(self.texts), known),
            node_records=Records.of(self.node_records, known),
            edge_records=Records.of(self.edge_records, known),
        )

    def nodes(self) -> dict[str, Node]:
        """The nodes that the columns say, by id, in order; all of types that AIF defines."""
        schemes = self.schemes
        rows = zip(self.ids, self.kinds, self.texts, self.node_records, strict=True)
        return {
            id_: NODE_CLASSES[kind](id_, text, schemes.get(index, ()), record)
            for index, (id_, kind, text, record) in enumerate(rows)
        }

    def edges(self) -> tuple[Edge, ...]:
        """The edges that the columns say."""
        ids = self.ids
        return tuple(
            Edge(ids[source], ids[target], None if (id_ := record.get("edgeID")) is None else str(id_), record)
            for (source, target), record in zip(self.ends, self.edge_records, strict=True)
        )
