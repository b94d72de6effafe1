"""Which nodes of two analyses differ, grouped so that one disagreement is one row, and what follows from it attached.

Every node that takes part either has an equal on the other side or is in exactly one row:

1. propositions and locutions that one side lacks, cuts differently, gives another speaker or words differently; a
   proposition and the locution that anchors it are one row where they differ in the same way;
2. relations and transitions: those of which nothing is left without a missing proposition or locution go into its row;
   those that are equal but for what is missing are equal; the others are paired (the same ends under another label, the
   ends reversed, one end in common) or stand alone;
3. illocutions: those of a content that differs go into its row; the others as relations.

So a relation of three premises, one of them missing on the other side, stays when that premise is left out.

Where several nodes would do, ids decide, never the order of a file: the rows are the same when that is another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from aifgraph.align.alignment import Alignment, Layer, NodeClass
from aifgraph.comparison.breakdown import name_key, scheme_names
from aifgraph.comparison.calculations.items import (
    Anchor,
    AnchoredContent,
    At,
    Claim,
    Content,
    Group,
    InnerLink,
    Link,
    Relation,
    Undercut,
)
from aifgraph.comparison.differences.contents import content_rows, members
from aifgraph.comparison.differences.facts import Fact, Facts, Part, part_of
from aifgraph.comparison.differences.rows import DifferenceGroup, Kind, NodeNumber, Row, id_order
from aifgraph.graph.nodes import RELATIONS


@dataclass(slots=True)
class DifferenceRows:
    """All rows, the row of each node that is in one, the scheme nodes that are equal but for what one side lacks (first
    → second), and the rows of what a claim joins and one side lacks or cuts differently."""

    rows: list[Row]
    row_of: dict[NodeNumber, Row]
    equal: dict[int, int]
    rows_of_claim: Callable[[Group, Claim], list[Row]]


def find_differences(alignment: Alignment, facts: tuple[Facts, Facts]) -> DifferenceRows:
    """The rows of an alignment, in no order."""
    finder = _Finder(alignment, facts)
    for row in content_rows(alignment):
        finder.add(row)
    finder.schemes()
    finder.links("S", "relations")
    finder.links("TA", "transitions")
    finder.illocutions()
    return DifferenceRows(finder.rows, finder.row_of, finder.equal, finder.rows_of_claim)


class _Finder:
    def __init__(self, alignment: Alignment, facts: tuple[Facts, Facts]) -> None:
        self.alignment, self.facts = alignment, facts
        self.sides = (alignment.first, alignment.second)
        self.rows: list[Row] = []
        self.row_of: dict[NodeNumber, Row] = {}
        self.equal: dict[int, int] = {}
        self.equal_second: set[int] = set()
        #: The scheme nodes of each side and group that may still be open.
        self.waiting: tuple[dict[Group, list[int]], ...] = ({}, {})
        #: What open scheme nodes claim of what both sides have, where that is not all.
        self.rests: tuple[dict[int, tuple[Fact, ...]], ...] = ({}, {})

    def by_id(self, side: int) -> Callable[[int], tuple[int, str]]:
        """The key by which the nodes of a side are put in order."""
        nodes = self.sides[side].nodes
        return lambda node: id_order(nodes[node].id)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.row_of.update(dict.fromkeys((*row.nodes, *row.follows), row))

    def row(self, group: DifferenceGroup, kind: Kind, *nodes: NodeNumber) -> None:
        self.add(Row(group, kind, [*nodes]))

    def attach(self, row: Row, node: NodeNumber) -> None:
        row.follows.append(node)
        self.row_of[node] = row

    # -- scheme nodes -----------------------------------------------------------------------------------------

    def schemes(self) -> None:
        """Pair the scheme nodes that say the same; relations among them may still differ in their schemes."""
        self.pair_equal(
            [
                (node, (own, facts[0] if len(facts) == 1 else frozenset(facts)))
                for node, (own, facts) in side.nodes.items()
                if facts
            ]
            for side in self.facts
        )
        for side in (0, 1):
            paired = self.equal_second if side else self.equal
            groups: dict[Group, list[int]] = {"S": [], "TA": [], "YA": []}
            for node, (own, _) in self.facts[side].nodes.items():
                if node not in paired:
                    groups[own].append(node)
            for open_nodes in groups.values():
                open_nodes.sort(key=self.by_id(side))
            self.waiting[side].update(groups)
        # A relation without premise claims nothing: what is around it decides.
        self.pair_equal([(node, self.around(side, node)) for node in self.idle_nodes(side)] for side in (0, 1))
        self.scheme_rows(self.equal)

    def scheme_rows(self, equal: Iterable[int]) -> None:
        """Rows of relations of the first side that have an equal, under other schemes."""
        first, second = self.sides
        for one in equal:
            kind, other = first.kinds[one], self.equal[one]
            if kind in RELATIONS:
                names = [
                    {name_key(name) for name in scheme_names(side.nodes[node], kind)}
                    for side, node in ((first, one), (second, other))
                ]
                if names[0] != names[1]:
                    self.row("relations", "scheme", (0, one), (1, other))

    def pair_equal(self, sides: Iterable[Iterable[tuple[int, Hashable]]]) -> None:
        """Pair the nodes of the two sides that have the same key."""
        first, second = sides
        same: dict[Hashable, tuple[list[int], list[int]]] = {}
        for node, key in second:
            if (entry := same.get(key)) is None:
                same[key] = ([], [node])
            else:
                entry[1].append(node)
        for node, key in first:
            if (entry := same.get(key)) is not None:
                entry[0].append(node)
        for ours, theirs in same.values():
            if len(ours) > 1 or len(theirs) > 1:
                ours.sort(key=self.by_id(0))
                theirs.sort(key=self.by_id(1))
            for one, other in zip(ours, theirs, strict=False):
                self.equal[one] = other
                self.equal_second.add(other)

    def around(self, side: int, node: int) -> Hashable:
        analysis = self.sides[side]

        def names(others: list[int]) -> frozenset[Hashable]:
            return frozenset(self.class_of(side, other) or analysis.kinds[other] for other in others)

        label = analysis.label_keys.get(node, "")
        return analysis.kinds[node], label, names(analysis.predecessors[node]), names(analysis.successors[node])

    def layer_of(self, side: int, node: int) -> Layer | None:
        kind = self.sides[side].kinds[node]
        return self.alignment.propositions if kind == "I" else self.alignment.locutions if kind == "L" else None

    def class_of(self, side: int, node: int) -> tuple[str, int] | None:
        layer = self.layer_of(side, node)
        if layer is None:
            return None
        return self.sides[side].kinds[node], (layer.second_class if side else layer.first_class)[node]

    def open_nodes(self, side: int, group: Group | None) -> list[int]:
        """The scheme nodes of a side without an equal and not yet in a row, in the order of their ids."""
        paired, waiting = self.equal_second if side else self.equal, self.waiting[side]
        nodes: list[int] = []
        for own in waiting if group is None else (group,):
            waiting[own] = [node for node in waiting[own] if node not in paired and (side, node) not in self.row_of]
            nodes += waiting[own]
        return nodes

    def idle_nodes(self, side: int) -> list[int]:
        """The open nodes that claim nothing."""
        return [node for node in self.open_nodes(side, None) if not self.facts[side].nodes[node][1]]

    def row_among(self, side: int, nodes: Iterable[int], wanted: Callable[[int, Row], bool]) -> Row | None:
        """The row of the first of some nodes (by id) that is in a row as wanted."""
        rows = [(node, row) for node in nodes if (row := self.row_of.get((side, node))) and wanted(node, row)]
        by_id = self.by_id(side)
        return min(rows, key=lambda entry: by_id(entry[0]))[1] if rows else None

    # -- relations and transitions ------------------------------------------------------------------------------

    def links(self, group: Group, name: DifferenceGroup) -> None:
        """Rows of relations, or of transitions."""
        self.attach_to_contents(group)
        self.pair_rests(group)
        self.pair(group, name, "relabelled", "all", whole=True, labelled=False)
        self.pair(group, name, "reversed", "all", "reversed", whole=True)
        self.pair(group, name, "reversed", "all", "reversed", whole=True, labelled=False)
        self.pair(group, name, "re-attached", "all")
        self.pair(group, name, "re-attached", "start")
        self.pair(group, name, "re-attached", "end")
        for side in (0, 1):
            for node in self.open_nodes(side, group):
                # An undercut of a relation that differs follows from that.
                if row := self.row_among(side, self.scheme_ends(side, node), lambda _, row: True):
                    self.attach(row, (side, node))
                else:
                    self.row(name, "missing", (side, node))

    def scheme_ends(self, side: int, node: int) -> list[int]:
        return [other for other in self.sides[side].successors[node] if other in self.facts[side].nodes]

    def attach_to_contents(self, group: Group) -> None:
        """A link follows from what the other side lacks, or does not tell apart, if nothing is left of it without."""
        for side in (0, 1):
            for node in self.open_nodes(side, group):
                facts = self.facts[side].nodes[node][1]
                if not any(self.is_shared(group, claim) for claim, _ in facts) and (row := self.row_of_end(side, node)):
                    self.attach(row, (side, node))

    def pair_rests(self, group: Group) -> None:
        """Pair the nodes that say the same but for what the other side lacks."""
        whole = len(self.equal)
        keys: tuple[list[tuple[int, Hashable]], ...] = ([], [])
        for side in (0, 1):
            for node in self.open_nodes(side, group):
                facts = self.facts[side].nodes[node][1]
                rest = tuple([fact for fact in facts if self.is_shared(group, fact[0])])
                if rest:
                    keys[side].append((node, frozenset(rest)))
                    if len(rest) < len(facts):
                        self.rests[side][node] = rest
        self.pair_equal(keys)
        if group == "S":
            self.scheme_rows([*self.equal][whole:])

    def claims(self, side: int, node: int) -> tuple[Fact, ...]:
        """What a scheme node claims of what both sides have; everything, where there is nothing of that."""
        return self.rests[side].get(node) or self.facts[side].nodes[node][1]

    def is_shared(self, group: Group, claim: Claim) -> bool:
        """Whether both sides have all that a claim joins, and tell it apart."""
        return all(apart and each.first and each.second for each, apart in self.joined(group, claim))

    def rows_of_claim(self, group: Group, claim: Claim) -> list[Row]:
        """The rows of what a claim joins and one side lacks, or does not tell apart; what it starts from first."""
        rows: dict[Row, None] = {}
        for each, apart in self.joined(group, claim):
            if not (apart and each.first and each.second):
                rows.update((row, None) for node in members(each) if (row := self.row_of.get(node)))
        return [*rows]

    def joined(self, group: Group, claim: Claim | Anchor | Content) -> Iterator[tuple[NodeClass, bool]]:
        """The classes that a claim joins, what it starts from first, and whether both sides tell them apart."""
        layer = self.alignment.locutions if group == "TA" else self.alignment.propositions
        match claim:
            case AnchoredContent(content, anchor):
                yield from self.joined("S", content)
                yield from self.joined("TA", anchor)
            case At(anchor):
                yield from self.joined("TA", anchor)
            case Undercut(premise, relation):
                yield from self.joined("S", premise)
                yield from self.joined("S", relation)
            case Relation(link):
                yield from self.joined("S", link)
            case InnerLink(owner, start):
                yield layer.classes[(layer.second_class if owner else layer.first_class)[start]], False
            case Link(start, end):
                yield layer.classes[start], True
                yield layer.classes[end], True
            case int(number):
                yield layer.classes[number], True

    def row_of_end(self, side: int, node: int) -> Row | None:
        """The row of a premise, or else of a conclusion, that is missing or cut differently."""
        analysis = self.sides[side]

        def telling(other: int, row: Row) -> bool:
            return analysis.kinds[other] in ("I", "L") and row.kind in ("missing", "cut differently")

        premise = self.row_among(side, analysis.predecessors[node], telling)
        return premise or self.row_among(side, analysis.successors[node], telling)

    def pair(
        self,
        group: Group,
        name: DifferenceGroup,
        kind: Kind,
        part: Part,
        other_part: Part | None = None,
        *,
        whole: bool = False,
        labelled: bool = True,
    ) -> None:
        """Rows of two open nodes with parts of their claims in common, the most first; ``whole``: with all of them,
        ``labelled``: under the same labels. The second side's may be another part."""
        buckets: tuple[dict[Hashable, list[int]], ...] = ({}, {})
        for side, asked in ((0, part), (1, other_part or part)):
            for node in self.open_nodes(side, group):
                keys: Iterable[Hashable] = {
                    (found, label if labelled else "")
                    for claim, label in self.claims(side, node)
                    if (found := part_of(claim, asked)) is not None
                }
                for shared_key in [frozenset(keys)] if whole and keys else keys:
                    buckets[side].setdefault(shared_key, []).append(node)
        common: Counter[tuple[int, int]] = Counter()
        for shared_key, ours in buckets[0].items():
            theirs = buckets[1].get(shared_key, [])
            if len(ours) * len(theirs) <= _PAIRS:
                common.update((one, other) for one in ours for other in theirs)
            else:
                common.update(zip(ours, theirs, strict=False))
        first, second = self.by_id(0), self.by_id(1)

        def order(pair: tuple[int, int]) -> tuple[object, ...]:
            # The same under swapped sides: two pairs of equal keys have no node in common.
            one, other = sorted((first(pair[0]), second(pair[1])))
            return -common[pair], one, other

        for one, other in sorted(common, key=order):
            if (0, one) not in self.row_of and (1, other) not in self.row_of:
                self.row(name, kind, (0, one), (1, other))

    # -- illocutions ----------------------------------------------------------------------------------------------

    def illocutions(self) -> None:
        """Rows of illocutions: what follows from their contents first, from their anchors last."""
        self.pair_rests("YA")
        self.attach_to_ends(lambda side, node: self.sides[side].successors[node])
        self.pair("YA", "illocutions", "relabelled", "all", whole=True, labelled=False)
        self.pair("YA", "illocutions", "re-attached", "content")
        self.pair("YA", "illocutions", "re-attached", "anchor")
        self.pair("YA", "illocutions", "re-attached", "content", labelled=False)
        self.attach_to_ends(lambda side, node: self.sides[side].predecessors[node])
        for side in (0, 1):
            for node in self.open_nodes(side, "YA"):
                self.row("illocutions", "missing", (side, node))

    def attach_to_ends(self, ends: Callable[[int, int], list[int]]) -> None:
        for side in (0, 1):
            for node in self.open_nodes(side, "YA"):
                if row := self.row_among(side, ends(side, node), lambda _, row: row.kind in _TELLING):
                    self.attach(row, (side, node))


#: A pair of lists of nodes with one key in common that makes more pairs than this is paired in order.
_PAIRS = 10_000
#: Differences that others follow from: another wording is none of them.
_TELLING = frozenset({"missing", "cut differently", "reversed", "relabelled", "re-attached"})
