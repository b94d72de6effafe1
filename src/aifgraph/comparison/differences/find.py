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
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from aifgraph.align.alignment import NODE_KINDS, Alignment, NodeClass, NodeClasses, NodeKind
from aifgraph.align.analysis import Pair
from aifgraph.comparison.breakdown import name_key, scheme_names, speaker_names
from aifgraph.comparison.links import ClassLinks, Item
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
        elsewhere: labels that hang on it but are counted in another row.
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
    elsewhere: Counter[Difference] = field(default_factory=Counter, repr=False)
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
    def counted_with(self) -> dict[str, int]:
        """The labels that are counted in another row, by the id of that row."""
        return {row.id: count for row, count in self.elsewhere.items()}

    @property
    def at_stake(self) -> int:
        """How many labels hang on it, whether they are counted here or in another row."""
        return self.cost + self.elsewhere.total()

    @property
    def sides(self) -> Literal["first", "second", "both"]:
        """The sides that have nodes in it."""
        if self.first and self.second:
            return "both"
        return "first" if self.first else "second"

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        values = {name: getattr(self, name) for name in _PLAIN}
        return {"row": self.id, **{key: list(of) if isinstance(of, tuple) else of for key, of in values.items()}}

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


def id_order(id_: str) -> tuple[int, str]:
    """Return the key that puts ids in order, numbers as numbers."""
    return len(id_), id_


def members(node_class: NodeClass) -> list[NodeNumber]:
    """Return the nodes of a class on both sides."""
    return [(0, node) for node in node_class.first] + [(1, node) for node in node_class.second]


# -- propositions and locutions ---------------------------------------------------------------------------------------


def content_rows(alignment: Alignment, links: Pair[ClassLinks]) -> Iterator[Difference]:
    """Yield a row for each class that differs; those that an illocution joins and that differ alike are one row."""
    problems: dict[tuple[NodeKind, Any], tuple[DifferenceKind, bool, bool]] = {}
    for nodes in NODE_KINDS:
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
            yield Difference("propositions", kind, by_kind["propositions"], by_kind["locutions"])
        else:
            yield Difference("locutions", kind, by_kind["locutions"])


def _problem(alignment: Alignment, node_class: NodeClass, nodes: NodeKind) -> DifferenceKind | None:
    match = node_class.match
    if match is None:
        return "missing"
    if node_class.joined:
        return "cut differently"
    first, second = alignment.sides
    ours, theirs = first.analysis, second.analysis
    said_alike = ours.said_normalised[match.first] == theirs.said_normalised[match.second]
    if not said_alike:
        position, other_position = first.positions.get(match.first), second.positions.get(match.second)
        if position and other_position and position != other_position:
            return "cut differently"
    if nodes == "locutions":
        speakers = {name_key(name) for name in speaker_names(ours, [match.first])}
        other_speakers = {name_key(name) for name in speaker_names(theirs, [match.second])}
        if speakers and other_speakers and speakers != other_speakers:
            return "spoken by another"
    return None if said_alike else "reworded"


# -- items: what they are made of -------------------------------------------------------------------------------------

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


def classes_in(item: Item, group: Group, alignment: Alignment) -> Iterator[tuple[NodeClass, bool]]:
    """Yield the classes that an item is made of, what it starts from first, and whether it is a link inside the class;
    ``group`` is what the scheme nodes are that make such items."""
    if group == "illocutions":
        content, anchor = item
        yield from _classes(content, alignment.propositions)
        yield from _classes(anchor, alignment.locutions)
    else:
        yield from _classes(item, alignment.locutions if group == "transitions" else alignment.propositions)


def _classes(part: Any, nodes: NodeClasses) -> Iterator[tuple[NodeClass, bool]]:
    if isinstance(part, int):
        yield nodes.classes[part], False
    elif isinstance(part, tuple) and len(part) == 3:
        side, start, _ = part
        yield nodes.classes[nodes.class_of[side][start]], True
    elif isinstance(part, tuple):  # neither an illocution's missing content nor a type
        for inner in part:
            yield from _classes(inner, nodes)


# -- scheme nodes -----------------------------------------------------------------------------------------------------


def group_of(kind: str) -> SchemeGroup:
    """Return what a scheme node of a kind is."""
    return "relations" if kind in RELATIONS else "transitions" if kind == "TA" else "illocutions"


class DifferenceFinder:
    """The rows that were found so far; the row of each node that is in one; and the scheme nodes that are equal but
    for what one side lacks (first → second)."""

    def __init__(self, alignment: Alignment, links: Pair[ClassLinks]) -> None:
        self.alignment, self.links = alignment, links
        self.sides = alignment.analyses
        #: The different facts of every scheme node, by side and node; a node may have none.
        self.facts: tuple[dict[int, list[Fact]], ...] = ({}, {})
        for side, facts in zip(links, self.facts, strict=True):
            kinds = side.analysis.kinds
            facts.update((node, []) for node, kind in enumerate(kinds) if kind not in ("", "I", "L"))
            for node, item, label in (*side.relations, *side.undercuts, *side.transitions, *side.acts):
                if (item, label) not in facts[node]:
                    facts[node].append((item, label))
        self.rows: list[Difference] = []
        self.row_of: dict[NodeNumber, Difference] = {}
        self.equal: dict[int, int] = {}
        #: What open scheme nodes claim of what both sides have, where that is not all.
        self._rests: dict[NodeNumber, list[Fact]] = {}

    def find_rows(self) -> list[Difference]:
        """Find all rows, and return them in no order."""
        for row in content_rows(self.alignment, self.links):
            self.add(row)
        self._pair_equal((side, node, self._claimed(side, node)) for side in (0, 1) for node in self.facts[side])
        self.link_rows("relations")
        self.link_rows("transitions")
        self.illocution_rows()
        return self.rows

    def add(self, row: Difference) -> None:
        """Add a row."""
        self.rows.append(row)
        self.row_of.update(dict.fromkeys((*row.nodes, *row.follows), row))

    def follow(self, row: Difference, node: NodeNumber) -> None:
        """Let a node follow from a row."""
        row.follows.append(node)
        self.row_of[node] = row

    def id_key(self, side: int) -> Callable[[int], tuple[int, str]]:
        """Return the key that puts the nodes of a side in the order of their ids."""
        ids = self.sides[side].ids
        return lambda node: id_order(ids[node])

    def _claimed(self, side: int, node: int) -> Hashable:
        """Return all that a scheme node says; where it claims nothing, what is around it."""
        analysis, facts = self.sides[side], self.facts[side][node]
        if facts:
            return analysis.kinds[node], facts[0] if len(facts) == 1 else frozenset(facts)
        propositions, locutions = (nodes.class_of[side] for nodes in self.alignment.kinds)
        before, after = (
            frozenset((analysis.kinds[end], propositions.get(end, locutions.get(end))) for end in ends[node])
            for ends in (analysis.predecessors, analysis.successors)
        )
        return analysis.kinds[node], analysis.label_keys.get(node), before, after

    def _pair_equal(self, keys: Iterable[tuple[int, int, Hashable]]) -> None:
        """Pair the scheme nodes (side, node) that have the same key; relations may still differ in their schemes."""
        same: defaultdict[Hashable, Pair[list[int]]] = defaultdict(lambda: ([], []))
        for side, node, key in keys:
            same[key][side].append(node)
        for ours, theirs in same.values():
            ours.sort(key=self.id_key(0))
            theirs.sort(key=self.id_key(1))
            for both in zip(ours, theirs, strict=False):
                self.equal[both[0]] = both[1]
                names = [self._scheme_keys(side, node) for side, node in enumerate(both)]
                if names[0] != names[1]:
                    self.add(Difference("relations", "scheme", [*enumerate(both)]))

    def _scheme_keys(self, side: int, node: int) -> set[str]:
        """Return the names of the schemes of a relation, as they are compared."""
        kind = self.sides[side].kinds[node]
        return set(map(name_key, scheme_names(self.sides[side].nodes[node], kind) if kind in RELATIONS else ()))

    def _open(self, group: SchemeGroup) -> Iterator[NodeNumber]:
        """Yield the scheme nodes without an equal and not yet in a row: the first side's, then the second's, in the
        order of their ids."""
        for side, equal in enumerate((self.equal, set(self.equal.values()))):
            kinds = self.sides[side].kinds
            for node in sorted(self.facts[side].keys() - equal, key=self.id_key(side)):
                if (side, node) not in self.row_of and group_of(kinds[node]) == group:
                    yield side, node

    def unshared(self, item: Item, group: Group) -> list[NodeClass]:
        """Return the classes that an item joins and one side lacks, or does not tell apart."""
        classes = classes_in(item, group, self.alignment)
        return [of for of, inner in classes if inner or not (of.first and of.second)]

    def rows_of(self, classes: Iterable[NodeClass]) -> list[Difference]:
        """Return the rows of the nodes in some classes."""
        nodes = (node for node_class in classes for node in members(node_class))
        return list(dict.fromkeys(self.row_of[node] for node in nodes if node in self.row_of))

    def _row_among(self, side: int, nodes: Iterable[int], kinds: Container[DifferenceKind]) -> Difference | None:
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
        for part in ("all", "start", "end"):
            self._pair(group, "re-attached", part)
        for side, node in self._open(group):
            # An undercut of a relation that differs follows from that.
            schemes = [end for end in self.sides[side].successors[node] if end in self.facts[side]]
            if row := self._row_among(side, schemes, get_args(DifferenceKind)):
                self.follow(row, (side, node))
            else:
                self.add(Difference(group, "missing", [(side, node)]))

    def _follow_contents(self, group: SchemeGroup) -> None:
        """A link follows from what the other side lacks, or does not tell apart, if nothing is left of it without."""
        for side, node in self._open(group):
            analysis = self.sides[side]
            if all(self.unshared(item, group) for item, _ in self.facts[side][node]):
                for ends in (analysis.predecessors[node], analysis.successors[node]):
                    contents = [end for end in ends if analysis.kinds[end] in ("I", "L")]
                    if row := self._row_among(side, contents, ("missing", "cut differently")):
                        self.follow(row, (side, node))
                        break

    def _pair_rests(self, group: SchemeGroup) -> None:
        """Pair the nodes that say the same but for what the other side lacks."""
        keys: list[tuple[int, int, Hashable]] = []
        for side, node in self._open(group):
            facts = self.facts[side][node]
            if rest := [fact for fact in facts if not self.unshared(fact[0], group)]:
                keys.append((side, node, frozenset(rest)))
                if len(rest) < len(facts):
                    self._rests[side, node] = rest
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
        buckets: Pair[dict[Hashable, list[int]]] = ({}, {})
        parts = part, other_part or part
        for side, node in self._open(group):
            facts = self._rests.get((side, node)) or self.facts[side][node]
            found = ((part_of(item, parts[side]), label if labelled else "") for item, label in facts)
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
                self.add(Difference(group, kind, [(0, node), (1, other)]))

    # -- illocutions --------------------------------------------------------------------------------------------------

    def illocution_rows(self) -> None:
        """Add the rows of illocutions: what follows from their contents first, from their anchors last."""
        group: SchemeGroup = "illocutions"
        self._pair_rests(group)
        self._follow_ends([analysis.successors for analysis in self.sides])
        self._pair(group, "relabelled", "all", whole=True, labelled=False)
        self._pair(group, "re-attached", "start")
        self._pair(group, "re-attached", "end")
        self._pair(group, "re-attached", "start", labelled=False)
        self._follow_ends([analysis.predecessors for analysis in self.sides])
        for side, node in self._open(group):
            self.add(Difference(group, "missing", [(side, node)]))

    def _follow_ends(self, ends: list[list[list[int]]]) -> None:
        for side, node in self._open("illocutions"):
            if row := self._row_among(side, ends[side][node], _LEADING):
                self.follow(row, (side, node))
