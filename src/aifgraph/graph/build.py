"""``GraphBuilder``: the one mutable object, for making argument graphs in code.

>>> build = GraphBuilder()
>>> ann, bob = build.participant("Ann", "Lee"), build.participant("Bob", "May")
>>> first = build.locution("Ann Lee: Masks help", speaker=ann)
>>> second = build.locution("Bob May: They filter", speaker=bob)
>>> answer = build.transition(first, second)
>>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
>>> _ = build.illocution(first, claim), build.illocution(second, reason)
>>> why = build.inference([reason], claim)
>>> _ = build.illocution(answer, why)
>>> graph = build.graph()
>>> graph.speaker_of(reason).name, [node.text for node in graph.premises_of(why)]
('Bob May', ['They filter'])
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypedDict, Unpack

from aifgraph.errors import InputError, NoSuchNameError, OptionError
from aifgraph.graph.ends import check_ends, relation_type, usual_illocution
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.ids import NewIds, named_nodes
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant, SourceText, written_time
from aifgraph.graph.nodes import EMPTY, Edge, Locution, Node, NodeLike, make_node, node_id
from aifgraph.graph.people import People
from aifgraph.graph.schemes import (
    DEFAULT_TEXTS,
    Schemes,
    listed_schemes,
    names_schemes,
    schemes_of_text,
    text_for,
    text_of,
)

#: Who speaks: what ``participant`` gave, a person of the file, or a name.
Speaker = Participant | str | int
#: When something was said: as files write it, or a moment.
Time = str | datetime


class RelationFields(TypedDict, total=False):
    """What every S-node can be given besides its ends and its text.

    Attributes:
        id: its id; otherwise the next free one.
        schemes: the schemes that it fulfils, by name or id; otherwise the one that its text names.
        record: further fields of its entry in a file.
    """

    id: str | int | None
    schemes: Schemes | None
    record: Mapping[str, Any]


class GraphBuilder:
    """Collects nodes and edges, checks each as it comes, and gives a frozen graph.

    Every verb that makes something returns its id, and wherever a node is asked for, it or its id can be given. Start
    from a ``graph`` to go on with what it holds, and to change it: :meth:`update` and :meth:`remove`.

    Ids that are not given are of the form and beyond the range of those that are there, and no id is given a second
    time: in a map of AIFdb whose last node is 4871 the next one is 4872, in a new map it is 1. ``record`` are further
    fields of an entry, for files that keep them: values that JSON has.

    A mistake is an error at once, and the builder is as before: an ``InputError`` where an id is taken or an end or a
    participant is not there, its subclass ``NoSuchNameError`` for a scheme, node or edge that is not there.

    Args:
        graph: a graph to go on with; the graph itself does not change. None starts with nothing.
        name: the name of the graph that is built, for messages.
    """

    def __init__(self, graph: ArgumentGraph | None = None, *, name: str = "") -> None:
        # A graph without nodes is false, and has people and a text nevertheless.
        start = ArgumentGraph([], []) if graph is None else graph
        self.name = name or start.name
        self._nodes: dict[str, Node] = {node.id: node for node in start}
        self._edges: dict[tuple[str, str], Edge] = {(edge.source, edge.target): edge for edge in start.edges}
        self._meta = meta = start.meta
        self._people = People(meta.participants, meta.locutions)
        self._notices = list(meta.notices)
        self._source = meta.source
        self._ids = NewIds(self._nodes, named_nodes(meta) if graph is not None else ())
        self._edge_ids = NewIds([edge.id for edge in start.edges if edge.id])
        #: Edges that were made without an id.
        self._unnumbered: dict[tuple[str, str], None] = {}

    # -- nodes ------------------------------------------------------------------------------------------------

    def node(
        self,
        type_: str,
        text: str = "",
        *,
        id: str | int | None = None,
        schemes: Schemes = (),
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """A node of any type; those that AIF does not define are kept.

        ``schemes`` are one or several, each a ``Scheme``, or the name or id of a scheme in AIFdb's catalogue for nodes
        of this type. ``Scheme(None, "My own")`` is one that AIFdb does not have.

        Raises:
            InputError: the id is taken.
            NoSuchNameError: there is no such scheme.

        >>> build = GraphBuilder()
        >>> _ = build.node("RA", "Default Inference", schemes="expert opinion")
        >>> build.graph().inferences[0].scheme
        Scheme(id='15', name='ExpertOpinion')
        """
        kind = type_.strip()
        if not kind:
            raise OptionError("a node without type", remedy="give I, L, RA, CA, MA, PA, YA or TA")
        listed = listed_schemes(schemes, kind)
        key = None if id is None else str(id)
        if key in self._nodes:
            raise InputError("a node id is given twice", where=f"node {key}"[:200], remedy="ids are unique in a graph")
        if key is None:
            key = self._ids.next()
        self._ids.take(key)
        self._nodes[key] = make_node(kind, key, text, listed, record)
        return key

    def proposition(self, text: str, *, id: str | int | None = None, record: Mapping[str, Any] = EMPTY) -> str:
        """An I-node: what is claimed, apart from who said it.

        Raises:
            InputError: the id is taken.
        """
        return self.node("I", text, id=id, record=record)

    def locution(
        self,
        text: str,
        *,
        speaker: Speaker | None = None,
        start: Time | None = None,
        id: str | int | None = None,
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """An L-node; with ``speaker`` or ``start`` also its locution record.

        Files of the field begin the text with the speaker (``Ann Lee: Masks help``). The ``speaker`` is what
        :meth:`participant` gave, a person of the file, or a name; one that nobody has is a new participant. ``start``
        is a ``datetime``, or a text as files have it: ``2019-03-06 14:31:23``, Unix time.

        Raises:
            InputError: the id is taken, there is no such participant, or several have the name.

        >>> build = GraphBuilder()
        >>> _ = build.locution("Masks help", speaker="Ann Lee"), build.locution("They filter", speaker="Ann Lee")
        >>> build.graph().participants
        (Participant(id='1', first_name='Ann', surname='Lee'),)
        """
        time = written_time(start)
        if id is not None and str(id) in self._nodes:  # before anybody is made for it
            return self.node("L", text, id=id)
        person = None if speaker is None else self._people.meant(speaker, self._nodes)
        key = self.node("L", text, id=id, record=record)
        if person is not None or time is not None:
            if person is not None:
                self._people.heard(person, text, self._nodes)
            self._people.records.append(LocutionRecord(key, person, time))
        return key

    # -- scheme nodes -----------------------------------------------------------------------------------------

    def relation(
        self,
        type_: str,
        premises: NodeLike | Iterable[NodeLike],
        conclusion: NodeLike,
        text: str | None = None,
        *,
        id: str | int | None = None,
        schemes: Schemes | None = None,
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """An S-node with its edges: several premises in one node are linked support.

        Without ``schemes`` it has the one that its text names, as in files of AIFdb: the default of its type for the
        default text. ``schemes=()`` is none. An end of a type that such a relation does not join (a locution as a
        premise) is an ``InputError``; a type other than RA, CA, MA, PA, YA and TA, or no premise, an ``OptionError``.

        >>> build = GraphBuilder()
        >>> said, claim = build.locution("Ann: They filter"), build.proposition("Masks help")
        >>> build.inference([said], claim)
        Traceback (most recent call last):
        aifgraph.errors.InputError: node 1: a locution (L) cannot be an end of RA; it joins propositions or relations
        """
        kind = relation_type(type_)
        listed = [premises] if isinstance(premises, Node | str | int) else premises
        ends = [*dict.fromkeys(map(node_id, listed)), node_id(conclusion)]
        if len(ends) == 1:
            raise OptionError(f"{kind} without premises")
        if ends[:-1] == ends[-1:]:
            what = f"{kind} from a node to itself"
            raise InputError(what, where=f"node {ends[-1]}"[:200], remedy="give another premise or conclusion")
        check_ends(kind, [self._nodes[self._known(end)] for end in ends])
        label = DEFAULT_TEXTS.get(kind, "") if text is None else text
        if schemes is None:
            schemes = schemes_of_text(kind, label)
        key = self.node(type_, label, id=id, schemes=schemes, record=record)
        for premise in ends[:-1]:
            self.edge(premise, key)
        self.edge(key, ends[-1])
        return key

    def inference(
        self,
        premises: NodeLike | Iterable[NodeLike],
        conclusion: NodeLike,
        text: str = DEFAULT_TEXTS["RA"],
        **more: Unpack[RelationFields],
    ) -> str:
        """An RA-node: the premises (propositions, or relations), one or several, support the conclusion together.

        Raises:
            InputError: an end is not there or of a type that cannot be one, or the id is taken.
        """
        return self.relation("RA", premises, conclusion, text, **more)

    def conflict(
        self, attacker: NodeLike, attacked: NodeLike, text: str = DEFAULT_TEXTS["CA"], **more: Unpack[RelationFields]
    ) -> str:
        """A CA-node: from what attacks to what is attacked: a proposition, or a relation that is undercut.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("CA", [node_id(attacker)], attacked, text, **more)

    def rephrase(
        self,
        rephrasing: NodeLike,
        rephrased: NodeLike,
        text: str = DEFAULT_TEXTS["MA"],
        **more: Unpack[RelationFields],
    ) -> str:
        """An MA-node: one proposition says in other words what another one says.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("MA", [node_id(rephrasing)], rephrased, text, **more)

    def preference(
        self,
        preferred: NodeLike,
        dispreferred: NodeLike,
        text: str = DEFAULT_TEXTS["PA"],
        **more: Unpack[RelationFields],
    ) -> str:
        """A PA-node: one proposition is preferred to another.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("PA", [node_id(preferred)], dispreferred, text, **more)

    def illocution(
        self, anchor: NodeLike, content: NodeLike, text: str | None = None, **more: Unpack[RelationFields]
    ) -> str:
        """A YA-node from a locution or a transition to what is said or done in it: a proposition, a relation, or a
        locution (reported speech).

        The text is the kind of illocution. Where it is not given, it is the name of the scheme that is; else a locution
        is Asserting a proposition, and a relation
        is done by Arguing (RA), Disagreeing (CA) or Restating (MA).

        Raises:
            InputError: as for :meth:`inference`.
            OptionError: there is no usual illocution between such nodes, and no text is given.
        """
        if text is None and (schemes := more.get("schemes")):
            more["schemes"] = listed = listed_schemes(schemes, "YA")
            text = text_of(listed)
        if text is None:
            text = usual_illocution(self._nodes[self._known(anchor)], self._nodes[self._known(content)])
        return self.relation("YA", [node_id(anchor)], content, text, **more)

    def transition(
        self, start: NodeLike, end: NodeLike, text: str = DEFAULT_TEXTS["TA"], **more: Unpack[RelationFields]
    ) -> str:
        """A TA-node: the locution ``end`` answers the locution ``start``.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("TA", [node_id(start)], end, text, **more)

    # -- edges and side data ------------------------------------------------------------------------------------

    def edge(
        self, source: NodeLike, target: NodeLike, *, id: str | int | None = None, record: Mapping[str, Any] = EMPTY
    ) -> None:
        """An edge between two nodes that are there already, whatever their types (:func:`aifgraph.validate` says which
        do not fit; ``inference([premise], conclusion)`` is one claim supporting another); with an id of its own, for
        files that keep one. Where others have ids, one without gets the next.

        Raises:
            InputError: an end is not there, the ends are one node, there is such an edge already, or the id is taken.
        """
        key = None if id is None else str(id)
        if key is not None and key in self._edge_ids.taken:
            raise InputError("an edge id is given twice", where=f"edge {key}"[:200], remedy="ids are unique in a graph")
        self._edge(source, target, key, record)

    def _edge(self, source: NodeLike, target: NodeLike, id_: str | None, record: Mapping[str, Any]) -> None:
        """An edge as a file has it, whose id may be that of another."""
        ends = (self._known(source), self._known(target))
        if ends[0] == ends[1]:
            raise InputError("an edge leads from a node to itself", where=f"node {ends[0]}"[:200])
        if ends in self._edges:
            raise InputError("an edge is given twice", where=f"edge {ends[0]} → {ends[1]}"[:200])
        self._edges[ends] = Edge(*ends, id_, record)
        if id_ is None:
            self._unnumbered[ends] = None
        else:
            self._edge_ids.take(id_)

    def has_edge(self, source: NodeLike, target: NodeLike) -> bool:
        """Whether this edge is there already."""
        return (node_id(source), node_id(target)) in self._edges

    def participant(
        self, first_name: str, surname: str = "", *, id: str | int | None = None, record: Mapping[str, Any] = EMPTY
    ) -> str:
        """A person; the id is for ``locution(speaker=…)``. Somebody whom the map has by this name is the same person,
        unless an ``id`` or a ``record`` is given. A whole name in one piece is split at its first blank.

        Raises:
            InputError: the id is taken, or several people have the name.
        """
        return self._people.participant(first_name, surname, id, record, self._nodes)

    def record(self, record: LocutionRecord) -> None:
        """One more locution record: which person said which locution, and when."""
        self._ids.take(self._people.record(record))

    def source(self, source: SourceText | str) -> None:
        """The text that the graph analyses, or a ``SourceText`` that also holds the places of nodes in it."""
        self._source = SourceText(source) if isinstance(source, str) else source

    def notice(self, code: str, message: str, *nodes: NodeLike) -> None:
        """Something the reader of this graph should know, of a kind that programs can ask for (``edge-dangling``)."""
        self._notices.append(Notice(code, message, tuple(map(node_id, nodes))))

    # -- changes ----------------------------------------------------------------------------------------------

    def update(
        self,
        node: NodeLike | Participant,
        *,
        text: str | None = None,
        speaker: Speaker | None = None,
        start: Time | None = None,
        schemes: Schemes | None = None,
        record: Mapping[str, Any] | None = None,
        first_name: str | None = None,
        surname: str | None = None,
    ) -> None:
        """Another text, speaker or time, other schemes, or further fields for a node; what is None stays.

        Everything is as in :meth:`node` and :meth:`locution`; a speaker and a time go into all records that the
        locution has, and ``record`` replaces the fields that it names. A text that begins with the name of the old
        speaker (``Bob: …``) begins with that of the new one, unless a text is given. Where the text of a scheme node is
        the name of its scheme (``Asserting``), each follows the other.

        With ``first_name`` or ``surname`` it is a person, an id or a name that gets another name (and nothing else),
        also where texts of the person's locutions begin with the old one.

        Raises:
            NoSuchNameError: there is no such node, or no such scheme.
            InputError: as for the speaker of :meth:`locution`, or a node that is no locution is to have one; there is
                no such person.
        """
        if isinstance(node, Participant) or first_name is not None or surname is not None:
            if any(each is not None for each in (text, speaker, start, schemes, record)):
                raise OptionError(
                    "a person has a first_name and a surname only", remedy="change nodes in calls of their own"
                )
            person_id = self._people.somebody(node.id if isinstance(node, Node) else node, self._nodes)
            self._nodes |= self._people.renamed(person_id, first_name, surname, self._nodes)
            return
        old = self._nodes[self._there(node_id(node))]
        fields_ = old.record if record is None else {**old.record, **record}
        time, new_text = written_time(start), old.text if text is None else text
        listed = old.schemes if schemes is None else listed_schemes(schemes, old.type)
        if text is None and schemes is not None:
            new_text = text_for(old, listed)
        elif text and schemes is None and names_schemes(old):
            listed = schemes_of_text(old.type, text) or listed
        if (speaker is not None or start is not None) and not isinstance(old, Locution):
            what = f"{old.type} has no speaker and no time"
            raise InputError(what, where=f"node {old.id}"[:200], remedy="give them to the locution that says it")
        person = None if speaker is None else self._people.meant(speaker, self._nodes)
        if person is not None and text is None:
            new_text = self._people.said_by(old, person, self._nodes)
        self._nodes[old.id] = make_node(old.type, old.id, new_text, listed, fields_)
        if person is not None:
            self._people.heard(person, new_text, {id_: each for id_, each in self._nodes.items() if id_ != old.id})
        if person is not None or time is not None:
            self._people.said(old.id, person, time)

    def remove(self, *nodes: NodeLike) -> None:
        """Take nodes away, all or none of them, with all that belongs to them: edges, locution records, places in the
        text, boxes of OVA, and the illocutions that were of nothing else (or came from nowhere else). Their ids are not
        given to others.

        Relations that lose an end stay, so that another can be given with :meth:`edge`; ``aifgraph.repair`` removes
        those that join nothing.

        Raises:
            NoSuchNameError: there is no such node; then none is taken away.
        """
        removed: dict[str, str | None] = dict.fromkeys(map(self._there, nodes))
        while acts := self._acts_of_nothing_but(removed):
            removed |= dict.fromkeys(acts)
        self._nodes = {id_: node for id_, node in self._nodes.items() if id_ not in removed}
        self._edges = {ends: edge for ends, edge in self._edges.items() if not removed.keys() & set(ends)}
        self._meta = self._side_data().moved(removed)
        self._people.records, self._notices = list(self._meta.locutions), list(self._meta.notices)
        self._source = self._meta.source

    def _acts_of_nothing_but(self, removed: Collection[str]) -> list[str]:
        """The illocutions that lose all that they say, or all that says it, with some nodes."""
        lost: set[tuple[str, bool]] = set()
        kept: set[tuple[str, bool]] = set()
        for source, target in self._edges:
            (lost if target in removed else kept).add((source, True))
            (lost if source in removed else kept).add((target, False))
        without = dict.fromkeys(id_ for id_, _ in lost - kept)
        return [id_ for id_ in without if id_ not in removed and self._nodes[id_].type == "YA"]

    def remove_edge(self, source: NodeLike, target: NodeLike) -> None:
        """Take an edge away.

        Raises:
            NoSuchNameError: there is no such edge.
        """
        ends = (node_id(source), node_id(target))
        if ends not in self._edges:
            raise NoSuchNameError(f"there is no edge {ends[0]} → {ends[1]}"[:200], where=self.name or None)
        del self._edges[ends]

    def __contains__(self, node: object) -> bool:
        return isinstance(node, Node | str | int) and node_id(node) in self._nodes

    def graph(self, **meta: Any) -> ArgumentGraph:
        """The graph as it is now, with further fields of ``Meta`` (``form`` …); the builder can go on."""
        if self._edge_ids.taken:
            for ends in self._unnumbered:
                if ends in self._edges and self._edges[ends].id is None:
                    self._edges[ends] = self._edges[ends]._replace(id=self._edge_ids.next())
            self._unnumbered.clear()
        side_data = replace(self._side_data(), **meta)
        return ArgumentGraph._trusted(dict(self._nodes), tuple(self._edges.values()), side_data, self.name)

    def _side_data(self) -> Meta:
        return replace(
            self._meta,
            participants=tuple(self._people.listed),
            locutions=tuple(self._people.records),
            notices=tuple(each for each in self._notices if each.code != "map-empty" or not self._nodes),
            source=self._source,
        )

    def _known(self, node: NodeLike) -> str:
        id_ = node_id(node)
        if id_ not in self._nodes:
            raise InputError("an edge has an unknown end", where=f"node {id_}"[:200])
        return id_

    def _there(self, node: NodeLike) -> str:
        id_ = node_id(node)
        if id_ not in self._nodes:
            raise NoSuchNameError(f"there is no node {id_}"[:200], where=self.name or None)
        return id_
