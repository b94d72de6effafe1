"""What one side joins and does: the links of its relations and transitions, and its illocutions.

``Structure`` says it by numbers of nodes. It depends on nothing but the graph, is kept with it, and so is computed once
for all comparisons of the graph. ``SideLinks`` says it in terms of classes; all calculations are made of these
(docs/measures.md, section 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.items import Anchor, AnchoredContent, Content, InnerLink, Link, Relation, Undercut
from aifgraph.comparison.calculations.paths import ExplicitPaths, Step, explicit_paths
from aifgraph.graph.nodes import RELATIONS

ALL_RELATIONS = frozenset(RELATIONS)

# A named tuple's own constructor takes twice the time, and a corpus has very many items.
_new = tuple.__new__


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


@dataclass(frozen=True)
class SideLinks:
    """One side of a comparison, or one of several annotators.

    ``structure`` is what the graph says without classes, ``types`` are the relations that take part;
    ``proposition_class`` and ``locution_class`` map nodes to classes. ``relations`` and ``transitions`` give the links
    of every S-node and TA-node. ``places`` and ``contents`` are what nodes stand for where an illocution is anchored in
    them or leads to them; ``anchors`` are the places of all illocutions, ``anchored`` their contents there, both with
    the keys of labels. ``reconstructed`` are the propositions that nobody said, None where positions are not known.
    """

    analysis: Analysis
    structure: Structure
    types: frozenset[str]
    proposition_class: Mapping[int, int]
    locution_class: Mapping[int, int]
    relations: dict[int, list[Relation]]
    transitions: dict[int, list[Link | InnerLink]]
    places: dict[int, Sequence[Anchor]]
    contents: dict[int, Sequence[Content]]
    anchors: list[tuple[Anchor, str]]
    anchored: list[tuple[AnchoredContent, str]]
    owner: int
    reconstructed: frozenset[int] | None

    def counted_transitions(self) -> list[Link | InnerLink]:
        """The transitions that count as items: those between classes, and inner ones that a YA is anchored in."""
        kinds, successors = self.analysis.kinds, self.analysis.successors
        return [
            link
            for node, links in self.transitions.items()
            for link in links
            if isinstance(link, Link) or any(kinds[other] == "YA" for other in successors[node])
        ]

    def typed_links(self) -> set[tuple[int, int, str]]:
        """The relations between different classes: premise class, conclusion class, type."""
        relations = (relation for of_node in self.relations.values() for relation in of_node)
        return {(*link, type_) for link, type_ in relations if isinstance(link, Link)}

    def undercuts(self, node: int) -> list[Undercut]:
        """Premise class and relation, wherever the S-node ``node`` bears on a relation."""
        analysis = self.analysis
        targets = [target for target in analysis.successors[node] if target in self.relations]
        return [
            Undercut(self.proposition_class[premise], relation)
            for target in targets
            for premise in analysis.predecessors[node]
            if analysis.kinds[premise] == "I"
            for relation in self.relations[target]
        ]

    def link(self, start: int, end: int) -> Link | InnerLink:
        """The link from one proposition to another."""
        return _link(self.proposition_class, start, end, self.owner)

    @cached_property
    def said_classes(self) -> Mapping[int, int]:
        """The classes of the propositions that were said."""
        unsaid = self.reconstructed or ()
        return {node: number for node, number in self.proposition_class.items() if node not in unsaid}

    @cached_property
    def explicit(self) -> ExplicitPaths | None:
        """The argument among what was said; None where positions are not known."""
        if self.reconstructed is None:
            return None
        kinds = self.analysis.kinds
        triples = {(start, kinds[node], end) for node, start, end in self.structure.relations if node in self.relations}
        return explicit_paths(triples, self.reconstructed)

    @cached_property
    def explicit_links(self) -> dict[Link | InnerLink, list[tuple[str, Step]]]:
        """The links that paths among what was said make: the type and the last step of each."""
        paths: dict[Link | InnerLink, list[tuple[str, Step]]] = {}
        for (start, kind, end), last in self.explicit.last_steps.items() if self.explicit else ():
            paths.setdefault(self.link(start, end), []).append((kind, last))
        return paths

    def inner_pairs(self, classes: Mapping[int, int] | None = None) -> int:
        """The number of ordered pairs of propositions of this side that are in one class."""
        numbers = (self.proposition_class if classes is None else classes).values()
        if len(set(numbers)) == len(numbers):
            return 0
        return sum(nodes * (nodes - 1) for nodes in Counter(numbers).values())


def links_of_both(alignment: Alignment, types: frozenset[str] = ALL_RELATIONS) -> tuple[SideLinks, SideLinks]:
    """Both sides of an alignment, with which they are kept; ``types`` are the relations that take part."""
    return links_of_side(alignment, 0, types), links_of_side(alignment, 1, types)


def links_of_side(alignment: Alignment, owner: Literal[0, 1], types: frozenset[str]) -> SideLinks:
    """One side of an alignment, with which it is kept."""
    side: SideLinks | None = alignment._kept.get((owner, types))
    if side is None:
        analysis = (alignment.first, alignment.second)[owner]
        classes = alignment.propositions._of_side(owner), alignment.locutions._of_side(owner)
        side = links_of(analysis, *classes, owner, types, alignment.reconstructed[owner])
        alignment._kept[owner, types] = side
    return side


def links_of(
    analysis: Analysis,
    proposition_class: Mapping[int, int],
    locution_class: Mapping[int, int],
    owner: int,
    types: frozenset[str],
    reconstructed: frozenset[int] | None = None,
) -> SideLinks:
    """The links and illocutions of an analysis whose nodes are in classes; ``owner`` is its number among the sides."""
    structure = structure_of(analysis)
    kinds = analysis.kinds
    relations: dict[int, list[Relation]] = {}
    for node, link in _links(structure.relations, proposition_class, owner):
        if kinds[node] in types:
            relations.setdefault(node, []).append(_new(Relation, (link, kinds[node])))
    transitions: dict[int, list[Link | InnerLink]] = {}
    for node, link in _links(structure.transitions, locution_class, owner):
        transitions.setdefault(node, []).append(link)
    places: dict[int, Sequence[Anchor]] = {node: (number,) for node, number in locution_class.items()}
    places.update(transitions)
    contents: dict[int, Sequence[Content]] = {node: (number,) for node, number in proposition_class.items()}
    contents.update(relations)
    anchors = [
        (anchor, label)
        for label, nodes, _ in structure.illocutions
        for node in nodes
        for anchor in places.get(node, ())
    ]
    anchored = [
        (_new(AnchoredContent, (content, anchor)), label)
        for label, nodes, ends in structure.illocutions
        for end in ends
        for content in contents.get(end, ())
        for node in nodes
        for anchor in places.get(node, ())
    ]
    nodes = proposition_class, locution_class, relations, transitions, places, contents
    return SideLinks(analysis, structure, types, *nodes, anchors, anchored, owner, reconstructed)


def _links(joined: list[Joined], class_of: Mapping[int, int], owner: int) -> list[tuple[int, Link | InnerLink]]:
    """The nodes that join others, each with a link between the classes of these."""
    return [(node, _link(class_of, start, end, owner)) for node, start, end in joined]


def _link(class_of: Mapping[int, int], start: int, end: int, owner: int) -> Link | InnerLink:
    return _new(Link, (a, b)) if (a := class_of[start]) != (b := class_of[end]) else InnerLink(owner, start, end)
