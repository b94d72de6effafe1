"""OVA's own files: those of OVA2 (read only) and of OVA3."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC
from typing import Any

from aifgraph.errors import FormatError
from aifgraph.formats.aif.codec import with_sibling_text
from aifgraph.formats.aif.countable import consistent, embedded
from aifgraph.formats.aif.read import read_aif
from aifgraph.formats.aif.xaif import Xaif, complete, with_source
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, json_text
from aifgraph.formats.losses import EVERYTHING, LossReport, lost
from aifgraph.graph import ArgumentGraph, LocutionRecord, Node, SourceText, Span, make_node
from aifgraph.graph.meta import parse_time
from aifgraph.text.markup import moved_marks, plain_text


class Ova2(Codec):
    """Read only: OVA3 and everything after it reads AIF JSON."""

    name = "ova2"
    title = "OVA2 file"
    suffixes = (".json",)
    writes = False

    def sniff(self, file: Input) -> bool:
        document = file.json_object
        if not isinstance(document.get("nodes"), list):
            return False
        first = next(iter(document["nodes"]), None)
        if isinstance(first, dict):
            if "id" not in first or "nodeID" in first or "x" not in first or "type" not in first:
                return False
        elif "analysis" not in document:
            return False
        return b'"from"' in file.data or b'"participants"' in file.data

    def read(self, file: Input) -> ArgumentGraph:
        document = file.json
        if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
            raise FormatError("no object with a list of nodes", where=file.name, remedy="give a file saved by OVA2")
        nodes = [_node(entry, index, file.name) for index, entry in enumerate(document["nodes"])]
        entries = document.get("edges") or []
        if not isinstance(entries, list):
            raise FormatError("edges: no list", where=file.name, remedy="give a file saved by OVA2")
        edges = [_edge(entry, index, file.name) for index, entry in enumerate(entries)]
        aif = {"nodes": nodes, "edges": edges, "participants": _people(document.get("participants"))}
        analysis = document.get("analysis")
        text = analysis.get("txt", analysis.get("text")) if isinstance(analysis, dict) else None
        rest = {key: value for key, value in document.items() if key not in ("nodes", "edges", "participants")}
        graph = read_aif(aif, file.name, form=self.name, document=rest)
        known = {person.id for person in graph.meta.participants}
        records = tuple(
            LocutionRecord(node.id, str(node.record["participantID"]))
            for node in graph.locutions
            if str(node.record.get("participantID")) in known
        )
        graph = graph.with_meta(locutions=records)
        if isinstance(text, str):
            graph = graph.with_meta(source=SourceText(text))
        return with_sibling_text(graph, file)


def _node(entry: object, index: int, where: str) -> dict[str, Any]:
    if not isinstance(entry, dict) or "id" not in entry:
        raise FormatError("a node without id", where=f"{where}, nodes[{index}]", remedy="give a file saved by OVA2")
    fields = {key: value for key, value in entry.items() if key not in ("id", "scheme")}
    node = {"nodeID": entry["id"], **fields}
    scheme = entry.get("scheme")
    # OVA2 writes a number, 0 or "" where no scheme was chosen.
    if isinstance(scheme, int | str) and str(scheme).strip() not in ("", "0"):
        node["schemeID" if str(scheme).isdigit() else "scheme"] = str(scheme)
    return node


def _edge(entry: object, index: int, where: str) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise FormatError("no edge", where=f"{where}, edges[{index}]", remedy="give a file saved by OVA2")
    ends = {key: _end(entry.get(old)) for key, old in (("fromID", "from"), ("toID", "to"))}
    return {**{key: value for key, value in entry.items() if key not in ("from", "to")}, **ends}


def _end(value: object) -> object:
    return value.get("id") if isinstance(value, Mapping) else value


def _people(entries: object) -> list[Any]:
    if not isinstance(entries, list):
        return []
    return [
        {"participantID": each.get("id", each.get("participantID")), **{k: v for k, v in each.items() if k != "id"}}
        for each in entries
        if isinstance(each, dict)
    ]


class Ova3(Xaif):
    """``{"AIF": {…}, "OVA": {…}, "text": …}``, with all that OVA3 shows where OVA3 looks for it.

    OVA3 takes the text from ``text``, the mark of a node by ``node`` and its id, boxes and arrows from ``OVA``, times
    of locutions too, schemes from ``schemefulfillments``, and who speaks from the beginning of a locution's text.
    """

    name = "ova3"
    title = "OVA3 file"
    suffixes = (".json",)
    supports = EVERYTHING - {"schemes", "locution records", "locution times", "spans"}

    def sniff(self, file: Input) -> bool:
        document = file.json_object
        ova = document.get("OVA")
        if not isinstance(ova, dict) or not isinstance(ova.get("nodes"), list) or "dialog" in document:
            return False
        return super().sniff(file)

    def read(self, file: Input) -> ArgumentGraph:
        graph = super().read(file)
        return graph.with_meta(form=self.name)

    def write(self, graph: ArgumentGraph, *, indent: int | None = 1) -> Written:  # type: ignore[override]
        aif = complete(_without_places(graph))
        aif.setdefault("cqdescriptorfulfillments", [])
        document: dict[str, Any] = {"AIF": aif, **graph.meta.document}
        document.pop("dialog", None)
        text = with_source(graph, document.get("text") or "")
        source = embedded(text) or ""
        shown = _shown(source, graph)
        document["text"] = {**text, "txt": shown} if isinstance(text, dict) else shown
        document["OVA"], done = _layout(graph, document)
        if breaks := shown.count("<br>") - source.count("<br>"):
            done["line breaks of the text written as <br>"] = breaks
        return Written(json_text(consistent(document)[0], indent=indent), done=done)

    def losses(self, graph: ArgumentGraph, written: Written) -> LossReport:
        """What of a graph OVA3 does not show, besides what the file does not hold."""
        document = json.loads(written.text)
        back = self.read(Input("map.json", written.text.encode("utf-8", "surrogatepass"), ".json"))
        return LossReport(lost(graph, _seen(back, document)), written.done)


def _seen(graph: ArgumentGraph, document: Mapping[str, Any]) -> ArgumentGraph:
    """A map of a file as OVA3 shows it (see ``Ova3``): of several schemes of a node the last, of several marks the
    first, and person and time of those locutions whose text begins with first name and surname of somebody listed."""
    aif = document["AIF"]
    schemes = {str(entry.get("nodeID")): str(entry.get("schemeID")) for entry in aif["schemefulfillments"]}
    nodes = [
        make_node(
            node.type,
            node.id,
            node.text,
            tuple(scheme for scheme in node.schemes if scheme.id == schemes.get(node.id)),
            node.record,
        )
        for node in graph
    ]
    people = {(person["firstname"], person["surname"]) for person in aif["participants"]}
    speaking = {node.id for node in graph.locutions if tuple(node.text.partition(":")[0].split(" ")[:2]) in people}
    records = tuple(record for record in graph.meta.locutions if record.node_id in speaking)
    source = graph.meta.source
    if source is not None:
        plain = plain_text(source.text)
        first = {mark.id: mark for mark in reversed(plain.spans)}
        shown = (Span(*mark) for mark in plain.spans if first[mark.id] is mark or mark.id not in graph)
        source = SourceText(plain.text, spans=tuple(shown))
    return ArgumentGraph(nodes, graph.edges, replace(graph.meta, locutions=records, source=source), graph.name)


_LINES = re.compile(r"<(?:br|p|div)\b", re.IGNORECASE)


def _shown(text: str, graph: ArgumentGraph) -> str:
    """A text as OVA3 shows it: as HTML, each node marked under the id by which OVA3 looks for it."""
    marked = moved_marks(text, {node.id: node.id for node in graph}, prefix=True)
    return marked if _LINES.search(marked) else marked.replace("\n", "<br>")


def _layout(graph: ArgumentGraph, document: dict[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """The document's ``OVA`` with a place for every node, and how many of them were moved there or computed.

    OVA3 adds up the places of all nodes when it opens a file, and fails where there is none.
    """
    held = document.get("OVA")
    ova: dict[str, Any] = held if isinstance(held, dict) else {"firstname": "", "surname": "", "url": ""}
    placed = _objects(ova.get("nodes"))
    known = {str(entry.get("nodeID")) for entry in placed}
    missing = [node for node in graph if node.id not in known]
    own = {node.id: (node.record["x"], node.record["y"]) for node in missing if _has_place(node)}
    computed = _layered(graph) if len(own) < len(missing) else {}
    if own or known:  # below what has its place already
        places = [*own.values(), *((each.get("x"), each.get("y")) for each in placed)]
        lowest = max((y for _, y in places if isinstance(y, int | float)), default=0)
        computed = {id_: (x, y + int(lowest)) for id_, (x, y) in computed.items()}
    added = []
    for node in missing:
        x, y = own.get(node.id) or computed[node.id]
        visible = bool(node.record.get("visible", True))
        added.append({"nodeID": node.id, "visible": visible, "x": x, "y": y, "timestamp": _time_of(graph, node)})
    counts = {"positions of OVA2 moved": len(own), "positions computed": len(missing) - len(own)}
    done = {what: number for what, number in counts.items() if number}
    return {**ova, "nodes": [*placed, *added], "edges": _lines(graph, _objects(ova.get("edges")))}, done


def _objects(entries: object) -> list[dict[str, Any]]:
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _lines(graph: ArgumentGraph, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A line for each edge: those that were drawn stay as they are, and those of edges that are gone go."""
    ends = {(edge.source, edge.target) for edge in graph.edges}
    kept = [
        line
        for line in drawn
        if (pair := (str(line.get("fromID")), str(line.get("toID")))) in ends
        or not (pair[0] in graph and pair[1] in graph)
    ]
    done = {(str(line.get("fromID")), str(line.get("toID"))) for line in kept}
    new = [edge for edge in graph.edges if (edge.source, edge.target) not in done]
    return [*kept, *({"fromID": edge.source, "toID": edge.target, "visible": True} for edge in new)]


def _time_of(graph: ArgumentGraph, node: Node) -> str:
    """When a locution was made, as OVA3 writes times; what names no moment is left out, since OVA3 could not save it.
    A time without zone counts as UTC there."""
    starts = (parse_time(record.start) for record in graph.records_of(node)) if node.type == "L" else ()
    moment = next((start for start in starts if start is not None), None)
    if moment is None:
        return ""
    moment = moment.astimezone(UTC) if moment.tzinfo else moment
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day} {month} {moment:%d} {moment.year:04} {moment:%H:%M:%S} GMT+0000"


# Not by strftime, which writes them in the language of the system.
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _has_place(node: Node) -> bool:
    """Whether a node carries its place itself, as in OVA2's files."""
    places = (node.record.get("x"), node.record.get("y"))
    return all(isinstance(place, int | float) and not isinstance(place, bool) for place in places)


def _without_places(graph: ArgumentGraph) -> ArgumentGraph:
    """A graph of OVA2 without the places in its nodes, which OVA3 keeps in a list of its own."""
    if graph.meta.form != Ova2.name:
        return graph
    nodes = [
        make_node(
            node.type,
            node.id,
            node.text,
            node.schemes,
            {key: value for key, value in node.record.items() if key not in ("x", "y", "visible")},
        )
        if _has_place(node)
        else node
        for node in graph
    ]
    return ArgumentGraph(nodes, graph.edges, graph.meta, graph.name)


# -- places for nodes that have none -----------------------------------------------------------------------------

#: How far apart boxes are, in the pixels of OVA's canvas: OVA's boxes are about 180 wide and 60 high.
_COLUMN = 220
_ROW = 110
#: Where the first box is.
_MARGIN = 60


def _layered(graph: ArgumentGraph) -> dict[str, tuple[int, int]]:
    """The place (x, y) of each node, y growing downwards; no two nodes share one.

    A node is below all that it leads to (nodes of a circle are in one layer); in a layer, nodes are in the order of
    what they lead to (Sugiyama, Tagawa and Toda 1981, one sweep of barycentres).

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> _layered(build.graph())
    {'2': (60, 60), '3': (60, 170), '1': (60, 280)}
    """
    import networkx

    whole: networkx.DiGraph[str] = networkx.DiGraph()
    whole.add_nodes_from(node.id for node in graph)
    whole.add_edges_from((edge.source, edge.target) for edge in graph.edges)
    parts = networkx.condensation(whole)
    rows = list(networkx.topological_generations(parts.reverse()))
    depth = {part: row for row, group in enumerate(rows) for part in group}
    layers: list[list[str]] = [[] for _ in rows]
    for node in graph:
        layers[depth[parts.graph["mapping"][node.id]]].append(node.id)
    column: dict[str, int] = {}

    def barycentre(id_: str) -> float:
        above = [column[after] for after in whole.successors(id_) if after in column]
        return sum(above) / len(above) if above else float(len(graph))

    for layer in layers:
        layer.sort(key=barycentre)
        column.update((id_, place) for place, id_ in enumerate(layer))
    return {
        id_: (_MARGIN + _COLUMN * place, _MARGIN + _ROW * row)
        for row, layer in enumerate(layers)
        for place, id_ in enumerate(layer)
    }
