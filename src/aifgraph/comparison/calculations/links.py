"""Links: what a relation or a transition joins, in terms of classes (docs/measures.md, section 4).

Between nodes of different classes a link is the pair of classes and belongs to both sides: ``(premise class,
conclusion class)``. Between two nodes of one class it is *inner*, ``(side, premise node, conclusion node)``, and only
its own side can have it. A *relation* is a link with the type of its S-node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis, ya_label
from aifgraph.graph.schemes import letters

Link = tuple[int, int] | tuple[int, int, int]
Relation = tuple[Link, str]
#: A locution class (a number) or a transition (a link).
Anchor = int | Link
#: A proposition class (a number) or a relation.
Content = int | Relation


@dataclass(frozen=True)
class SideLinks:
    """What one side joins.

    ``relations`` and ``transitions`` give the links of every S-node and TA-node; ``anchored`` are the transitions that
    count as items (between classes, and inner ones that a YA is anchored on). ``acts`` are the illocutions: the key of
    the label, where they are anchored, what they contain, and the TA-nodes they hang on.
    """

    relations: dict[int, list[Relation]]
    transitions: dict[int, list[Link]]
    anchored: set[Link]
    acts: list[tuple[str, list[Anchor], list[Content], list[int]]]
    labels: dict[str, str]
    adrift: list[int]


def links_of(alignment: Alignment, side: Literal[0, 1], types: frozenset[str]) -> SideLinks:
    """The links of one side; ``types`` are the relations that take part."""
    analysis = alignment.second if side else alignment.first
    propositions = alignment.propositions.second_class if side else alignment.propositions.first_class
    locutions = alignment.locutions.second_class if side else alignment.locutions.first_class
    kinds, successors, predecessors = analysis.kinds, analysis.successors, analysis.predecessors
    relations: dict[int, list[Relation]] = {}
    transitions: dict[int, list[Link]] = {}
    anchored: set[Link] = set()
    acts: list[int] = []
    for node, kind in enumerate(kinds):
        if kind == "YA":
            acts.append(node)
        elif kind == "TA":
            starts = [other for other in predecessors[node] if kinds[other] == "L"]
            ends = [other for other in successors[node] if kinds[other] == "L"]
            if starts and ends:
                found = transitions[node] = _links(starts, ends, locutions, side)
                said = any(kinds[other] == "YA" for other in successors[node])
                anchored.update(link for link in found if said or len(link) == 2)
        elif kind in types:
            premises = [other for other in predecessors[node] if kinds[other] == "I"]
            conclusions = [other for other in successors[node] if kinds[other] == "I"]
            if premises and conclusions:
                relations[node] = [(link, kind) for link in _links(premises, conclusions, propositions, side)]
    names: dict[str, str] = {}
    adrift: list[int] = []
    read = [_act(analysis, node, propositions, locutions, relations, transitions, names, adrift) for node in acts]
    return SideLinks(relations, transitions, anchored, read, names, adrift)


def _links(starts: list[int], ends: list[int], classes: dict[int, int], side: int) -> list[Link]:
    found: list[Link] = []
    for start in starts:
        one = classes[start]
        for end in ends:
            other = classes[end]
            if one != other:
                found.append((one, other))
            elif start != end:
                found.append((side, start, end))
    return found


def _act(
    analysis: Analysis,
    node: int,
    propositions: dict[int, int],
    locutions: dict[int, int],
    relations: dict[int, list[Relation]],
    transitions: dict[int, list[Link]],
    names: dict[str, str],
    adrift: list[int],
) -> tuple[str, list[Anchor], list[Content], list[int]]:
    kinds = analysis.kinds
    shown = ya_label(analysis.nodes[node])
    key = letters(shown)
    # Of several spellings of a label the smallest stands for all, whatever their order.
    if key not in names or shown < names[key]:
        names[key] = shown
    anchors: list[Anchor] = []
    hooks: list[int] = []
    for other in analysis.predecessors[node]:
        if kinds[other] == "L":
            anchors.append(locutions[other])
        elif kinds[other] == "TA":
            hooks.append(other)
            if transitions.get(other):
                anchors += transitions[other]
                continue
            # A transition that joins nothing: what is done there is done in what it leads to, or in what it comes from.
            around = [end for end in analysis.successors[other] if kinds[end] == "L"]
            around = around or [start for start in analysis.predecessors[other] if kinds[start] == "L"]
            anchors += [locutions[each] for each in around]
            if not around:
                adrift.append(node)
    contents: list[Content] = []
    for other in analysis.successors[node]:
        if kinds[other] == "I":
            contents.append(propositions[other])
        elif other in relations:
            contents += relations[other]
    return key, anchors, contents, hooks
