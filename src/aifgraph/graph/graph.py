"""The argument graph.

A graph is immutable and ordered, its ids are unique, and its edges lead from node to node::

    L  "Ann: Masks help"  ──▶ YA Asserting ──▶ I  "Masks help"        a locution anchors a proposition
    │                                          ▲
    ▼                                          RA ◀── YA Arguing      an inference, anchored …
    TA ───────────────────────────────────────────────▲               … in a transition
    ▼                                          │
    L  "Bob: They filter" ──▶ YA Asserting ──▶ I  "They filter"

:class:`~aifgraph.graph.builder.GraphBuilder` makes graphs and changed copies; ``aifgraph.load`` reads them from files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from aifgraph.errors import NoSuchNameError
from aifgraph.graph.columns import Columns, DataFrame, MultiDiGraph, Networkx, content, content_differences
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
    check_text,
    node_id,
)
from aifgraph.graph.side_data import LocutionRecord, Meta, Notice, Participant, speaker_prefix
from aifgraph.text.source import Span

N = TypeVar("N", bound=Node)


def check_graph(value: object) -> None:
    """Raise ``TypeError`` where a graph is expected and something else is given."""
    if not isinstance(value, ArgumentGraph):
        raise TypeError(f"an ArgumentGraph is expected, not {type(value).__name__}; load makes one of a file")


class Step(NamedTuple):
    """One step of an argument: a proposition, and the relation that leads from it to a claim."""

    node: Proposition
    relation: SchemeNode


@dataclass(frozen=True, eq=False, repr=False)
class ArgumentGraph:
    """Nodes and edges in the order of their file, and the side data of the file.

    Methods that take a node also take its id (``graph.supports("7")``). They raise ``NoSuchNameError``, which is a
    ``KeyError``, if it is not in the graph. Methods that select nodes keep the order of the graph; methods that go one
    step from a node keep the order of the edges.

    Two graphs are equal if they have the same nodes, edges, people, locution records and source text, in the same
    order and with the same further fields (:meth:`diff` says what differs). Ids of edges, spans and the order of a
    node's schemes do not count, because formats invent, split and rearrange them.

    Attributes:
        nodes: all nodes.
        edges: all edges.
        meta: everything else.
        name: the source of the graph, usually a path.

    Raises:
        InputError: a node id or an edge is given twice, or an edge has an unknown end or joins a node to itself.

    >>> from aifgraph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> claim, reason = builder.proposition("Masks help"), builder.proposition("They filter")
    >>> inference = builder.inference([reason], claim)
    >>> graph = builder.graph()
    >>> graph
    <ArgumentGraph: 3 nodes, 2 edges>
    >>> graph[claim].text, [step.node.text for step in graph.supports(claim)]
    ('Masks help', ['They filter'])
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = field(default_factory=tuple)
    meta: Meta = field(default_factory=Meta)
    name: str = ""

    def __post_init__(self) -> None:
        self.__dict__["_columns"] = Columns.of(self.__dict__.pop("nodes"), self.__dict__.pop("edges"))

    @classmethod
    def _of(cls, columns: Columns, meta: Meta, name: str = "") -> ArgumentGraph:
        graph = object.__new__(cls)
        graph.__dict__.update(_columns=columns, meta=meta, name=name)
        return graph

    if TYPE_CHECKING:

        @property
        def _columns(self) -> Columns: ...
    else:

        def __getattr__(self, name: str) -> Any:
            """Return the nodes or the edges, which stand in columns until somebody asks for them."""
            if name not in ("nodes", "edges"):
                raise AttributeError(f"a graph has no attribute {name!r}", name=name, obj=self)
            value = self.__dict__[name] = getattr(self._columns, name)
            return value

    @cached_property
    def _cache(self) -> dict[object, Any]:
        return {}

    def __len__(self) -> int:
        return len(self._columns.kinds)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        """Whether the graph has this node, or a node with this id."""
        return self.get(node) == node if isinstance(node, Node) else str(node) in self._columns.numbers

    def __getitem__(self, node: NodeLike) -> Node:
        """Return the node of an id."""
        return self.nodes[self._number(node)]

    def _number(self, node: NodeLike) -> int:
        id_ = node_id(node)
        try:
            return self._columns.numbers[id_]
        except KeyError:
            raise NoSuchNameError(f"there is no node {id_}", where=self.name or None) from None

    def get(self, node: NodeLike) -> Node | None:
        """Return the node of an id, or None."""
        number = self._columns.numbers.get(node_id(node))
        return None if number is None else self.nodes[number]

    def __eq__(self, other: object) -> bool:
        return content(self) == content(other) if isinstance(other, ArgumentGraph) else NotImplemented

    def diff(self, other: ArgumentGraph, *, limit: int = 10) -> tuple[str, ...]:
        """Return the first differences to another graph, one line each; none if the two are equal.

        >>> ArgumentGraph((Proposition("1", "Masks help"),)).diff(ArgumentGraph(()))
        ("node 0: ('1', 'I', 'Masks help', (), {}) ≠ None",)
        """
        return tuple(islice(content_differences(self, other), limit))

    def __hash__(self) -> int:
        return hash((self._columns.ids, *self._columns.sources, *self._columns.targets))

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<ArgumentGraph{name}: {len(self)} nodes, {len(self._columns.sources)} edges>"

    def __reduce__(self) -> tuple[object, ...]:
        return ArgumentGraph, (self.nodes, self.edges, self.meta, self.name)  # without what is cached

    def with_meta(self, **changes: Any) -> ArgumentGraph:
        """Return a copy with other side data: ``graph.with_meta(source=SourceText("…"))``."""
        return self._of(self._columns, self.meta.with_fields(changes), self.name)

    def with_name(self, name: str) -> ArgumentGraph:
        """Return a copy with another name."""
        return self._of(self._columns, self.meta, check_text(name, "the name"))

    # -- nodes by type ------------------------------------------------------------------------------------------------

    def of_type(self, cls: type[N]) -> tuple[N, ...]:
        """Return the nodes of a class: ``graph.of_type(Conflict)``."""
        return tuple(node for node in self.nodes if isinstance(node, cls))

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """The I-nodes."""
        return self.of_type(Proposition)

    @property
    def locutions(self) -> tuple[Locution, ...]:
        """The L-nodes, including analysts' copies."""
        return self.of_type(Locution)

    @property
    def inferences(self) -> tuple[Inference, ...]:
        """The RA-nodes."""
        return self.of_type(Inference)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The CA-nodes."""
        return self.of_type(Conflict)

    @property
    def rephrasings(self) -> tuple[Rephrase, ...]:
        """The MA-nodes."""
        return self.of_type(Rephrase)

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """The PA-nodes."""
        return self.of_type(Preference)

    @property
    def illocutions(self) -> tuple[Illocution, ...]:
        """The YA-nodes."""
        return self.of_type(Illocution)

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The TA-nodes."""
        return self.of_type(Transition)

    @property
    def relations(self) -> tuple[SchemeNode, ...]:
        """The RA-, CA-, MA- and PA-nodes."""
        return tuple(node for node in self.of_type(SchemeNode) if node.kind in RELATIONS)

    @property
    def others(self) -> tuple[OtherNode, ...]:
        """The nodes of types that AIF does not define."""
        return self.of_type(OtherNode)

    # -- neighbours ---------------------------------------------------------------------------------------------------

    def successors(self, node: NodeLike) -> tuple[Node, ...]:
        """Return the nodes that edges lead to from a node."""
        return tuple([self.nodes[number] for number in self._columns.neighbours[0][self._number(node)]])

    def predecessors(self, node: NodeLike) -> tuple[Node, ...]:
        """Return the nodes that edges lead to a node from."""
        return tuple([self.nodes[number] for number in self._columns.neighbours[1][self._number(node)]])

    def premises_of(self, relation: NodeLike) -> tuple[Node, ...]:
        """Return what a relation or a transition starts from.

        These are its predecessors, except the illocutions that anchor it. A relation that leads to another one (an
        undercut) is a premise only if there is no other. Several premises of one inference support together.
        """
        starts = tuple(node for node in self.predecessors(relation) if node.kind != "YA")
        return tuple(node for node in starts if node.kind not in RELATIONS) or starts

    def conclusions_of(self, relation: NodeLike) -> tuple[Node, ...]:
        """Return the nodes that a relation or transition leads to, except illocutions anchored in it; mostly one."""
        return tuple(node for node in self.successors(relation) if node.kind != "YA")

    def supports(self, claim: NodeLike) -> tuple[Step, ...]:
        """Return what supports a claim or a relation directly: propositions, each with its inference (RA).

        Premises that support together share their inference.
        """
        return self._steps_to(claim, Inference)

    def attacks(self, claim: NodeLike) -> tuple[Step, ...]:
        """Return the propositions that attack a claim or undercut a relation, each with its conflict (CA)."""
        return self._steps_to(claim, Conflict)

    def rephrases(self, claim: NodeLike) -> tuple[Step, ...]:
        """Return the propositions that restate a claim, each with its rephrase (MA)."""
        return self._steps_to(claim, Rephrase)

    def _steps_to(self, claim: NodeLike, cls: type[SchemeNode]) -> tuple[Step, ...]:
        relations = (node for node in self.predecessors(claim) if isinstance(node, cls))
        pairs = ((premise, relation) for relation in relations for premise in self.premises_of(relation))
        return tuple(Step(premise, relation) for premise, relation in pairs if isinstance(premise, Proposition))

    def illocutions_of(self, node: NodeLike) -> tuple[Illocution, ...]:
        """Return the illocutions that lead to a node."""
        return tuple(node for node in self.predecessors(node) if isinstance(node, Illocution))

    def anchors_of(self, node: NodeLike) -> tuple[Node, ...]:
        """Return the locutions and transitions in which an illocution, or the content of illocutions, is anchored."""
        illocutions = (self[node],) if self[node].kind == "YA" else self.illocutions_of(node)
        anchors = (anchor for illocution in illocutions for anchor in self.predecessors(illocution))
        return tuple(dict.fromkeys(anchor for anchor in anchors if isinstance(anchor, Locution | Transition)))

    def content_of(self, node: NodeLike) -> tuple[Node, ...]:
        """Return the content of an illocution, or of the illocutions of a locution or a transition."""
        node = self[node]
        illocutions = (node,) if node.kind == "YA" else self.successors(node)
        contents = (self.successors(illocution) for illocution in illocutions if illocution.kind == "YA")
        return tuple(dict.fromkeys(content for several in contents for content in several))

    def locution_of(self, node: NodeLike) -> Locution | None:
        """Return the first locution that anchors a proposition or an illocution."""
        return next((anchor for anchor in self.anchors_of(node) if isinstance(anchor, Locution)), None)

    # -- speakers and places ------------------------------------------------------------------------------------------

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of reading: what was repaired or left out."""
        return self.meta.notices

    @property
    def text(self) -> str:
        """The source text, without markup. Empty if there is none."""
        return self.meta.source.text if self.meta.source else ""

    @property
    def participants(self) -> tuple[Participant, ...]:
        """The people that the file lists. Graphs from AIFdb usually list nobody: see :attr:`speakers`."""
        return self.meta.participants

    @property
    def speakers(self) -> tuple[Participant, ...]:
        """The people who speak, in the order of their first locutions."""
        by_name: dict[str, Participant] = {}
        for locution in self.locutions:
            person = self.speaker_of(locution)
            if person is not None and (person.name not in by_name or not by_name[person.name].id):
                by_name[person.name] = person
        return tuple(by_name.values())

    @cached_property
    def _people(self) -> dict[str, Participant]:
        # AMF's services give everybody whom they add the id 1: the first person keeps it.
        return {person.id: person for person in reversed(self.meta.participants)}

    @cached_property
    def _records(self) -> dict[str, list[LocutionRecord]]:
        records: dict[str, list[LocutionRecord]] = {}
        for record in self.meta.locutions:
            records.setdefault(record.node_id, []).append(record)
        return records

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return {span.node_id: span for span in reversed(self.meta.source.spans)} if self.meta.source else {}

    def speaker_of(self, node: NodeLike) -> Participant | None:
        """Return who made a locution, or the locution of a proposition.

        This is the first listed person that a locution record names. If there is none, it is the name that the
        locution's text begins with (``Ann Lee: …``), as a participant without id.
        """
        node = self[node]
        locution = node if node.kind == "L" else self.locution_of(node)
        if locution is None:
            return None
        if person := self._recorded_speaker(locution.id):
            return person
        name = speaker_prefix(locution.text)
        return Participant("", name) if name else None

    def _recorded_speaker(self, locution: str) -> Participant | None:
        """Return the first listed person that a record of a locution, given by its id, names."""
        records = self._records.get(locution, ())
        people = self._people
        return next((people[record.person_id] for record in records if record.person_id in people), None)

    def records_of(self, locution: NodeLike) -> tuple[LocutionRecord, ...]:
        """Return the locution records of a node: who made it, and when."""
        return tuple(self._records.get(self[locution].id, ()))

    def span_of(self, node: NodeLike) -> Span | None:
        """Return the first span of :attr:`text` that is marked for a node, or for the locution of a proposition."""
        node = self[node]
        locution = None if node.id in self._spans else self.locution_of(node)
        return self._spans.get(locution.id if locution else node.id)

    # -- selecting ----------------------------------------------------------------------------------------------------

    def roots(self) -> tuple[Proposition, ...]:
        """Return the propositions that start no relation.

        >>> import aifgraph
        >>> aifgraph.load("fixtures/debate/first.json").roots()[0].text
        'the council should close the high street to cars'
        """
        starts = {start.id for relation in self.relations for start in self.predecessors(relation)}
        return tuple(node for node in self.propositions if node.id not in starts)

    def components(self) -> tuple[tuple[Node, ...], ...]:
        """Return the connected parts of the graph, in the order of their first nodes."""
        from aifgraph.graph.walk import components

        return components(self)

    def subgraph(self, nodes: Iterable[NodeLike], *, anchors: bool = True) -> ArgumentGraph:
        """Return the part of the graph among some nodes, with the same ids.

        Relations whose premises and conclusions are all in the part come along, and relations on these from nodes in
        the part. The part keeps the source text, and the records, people and spans of its nodes.

        Args:
            nodes: nodes or ids.
            anchors: whether illocutions come along, with their locutions and transitions.
        """
        from aifgraph.graph.walk import subgraph

        return subgraph(self, nodes, anchors)

    # -- to and from other representations ----------------------------------------------------------------------------

    def to_dict(self, *, format: str | None = None) -> dict[str, Any]:
        """Return the graph as a JSON document: :func:`aifgraph.to_dict`."""
        from aifgraph.formats import to_dict

        return to_dict(self, format=format)

    def to_networkx(self) -> MultiDiGraph:
        """Return the graph for networkx (see ``aifgraph.interop``)."""
        from aifgraph.interop import to_networkx

        return to_networkx(self)

    @staticmethod
    def from_networkx(graph: Networkx) -> ArgumentGraph:
        """Read a graph of networkx whose nodes have a ``type`` and a ``text``."""
        from aifgraph.interop import from_networkx

        return from_networkx(graph)

    def nodes_frame(self) -> DataFrame:
        """Return a data frame with one row for each node (see ``aifgraph.interop``)."""
        from aifgraph.interop import nodes_frame

        return nodes_frame(self)

    def edges_frame(self) -> DataFrame:
        """Return a data frame with one row for each edge."""
        from aifgraph.interop import edges_frame

        return edges_frame(self)

    def to_frame(self) -> DataFrame:
        """Return a data frame with one row for each pair of a premise and a conclusion of a relation."""
        from aifgraph.interop import relations_frame

        return relations_frame(self)

    def _repr_html_(self) -> str:
        from aifgraph.report.pictures import graph_html

        return graph_html(self)
