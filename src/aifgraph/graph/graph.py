"""The argument graph: immutable and ordered, its ids unique and its edges resolved.

Files hold more than that: repeated nodes, edges that lead nowhere. Reading leaves them out and says so
(``graph.notices``).

::

    L  "Ann: Masks help"  ──▶ YA Asserting ──▶ I  "Masks help"        a locution anchors a proposition
    │                                          ▲
    ▼                                          RA ◀── YA Arguing      an inference, anchored …
    TA ───────────────────────────────────────────────▲               … in a transition
    ▼                                          │
    L  "Bob: They filter" ──▶ YA Asserting ──▶ I  "They filter"

Functions that follow edges and select nodes are in files of their own, and the class has them as its methods: one step
in ``aifgraph.graph.steps``, any number in ``traverse``, by text and speaker in ``search``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, overload

from aifgraph.errors import InputError, NoSuchNameError
from aifgraph.graph import search, steps, traverse
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant, Span, speaker_prefix
from aifgraph.graph.nodes import (
    RELATIONS,
    Conflict,
    Edge,
    Illocution,
    Inference,
    Locution,
    Node,
    NodeLike,
    OtherNode,
    Preference,
    Proposition,
    Rephrase,
    SchemeNode,
    Transition,
)
from aifgraph.printable import quantity

if TYPE_CHECKING:
    import networkx
    import pandas

D = TypeVar("D")
N = TypeVar("N", bound=Node)
T = TypeVar("T")

_Links = dict[str, list[Node]]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class ArgumentGraph:
    """Nodes and edges in the order of their file; everything else that the file holds is in ``meta``.

    Methods that ask about a node take it or its id (``graph.supports("7")``), raise ``NoSuchNameError`` (a
    ``KeyError``) where it is not in the graph, and give an empty tuple where there is nothing to give. Properties and
    methods that give nodes keep the order of the nodes in the file (or of the builder); those that go one step from a
    node keep that of the edges. Nothing recurses, and everything takes time linear in the map.

    Equality looks at nodes, edges and their order, and at the people, locution records and text of ``meta``. What a
    format adds or arranges does not take part: ids of edges (some formats invent them), the order of the schemes of one
    node, and whether the places of nodes are marked in the source text or kept next to it.

    Attributes:
        edges: every edge, with ``source``, ``target``, ``id`` and ``record``, in order.
        meta: everything apart from nodes and edges.
        name: where the graph comes from, mostly the path of its file; empty for one that was built.

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

    __slots__ = ("_memo", "_nodes", "_side_memo", "edges", "meta", "name")

    edges: tuple[Edge, ...]
    meta: Meta
    name: str
    _nodes: dict[str, Node]
    #: What :meth:`_once` keeps: of nodes and edges, shared by graphs that differ in side data only; and of side data.
    _memo: dict[str, Any]
    _side_memo: dict[str, Any]

    def __init__(self, nodes: Iterable[Node], edges: Iterable[Edge], meta: Meta | None = None, name: str = "") -> None:
        """See the class."""
        listed, pairs = tuple(nodes), tuple(edges)
        by_id = {node.id: node for node in listed}
        if len(by_id) != len(listed):
            twice = next(id_ for id_, count in Counter(node.id for node in listed).items() if count > 1)
            raise InputError("a node id is given twice", where=f"node {twice}", remedy="ids are unique in a graph")
        ends = {(edge.source, edge.target) for edge in pairs}
        if len(ends) != len(pairs):
            raise InputError("an edge is given twice", remedy="give each pair of ends once")
        for source, target in ends:
            if source not in by_id or target not in by_id:
                raise InputError("an edge has an unknown end", where=f"edge {source} → {target}")
            if source == target:
                raise InputError("an edge leads from a node to itself", where=f"node {source}")
        self._fill(by_id, pairs, meta or Meta(), name, {})

    @classmethod
    def _trusted(
        cls,
        nodes: dict[str, Node],
        edges: tuple[Edge, ...],
        meta: Meta,
        name: str = "",
        memo: dict[str, Any] | None = None,
    ) -> ArgumentGraph:
        """For readers that have checked ids and ends already: no second look at them."""
        graph = cls.__new__(cls)
        graph._fill(nodes, edges, meta, name, {} if memo is None else memo)
        return graph

    def _fill(
        self, nodes: dict[str, Node], edges: tuple[Edge, ...], meta: Meta, name: str, memo: dict[str, Any]
    ) -> None:
        put = object.__setattr__
        put(self, "_nodes", nodes)
        put(self, "edges", edges)
        put(self, "meta", meta)
        put(self, "name", name)
        put(self, "_memo", memo)
        put(self, "_side_memo", {})

    def _once(self, name: str, make: Callable[[], T], *, side_data: bool = False) -> T:
        """What ``make`` computes, once for this graph.

        Without ``side_data`` it depends on nodes and edges alone, and graphs that differ in their side data share it.
        """
        memo = self._side_memo if side_data else self._memo
        value = memo.get(name)
        if value is None:
            value = memo[name] = make()
        return value

    # -- the whole ------------------------------------------------------------------------------------------

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in order."""
        return self._once("nodes", lambda: tuple(self._nodes.values()))

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What reading had to repair or could not make sense of."""
        return self.meta.notices

    @property
    def text(self) -> str:
        """The text that the map analyses, without markup; empty where there is none. ``meta.source`` has it as it is
        kept, with the places of nodes."""
        source = self.meta.source
        if source is None:
            return ""
        from aifgraph.text.markup import plain_text

        return source.text if source.spans is not None else plain_text(source.text).text

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    def __contains__(self, node: object) -> bool:
        """Whether a node (equal to it), or a node of this id, is in the graph."""
        if isinstance(node, Node):
            return self._nodes.get(node.id) == node
        return (str(node) if type(node) is int else node) in self._nodes

    def __getitem__(self, id_: NodeLike) -> Node:
        """The node of an id; ``graph[3]`` is that of ``"3"``."""
        return self._nodes[self._id(id_)]

    @overload
    def get(self, id_: NodeLike) -> Node | None: ...
    @overload
    def get(self, id_: NodeLike, default: D) -> Node | D: ...
    def get(self, id_: NodeLike, default: object = None) -> object:
        """The node of an id (a string, a number, or a node that has it), or ``default`` where there is none."""
        return self._nodes.get(id_.id if isinstance(id_, Node) else str(id_), default)

    def _id(self, node: NodeLike) -> str:
        id_ = node.id if isinstance(node, Node) else str(node)
        if id_ not in self._nodes:
            raise NoSuchNameError(f"there is no node {id_}"[:200], where=self.name or None)
        return id_

    def _content(self) -> tuple[object, ...]:
        meta = self.meta
        ends = [(edge.source, edge.target) for edge in self.edges]
        nodes = [(node.id, node.type, node.text, frozenset(node.schemes)) for node in self]
        return (nodes, ends, meta.participants, meta.locutions, meta.source and self.text)

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, ArgumentGraph) else NotImplemented

    def __hash__(self) -> int:
        return hash((tuple(self._nodes), tuple((edge.source, edge.target) for edge in self.edges)))

    def __repr__(self) -> str:
        # The end of a path says more than its beginning.
        name = f"{self.name if len(self.name) <= 60 else f'…{self.name[-59:]}'!r}, " if self.name else ""
        return f"<ArgumentGraph {name}{quantity(len(self), 'nodes')}, {quantity(len(self.edges), 'edges')}>"

    def _repr_html_(self) -> str:
        from aifgraph.report.display import graph_html

        return graph_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.nodes, self.edges, self.meta, self.name))

    def with_meta(self, **changes: Any) -> ArgumentGraph:
        """The same nodes and edges with other side data: ``changes`` are fields of ``Meta`` with their new values."""
        return self._trusted(self._nodes, self.edges, replace(self.meta, **changes), self.name, self._memo)

    def with_name(self, name: str) -> ArgumentGraph:
        """The same graph under another name (a file's, mostly)."""
        return self._trusted(self._nodes, self.edges, self.meta, name, self._memo)

    # -- nodes by type ----------------------------------------------------------------------------------------

    def of(self, kind: type[N]) -> tuple[N, ...]:
        """All nodes of one class of ``aifgraph.graph`` (and of its subclasses), in order: ``graph.of(Conflict)``."""
        return tuple(node for node in self if isinstance(node, kind))

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """The I-nodes."""
        return self.of(Proposition)

    @property
    def locutions(self) -> tuple[Locution, ...]:
        """The L-nodes, analysts' copies included."""
        return self.of(Locution)

    @property
    def inferences(self) -> tuple[Inference, ...]:
        """The RA-nodes."""
        return self.of(Inference)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The CA-nodes."""
        return self.of(Conflict)

    @property
    def rephrasings(self) -> tuple[Rephrase, ...]:
        """The MA-nodes."""
        return self.of(Rephrase)

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """The PA-nodes."""
        return self.of(Preference)

    @property
    def illocutions(self) -> tuple[Illocution, ...]:
        """The YA-nodes."""
        return self.of(Illocution)

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The TA-nodes."""
        return self.of(Transition)

    @property
    def relations(self) -> tuple[SchemeNode, ...]:
        """The RA-, CA-, MA- and PA-nodes."""
        return tuple(node for node in self.of(SchemeNode) if node.type in RELATIONS)

    @property
    def others(self) -> tuple[OtherNode, ...]:
        """The nodes of types that AIF does not define."""
        return self.of(OtherNode)

    # -- neighbours -------------------------------------------------------------------------------------------

    def _links(self) -> tuple[_Links, _Links]:
        """What each node leads to, and what leads to it."""

        def link() -> tuple[_Links, _Links]:
            nodes = self._nodes
            after: _Links = {id_: [] for id_ in nodes}
            before: _Links = {id_: [] for id_ in nodes}
            for edge in self.edges:
                after[edge.source].append(nodes[edge.target])
                before[edge.target].append(nodes[edge.source])
            return after, before

        return self._once("links", link)

    def successors(self, node: NodeLike) -> tuple[Node, ...]:
        """The nodes that edges lead to from this one, in the order of the edges.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return tuple(self._links()[0][self._id(node)])

    def predecessors(self, node: NodeLike) -> tuple[Node, ...]:
        """The nodes from which edges lead to this one, in the order of the edges.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return tuple(self._links()[1][self._id(node)])

    premises_of = steps.premises_of
    conclusions_of = steps.conclusions_of
    conclusion_of = steps.conclusion_of
    supports = steps.supports
    attacks = steps.attacks
    rephrases = steps.rephrases
    acts_on = steps.acts_on
    anchors_of = steps.anchors_of
    content_of = steps.content_of
    locution_of = steps.locution_of

    # -- who speaks -------------------------------------------------------------------------------------------

    def records_of(self, locution: NodeLike) -> tuple[LocutionRecord, ...]:
        """The locution records of a node, each with the person and the times that the file gives. AIFdb often holds
        several for one locution."""
        return tuple(self._records().get(self._id(locution), ()))

    def span_of(self, node: NodeLike) -> Span | None:
        """The first place in :attr:`text` that is marked for a node: ``graph.text[span.start : span.end]``; None where
        none is. AIF tools mark locutions: a proposition without a mark has the place of the locution that says it.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> claim = build.proposition("Masks help")
        >>> build.source("So: <span id='1'>masks help</span>.")
        >>> graph = build.graph()
        >>> span = graph.span_of(claim)
        >>> graph.text[span.start : span.end]
        'masks help'

        Raises:
            NoSuchNameError: there is no such node.
        """

        def by_node() -> dict[str, Span]:
            source = self.meta.source
            if source is None:
                return {}
            from aifgraph.text.markup import plain_text

            marks = source.spans
            if marks is None:
                marks = tuple(Span(*mark) for mark in plain_text(source.text).spans)
            return {span.node_id: span for span in reversed(marks)}

        spans, asked = self._once("spans", by_node, side_data=True), self[node]
        said_in = self.locution_of(asked) if asked.id not in spans else None
        return spans.get(said_in.id if said_in else asked.id)

    def _records(self) -> dict[str, list[LocutionRecord]]:
        def by_node() -> dict[str, list[LocutionRecord]]:
            records: dict[str, list[LocutionRecord]] = {}
            for record in self.meta.locutions:
                records.setdefault(record.node_id, []).append(record)
            return records

        return self._once("records", by_node, side_data=True)

    def speaker_of(self, node: NodeLike) -> Participant | None:
        """Who said a locution, or a proposition (for which the locution that says it is asked).

        The first participant that a locution record names, else one with the name before the first colon of the
        locution's text and an empty id, else None.
        """
        start = self[node]
        locution = start if isinstance(start, Locution) else self.locution_of(start)
        if locution is None:
            return None
        # AMF's services give everybody whom they add the id 1: whoever had it first keeps it.
        people = self._once("people", lambda: {one.id: one for one in reversed(self.meta.participants)}, side_data=True)
        for record in self._records().get(locution.id, ()):
            if record.person_id in people:
                return people[record.person_id]
        prefix = speaker_prefix(locution.text)
        return Participant("", prefix) if prefix else None

    @property
    def participants(self) -> tuple[Participant, ...]:
        """The people that the map lists, in its order, whether or not they speak in it. Maps of AIFdb mostly list
        nobody: see :attr:`speakers`."""
        return self.meta.participants

    @property
    def speakers(self) -> tuple[Participant, ...]:
        """Who speaks, in the order of their first locutions: participants that locution records name, and where there
        are none the names before the first colon of the locutions' texts (their ids are empty).

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> _ = build.locution("Ann Lee: Masks help"), build.locution("Bob: No"), build.locution("Ann Lee: They do")
        >>> [person.name for person in build.graph().speakers]
        ['Ann Lee', 'Bob']
        """
        by_name: dict[str, Participant] = {}
        for locution in self.locutions:
            person = self.speaker_of(locution)
            if person is not None and (person.name not in by_name or not by_name[person.name].id):
                by_name[person.name] = person
        return tuple(by_name.values())

    # -- nodes by what they say, and how far an argument reaches -------------------------------------------------

    find = search.find
    filter = search.filter_nodes

    roots = steps.roots
    leaves = steps.leaves
    ancestors = traverse.ancestors
    descendants = traverse.descendants
    components = traverse.components
    subgraph = traverse.subgraph

    def to_dict(self, *, format: str = "xaif") -> dict[str, Any]:
        """This graph as a JSON document of plain values: :func:`aifgraph.to_dict`.

        Raises:
            OptionError: ``format`` is none that is a JSON object.
        """
        from aifgraph.formats import to_dict

        return to_dict(self, format=format)

    # -- to other libraries ---------------------------------------------------------------------------------------

    def to_networkx(self, *, side_data: bool = True) -> networkx.MultiDiGraph[Any]:
        """This graph as a networkx ``MultiDiGraph`` whose attributes are strings (see ``aifgraph.interop``);
        with ``side_data`` what they cannot hold goes along, from which :meth:`from_networkx` restores the map."""
        from aifgraph.interop import to_networkx

        return to_networkx(self, side_data=side_data)

    def nodes_frame(self) -> pandas.DataFrame:
        """A data frame of the nodes, one a row, in order (see ``aifgraph.interop``; needs the extra
        ``frames``), with the columns ``map``, ``id``, ``type``, ``text``, ``scheme``, ``scheme_id``, ``speaker`` and
        ``timestamp``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from aifgraph.interop import nodes_frame

        return nodes_frame(self)

    def edges_frame(self) -> pandas.DataFrame:
        """A data frame of the edges, one a row, in order, with the columns ``map``, ``id``, ``source``, ``target``,
        ``source_type`` and ``target_type``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from aifgraph.interop import edges_frame

        return edges_frame(self)

    def to_frame(self) -> pandas.DataFrame:
        """A data frame of the argument: one row for each pair of a premise and a conclusion of a relation, with the
        columns ``map``, ``relation``, ``type``, ``scheme``, and for both ends id, text and speaker: ``source``,
        ``source_text``, ``source_speaker``, ``target`` …

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from aifgraph.interop import relations_frame

        return relations_frame(self)

    @staticmethod
    def from_networkx(graph: networkx.Graph[Any]) -> ArgumentGraph:
        """The graph in a directed graph of networkx whose nodes have a ``type`` and mostly a ``text``, with everything
        that :meth:`to_networkx` put into it (see ``aifgraph.interop``). Edges from claim to claim stay as they
        are; :func:`aifgraph.repair` puts inferences into them.

        Raises:
            InputError: the graph is undirected, a node has no type, an edge is a loop or given twice, or two ids are
                one text.
            FormatError: what is under ``aif`` is damaged.
        """
        from aifgraph.interop import from_networkx

        return from_networkx(graph)


def _rebuild(nodes: tuple[Node, ...], edges: tuple[Edge, ...], meta: Meta, name: str) -> ArgumentGraph:
    return ArgumentGraph._trusted({node.id: node for node in nodes}, edges, meta, name)
