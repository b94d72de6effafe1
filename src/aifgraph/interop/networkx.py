"""To networkx and back: nodes, edges and what stands beside them, in a MultiDiGraph's attributes.

A node's attributes are ``type``, ``text``, ``schemes`` (pairs of id and name) and ``record`` (its entry in the file);
an edge's are ``id`` and ``record``. Keys are node ids. ``graph.graph["meta"]`` and ``["name"]`` hold the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph, Edge, Meta, Scheme, make_node
from aifgraph.graph.nodes import EMPTY

if TYPE_CHECKING:
    import networkx

    Networkx = networkx.MultiDiGraph[Any]


def to_networkx(graph: ArgumentGraph) -> Networkx:
    """A MultiDiGraph of the graph; ``from_networkx`` gives the graph back, everything included.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> sorted(to_networkx(build.graph()).nodes(data="type"))
    [('1', 'I'), ('2', 'I'), ('3', 'RA')]
    """
    import networkx

    out: Networkx = networkx.MultiDiGraph(meta=graph.meta, name=graph.name)
    for node in graph:
        schemes = [(scheme.id, scheme.name) for scheme in node.schemes]
        out.add_node(node.id, type=node.type, text=node.text, schemes=schemes, record=dict(node.record))
    for order, edge in enumerate(graph.edges):
        out.add_edge(edge.source, edge.target, id=edge.id, record=dict(edge.record), order=order)
    return out


def from_networkx(given: networkx.Graph[Any]) -> ArgumentGraph:
    """The argument graph in a networkx graph: its nodes need a ``type``, everything else may be missing.

    Edges given twice and loops raise ``InputError``, as does an undirected graph: AIF's edges mean something by their
    direction.

    >>> import networkx
    >>> given = networkx.DiGraph([("a", "b")])
    >>> networkx.set_node_attributes(given, {"a": "I", "b": "RA"}, "type")
    >>> from_networkx(given)
    <ArgumentGraph 2 nodes, 1 edges>
    """
    if not given.is_directed():
        raise InputError("an undirected graph", remedy="give a DiGraph or a MultiDiGraph")
    nodes = []
    for key, data in given.nodes(data=True):
        if not isinstance(data.get("type"), str):
            raise InputError("a node without type", where=f"node {key}", remedy="set the attribute type to I, RA, …")
        schemes = tuple(Scheme(*pair) for pair in data.get("schemes") or ())
        nodes.append(
            make_node(data["type"], str(key), str(data.get("text") or ""), schemes, data.get("record") or EMPTY)
        )
    listed = [
        (data.get("order", place), Edge(str(source), str(target), data.get("id"), data.get("record") or EMPTY))
        for place, (source, target, data) in enumerate(given.edges(data=True))
    ]
    edges = [edge for _, edge in sorted(listed, key=lambda each: each[0])]
    meta = given.graph.get("meta")
    return ArgumentGraph(nodes, edges, meta if isinstance(meta, Meta) else None, str(given.graph.get("name") or ""))
