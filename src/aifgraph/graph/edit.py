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

from aifgraph.errors import InputError
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.nodes import Edge, Node, Scheme, make_node


def without_nodes(graph: ArgumentGraph, ids: Iterable[str]) -> ArgumentGraph:
    """A graph without some nodes, their edges, and what the side data say of them.

    >>> from aifgraph import load
    >>> graph = load("fixtures/debate/first.json")
    >>> len(graph), len(without_nodes(graph, [node.id for node in graph.transitions]))
    (77, 65)
    """
    removed = set(ids)
    if not removed:
        return graph
    nodes = {node.id: node for node in graph if node.id not in removed}
    edges = tuple(edge for edge in graph.edges if edge.source not in removed and edge.target not in removed)
    return ArgumentGraph._trusted(nodes, edges, graph.meta.moved(dict.fromkeys(removed)), graph.name)


def without_edges(graph: ArgumentGraph, ends: Iterable[tuple[str, str]]) -> ArgumentGraph:
    """A graph without some edges, each given by the ids of its source and its target."""
    removed = set(ends)
    edges = tuple(edge for edge in graph.edges if (edge.source, edge.target) not in removed)
    return ArgumentGraph._trusted({node.id: node for node in graph}, edges, graph.meta, graph.name)


def merge_nodes(graph: ArgumentGraph, into: Mapping[str, str]) -> ArgumentGraph:
    """A graph with nodes merged: ``into`` has the id of the node that is kept, by the id of what is merged into it.

    Edges lead from and to the node that is kept (once each, none to itself). It gets the schemes and records of the
    other, too, and keeps its text.

    Raises:
        InputError: one of the nodes is not there, or one that is kept is to be merged itself.
    """
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


def with_scheme(graph: ArgumentGraph, schemes: Mapping[str, Scheme]) -> ArgumentGraph:
    """A graph with one more scheme on some nodes, given by their ids."""
    nodes = {
        node.id: _changed(node, schemes=(*node.schemes, schemes[node.id])) if node.id in schemes else node
        for node in graph
    }
    return ArgumentGraph._trusted(nodes, graph.edges, graph.meta, graph.name)


def join(graph: ArgumentGraph, ends: Iterable[tuple[str, str]], type_: str, text: str) -> ArgumentGraph:
    """A graph with a scheme node of a type (such as ``RA``) in place of each of some edges, each given by the ids of
    its source and its target; the edges have to be there."""
    nodes = {node.id: node for node in graph}
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    number = 1
    for source, target in ends:
        while str(number) in nodes:
            number += 1
        id_ = str(number)
        nodes[id_] = make_node(type_, id_, text)
        del edges[source, target]
        edges[source, id_], edges[id_, target] = Edge(source, id_), Edge(id_, target)
    return ArgumentGraph._trusted(nodes, tuple(edges.values()), graph.meta, graph.name)


def _changed(node: Node, *, schemes: tuple[Scheme, ...]) -> Node:
    return make_node(node.type, node.id, node.text, schemes, node.record)
