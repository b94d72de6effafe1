"""Which nodes of two analyses differ, grouped so that one disagreement is one row with all that follows from it, and
how many labels each row costs.

Every node that takes part either has an equal on the other side or is in exactly one row:

1. propositions and locutions that one side lacks, cuts differently, gives another speaker or words differently; a
   proposition and the locution that anchors it are one row where they differ in the same way;
2. relations and transitions: those of which nothing is left without a missing proposition or locution go into its row;
   those that are equal but for what is missing are equal; the others are paired (the same ends under another label, the
   ends reversed, one end in common) or stand alone;
3. illocutions: those of a content that differs go into its row; the others as relations.

Where several nodes would do, ids decide, never the order of a file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Literal, TypeAlias, get_args

from aifgraph.align.alignment import Alignment, NodeClass, NodeKind
from aifgraph.comparison.breakdown import name_key, scheme_names, speaker_names
from aifgraph.comparison.calculations import LabelledItems, paired
from aifgraph.comparison.links import (
    Act,
    AnyLink,
    ClassLinks,
    InnerLink,
    Item,
    Link,
    NodeLabel,
    Relation,
    Undercut,
    classes_in,
)
from aifgraph.graph.nodes import RELATIONS

#: How nodes differ, the most serious first.
DifferenceKind = Literal[
    "missing", "reversed", "relabelled", "re-attached", "cut differently", "spoken by another", "scheme", "reworded"
]
#: What differs, in the order of listings.
Group = Literal["relations", "propositions", "illocutions", "transitions", "locutions"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
SchemeGroup = Literal["relations", "transitions", "illocutions"]
#: A node: its side (0 or 1) and its number there.
NodeNumber: TypeAlias = "tuple[int, int]"
#: An item with the label that a scheme node gives it.
Fact: TypeAlias = "tuple[Item, str]"

#: Differences that others follow from: another wording is none of them.
_LEADING: Final[frozenset[DifferenceKind]] = frozenset(
    {"missing", "cut differently", "reversed", "relabelled", "re-attached"}
)
#: Two lists of nodes with a key in common that make more pairs than this are paired in order.
_MAX_PAIRS: Final = 10_000


@dataclass(slots=True, eq=False)
class Disagreement:
    """A disagreement: the nodes it is about, and those that follow from it."""

    group: Group
    kind: DifferenceKind
    nodes: list[NodeNumber]
    follows: list[NodeNumber] = field(default_factory=list)


def id_order(id_: str) -> tuple[int, str]:
    """Return the key that puts ids in order, numbers as numbers."""
    return len(id_), id_


def members(node_class: NodeClass) -> list[NodeNumber]:
    """Return the nodes of a class on both sides."""
    return [(0, node) for node in node_class.first] + [(1, node) for node in node_class.second]


def find(alignment: Alignment, links: tuple[ClassLinks, ClassLinks]) -> Found:
    """Return the rows of an alignment, in no order."""
    found = Found(alignment, links)
    for row in content_rows(alignment, links):
        found.add(row)
    found.pair_schemes()
    found.link_rows("relations")
    found.link_rows("transitions")
    found.illocution_rows()
    return found


# -- propositions and locutions ---------------------------------------------------------------------------------------


def content_rows(alignment: Alignment, links: tuple[ClassLinks, ClassLinks]) -> Iterator[Disagreement]:
    """Yield a row for each class that differs; those that an illocution joins and that differ alike are one row."""
    problems: dict[tuple[NodeKind, Any], tuple[DifferenceKind, bool, bool]] = {}
    for nodes in get_args(NodeKind):
        for number, node_class in enumerate(getattr(alignment, nodes).classes):
            if kind := _problem(alignment, node_class, nodes):
                problems[nodes, number] = (kind, bool(node_class.first), bool(node_class.second))
    together = {key: {key} for key in problems}
    for side in links:
        for _, (content, anchor), _ in side.acts:
            said, about = problems.get(("locutions", anchor)), problems.get(("propositions", content))
            if said and said == about:
                joined = together["locutions", anchor] | together["propositions", content]
                together.update(dict.fromkeys(joined, joined))
    for keys in {min(keys): keys for keys in together.values()}.values():
        by_kind: dict[NodeKind, list[NodeNumber]] = {"propositions": [], "locutions": []}
        for nodes, number in sorted(keys):
            by_kind[nodes] += members(getattr(alignment, nodes).classes[number])
        kind = problems[min(keys)][0]
        if by_kind["propositions"]:
            yield Disagreement("propositions", kind, by_kind["propositions"], by_kind["locutions"])
        else:
            yield Disagreement("locutions", kind, by_kind["locutions"])


def _problem(alignment: Alignment, node_class: NodeClass, nodes: NodeKind) -> DifferenceKind | None:
    match = node_class.match
    if match is None:
        return "missing"
    if node_class.joined:
        return "cut differently"
    first, second = alignment.first, alignment.second
    said_alike = first.said_normalised[match.first] == second.said_normalised[match.second]
    if not said_alike:
        place = alignment.first_positions.get(match.first)
        other_place = alignment.second_positions.get(match.second)
        if place and other_place and place != other_place:
            return "cut differently"
    if nodes == "locutions":
        speakers = {name_key(name) for name in speaker_names(first, [match.first])}
        other_speakers = {name_key(name) for name in speaker_names(second, [match.second])}
        if speakers and other_speakers and speakers != other_speakers:
            return "spoken by another"
    return None if said_alike else "reworded"


# -- parts of items that two scheme nodes may have in common ----------------------------------------------------------

Aspect = Literal["all", "reversed", "start", "end", "content", "anchor"]


def part_of(item: Item, part: Aspect) -> Hashable:
    """Return a part of an item; None where it has none."""
    match part, item:
        case "all", _:
            return item
        case "reversed", Link(start, end):
            return Link(end, start)
        case ("start", Link(start=found) | Undercut(premise=found)) | ("end", Link(end=found)):
            return found
        case ("end", Undercut(relation=found)) | ("content", Act(content=found)) | ("anchor", Act(anchor=found)):
            return found
    return None


# -- scheme nodes -----------------------------------------------------------------------------------------------------


def group_of(kind: str) -> SchemeGroup:
    """Return what a scheme node of a kind is."""
    return "relations" if kind in RELATIONS else "transitions" if kind == "TA" else "illocutions"


class Found:
    """The rows that were found so far; the row of each node that is in one; and the scheme nodes that are equal but
    for what one side lacks (first → second)."""

    def __init__(self, alignment: Alignment, links: tuple[ClassLinks, ClassLinks]) -> None:
        self.alignment = alignment
        self.sides = alignment.first, alignment.second
        #: The different facts of every scheme node, by side and node; a node may have none.
        self.facts: tuple[dict[int, list[Fact]], ...] = ({}, {})
        for side, facts in zip(links, self.facts, strict=True):
            kinds = side.analysis.kinds
            facts.update((node, []) for node, kind in enumerate(kinds) if kind not in ("", "I", "L"))
            for node, item, label in (*side.relations, *side.undercuts, *side.transitions, *side.acts):
                if (item, label) not in facts[node]:
                    facts[node].append((item, label))
        self.rows: list[Disagreement] = []
        self.row_of: dict[NodeNumber, Disagreement] = {}
        self.equal: dict[int, int] = {}
        #: What open scheme nodes claim of what both sides have, where that is not all.
        self._rests: dict[NodeNumber, list[Fact]] = {}

    def add(self, row: Disagreement) -> None:
        """Add a row."""
        self.rows.append(row)
        self.row_of.update(dict.fromkeys((*row.nodes, *row.follows), row))

    def follow(self, row: Disagreement, node: NodeNumber) -> None:
        """Let a node follow from a row."""
        row.follows.append(node)
        self.row_of[node] = row

    def id_key(self, side: int) -> Callable[[int], tuple[int, str]]:
        """Return the key that puts the nodes of a side in the order of their ids."""
        ids = self.sides[side].ids
        return lambda node: id_order(ids[node])

    def pair_schemes(self) -> None:
        """Pair the scheme nodes that say the same."""
        self._pair_equal(*([(node, self._claimed(side, node)) for node in self.facts[side]] for side in (0, 1)))

    def _claimed(self, side: int, node: int) -> Hashable:
        """Return all that a scheme node says; where it claims nothing, what is around it."""
        analysis, facts = self.sides[side], self.facts[side][node]
        if facts:
            return analysis.kinds[node], facts[0] if len(facts) == 1 else frozenset(facts)
        both_kinds = self.alignment.propositions, self.alignment.locutions
        propositions, locutions = (nodes.second_class if side else nodes.first_class for nodes in both_kinds)
        before, after = (
            frozenset((analysis.kinds[end], propositions.get(end, locutions.get(end))) for end in ends[node])
            for ends in (analysis.predecessors, analysis.successors)
        )
        return analysis.kinds[node], analysis.label_keys.get(node), before, after

    def _pair_equal(self, first: Iterable[tuple[int, Hashable]], second: Iterable[tuple[int, Hashable]]) -> None:
        """Pair the nodes of the two sides that have the same key; relations may still differ in their schemes."""
        same: defaultdict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for side, keys in enumerate((first, second)):
            for node, key in keys:
                same[key][side].append(node)
        for ours, theirs in same.values():
            ours.sort(key=self.id_key(0))
            theirs.sort(key=self.id_key(1))
            for both in zip(ours, theirs, strict=False):
                self.equal[both[0]] = both[1]
                names = [self._scheme_keys(side, node) for side, node in enumerate(both)]
                if names[0] != names[1]:
                    self.add(Disagreement("relations", "scheme", [*enumerate(both)]))

    def _scheme_keys(self, side: int, node: int) -> set[str]:
        """Return the names of the schemes of a relation, as they are compared."""
        kind = self.sides[side].kinds[node]
        return set(map(name_key, scheme_names(self.sides[side].nodes[node], kind) if kind in RELATIONS else ()))

    def _open(self, side: int, group: SchemeGroup) -> list[int]:
        """Return the scheme nodes of a side without an equal and not yet in a row, in the order of their ids."""
        kinds, equal = self.sides[side].kinds, set(self.equal.values()) if side else self.equal
        left = (node for node in self.facts[side] if node not in equal and (side, node) not in self.row_of)
        return sorted((node for node in left if group_of(kinds[node]) == group), key=self.id_key(side))

    def unshared(self, item: Item, group: Group) -> list[NodeClass]:
        """Return the classes that an item joins and one side lacks, or does not tell apart."""
        nodes: NodeKind = "locutions" if group == "transitions" else "propositions"
        classes = classes_in(item, nodes, self.alignment)
        return [of for of, inner in classes if inner or not (of.first and of.second)]

    def rows_of(self, classes: Iterable[NodeClass]) -> list[Disagreement]:
        """Return the rows of the nodes in some classes."""
        nodes = (node for node_class in classes for node in members(node_class))
        return list(dict.fromkeys(self.row_of[node] for node in nodes if node in self.row_of))

    def _row_among(self, side: int, nodes: Iterable[int], kinds: Container[DifferenceKind]) -> Disagreement | None:
        """Return the row of the first of some nodes, by id, that is in a row of one of these kinds."""
        rows = (self.row_of.get((side, node)) for node in sorted(nodes, key=self.id_key(side)))
        return next((row for row in rows if row and row.kind in kinds), None)

    # -- relations and transitions ------------------------------------------------------------------------------------

    def link_rows(self, group: SchemeGroup) -> None:
        """Add the rows of relations, or of transitions."""
        self._follow_contents(group)
        self._pair_rests(group)
        self._pair(group, "relabelled", "all", whole=True, labelled=False)
        self._pair(group, "reversed", "all", "reversed", whole=True)
        self._pair(group, "reversed", "all", "reversed", whole=True, labelled=False)
        self._pair(group, "re-attached", "all")
        self._pair(group, "re-attached", "start")
        self._pair(group, "re-attached", "end")
        for side in (0, 1):
            for node in self._open(side, group):
                # An undercut of a relation that differs follows from that.
                schemes = [end for end in self.sides[side].successors[node] if end in self.facts[side]]
                if row := self._row_among(side, schemes, get_args(DifferenceKind)):
                    self.follow(row, (side, node))
                else:
                    self.add(Disagreement(group, "missing", [(side, node)]))

    def _follow_contents(self, group: SchemeGroup) -> None:
        """A link follows from what the other side lacks, or does not tell apart, if nothing is left of it without."""
        for side, analysis in enumerate(self.sides):
            for node in self._open(side, group):
                if all(self.unshared(item, group) for item, _ in self.facts[side][node]):
                    for ends in (analysis.predecessors[node], analysis.successors[node]):
                        contents = [end for end in ends if analysis.kinds[end] in ("I", "L")]
                        if row := self._row_among(side, contents, ("missing", "cut differently")):
                            self.follow(row, (side, node))
                            break

    def _pair_rests(self, group: SchemeGroup) -> None:
        """Pair the nodes that say the same but for what the other side lacks."""
        keys: tuple[list[tuple[int, Hashable]], list[tuple[int, Hashable]]] = ([], [])
        for side in (0, 1):
            for node in self._open(side, group):
                facts = self.facts[side][node]
                rest = [fact for fact in facts if not self.unshared(fact[0], group)]
                if rest:
                    keys[side].append((node, frozenset(rest)))
                    if len(rest) < len(facts):
                        self._rests[side, node] = rest
        self._pair_equal(*keys)

    def _pair(
        self,
        group: SchemeGroup,
        kind: DifferenceKind,
        part: Aspect,
        other_part: Aspect | None = None,
        *,
        whole: bool = False,
        labelled: bool = True,
    ) -> None:
        """Add rows of two open nodes with parts of their items in common, those with the most first.

        ``whole``: with all of them; ``labelled``: under the same labels. The second side's may be another part.
        """
        buckets: tuple[dict[Hashable, list[int]], ...] = ({}, {})
        for side, own_part in enumerate((part, other_part or part)):
            for node in self._open(side, group):
                facts = self._rests.get((side, node)) or self.facts[side][node]
                found = ((part_of(item, own_part), label if labelled else "") for item, label in facts)
                keys: set[Hashable] = {(value, label) for value, label in found if value is not None}
                for key in [frozenset(keys)] if whole and keys else keys:
                    buckets[side].setdefault(key, []).append(node)
        common: Counter[NodeNumber] = Counter()
        for key, ours in buckets[0].items():
            theirs = buckets[1].get(key, [])
            if len(ours) * len(theirs) <= _MAX_PAIRS:
                common.update((node, other) for node in ours for other in theirs)
            else:
                common.update(zip(ours, theirs, strict=False))
        first_id, second_id = self.id_key(0), self.id_key(1)

        def order(pair: tuple[int, int]) -> tuple[object, ...]:
            # The same under swapped sides: two pairs of equal keys have no node in common.
            return -common[pair], *sorted((first_id(pair[0]), second_id(pair[1])))

        for node, other in sorted(common, key=order):
            if (0, node) not in self.row_of and (1, other) not in self.row_of:
                self.add(Disagreement(group, kind, [(0, node), (1, other)]))

    # -- illocutions --------------------------------------------------------------------------------------------------

    def illocution_rows(self) -> None:
        """Add the rows of illocutions: what follows from their contents first, from their anchors last."""
        group: SchemeGroup = "illocutions"
        self._pair_rests(group)
        self._follow_ends([analysis.successors for analysis in self.sides])
        self._pair(group, "relabelled", "all", whole=True, labelled=False)
        self._pair(group, "re-attached", "content")
        self._pair(group, "re-attached", "anchor")
        self._pair(group, "re-attached", "content", labelled=False)
        self._follow_ends([analysis.predecessors for analysis in self.sides])
        for side in (0, 1):
            for node in self._open(side, group):
                self.add(Disagreement(group, "missing", [(side, node)]))

    def _follow_ends(self, ends: list[list[list[int]]]) -> None:
        for side in (0, 1):
            for node in self._open(side, "illocutions"):
                if row := self._row_among(side, ends[side][node], _LEADING):
                    self.follow(row, (side, node))


# -- costs ------------------------------------------------------------------------------------------------------------


class Costs:
    """In whose row a label off the diagonal is counted (``of_row``), and on which others it hangs (``elsewhere``).

    A label hangs on the scheme nodes that say so, and on what these join and one side lacks. It is counted in the
    row of what is missing, of a premise rather than of a conclusion; else in that of the scheme node, on the first side
    rather than on the second, of several the first by id.
    """

    def __init__(self, found: Found, links: tuple[ClassLinks, ClassLinks]) -> None:
        self.found, self.links = found, links
        self.of_row: defaultdict[Disagreement, Counter[str]] = defaultdict(Counter)
        self.elsewhere: defaultdict[Disagreement, Counter[Disagreement]] = defaultdict(Counter)
        equal = found.equal.keys(), set(found.equal.values())
        #: The scheme nodes that a label may hang on.
        self._open = {
            (side, node)
            for side in (0, 1)
            for node, facts in found.facts[side].items()
            if (side, node) in found.row_of or (node in equal[side] and len(facts) > 1)
        }
        #: The scheme nodes that join two classes, by side and link.
        self._joining: defaultdict[tuple[int, NodeKind, Item], list[int]] = defaultdict(list)
        for side, analysis in enumerate(found.sides):
            for node, facts in found.facts[side].items():
                nodes: NodeKind = "locutions" if analysis.kinds[node] == "TA" else "propositions"
                for item, _ in facts:
                    if isinstance(item, Link | InnerLink):
                        self._joining[side, nodes, item].append(node)

    def add(self, items: Mapping[str, LabelledItems]) -> None:
        """Count the labels that differ in the calculations that apply."""
        for name, labelled in items.items():
            if labelled.reason:
                continue
            differing = {item: (ours, theirs) for item, ours, theirs in labelled.labelled() if ours != theirs}
            #: What the labels of these items follow from, by side, item and label.
            sources: defaultdict[tuple[int, Item, str | None], list[NodeLabel[Item]]] = defaultdict(list)
            for side, of_side in enumerate(self.links):
                for item, label, source in labelled.calculation.labels(of_side):
                    if item in differing:
                        sources[side, item, label].append(source)
            for item, labels in differing.items():
                links = list(_links_in(item, labelled.calculation.nodes))
                for both in paired(*labels):
                    if both[0] == both[1]:
                        continue
                    said = [(side, sources[side, item, label]) for side, label in enumerate(both)]
                    rows = dict.fromkeys(row for side, own in said for row in self._rows(side, own, links))
                    # What joins reworded propositions may be said on one side only: then no relation differs.
                    if not rows:
                        ends = (
                            classes_in(link, "propositions", self.found.alignment)
                            for _, own in said
                            for _, link, _ in own
                        )
                        rows = dict.fromkeys(self.found.rows_of(of for several in ends for of, _ in several))
                    if rows:
                        counted, *others = rows
                        self.of_row[counted][name] += 1
                        for row in others:
                            self.elsewhere[row][counted] += 1

    def _rows(
        self, side: int, sources: list[NodeLabel[Item]], links: list[tuple[NodeKind, AnyLink]]
    ) -> Iterator[Disagreement]:
        """Yield the rows that a label of a side hangs on: those of its sources, then of the links of its item."""
        # The label of a path hangs on the links of the path one after the other.
        for _, same in groupby(sources, key=lambda source: isinstance(source[1], Link | InnerLink) and source[1]):
            yield from self._hanging_on(side, [(node, item) for node, item, _ in same])
        for nodes, link in links if sources else ():
            yield from self._hanging_on(side, [(node, link) for node in self._joining[side, nodes, link]])

    def _hanging_on(self, side: int, said: Iterable[tuple[int, Item]]) -> list[Disagreement]:
        """Return the rows that hang together with what some scheme nodes say, in the order of ids."""
        found, entries = self.found, list[tuple[list[tuple[int, str]], list[Disagreement]]]()
        for node, item in said:
            if (side, node) in self._open:
                rows = found.rows_of(found.unshared(item, group_of(found.sides[side].kinds[node])))
                own = found.row_of.get((side, node))
                # What scheme a relation is of changes no end of it.
                if own and own.kind != "scheme" and own not in rows:
                    rows.append(own)
                first = [min(id_order(found.sides[of].ids[number]) for of, number in row.nodes) for row in rows[:1]]
                entries.append(([id_order(found.sides[side].ids[node]), *first], rows))
        return [row for _, rows in sorted(entries, key=itemgetter(0)) for row in rows]


def _links_in(item: Item, nodes: NodeKind) -> Iterator[tuple[NodeKind, AnyLink]]:
    """Yield the relation and the transition that an illocution is about, or is anchored in."""
    if isinstance(item, Act):
        if isinstance(item.content, Relation):
            yield "propositions", item.content.link
        if not isinstance(item.anchor, int):
            yield "locutions", item.anchor
    elif isinstance(item, Link | InnerLink) and nodes == "locutions":
        yield nodes, item
