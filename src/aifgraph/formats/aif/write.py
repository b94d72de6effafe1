"""From a graph back to AIF JSON: entries as they were read, changed only where the graph was."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from aifgraph.entities import unescape
from aifgraph.formats.aif.ids import WHOLE, as_text
from aifgraph.formats.aif.read import NO_NAME
from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, Node, Participant, Scheme
from aifgraph.graph.nodes import EMPTY


def write_aif(graph: ArgumentGraph, *, node_schemes: bool) -> dict[str, Any]:
    """The object with ``nodes``, ``edges``, ``locutions`` (and the rest) of a graph.

    ``node_schemes`` says where schemes that no entry holds yet are written: in the nodes, as AIFdb does, or in
    ``schemefulfillments``, as xAIF and uploads do.
    """
    meta = graph.meta
    fulfilments = _fulfilments(graph)
    held = {(str(entry.get("nodeID")), str(entry.get("schemeID"))) for entry in fulfilments or ()}
    nodes: list[Any] = []
    for node in graph:
        entry, missing = _node(node, held)
        repeats: list[Any] = []
        if missing and node_schemes:
            # AIFdb's own way for a node of several schemes: the node once more for each.
            if "scheme" not in entry and "schemeID" not in entry:
                entry |= _scheme_fields(missing.pop(0))
            repeats = [_again(entry, scheme) for scheme in missing]
        elif missing:
            fulfilments = [
                *(fulfilments or ()),
                *({"nodeID": entry["nodeID"], "schemeID": s.id} for s in missing if s.id),
            ]
            # A scheme that AIFdb has no number for can only stand in a node.
            nameless = [scheme for scheme in missing if not scheme.id]
            if nameless and "scheme" not in entry and "schemeID" not in entry:
                entry |= _scheme_fields(nameless.pop(0))
            repeats = [_again(entry, scheme) for scheme in nameless]
        nodes += [entry, *repeats]
    free = count(1 + max((int(edge.id) for edge in graph.edges if edge.id and WHOLE.match(edge.id)), default=0))
    edges = [_edge(edge, free) for edge in graph.edges]
    aif: dict[str, Any] = {"nodes": nodes, "edges": edges}
    for section, entries in (
        ("locutions", list(map(locution_entry, meta.locutions))),
        ("participants", list(map(participant_entry, meta.participants))),
    ):
        if entries or (section == "locutions" and meta.aif is EMPTY):
            aif[section] = entries
    if not edges and meta.aif is not EMPTY:
        del aif["edges"]
    for key, value in meta.aif.items():
        aif.setdefault(key, value)
    if fulfilments is not None:
        aif["schemefulfillments"] = fulfilments
    return aif


def _fulfilments(graph: ArgumentGraph) -> list[Any] | None:
    entries = graph.meta.aif.get("schemefulfillments")
    if entries is None:
        return None
    return [entry for entry in entries if _still_fulfilled(graph, str(entry.get("nodeID")), entry.get("schemeID"))]


def _still_fulfilled(graph: ArgumentGraph, node_id: str, scheme_id: object) -> bool:
    if node_id not in graph:
        # It may never have been there: kept, as it was read.
        return True
    return scheme_id is None or any(scheme.id == str(scheme_id) for scheme in graph[node_id].schemes)


def _node(node: Node, held: set[tuple[str, str]]) -> tuple[dict[str, Any], list[Scheme]]:
    """The entry of a node, and the schemes that are held nowhere yet."""
    record = node.record
    entry = dict(record)
    if "nodeID" not in record or as_text(record["nodeID"]) != node.id:
        entry["nodeID"] = node.id
    text = record.get("text")
    if text is None:
        if node.text or "nodeID" not in record:
            entry["text"] = escaped(node.text)
    elif not isinstance(text, str) or unescape(text) != node.text:
        entry["text"] = escaped(node.text)
    if str(record.get("type", "")).upper() != node.type:
        entry["type"] = node.type
    own = record.get("schemeID")
    missing = []
    for scheme in node.schemes:
        in_entry = (own is not None and scheme.id == str(own)) or (own is None and scheme.name == record.get("scheme"))
        if not in_entry and (node.id, str(scheme.id)) not in held:
            missing.append(scheme)
    if own is not None:
        stale = all(scheme.id != str(own) for scheme in node.schemes)
    else:
        stale = bool(record.get("scheme")) and all(scheme.name != str(record["scheme"]) for scheme in node.schemes)
    if stale:
        entry.pop("schemeID", None)
        entry.pop("scheme", None)
    return entry, missing


def escaped(text: str) -> str:
    """A text that reading gives back: with entities only where it would be taken to hold some."""
    return html.escape(text, quote=False) if "&" in text and unescape(text) != text else text


def _again(entry: dict[str, Any], scheme: Scheme) -> dict[str, Any]:
    """The entry of a node once more, for another of its schemes."""
    return {key: value for key, value in entry.items() if key not in ("scheme", "schemeID")} | _scheme_fields(scheme)


def _scheme_fields(scheme: Scheme) -> dict[str, Any]:
    fields = {"scheme": scheme.name, "schemeID": scheme.id}
    return {key: value for key, value in fields.items() if value is not None}


def _edge(edge: Edge, free: Iterator[int]) -> dict[str, Any]:
    record = edge.record
    entry = dict(record)
    if not record:
        entry["edgeID"] = edge.id if edge.id is not None else str(next(free))
    elif edge.id is not None and str(record.get("edgeID")) != edge.id:
        entry["edgeID"] = edge.id
    for key, value in (("fromID", edge.source), ("toID", edge.target)):
        if key not in record or as_text(record[key]) != value:
            entry[key] = value
    if not record:
        entry["formEdgeID"] = None
    return entry


def locution_entry(record: LocutionRecord) -> dict[str, Any]:
    fields = {
        "nodeID": record.node_id,
        "personID": record.person_id,
        "timestamp": record.timestamp,
        "start": record.start,
        "end": record.end,
        "source": record.source,
    }
    return _changed(record.record, fields, optional=("timestamp",))


def participant_entry(person: Participant) -> dict[str, Any]:
    fields = {"participantID": person.id, "firstname": person.first_name, "surname": person.surname}
    return _changed(person.record, fields)


def _changed(record: Mapping[str, Any], fields: Mapping[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The record with the fields that are no longer as it has them."""
    if not record:
        return {key: value for key, value in fields.items() if value is not None or key not in optional}
    entry = dict(record)
    for key, value in fields.items():
        old = record.get(key)
        if (None if old is None else str(old)) != value and not (old in (None, NO_NAME) and value == ""):
            entry[key] = value
    return entry
