"""Graphs as JSON for other tools: JSON Graph Format (version 2) and Cytoscape's. Written only.

Both have every node and edge; what AIF knows of a node is in its ``metadata`` or ``data``.
"""

from __future__ import annotations

from typing import Any

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.contents import EVERY_NODE, Losses, not_held
from aifgraph.formats.files import json_text
from aifgraph.graph import ArgumentGraph, Node

_HOLDS = EVERY_NODE | {"node ids", "labels of scheme nodes", "schemes", "timestamps", "edge ids"}


class _GraphJson(Codec):
    suffixes: tuple[str, ...] = (".json",)
    reads = False
    loses = not_held(_HOLDS)

    def write(self, graph: ArgumentGraph, *, indent: int | None = 1) -> Written:
        losses = Losses(graph, _HOLDS)
        losses.keep_all()
        return Written(json_text(self.document(graph), indent=indent), losses.report())

    def document(self, graph: ArgumentGraph) -> dict[str, Any]:
        """The whole file."""
        raise NotImplementedError


class JsonGraph(_GraphJson):
    """JSON Graph Format, https://jsongraphformat.info."""

    name = "jgf"
    title = "JSON Graph Format"
    suffixes = (".jgf",)

    def document(self, graph: ArgumentGraph) -> dict[str, Any]:
        edges = [
            {"source": edge.source, "target": edge.target, **({"id": edge.id} if edge.id is not None else {})}
            for edge in graph.edges
        ]
        nodes = {node.id: {"label": node.text, "metadata": _data(node)} for node in graph}
        return {"graph": {"directed": True, "type": "AIF", "label": graph.name, "nodes": nodes, "edges": edges}}


class Cytoscape(_GraphJson):
    """The elements that Cytoscape and Cytoscape.js open."""

    name = "cytoscape"
    title = "Cytoscape JSON"
    suffixes = (".cyjs",)

    def document(self, graph: ArgumentGraph) -> dict[str, Any]:
        nodes = [{"data": {"id": node.id, "name": node.text, **_data(node)}} for node in graph]
        taken = {node.id for node in graph}
        edges = []
        for number, edge in enumerate(graph.edges):
            # Nodes and edges share one set of ids in Cytoscape.
            id_ = edge.id if edge.id is not None and edge.id not in taken else f"e{number}"
            while id_ in taken:
                id_ += "'"
            taken.add(id_)
            own = {} if edge.id is None else {"edgeID": edge.id}
            edges.append({"data": {"id": id_, "source": edge.source, "target": edge.target, **own}})
        return {"data": {"name": graph.name}, "elements": {"nodes": nodes, "edges": edges}}


def _data(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {"type": node.type}
    if node.timestamp is not None:
        data["timestamp"] = str(node.timestamp)
    if node.schemes:
        data["schemes"] = [{"id": scheme.id, "name": scheme.name} for scheme in node.schemes]
    return data
