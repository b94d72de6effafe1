"""The labels that each analysis gives to links of classes (docs/measures.md, section 4, links).

``SchemeLinks`` join node numbers. They depend on the graph alone and are computed once for each graph. ``Claims`` join
classes; all calculations and differences are made of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis, analyse
from aifgraph.comparison.items import (
    Act,
    ActClaim,
    Anchor,
    Content,
    InnerLink,
    Link,
    LinkClaim,
    Relation,
    Undercut,
    UndercutClaim,
)
from aifgraph.comparison.paths import ExplicitPaths, explicit_paths
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.content import cached_per_graph
from aifgraph.graph.nodes import RELATIONS


class Illocution(NamedTuple):
    """A YA-node, the key of its label, the nodes it is anchored in, and those it leads to."""

    node: int
    label: str
    anchors: Sequence[int]
    contents: Sequence[int]


class SchemeLinks(NamedTuple):
    """The links that the scheme nodes of a graph make, by node number.

    ``relations`` and ``transitions`` are triples: the scheme node, where it starts, where it ends, never at one node.
    ``undercuts`` are triples: an S-node, its premise, and the S-node that it leads to. ``label_names`` maps the keys of
    illocutionary labels to what people read. ``unattached`` are the illocutions in a transition without locutions.
    """

    relations: list[tuple[int, int, int]]
    transitions: list[tuple[int, int, int]]
    undercuts: list[tuple[int, int, int]]
    illocutions: list[Illocution]
    label_names: dict[str, str]
    unattached: list[int]


@cached_per_graph
def scheme_links(graph: ArgumentGraph) -> SchemeLinks:
    """Return the links that the scheme nodes of a graph make; the graph keeps them."""
    analysis = analyse(graph)
    kinds, successors, predecessors = analysis.kinds, analysis.successors, analysis.predecessors
    relations: list[tuple[int, int, int]] = []
    transitions: list[tuple[int, int, int]] = []
    undercuts: list[tuple[int, int, int]] = []
    acts: list[int] = []
    # A transition that joins no locutions: its illocutions are anchored in its ends, else in its starts.
    instead: dict[int, list[int]] = {}
    for node, kind in enumerate(kinds):
        if kind == "YA":
            acts.append(node)
        elif kind == "TA":
            starts = [start for start in predecessors[node] if kinds[start] == "L"]
            ends = [end for end in successors[node] if kinds[end] == "L"]
            joined = [(node, start, end) for start in starts for end in ends if start != end]
            transitions += joined
            if not joined:
                instead[node] = ends or starts
        elif kind in RELATIONS:
            premises = [premise for premise in predecessors[node] if kinds[premise] == "I"]
            for end in successors[node]:
                if kinds[end] == "I":
                    relations += [(node, premise, end) for premise in premises if premise != end]
                elif kinds[end] in RELATIONS:
                    undercuts += [(node, premise, end) for premise in premises]
    keys, names = analysis.label_keys, analysis.label_names
    illocutions = [Illocution(act, keys[act], predecessors[act], successors[act]) for act in acts]
    unattached: list[int] = []
    if instead:  # which few maps have
        unattached = [act for act in acts if any(instead.get(anchor) == [] for anchor in predecessors[act])]
        illocutions = [
            act._replace(anchors=[place for anchor in act.anchors for place in instead.get(anchor, (anchor,))])
            for act in illocutions
        ]
    # Of several spellings of a label the smallest stands for all, whatever their order.
    label_names = dict(sorted(set(zip(keys.values(), names.values(), strict=True)), reverse=True))
    return SchemeLinks(relations, transitions, undercuts, illocutions, label_names, unattached)


@dataclass(frozen=True)
class Claims:
    """The labels that the scheme nodes of one side (number ``side``) give to items.

    ``relations`` and ``transitions`` are of links, ``undercuts`` of premises on relations, ``acts`` of contents in
    anchors, labelled with keys. Relations of all types are here; those of ``types`` are compared. ``reconstructed`` are
    the propositions that nobody said, None where positions are not known.
    """

    analysis: Analysis
    scheme_links: SchemeLinks
    side: int
    types: frozenset[str]
    proposition_class: Mapping[int, int] = field(repr=False)
    relations: list[LinkClaim] = field(repr=False)
    undercuts: list[UndercutClaim] = field(repr=False)
    transitions: list[LinkClaim] = field(repr=False)
    acts: list[ActClaim] = field(repr=False)
    reconstructed: frozenset[int] | None = field(repr=False)

    @cached_property
    def compared(self) -> list[LinkClaim]:
        """The relations that are compared."""
        return [claim for claim in self.relations if claim[2] in self.types]

    @cached_property
    def compared_undercuts(self) -> list[UndercutClaim]:
        """The relations on relations that are compared."""
        types = self.types
        return [claim for claim in self.undercuts if claim[2] in types and claim[1].relation.type in types]

    @cached_property
    def counted_transitions(self) -> set[Link | InnerLink]:
        """The transitions that count as items: those between classes, and inner ones that a YA is anchored in."""
        kinds, successors = self.analysis.kinds, self.analysis.successors
        return {
            link
            for node, link, _ in self.transitions
            if isinstance(link, Link) or any(kinds[act] == "YA" for act in successors[node])
        }

    @cached_property
    def said_class(self) -> dict[int, int]:
        """The classes of the propositions that were said."""
        unsaid = self.reconstructed or ()
        return {node: number for node, number in self.proposition_class.items() if node not in unsaid}

    @cached_property
    def paths(self) -> ExplicitPaths | None:
        """The paths among what was said; None where positions are not known."""
        if self.reconstructed is None:
            return None
        kinds = self.analysis.kinds
        triples = {
            (start, kinds[node], end) for node, start, end in self.scheme_links.relations if kinds[node] in self.types
        }
        return explicit_paths(triples, self.reconstructed)

    def link(self, start: int, end: int) -> Link | InnerLink:
        """Return the link between two propositions."""
        return _link(self.proposition_class, self.side, start, end)


def inner_pairs(class_of: Mapping[int, int]) -> int:
    """Return the number of ordered pairs of different nodes that are in one class."""
    if len(set(class_of.values())) == len(class_of):
        return 0
    return sum(size * (size - 1) for size in Counter(class_of.values()).values())


def claims_of_both(alignment: Alignment, types: Iterable[str]) -> tuple[Claims, Claims]:
    """Return the claims of both sides of an alignment; ``types`` are the relations that are compared."""
    propositions, locutions = alignment.propositions, alignment.locutions
    first, second = alignment.reconstructed
    return (
        claims_of(alignment.first, propositions.first_class, locutions.first_class, 0, types, first),
        claims_of(alignment.second, propositions.second_class, locutions.second_class, 1, types, second),
    )


def claims_of(
    analysis: Analysis,
    proposition_class: Mapping[int, int],
    locution_class: Mapping[int, int],
    side: int,
    types: Iterable[str],
    reconstructed: frozenset[int] | None,
) -> Claims:
    """Return the claims of an analysis, ``side`` being its number among those that are compared."""
    kinds, own_links = analysis.kinds, scheme_links(analysis.graph)
    relations: list[LinkClaim] = []
    relations_of: dict[int, list[Relation]] = {}
    for node, start, end in own_links.relations:
        link, kind = _link(proposition_class, side, start, end), kinds[node]
        relations.append((node, link, kind))
        relations_of.setdefault(node, []).append(Relation(link, kind))
    undercuts: list[UndercutClaim] = [
        (node, Undercut(proposition_class[premise], relation), kinds[node])
        for node, premise, target in own_links.undercuts
        for relation in relations_of.get(target, ())
    ]
    transitions: list[LinkClaim] = []
    transitions_of: dict[int, list[Link | InnerLink]] = {}
    for node, start, end in own_links.transitions:
        link = _link(locution_class, side, start, end)
        transitions.append((node, link, "TA"))
        transitions_of.setdefault(node, []).append(link)
    contents: dict[int, Sequence[Content]] = {node: (number,) for node, number in proposition_class.items()}
    anchors: dict[int, Sequence[Anchor]] = {node: (number,) for node, number in locution_class.items()}
    contents.update(relations_of)
    anchors.update(transitions_of)
    acts: list[ActClaim] = []
    for node, label, anchored_in, leads_to in own_links.illocutions:
        done: list[Content | None] = [content for end in leads_to for content in contents.get(end, ())]
        places = [anchor for place in anchored_in for anchor in anchors.get(place, ())]
        acts += [(node, Act(content, anchor), label) for content in done or [None] for anchor in places]
    joined = relations, undercuts, transitions, acts
    return Claims(analysis, own_links, side, frozenset(types), proposition_class, *joined, reconstructed)


def _link(class_of: Mapping[int, int], side: int, start: int, end: int) -> Link | InnerLink:
    ends = class_of[start], class_of[end]
    return Link(*ends) if ends[0] != ends[1] else InnerLink(side, start, end)
