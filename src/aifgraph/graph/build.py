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
from dataclasses import replace
from typing import Any, Final, TypedDict, Unpack

from aifgraph.errors import InputError, NoSuchNameError, OptionError, nearest
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant, SourceText
from aifgraph.graph.nodes import EMPTY, NAMES, RELATIONS, Edge, Node, Scheme, make_node
from aifgraph.graph.schemes import DEFAULT_TEXTS, catalogue, named_scheme, scheme

#: One scheme or several, each as a ``Scheme``, or as a name or id of AIFdb's catalogue.
Schemes = Scheme | str | Iterable[Scheme | str]

#: What the ends of each type of S-node cannot be, and what they are.
_ENDS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    **dict.fromkeys(RELATIONS, (frozenset({"L", "TA", "YA"}), "propositions or relations")),
    "TA": (frozenset({"I", "YA", "TA", *RELATIONS}), "locutions"),
}


class RelationFields(TypedDict, total=False):
    """What every S-node can be given besides its ends and its text.

    Attributes:
        id: its id; otherwise the next free number.
        schemes: the schemes that it fulfils, by name or id.
        record: further fields of its entry in a file.
    """

    id: str | None
    schemes: Schemes
    record: Mapping[str, Any]


class GraphBuilder:
    """Collects nodes and edges, checks each as it comes, and gives a frozen graph.

    Every verb returns the id of what it made; ids that are not given count up from 1. ``record`` are further fields of
    an entry, for files that keep them. Start from a ``graph`` to go on with what it holds, and to change it:
    :meth:`update` and :meth:`remove`.

    A mistake is an error at once, and the builder is as before: an ``InputError`` where an id is taken or an end or a
    participant is not there, its subclass ``NoSuchNameError`` for a scheme, node or edge that is not there, and an
    ``OptionError`` for a value of the wrong type.

    Args:
        graph: a graph to go on with; the graph itself does not change. None starts with nothing.
        name: the name of the graph that is built, for messages.
    """

    def __init__(self, graph: ArgumentGraph | None = None, *, name: str = "") -> None:
        self.name = name or (graph.name if graph else "")
        self._nodes: dict[str, Node] = {node.id: node for node in graph} if graph else {}
        self._edges: dict[tuple[str, str], Edge] = {(e.source, e.target): e for e in graph.edges} if graph else {}
        meta = graph.meta if graph else Meta()
        self._meta = meta
        self._participants = list(meta.participants)
        self._people = {person.id for person in meta.participants}
        self._locutions = list(meta.locutions)
        self._notices = list(meta.notices)
        self._source = meta.source
        self._next = 1
        self._next_person = 1

    @classmethod
    def from_graph(cls, graph: ArgumentGraph, *, name: str = "") -> GraphBuilder:
        """A builder that holds what a graph holds, under its name or another; the graph itself does not change.

        >>> build = GraphBuilder()
        >>> claim = build.proposition("Mask help")
        >>> again = GraphBuilder.from_graph(build.graph())
        >>> again.update(claim, text="Masks help")
        >>> again.graph()[claim].text, build.graph()[claim].text
        ('Masks help', 'Mask help')
        """
        return cls(graph, name=name)

    # -- nodes ------------------------------------------------------------------------------------------------

    def node(
        self,
        type_: str,
        text: str = "",
        *,
        id: str | None = None,
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
        listed = _schemes(schemes, type_)
        key = self._fresh() if id is None else str(id)
        if key in self._nodes:
            raise InputError("a node id is given twice", where=f"node {key}", remedy="ids are unique in a graph")
        self._nodes[key] = make_node(type_, key, text, listed, record)
        return key

    def proposition(self, text: str, *, id: str | None = None, record: Mapping[str, Any] = EMPTY) -> str:
        """An I-node: what is claimed, apart from who said it.

        Raises:
            InputError: the id is taken.
        """
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
        """An L-node; with ``speaker`` or ``start`` also its locution record.

        Files of the field begin the text with the speaker (``Ann Lee: Masks help``). The ``speaker`` is the id that
        :meth:`participant` gave, ``start`` is as files write times.

        Raises:
            InputError: the id is taken, or there is no such participant.
        """
        if speaker is not None and speaker not in self._people:
            raise InputError(
                f"there is no participant {speaker!r}"[:200],
                remedy="make one first: speaker=build.participant('Ann', 'Lee')",
            )
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
        schemes: Schemes = (),
        record: Mapping[str, Any] = EMPTY,
    ) -> str:
        """An S-node with its edges: several premises in one node are linked support.

        The ends are ids; one of a type that such a relation does not join (a locution as a premise) is an
        ``InputError``.

        >>> build = GraphBuilder()
        >>> said, claim = build.locution("Ann: They filter"), build.proposition("Masks help")
        >>> build.inference([said], claim)
        Traceback (most recent call last):
        aifgraph.errors.InputError: node 1: a locution (L) cannot be an end of RA; it joins propositions or relations
        """
        if isinstance(premises, str):
            # Its letters would be taken for ids, and may well be some.
            raise OptionError("the premises are one string", remedy=f"give a list of ids: [{premises!r}]")
        ends = [*premises, conclusion]
        for end in ends:
            _check_one_id(end)
        self._check_ends(type_, ends)
        key = self.node(type_, text, id=id, schemes=schemes, record=record)
        for premise in ends[:-1]:
            self.edge(premise, key)
        self.edge(key, conclusion)
        return key

    def inference(
        self, premises: Iterable[str], conclusion: str, text: str = DEFAULT_TEXTS["RA"], **more: Unpack[RelationFields]
    ) -> str:
        """An RA-node: the premises (propositions, or relations) support the conclusion together.

        Raises:
            InputError: an end is not there or of a type that cannot be one, or the id is taken.
        """
        return self.relation("RA", premises, conclusion, text, **more)

    def conflict(
        self, attacker: str, attacked: str, text: str = DEFAULT_TEXTS["CA"], **more: Unpack[RelationFields]
    ) -> str:
        """A CA-node: from what attacks to what is attacked: a proposition, or a relation that is undercut.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("CA", [attacker], attacked, text, **more)

    def rephrase(
        self, rephrasing: str, rephrased: str, text: str = DEFAULT_TEXTS["MA"], **more: Unpack[RelationFields]
    ) -> str:
        """An MA-node: one proposition says in other words what another one says.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("MA", [rephrasing], rephrased, text, **more)

    def preference(
        self, preferred: str, dispreferred: str, text: str = DEFAULT_TEXTS["PA"], **more: Unpack[RelationFields]
    ) -> str:
        """A PA-node: one proposition is preferred to another.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("PA", [preferred], dispreferred, text, **more)

    def illocution(self, anchor: str, content: str, text: str, **more: Unpack[RelationFields]) -> str:
        """A YA-node from a locution or a transition to what is said or done in it: a proposition, a relation, or a
        locution (reported speech). The text is the kind of illocution: ``Asserting``, ``Arguing`` …

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("YA", [anchor], content, text, **more)

    def transition(self, start: str, end: str, text: str = DEFAULT_TEXTS["TA"], **more: Unpack[RelationFields]) -> str:
        """A TA-node: the locution ``end`` answers the locution ``start``.

        Raises:
            InputError: as for :meth:`inference`.
        """
        return self.relation("TA", [start], end, text, **more)

    # -- edges and side data ------------------------------------------------------------------------------------

    def edge(self, source: str, target: str, *, id: str | None = None, record: Mapping[str, Any] = EMPTY) -> None:
        """An edge between two nodes that are there already; with an id of its own, for files that keep one.

        Raises:
            InputError: an end is not there, the ends are one node, or there is such an edge already.
        """
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
        """A person; the id is for ``locution(speaker=…)``.

        Raises:
            InputError: the id is taken.
        """
        if id is not None and str(id) in self._people:
            raise InputError(
                "a participant id is given twice", where=f"participant {id}", remedy="give each person one"
            )
        while id is None and str(self._next_person) in self._people:
            self._next_person += 1
        key = str(self._next_person if id is None else id)
        self._people.add(key)
        self._participants.append(Participant(key, first_name, surname, record))
        return key

    def record(self, record: LocutionRecord) -> None:
        """One more locution record: which person said which locution, and when."""
        self._locutions.append(record)

    def source(self, source: SourceText | str) -> None:
        """The text that the graph analyses, or a ``SourceText`` that also holds the places of nodes in it."""
        self._source = SourceText(source) if isinstance(source, str) else source

    def notice(self, code: str, message: str, *nodes: str) -> None:
        """Something the reader of this graph should know, of a kind that programs can ask for (``edge-dangling``)."""
        self._notices.append(Notice(code, message, nodes))

    # -- changes ----------------------------------------------------------------------------------------------

    def update(self, id_: str, *, text: str | None = None, schemes: Schemes | None = None) -> None:
        """Another text or other schemes (as in :meth:`node`) for a node; what is None stays.

        Raises:
            NoSuchNameError: there is no such node, or no such scheme.
        """
        if id_ not in self._nodes:
            raise NoSuchNameError(f"there is no node {id_}"[:200], where=self.name or None)
        old = self._nodes[id_]
        listed = old.schemes if schemes is None else _schemes(schemes, old.type)
        self._nodes[id_] = make_node(old.type, id_, old.text if text is None else text, listed, old.record)

    def remove(self, *ids: str) -> None:
        """Take nodes away, with their edges, their locution records and their places in the text; all or none of them.

        Relations that lose an end stay, so that another can be given with :meth:`edge`; ``aifgraph.repair`` removes
        those that join nothing.

        Raises:
            NoSuchNameError: there is no such node; then none is taken away.
            OptionError: an id is not a string.
        """
        for id_ in ids:
            _check_one_id(id_)
            if id_ not in self._nodes:
                raise NoSuchNameError(f"there is no node {id_}"[:200], where=self.name or None)
        removed: dict[str, str | None] = dict.fromkeys(ids)
        self._nodes = {id_: node for id_, node in self._nodes.items() if id_ not in removed}
        self._edges = {ends: edge for ends, edge in self._edges.items() if not removed.keys() & set(ends)}
        self._meta = replace(self._meta, locutions=tuple(self._locutions), source=self._source).moved(removed)
        self._locutions, self._source = list(self._meta.locutions), self._meta.source

    def remove_edge(self, source: str, target: str) -> None:
        """Take an edge away.

        Raises:
            NoSuchNameError: there is no such edge.
        """
        if (source, target) not in self._edges:
            raise NoSuchNameError(f"there is no edge {source} → {target}"[:200], where=self.name or None)
        del self._edges[source, target]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._nodes

    def graph(self, **meta: Any) -> ArgumentGraph:
        """The graph as it is now, with further fields of ``Meta`` (``form`` …); the builder can go on."""
        side_data = replace(
            self._meta,
            participants=tuple(self._participants),
            locutions=tuple(self._locutions),
            notices=tuple(self._notices),
            source=self._source,
            **meta,
        )
        return ArgumentGraph._trusted(dict(self._nodes), tuple(self._edges.values()), side_data, self.name)

    def _fresh(self) -> str:
        while str(self._next) in self._nodes:
            self._next += 1
        return str(self._next)

    def _check_ends(self, type_: str, ends: list[str]) -> None:
        for end in ends:
            self._known(end)
        kind = type_.upper()
        refused, joined = _ENDS.get(kind, (frozenset[str](), ""))
        if kind == "YA":  # what is said may be anything, a locution too (reported speech)
            ends, refused, joined = ends[:1], frozenset({"I", "YA", *RELATIONS}), "locutions or transitions to contents"
        for end in ends:
            wrong = self._nodes[end].type
            if wrong in refused:
                what = f"a {NAMES[wrong]} ({wrong}) cannot be an end of {kind}"
                raise InputError(what, where=f"node {end}", remedy=f"it joins {joined}")

    def _known(self, id_: str) -> None:
        if id_ not in self._nodes:
            raise InputError("an edge has an unknown end", where=f"node {id_}", remedy="make the node first")


def _check_one_id(id_: object) -> None:
    if not isinstance(id_, str):
        remedy = "give one string, as the builder returned it (node.id of a node)"
        raise OptionError(f"an id of type {type(id_).__name__}", remedy=remedy)


def _schemes(schemes: Schemes, type_: str) -> tuple[Scheme, ...]:
    """The schemes of a node of a type, those given by name or id looked up."""
    # A Scheme is a tuple, and a string a sequence of letters: each is one scheme.
    listed = [schemes] if isinstance(schemes, Scheme | str) else list(schemes)
    return tuple(_looked_up(scheme_or_name, type_.upper()) for scheme_or_name in listed)


def _looked_up(scheme_or_name: object, type_: str) -> Scheme:
    if isinstance(scheme_or_name, Scheme):
        return scheme_or_name
    if not isinstance(scheme_or_name, str):
        what = f"a scheme of type {type(scheme_or_name).__name__}"
        raise OptionError(what, remedy="give a Scheme, or the name or id of one in AIFdb's catalogue")
    by_name = named_scheme(scheme_or_name, type_) if scheme_or_name not in catalogue() else None
    if by_name is not None and by_name.id is not None:
        return by_name
    try:
        row = scheme(scheme_or_name, type_)
    except NoSuchNameError as error:
        names = [row.name for row in catalogue().values() if row.kind == type_]
        error.remedy = nearest(scheme_or_name, names).split(",")[0]
        if not error.remedy.startswith("did"):
            error.remedy = "give Scheme(None, name) for one that AIFdb does not have"
        raise
    return Scheme(row.id, row.name)
