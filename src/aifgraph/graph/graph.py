"""The argument graph: immutable and ordered, its ids unique and its edges resolved.

Files hold more than that: repeated nodes, edges that lead nowhere. Reading repairs them and says so
(``graph.notices``), and keeps what it set aside (``graph.meta.unread``), so that writing gives back what was read.

::

    L  "Ann: Masks help"  ──▶ YA Asserting ──▶ I  "Masks help"        a locution anchors a proposition
    │                                          ▲
    ▼                                          RA ◀── YA Arguing      an inference, anchored …
    TA ───────────────────────────────────────────────▲               … in a transition
    ▼                                          │
    L  "Bob: They filter" ──▶ YA Asserting ──▶ I  "They filter"

What goes further than one step (ancestors, paths, parts of a map) is in ``aifgraph.graph.traverse``, what selects nodes
by text and speaker in ``aifgraph.graph.search``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, overload

from aifgraph.errors import InputError, NoSuchNameError
from aifgraph.graph import search, traverse
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant, speaker_prefix
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
from aifgraph.graph.traverse import Step
from aifgraph.hooks import hook

if TYPE_CHECKING:
    import networkx
    import pandas

D = TypeVar("D")
N = TypeVar("N", bound=Node)
T = TypeVar("T")

_Links = dict[str, list[Node]]


class ArgumentGraph:
    """Nodes and edges in the order of their file; everything else that the file holds is in ``meta``.

    Methods that ask about a node take it or its id (``graph.supports("7")``), raise ``NoSuchNameError`` (a
    ``KeyError``) where it is not in the graph, and give an empty tuple where there is nothing to give. Properties and
    methods that give nodes keep the order of the nodes in the file (or of the builder); those that go one step from a
    node keep that of the edges. Nothing recurses, and all but :meth:`paths` take time linear in the map.

    Equality looks at nodes, edges and their order, and at the people, locution records and text of ``meta``. What a
    format adds or arranges does not take part: ids of edges (some formats invent them), the order of the schemes of one
    node, and whether the places of nodes are marked in the source text or kept next to it.

    Attributes:
        edges: every edge, with ``source``, ``target``, ``id`` and ``record``, in order.
        meta: everything apart from nodes and edges.
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

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(
            f"an ArgumentGraph does not change ({key}); make another with GraphBuilder or aifgraph.graph.edit"
        )

    def __delattr__(self, key: str) -> None:
        self.__setattr__(key, None)

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
            remedy = "give a node or its id; find(text) looks for a text"
            raise NoSuchNameError(f"there is no node {id_}"[:200], where=self.name or None, remedy=remedy)
        return id_

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

    def premises_of(self, relation: NodeLike) -> tuple[Node, ...]:
        """What a relation starts from: its predecessors, without the illocutions that anchor it and without relations
        that bear on it (an undercut is no premise); a relation is one only where there is nothing else.

        Several premises of one RA support together. For a proposition these are the relations that lead to it:
        :meth:`supports` goes on to what they start from.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> both = [build.proposition("They filter"), build.proposition("Viruses are in the air")]
        >>> why = build.inference(both, build.proposition("Masks help"))
        >>> [node.text for node in build.graph().premises_of(why)]
        ['They filter', 'Viruses are in the air']
        """
        starts = tuple(node for node in self.predecessors(relation) if not isinstance(node, Illocution))
        return tuple(node for node in starts if node.type not in RELATIONS) or starts

    def conclusions_of(self, relation: NodeLike) -> tuple[Node, ...]:
        """What a relation leads to: propositions, or relations that are undercut or supported. Well-formed maps have
        exactly one."""
        return self.successors(relation)

    def starts_of(self, transition: NodeLike) -> tuple[Locution, ...]:
        """The locutions that a transition answers, mostly one."""
        return tuple(node for node in self.predecessors(transition) if isinstance(node, Locution))

    def ends_of(self, transition: NodeLike) -> tuple[Locution, ...]:
        """The locutions that answer in a transition, mostly one."""
        return tuple(node for node in self.successors(transition) if isinstance(node, Locution))

    def acts_on(self, node: NodeLike) -> tuple[Illocution, ...]:
        """The illocutions that lead to a node."""
        return tuple(each for each in self.predecessors(node) if isinstance(each, Illocution))

    def anchors_of(self, node: NodeLike) -> tuple[Node, ...]:
        """Where a node was said or done: locutions and transitions, each once. For an illocution those that lead to it,
        for anything else those of the illocutions that lead to it."""
        acts = (self[node],) if isinstance(self[node], Illocution) else self.acts_on(node)
        before = (each for act in acts for each in self.predecessors(act) if isinstance(each, Locution | Transition))
        return tuple({each.id: each for each in before}.values())

    def content_of(self, node: NodeLike) -> tuple[Node, ...]:
        """What is said or done: for an illocution what it leads to, for a locution or a transition the contents of the
        illocutions anchored in it."""
        if isinstance(self[node], Illocution):
            return self.successors(node)
        acts = (each for each in self.successors(node) if isinstance(each, Illocution))
        return tuple({each.id: each for act in acts for each in self.successors(act)}.values())

    def locution_of(self, node: NodeLike) -> Locution | None:
        """The first locution that says a proposition or does an illocution; None where the map has none for it."""
        return next((each for each in self.anchors_of(node) if isinstance(each, Locution)), None)

    # -- who speaks -------------------------------------------------------------------------------------------

    def records_of(self, locution: NodeLike) -> tuple[LocutionRecord, ...]:
        """The locution records of a node, each with the person and the times that the file gives. AIFdb often holds
        several for one locution."""
        return tuple(self._records().get(self._id(locution), ()))

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
        people = self._once("people", lambda: {one.id: one for one in self.meta.participants}, side_data=True)
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

    # -- nodes by what they say: aifgraph.graph.search ---------------------------------------------------------

    def find(self, text: str, *, fuzzy: float | None = None) -> tuple[Node, ...]:
        """The nodes whose text holds ``text``, whatever the case and the blanks.

        Args:
            text: what to look for.
            fuzzy: from 0 to 1: how similar a part of the node's text must be at least (1 is equal), for texts with
                typing errors; rapidfuzz's partial ratio, divided by 100. The most similar come first. None looks for
                the text itself.

        Raises:
            OptionError: ``text`` is no string, or ``fuzzy`` is not from 0 to 1.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> len(graph.find("twice the LIMIT")) > 0, len(graph.find("twize the limit"))
        (True, 0)
        >>> graph.find("twize the limit", fuzzy=0.9) == graph.find("twice the limit")
        True
        """
        return search.find(self, text, fuzzy)

    def filter(
        self,
        type: str | None = None,
        *,
        text: str | None = None,
        scheme: str | None = None,
        speaker: str | Participant | None = None,
        where: Callable[[Node], bool] | None = None,
    ) -> tuple[Node, ...]:
        """The nodes for which everything that is given holds.

        Args:
            type: ``I``, ``L``, ``RA`` …, in any case.
            text: a part of the text, as in :meth:`find`.
            scheme: id or name of a scheme that the node fulfils; names are compared on letters and digits.
            speaker: who said the node, as in :meth:`by_speaker`; for propositions, of the locution that says them.
            where: a function that is given the node.
        """
        return search.select(self, type, text, scheme, speaker, where)

    def by_speaker(self, name: str | Participant) -> tuple[Locution, ...]:
        """The locutions of a speaker: a name as in :attr:`speakers`, a participant's id, or a ``Participant``.

        What they claim is ``graph.filter("I", speaker=name)``."""
        return tuple(node for node in self.locutions if search.is_person(self.speaker_of(node), name))

    def between(self, start: datetime | str | None = None, end: datetime | str | None = None) -> tuple[Locution, ...]:
        """The locutions that were made from ``start`` on and before ``end``, by the start of their records.

        A text is read as in files (``2019-03-06 14:31:23``), None is no bound. A time that names its zone and one that
        does not cannot be compared: such records are left out, and where that holds for all of them it is an error.

        Raises:
            OptionError: a bound is no time, or no record can be compared with it.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> for minute in range(3):
        ...     _ = build.locution(f"Ann: {minute}", start=f"2021-11-11 21:0{minute}:00")
        >>> [node.text for node in build.graph().between("2021-11-11 21:01:00", "2021-11-11 21:02:00")]
        ['Ann: 1']
        """
        return search.between(self, start, end)

    # -- how far an argument reaches: aifgraph.graph.traverse --------------------------------------------------

    def supports(self, claim: NodeLike) -> tuple[Step, ...]:
        """What supports a claim, or a relation, directly: propositions, each with the inference (RA) between.

        Pairs ``(node, relation)``; premises that support together share their relation.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> claim = build.proposition("Masks help")
        >>> why = build.inference([build.proposition("They filter")], claim)
        >>> [(step.node.text, step.relation.id == why) for step in build.graph().supports(claim)]
        [('They filter', True)]
        """
        return traverse.steps(self, claim, "RA")

    def attacks(self, claim: NodeLike) -> tuple[Step, ...]:
        """What attacks a claim (rebuts it), or a relation (undercuts it), directly: propositions, each with the
        conflict (CA) between, as pairs ``(node, relation)``."""
        return traverse.steps(self, claim, "CA")

    def rephrases(self, claim: NodeLike) -> tuple[Step, ...]:
        """What rephrases a claim directly: propositions, each with the rephrase (MA) between, as pairs
        ``(node, relation)``.

        A rephrase has a direction: these are the propositions that restate the claim, and not those that it restates.
        All MA-nodes are ``graph.rephrasings``."""
        return traverse.steps(self, claim, "MA")

    def roots(self) -> tuple[Proposition, ...]:
        """The propositions that start no relation (RA, CA, MA, PA): the claims that everything else is about. One that
        stands alone is a root and a leaf; a circle has neither.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
        >>> graph = build.graph()
        >>> [node.text for node in graph.roots()], [node.text for node in graph.leaves()]
        (['Masks help'], ['They filter'])
        """
        return traverse.unrelated(self, self.successors)

    def leaves(self) -> tuple[Proposition, ...]:
        """The propositions that no relation (RA, CA, MA, PA) leads to: for these the map gives no reason."""
        return traverse.unrelated(self, self.predecessors)

    def ancestors(self, node: NodeLike) -> tuple[Node, ...]:
        """All nodes from which edges lead to this one, over any number of steps: for a claim, all that supports or
        attacks it, and where that was said. The node itself is not among them, not even on a circle.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> first, second, third = (build.proposition(text) for text in "abc")
        >>> _ = build.inference([first], second), build.inference([second], third)
        >>> graph = build.graph()
        >>> [found.text for found in graph.ancestors(third) if found.type == "I"]
        ['a', 'b']
        >>> [found.text for found in graph.descendants(first) if found.type == "I"]
        ['b', 'c']
        """
        return traverse.ancestors(self, self._id(node))

    def descendants(self, node: NodeLike) -> tuple[Node, ...]:
        """All nodes to which edges lead from this one, over any number of steps; not the node itself."""
        return traverse.descendants(self, self._id(node))

    def component(self, node: NodeLike) -> tuple[Node, ...]:
        """All nodes that are connected with this one, whatever the direction of the edges, and the node itself."""
        id_ = self._id(node)
        return next(part for part in self.components() if any(each.id == id_ for each in part))

    def components(self) -> tuple[tuple[Node, ...], ...]:
        """The connected parts of the map, in the order of their first nodes; every node is in exactly one.
        ``graph.subgraph(part)`` cuts one out."""
        return traverse.components(self)

    def depth(self, node: NodeLike | None = None) -> int | None:
        """How many relations lie between a node and the nearest root, or the greatest such number in the map.

        Counted are RA-, CA-, MA- and PA-nodes on the shortest way, the node itself included: a root has depth 0, what
        supports it 1, what undercuts that support 2. None for a node that leads to no root (it is on a circle, or no
        proposition or relation), and for a map without roots.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> first, second, third = (build.proposition(text) for text in "abc")
        >>> _ = build.inference([first], second), build.inference([second], third)
        >>> graph = build.graph()
        >>> graph.depth(), graph.depth(third), graph.depth(first)
        (2, 0, 2)
        """
        id_ = None if node is None else self._id(node)
        depths = traverse.depths(self)
        return max(depths.values(), default=None) if id_ is None else depths.get(id_)

    def paths(self, start: NodeLike, end: NodeLike, *, limit: int = 1000) -> Iterator[tuple[Node, ...]]:
        """The ways along the edges from one node to another, each without repeated nodes, in the order of the edges.

        Each is computed when it is asked for, at most ``limit`` of them; without circles in the map, each takes time
        linear in its length.

        Raises:
            OptionError: the limit is below 1.
            LimitError: the search in a map with circles takes more than ``traverse.MAX_STEPS`` steps without coming to
                another path.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> reason, claim = build.proposition("They filter"), build.proposition("Masks help")
        >>> _ = build.inference([reason], claim)
        >>> [[node.type for node in path] for path in build.graph().paths(reason, claim)]
        [['I', 'RA', 'I']]
        """
        return traverse.paths(self, self._id(start), self._id(end), limit)

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
            OptionError: one node or id in place of several.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> claim = graph.roots()[0]
        >>> part = graph.subgraph([claim, *(step.node for step in graph.supports(claim))])
        >>> len(part.propositions), len(part.inferences), len(part.locutions) > 0
        (2, 1, True)
        """
        return traverse.subgraph(self, nodes, anchors)

    # -- to other libraries ---------------------------------------------------------------------------------------

    def to_networkx(self, *, side_data: bool = True) -> networkx.MultiDiGraph[Any]:
        """This graph as a networkx ``MultiDiGraph`` whose attributes are strings (see ``aifgraph.interop.networkx``);
        with ``side_data`` what they cannot hold goes along, from which :meth:`from_networkx` restores the map."""
        converted: networkx.MultiDiGraph[str, Any, Any] = hook("to_networkx")(self, side_data=side_data)
        return converted

    def nodes_frame(self) -> pandas.DataFrame:
        """A data frame of the nodes, one a row, in order (see ``aifgraph.interop.frames``; needs the extra
        ``frames``), with the columns ``map``, ``id``, ``type``, ``text``, ``scheme``, ``scheme_id``, ``speaker`` and
        ``timestamp``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        frame: pandas.DataFrame = hook("nodes_frame")(self)
        return frame

    def edges_frame(self) -> pandas.DataFrame:
        """A data frame of the edges, one a row, in order, with the columns ``map``, ``id``, ``source``, ``target``,
        ``source_type`` and ``target_type``.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        frame: pandas.DataFrame = hook("edges_frame")(self)
        return frame

    def to_frame(self) -> pandas.DataFrame:
        """A data frame of the argument: one row for each pair of a premise and a conclusion of a relation, with the
        columns ``map``, ``relation``, ``type``, ``scheme``, and for both ends id, text and speaker: ``source``,
        ``source_text``, ``source_speaker``, ``target`` …

        Raises:
            MissingExtraError: pandas is not installed.
        """
        frame: pandas.DataFrame = hook("relations_frame")(self)
        return frame

    @staticmethod
    def from_networkx(given: networkx.Graph[Any]) -> ArgumentGraph:
        """The graph in a directed graph of networkx whose nodes have a ``type`` and mostly a ``text``, with everything
        that :meth:`to_networkx` put into it (see ``aifgraph.interop.networkx``).

        Raises:
            InputError: the graph is undirected, a node has no type, an edge is a loop or given twice, or two ids are
                one text.
            FormatError: what is under ``aif`` is damaged.
        """
        graph: ArgumentGraph = hook("from_networkx")(given)
        return graph


def _rebuild(nodes: tuple[Node, ...], edges: tuple[Edge, ...], meta: Meta, name: str) -> ArgumentGraph:
    return ArgumentGraph._trusted({node.id: node for node in nodes}, edges, meta, name)
