"""Following edges through a map, over any number of steps: the methods of ``ArgumentGraph`` of the same names; and the
argument as a chain and as an indented tree.

Nothing here recurses, and all but ``paths`` take time linear in the map. What gives all that can be reached keeps the
order of the graph; what goes one step keeps that of the edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from aifgraph.errors import LimitError, OptionError
from aifgraph.graph.nodes import Illocution, Locution, Node, NodeLike, Proposition, SchemeNode, Transition
from aifgraph.graph.steps import relates
from aifgraph.slips import answering

if TYPE_CHECKING:
    import networkx

    from aifgraph.graph.graph import ArgumentGraph

#: Steps that ``paths`` takes at most: between two nodes of a map with circles there may be more paths than anybody
#: can list.
MAX_STEPS: Final = 1_000_000


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


def component(graph: ArgumentGraph, node: NodeLike) -> tuple[Node, ...]:
    """All nodes that are connected with this one, whatever the direction of the edges, and the node itself."""
    id_ = graph._id(node)
    return next(part for part in components(graph) if any(member.id == id_ for member in part))


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


def depth(graph: ArgumentGraph, node: NodeLike | None = None) -> int | None:
    """How many relations lie between a node and the nearest root, or the greatest such number in the map.

    Counted are RA-, CA-, MA- and PA-nodes on the shortest way, the node itself included: a root has depth 0, what
    supports it 1, what undercuts that support 2. None for a node that leads to no root (it is on a circle, or no
    proposition or relation), and for a map without roots.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> first, second, third = (build.proposition(text) for text in "abc")
    >>> _ = build.inference([first], second), build.inference([second], third)
    >>> graph = build.graph()
    >>> graph.depth(), graph.depth(third), graph.depth(first)
    (2, 0, 2)
    """
    id_ = None if node is None else graph._id(node)
    by_id = _depths(graph)
    return max(by_id.values(), default=None) if id_ is None else by_id.get(id_)


def _depths(graph: ArgumentGraph) -> dict[str, int]:
    """The number of relations between each node and the nearest root; nodes that lead to no root are not in it."""
    depth = {root.id: 0 for root in graph.roots()}
    todo = deque(depth)
    while todo:
        id_ = todo.popleft()
        for node in graph.predecessors(id_):
            if node.id in depth or not (relates(node) or isinstance(node, Proposition)):
                continue
            # A step into a relation counts: the nearest go first.
            if relates(node):
                depth[node.id] = depth[id_] + 1
                todo.append(node.id)
            else:
                depth[node.id] = depth[id_]
                todo.appendleft(node.id)
    return depth


def paths(graph: ArgumentGraph, start: NodeLike, end: NodeLike, *, limit: int = 1000) -> Iterator[tuple[Node, ...]]:
    """The ways along the edges from one node to another, each without repeated nodes, in the order of the edges.

    Each is computed when it is asked for, at most ``limit`` of them; without circles in the map, each takes time
    linear in its length.

    Raises:
        OptionError: the limit is below 1.
        LimitError: the search in a map with circles takes more than ``MAX_STEPS`` steps without coming to
            another path.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> reason, claim = build.proposition("They filter"), build.proposition("Masks help")
    >>> _ = build.inference([reason], claim)
    >>> [[node.type for node in path] for path in build.graph().paths(reason, claim)]
    [['I', 'RA', 'I']]
    """
    if not isinstance(limit, int) or limit < 1:
        raise OptionError(f"limit is {limit!r}"[:200], remedy="give a whole number from 1")
    return _paths(graph, graph._id(start), graph._id(end), limit)


def _paths(graph: ArgumentGraph, first: str, last: str, limit: int) -> Iterator[tuple[Node, ...]]:
    import networkx

    if first == last:
        yield (graph[first],)
        return
    # Only what leads to the end is entered: no step is taken into a side branch.
    useful = networkx.ancestors(_directed(graph), last)
    path = {first: None} if first in useful else {}
    waiting = [iter(graph.successors(first))] if path else []
    steps = count = 0
    while waiting:
        node = next(waiting[-1], None)
        steps += 1
        if steps > MAX_STEPS:
            raise LimitError("too many ways between two nodes of a map with circles", where=f"node {first}")
        if node is None:
            waiting.pop()
            path.popitem()
        elif node.id == last:
            yield tuple(graph[id_] for id_ in (*path, last))
            steps = 0
            count += 1
            if count == limit:
                return
        elif node.id in useful and node.id not in path:
            path[node.id] = None
            waiting.append(iter(graph.successors(node)))


# -- a part of a map ------------------------------------------------------------------------------------------


@answering(called="subgraph")
def subgraph(graph: ArgumentGraph, nodes: Iterable[NodeLike], *, anchors: bool = True) -> ArgumentGraph:
    """The part of the map between some nodes, as a graph with the same ids.

    Args:
        nodes: nodes or ids. The relations all of whose premises and conclusions are among them come along, and so
            do relations that bear on such a relation (an undercut) from nodes that are among them.
        anchors: whether what anchors all that comes along: illocutions, their locutions and transitions.

    Returns:
        A graph in the order of this one, with the records, participants and spans of what is in it, and with the
        source text. It can be compared and written like any other.

    Raises:
        OptionError: one node or id in place of several.

    >>> import aifgraph
    >>> graph = aifgraph.load("fixtures/debate/first.json")
    >>> claim = graph.roots()[0]
    >>> part = graph.subgraph([claim, *(step.node for step in graph.supports(claim))])
    >>> len(part.propositions), len(part.inferences), len(part.locutions) > 0
    (2, 1, True)
    """
    if isinstance(nodes, str | Node):
        # The characters of an id would be taken for ids, and may well be some.
        raise OptionError("the nodes are one node", remedy="give a list of nodes or ids: subgraph([node])")
    members = _between(graph, {graph[node].id for node in nodes})
    if anchors:
        _add_anchors(graph, members)
    meta = graph.meta.moved({node.id: None for node in graph if node.id not in members})
    speaking = {record.person_id for record in meta.locutions}
    meta = replace(
        meta,
        participants=tuple(person for person in meta.participants if person.id in speaking),
        unread=(),
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
            further += (*graph.starts_of(node), *graph.ends_of(node))
        for other in further:
            if other.id not in members:
                members.add(other.id)
                todo.append(other.id)
    for transition in graph.transitions:
        ends = (*graph.starts_of(transition), *graph.ends_of(transition))
        if len(ends) > 1 and all(isinstance(end, Locution) and end.id in members for end in ends):
            members.add(transition.id)


# -- a map as people read it ----------------------------------------------------------------------------------

_DEEPEST: Final = 40
_SIGNS: Final = {"RA": "+", "CA": "−", "MA": "≈", "PA": ">"}


def longest_chain(graph: ArgumentGraph, kind: str) -> list[str]:
    """The ids of the longest path through S-nodes of one kind (``RA``: from reason to claim; ``TA``: through the
    dialogue), S-nodes left out. A step back into a cycle is not taken.
    """
    following: dict[str, list[str]] = {}
    for node in graph.of(SchemeNode):
        if node.type != kind:
            continue
        for start in graph.premises_of(node):
            following.setdefault(start.id, []).extend(end.id for end in graph.conclusions_of(node))
    # Depth first without recursion; a node still open is part of a cycle and ends the path there.
    best: dict[str, tuple[int, str | None]] = {}
    for root in following:
        stack = [(root, False)]
        open_: set[str] = set()
        while stack:
            id_, done = stack.pop()
            if done:
                open_.discard(id_)
                ends = [(best[end][0] + 1, end) for end in following.get(id_, ()) if end in best and end not in open_]
                best[id_] = max(ends, key=lambda end: end[0]) if ends else (0, None)
            elif id_ not in best and id_ not in open_:
                open_.add(id_)
                stack.append((id_, True))
                stack += [(end, False) for end in following.get(id_, ()) if end not in best and end not in open_]
    if not best:
        return []
    step: str | None = max(best, key=lambda id_: best[id_][0])
    chain: dict[str, None] = {}  # an ordered set: long chains are looked up in it
    while step is not None and step not in chain:
        chain[step] = None
        step = best[step][1]
    return list(chain)


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
