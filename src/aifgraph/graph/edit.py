"""Another graph from a graph: without some nodes, with nodes merged, with an S-node between two. The side data of a
node (locution records, fulfilments, spans) goes with it.

>>> from aifgraph import GraphBuilder
>>> build = GraphBuilder()
>>> one, two = build.proposition("Masks help"), build.proposition("Masks help")
>>> [node.id for node in merge_nodes(build.graph(), {two: one})]
['1']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aifgraph.errors import InputError, NoSuchNameError
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.ids import NewIds, named_nodes
from aifgraph.graph.nodes import Edge, Node, NodeLike, Scheme, make_node, node_id
from aifgraph.graph.schemes import listed_schemes


def without_nodes(graph: ArgumentGraph, ids: Iterable[NodeLike]) -> ArgumentGraph:
    """A graph without some nodes (given as nodes or ids), their edges, and what the side data say of them.

    >>> from aifgraph import load
    >>> graph = load("fixtures/debate/first.json")
    >>> len(graph), len(without_nodes(graph, graph.transitions))
    (77, 65)
    """
    removed = set(map(node_id, ids))
    if not removed:
        return graph
    nodes = {node.id: node for node in graph if node.id not in removed}
    edges = tuple(edge for edge in graph.edges if edge.source not in removed and edge.target not in removed)
    return ArgumentGraph._trusted(nodes, edges, graph.meta.moved(dict.fromkeys(removed)), graph.name)


def without_edges(graph: ArgumentGraph, ends: Iterable[tuple[NodeLike, NodeLike]]) -> ArgumentGraph:
    """A graph without some edges, each given by its source and its target (nodes or ids)."""
    removed = {(node_id(source), node_id(target)) for source, target in ends}
    edges = tuple(edge for edge in graph.edges if (edge.source, edge.target) not in removed)
    return ArgumentGraph._trusted({node.id: node for node in graph}, edges, graph.meta, graph.name)


def merge_nodes(graph: ArgumentGraph, into: Mapping[NodeLike, NodeLike] | Mapping[str, str]) -> ArgumentGraph:
    """A graph with nodes merged: ``into`` has the node that is kept, by the one that is merged into it (nodes or ids).

    Edges lead from and to the node that is kept (once each, none to itself). It gets the schemes and records of the
    other, too, and keeps its text.

    Raises:
        InputError: one of the nodes is not there, or one that is kept is to be merged itself.
    """
    into = {node_id(merged): node_id(host) for merged, host in into.items()}
    for merged, host in into.items():
        if host in into or host not in graph or merged not in graph:
            raise InputError(f"node {merged} cannot be merged into {host}", where=graph.name or None)
    nodes = {node.id: node for node in graph if node.id not in into}
    for merged, host in into.items():
        schemes = tuple(dict.fromkeys((*nodes[host].schemes, *graph[merged].schemes)))
        nodes[host] = _changed(nodes[host], schemes=schemes)
    edges: dict[tuple[str, str], Edge] = {}
    for edge in graph.edges:
        ends = (into.get(edge.source, edge.source), into.get(edge.target, edge.target))
        if ends[0] != ends[1] and ends not in edges:
            same = ends == (edge.source, edge.target)
            edges[ends] = edge if same else Edge(*ends, edge.id, edge.record)
    return ArgumentGraph._trusted(nodes, tuple(edges.values()), graph.meta.moved(into), graph.name)


def with_scheme(
    graph: ArgumentGraph, schemes: Mapping[NodeLike, Scheme | str] | Mapping[str, Scheme] | Mapping[str, str]
) -> ArgumentGraph:
    """A graph with one more scheme on some nodes, given as nodes or ids; a scheme is a ``Scheme``, or the name or id of
    one in AIFdb's catalogue.

    Raises:
        NoSuchNameError: there is no such node, or no such scheme.
    """
    nodes = {node.id: node for node in graph}
    for node, scheme in schemes.items():
        host = graph[node]
        nodes[host.id] = _changed(host, schemes=(*host.schemes, *listed_schemes(scheme, host.kind)))
    return ArgumentGraph._trusted(nodes, graph.edges, graph.meta, graph.name)


def join(graph: ArgumentGraph, ends: Iterable[tuple[NodeLike, NodeLike]], type_: str, text: str) -> ArgumentGraph:
    """A graph with a scheme node of a type (such as ``RA``) in place of each of some edges, each given by its source
    and its target (nodes or ids).

    The new ids go on where those of the graph end.

    Raises:
        NoSuchNameError: there is no such edge.
    """
    nodes = {node.id: node for node in graph}
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    node_ids = NewIds(nodes, named_nodes(graph.meta))
    edge_ids = NewIds([edge.id for edge in graph.edges if edge.id])
    for source, target in ((node_id(source), node_id(target)) for source, target in ends):
        if (source, target) not in edges:
            raise NoSuchNameError(f"there is no edge {source} → {target}"[:200], where=graph.name or None)
        id_ = node_ids.next()
        nodes[id_] = make_node(type_, id_, text)
        del edges[source, target]
        for each in ((source, id_), (id_, target)):
            edges[each] = Edge(*each, edge_ids.next() if edge_ids.taken else None)
    return ArgumentGraph._trusted(nodes, tuple(edges.values()), graph.meta, graph.name)


def _changed(node: Node, *, schemes: tuple[Scheme, ...]) -> Node:
    return make_node(node.type, node.id, node.text, schemes, node.record)
