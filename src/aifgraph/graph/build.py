"""``GraphBuilder``: the one mutable object, for making argument graphs in code.

>>> build = GraphBuilder()
>>> ann, bob = build.participant("Ann", "Lee"), build.participant("Bob", "May")
>>> first = build.locution("Ann Lee: Masks help", speaker=ann)
>>> second = build.locution("Bob May: They filter", speaker=bob)
>>> answer = build.transition(first, second)
>>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
>>> _ = build.illocution(first, claim, "Asserting"), build.illocution(second, reason, "Asserting")
>>> why = build.inference([reason], claim)
>>> _ = build.illocution(answer, why, "Arguing")
>>> graph = build.graph()
>>> graph.speaker_of(reason).name, [node.text for node in graph.premises_of(why)]
('Bob May', ['They filter'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aifgraph.errors import InputError, OptionError
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant, SourceText
from aifgraph.graph.nodes import EMPTY, Edge, Node, Scheme, make_node
from aifgraph.graph.schemes import DEFAULT_TEXTS


class GraphBuilder:
    """Collects nodes and edges, checks each as it comes, and gives a frozen graph.

    Every verb returns the id of what it made; ids that are not given count up from 1. Start from a ``graph`` to go on
    with what it holds.
    """

    def __init__(self, graph: ArgumentGraph | None = None, *, name: str = "") -> None:
        self.name = name or (graph.name if graph else "")
        self._nodes: dict[str, Node] = {node.id: node for node in graph} if graph else {}
        self._edges: dict[tuple[str, str], Edge] = {(e.source, e.target): e for e in graph.edges} if graph else {}
        meta = graph.meta if graph else Meta()
        self._meta = meta
        self._participants = list(meta.participants)
        self._locutions = list(meta.locutions)
        self._notices = list(meta.notices)
        self._source = meta.source
        self._next = 1

    # -- nodes ------------------------------------------------------------------------------------------------

    def node(
        self,
        type_: str,
        text: str = "",
        *,
        id: str | None = None,
        schemes: Iterable[Scheme] = (),
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """A node of any type; ``record`` holds further fields for files that keep them."""
        key = self._fresh() if id is None else str(id)
        if key in self._nodes:
            raise InputError("a node id is given twice", where=f"node {key}", remedy="ids are unique in a graph")
        self._nodes[key] = make_node(type_, key, text, tuple(schemes), record)
        return key

    def proposition(self, text: str, *, id: str | None = None, record: Mapping[str, Any] = EMPTY) -> str:
        """An I-node."""
        return self.node("I", text, id=id, record=record)

    def locution(
        self,
        text: str,
        *,
        speaker: str | None = None,
        start: str | None = None,
        id: str | None = None,
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """An L-node; with ``speaker`` (a participant's id) or ``start`` also its locution record."""
        key = self.node("L", text, id=id, record=record)
        if speaker is not None or start is not None:
            self._locutions.append(LocutionRecord(key, speaker, start))
        return key

    # -- scheme nodes -----------------------------------------------------------------------------------------

    def relation(
        self,
        type_: str,
        premises: Iterable[str],
        conclusion: str,
        text: str,
        *,
        id: str | None = None,
        schemes: Iterable[Scheme] = (),
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """An S-node of ``type_`` with its edges: several premises in one node are linked support."""
        if isinstance(premises, str):
            # Its letters would be taken for ids, and may well be some.
            raise OptionError("the premises are one string", remedy=f"give a list of ids: [{premises!r}]")
        ends = [*premises, conclusion]
        for end in ends:
            self._known(end)
        key = self.node(type_, text, id=id, schemes=schemes, record=record)
        for premise in ends[:-1]:
            self.edge(premise, key)
        self.edge(key, conclusion)
        return key

    def inference(self, premises: Iterable[str], conclusion: str, text: str = DEFAULT_TEXTS["RA"], **more: Any) -> str:
        """An RA-node: the premises support the conclusion together."""
        return self.relation("RA", premises, conclusion, text, **more)

    def conflict(self, attacker: str, attacked: str, text: str = DEFAULT_TEXTS["CA"], **more: Any) -> str:
        """A CA-node: from what attacks to what is attacked (a proposition, or a relation that is undercut)."""
        return self.relation("CA", [attacker], attacked, text, **more)

    def rephrase(self, rephrasing: str, rephrased: str, text: str = DEFAULT_TEXTS["MA"], **more: Any) -> str:
        """An MA-node."""
        return self.relation("MA", [rephrasing], rephrased, text, **more)

    def preference(self, preferred: str, dispreferred: str, text: str = DEFAULT_TEXTS["PA"], **more: Any) -> str:
        """A PA-node."""
        return self.relation("PA", [preferred], dispreferred, text, **more)

    def illocution(self, anchor: str, content: str, text: str, **more: Any) -> str:
        """A YA-node from a locution or a transition to what is said or done."""
        return self.relation("YA", [anchor], content, text, **more)

    def transition(self, start: str, end: str, text: str = DEFAULT_TEXTS["TA"], **more: Any) -> str:
        """A TA-node: ``end`` answers ``start``."""
        return self.relation("TA", [start], end, text, **more)

    # -- edges and what stands beside -------------------------------------------------------------------------

    def edge(self, source: str, target: str, *, id: str | None = None, record: Mapping[str, Any] = EMPTY) -> None:
        """An edge between two nodes that are there already."""
        self._known(source)
        self._known(target)
        if source == target:
            raise InputError("an edge leads from a node to itself", where=f"node {source}")
        if (source, target) in self._edges:
            raise InputError("an edge is given twice", where=f"edge {source} → {target}")
        self._edges[source, target] = Edge(source, target, id, record)

    def has_edge(self, source: str, target: str) -> bool:
        """Whether this edge is there already."""
        return (source, target) in self._edges

    def participant(
        self, first_name: str, surname: str = "", *, id: str | None = None, record: Mapping[str, Any] = EMPTY
    ) -> str:
        """A person; gives the id for ``locution(speaker=…)``."""
        taken = {person.id for person in self._participants}
        key = str(id) if id is not None else next(k for i in range(len(taken) + 1) if (k := str(i + 1)) not in taken)
        self._participants.append(Participant(key, first_name, surname, record))
        return key

    def record(self, record: LocutionRecord) -> None:
        """One more locution record."""
        self._locutions.append(record)

    def source(self, source: SourceText | str) -> None:
        """The text that the graph analyses."""
        self._source = SourceText(source) if isinstance(source, str) else source

    def notice(self, code: str, message: str, *nodes: str) -> None:
        """Something the reader of this graph should know."""
        self._notices.append(Notice(code, message, nodes))

    def __contains__(self, id_: object) -> bool:
        return id_ in self._nodes

    def graph(self, **meta: Any) -> ArgumentGraph:
        """The frozen graph; further fields of ``Meta`` by keyword (``form``, ``document``, …)."""
        from dataclasses import replace

        beside = replace(
            self._meta,
            participants=tuple(self._participants),
            locutions=tuple(self._locutions),
            notices=tuple(self._notices),
            source=self._source,
            **meta,
        )
        return ArgumentGraph._trusted(dict(self._nodes), tuple(self._edges.values()), beside, self.name)

    def _fresh(self) -> str:
        while str(self._next) in self._nodes:
            self._next += 1
        return str(self._next)

    def _known(self, id_: str) -> None:
        if id_ not in self._nodes:
            raise InputError("an edge has an unknown end", where=f"node {id_}", remedy="make the node first")
