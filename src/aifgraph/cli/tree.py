"""The argument of a map as an indented tree, for ``show --tree``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from aifgraph.graph import ArgumentGraph, Node

_DEEPEST: Final = 40
_SIGNS: Final = {"RA": "+", "CA": "−", "MA": "≈", "PA": ">"}


def tree_lines(graph: ArgumentGraph) -> Iterator[str]:
    """Yield the argument as indented lines: propositions above what supports (+), attacks (−) or rephrases (≈) them.

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
            # A number, so that deep chains are not mostly blanks.
            indent = "  " * depth if depth <= _DEEPEST else f"{'  ' * _DEEPEST}({depth}) "
            yield f"{indent}{sign}{' '.join(text.split())}{' …' if again else ''}"
            if again:
                continue
            unfolded.add(id_)
            below = []
            for relation in _relations_on(graph, id_):
                mark = _SIGNS[relation.type]
                premises = [premise for premise in graph.premises_of(relation) if premise.type == "I"]
                below += [
                    (premise.id, depth + 1, f"{mark}& " if index else f"{mark} ")
                    for index, premise in enumerate(premises)
                ]
                below += [
                    (premise.id, depth + 2, f"{_SIGNS[undercut.type]}[{mark}] ")
                    for undercut in _relations_on(graph, relation.id)
                    for premise in graph.premises_of(undercut)
                ]
            stack += reversed(below)


def _relations_on(graph: ArgumentGraph, id_: str) -> list[Node]:
    return [node for node in graph.predecessors(id_) if node.kind in _SIGNS]
