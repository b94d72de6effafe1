"""Files of OVA3."""

from __future__ import annotations

import re
from datetime import UTC
from typing import Any

from aifgraph.formats.aif.countable import consistent, embedded
from aifgraph.formats.aif.xaif import Xaif, complete, with_source
from aifgraph.formats.codec import Written
from aifgraph.formats.files import Input, json_text
from aifgraph.graph import ArgumentGraph, Node
from aifgraph.graph.meta import parse_time
from aifgraph.text.markup import moved_marks


class Ova3(Xaif):
    """``{"AIF": {…}, "OVA": {…}, "text": …}``, with all that OVA3 shows where OVA3 looks for it.

    OVA3 takes the text from ``text``, the mark of a node by ``node`` and its id, boxes and arrows from ``OVA``, times
    of locutions too, schemes from ``schemefulfillments``, and who speaks from the beginning of a locution's text.
    """

    name = "ova3"
    title = "OVA3 file"
    suffixes = (".json",)

    def sniff(self, file: Input) -> bool:
        document = file.json_object
        ova = document.get("OVA")
        if not isinstance(ova, dict) or not isinstance(ova.get("nodes"), list) or "dialog" in document:
            return False
        return super().sniff(file)

    def read(self, file: Input) -> ArgumentGraph:
        graph = super().read(file)
        return graph.with_meta(form=self.name)

    def write(self, graph: ArgumentGraph, *, indent: int | None = 1) -> Written:
        aif = complete(graph)
        aif.setdefault("cqdescriptorfulfillments", [])
        document: dict[str, Any] = {"AIF": aif, **graph.meta.document}
        document.pop("dialog", None)
        text = with_source(graph, document.get("text") or "")
        source = embedded(text) or ""
        shown = _shown(source, graph)
        document["text"] = {**text, "txt": shown} if isinstance(text, dict) else shown
        document["OVA"] = _layout(graph, document)
        return Written(json_text(consistent(document), indent=indent))


_LINES = re.compile(r"<(?:br|p|div)\b", re.IGNORECASE)


def _shown(text: str, graph: ArgumentGraph) -> str:
    """A text as OVA3 shows it: as HTML, each node marked under the id by which OVA3 looks for it."""
    marked = moved_marks(text, {node.id: node.id for node in graph}, prefix=True)
    return marked if _LINES.search(marked) else marked.replace("\n", "<br>")


def _layout(graph: ArgumentGraph, document: dict[str, Any]) -> dict[str, Any]:
    """The document's ``OVA`` with a place for every node.

    OVA3 adds up the places of all nodes when it opens a file, and fails where there is none.
    """
    held = document.get("OVA")
    ova: dict[str, Any] = held if isinstance(held, dict) else {"firstname": "", "surname": "", "url": ""}
    placed = _objects(ova.get("nodes"))
    known = {str(entry.get("nodeID")) for entry in placed}
    missing = [node for node in graph if node.id not in known]
    computed = _layered(graph) if missing else {}
    if known:  # below what has its place already
        lowest = max((y for each in placed if isinstance(y := each.get("y"), int | float)), default=0)
        computed = {id_: (x, y + int(lowest)) for id_, (x, y) in computed.items()}
    added = []
    for node in missing:
        x, y = computed[node.id]
        added.append({"nodeID": node.id, "visible": True, "x": x, "y": y, "timestamp": _time_of(graph, node)})
    return {**ova, "nodes": [*placed, *added], "edges": _lines(graph, _objects(ova.get("edges")))}


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
