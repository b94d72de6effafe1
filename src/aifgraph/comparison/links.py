"""The items that calculations label, and the labels that each analysis gives them (docs/measures.md, section 4, links).

``NodeLinks`` join nodes: they depend on a graph alone and are computed once for each. ``ClassLinks`` join the classes
of an alignment, each by its number there; all calculations and differences are made of them. A link between two nodes
of one class is *inner*: only the side of these nodes can have it, so it is made of node numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from aifgraph.align.alignment import Alignment, NodeClass, NodeKind
from aifgraph.align.analysis import Analysis, Pair, analyse
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.content import cached_per_graph
from aifgraph.graph.nodes import RELATIONS


class Link(NamedTuple):
    """An ordered pair of classes; both sides can have it."""

    start: int
    end: int


class InnerLink(NamedTuple):
    """An ordered pair of nodes in one class, on one side (0 or 1)."""

    side: int
    start: int
    end: int


AnyLink: TypeAlias = "Link | InnerLink"


class Relation(NamedTuple):
    """A link between propositions with the type of its S-node."""

    link: AnyLink
    type: str


class Undercut(NamedTuple):
    """A proposition class that supports, attacks or rephrases a relation."""

    premise: int
    relation: Relation


class JointSupport(NamedTuple):
    """Two proposition classes (the smaller number first) that both support a third."""

    first: int
    second: int
    conclusion: int


class IllocutionaryConnection(NamedTuple):
    """An illocution: the proposition class or relation that it leads to, if any, and the locution class or transition
    that it is anchored in."""

    content: int | Relation | None
    anchor: int | AnyLink


Item: TypeAlias = "int | AnyLink | Undercut | JointSupport | IllocutionaryConnection"
T = TypeVar("T")
#: The label that a scheme node gives to an item: the node's number, the item, the label.
NodeLabel: TypeAlias = "tuple[int, T, str]"


def classes_in(item: Item | Relation, nodes: NodeKind, alignment: Alignment) -> Iterator[tuple[NodeClass, bool]]:
    """Yield the classes that an item is made of, what it starts from first, and whether it is a link inside the class;
    bare numbers are classes of ``nodes``."""
    match item:
        case IllocutionaryConnection(content, anchor):
            if content is not None:
                yield from classes_in(content, "propositions", alignment)
            yield from classes_in(anchor, "locutions", alignment)
        case Undercut(premise, relation):
            yield from classes_in(premise, nodes, alignment)
            yield from classes_in(relation, nodes, alignment)
        case Relation(link):
            yield from classes_in(link, nodes, alignment)
        case InnerLink(side, start):
            matched = getattr(alignment, nodes)
            yield matched.classes[matched.class_of[side][start]], True
        case int(number):
            yield getattr(alignment, nodes).classes[number], False
        case _:  # links and joint supports are made of classes alone
            for number in item:
                yield from classes_in(number, nodes, alignment)


#: Makes a named tuple in half the time that its constructor takes.
_new = tuple.__new__


class NodeLinks(NamedTuple):
    """The links that the scheme nodes of a graph make, by node number.

    ``relations`` and ``transitions`` are triples: the scheme node, where it starts, where it ends, never at one node.
    ``undercuts`` are triples: an S-node, its premise, and the S-node that it leads to. ``label_names`` maps the keys of
    illocutionary labels to what people read. ``unattached`` are the illocutions in a transition without locutions.
    """

    relations: list[tuple[int, int, int]]
    transitions: list[tuple[int, int, int]]
    undercuts: list[tuple[int, int, int]]
    illocutions: list[tuple[int, str, list[int], list[int]]]
    label_names: dict[str, str]
    unattached: list[int]


@cached_per_graph
def node_links(graph: ArgumentGraph) -> NodeLinks:
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
    illocutions = [(act, keys[act], predecessors[act], successors[act]) for act in acts]
    unattached: list[int] = []
    if instead:  # which few maps have
        unattached = [act for act in acts if any(instead.get(anchor) == [] for anchor in predecessors[act])]
        illocutions = [
            (act, label, [place for anchor in anchors for place in instead.get(anchor, (anchor,))], contents)
            for act, label, anchors, contents in illocutions
        ]
    # Of several spellings of a label the smallest stands for all, whatever their order.
    label_names = dict(sorted(set(zip(keys.values(), names.values(), strict=True)), reverse=True))
    return NodeLinks(relations, transitions, undercuts, illocutions, label_names, unattached)


@dataclass(frozen=True)
class ClassLinks:
    """The labels that the scheme nodes of one side (number ``side``) give to items.

    ``relations`` and ``transitions`` are of links, ``undercuts`` of premises on relations, ``acts`` of contents in
    anchors, labelled with keys. Relations of all types are here; those of ``types`` are compared. ``reconstructed`` are
    the propositions that nobody said, None where positions are not known.
    """

    analysis: Analysis
    side: int
    types: frozenset[str]
    proposition_class: Mapping[int, int] = field(repr=False)
    locution_class: Mapping[int, int] = field(repr=False)
    relations: list[NodeLabel[AnyLink]] = field(repr=False)
    undercuts: list[NodeLabel[Undercut]] = field(repr=False)
    transitions: list[NodeLabel[AnyLink]] = field(repr=False)
    acts: list[NodeLabel[IllocutionaryConnection]] = field(repr=False)
    reconstructed: frozenset[int] | None = field(repr=False)

    @cached_property
    def compared(self) -> list[NodeLabel[AnyLink]]:
        """The relations that are compared."""
        return [relation for relation in self.relations if relation[2] in self.types]

    @cached_property
    def compared_undercuts(self) -> list[NodeLabel[Undercut]]:
        """The relations on relations that are compared."""
        types = self.types
        return [own for own in self.undercuts if own[2] in types and own[1].relation.type in types]

    @cached_property
    def counted_transitions(self) -> set[AnyLink]:
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
        kinds, relations = self.analysis.kinds, node_links(self.analysis.graph).relations
        triples = {(start, kinds[node], end) for node, start, end in relations if kinds[node] in self.types}
        return explicit_paths(triples, self.reconstructed)

    def link(self, start: int, end: int) -> AnyLink:
        """Return the link between two propositions."""
        return _link(self.proposition_class, self.side, start, end)


def links_of_both(alignment: Alignment, types: Iterable[str]) -> Pair[ClassLinks]:
    """Return the links of both sides of an alignment; ``types`` are the relations that are compared."""
    sides = zip(
        alignment.analyses,
        alignment.propositions.class_of,
        alignment.locutions.class_of,
        (0, 1),
        (types, types),
        alignment.reconstructed,
        strict=True,
    )
    first, second = (class_links(*side) for side in sides)
    return first, second


def class_links(
    analysis: Analysis,
    proposition_class: Mapping[int, int],
    locution_class: Mapping[int, int],
    side: int,
    types: Iterable[str],
    reconstructed: frozenset[int] | None,
) -> ClassLinks:
    """Return the links of an analysis, ``side`` being its number among those that are compared."""
    kinds, own_links = analysis.kinds, node_links(analysis.graph)
    relations: list[NodeLabel[AnyLink]] = []
    relations_of: dict[int, list[Relation]] = {}
    for node, start, end in own_links.relations:
        link, kind = _link(proposition_class, side, start, end), kinds[node]
        relations.append((node, link, kind))
        relations_of.setdefault(node, []).append(_new(Relation, (link, kind)))
    undercuts = [
        (node, Undercut(proposition_class[premise], relation), kinds[node])
        for node, premise, target in own_links.undercuts
        for relation in relations_of.get(target, ())
    ]
    transitions: list[NodeLabel[AnyLink]] = []
    transitions_of: dict[int, list[AnyLink]] = {}
    for node, start, end in own_links.transitions:
        link = _link(locution_class, side, start, end)
        transitions.append((node, link, "TA"))
        transitions_of.setdefault(node, []).append(link)
    contents: dict[int, Sequence[int | Relation]] = {node: (number,) for node, number in proposition_class.items()}
    anchors: dict[int, Sequence[int | AnyLink]] = {node: (number,) for node, number in locution_class.items()}
    contents.update(relations_of)
    anchors.update(transitions_of)
    acts: list[NodeLabel[IllocutionaryConnection]] = []
    for node, label, anchored_in, leads_to in own_links.illocutions:
        done: list[int | Relation | None] = [content for end in leads_to for content in contents.get(end, ())]
        places = [anchor for place in anchored_in for anchor in anchors.get(place, ())]
        acts += [
            (node, _new(IllocutionaryConnection, (content, anchor)), label)
            for content in done or [None]
            for anchor in places
        ]
    joined = relations, undercuts, transitions, acts
    return ClassLinks(analysis, side, frozenset(types), proposition_class, locution_class, *joined, reconstructed)


def _link(class_of: Mapping[int, int], side: int, start: int, end: int) -> AnyLink:
    ends = class_of[start], class_of[end]
    return _new(Link, ends) if ends[0] != ends[1] else InnerLink(side, start, end)


# -- explicit relations (ER): paths over propositions that nobody said ------------------------------------------------

#: Premise, type, conclusion.
Triple: TypeAlias = "tuple[int, str, int]"


@dataclass(frozen=True, slots=True)
class ExplicitPaths:
    """The shortest path of each premise, type and conclusion; and how many of the triples take part, of how many."""

    shortest: Mapping[Triple, tuple[Triple, ...]]
    coverage: tuple[int, int]


def explicit_paths(triples: Set[Triple], reconstructed: Set[int]) -> ExplicitPaths:
    """Return the paths over ``triples`` all of whose inner nodes, and no others, are ``reconstructed``.

    >>> paths = explicit_paths({(0, "CA", 1), (1, "CA", 2), (1, "RA", 3)}, {1, 3})
    >>> list(paths.shortest), paths.coverage
    ([(0, 'RA', 2)], (2, 3))
    """
    following: dict[int, list[Triple]] = {}
    for triple in sorted(triples):
        following.setdefault(triple[0], []).append(triple)
    shortest: dict[Triple, tuple[Triple, ...]] = {}
    for start, first_triples in following.items():
        if start in reconstructed:
            continue
        waiting: deque[tuple[str, tuple[Triple, ...]]] = deque((triple[1], (triple,)) for triple in first_triples)
        seen: set[tuple[str, int]] = set()
        while waiting:
            kind, path = waiting.popleft()
            node = path[-1][2]
            if (kind, node) in seen:
                continue
            seen.add((kind, node))
            if node not in reconstructed:
                if node != start:
                    shortest[start, kind, node] = path
            elif kind != "PA":
                for triple in following.get(node, ()):
                    if triple[1] != "PA":
                        waiting.append((_composed(kind, triple[1]), (*path, triple)))
    return ExplicitPaths(shortest, (_taking_part(triples, reconstructed), len(triples)))


def _composed(first: str, second: str) -> str:
    """Return the type of a path that goes on with a relation, neither of them a PA."""
    if "MA" in (first, second):
        return second if first == "MA" else first
    return "RA" if first == second else "CA"


def _taking_part(triples: Set[Triple], reconstructed: Set[int]) -> int:
    """Return how many lead, over reconstructed propositions alone, from one that was said to one that was."""
    if not reconstructed:
        return len(triples)
    after: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for premise, kind, conclusion in triples:
        if kind != "PA":
            after.setdefault(premise, []).append(conclusion)
            before.setdefault(conclusion, []).append(premise)
    reached = _reached(after.keys() - reconstructed, after)
    reaching = _reached(before.keys() - reconstructed, before)
    return sum(
        (premise not in reconstructed or (kind != "PA" and premise in reached))
        and (conclusion not in reconstructed or (kind != "PA" and conclusion in reaching))
        for premise, kind, conclusion in triples
    )


def _reached(starts: Iterable[int], following: Mapping[int, list[int]]) -> set[int]:
    reached = set(starts)
    waiting = list(reached)
    while waiting:
        for node in following.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached
