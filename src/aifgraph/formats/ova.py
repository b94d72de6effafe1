"""Files of OVA3: xAIF with a place for every node, since OVA3 cannot open a file in which one has none."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any

from aifgraph.files import json_text
from aifgraph.formats import xaif
from aifgraph.formats.aif import id_writer
from aifgraph.graph import ArgumentGraph, Node
from aifgraph.graph.side_data import parse_time

#: How far apart boxes are on OVA's canvas, and where the first one is; boxes are about 180 by 60.
_COLUMN, _ROW, _MARGIN = 220, 110, 60


def sniff(document: Any) -> bool:
    """Return whether a JSON document is a file that OVA3 saved."""
    if not isinstance(document, dict) or "dialog" in document or not xaif.sniff(document):
        return False
    ova = document.get("OVA")
    return isinstance(ova, dict) and isinstance(ova.get("nodes"), list)


def read(document: Any, text: str | None = None) -> ArgumentGraph:
    """Read a file of OVA3; ``text`` is the source text that lies beside it."""
    return xaif.read(document, text)


def write(graph: ArgumentGraph, *, indent: int | None = 1) -> str:
    """Write a file that OVA3 opens."""
    document = xaif.wrapped(graph)
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
    moment = moment.astimezone(UTC) if moment.tzinfo else moment
    return f"{moment.ctime()[:8]}{moment.day:02} {moment.year:04} {moment:%H:%M:%S} GMT+0000"
