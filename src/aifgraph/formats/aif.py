"""AIF JSON, as AIFdb gives it: an object with lists of nodes, edges and locutions.

xAIF and OVA3 hold the same object inside a larger one, and share :func:`read_map` and :func:`write_map`.

Entries that cannot be part of a graph are left out, each with a notice: a node whose id is taken, an edge with an
unknown end, an edge that is a loop or given twice. Fields that AIF does not define stay in the ``extra`` of a node,
edge, person or locution, and are written again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from itertools import count
from operator import itemgetter
from typing import Any, Final

from aifgraph.errors import FormatError
from aifgraph.files import json_text
from aifgraph.formats import Written
from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, Meta, Node, Notice, Participant, Scheme, SourceText
from aifgraph.graph.nodes import NODE_CLASSES, make_node
from aifgraph.graph.schemes import scheme_name
from aifgraph.printable import quantity
from aifgraph.text.markup import unescape

#: What AMF's tools write where a person has no first name or no surname.
NO_NAME: Final = "None"
#: The field for further schemes that are in no catalogue.
OWN_SCHEMES: Final = "aifgraphSchemes"
#: The field that says of a person that both names are as they stand.
OWN_NAME: Final = "aifgraphName"
#: The field for further fields whose names AIF has taken.
OWN_EXTRA: Final = "aifgraphExtra"
#: Ids of no more digits than every program can count on.
WHOLE: Final = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")

_REMEDY: Final = "give AIF JSON: an object with lists of nodes and edges"
_READ: Final = frozenset({"nodes", "edges", "locutions", "participants", "schemefulfillments"})
_NODE_FIELDS: Final = itemgetter("nodeID", "type", "text")
_EDGE_FIELDS: Final = itemgetter("fromID", "toID", "edgeID")
#: The fields that AIF defines: of nodes, edges, people and locution records.
_OF_NODES: Final = frozenset({"nodeID", "text", "type", "timestamp", "scheme", "schemeID", OWN_SCHEMES})
_OF_EDGES: Final = frozenset({"edgeID", "fromID", "toID"})
_OF_PEOPLE: Final = frozenset({"participantID", "firstname", "surname", OWN_NAME})
_OF_LOCUTIONS: Final = dict.fromkeys(("nodeID", "personID", "start", "end", "source", "timestamp"))


def sniff(document: Any) -> bool:
    """Return whether a JSON document is AIF JSON: SADFace has ``nodes`` too, with ``id`` in place of ``nodeID``."""
    nodes = document.get("nodes") if isinstance(document, dict) else None
    first = nodes[0] if isinstance(nodes, list) and nodes else None
    return nodes is not None and not (isinstance(first, dict) and "nodeID" not in first and "id" in first)


def read(document: Any, text: str | None = None) -> ArgumentGraph:
    """Read AIF JSON; ``text`` is the source text that lies beside the file."""
    return with_text(read_map(document), text)


def write(graph: ArgumentGraph, *, indent: int | None = 1) -> Written:
    """Write AIF JSON, and the source text beside it, which has no place in it."""
    source = graph.meta.source
    return Written(json_text(write_map(graph), indent=indent), marked_text(source) if source else None)


def marked_text(source: SourceText) -> str:
    """Return a source text as files hold it: as it is where it is read so, else as HTML.

    >>> marked_text(SourceText("a < b")), marked_text(SourceText("a <b> b"))
    ('a < b', 'a &lt;b&gt; b')
    """
    return source.text if SourceText.from_html(source.text) == source else source.to_html()


def with_text(graph: ArgumentGraph, text: str | None) -> ArgumentGraph:
    """Return the graph with the source text that lies beside its file, which counts more than another inside it."""
    inside = graph.meta.source
    if text is None or (inside and not text.strip()):
        return graph
    beside = SourceText.from_html(text, "given")
    if inside is None:
        return graph.with_meta(source=beside)
    if inside.text == beside.text:
        return graph.with_meta(source=replace(beside, spans=beside.spans or inside.spans))
    notice = Notice("text-differs", "the text beside the file is not the one in it: the one in it is left out")
    return graph.with_meta(source=beside, notices=(*graph.notices, notice))


# -- reading ------------------------------------------------------------------------------------------------


def read_map(aif: Any, rest: Mapping[str, Any] | None = None, notices: Iterable[Notice] = ()) -> ArgumentGraph:
    """Read an object with ``nodes``, ``edges`` and side data; ``rest`` is the object around it, where there is one.

    >>> read_map({"nodes": [{"nodeID": 0, "text": "a &amp; b", "type": "I"}]})["0"].text
    'a & b'
    """
    if not isinstance(aif, dict):
        raise FormatError("no JSON object", remedy=_REMEDY)
    found = list(notices)
    nodes = _read_nodes(_entries(aif, "nodes", needed=rest is None), found)
    edges = _read_edges(_entries(aif, "edges"), nodes, found)
    _add_fulfilments(_objects(aif, "schemefulfillments"), nodes, found)
    meta = Meta(
        participants=tuple(map(_participant, _objects(aif, "participants"))),
        locutions=tuple(map(_locution_record, _objects(aif, "locutions"))),
        document=dict(rest or {}),
        aif={key: value for key, value in aif.items() if key not in _READ},
        notices=tuple(found),
        numeric_ids=bool(nodes) and all(type(entry["nodeID"]) is int for entry in aif["nodes"]),
    )
    return ArgumentGraph._checked(nodes.values(), edges, meta, "")


def _entries(aif: Mapping[str, Any], section: str, *, needed: bool = False) -> list[Any]:
    entries = aif.get(section)
    if entries is None and not needed:
        return []
    if not isinstance(entries, list):
        raise FormatError(f"no list of {section}", remedy=_REMEDY)
    return entries


def _objects(aif: Mapping[str, Any], section: str) -> list[dict[str, Any]]:
    entries = _entries(aif, section)
    for index, entry in enumerate(entries):
        _check_object(entry, f"{section}[{index}]")
    return entries


def _check_object(entry: object, where: str) -> None:
    if not isinstance(entry, dict):
        raise FormatError("no object", where=where)


def _read_nodes(entries: list[Any], notices: list[Notice]) -> dict[str, Node]:
    nodes: dict[str, Node] = {}
    decoded: list[str] = []
    classes = NODE_CLASSES
    for index, entry in enumerate(entries):
        schemes: tuple[Scheme, ...] = ()
        extra: dict[str, Any] = {}
        try:
            id_, type_, text = _NODE_FIELDS(entry)
            time = entry.get("timestamp")
            more = len(entry) > (3 if time is None else 4)
        except (KeyError, TypeError):
            _check_object(entry, f"nodes[{index}]")
            if lacking := {"nodeID", "type"} - entry.keys():
                raise FormatError(f"a node without {max(lacking)}", where=f"nodes[{index}]") from None
            id_, type_, text, time, more = entry["nodeID"], entry["type"], None, entry.get("timestamp"), True
        if more:
            schemes, extra = _schemes_in(entry), _extra(entry, _OF_NODES)
        if type(id_) is not str:
            id_ = str(id_) if type(id_) is int else _id(id_, "nodeID", f"nodes[{index}]")
        if type(text) is not str:
            if text is not None:
                raise FormatError("the text is no string", where=f"node {id_}")
            notices.append(Notice("text-missing", f"node {id_} has no text; it is read as empty", (id_,)))
            text = ""
        elif "&" in text and (plain := unescape(text)) != text:
            text = plain
            decoded.append(id_)
        if time is not None and type(time) is not str:
            time = str(time)
        cls = classes.get(type_) if type(type_) is str else None
        if cls is not None and id_ not in nodes:
            nodes[id_] = cls(id_, text, schemes, time, extra)
            continue
        if type(type_) is not str or not type_.strip():
            raise FormatError("the type is no name", where=f"node {id_}")
        node = make_node(type_, id_, text, schemes, time, extra)
        if id_ in nodes:
            _merge_repeated(nodes, node, notices)
            continue
        nodes[id_] = node
        if not node.kind:
            message = f"node {id_} is of type {node.type}, which AIF does not define: kept, not compared"
            notices.append(Notice("type-unknown", message, (id_,)))
    if decoded:
        message = f"{quantity(len(decoded), 'texts of nodes')} with character references (&amp;), which are decoded"
        notices.append(Notice("references-decoded", message, tuple(decoded)))
    return nodes


def _extra(entry: Mapping[str, Any], known: Set[str]) -> dict[str, Any]:
    if entry.keys() <= known:
        return {}
    extra = {key: value for key, value in entry.items() if key not in known}
    taken = extra.get(OWN_EXTRA)
    return {key: value for key, value in extra.items() if key != OWN_EXTRA} | taken if type(taken) is dict else extra


def _further(extra: Mapping[str, Any] | None, known: Set[str]) -> dict[str, Any]:
    """Return further fields as an entry has them, those whose names AIF has taken in one of their own."""
    if not extra:
        return {}
    taken = {key: value for key, value in extra.items() if key in known or key.startswith("aifgraph")}
    free = {key: value for key, value in extra.items() if key not in taken}
    return free | ({OWN_EXTRA: taken} if taken else {})


def _merge_repeated(nodes: dict[str, Node], node: Node, notices: list[Notice]) -> None:
    """Collect the schemes of a node that occurs once for each of them, as in AIFdb; the first text and type count."""
    first = nodes[node.id]
    new = tuple(scheme for scheme in node.schemes if scheme not in first.schemes)
    if new:
        nodes[node.id] = replace(first, schemes=first.schemes + new)
    same = (node.text, node.type) == (first.text, first.type)
    if not (same and new):
        other = "" if same else ", with another text or type"
        notices.append(Notice("node-repeated", f"node {node.id} occurs twice{other}; the first one counts", (node.id,)))


def _schemes_in(entry: Mapping[str, Any]) -> tuple[Scheme, ...]:
    name, id_ = entry.get("scheme"), entry.get("schemeID")
    known_id = None if id_ is None or id_ == "" else str(id_)
    known_name = str(name) if name else (scheme_name(known_id) if known_id else None)
    first = (Scheme(known_id, known_name),) if known_id or known_name else ()
    return first + schemes_of_pairs(entry[OWN_SCHEMES]) if OWN_SCHEMES in entry else first


def schemes_of_pairs(value: object) -> tuple[Scheme, ...]:
    """Return the schemes in a list of pairs of id and name; what is no such pair is left out."""
    pairs = (pair for pair in (value if isinstance(value, list) else ()) if isinstance(pair, list) and len(pair) == 2)
    return tuple(Scheme(*map(text_or_none, pair)) for pair in pairs)


def _read_edges(entries: list[Any], nodes: Mapping[str, Node], notices: list[Notice]) -> tuple[Edge, ...]:
    edges: dict[tuple[str, str], Edge] = {}
    # One string for each id: the ends of a large map would be much of its memory.
    known = dict(zip(nodes, nodes, strict=True))
    new = tuple.__new__  # twice as fast as the constructor of a named tuple
    for index, entry in enumerate(entries):
        try:
            source, target, id_ = _EDGE_FIELDS(entry)
            extra = None if len(entry) == 4 and entry.get("formEdgeID", entry) is None else _edge_extra(entry)
        except (KeyError, TypeError):
            _check_object(entry, f"edges[{index}]")
            source, target, id_, extra = entry.get("fromID"), entry.get("toID"), entry.get("edgeID"), _edge_extra(entry)
        if not (type(source) is type(target) is type(id_) is str):
            if type(source) is not str and source is not None:
                source = str(source) if type(source) is int else _id(source, "fromID", f"edges[{index}]")
            if type(target) is not str and target is not None:
                target = str(target) if type(target) is int else _id(target, "toID", f"edges[{index}]")
            id_ = None if id_ is None else str(id_)
        try:
            start, end = known[source], known[target]
        except KeyError:
            unknown = " and ".join(str(end) for end in (source, target) if end not in known)
            message = f"the edge {source} → {target} has an unknown end ({unknown}) and is left out"
            ends = tuple(end for end in (source, target) if end is not None)
            notices.append(Notice("edge-dangling", message, ends))
            continue
        edge = new(Edge, (start, end, id_, extra))
        if start is end:
            notices.append(Notice("edge-loop", f"the edge from node {start} to itself is left out", (start, end)))
        elif edges.setdefault((start, end), edge) is not edge:
            message = f"the edge {start} → {end} is given twice and counts once"
            notices.append(Notice("edge-repeated", message, (start, end)))
    return tuple(edges.values())


def _edge_extra(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    extra = _extra(entry, _OF_EDGES)
    if extra.get("formEdgeID", entry) is None:  # AIFdb has it in all edges
        del extra["formEdgeID"]
    return extra or None


def _id(value: object, field: str, where: str) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    raise FormatError(f"{field} is no id", where=where, remedy="ids are strings or whole numbers")


def _add_fulfilments(entries: list[dict[str, Any]], nodes: dict[str, Node], notices: list[Notice]) -> None:
    """Add the schemes that uploads and xAIF have in a list of their own."""
    listed: dict[str, dict[str, Scheme]] = {}
    for index, entry in enumerate(entries):
        node_id, scheme_id = entry.get("nodeID"), entry.get("schemeID")
        if node_id is None or scheme_id is None:
            continue
        node = nodes.get(str(node_id))
        if node is None:
            message = f"schemefulfillments[{index}] names node {node_id}, which is not there"
            notices.append(Notice("fulfilment-dangling", message, (str(node_id),)))
        else:
            listed.setdefault(node.id, {})[str(scheme_id)] = Scheme(str(scheme_id), scheme_name(str(scheme_id)))
    for id_, schemes in listed.items():
        own = nodes[id_].schemes
        known = {scheme.id for scheme in own}
        nodes[id_] = replace(nodes[id_], schemes=own + tuple(s for s in schemes.values() if s.id not in known))


def text_or_none(value: object) -> str | None:
    """Return a value as a text; null stays null."""
    return None if value is None else str(value)


def _participant(entry: dict[str, Any]) -> Participant:
    names = [text_or_none(entry.get(field)) or "" for field in ("firstname", "surname")]
    first, last = names if OWN_NAME in entry else ("" if name == NO_NAME else name for name in names)
    return Participant(text_or_none(entry.get("participantID")) or "", first, last, _extra(entry, _OF_PEOPLE))


def _locution_record(entry: dict[str, Any]) -> LocutionRecord:
    node, person, start, end, source, stored = (text_or_none(entry.get(field)) for field in _OF_LOCUTIONS)
    return LocutionRecord(node or "", person, start, end, source, stored, _extra(entry, _OF_LOCUTIONS.keys()))


# -- writing ------------------------------------------------------------------------------------------------


def write_map(graph: ArgumentGraph, *, listed: bool = False) -> dict[str, Any]:
    """Return a graph as an object with ``nodes``, ``edges``, ``locutions`` and side data.

    The first scheme stands in the node, as in AIFdb; further ones of AIFdb's catalogue are ``schemefulfillments``,
    which has all of them where maps are ``listed`` as in xAIF and OVA3. No two nodes or edges have one id.
    """
    own = id_writer(graph)
    free = count(1 + max((int(edge.id) for edge in graph.edges if edge.id and WHOLE.match(edge.id)), default=0))
    aif: dict[str, Any] = {"nodes": [], "edges": [], "locutions": []}
    aif["nodes"] = [_node_entry(node, own(node.id)) for node in graph]
    taken: set[str | None] = {None}
    for edge in graph.edges:
        id_ = str(next(free)) if edge.id in taken else edge.id
        taken.add(id_)
        ends = {"fromID": own(edge.source), "toID": own(edge.target)}
        aif["edges"].append({"edgeID": own(str(id_)), **ends, **_further(edge.extra, _OF_EDGES)})
    for record in graph.meta.locutions:
        aif["locutions"].append(_locution_entry(record, own, listed))
    start = 0 if listed else 1
    fulfilled = ((node.id, scheme.id) for node in graph for scheme in node.schemes[start:] if scheme.id)
    entries = [{"nodeID": own(id_), "schemeID": scheme} for id_, scheme in fulfilled]
    if listed or entries:
        aif["schemefulfillments"] = entries
    if listed or graph.meta.participants:
        aif["participants"] = [_participant_entry(person, own) for person in graph.meta.participants]
    return aif | {key: value for key, value in graph.meta.aif.items() if key not in _READ}


def id_writer(graph: ArgumentGraph) -> Callable[[str], str | int]:
    """Return what turns ids into numbers where they were numbers in the file and all still are; else into strings."""
    meta = graph.meta
    nodes = (node.id for node in graph), (record.node_id for record in meta.locutions)
    others = (edge.id for edge in graph.edges), (record.person_id for record in meta.locutions)
    people = (person.id for person in meta.participants)
    ids = (id_ for several in (*nodes, *others, people) for id_ in several if id_ is not None)
    return int if meta.numeric_ids and all(map(WHOLE.match, ids)) else str


def _node_entry(node: Node, id_: str | int) -> dict[str, Any]:
    entry: dict[str, Any] = {"nodeID": id_, "text": escaped(node.text), "type": node.type}
    if node.timestamp is not None:
        entry["timestamp"] = node.timestamp
    entry |= _further(node.extra, _OF_NODES)
    fields = {"scheme": node.scheme.name, "schemeID": node.scheme.id} if node.scheme else {}
    entry |= {key: value for key, value in fields.items() if value is not None}
    if others := [scheme for scheme in node.schemes[1:] if not scheme.id or scheme.name != scheme_name(scheme.id)]:
        entry[OWN_SCHEMES] = others  # which are in no catalogue
    return entry


def escaped(text: str) -> str:
    """Return a text that reading gives back: with entities only where it would be taken to hold some."""
    return html.escape(text, quote=False) if "&" in text and unescape(text) != text else text


def _locution_entry(record: LocutionRecord, own: Callable[[str], str | int], listed: bool) -> dict[str, Any]:
    person = None if record.person_id is None else own(record.person_id)
    times = {"timestamp": record.timestamp, "start": record.start, "end": record.end, "source": record.source}
    fields = {"nodeID": own(record.node_id), "personID": person, **times}
    # AMF's packages look up who spoke in every record.
    known = {key: value for key, value in fields.items() if value is not None or (listed and key == "personID")}
    return known | _further(record.extra, _OF_LOCUTIONS.keys())


def _participant_entry(person: Participant, own: Callable[[str], str | int]) -> dict[str, Any]:
    names: dict[str, Any] = {"firstname": person.first_name, "surname": person.surname}
    if NO_NAME in names.values():
        names[OWN_NAME] = True
    return {"participantID": own(person.id), **names, **_further(person.extra, _OF_PEOPLE)}
