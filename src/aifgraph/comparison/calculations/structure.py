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
    anchored in, and those that it leads to; ``label_names`` maps the keys to what people read. ``anchored_nowhere`` are
    the illocutions in a transition without locutions.
    """

    relations: list[Joined]
    transitions: list[Joined]
    undercutting: list[int]
    illocutions: list[tuple[str, Sequence[int], Sequence[int]]]
    label_names: dict[str, str]
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
    relations: list[Joined] = []
    transitions: list[Joined] = []
    undercutting: list[int] = []
    acts: list[int] = []
    # Transitions that join nothing: what is done there is done in what they lead to, else in what they come from.
    instead: dict[int, list[int]] = {}
    for node, kind in enumerate(kinds):
        if kind == "YA":
            acts.append(node)
        elif kind == "TA":
            starts = [other for other in predecessors[node] if kinds[other] == "L"]
            ends = [other for other in successors[node] if kinds[other] == "L"]
            joined = [(node, start, end) for start in starts for end in ends if start != end]
            transitions += joined
            if not joined:
                instead[node] = ends or starts
        elif kind in RELATIONS:
            ends = [other for other in successors[node] if kinds[other] == "I"]
            starts = predecessors[node]
            relations += [(node, start, end) for start in starts if kinds[start] == "I" for end in ends if start != end]
            if len(ends) < len(successors[node]) and any(kinds[other] in RELATIONS for other in successors[node]):
                undercutting.append(node)
    names, keys = analysis.label_names, analysis.label_keys
    illocutions: list[tuple[str, Sequence[int], Sequence[int]]] = [
        (keys[node], predecessors[node], successors[node]) for node in acts
    ]
    anchored_nowhere: list[int] = []
    if instead:
        anchored_nowhere = [node for node in acts for anchor in predecessors[node] if instead.get(anchor) == []]
        illocutions = [
            (key, [new for anchor in anchors for new in instead.get(anchor, (anchor,))], contents)
            for key, anchors, contents in illocutions
        ]
    # Of several spellings of a label the smallest stands for all, whatever their order.
    label_names = dict(sorted({(keys[node], names[node]) for node in acts}, reverse=True))
    return Structure(relations, transitions, undercutting, illocutions, label_names, anchored_nowhere)
