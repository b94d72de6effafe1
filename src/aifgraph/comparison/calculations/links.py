"""What one side joins and does, in terms of classes: the links of its relations and transitions, and its illocutions.

All calculations are made of these (docs/measures.md, section 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.items import Anchor, AnchoredContent, Content, InnerLink, Link, Relation, Undercut
from aifgraph.graph.nodes import RELATIONS

ALL_RELATIONS = frozenset(RELATIONS)

# A named tuple's own constructor takes twice the time, and a corpus has very many items.
_new = tuple.__new__


class IllocutionLinks(NamedTuple):
    """The key of its label, where it is anchored, what it contains, and all pairs of these."""

    label: str
    anchors: list[Anchor]
    contents: list[Content]
    anchored: list[AnchoredContent]


@dataclass(frozen=True, slots=True)
class SideLinks:
    """One side of a comparison, or one of several annotators.

    ``types`` are the relations that take part; ``proposition_class`` and ``locution_class`` map nodes to classes.
    ``relations`` and ``transitions`` give the links of every S-node and TA-node; ``counted_transitions`` are those that
    count as items (between classes, and inner ones that a YA is anchored in). ``label_names`` maps the keys of labels
    to what people read; ``anchored_nowhere`` are the YA-nodes anchored in a transition without locutions.
    """

    analysis: Analysis
    types: frozenset[str]
    proposition_class: Mapping[int, int]
    locution_class: Mapping[int, int]
    relations: dict[int, list[Relation]]
    transitions: dict[int, list[Link | InnerLink]]
    counted_transitions: set[Link | InnerLink]
    illocutions: list[IllocutionLinks]
    label_names: dict[str, str]
    anchored_nowhere: list[int]

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

    def inner_pairs(self) -> int:
        """The number of ordered pairs of propositions of this side that are in one class."""
        numbers = self.proposition_class.values()
        if len(set(numbers)) == len(numbers):
            return 0
        return sum(nodes * (nodes - 1) for nodes in Counter(numbers).values())


def links_of_both(alignment: Alignment, types: frozenset[str] = ALL_RELATIONS) -> tuple[SideLinks, SideLinks]:
    """Both sides of an alignment; ``types`` are the relations that take part."""
    propositions, locutions = alignment.propositions, alignment.locutions
    return (
        links_of(alignment.first, propositions.first_class, locutions.first_class, 0, types),
        links_of(alignment.second, propositions.second_class, locutions.second_class, 1, types),
    )


def links_of(
    analysis: Analysis,
    proposition_class: Mapping[int, int],
    locution_class: Mapping[int, int],
    owner: int,
    types: frozenset[str],
) -> SideLinks:
    """The links and illocutions of an analysis whose nodes are in classes; ``owner`` is its number among the sides."""
    kinds, successors, predecessors = analysis.kinds, analysis.successors, analysis.predecessors
    relations: dict[int, list[Relation]] = {}
    transitions: dict[int, list[Link | InnerLink]] = {}
    counted: set[Link | InnerLink] = set()
    illocutions: list[int] = []
    for node, kind in enumerate(kinds):
        if kind == "YA":
            illocutions.append(node)
        elif kind == "TA":
            starts = [other for other in predecessors[node] if kinds[other] == "L"]
            ends = [other for other in successors[node] if kinds[other] == "L"]
            if starts and ends:
                links = transitions[node] = _joined(starts, ends, locution_class, owner)
                for link in links:
                    if isinstance(link, Link) or any(kinds[other] == "YA" for other in successors[node]):
                        counted.add(link)
        elif kind in types:
            premises = [other for other in predecessors[node] if kinds[other] == "I"]
            conclusions = [other for other in successors[node] if kinds[other] == "I"]
            if premises and conclusions:
                links = _joined(premises, conclusions, proposition_class, owner)
                relations[node] = [_new(Relation, (link, kind)) for link in links]
    side = SideLinks(analysis, types, proposition_class, locution_class, relations, transitions, counted, [], {}, [])
    _read_illocutions(side, illocutions)
    return side


def _joined(starts: list[int], ends: list[int], class_of: Mapping[int, int], owner: int) -> list[Link | InnerLink]:
    links: list[Link | InnerLink] = []
    for start in starts:
        start_class = class_of[start]
        for end in ends:
            end_class = class_of[end]
            if start_class != end_class:
                links.append(_new(Link, (start_class, end_class)))
            elif start != end:
                links.append(InnerLink(owner, start, end))
    return links


def _read_illocutions(side: SideLinks, nodes: list[int]) -> None:
    """Put the illocutions of the YA-nodes into ``side``, with the names of their labels."""
    analysis, names, transitions, relations = side.analysis, side.label_names, side.transitions, side.relations
    kinds, successors, predecessors = analysis.kinds, analysis.successors, analysis.predecessors
    for node in nodes:
        name, key = analysis.label_names[node], analysis.label_keys[node]
        # Of several spellings of a label the smallest stands for all, whatever their order.
        if key not in names or name < names[key]:
            names[key] = name
        anchors: list[Anchor] = []
        for other in predecessors[node]:
            if kinds[other] == "L":
                anchors.append(side.locution_class[other])
            elif kinds[other] == "TA":
                if links := transitions.get(other):
                    anchors += links
                    continue
                # A transition that joins nothing: what is done there is done in what it leads to, else in what it
                # comes from.
                around = [end for end in successors[other] if kinds[end] == "L"]
                around = around or [start for start in predecessors[other] if kinds[start] == "L"]
                anchors += [side.locution_class[locution] for locution in around]
                if not around:
                    side.anchored_nowhere.append(node)
        contents: list[Content] = []
        for other in successors[node]:
            if kinds[other] == "I":
                contents.append(side.proposition_class[other])
            elif other in relations:
                contents += relations[other]
        anchored = [_new(AnchoredContent, (content, anchor)) for content in contents for anchor in anchors]
        side.illocutions.append(_new(IllocutionLinks, (key, anchors, contents, anchored)))
