"""The items that calculations label, and the labels that each analysis gives them (docs/measures.md, section 4, links).

``NodeLinks`` join nodes: they depend on a graph alone and are computed once for each. ``ClassLinks`` join the classes
of an alignment, each by its number there; all calculations and differences are made of them. Items are tuples:

- a link between two classes: ``(start, end)``;
- a link between two nodes of one class, which only the side of these nodes can have: ``(side, start, end)``;
- a relation: ``(link, type of its S-node)``;
- an undercut: ``(premise class, relation)``;
- an illocution: ``(content, anchor)``, the proposition class or relation that it leads to, None if there is none, and
  the locution class or transition that it is anchored in.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis, Pair, analyse
from aifgraph.errors import LimitError
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.columns import MAX_ITEMS, cached_per_graph, check_products
from aifgraph.graph.nodes import RELATIONS

Link: TypeAlias = "tuple[int, int] | tuple[int, int, int]"
#: An item of any calculation: one of these tuples, or the number of a locution class.
Item: TypeAlias = Any
#: The label that a scheme node gives to an item: the node's number, the item, the label.
NodeLabel: TypeAlias = "tuple[int, Item, str]"


class Relation(NamedTuple):
    """A link between propositions, with the type of its S-node."""

    link: Link
    type: str


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
    kinds, by_kind = analysis.kinds, analysis.by_kind
    successors, predecessors = analysis.successors, analysis.predecessors
    relation_nodes = sorted(chain.from_iterable(map(by_kind.__getitem__, RELATIONS)))
    joining = (node for node in (*relation_nodes, *by_kind["TA"]) if len(successors[node]) > 1)
    check_products(graph.name, ((len(predecessors[node]), len(successors[node])) for node in joining))
    relations = [
        (node, premise, end)
        for node in relation_nodes
        for end in successors[node]
        if kinds[end] == "I"
        for premise in predecessors[node]
        if kinds[premise] == "I" and premise != end
    ]
    undercuts = [
        (node, premise, end)
        for node in relation_nodes
        for end in successors[node]
        if kinds[end] in RELATIONS
        for premise in predecessors[node]
        if kinds[premise] == "I"
    ]
    transitions = [
        (node, start, end)
        for node in by_kind["TA"]
        for start in predecessors[node]
        if kinds[start] == "L"
        for end in successors[node]
        if kinds[end] == "L" and start != end
    ]
    # A transition that joins no locutions: its illocutions are anchored in its ends, else in its starts.
    instead: dict[int, list[int]] = {}
    for node in {*by_kind["TA"]}.difference(node for node, _, _ in transitions):
        starts = [start for start in predecessors[node] if kinds[start] == "L"]
        instead[node] = [end for end in successors[node] if kinds[end] == "L"] or starts
    keys, names = analysis.label_keys, analysis.label_names
    illocutions = [(act, keys[act], predecessors[act], successors[act]) for act in by_kind["YA"]]
    unattached: list[int] = []
    if instead:  # which few maps have
        unattached = [act for act in by_kind["YA"] if any(instead.get(anchor) == [] for anchor in predecessors[act])]
        illocutions = [
            (act, label, [node for anchor in anchors for node in instead.get(anchor, (anchor,))], contents)
            for act, label, anchors, contents in illocutions
        ]
    # Of several spellings of a label the smallest stands for all, whatever their order.
    label_names = dict(sorted(set(zip(keys.values(), names.values(), strict=True)), reverse=True))
    return NodeLinks(relations, transitions, undercuts, illocutions, label_names, unattached)


@dataclass(frozen=True)
class ClassLinks:
    """The labels that the scheme nodes of one side (number ``side``) give to items.

    Relations of all types are here; those of ``types`` are compared. ``reconstructed`` are the propositions that nobody
    said, None where positions are not known.
    """

    analysis: Analysis
    side: int
    types: frozenset[str]
    proposition_class: Mapping[int, int] = field(repr=False)
    locution_class: Mapping[int, int] = field(repr=False)
    reconstructed: frozenset[int] | None = field(repr=False)

    @cached_property
    def relations_of(self) -> dict[int, list[Relation]]:
        """The relations that each S-node makes between propositions."""
        kinds, links = self.analysis.kinds, node_links(self.analysis.graph)
        linked = self._links(self.proposition_class, links.relations)
        return {node: [Relation(link, kinds[node]) for link in joined] for node, joined in linked.items()}

    @cached_property
    def relations(self) -> list[NodeLabel]:
        """The links between propositions, with the types of their S-nodes."""
        return [(node, *relation) for node, relations in self.relations_of.items() for relation in relations]

    @cached_property
    def undercuts(self) -> list[NodeLabel]:
        """The undercuts, with the types of the S-nodes that lead from a premise to a relation."""
        undercuts = node_links(self.analysis.graph).undercuts
        counted = Counter(target for _, _, target in undercuts)
        products = ((count, len(self.relations_of.get(target, ()))) for target, count in counted.items())
        check_products(self.analysis.graph.name, products)
        return [
            (node, (self.proposition_class[premise], relation), self.analysis.kinds[node])
            for node, premise, target in undercuts
            for relation in self.relations_of.get(target, ())
        ]

    @cached_property
    def transitions_of(self) -> dict[int, list[Link]]:
        """The links that each transition makes between locutions."""
        return self._links(self.locution_class, node_links(self.analysis.graph).transitions)

    @cached_property
    def transitions(self) -> list[NodeLabel]:
        """The links between locutions, all with one label."""
        return [(node, link, "TA") for node, links in self.transitions_of.items() for link in links]

    @cached_property
    def acts(self) -> list[NodeLabel]:
        """The contents in their anchors, with the keys of the labels of their illocutions."""
        contents: dict[int, Collection[int | Relation]] = {
            node: (number,) for node, number in self.proposition_class.items()
        }
        anchors: dict[int, Collection[int | Link]] = {node: (number,) for node, number in self.locution_class.items()}
        contents.update(self.relations_of)
        anchors.update(self.transitions_of)
        illocutions = node_links(self.analysis.graph).illocutions
        several = {node for node, joined in self.relations_of.items() if len(joined) > 1}
        sizes = (
            (sum(len(anchors.get(start, ())) for start in starts), sum(len(contents.get(end, ())) for end in ends))
            for _, _, starts, ends in illocutions
            if len(ends) > 1 or (ends and ends[0] in several)
        )
        check_products(self.analysis.graph.name, sizes)

        def reached(ends: list[int]) -> list[Any]:
            return [content for end in ends for content in contents.get(end, ())] or [None]

        return [
            (node, (content, anchor), label)
            for node, label, starts, ends in illocutions
            # Most lead to one proposition, and are anchored in one locution or transition.
            for content in (len(ends) == 1 and contents.get(ends[0])) or reached(ends)
            for start in starts
            for anchor in anchors.get(start, ())
        ]

    @cached_property
    def compared(self) -> list[NodeLabel]:
        return [(node, link, type_) for node, link, type_ in self.relations if type_ in self.types]

    @cached_property
    def compared_undercuts(self) -> list[NodeLabel]:
        types = self.types
        return [
            (node, (premise, relation), type_)
            for node, (premise, relation), type_ in self.undercuts
            if type_ in types and relation.type in types
        ]

    @cached_property
    def compared_acts(self) -> list[NodeLabel]:
        """The illocutions of propositions and of relations that are compared."""
        types = self.types
        return [
            (node, (content, anchor), label)
            for node, (content, anchor), label in self.acts
            if isinstance(content, int) or (content and content.type in types)
        ]

    @cached_property
    def counted_transitions(self) -> set[Link]:
        """The transitions that count as items: those between classes, and inner ones that a YA is anchored in."""
        kinds, successors = self.analysis.kinds, self.analysis.successors
        return {
            link
            for node, link, _ in self.transitions
            if len(link) == 2 or any(kinds[act] == "YA" for act in successors[node])
        }

    @cached_property
    def said_class(self) -> Mapping[int, int]:
        """The classes of the propositions that were said."""
        if not self.reconstructed:
            return self.proposition_class
        return {node: number for node, number in self.proposition_class.items() if node not in self.reconstructed}

    @cached_property
    def paths(self) -> ExplicitPaths | None:
        """The paths among what was said; None where positions are not known."""
        if self.reconstructed is None:
            return None
        kinds, relations = self.analysis.kinds, node_links(self.analysis.graph).relations
        triples = {(start, kinds[node], end) for node, start, end in relations if kinds[node] in self.types}
        return explicit_paths(triples, self.reconstructed, self.analysis.graph.name)

    def proposition_link(self, start: int, end: int) -> Link:
        """Return the link between two propositions."""
        return self._links(self.proposition_class, [(0, start, end)])[0][0]

    def _links(self, class_of: Mapping[int, int], joined: Iterable[tuple[int, int, int]]) -> dict[int, list[Link]]:
        links: dict[int, list[Link]] = {}
        for node, start, end in joined:
            first, second = class_of[start], class_of[end]
            link = (first, second) if first != second else (self.side, start, end)
            if node in links:
                links[node].append(link)
            else:
                links[node] = [link]
        return links


def links_of_both(alignment: Alignment) -> Pair[ClassLinks]:
    types = frozenset(alignment.options.relations)
    classes = (nodes.class_of for nodes in alignment.kinds)
    sides = zip(alignment.analyses, (0, 1), (types, types), *classes, alignment.reconstructed, strict=True)
    first, second = (ClassLinks(*side) for side in sides)
    return first, second


# -- explicit relations (ER): paths over propositions that nobody said ------------------------------------------------

#: Premise, type, conclusion.
Triple: TypeAlias = "tuple[int, str, int]"
#: A path while it is looked for: its type, its last triple, and the path before that.
_Way: TypeAlias = "tuple[str, Triple, _Way | None]"


@dataclass(frozen=True, slots=True)
class ExplicitPaths:
    """The shortest path of each premise, type and conclusion; and how many of the triples take part, of how many."""

    shortest: Mapping[Triple, tuple[Triple, ...]]
    coverage: tuple[int, int]


def explicit_paths(triples: Set[Triple], reconstructed: Set[int], name: str = "") -> ExplicitPaths:
    """Return the paths over ``triples`` all of whose inner nodes, and no others, are ``reconstructed``.

    Raises ``LimitError``, which names the map, where paths over such nodes take more than ``MAX_ITEMS`` steps.

    >>> paths = explicit_paths({(0, "CA", 1), (1, "CA", 2), (1, "RA", 3)}, {1, 3})
    >>> list(paths.shortest), paths.coverage
    ([(0, 'RA', 2)], (2, 3))
    """
    following: dict[int, list[Triple]] = {}
    for triple in sorted(triples):
        following.setdefault(triple[0], []).append(triple)
    shortest: dict[Triple, tuple[Triple, ...]] = {}
    steps = 0
    for start, first_triples in following.items():
        if start in reconstructed:
            continue
        waiting: deque[_Way] = deque((triple[1], triple, None) for triple in first_triples)
        seen: set[tuple[str, int]] = set()
        while waiting:
            way = waiting.popleft()
            kind, (_, _, node), _ = way
            if (kind, node) in seen:
                continue
            seen.add((kind, node))
            if node not in reconstructed:
                if node != start:
                    shortest[start, kind, node] = path = _path(way)
                    steps += len(path) - 1
            elif kind != "PA":
                onward = [triple for triple in following.get(node, ()) if triple[1] != "PA"]
                waiting.extend((_composed(kind, triple[1]), triple, way) for triple in onward)
                steps += len(onward)
            if steps > MAX_ITEMS:
                raise LimitError(f"paths over what nobody said take more than {MAX_ITEMS} steps", where=name)
    return ExplicitPaths(shortest, (_taking_part(triples, reconstructed), len(triples)))


def _path(way: _Way) -> tuple[Triple, ...]:
    path = []
    before: _Way | None = way
    while before:
        _, triple, before = before
        path.append(triple)
    return tuple(reversed(path))


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
