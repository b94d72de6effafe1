"""The argument graph: immutable and ordered, its ids unique and its edges resolved.

Files hold more than that: repeated nodes, edges that lead nowhere. Reading repairs them and says so
(``graph.notices``), and keeps what it set aside (``graph.meta.leftovers``), so that writing gives back what was read.

::

    L  "Ann: Masks help"  ──▶ YA Asserting ──▶ I  "Masks help"        a locution anchors a proposition
    │                                          ▲
    ▼                                          RA ◀── YA Arguing      an inference, anchored …
    TA ───────────────────────────────────────────────▲               … in a transition
    ▼                                          │
    L  "Bob: They filter" ──▶ YA Asserting ──▶ I  "They filter"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from aifgraph.errors import InputError, NotFoundError
from aifgraph.graph.meta import Meta, Notice
from aifgraph.graph.nodes import Edge, Node
from aifgraph.graph.walk import Walk


class ArgumentGraph(Walk):
    """Nodes and edges in the order of their file, with everything else beside them in ``meta``.

    Equality looks at nodes, edges and their order, and at ``meta``'s people, locution records and text.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> _ = build.inference([reason], claim)
    >>> graph = build.graph()
    >>> [node.text for node in graph.propositions], len(graph.edges)
    (['Masks help', 'They filter'], 2)
    """

    __slots__ = ("_meta", "_nodes", "_predecessors", "_successors", "edges", "name")

    edges: tuple[Edge, ...]
    name: str
    _meta: Meta
    _nodes: dict[str, Node]
    _successors: dict[str, list[str]] | None
    _predecessors: dict[str, list[str]] | None

    def __init__(self, nodes: Iterable[Node], edges: Iterable[Edge], meta: Meta | None = None, name: str = "") -> None:
        """Raises ``InputError`` where an id is repeated, or an edge has an unknown end or is a loop or given twice."""
        listed = tuple(nodes)
        by_id = {node.id: node for node in listed}
        if len(by_id) != len(listed):
            twice = next(id_ for id_, count in Counter(node.id for node in listed).items() if count > 1)
            raise InputError("a node id is given twice", where=f"node {twice}", remedy="ids are unique in a graph")
        kept = tuple(edges)
        pairs = {(edge.source, edge.target) for edge in kept}
        if len(pairs) != len(kept):
            raise InputError("an edge is given twice", remedy="give each pair of ends once")
        for source, target in pairs:
            if source not in by_id or target not in by_id:
                raise InputError("an edge has an unknown end", where=f"edge {source} → {target}")
            if source == target:
                raise InputError("an edge leads from a node to itself", where=f"node {source}")
        self._adopt(by_id, kept, meta or Meta(), name)

    @classmethod
    def _trusted(cls, nodes: dict[str, Node], edges: tuple[Edge, ...], meta: Meta, name: str = "") -> ArgumentGraph:
        """For readers that have checked ids and ends already: no second look at them."""
        graph = cls.__new__(cls)
        graph._adopt(nodes, edges, meta, name)
        return graph

    def _adopt(self, nodes: dict[str, Node], edges: tuple[Edge, ...], meta: Meta, name: str) -> None:
        put = object.__setattr__
        put(self, "_nodes", nodes)
        put(self, "edges", edges)
        put(self, "_meta", meta)
        put(self, "name", name)
        put(self, "_successors", None)
        put(self, "_predecessors", None)

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(
            f"an ArgumentGraph does not change ({key}); make another with GraphBuilder or aifgraph.graph.edit"
        )

    def __delattr__(self, key: str) -> None:
        self.__setattr__(key, None)

    # -- the whole ------------------------------------------------------------------------------------------

    @property
    def meta(self) -> Meta:
        """Everything beside nodes and edges."""
        return self._meta

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in order."""
        return tuple(self._nodes.values())

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What reading had to repair or could not make sense of."""
        return self.meta.notices

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    def __contains__(self, id_: object) -> bool:
        return id_ in self._nodes

    def __getitem__(self, id_: str) -> Node:
        try:
            return self._nodes[id_]
        except KeyError:
            raise NotFoundError(f"there is no node {id_}", where=self.name or None) from None

    def _content(self) -> tuple[object, ...]:
        meta = self.meta
        return (self.nodes, self.edges, meta.participants, meta.locutions, meta.source)

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, ArgumentGraph) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.nodes, self.edges))

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return f"<ArgumentGraph {name}{len(self)} nodes, {len(self.edges)} edges>"

    def _repr_html_(self) -> str:
        from aifgraph.report.notebook import graph_html

        return graph_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.nodes, self.edges, self.meta, self.name))

    # -- neighbours -------------------------------------------------------------------------------------------

    def _link(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        successors: dict[str, list[str]] = {id_: [] for id_ in self._nodes}
        predecessors: dict[str, list[str]] = {id_: [] for id_ in self._nodes}
        for edge in self.edges:
            successors[edge.source].append(edge.target)
            predecessors[edge.target].append(edge.source)
        object.__setattr__(self, "_successors", successors)
        object.__setattr__(self, "_predecessors", predecessors)
        return successors, predecessors

    def successors(self, node: Node | str) -> tuple[Node, ...]:
        """The nodes that edges lead to from this one, in the order of the edges."""
        links = self._successors or self._link()[0]
        return tuple(self._nodes[id_] for id_ in links[self._id(node)])

    def predecessors(self, node: Node | str) -> tuple[Node, ...]:
        """The nodes that edges lead to this one from, in the order of the edges."""
        links = self._predecessors or self._link()[1]
        return tuple(self._nodes[id_] for id_ in links[self._id(node)])

    def _id(self, node: Node | str) -> str:
        id_ = node if isinstance(node, str) else node.id
        if id_ not in self._nodes:
            raise NotFoundError(f"there is no node {id_}", where=self.name or None)
        return id_

    # -- another graph --------------------------------------------------------------------------------------------

    def with_meta(self, **changes: Any) -> ArgumentGraph:
        """The same nodes and edges with other things beside them.

        >>> from aifgraph import GraphBuilder
        >>> from aifgraph.graph import SourceText
        >>> GraphBuilder().graph().with_meta(source=SourceText("Masks help.")).meta.source.text
        'Masks help.'
        """
        return self._trusted(self._nodes, self.edges, replace(self.meta, **changes), self.name)

    def with_name(self, name: str) -> ArgumentGraph:
        """The same graph under another name (a file's, mostly)."""
        return self._trusted(self._nodes, self.edges, self.meta, name)

    # -- to other libraries ---------------------------------------------------------------------------------------

    def to_networkx(self) -> Any:
        """This graph as a networkx MultiDiGraph (see ``aifgraph.interop.networkx``)."""
        from aifgraph.interop.networkx import to_networkx

        return to_networkx(self)

    @staticmethod
    def from_networkx(given: Any) -> ArgumentGraph:
        """The graph in a networkx graph whose nodes have a ``type`` (see ``aifgraph.interop.networkx``)."""
        from aifgraph.interop.networkx import from_networkx

        return from_networkx(given)


def _rebuild(nodes: tuple[Node, ...], edges: tuple[Edge, ...], meta: Meta, name: str) -> ArgumentGraph:
    return ArgumentGraph._trusted({node.id: node for node in nodes}, edges, meta, name)
