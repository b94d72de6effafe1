"""What the relations, transitions and illocutions of a graph join, by numbers of nodes, before any node has a class.

It depends on nothing but the graph, is kept with it, and so is worked out once for all comparisons of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from aifgraph.align.analysis import Analysis
from aifgraph.graph.nodes import RELATIONS

#: A node with one premise and one conclusion of it, or two locutions that it joins: never the same node twice.
Joined: TypeAlias = "tuple[int, int, int]"


class Structure(NamedTuple):
    """What S-nodes and TA-nodes join, and what is done by YA-nodes, in the order of the nodes.

    ``undercutting`` are the S-nodes that lead to an S-node. An illocution is the key of its label, the nodes that it is
    anchored in, and those that it leads to; ``label_names`` maps the keys to what people read. ``anchoring`` are the
    nodes that an illocution is anchored in, ``anchored_nowhere`` the illocutions in a transition without locutions.
    """

    relations: list[Joined]
    transitions: list[Joined]
    undercutting: list[int]
    illocutions: list[tuple[str, Sequence[int], Sequence[int]]]
    label_names: dict[str, str]
    anchoring: set[int]
    anchored_nowhere: list[int]


def structure_of(analysis: Analysis) -> Structure:
    """The structure of the graph of an analysis.

    >>> from aifgraph import GraphBuilder
    >>> from aifgraph.align.analysis import analyse
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> _ = build.inference([reason], claim)
    >>> structure_of(analyse(build.graph())).relations
    [(2, 1, 0)]
    """
    return analysis.graph._once("structure", lambda: _structure(analysis))


def _structure(analysis: Analysis) -> Structure:
    kinds, successors, predecessors = analysis.kinds, analysis.successors, analysis.predecessors
    found = Structure([], [], [], [], {}, set(), [])
    illocutions: list[int] = []
    # Transitions that join nothing: what is done there is done in what they lead to, else in what they come from.
    instead: dict[int, list[int]] = {}
    for node, kind in enumerate(kinds):
        if kind == "YA":
            illocutions.append(node)
        elif kind == "TA":
            if joined := _joined("L", node, analysis):
                found.transitions.extend(joined)
            else:
                ends, starts = ([n for n in near[node] if kinds[n] == "L"] for near in (successors, predecessors))
                instead[node] = ends or starts
        elif kind in RELATIONS:
            found.relations.extend(_joined("I", node, analysis))
            for end in successors[node]:
                if kinds[end] in RELATIONS:
                    found.undercutting.append(node)
                    break
    for node in illocutions:
        anchors = predecessors[node]
        found.anchoring.update(anchors)
        if not instead.keys().isdisjoint(anchors):
            found.anchored_nowhere.extend(node for anchor in anchors if instead.get(anchor) == [])
            anchors = [new for anchor in anchors for new in instead.get(anchor, (anchor,))]
        name, key = analysis.label_names[node], analysis.label_keys[node]
        found.illocutions.append((key, anchors, successors[node]))
        # Of several spellings of a label the smallest stands for all, whatever their order.
        if found.label_names.setdefault(key, name) > name:
            found.label_names[key] = name
    return found


def _joined(kind: str, node: int, analysis: Analysis) -> list[Joined]:
    """The nodes of a type that a node comes from, each with those of the same type that it leads to."""
    kinds, starts, ends = analysis.kinds, analysis.predecessors[node], analysis.successors[node]
    return [(node, a, b) for a in starts if kinds[a] == kind for b in ends if kinds[b] == kind and a != b]
