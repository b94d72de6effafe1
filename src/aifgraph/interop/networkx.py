"""To networkx and back: nodes and edges with plain attributes, which GraphML, GEXF and JSON take as they are.

A node has ``type`` and ``text``, and where they are known ``scheme``, ``scheme_id`` (of the first scheme), ``speaker``
(of locutions) and ``timestamp``; an edge may have ``id``. All are strings. Keys are node ids. ``graph.graph["name"]``
is the name, and ``graph.graph["aif"]`` one string of JSON with everything else (order, all schemes, the entries of the
file, the side data), which ``from_networkx`` takes up for the nodes and edges that are still there; it can be left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.graph import ArgumentGraph, Edge, Meta, Node, Scheme, make_node
from aifgraph.graph.meta import meta_from_dict, meta_to_dict
from aifgraph.graph.nodes import EMPTY

if TYPE_CHECKING:
    import networkx

    Networkx = networkx.MultiDiGraph[Any]


def to_networkx(graph: ArgumentGraph, *, side_data: bool = True) -> Networkx:
    """A MultiDiGraph of the graph; ``from_networkx`` gives the graph back, everything included.

    With ``side_data`` what plain attributes cannot hold goes along, as one string under ``graph["aif"]``. Without it
    only nodes, edges, their attributes and one scheme a node come back.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> sorted(to_networkx(build.graph()).nodes(data="type"))
    [('1', 'I'), ('2', 'I'), ('3', 'RA')]
    """
    import networkx

    out: Networkx = networkx.MultiDiGraph()
    if graph.name:
        out.graph["name"] = graph.name
    if side_data:
        out.graph["aif"] = _side_data_text(graph)
    for node in graph:
        speaker = graph.speaker_of(node) if node.type == "L" else None
        known = {
            "scheme": node.scheme.name if node.scheme else None,
            "scheme_id": node.scheme.id if node.scheme else None,
            "speaker": speaker.name if speaker else None,
            "timestamp": node.timestamp,
        }
        attributes = {key: value for key, value in known.items() if value is not None}
        out.add_node(node.id, type=node.type, text=node.text, **attributes)
    for edge in graph.edges:
        out.add_edge(edge.source, edge.target, **({} if edge.id is None else {"id": edge.id}))
    return out


def from_networkx(digraph: networkx.Graph[Any]) -> ArgumentGraph:
    """The argument graph in a networkx graph: its nodes need a ``type``, everything else may be missing.

    Edges given twice and loops raise ``InputError``, as does an undirected graph: AIF's edges mean something by their
    direction. Damaged side data are a ``FormatError``, and what is no graph of networkx is an ``OptionError``.

    >>> import networkx
    >>> given = networkx.DiGraph([("a", "b")])
    >>> networkx.set_node_attributes(given, {"a": "I", "b": "RA"}, "type")
    >>> from_networkx(given)
    <ArgumentGraph 2 nodes, 1 edge>
    """
    if not hasattr(digraph, "is_directed"):
        remedy = "give a DiGraph or a MultiDiGraph of networkx; aifgraph.load reads files"
        raise OptionError(f"a graph of networkx is needed, not {type(digraph).__name__}", remedy=remedy)
    if not digraph.is_directed():
        raise InputError("an undirected graph", remedy="give a DiGraph or a MultiDiGraph")
    text = digraph.graph.get("aif")
    side = _side_data_of(text) if isinstance(text, str) else _SideData({}, {}, Meta())
    nodes = {str(key): _node(str(key), data, side) for key, data in digraph.nodes(data=True)}
    if len(nodes) != digraph.number_of_nodes():
        raise InputError("two nodes have one id as a text", remedy="ids are compared as texts: 7 and '7' are one")
    edges: list[tuple[int, Edge]] = []
    for source, target, data in digraph.edges(data=True):
        ends = (str(source), str(target))
        number, record = side.edges.get(ends, (len(side.edges), EMPTY))
        edge_id = data.get("id")
        edges.append((number, Edge(*ends, None if edge_id is None else str(edge_id), record)))
    # Nodes and edges that were there before stand in their own order, new ones behind them.
    order = {id_: number for number, id_ in enumerate(side.nodes)}
    listed = sorted(nodes.values(), key=lambda node: order.get(node.id, len(order)))
    gone: dict[str, str | None] = {id_: None for id_ in side.nodes if id_ not in nodes}
    meta = side.meta.moved(gone) if gone else side.meta
    name = str(digraph.graph.get("name") or "")
    return ArgumentGraph(listed, [edge for _, edge in sorted(edges, key=lambda pair: pair[0])], meta, name)


def _node(id_: str, data: Mapping[str, Any], side: _SideData) -> Node:
    if not isinstance(data.get("type"), str):
        raise InputError("a node without type", where=f"node {id_}", remedy="set the attribute type to I, RA, …")
    schemes, record = side.nodes.get(id_, ((), EMPTY))
    first = tuple(None if data.get(key) is None else str(data[key]) for key in ("scheme_id", "scheme"))
    if first != (tuple(schemes[0]) if schemes else (None, None)):  # changed, or not from here
        schemes = () if first == (None, None) else (Scheme(*first),)
    return make_node(data["type"], id_, str(data.get("text") or ""), schemes, record)


@dataclass(frozen=True)
class _SideData:
    """Schemes and record by node id, number and record by the ends of an edge, and the side data of a graph."""

    nodes: Mapping[str, tuple[tuple[Scheme, ...], Mapping[str, Any]]]
    edges: Mapping[tuple[str, str], tuple[int, Mapping[str, Any]]]
    meta: Meta


def _side_data_text(graph: ArgumentGraph) -> str:
    """The side data of a graph, as JSON in ASCII; values that JSON does not have are written as their text."""
    value = {
        "nodes": [[node.id, [list(scheme) for scheme in node.schemes], dict(node.record)] for node in graph],
        "edges": [[edge.source, edge.target, dict(edge.record)] for edge in graph.edges],
        "meta": meta_to_dict(graph.meta),
    }
    return json.dumps(value, separators=(",", ":"), default=str)


def _side_data_of(text: str) -> _SideData:
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
    return _SideData(nodes, edges, meta)
