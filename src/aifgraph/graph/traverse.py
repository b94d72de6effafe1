"""Following edges through a map, over any number of steps: the methods of ``ArgumentGraph`` of the same names; and the
argument as an indented tree.

Nothing here recurses, and everything takes time linear in the map. What gives all that can be reached keeps the order
of the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from aifgraph.graph.nodes import Illocution, Locution, Node, NodeLike, Transition
from aifgraph.graph.steps import relates

if TYPE_CHECKING:
    import networkx

    from aifgraph.graph.graph import ArgumentGraph

# -- all the way ----------------------------------------------------------------------------------------------


def _directed(graph: ArgumentGraph) -> networkx.DiGraph[str]:
    """The ids and edges as networkx has them."""

    def convert() -> networkx.DiGraph[str]:
        import networkx

        directed: networkx.DiGraph[str] = networkx.DiGraph()
        directed.add_nodes_from(node.id for node in graph)
        directed.add_edges_from((edge.source, edge.target) for edge in graph.edges)
        return directed

    return graph._once("networkx", convert)


def _in_order(graph: ArgumentGraph, ids: Collection[str]) -> tuple[Node, ...]:
    return tuple(node for node in graph if node.id in ids)


def ancestors(graph: ArgumentGraph, node: NodeLike) -> tuple[Node, ...]:
    """All nodes from which edges lead to this one, over any number of steps: for a claim, all that supports or
    attacks it, and where that was said. The node itself is not among them, not even on a circle.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> first, second, third = (build.proposition(text) for text in "abc")
    >>> _ = build.inference([first], second), build.inference([second], third)
    >>> graph = build.graph()
    >>> [found.text for found in graph.ancestors(third) if found.type == "I"]
    ['a', 'b']
    >>> [found.text for found in graph.descendants(first) if found.type == "I"]
    ['b', 'c']
    """
    import networkx

    return _in_order(graph, networkx.ancestors(_directed(graph), graph._id(node)))


def descendants(graph: ArgumentGraph, node: NodeLike) -> tuple[Node, ...]:
    """All nodes to which edges lead from this one, over any number of steps; not the node itself."""
    import networkx

    return _in_order(graph, networkx.descendants(_directed(graph), graph._id(node)))


def components(graph: ArgumentGraph) -> tuple[tuple[Node, ...], ...]:
    """The connected parts of the map, in the order of their first nodes; every node is in exactly one.
    ``graph.subgraph(part)`` cuts one out."""
    import networkx

    part_of = {
        id_: part for part, ids in enumerate(networkx.weakly_connected_components(_directed(graph))) for id_ in ids
    }
    parts: dict[int, list[Node]] = {}
    for node in graph:
        parts.setdefault(part_of[node.id], []).append(node)
    return tuple(map(tuple, parts.values()))


# -- a part of a map ------------------------------------------------------------------------------------------


def subgraph(graph: ArgumentGraph, nodes: Iterable[NodeLike], *, anchors: bool = True) -> ArgumentGraph:
    """The part of the map between some nodes, as a graph with the same ids.

    Args:
        nodes: nodes or ids. The relations all of whose premises and conclusions are among them come along, and so
            do relations that bear on such a relation (an undercut) from nodes that are among them.
        anchors: whether what anchors all that comes along: illocutions, their locutions and transitions.

    Returns:
        A graph in the order of this one, with the records, participants and spans of what is in it, and with the
        source text. It can be compared and written like any other.

    >>> import aifgraph
    >>> graph = aifgraph.load("fixtures/debate/first.json")
    >>> claim = graph.roots()[0]
    >>> part = graph.subgraph([claim, *(step.node for step in graph.supports(claim))])
    >>> len(part.propositions), len(part.inferences), len(part.locutions) > 0
    (2, 1, True)
    """
    members = _between(graph, {graph[node].id for node in nodes})
    if anchors:
        _add_anchors(graph, members)
    meta = graph.meta.moved({node.id: None for node in graph if node.id not in members})
    speaking = {record.person_id for record in meta.locutions}
    meta = replace(
        meta,
        participants=tuple(person for person in meta.participants if person.id in speaking),
        notices=tuple(notice for notice in meta.notices if members.issuperset(notice.nodes)),
    )
    by_id = {node.id: node for node in graph if node.id in members}
    edges = tuple(edge for edge in graph.edges if edge.source in members and edge.target in members)
    return graph._trusted(by_id, edges, meta, graph.name)


def _between(graph: ArgumentGraph, chosen: set[str]) -> set[str]:
    """The chosen nodes and the relations that hold among them, those on relations included."""
    members = set(chosen)
    missing: dict[str, int] = {}
    for node in graph:
        if relates(node) and node.id not in members:
            ends = (*graph.premises_of(node), *graph.successors(node))
            missing[node.id] = sum(end.id not in members for end in ends) if ends else -1
    todo = [id_ for id_, count in missing.items() if count == 0]
    while todo:
        id_ = todo.pop()
        members.add(id_)
        for other in (*graph.successors(id_), *graph.predecessors(id_)):
            ends = (*graph.premises_of(other), *graph.successors(other)) if other.id in missing else ()
            count = sum(end.id == id_ for end in ends)
            if count and other.id not in members:
                missing[other.id] -= count
                if missing[other.id] == 0:
                    todo.append(other.id)
    return members


def _add_anchors(graph: ArgumentGraph, members: set[str]) -> None:
    """Add the illocutions that lead to what is kept, where they are anchored, and transitions with both ends."""
    todo = list(members)
    while todo:
        node = graph[todo.pop()]
        further: tuple[Node, ...] = graph.acts_on(node)
        if isinstance(node, Illocution):
            further += graph.anchors_of(node)
        elif isinstance(node, Transition):
            further += _locutions_at(graph, node)
        for other in further:
            if other.id not in members:
                members.add(other.id)
                todo.append(other.id)
    for transition in graph.transitions:
        locutions = _locutions_at(graph, transition)
        if len(locutions) > 1 and all(locution.id in members for locution in locutions):
            members.add(transition.id)


def _locutions_at(graph: ArgumentGraph, transition: Node) -> tuple[Locution, ...]:
    ends = (*graph.predecessors(transition), *graph.successors(transition))
    return tuple(node for node in ends if isinstance(node, Locution))


# -- a map as people read it ----------------------------------------------------------------------------------

_DEEPEST: Final = 40
_SIGNS: Final = {"RA": "+", "CA": "−", "MA": "≈", "PA": ">"}


def tree_lines(graph: ArgumentGraph) -> Iterator[str]:
    """The argument as indented lines: each proposition above what supports (+), attacks (−) or rephrases (≈) it.

    Roots are propositions that start no relation; what is reachable only through a cycle follows at the end. A
    proposition that was shown already is named with ``…`` and not unfolded again.
    """
    unfolded: set[str] = set()
    for root in (*graph.roots(), *graph.propositions):
        if root.id in unfolded:
            continue
        stack = [(root.id, 0, "")]
        while stack:
            id_, depth, sign = stack.pop()
            again = id_ in unfolded
            node = graph[id_]
            text = node.text if node.type == "I" else f"[{node.text or node.type}]"
            yield f"{_indent(depth)}{sign}{' '.join(text.split())}{' …' if again else ''}"
            if again:
                continue
            unfolded.add(id_)
            below = []
            for relation in filter(relates, graph.predecessors(id_)):
                mark = _SIGNS[relation.type]
                premises = [premise for premise in graph.premises_of(relation) if premise.type == "I"]
                below += [
                    (premise.id, depth + 1, f"{mark}& " if index else f"{mark} ")
                    for index, premise in enumerate(premises)
                ]
                below += [
                    (premise.id, depth + 2, f"{_SIGNS[undercut.type]}[{mark}] ")
                    for undercut in filter(relates, graph.predecessors(relation))
                    for premise in graph.premises_of(undercut)
                ]
            stack += reversed(below)


def _indent(depth: int) -> str:
    """The beginning of a line. Beyond 40 steps it is a number: whole chains of thousands would be mostly blanks."""
    return "  " * depth if depth <= _DEEPEST else f"{'  ' * _DEEPEST}({depth}) "
