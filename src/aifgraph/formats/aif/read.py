"""From parsed AIF JSON to a graph: every shape that AIFdb, OVA and xAIF tools emit, repaired where it has to be.

Repaired, each with a notice: a node id given twice, an edge given twice,
an edge with an unknown end, an edge from a node to itself. A node that AIFdb repeats once per scheme is no such case:
its schemes are collected. What cannot be understood is a ``FormatError`` that names the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, Final

from aifgraph.entities import unescape
from aifgraph.errors import FormatError
from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, Meta, Node, Notice, Participant, Scheme
from aifgraph.graph.nodes import EMPTY, NODE_CLASSES, make_node
from aifgraph.graph.schemes import scheme_name

_FIELDS_OF_EDGE: Final = itemgetter("fromID", "toID", "edgeID")
#: What AMF's tools write where somebody has no first name or no surname.
NO_NAME: Final = "None"
_REMEDY = "give AIF JSON: an object with lists of nodes and edges"


def read_aif(aif: object, where: str, *, form: str = "aif", document: Mapping[str, Any] | None = None) -> ArgumentGraph:
    """The graph in an object with ``nodes``, ``edges`` and whatever side data it has.

    ``document`` is the object around it, where there is one. Raises ``FormatError``.

    >>> graph = read_aif({"nodes": [{"nodeID": 0, "text": "a &amp; b", "type": "I"}], "edges": []}, "a map")
    >>> graph["0"].text
    'a & b'
    """
    if not isinstance(aif, dict):
        raise FormatError(
            f"{_shape(aif)} where an object with nodes and edges was expected", where=where, remedy=_REMEDY
        )
    reader = _Reader(where)
    nodes = reader.nodes(_entries(aif, "nodes", where, needed=document is None))
    edges = reader.edges(_entries(aif, "edges", where), nodes)
    reader.fulfilments(_entries(aif, "schemefulfillments", where), nodes)
    reader.people(_entries(aif, "participants", where))
    meta = _meta(aif, where, form, document, reader)
    return ArgumentGraph._trusted(nodes, tuple(edges), meta, where)


def _meta(aif: Mapping[str, Any], where: str, form: str, document: Mapping[str, Any] | None, reader: _Reader) -> Meta:
    """Everything that is neither node nor edge."""
    return Meta(
        participants=tuple(map(participant, _entries(aif, "participants", where))),
        locutions=tuple(map(locution_record, _entries(aif, "locutions", where))),
        form=form,
        document=document or {},
        aif={key: value for key, value in aif.items() if key not in ("nodes", "edges", "locutions", "participants")}
        # An empty list, null and nothing at all are three things for the way back; of a list that may be emptied until
        # then, that it was there.
        | {key: aif[key] and [] for key in ("edges", "locutions", "participants") if key in aif},
        notices=tuple(reader.notices),
    )


def _entries(aif: Mapping[str, Any], section: str, where: str, *, needed: bool = False) -> list[Any]:
    entries = aif.get(section)
    if entries is None and not needed:
        return []
    if not isinstance(entries, list):
        shape = _shape(entries) if section in aif else "nothing"
        result = "aifgraph" in aif and not ("edges" in aif or section in aif)
        remedy = "a result is read by Comparison.load(path) or CorpusComparison.load(path)" if result else _REMEDY
        raise FormatError(f"{section}: {shape} where a list was expected", where=where, remedy=remedy)
    if section not in ("nodes", "edges"):
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                place = f"{where}, {section}[{index}]"
                raise FormatError(f"{_shape(entry)} where an object was expected", where=place, remedy=_REMEDY)
    return entries


def _shape(value: object) -> str:
    """What a JSON value is, in words."""
    names = {
        dict: "an object",
        list: "a list",
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "null")


class _Reader:
    """Collects what is to be said while one map is read."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.notices: list[Notice] = []

    def nodes(self, entries: list[Any]) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        if len(entries) > _MANY:
            _share_values(entries)
        classes = NODE_CLASSES
        for index, entry in enumerate(entries):
            try:
                id_, type_, text = entry["nodeID"], entry["type"], entry.get("text")
            except (KeyError, TypeError, AttributeError):
                raise self._bad_node(entry, index) from None
            if type(id_) is not str:
                id_ = str(id_) if type(id_) is int else self._id(id_, f"nodes[{index}]", "nodeID")
            if type(text) is not str:
                text = self._no_text(text, id_)
            elif "&" in text:
                text = unescape(text)
            schemes = _schemes(entry) if "scheme" in entry or "schemeID" in entry else ()
            if id_ in nodes:
                self._repeated(nodes, id_, text, str(type_), schemes)
                continue
            cls = classes.get(type_) if type(type_) is str else None
            if cls is not None:
                nodes[id_] = cls(id_, text, schemes, entry)
                continue
            if not isinstance(type_, str) or not type_.strip():
                raise FormatError(f"a node whose type is {_shape(type_)}", where=self._at(id_), remedy=_REMEDY)
            nodes[id_] = node = make_node(type_, id_, text, schemes, entry)
            if not node.kind:
                self._say(
                    "type-unknown",
                    f"node {id_} is of type {node.type}, which AIF does not define: kept, not compared",
                    id_,
                )
        return nodes

    def edges(self, entries: list[Any], nodes: Mapping[str, Node]) -> list[Edge]:
        edges: dict[tuple[str, str], Edge] = {}
        # Of equal ids one is kept: those of a large map would be much of its memory.
        known = dict(zip(nodes, nodes, strict=True))
        # The constructor of named tuples takes twice the time, of thousands of edges.
        new = tuple.__new__
        for index, entry in enumerate(entries):
            record = entry
            try:
                source, target, id_ = _FIELDS_OF_EDGE(entry)
            except (KeyError, TypeError):
                source, target, id_ = self._fields_of_edge(entry, index)
            if type(source) is type(target) is type(id_) is str:
                # An entry as AIFdb has them says no more than the edge, and would be half the memory of a large map.
                if len(entry) == 4 and entry.get("formEdgeID", entry) is None:
                    record = EMPTY
            else:
                if type(source) is not str:
                    source = str(source) if type(source) is int else self._end(source, index, "fromID")
                if type(target) is not str:
                    target = str(target) if type(target) is int else self._end(target, index, "toID")
                id_ = id_ if id_ is None or type(id_) is str else str(id_)
            try:
                start, end = known[source], known[target]
            except KeyError:
                self._dangling(source, target, nodes, entry, index)
                continue
            edge = new(Edge, (start, end, id_, record))
            if start is end or edges.setdefault((start, end), edge) is not edge:
                self._loop_or_repeated(start, end)
        return list(edges.values())

    def _fields_of_edge(self, entry: Any, index: int) -> tuple[Any, Any, Any]:
        """Both ends and the id of an edge that has not all of them."""
        if not isinstance(entry, dict):
            place = f"{self.where}, edges[{index}]"
            raise FormatError(f"{_shape(entry)} where an edge was expected", where=place, remedy=_REMEDY)
        return entry.get("fromID"), entry.get("toID"), entry.get("edgeID")

    def _dangling(
        self, source: str | None, target: str | None, nodes: Mapping[str, Node], entry: Any, index: int
    ) -> None:
        missing = " and ".join(str(end) for end in (source, target) if end not in nodes)
        message = f"the edge {source} → {target} has an unknown end ({missing}) and is left out"
        if lacking := [field for field, end in (("fromID", source), ("toID", target)) if end is None]:
            found = ", ".join(map(str, entry)) or "nothing"
            message = f"edges[{index}] has no {' and no '.join(lacking)} (it has {found})"[:200] + " and is left out"
        ends = tuple(end for end in (source, target) if end is not None)
        self.notices.append(Notice("edge-dangling", message, ends))

    def _loop_or_repeated(self, source: str, target: str) -> None:
        if source == target:
            self._say("edge-loop", f"the edge from node {source} to itself is left out", source, target)
        else:
            self._say("edge-repeated", f"the edge {source} → {target} is given twice and counts once", source, target)

    def fulfilments(self, entries: list[Any], nodes: dict[str, Node]) -> None:
        """Upload form and xAIF say which schemes a node fulfils in a list of its own."""
        for index, entry in enumerate(entries):
            node_id, scheme_id = entry.get("nodeID"), entry.get("schemeID")
            if node_id is None or scheme_id is None:
                continue
            node = nodes.get(str(node_id))
            if node is None:
                message = f"schemefulfillments[{index}] names node {node_id}, which is not there"
                self._say("fulfilment-dangling", message, str(node_id))
                continue
            scheme = Scheme(str(scheme_id), scheme_name(str(scheme_id)))
            if all(scheme.id != known.id for known in node.schemes):
                nodes[node.id] = make_node(node.type, node.id, node.text, (*node.schemes, scheme), node.record)

    def people(self, entries: list[Any]) -> None:
        for index, entry in enumerate(entries):
            if entry and not _PERSON & entry.keys():
                message = f"participants[{index}] has no participantID, firstname or surname: nobody in particular"
                self._say("participant-unclear", message)

    def _repeated(
        self,
        nodes: dict[str, Node],
        id_: str,
        text: str,
        type_: str,
        schemes: tuple[Scheme, ...],
    ) -> None:
        first = nodes[id_]
        new = tuple(scheme for scheme in schemes if scheme not in first.schemes)
        if new:
            nodes[id_] = make_node(first.type, id_, first.text, first.schemes + new, first.record)
        same = text == first.text and type_.upper() == first.type
        if not (same and new):
            other = "" if same else ", with another text or type"
            self._say("node-repeated", f"node {id_} is given twice{other}: the first counts", id_)

    def _bad_node(self, entry: Any, index: int) -> FormatError:
        if not isinstance(entry, dict):
            what, place = f"{_shape(entry)} where a node was expected", f"{self.where}, nodes[{index}]"
        else:
            missing = "nodeID" if "nodeID" not in entry else "type"
            id_ = f" (node {entry['nodeID']})" if "nodeID" in entry else ""
            what, place = f"a node without {missing}", f"{self.where}, nodes[{index}]{id_}"
        return FormatError(what, where=place, remedy=_REMEDY)

    def _no_text(self, text: object, id_: str) -> str:
        if text is not None:
            raise FormatError(f"a node whose text is {_shape(text)}", where=self._at(id_), remedy=_REMEDY)
        self._say("text-missing", f"node {id_} has no text: taken as empty", id_)
        return ""

    def _id(self, value: object, place: str, field: str) -> str:
        # Whole numbers are ids as they are; callers turn them into strings themselves, since most ids of xAIF are.
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        where = f"{self.where}, {place}"
        raise FormatError(f"{field} is {_shape(value)}", where=where, remedy="ids are strings or whole numbers")

    def _end(self, value: object, index: int, field: str) -> str | None:
        return None if value is None else self._id(value, f"edges[{index}]", field)

    def _at(self, id_: str) -> str:
        return f"{self.where}, node {id_}"

    def _say(self, code: str, message: str, *nodes: str) -> None:
        self.notices.append(Notice(code, message, nodes))


#: The fields that say who somebody is.
_PERSON: Final = frozenset({"participantID", "firstname", "surname"})
#: So many nodes of a map, and their types, times and labels take a tenth of its memory if each is held once.
_MANY: Final = 10_000


def _share_values(entries: list[Any]) -> None:
    """Hold equal short values of nodes once."""
    once: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, dict):
            for key in ("type", "text", "timestamp"):
                if type(value := entry.get(key)) is str and len(value) < 32:
                    entry[key] = once.setdefault(value, value)


def _schemes(entry: Mapping[str, Any]) -> tuple[Scheme, ...]:
    name, id_ = entry.get("scheme"), entry.get("schemeID")
    known_id = None if id_ is None or id_ == "" else str(id_)
    known_name = str(name) if name else (scheme_name(known_id) if known_id else None)
    return (Scheme(known_id, known_name),) if known_id or known_name else ()


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def participant(entry: Mapping[str, Any]) -> Participant:
    first, last = (name if name != NO_NAME else None for name in (entry.get("firstname"), entry.get("surname")))
    return Participant(_text(entry.get("participantID")) or "", _text(first) or "", _text(last) or "", entry)


def locution_record(entry: Mapping[str, Any]) -> LocutionRecord:
    return LocutionRecord(
        _text(entry.get("nodeID")) or "",
        _text(entry.get("personID")),
        _text(entry.get("start")),
        _text(entry.get("end")),
        _text(entry.get("source")),
        _text(entry.get("timestamp")),
        entry,
    )
