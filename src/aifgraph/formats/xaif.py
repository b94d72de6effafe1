"""xAIF: a map with its text, people and layout in one document, as AMF's services and OVA3 pass it on.

What a service of AMF looks up is always there: six lists, ``text``, ``dialog`` and ``OVA``, people with two names, and
ids that it can count on. A service finds the next free id by counting: on whole numbers, or on those of OVA's
``12_1633958932``. Other ids are renumbered; the map's own stay in the entries as ``aifgraphID`` and are the ids again
when the file is read.

A file of OVA3 is xAIF with a place for every node, since OVA3 cannot open one in which a node has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC
from itertools import repeat
from operator import contains
from types import SimpleNamespace
from typing import Any, Final

from aifgraph.files import json_text, parse_json
from aifgraph.formats.aif import NO_NAME, OWN_NAME, WHOLE, id_writer, marked_text, read_map, with_text, write_map
from aifgraph.graph import ArgumentGraph, Node, Notice, SourceText
from aifgraph.graph.side_data import parse_time, speaker_prefix, split_name

#: The field of an entry that holds the map's own id.
OWN_ID: Final = "aifgraphID"
#: The lists whose entries have ids, the field of the id, and the fields anywhere in a document that name such an entry.
_ID_FIELDS: Final = {
    "nodes": ("nodeID", frozenset({"nodeID", "fromID", "toID", "selectedID"})),
    "edges": ("edgeID", frozenset({"edgeID"})),
    "participants": ("participantID", frozenset({"participantID", "personID"})),
}
_SESSION: Final = re.compile(r"([0-9]{1,18})_([^_]+)\Z")


def sniff(document: Any) -> bool:
    """Return whether a JSON document is xAIF, or xAIF in a string once more."""
    if isinstance(document, str):
        return document.lstrip().startswith("{")
    return isinstance(document, dict) and _key(document) is not None


def read(document: Any, text: str | None = None) -> ArgumentGraph:
    """Read xAIF; ``text`` is the source text that lies beside the file."""
    notices = []
    if isinstance(document, str):
        document = parse_json(document, "the string")
        notices.append(Notice("xaif-string", "the document is a string; the JSON in it is read"))
    key = _key(document) if isinstance(document, dict) else None
    aif: Any = document if key is None else document[key]
    rest = {} if key is None else {field: value for field, value in document.items() if field != key}
    if key == "aif":
        notices.append(Notice("xaif-key", "the map is under the key aif, not AIF; it is read from there"))
    if isinstance(aif, str):
        aif = parse_json(aif, "AIF")
        notices.append(Notice("xaif-string", "AIF is a string; the JSON in it is read"))
    if key is not None and isinstance(aif, dict) and aif.get("nodes") is None:
        notices.append(Notice("xaif-nodes", "AIF has no list of nodes; it is read as an empty map"))
    if isinstance(aif, dict):
        aif, rest = _restore_ids(aif, rest, notices)
    embedded, field = _embedded(rest.get("text")), rest.get("text")
    if embedded is None and field is not None and not (isinstance(field, dict) and field.get("txt") is None):
        notices.append(Notice("text-unclear", "text is not a string or an object with txt; it is left out"))
    graph = read_map(aif, None if key is None else rest, notices)
    if embedded:
        graph = graph.with_meta(source=SourceText.from_html(embedded))
    return with_text(graph, text)


def write(graph: ArgumentGraph, *, indent: int | None = 1) -> str:
    """Write xAIF, which holds all of a graph."""
    document = _wrapped(graph)
    for person in document["AIF"]["participants"]:
        # AMF's packages fail where a whole name is one word.
        if OWN_NAME not in person:
            person["firstname"], person["surname"] = (person[key] or NO_NAME for key in ("firstname", "surname"))
    return json_text(renumber(document), indent=indent)


def _wrapped(graph: ArgumentGraph) -> dict[str, Any]:
    """Return a graph as the document that xAIF and OVA3 have in common."""
    aif = write_map(graph, listed=True)
    aif["descriptorfulfillments"] = aif.get("descriptorfulfillments") or []
    aif["participants"] += _unlisted(graph)
    document: dict[str, Any] = {"AIF": aif, **graph.meta.document}
    text = document.get("text") or ""
    if graph.meta.source is not None:
        marked = marked_text(graph.meta.source)
        text = {**text, "txt": marked} if isinstance(text, dict) else marked
    document["text"] = text
    document.setdefault("dialog", bool(graph.locutions))
    document["OVA"] = document.get("OVA") or document.pop("ova", None) or {}
    return document


def _unlisted(graph: ArgumentGraph) -> list[dict[str, Any]]:
    """Return entries for people whom records name and only texts call by a name (``Ann Lee: …``), as in AIFdb's maps.

    They are not the map's own, which the null for their own ids says: reading leaves them out again.
    """
    names: dict[str, str] = {}
    listed = {person.id for person in graph.meta.participants}
    for record in graph.meta.locutions:
        if record.person_id and record.person_id not in listed and record.node_id in graph:
            names.setdefault(record.person_id, speaker_prefix(graph[record.node_id].text))
    own = id_writer(graph)
    people = ((own(id_), *split_name(name)) for id_, name in names.items() if name)
    return [{"participantID": id_, "firstname": a, "surname": b, OWN_ID: None} for id_, a, b in people]


def _key(document: Mapping[str, Any]) -> str | None:
    """Return where a document holds its map: ``AIF``, or ``aif`` by services that write it so."""
    inner = document.get("AIF")
    if isinstance(inner, str) or (isinstance(inner, dict) and ("nodes" in inner or "nodes" not in document)):
        return "AIF"
    lower = document.get("aif")
    return "aif" if isinstance(lower, dict) and ("nodes" in lower or "text" in document) else None


def _embedded(text: object) -> str | None:
    text = text.get("txt") if isinstance(text, dict) else text
    return text if isinstance(text, str) else None


# -- ids ----------------------------------------------------------------------------------------------------


def renumber(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document under ids that AMF's services can count on.

    >>> nodes = [{"nodeID": "a1"}, {"nodeID": "7"}]
    >>> renumber({"AIF": {"nodes": nodes, "edges": [], "participants": []}})["AIF"]["nodes"]
    [{'nodeID': '8', 'aifgraphID': 'a1'}, {'nodeID': '7'}]
    """
    for section, (field, naming) in _ID_FIELDS.items():
        numbers = countable(entry[field] for entry in document["AIF"][section])
        if not numbers:
            continue
        taken = set(_named(document, naming))
        numbers = countable((entry[field] for entry in document["AIF"][section]), taken)
        for entry in document["AIF"][section]:
            if (id_ := str(entry[field])) in numbers:
                entry.setdefault(OWN_ID, id_)
        document = _renamed(document, naming, numbers)
        if section == "nodes" and "text" in document:
            document["text"] = _with_marks(document["text"], numbers)
    return document


def countable(ids: Iterable[str | int], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return new ids for those that are not of the kind that most have: whole numbers, or numbers of an OVA session.

    >>> countable(["4_163", "9_163", "x"]), countable(["1", "2"]), countable([0, 1])
    ({'x': '10_163'}, {}, {})
    """
    listed = list(map(str, ids))
    whole = {id_: int(id_) for id_ in listed if WHOLE.match(id_) and int(id_) >= 0}
    sessions = {id_: match for id_ in listed if (match := _SESSION.match(id_))}
    tail = ""
    if len(sessions) > len(whole):
        whole = {id_: int(match[1]) for id_, match in sessions.items()}
        tail = f"_{next(iter(sessions.values()))[2]}"
    last = max((*whole.values(), *(int(id_) for id_ in taken if WHOLE.match(id_))), default=0)
    others = dict.fromkeys(id_ for id_ in listed if id_ not in whole)
    return {id_: f"{last + number}{tail}" for number, id_ in enumerate(others, 1)}


def _restore_ids(
    aif: dict[str, Any], rest: dict[str, Any], notices: list[Notice]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a map and the document around it under the map's own ids."""
    for section, (field, naming) in _ID_FIELDS.items():
        listed = aif.get(section)
        entries = listed if isinstance(listed, list) else []
        if {*map(type, entries)} != {dict}:
            entries = [entry for entry in entries if isinstance(entry, dict)]
        if not any(map(contains, entries, repeat(OWN_ID))):
            continue
        # A service may have given the id of one that is not the map's own to another, too.
        taken = {str(entry.get(field)) for entry in entries if entry.get(OWN_ID, "") is not None}
        entries = [entry for entry in entries if entry.get(OWN_ID, "") is not None or str(entry.get(field)) in taken]
        aif = {**aif, section: entries}
        own = {str(entry.get(field)): entry[OWN_ID] for entry in entries if isinstance(entry.get(OWN_ID), str)}
        others = {str(entry.get(field)) for entry in entries} - own.keys()
        if len({*own.values()} - others) < len(own):
            notices.append(Notice("ids-unclear", f"two entries have the same {OWN_ID}; the ids of the file are used"))
            continue
        for entry in entries:
            entry.pop(OWN_ID, None)
        aif, rest = _renamed(aif, naming, own), _renamed(rest, naming, own)
        if section == "nodes" and "text" in rest:
            rest["text"] = _with_marks(rest["text"], own)
    return aif, rest


def _renamed(value: Any, naming: frozenset[str], ids: Mapping[str, str]) -> Any:
    """Return a part of a document with other ids wherever it names an entry."""
    if isinstance(value, list):
        return [_renamed(part, naming, ids) for part in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: ids.get(str(part), part) if key in naming else _renamed(part, naming, ids) for key, part in value.items()
    }


def _named(value: Any, naming: frozenset[str]) -> Iterable[str]:
    """Yield the ids by which a part of a document names entries."""
    for key, part in value.items() if isinstance(value, Mapping) else enumerate(value):
        if key in naming:
            yield str(part)
        elif isinstance(part, list | Mapping):
            yield from _named(part, naming)


def _with_marks(text: Any, ids: Mapping[str, str]) -> Any:
    marked = _embedded(text)
    if marked is None:
        return text
    moved = marked_text(SourceText.from_html(marked).renamed(ids))
    return {**text, "txt": moved} if isinstance(text, dict) else moved


# -- OVA3 ---------------------------------------------------------------------------------------------------

#: How far apart boxes are on OVA's canvas, and where the first one is; boxes are about 180 by 60.
_COLUMN, _ROW, _MARGIN = 220, 110, 60


def _is_ova3(document: Any) -> bool:
    """Return whether a JSON document is a file that OVA3 saved."""
    if not isinstance(document, dict) or "dialog" in document or not sniff(document):
        return False
    ova = document.get("OVA")
    return isinstance(ova, dict) and isinstance(ova.get("nodes"), list)


def _write_ova3(graph: ArgumentGraph, *, indent: int | None = 1) -> str:
    document = _wrapped(graph)
    document.pop("dialog")
    document["AIF"].setdefault("cqdescriptorfulfillments", [])
    if graph.meta.source is not None:
        text, shown = document["text"], graph.meta.source.to_html()
        document["text"] = {**text, "txt": shown} if isinstance(text, dict) else shown
    document["OVA"] = _layout(graph, document["OVA"])
    return json_text(document, indent=indent)


def _layout(graph: ArgumentGraph, held: Any) -> dict[str, Any]:
    """Return the ``OVA`` part of a document: what the file had, and boxes and lines for what has none."""
    ova = held if isinstance(held, dict) and held else {"firstname": "", "surname": "", "url": ""}
    boxes = [box for box in _objects(ova.get("nodes")) if str(box.get("nodeID")) in graph]
    lowest = max((box["y"] for box in boxes if isinstance(box.get("y"), int | float)), default=-_ROW)
    placed = {str(box["nodeID"]) for box in boxes}
    missing = [node for node in graph if node.id not in placed]
    node_id = id_writer(graph)
    places = _places(graph) if missing else {}
    for node in missing:
        x, y = places[node.id]
        box = {"nodeID": node_id(node.id), "visible": True, "x": x, "y": y + int(lowest) + _ROW}
        boxes.append({**box, "timestamp": _time_of(graph, node)})
    ends = {(edge.source, edge.target) for edge in graph.edges}
    lines = [line for line in _objects(ova.get("edges")) if (str(line.get("fromID")), str(line.get("toID"))) in ends]
    drawn = {(str(line["fromID"]), str(line["toID"])) for line in lines}
    undrawn = (edge for edge in graph.edges if (edge.source, edge.target) not in drawn)
    lines += ({"fromID": node_id(edge.source), "toID": node_id(edge.target), "visible": True} for edge in undrawn)
    return {**ova, "nodes": boxes, "edges": lines}


def _objects(entries: object) -> list[dict[str, Any]]:
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _places(graph: ArgumentGraph) -> dict[str, tuple[int, int]]:
    """Return a place (x, y) for each node, below all that it leads to; nodes of a cycle are in one row."""
    import networkx

    whole: networkx.DiGraph[str] = networkx.DiGraph([(edge.target, edge.source) for edge in graph.edges])
    whole.add_nodes_from(node.id for node in graph)
    parts = networkx.condensation(whole)
    order = {node.id: number for number, node in enumerate(graph)}
    places = {}
    for row, group in enumerate(networkx.topological_generations(parts)):
        cycles = (sorted(parts.nodes[part]["members"], key=order.__getitem__) for part in group)
        members: Iterable[str] = (id_ for cycle in cycles for id_ in cycle)
        for column, id_ in enumerate(members):
            places[id_] = (_MARGIN + _COLUMN * column, _MARGIN + _ROW * row)
    return places


def _time_of(graph: ArgumentGraph, node: Node) -> str:
    """Return when a locution was made, as JavaScript writes dates; empty where that is not known.

    OVA3 cannot save a time that names no moment; one without zone counts as UTC there.
    """
    starts = (parse_time(record.start) for record in graph.records_of(node))
    moment = next((start for start in starts if start is not None), None)
    if moment is None:
        return ""
    try:
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
    except OverflowError:  # before the year 1 there
        return ""
    return f"{moment.ctime()[:8]}{moment.day:02} {moment.year:04} {moment:%H:%M:%S} GMT+0000"


#: OVA3's files as a format.
ova3 = SimpleNamespace(sniff=_is_ova3, read=read, write=_write_ova3)
