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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, overload

from aifgraph.errors import InputError, NoSuchNameError, OptionError
from aifgraph.graph.columns import Columns
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant
from aifgraph.graph.nodes import Edge, Node, NodeLike
from aifgraph.graph.reach import Reach
from aifgraph.hooks import hook

if TYPE_CHECKING:
    import networkx
    import pandas

D = TypeVar("D")
T = TypeVar("T")


class ArgumentGraph(Reach):
    """Nodes and edges in the order of their file; everything else that the file holds is in ``meta``.

    Iteration, ``nodes`` and all properties and methods that give nodes keep the order of the nodes in the file (or of
    the builder); ``successors``, ``predecessors`` and what goes one step from a node keep that of the edges.

    Equality looks at nodes, edges and their order, and at the people, locution records and text of ``meta``. What a
    format adds or arranges does not take part: ids of edges (some formats invent them), the order of the schemes of one
    node, and whether the places of nodes are marked in the source text or kept next to it.

    Attributes:
        edges: every edge, with ``source``, ``target``, ``id`` and ``record``, in order.
        name: where the graph comes from, mostly the path of its file; empty for one that was built.

    Args:
        nodes: the nodes; their ids are unique.
        edges: the edges between them, each pair of ends once.
        meta: everything that is not a node or an edge.
        name: what messages and tables call the graph.

    Raises:
        InputError: an id is given twice, or an edge has an unknown end, is a loop or is given twice.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> _ = build.inference([reason], claim)
    >>> graph = build.graph()
    >>> [node.text for node in graph.propositions], len(graph.edges)
    (['Masks help', 'They filter'], 2)
    """

    __slots__ = (
        *("_columns", "_edges", "_kept", "_made", "_meta", "_people_and_records", "_predecessors", "_successors"),
        "name",
    )

    name: str
    _meta: Meta
    #: What the nodes and edges are made from when they are first asked for, where a reader gave that.
    _columns: Columns | None
    _made: dict[str, Node] | None
    _edges: tuple[Edge, ...] | None
    #: What was worked out from nodes, edges and text; graphs of the same content share it.
    _kept: dict[str, Any]
    _successors: dict[str, list[str]] | None
    _predecessors: dict[str, list[str]] | None
    _people_and_records: tuple[dict[str, Participant], dict[str, list[LocutionRecord]]] | None

    def __init__(self, nodes: Iterable[Node], edges: Iterable[Edge], meta: Meta | None = None, name: str = "") -> None:
        """See the class."""
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

    @classmethod
    def _from_columns(cls, columns: Columns, meta: Meta, name: str = "") -> ArgumentGraph:
        """The same for readers that have no nodes and edges yet: they are made when somebody asks for them."""
        graph = cls.__new__(cls)
        graph._adopt(None, None, meta, name, columns)
        return graph

    def _adopt(
        self,
        nodes: dict[str, Node] | None,
        edges: tuple[Edge, ...] | None,
        meta: Meta,
        name: str,
        columns: Columns | None = None,
        kept: dict[str, Any] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "_columns", columns)
        put(self, "_made", nodes)
        put(self, "_edges", edges)
        put(self, "_kept", {} if kept is None else kept)
        put(self, "_meta", meta)
        put(self, "name", name)
        put(self, "_successors", None)
        put(self, "_predecessors", None)
        put(self, "_people_and_records", None)

    def _beside(self, meta: Meta, name: str) -> ArgumentGraph:
        """The same nodes and edges with other things beside them; what was worked out from them goes along."""
        graph = type(self).__new__(type(self))
        graph._adopt(self._made, self._edges, meta, name, self._columns, self._kept)
        return graph

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(
            f"an ArgumentGraph does not change ({key}); make another with GraphBuilder or aifgraph.graph.edit"
        )

    def __delattr__(self, key: str) -> None:
        self.__setattr__(key, None)

    # -- the whole ------------------------------------------------------------------------------------------

    @property
    def meta(self) -> Meta:
        """Everything apart from nodes and edges."""
        return self._meta

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in order."""
        return tuple(self._nodes.values())

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, in order."""
        edges = self._edges
        if edges is None:
            assert self._columns is not None
            edges = self._columns.edges()
            object.__setattr__(self, "_edges", edges)
        return edges

    @property
    def _nodes(self) -> dict[str, Node]:
        nodes = self._made
        if nodes is None:
            assert self._columns is not None
            nodes = self._columns.nodes()
            object.__setattr__(self, "_made", nodes)
        return nodes

    def _as_columns(self) -> Columns:
        """Nodes and edges as columns, for whoever goes over all of them and needs no ``Node`` or ``Edge``."""
        return self._columns or Columns.of(self._nodes.values(), self.edges)

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` works out of nodes and edges (not of what stands beside them), once for this graph."""
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = make()
        return found

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What reading had to repair or could not make sense of."""
        return self.meta.notices

    def __len__(self) -> int:
        return len(self._nodes if self._columns is None else self._columns.ids)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    def __contains__(self, node: object) -> bool:
        """Whether a node (equal to it), or a node of this id, is in the graph."""
        if isinstance(node, Node):
            return self._nodes.get(node.id) == node
        return (str(node) if type(node) is int else node) in self._nodes

    def __getitem__(self, id_: NodeLike) -> Node:
        """The node of an id; ``graph[3]`` is that of ``"3"``. Raises ``NoSuchNameError`` (a ``KeyError``)."""
        return self._nodes[self._id(id_)]

    @overload
    def get(self, id_: NodeLike) -> Node | None: ...
    @overload
    def get(self, id_: NodeLike, default: D) -> Node | D: ...
    def get(self, id_: NodeLike, default: object = None) -> object:
        """The node of an id, or ``default`` where there is none.

        Args:
            id_: an id, as a string or a number, or a node.
            default: what to give where there is no such node.

        Returns:
            The node, or ``default``.

        >>> from aifgraph import GraphBuilder
        >>> build = GraphBuilder()
        >>> _ = build.proposition("Masks help", id="7")
        >>> graph = build.graph()
        >>> graph.get("7"), graph.get("8"), graph[7] in graph
        (Proposition(id='7', text='Masks help'), None, True)
        """
        return self._nodes.get(id_.id if isinstance(id_, Node) else str(id_), default)

    def _content(self) -> tuple[object, ...]:
        meta = self.meta
        ends = [(edge.source, edge.target) for edge in self.edges]
        nodes = [(node.id, node.type, node.text, frozenset(node.schemes)) for node in self]
        return (nodes, ends, meta.participants, meta.locutions, meta.source and meta.source.marked)

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, ArgumentGraph) else NotImplemented

    def __hash__(self) -> int:
        return hash((tuple(self._nodes), tuple((edge.source, edge.target) for edge in self.edges)))

    def __repr__(self) -> str:
        # The end of a path says more than its beginning.
        name = f"{self.name if len(self.name) <= 60 else f'…{self.name[-59:]}'!r}, " if self.name else ""
        return f"<ArgumentGraph {name}{len(self)} nodes, {len(self.edges)} edges>"

    def _repr_html_(self) -> str:
        html: str = hook("graph_html")(self)
        return html

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

    def successors(self, node: NodeLike) -> tuple[Node, ...]:
        """The nodes that edges lead to from this one, in the order of the edges.

        Args:
            node: the node, or its id.

        Returns:
            The nodes at the other ends of its outgoing edges.

        Raises:
            NoSuchNameError: there is no such node.
        """
        links = self._successors or self._link()[0]
        return tuple(self._nodes[id_] for id_ in links[self._id(node)])

    def predecessors(self, node: NodeLike) -> tuple[Node, ...]:
        """The nodes from which edges lead to this one, in the order of the edges.

        Args:
            node: the node, or its id.

        Returns:
            The nodes at the other ends of its incoming edges.

        Raises:
            NoSuchNameError: there is no such node.
        """
        links = self._predecessors or self._link()[1]
        return tuple(self._nodes[id_] for id_ in links[self._id(node)])

    def _id(self, node: NodeLike) -> str:
        id_ = node.id if isinstance(node, Node) else str(node)
        if id_ not in self._nodes:
            remedy = "give a node or its id; find(text) looks for a text"
            raise NoSuchNameError(f"there is no node {id_}"[:200], where=self.name or None, remedy=remedy)
        return id_

    def _said(self) -> tuple[dict[str, Participant], dict[str, list[LocutionRecord]]]:
        """Participants by id, and the locution records of each node."""
        if self._people_and_records is None:
            records: dict[str, list[LocutionRecord]] = {}
            for record in self.meta.locutions:
                records.setdefault(record.node_id, []).append(record)
            people = {person.id: person for person in self.meta.participants}
            object.__setattr__(self, "_people_and_records", (people, records))
            return people, records
        return self._people_and_records

    # -- a part of it ---------------------------------------------------------------------------------------------

    def subgraph(self, nodes: Iterable[NodeLike], *, anchors: bool = True) -> ArgumentGraph:
        """The part of the map between some nodes, as a graph with the same ids.

        Args:
            nodes: nodes or ids. The relations all of whose premises and conclusions are among them come along, and so
                do relations that bear on such a relation (an undercut) from nodes that are among them.
            anchors: whether what anchors all that comes along: illocutions, their locutions and transitions.

        Returns:
            A graph in the order of this one, with the records, participants and spans of what is in it, and with the
            source text. It can be compared and written like any other.

        Raises:
            NoSuchNameError: a node is not in the graph.
            OptionError: one node or id in place of several.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> claim = graph.roots()[0]
        >>> part = graph.subgraph([claim, *(step.node for step in graph.supports(claim))])
        >>> len(part.propositions), len(part.inferences), len(part.locutions) > 0
        (2, 1, True)
        """
        if isinstance(nodes, str | Node):
            # The characters of an id would be taken for ids, and may well be some.
            raise OptionError("the nodes are one node", remedy="give a list of nodes or ids: subgraph([node])")
        kept = self._between({self._id(node) for node in nodes})
        if anchors:
            self._add_anchors(kept)
        gone: dict[str, str | None] = {id_: None for id_ in self._nodes if id_ not in kept}
        meta = self.meta.moved(gone)
        spoken_by = {record.person_id for record in meta.locutions}
        meta = replace(
            meta,
            participants=tuple(person for person in meta.participants if person.id in spoken_by),
            leftovers=(),
            notices=tuple(notice for notice in meta.notices if kept.issuperset(notice.nodes)),
        )
        by_id = {id_: node for id_, node in self._nodes.items() if id_ in kept}
        edges = tuple(edge for edge in self.edges if edge.source in kept and edge.target in kept)
        return self._trusted(by_id, edges, meta, self.name)

    # -- another graph --------------------------------------------------------------------------------------------

    def with_meta(self, **changes: Any) -> ArgumentGraph:
        """The same nodes and edges with other side data.

        Args:
            **changes: fields of ``Meta`` with their new values: ``participants``, ``locutions``, ``source``, ``spans``
                …

        Returns:
            A new graph; this one does not change.

        >>> from aifgraph import GraphBuilder
        >>> from aifgraph.graph import SourceText
        >>> GraphBuilder().graph().with_meta(source=SourceText("Masks help.")).meta.source.text
        'Masks help.'
        """
        return self._beside(replace(self.meta, **changes), self.name)

    def with_name(self, name: str) -> ArgumentGraph:
        """The same graph under another name (a file's, mostly).

        Args:
            name: the new name.

        Returns:
            A new graph with the same nodes, edges and side data.
        """
        return self._beside(self.meta, name)

    # -- to other libraries ---------------------------------------------------------------------------------------

    def to_networkx(self, *, side_data: bool = True) -> networkx.MultiDiGraph[Any]:
        """This graph as a networkx ``MultiDiGraph`` (see ``aifgraph.interop.networkx``).

        Args:
            side_data: whether what attributes cannot hold goes along as one string, from which :meth:`from_networkx`
                restores the map.

        Returns:
            A directed graph whose nodes have the attributes ``type``, ``text``, ``scheme``, ``scheme_id``, ``speaker``
            and ``timestamp``, all strings. The rest is under ``graph.graph["aif"]``.
        """
        converted: networkx.MultiDiGraph[str, Any, Any] = hook("to_networkx")(self, side_data=side_data)
        return converted

    def nodes_frame(self) -> pandas.DataFrame:
        """A data frame of the nodes, one a row (see ``aifgraph.interop.frames``; needs the extra ``frames``).

        Returns:
            One row for each node, in order, with the columns ``map``, ``id``, ``type``, ``text``, ``scheme``,
            ``scheme_id``, ``speaker`` and ``timestamp``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        frame: pandas.DataFrame = hook("nodes_frame")(self)
        return frame

    def edges_frame(self) -> pandas.DataFrame:
        """A data frame of the edges, one a row, with the types of their ends.

        Returns:
            One row for each edge, in order, with the columns ``map``, ``id``, ``source``, ``target``, ``source_type``
            and ``target_type``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        frame: pandas.DataFrame = hook("edges_frame")(self)
        return frame

    def to_frame(self) -> pandas.DataFrame:
        """A data frame of the argument: one row for each premise and conclusion of a relation, with their texts.

        Returns:
            One row for each pair of a premise and a conclusion of an RA, CA, MA or PA, with the columns ``map``,
            ``relation``, ``type``, ``scheme``, and for both ends id, text and speaker: ``source``, ``source_text``,
            ``source_speaker``, ``target`` …

        Raises:
            MissingExtraError: pandas is not installed.
        """
        frame: pandas.DataFrame = hook("relations_frame")(self)
        return frame

    @staticmethod
    def from_networkx(given: networkx.Graph[Any]) -> ArgumentGraph:
        """The graph in a networkx graph whose nodes have a ``type`` (see ``aifgraph.interop.networkx``).

        Args:
            given: a directed graph of networkx. Its nodes have a ``type`` and mostly a ``text``; its edges lead as
                AIF's do.

        Returns:
            The argument graph, with everything that :meth:`to_networkx` put into ``given.graph["aif"]``.

        Raises:
            InputError: the graph is undirected, a node has no type, an edge is a loop or given twice, or two ids are
                one text.
            FormatError: what is under ``aif`` is damaged.
        """
        graph: ArgumentGraph = hook("from_networkx")(given)
        return graph


def _rebuild(nodes: tuple[Node, ...], edges: tuple[Edge, ...], meta: Meta, name: str) -> ArgumentGraph:
    return ArgumentGraph._trusted({node.id: node for node in nodes}, edges, meta, name)
