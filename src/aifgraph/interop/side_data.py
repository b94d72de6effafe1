"""What plain attributes of a node or an edge cannot hold, as one string of JSON: a drawing program carries it along.

It holds the order of nodes and edges, all schemes, the entries of the file that a map was read from, and
everything apart from the graph.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aifgraph.errors import FormatError
from aifgraph.graph import ArgumentGraph, Meta, Scheme
from aifgraph.graph.meta import meta_from_dict, meta_to_dict
from aifgraph.graph.nodes import EMPTY


@dataclass(frozen=True)
class SideData:
    """Schemes and record by node id, number and record by the ends of an edge, and the side data of a graph."""

    nodes: Mapping[str, tuple[tuple[Scheme, ...], Mapping[str, Any]]]
    edges: Mapping[tuple[str, str], tuple[int, Mapping[str, Any]]]
    meta: Meta


def side_data_text(graph: ArgumentGraph) -> str:
    """The side data of a graph, as JSON in ASCII; values that JSON does not have are written as their text."""
    value = {
        "nodes": [[node.id, [list(scheme) for scheme in node.schemes], dict(node.record)] for node in graph],
        "edges": [[edge.source, edge.target, dict(edge.record)] for edge in graph.edges],
        "meta": meta_to_dict(graph.meta),
    }
    return json.dumps(value, separators=(",", ":"), default=str)


def side_data_of(text: str) -> SideData:
    """The side data in a string. Raises ``FormatError`` where it is none."""
    try:
        value = json.loads(text)
        meta = meta_from_dict(value["meta"])
        nodes = {
            str(id_): (tuple(Scheme(*scheme) for scheme in schemes), record or EMPTY)
            for id_, schemes, record in value["nodes"]
        }
        edges = {
            (str(source), str(target)): (number, record or EMPTY)
            for number, (source, target, record) in enumerate(value["edges"])
        }
    except (FormatError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise FormatError("the side data of a graph are damaged", remedy="leave out the attribute aif") from None
    return SideData(nodes, edges, meta)
