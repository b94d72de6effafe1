"""Reading an argument from its ends: the longest chain, and the whole as an indented tree."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS, Illocution, SchemeNode

_DEEPEST = 40
_SIGNS = {"RA": "+", "CA": "−", "MA": "≈", "PA": ">"}


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
            here, done = stack.pop()
            if done:
                open_.discard(here)
                ends = [(best[end][0] + 1, end) for end in following.get(here, ()) if end in best and end not in open_]
                best[here] = max(ends, key=lambda end: end[0]) if ends else (0, None)
            elif here not in best and here not in open_:
                open_.add(here)
                stack.append((here, True))
                stack += [(end, False) for end in following.get(here, ()) if end not in best and end not in open_]
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
    shown: set[str] = set()
    starts = [node.id for node in graph.propositions if not _relations_from(graph, node.id)]
    for root in (*starts, *(node.id for node in graph.propositions)):
        if root in shown:
            continue
        stack = [(root, 0, "")]
        while stack:
            here, depth, sign = stack.pop()
            again = here in shown
            node = graph[here]
            text = node.text if node.type == "I" else f"[{node.text or node.type}]"
            yield f"{_indent(depth)}{sign}{' '.join(text.split())}{' …' if again else ''}"
            if again:
                continue
            shown.add(here)
            below = []
            for relation in graph.predecessors(here):
                if relation.type not in RELATIONS:
                    continue
                mark = _SIGNS[relation.type]
                premises = [each for each in graph.premises_of(relation) if each.type == "I"]
                for index, premise in enumerate(premises):
                    linked = f"{mark}& " if index else f"{mark} "
                    below.append((premise.id, depth + 1, linked))
                undercuts = [each for each in graph.predecessors(relation) if each.type in RELATIONS]
                below += [
                    (each.id, depth + 2, f"{_SIGNS[undercut.type]}[{mark}] ")
                    for undercut in undercuts
                    for each in graph.premises_of(undercut)
                ]
            stack += reversed(below)


def _indent(depth: int) -> str:
    """The beginning of a line. Beyond 40 steps it is a number: whole chains of thousands would be mostly blanks."""
    return "  " * depth if depth <= _DEEPEST else f"{'  ' * _DEEPEST}({depth}) "


def _relations_from(graph: ArgumentGraph, id_: str) -> bool:
    return any(not isinstance(node, Illocution) and node.type in RELATIONS for node in graph.successors(id_))
