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
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby, product
from operator import itemgetter
from typing import Any, Final, Literal, TypeAlias, get_args

from aifgraph.align.alignment import NODE_KINDS, Alignment, NodeClass, NodeClasses, NodeKind
from aifgraph.align.analysis import Pair
from aifgraph.comparison.breakdown import name_key, scheme_names, speaker_names
from aifgraph.comparison.calculations import Calculation, LabelledItems, paired
from aifgraph.comparison.links import ClassLinks, Item, Link, Relation
from aifgraph.graph.nodes import RELATIONS
from aifgraph.tables import Cell

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
class Difference:
    """One disagreement.

    Attributes:
        group, kind: what differs, and how.
        nodes, follows: the nodes it is about, and those that follow from it, by side and number.
        costs: how many labels differ by it, by calculation; each is counted in one row.
        counted_with: how many labels hang on it but are counted in another row, by the id of that row.
        id: goes by what the nodes are and say, so that it is the same in another run and under swapped sides.
        first, second, first_follows, second_follows: the same nodes of each analysis by their ids.
        first_wording, second_wording: the nodes it is about in words.
        place: the words of the common axis it is about, from the first (from 0) to after the last; None if unknown.
    """

    group: Group
    kind: DifferenceKind
    nodes: list[NodeNumber] = field(default_factory=list, repr=False)
    follows: list[NodeNumber] = field(default_factory=list, repr=False)
    costs: Counter[str] = field(default_factory=Counter)
    counted_with: Counter[str] = field(default_factory=Counter, repr=False)
    id: str = ""
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    first_follows: tuple[str, ...] = ()
    second_follows: tuple[str, ...] = ()
    first_wording: str = ""
    second_wording: str = ""
    place: tuple[int, int] | None = None

    @property
    def cost(self) -> int:
        """How many labels differ by it: the cells of the matrices that it moves."""
        return self.costs.total()

    @property
    def at_stake(self) -> int:
        """How many labels hang on it, whether they are counted here or in another row."""
        return self.cost + self.counted_with.total()

    @property
    def sides(self) -> Literal["first", "second", "both"]:
        """The sides that have nodes in it."""
        if self.first and self.second:
            return "both"
        return "first" if self.first else "second"

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        values = ((name, getattr(self, name)) for name in _PLAIN)
        return {"row": self.id, **{name: [*value] if isinstance(value, tuple) else value for name, value in values}}

    @property
    def cells(self) -> dict[str, Cell]:
        """The same values by column of a table; words of the text count from 1."""
        place = f"{self.place[0] + 1}-{self.place[1]}" if self.place else ""
        return {name.replace("_", " "): _cell(value) for name, value in {**self.to_dict(), "place": place}.items()}


#: The values of a difference in files, behind its id.
_PLAIN: Final = (
    *("group", "kind", "first", "second", "first_follows", "second_follows", "first_wording", "second_wording"),
    *("place", "cost", "costs", "counted_with"),
)


def _cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return " ".join(value) if isinstance(value, list) else value


def members(node_class: NodeClass) -> list[NodeNumber]:
    """Return the nodes of a class on both sides."""
    return [(0, node) for node in node_class.first] + [(1, node) for node in node_class.second]


# -- propositions and locutions ---------------------------------------------------------------------------------------


def content_rows(alignment: Alignment, links: Pair[ClassLinks]) -> Iterator[Difference]:
    """Yield a row for each class that differs; those that an illocution joins and that differ alike are one row."""
    both_kinds = zip(NODE_KINDS, alignment.kinds, strict=True)
    classes = {(kind, number): found for kind, nodes in both_kinds for number, found in enumerate(nodes.classes)}
    problems: dict[tuple[NodeKind, Any], tuple[DifferenceKind, bool, bool]] = {
        key: (problem, bool(node_class.first), bool(node_class.second))
        for key, node_class in classes.items()
        if (problem := _problem(alignment, node_class, key[0]))
    }
    together = {key: {key} for key in problems}
    for side in links:
        for _, (content, anchor), _ in side.acts:
            said, about = problems.get(("locutions", anchor)), problems.get(("propositions", content))
            if said and said == about:
                joined = together["locutions", anchor] | together["propositions", content]
                together.update(dict.fromkeys(joined, joined))
    for keys in {min(keys): keys for keys in together.values()}.values():
        kind, _, _ = problems[min(keys)]
        propositions, locutions = (
            [node for key in sorted(keys) if key[0] == nodes for node in members(classes[key])] for nodes in NODE_KINDS
        )
        if propositions:
            yield Difference("propositions", kind, propositions, locutions)
        else:
            yield Difference("locutions", kind, locutions)


def _problem(alignment: Alignment, node_class: NodeClass, nodes: NodeKind) -> DifferenceKind | None:
    match = node_class.match
    if match is None:
        return "missing"
    if node_class.joined:
        return "cut differently"
    both = list(zip(alignment.sides, match[:2], strict=True))
    said, other_said = (side.analysis.said_normalised[node] for side, node in both)
    position, other_position = (side.positions.get(node) for side, node in both)
    if said != other_said and position and other_position and position != other_position:
        return "cut differently"
    if nodes == "locutions":
        speakers, other_speakers = ({*map(name_key, speaker_names(side.analysis, [node]))} for side, node in both)
        if speakers and other_speakers and speakers != other_speakers:
            return "spoken by another"
    return None if said == other_said else "reworded"


# -- scheme nodes -----------------------------------------------------------------------------------------------------

Aspect = Literal["all", "reversed", "start", "end"]


def part_of(item: Item, part: Aspect) -> Item | None:
    """Return a part of an item, of an illocution its content (start) or anchor (end); None where it has none."""
    if part == "all":
        return item
    if len(item) == 3:  # inside one class
        return None
    if part == "reversed":
        return item[::-1] if isinstance(item[1], int) else None
    return item[0] if part == "start" else item[1]


class PairNodes:
    """The nodes of both sides of an alignment."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment, self.analyses = alignment, alignment.analyses

    def kind(self, node: NodeNumber) -> str:
        side, number = node
        return self.analyses[side].kinds[number]

    def id(self, node: NodeNumber) -> str:
        side, number = node
        return self.analyses[side].ids[number]

    def order(self, node: NodeNumber) -> tuple[int, str]:
        """Return the key that puts nodes in the order of their ids, numbers as numbers."""
        return len(self.id(node)), self.id(node)


class DifferenceFinder(PairNodes):
    """The row of each node that is in one, and the scheme nodes that are equal but for what one side lacks (first →
    second)."""

    def __init__(self, alignment: Alignment, links: Pair[ClassLinks]) -> None:
        super().__init__(alignment)
        self.links = links
        #: The different facts of every scheme node; a node may have none.
        self.facts: dict[NodeNumber, list[Fact]] = {}
        for number, side in enumerate(links):
            kinds = enumerate(side.analysis.kinds)
            self.facts.update(((number, node), []) for node, kind in kinds if kind not in ("", "I", "L"))
            for node, item, label in dict.fromkeys((*side.relations, *side.undercuts, *side.transitions, *side.acts)):
                self.facts[number, node].append((item, label))
        self.row_of: dict[NodeNumber, Difference] = {}
        self.equal: dict[int, int] = {}
        self._paired: set[NodeNumber] = set()
        #: What open scheme nodes claim of what both sides have, where that is not all.
        self._rests: dict[NodeNumber, list[Fact]] = {}

    def find_rows(self) -> list[Difference]:
        """Find all rows, and return them in no order."""
        for row in content_rows(self.alignment, self.links):
            self._add(row)
        self._pair_equal({node: self._claimed(node) for node in self.facts})
        self._add_link_rows("relations")
        self._add_link_rows("transitions")
        self._add_illocution_rows()
        return list(dict.fromkeys(self.row_of.values()))

    def group(self, node: NodeNumber) -> SchemeGroup:
        """Return what a scheme node is."""
        kind = self.kind(node)
        return "relations" if kind in RELATIONS else "transitions" if kind == "TA" else "illocutions"

    def ends(self, node: NodeNumber) -> Pair[list[NodeNumber]]:
        """Return the nodes before and after a node."""
        side, number = node
        before, after = self.analyses[side].predecessors[number], self.analyses[side].successors[number]
        return [(side, end) for end in before], [(side, end) for end in after]

    def unshared(self, item: Item, group: SchemeGroup) -> list[NodeClass]:
        """Return the classes that an item joins and one side lacks, or does not tell apart."""
        classes = self.classes_in(item, group)
        return [joined for joined, inner in classes if inner or not (joined.first and joined.second)]

    def classes_in(self, item: Item, group: SchemeGroup) -> Iterator[tuple[NodeClass, bool]]:
        """Yield the classes that an item is made of, what it starts from first, and whether it is a link inside one."""
        propositions, locutions = self.alignment.kinds
        if group == "illocutions":
            content, anchor = item
            return chain(_classes(content, propositions), _classes(anchor, locutions))
        return _classes(item, locutions if group == "transitions" else propositions)

    def rows_of(self, classes: Iterable[NodeClass]) -> list[Difference]:
        """Return the rows of the nodes in some classes."""
        nodes = (node for node_class in classes for node in members(node_class))
        return list(dict.fromkeys(self.row_of[node] for node in nodes if node in self.row_of))

    def _add(self, row: Difference) -> None:
        self.row_of.update(dict.fromkeys((*row.nodes, *row.follows), row))

    def _open(self, group: SchemeGroup) -> list[NodeNumber]:
        """Return the scheme nodes without an equal and not yet in a row, the first side's first, by id."""
        nodes = self.facts.keys() - self.row_of.keys() - self._paired
        return sorted(
            filter(lambda node: self.group(node) == group, nodes), key=lambda node: (node[0], self.order(node))
        )

    def _follow(self, node: NodeNumber, others: Iterable[NodeNumber], kinds: Container[DifferenceKind]) -> bool:
        """Let a node follow from the row of the first of some others, by id, that is in a row of one of these kinds."""
        rows = (self.row_of.get(other) for other in sorted(others, key=self.order))
        row = next((row for row in rows if row and row.kind in kinds), None)
        if row:
            row.follows.append(node)
            self.row_of[node] = row
        return bool(row)

    # -- pairs --------------------------------------------------------------------------------------------------------

    def _claimed(self, node: NodeNumber) -> Hashable:
        """Return all that a scheme node says; where it claims nothing, what is around it."""
        side, number = node
        analysis, facts = self.analyses[side], self.facts[node]
        if facts:
            return analysis.kinds[number], facts[0] if len(facts) == 1 else frozenset(facts)
        propositions, locutions = (nodes.class_of[side] for nodes in self.alignment.kinds)
        before, after = (
            frozenset((analysis.kinds[end], propositions.get(end, locutions.get(end))) for _, end in ends)
            for ends in self.ends(node)
        )
        return analysis.kinds[number], analysis.label_keys.get(number), before, after

    def _pair_equal(self, keys: Mapping[NodeNumber, Hashable]) -> None:
        """Pair the scheme nodes that have the same key; relations may still differ in their schemes."""
        same: defaultdict[Hashable, Pair[list[NodeNumber]]] = defaultdict(lambda: ([], []))
        for node, key in keys.items():
            same[key][node[0]].append(node)
        for ours, theirs in same.values():
            for both in zip(sorted(ours, key=self.order), sorted(theirs, key=self.order), strict=False):
                (_, first), (_, second) = both
                self.equal[first] = second
                self._paired.update(both)
                keys_of_schemes, other_keys = map(self._scheme_keys, both)
                if keys_of_schemes != other_keys:
                    self._add(Difference("relations", "scheme", [*both]))

    def _scheme_keys(self, node: NodeNumber) -> set[str]:
        """Return the names of the schemes of a relation, as they are compared."""
        side, number = node
        kind, schemes = self.kind(node), self.analyses[side].schemes(number)
        return set(map(name_key, scheme_names(schemes, kind))) if kind in RELATIONS else set()

    def _pair_rests(self, group: SchemeGroup) -> None:
        """Pair the nodes that say the same but for what the other side lacks."""
        keys: dict[NodeNumber, Hashable] = {}
        for node in self._open(group):
            facts = self.facts[node]
            if rest := [fact for fact in facts if not self.unshared(fact[0], group)]:
                keys[node] = frozenset(rest)
                if len(rest) < len(facts):
                    self._rests[node] = rest
        self._pair_equal(keys)

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
        aspects = part, other_part or part
        nodes_with: defaultdict[Hashable, Pair[list[NodeNumber]]] = defaultdict(lambda: ([], []))
        for node in self._open(group):
            side, facts = node[0], self._rests.get(node) or self.facts[node]
            parts = ((part_of(item, aspects[side]), label if labelled else "") for item, label in facts)
            keys: set[Hashable] = {(value, label) for value, label in parts if value is not None}
            for key in [frozenset(keys)] if whole and keys else keys:
                nodes_with[key][side].append(node)
        common: Counter[Pair[NodeNumber]] = Counter()
        for ours, theirs in nodes_with.values():
            few = len(ours) * len(theirs) <= _MAX_PAIRS
            common.update(product(ours, theirs) if few else zip(ours, theirs, strict=False))

        def order(pair: Pair[NodeNumber]) -> tuple[object, ...]:
            # The same under swapped sides: two pairs of equal keys have no node in common.
            return -common[pair], *sorted(map(self.order, pair))

        for pair in sorted(common, key=order):
            if self.row_of.keys().isdisjoint(pair):
                self._add(Difference(group, kind, [*pair]))

    # -- relations, transitions, illocutions --------------------------------------------------------------------------

    def _add_link_rows(self, group: SchemeGroup) -> None:
        """Add the rows of relations, or of transitions."""
        # A link follows from what the other side lacks, or does not tell apart, if nothing is left of it without.
        for node in self._open(group):
            if all(self.unshared(item, group) for item, _ in self.facts[node]):
                contents = ([end for end in ends if self.kind(end) in ("I", "L")] for ends in self.ends(node))
                any(self._follow(node, ends, ("missing", "cut differently")) for ends in contents)
        self._pair_rests(group)
        self._pair(group, "relabelled", "all", whole=True, labelled=False)
        self._pair(group, "reversed", "all", "reversed", whole=True)
        self._pair(group, "reversed", "all", "reversed", whole=True, labelled=False)
        for part in ("all", "start", "end"):
            self._pair(group, "re-attached", part)
        for node in self._open(group):
            # An undercut of a relation that differs follows from that.
            _, after = self.ends(node)
            if not self._follow(node, self.facts.keys() & after, get_args(DifferenceKind)):
                self._add(Difference(group, "missing", [node]))

    def _add_illocution_rows(self) -> None:
        """Add the rows of illocutions: what follows from their contents first, from their anchors last."""
        group: SchemeGroup = "illocutions"
        self._pair_rests(group)
        for node in self._open(group):
            _, contents = self.ends(node)
            self._follow(node, contents, _LEADING)
        self._pair(group, "relabelled", "all", whole=True, labelled=False)
        self._pair(group, "re-attached", "start")
        self._pair(group, "re-attached", "end")
        self._pair(group, "re-attached", "start", labelled=False)
        for node in self._open(group):
            anchors, _ = self.ends(node)
            if not self._follow(node, anchors, _LEADING):
                self._add(Difference(group, "missing", [node]))

    # -- costs --------------------------------------------------------------------------------------------------------

    @cached_property
    def _joining(self) -> Mapping[tuple[int, SchemeGroup, Item], list[NodeNumber]]:
        """The scheme nodes that make an item, by side and group."""
        joining: defaultdict[tuple[int, SchemeGroup, Item], list[NodeNumber]] = defaultdict(list)
        for node, facts in self.facts.items():
            for item, _ in facts:
                joining[node[0], self.group(node), item].append(node)
        return joining

    def count(self, name: str, labelled: LabelledItems) -> None:
        """Count the labels that differ in a calculation, each in one of the rows that it hangs on.

        A label hangs on the scheme nodes that say so, and on what these join and one side lacks. It is counted in the
        row of what is missing, of a premise rather than of a conclusion; else in that of the scheme node, on the first
        side rather than on the second, of several the first by id.
        """
        first, second = labelled.labels
        nothing = frozenset[str]()
        differing = dict.fromkeys(item for item in (*first, *second) if first.get(item) != second.get(item))
        #: What the labels of these items follow from, by side, item and label.
        sources: defaultdict[tuple[int, Item, str | None], list[tuple[NodeNumber, Item]]] = defaultdict(list)
        for side, links in enumerate(self.links):
            for item, label, node, said in labelled.calculation.labels(links):
                if item in differing:
                    sources[side, item, label].append(((side, node), said))
        for item in differing:
            joined = list(_links_in(item, labelled.calculation))
            for labels in paired(first.get(item, nothing), second.get(item, nothing)):
                if len({*labels}) == 1:
                    continue
                own = [sources[side, item, label] for side, label in enumerate(labels)]
                rows = dict.fromkeys(row for of_side in own for row in self._rows_behind(of_side, joined))
                if not rows:  # what joins reworded propositions may be said on one side only: then no relation differs
                    said_items = ((said, self.group(node)) for of_side in own for node, said in of_side)
                    rows = dict.fromkeys(
                        self.rows_of(nodes for said in said_items for nodes, _ in self.classes_in(*said))
                    )
                for counted in [*rows][:1]:
                    counted.costs[name] += 1
                    for row in [*rows][1:]:
                        row.counted_with[counted.id] += 1

    def _rows_behind(
        self, sources: list[tuple[NodeNumber, Item]], links: list[tuple[SchemeGroup, Link]]
    ) -> Iterator[Difference]:
        """Yield the rows that a label of a side hangs on: those of its sources, then of the links of its item."""
        # The label of a path hangs on the links of the path one after the other.
        for _, same in groupby(sources, key=lambda source: self.group(source[0]) != "illocutions" and source[1]):
            yield from self._hanging_on(same)
        for group, link in links if sources else ():
            (side, _), _ = sources[0]
            yield from self._hanging_on((node, link) for node in self._joining.get((side, group, link), ()))

    def _hanging_on(self, said: Iterable[tuple[NodeNumber, Item]]) -> list[Difference]:
        """Return the rows that hang together with what some scheme nodes say, in the order of ids."""
        entries: list[tuple[list[tuple[int, str]], list[Difference]]] = []
        for node, item in said:
            own = self.row_of.get(node)
            if own or len(self.facts[node]) > 1:
                rows = self.rows_of(self.unshared(item, self.group(node)))
                # What scheme a relation is of changes no end of it.
                if own and own.kind != "scheme" and own not in rows:
                    rows.append(own)
                first = [min(map(self.order, row.nodes)) for row in rows[:1]]
                entries.append(([self.order(node), *first], rows))
        return [row for _, rows in sorted(entries, key=itemgetter(0)) for row in rows]


def _classes(part: Item, nodes: NodeClasses) -> Iterator[tuple[NodeClass, bool]]:
    if isinstance(part, int):
        yield nodes.classes[part], False
    elif isinstance(part, tuple) and len(part) == 3:
        side, start, _ = part
        yield nodes.classes[nodes.class_of[side][start]], True
    elif isinstance(part, tuple):  # neither an illocution's missing content nor a type
        for inner in part:
            yield from _classes(inner, nodes)


def _links_in(item: Item, calculation: Calculation) -> Iterator[tuple[SchemeGroup, Link]]:
    """Yield the relation and the transition that an illocution is about, or is anchored in."""
    if calculation.layer == "dialogical":
        content, anchor = item if "propositions" in calculation.needs else (None, item)
        if isinstance(content, Relation):
            yield "relations", content.link
        if isinstance(anchor, tuple):
            yield "transitions", anchor
