"""``GraphBuilder`` makes argument graphs, and changed copies of them.

>>> builder = GraphBuilder()
>>> first = builder.locution("Ann Lee: Masks help", speaker="Ann Lee")
>>> second = builder.locution("Bob May: They filter", speaker="Bob May")
>>> claim, reason = builder.proposition("Masks help"), builder.proposition("They filter")
>>> inference = builder.inference([reason], claim)
>>> asserting = builder.illocution(first, claim), builder.illocution(second, reason)
>>> arguing = builder.illocution(builder.transition(first, second), inference)
>>> graph = builder.graph()
>>> graph.speaker_of(reason).name, [node.text for node in graph.premises_of(inference)]
('Bob May', ['They filter'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, TypeAlias, TypedDict, Unpack

from aifgraph.errors import InputError, NoSuchNameError, OptionError, choose_from
from aifgraph.graph.graph import ArgumentGraph, check_graph
from aifgraph.graph.nodes import (
    NAMES,
    RELATIONS,
    SCHEME_KINDS,
    Edge,
    NewIds,
    Node,
    NodeLike,
    check_id,
    check_text,
    make_node,
    node_id,
    plain_fields,
    type_named,
)
from aifgraph.graph.schemes import (
    DEFAULT_TEXTS,
    USUAL_ILLOCUTIONS,
    Schemes,
    as_schemes,
    fold_name,
    schemes_of_text,
    text_of_schemes,
)
from aifgraph.graph.side_data import (
    LocutionRecord,
    Notice,
    Participant,
    People,
    SourceText,
    check_record,
    check_source,
    format_time,
    speaker_prefix,
    split_name,
)
from aifgraph.graph.walk import end_of, orphans_without

#: A new id; None is the next free one.
Id: TypeAlias = str | int | None
#: Further fields of an entry, for formats that keep them.
Extra: TypeAlias = Mapping[str, Any] | None

#: The node types that scheme nodes of a type do not join. Illocutions may lead to anything.
_REFUSED: Final = {
    **dict.fromkeys(RELATIONS, ("L", "TA", "YA")),
    "TA": ("I", "YA", "TA", *RELATIONS),
    "YA": ("I", "YA", *RELATIONS),
}


class NodeFields(TypedDict, total=False):
    """What all scheme nodes can be given: see ``GraphBuilder.relation``."""

    id: Id
    schemes: Schemes | None
    extra: Extra


class GraphBuilder:
    """Collects nodes and edges, checks each of them, and returns immutable graphs.

    Methods that add something return its id. Arguments that are nodes can be given by id; an unknown node is a
    ``NoSuchNameError``. Methods that add nodes take an ``id``; without it, they continue the ids of the graph (after
    4871 comes 4872, after ``12_3f9`` comes ``13_3f9``). They also take ``extra``, further fields of plain values
    (``{"confidence": 0.9}``), and ``schemes``: one or several, each a ``Scheme``, or a name or id in AIFdb's catalogue.
    If a method raises an error, the builder does not change.

    Args:
        graph: a graph to change. The graph itself does not change.
        name: the name of the new graph.
    """

    def __init__(self, graph: ArgumentGraph | None = None, *, name: str = "") -> None:
        graph = ArgumentGraph(()) if graph is None else graph
        check_graph(graph)
        self.name = check_text(name, "the name") or graph.name
        self._nodes = {node.id: node for node in graph.nodes}
        self._set_edges(graph.edges)
        self._meta = graph.meta
        self._set_records(graph.meta.locutions)
        self._notices = list(graph.meta.notices)
        #: Nodes that are gone, while side data still name them: to look for it at each removal takes too long.
        self._removed: set[str] = set()
        spans = graph.meta.source.spans if graph.meta.source else ()
        other_ids = (*(record.node_id for record in self._records), *(span.node_id for span in spans))
        self._node_ids = NewIds((*self._nodes, *other_ids))
        self._people = People(graph.meta, self._nodes)

    def _set_records(self, records: Iterable[LocutionRecord]) -> None:
        self._records = list(records)
        #: The indices of the records of each locution.
        self._record_indices: dict[str, list[int]] = {}
        for index, record in enumerate(self._records):
            self._record_indices.setdefault(record.node_id, []).append(index)

    def _set_edges(self, edges: Iterable[Edge]) -> None:
        self._edges: dict[tuple[str, str], Edge] = {}
        #: The edges from and to each node, as far as they are there.
        self._ends_at: dict[str, list[tuple[str, str]]] = {}
        for edge in edges:
            self._add_edge(edge)

    def _add_edge(self, edge: Edge) -> None:
        ends = edge[:2]
        if self._edges.setdefault(ends, edge) is edge:
            for end in ends:
                self._ends_at.setdefault(end, []).append(ends)

    def graph(self, **meta: Any) -> ArgumentGraph:
        """Return the current graph. Fields of ``Meta`` can be set: ``builder.graph(form="brat")``."""
        self._settle()
        notices = tuple(notice for notice in self._notices if notice.code != "map-empty" or not self._nodes)
        listed = {"participants": tuple(self._people.listed), "locutions": tuple(self._records), "notices": notices}
        fields: dict[str, Any] = listed | meta
        return ArgumentGraph(
            tuple(self._nodes.values()), tuple(self._edges.values()), self._meta.with_fields(fields), self.name
        )

    def __contains__(self, node: NodeLike) -> bool:
        return node_id(node) in self._nodes

    # -- nodes --------------------------------------------------------------------------------------------------------

    def node(
        self,
        type_: str,
        text: str = "",
        *,
        id: Id = None,
        schemes: Schemes = (),
        timestamp: str | None = None,
        extra: Extra = None,
    ) -> str:
        """Add a node of any type.

        Raises:
            InputError: the id is taken.
            NoSuchNameError: there is no such scheme.
        """
        key = None if id is None else self._free_id(id)
        text = check_text(text, "the text", key and f"node {key}")
        if timestamp is not None:
            check_text(timestamp, "the timestamp", key and f"node {key}")
        type_ = check_text(type_, "the type")
        node_schemes, fields = as_schemes(schemes, type_named(type_)), plain_fields(extra)
        key = key or self._node_ids.next()
        if key in self._removed:
            self._settle()
        self._node_ids.taken.add(key)
        self._nodes[key] = make_node(type_, key, text, node_schemes, timestamp, fields)
        return key

    def _free_id(self, id: str | int) -> str:
        if (key := check_id(id)) in self._nodes:
            raise InputError("a node id is given twice", where=f"node {key}")
        return key

    def proposition(self, text: str, *, id: Id = None, extra: Extra = None) -> str:
        """Add a proposition (I): a claim, without its speaker."""
        return self.node("I", text, id=id, extra=extra)

    def locution(
        self,
        text: str,
        *,
        speaker: Participant | str | None = None,
        start: datetime | str | None = None,
        id: Id = None,
        extra: Extra = None,
    ) -> str:
        """Add a locution (L), and its record if speaker or time are given.

        Args:
            text: what was said. AIF files begin it with the speaker's name: ``Ann Lee: Masks help``.
            speaker: a participant, an id or a name. A new name becomes a new participant.
            start: when it was said.
            id, extra: see the class.
        """
        if id is not None:
            self._free_id(id)
        check_text(text, "the text", None if id is None else f"node {id}")
        fields, time = plain_fields(extra), None if start is None else format_time(start)
        person_id = None if speaker is None else self._people.speaker_id(speaker)  # the last that can fail
        key = self.node("L", text, id=id, extra=fields)
        if person_id is not None or time is not None:
            self.record(LocutionRecord(key, person_id, time))
        return key

    # -- scheme nodes -------------------------------------------------------------------------------------------------

    def relation(
        self,
        type_: str,
        premises: NodeLike | Iterable[NodeLike],
        conclusion: NodeLike,
        text: str | None = None,
        *,
        id: Id = None,
        schemes: Schemes | None = None,
        extra: Extra = None,
    ) -> str:
        """Add a scheme node (RA, CA, MA, PA, YA or TA) with its edges. Several premises of one node are linked.

        Without a text it gets the default of its type, and without schemes the one that its text names.

        Raises:
            InputError: a node is of a type that such a scheme node does not join.
        """
        kind = check_text(type_, "the type").upper()
        if kind not in SCHEME_KINDS:
            raise OptionError(f"{type_!r} is not a type of scheme nodes", remedy=choose_from(SCHEME_KINDS))
        premise_list = premises if isinstance(premises, Iterable) and not isinstance(premises, str) else [premises]
        sources = list(dict.fromkeys(self._existing(premise).id for premise in premise_list))
        target = self._existing(conclusion).id
        if not sources:
            raise InputError(f"{kind} needs a premise", where=f"node {target}")
        if sources == [target]:
            raise InputError(f"{kind} cannot lead from a node to itself", where=f"node {target}")
        for end in sources if kind == "YA" else [*sources, target]:
            if (type_of_end := self._nodes[end].type) in _REFUSED[kind]:
                what = f"a {NAMES[type_of_end]} ({type_of_end}) cannot be an end of {kind}"
                raise InputError(what, where=f"node {end}")
        text = DEFAULT_TEXTS[kind] if text is None else check_text(text, "the text", f"node {target}")
        schemes = schemes_of_text(kind, text) if schemes is None else schemes
        key = self.node(kind, text, id=id, schemes=schemes, extra=extra)
        for source in sources:
            self.edge(source, key)
        self.edge(key, target)
        return key

    def inference(
        self,
        premises: NodeLike | Iterable[NodeLike],
        conclusion: NodeLike,
        text: str | None = None,
        **fields: Unpack[NodeFields],
    ) -> str:
        """Add an inference (RA): the premises together support the conclusion."""
        return self.relation("RA", premises, conclusion, text, **fields)

    def conflict(
        self,
        attackers: NodeLike | Iterable[NodeLike],
        attacked: NodeLike,
        text: str | None = None,
        **fields: Unpack[NodeFields],
    ) -> str:
        """Add a conflict (CA) with a proposition, or with a relation that is undercut; several attack together."""
        return self.relation("CA", attackers, attacked, text, **fields)

    def rephrase(
        self, rephrasing: NodeLike, rephrased: NodeLike, text: str | None = None, **fields: Unpack[NodeFields]
    ) -> str:
        """Add a rephrase (MA): one proposition restates another in other words."""
        return self.relation("MA", [rephrasing], rephrased, text, **fields)

    def preference(
        self, preferred: NodeLike, dispreferred: NodeLike, text: str | None = None, **fields: Unpack[NodeFields]
    ) -> str:
        """Add a preference (PA) of one node to another."""
        return self.relation("PA", [preferred], dispreferred, text, **fields)

    def transition(self, start: NodeLike, end: NodeLike, text: str | None = None, **fields: Unpack[NodeFields]) -> str:
        """Add a transition (TA): the locution *end* responds to the locution *start*."""
        return self.relation("TA", [start], end, text, **fields)

    def illocution(
        self, anchor: NodeLike, content: NodeLike, text: str | None = None, **fields: Unpack[NodeFields]
    ) -> str:
        """Add an illocution (YA) from a locution or a transition to its content.

        Without a text it is called like its scheme. Without a scheme, locutions assert propositions, and relations are
        done by Arguing (RA), Disagreeing (CA) or Restating (MA).
        """
        schemes = as_schemes(fields.get("schemes") or (), "YA")
        ends = self._existing(anchor).kind, self._existing(content).kind
        usual = "Asserting" if ends in (("L", "I"), ("L", "L")) else USUAL_ILLOCUTIONS.get(ends[1])
        text = text or text_of_schemes(schemes) or usual
        if text is None:
            raise InputError("the text of the illocution is missing", where=f"node {node_id(content)}")
        return self.relation("YA", [anchor], content, text, **fields)

    # -- edges and side data ------------------------------------------------------------------------------------------

    def edge(self, source: NodeLike, target: NodeLike, *, id: Id = None, extra: Extra = None) -> None:
        """Add an edge between two nodes of any type, once, and not from a node to itself."""
        ends = self._existing(source).id, self._existing(target).id
        if ends[0] == ends[1]:
            raise InputError("an edge joins a node to itself", where=f"node {ends[0]}")
        if ends in self._edges:
            raise InputError("an edge is given twice", where=f"edge {ends[0]} → {ends[1]}")
        self._add_edge(Edge(*ends, None if id is None else check_id(id), plain_fields(extra) or None))

    def has_edge(self, source: NodeLike, target: NodeLike) -> bool:
        """Whether there is this edge."""
        return (node_id(source), node_id(target)) in self._edges

    def participant(self, first_name: str, surname: str = "", *, id: Id = None, extra: Extra = None) -> str:
        """Return the participant with this name, or add one; with an ``id``, always add one.

        >>> builder = GraphBuilder()
        >>> builder.participant("Ann", "Lee"), builder.participant("Ann Lee"), builder.participant("Bob")
        ('1', '1', '2')
        """
        fields = plain_fields(extra)
        names = check_text(first_name, "the first name"), check_text(surname, "the surname")
        first_name, surname = names if surname else split_name(first_name)
        key = None if id is None else check_id(id)
        return self._people.add(Participant(key or "", first_name, surname, fields))

    def record(self, record: LocutionRecord) -> None:
        """Add a locution record."""
        check_record(record)
        self._settle()
        self._record_indices.setdefault(record.node_id, []).append(len(self._records))
        self._records.append(record)
        self._node_ids.taken.add(record.node_id)
        self._people.note(record)

    def source(self, source: SourceText | str) -> None:
        """Set the source text; ``InputError`` if a span is not in it."""
        source = check_source(source if isinstance(source, SourceText) else SourceText(source))
        self._settle()
        self._meta = replace(self._meta, source=source)

    def notice(self, code: str, message: str, *nodes: NodeLike) -> None:
        """Add a notice."""
        notice = Notice(check_text(code, "the code"), check_text(message, "the message"), tuple(map(node_id, nodes)))
        self._settle()
        self._notices.append(notice)

    # -- changes ------------------------------------------------------------------------------------------------------

    def update(
        self,
        node: NodeLike,
        *,
        text: str | None = None,
        speaker: Participant | str | None = None,
        start: datetime | str | None = None,
        schemes: Schemes | None = None,
        extra: Extra = None,
    ) -> None:
        """Change a node. Arguments that are None change nothing.

        A locution's text that begins with the name of its speaker begins with that of the new one. If the text of a
        scheme node is the name of its scheme (``Asserting``), text and scheme follow each other. Fields of ``extra``
        are added or replaced.

        >>> builder = GraphBuilder()
        >>> locution = builder.locution("Ann: Masks help", speaker="Ann")
        >>> builder.update(locution, speaker="Bob May")
        >>> builder.graph()[locution].text
        'Bob May: Masks help'
        """
        old = self._existing(node)
        if (speaker is not None or start is not None) and old.kind != "L":
            raise InputError("only locutions have a speaker and a time", where=f"node {old.id}")
        if text is not None:
            text = check_text(text, "the text", f"node {old.id}")
        fields, times = plain_fields(extra), {} if start is None else {"start": format_time(start)}
        new_text = old.text if text is None else text
        new_schemes = old.schemes if schemes is None else as_schemes(schemes, old.type)
        called = {fold_name(scheme.name or "") for scheme in old.schemes if old.kind in SCHEME_KINDS}
        if fold_name(old.text) in called:
            if text is not None and schemes is None:
                new_schemes = schemes_of_text(old.kind, text) or old.schemes
            elif text is None and (old.kind == "YA" or old.text != DEFAULT_TEXTS[old.kind]):
                new_text = text_of_schemes(new_schemes) or old.text
        if speaker is not None:
            person_id = self._people.speaker_id(speaker)  # the last that can fail
            if text is None:
                new_text = self._text_said_by(old, person_id)
            self._change_records(old.id, person_id=person_id)
        if times:
            self._change_records(old.id, **times)
        self._nodes[old.id] = replace(old, text=new_text, schemes=new_schemes, extra=old.extra | fields)

    def rename_participant(self, person: Participant | str, first_name: str, surname: str = "") -> None:
        """Rename a person, also at the beginning of the texts of the person's locutions."""
        names = check_text(first_name, "the first name"), check_text(surname, "the surname")
        person_id, old_name, new_name = self._people.rename(person, *names)
        for record in self._records:
            node = self._nodes.get(record.node_id)
            if node is not None and record.person_id == person_id and speaker_prefix(node.text) == old_name:
                self._nodes[node.id] = replace(node, text=node.text.replace(old_name, new_name, 1))

    def remove(self, *nodes: NodeLike, cascade: bool = False) -> None:
        """Remove nodes with their edges, locution records and spans.

        If *cascade* is true, scheme nodes that lose all that they start from, or all that they lead to, go as well.

        Raises:
            InputError: without *cascade*, a scheme node would lose all of these; nothing is removed.

        >>> builder = GraphBuilder()
        >>> claim, reason = builder.proposition("Masks help"), builder.proposition("They filter")
        >>> inference = builder.inference([reason], claim)
        >>> builder.remove(reason)
        Traceback (most recent call last):
        aifgraph.errors.InputError: node 3: RA would lose its premises or its conclusion; remove it too, or cascade
        >>> builder.remove(reason, cascade=True)
        >>> inference in builder
        False
        """
        removed = orphans = {self._existing(node).id for node in nodes}
        while orphans := orphans_without(removed, self._nodes, self._edges_near(orphans, removed)):
            if not cascade:
                orphan = next(id_ for id_ in self._nodes if id_ in orphans)
                what = f"{self._nodes[orphan].type} would lose its premises or its conclusion"
                raise InputError(what, where=f"node {orphan}", remedy="remove it too, or cascade")
            removed |= orphans
        self._remove(removed)

    def _edges_near(self, nodes: Iterable[str], removed: Set[str]) -> dict[tuple[str, str], Edge]:
        """Return the edges of the scheme nodes beside some nodes, without those that are removed."""
        ends_near = (ends for node in nodes for ends in self._ends_at.get(node, ()) if ends in self._edges)
        near = {end for ends in ends_near for end in ends if self._nodes[end].kind in SCHEME_KINDS} - removed
        return {ends: self._edges[ends] for node in near for ends in self._ends_at[node] if ends in self._edges}

    def _remove(self, removed: set[str]) -> None:
        for id_ in removed:
            del self._nodes[id_]
            for ends in self._ends_at.pop(id_, ()):
                self._edges.pop(ends, None)
        self._removed |= removed

    def _settle(self, ids: Mapping[str, str] | None = None) -> None:
        """Remove the side data of removed nodes, and rename nodes in the rest."""
        renamed: dict[str, str | None] = {**dict.fromkeys(self._removed), **(ids or {})}
        if renamed:
            meta = replace(self._meta, locutions=tuple(self._records), notices=tuple(self._notices)).renamed(renamed)
            self._meta, self._notices = meta, list(meta.notices)
            self._set_records(meta.locutions)
            self._removed.clear()

    def remove_edge(self, source: NodeLike, target: NodeLike) -> None:
        """Remove an edge."""
        ends = node_id(source), node_id(target)
        if ends not in self._edges:
            raise NoSuchNameError(f"there is no edge {ends[0]} → {ends[1]}")
        del self._edges[ends]

    def merge(self, into: Mapping[str, str] | Mapping[NodeLike, NodeLike]) -> None:
        """Merge nodes into others, ``{merged: host}``: the hosts get their edges, schemes and records."""
        links = {self._existing(merged).id: self._existing(host).id for merged, host in into.items()}
        hosts = {merged_id: end_of(links, merged_id) for merged_id in links}
        for merged_id, host_id in hosts.items():
            if not host_id:
                raise InputError("nodes are merged into each other", where=f"node {merged_id}")
        for merged_id, host_id in hosts.items():
            merged, host = self._nodes.pop(merged_id), self._nodes[host_id]
            schemes = tuple(dict.fromkeys((*host.schemes, *merged.schemes)))
            self._nodes[host.id] = replace(host, schemes=schemes)
        moved = (
            edge._replace(source=hosts.get(edge.source, edge.source), target=hosts.get(edge.target, edge.target))
            for edge in self._edges.values()
        )
        self._set_edges([edge for edge in moved if edge.source != edge.target])
        self._settle(hosts)

    # -- nodes and people that are there ------------------------------------------------------------------------------

    def _existing(self, node: NodeLike) -> Node:
        id_ = node_id(node)
        if id_ not in self._nodes:
            raise NoSuchNameError(f"there is no node {id_}", where=self.name or None)
        return self._nodes[id_]

    def _text_said_by(self, locution: Node, person_id: str) -> str:
        """Return the text of a locution with the name of another speaker, if it begins with that of the old one."""
        prefix, names = speaker_prefix(locution.text), self._people.names
        records = [self._records[index] for index in self._record_indices.get(locution.id, ())]
        old_names = [names.get(record.person_id or "") for record in records]
        if not prefix or not names.get(person_id) or (any(old_names) and prefix not in old_names):
            return locution.text
        return locution.text.replace(prefix, names[person_id], 1)

    def _change_records(self, locution_id: str, **changes: Any) -> None:
        """Change all records of a locution, or add a first one."""
        if locution_id not in self._record_indices:
            self.record(LocutionRecord(locution_id))
        for index in self._record_indices[locution_id]:
            self._records[index] = replace(self._records[index], **changes)
