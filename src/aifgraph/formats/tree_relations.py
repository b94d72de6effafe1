"""The relations of a graph that a format for plain argument trees can hold: from propositions to something it knows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from aifgraph.graph import ArgumentGraph, Node, Proposition, SchemeNode


def premises(graph: ArgumentGraph, relation: Node) -> list[Proposition]:
    """The propositions that a relation starts from."""
    return [node for node in graph.premises_of(relation) if isinstance(node, Proposition)]


def writable(
    graph: ArgumentGraph,
    types: Collection[str],
    onto: Callable[[SchemeNode, Node], bool] = lambda relation, node: False,
) -> dict[str, tuple[SchemeNode, list[Proposition], Node]]:
    """Relations by id, each with its premises and its first conclusion that can be written.

    A proposition can always be a conclusion; a relation can where ``onto(relation, that)`` says so and it is written.
    """
    left = {node.id: node for node in graph.relations if node.type in types}
    while True:
        complete = {id_: whole for id_, node in left.items() if (whole := _whole(graph, node, left, onto))}
        if len(complete) == len(left):
            return complete
        left = {id_: left[id_] for id_ in complete}


def _whole(
    graph: ArgumentGraph,
    relation: SchemeNode,
    written: Mapping[str, Node],
    onto: Callable[[SchemeNode, Node], bool],
) -> tuple[SchemeNode, list[Proposition], Node] | None:
    for node in graph.conclusions_of(relation):
        if isinstance(node, Proposition) or (node.id in written and onto(relation, node)):
            # What is its own premise is no argument to these formats.
            others = [premise for premise in premises(graph, relation) if premise.id != node.id]
            if others:
                return relation, others, node
    return None
