"""Which nodes of two maps go into the merged one: what becomes of each row, by a decision or a rule, and what stands in
the merged map for each node that is not kept.

A scheme node that loses all it starts from, or all it leads to, goes too; one that loses some of it stays, and what
follows from a proposition or locution that is left out stays as long as something of it is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from aifgraph.adjudication.decisions import Decision, is_content, sides_kept
from aifgraph.align.alignment import Layer
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.differences import Difference, Differences, NodeNumber

Side = Literal[0, 1]
Wording = Literal["first", "second", "longer"]
Preference = Literal["first", "second", "agreed", "both"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The sides of a row whose nodes are kept, and why: by a ``decision``, by a rule, or being ``open``."""

    sides: frozenset[int]
    decision: Decision | None = None
    open: bool = False


@dataclass(frozen=True)
class Resolution:
    """Every row resolved, by its id, and the side that the merged map starts from."""

    rows: Mapping[str, Resolved]
    base: Side


def resolve(
    differences: Differences, decisions: Mapping[str, Decision], wording: Wording, prefer: Preference | None
) -> Resolution:
    """Every row by its decision, else by the rules. The map starts from the side that all decisions follow, where they
    do, else from that of the wording."""
    default: Side = 1 if wording == "second" else 0
    if wording == "longer" and differences.first_hash > differences.second_hash:
        default = 1
    rows: dict[str, Resolved] = {}
    for row in differences:
        decision = decisions.get(row.id)
        if decision is None:
            rows[row.id] = _by_rule(row, wording, prefer, default)
        else:
            rows[row.id] = Resolved(sides_kept(decision.choice, row, default), decision)
    chosen = {side for resolved in rows.values() if len(resolved.sides) == 1 for side in resolved.sides}
    base: Side = default if len(chosen) != 1 else 1 if 1 in chosen else 0
    return Resolution(rows, base)


def _by_rule(row: Difference, wording: Wording, prefer: Preference | None, default: Side) -> Resolved:
    if row.kind == "reworded":
        lengths = len(row.first_wording), len(row.second_wording)
        longer = default if wording != "longer" or lengths[0] == lengths[1] else int(lengths[1] > lengths[0])
        return Resolved(frozenset((longer,)))
    if prefer in ("first", "second"):
        return Resolved(sides_kept(prefer, row, default))
    opened = prefer is None
    if is_content(row) or row.kind == "scheme":
        # Both have it, if not alike: it is in the map once.
        return Resolved(frozenset((default,)), open=opened)
    return Resolved(sides_kept("neither" if prefer == "agreed" else "both", row, default), open=opened)


@dataclass
class Selection:
    """``kept`` nodes, and ``stands_for``: a node that is not kept → the kept one in its place. ``row_of`` gives the row
    of each node that is in one; ``dropped`` are the nodes that a decision keeps and that could not be kept."""

    differences: Differences
    resolution: Resolution
    kept: set[NodeNumber] = field(default_factory=set)
    stands_for: dict[NodeNumber, NodeNumber] = field(default_factory=dict)
    row_of: dict[NodeNumber, Difference] = field(default_factory=dict)
    dropped: list[NodeNumber] = field(default_factory=list)

    def __post_init__(self) -> None:
        alignment = self.differences.alignment
        self.analyses = (alignment.first, alignment.second)
        self._numbers = [{node.id: number for number, node in enumerate(side.nodes)} for side in self.analyses]
        for row in self.differences:
            for node in (*row.nodes, *row.follows):
                self.row_of[node] = row
        base = self.resolution.base
        self.kept = {(base, number) for number, kind in enumerate(self.analyses[base].kinds) if not kind}
        for layer in (alignment.propositions, alignment.locutions):
            self._contents(layer)
        self._equal()
        self._rows()
        self.drop_idle()

    def place(self, node: NodeNumber) -> NodeNumber | None:
        """The kept node that is, or stands for, a node."""
        if node in self.kept:
            return node
        other = self.stands_for.get(node)
        return other if other in self.kept else None

    def _contents(self, layer: Layer) -> None:
        base = self.resolution.base
        for node_class in layer.classes:
            members = ([(0, node) for node in node_class.first], [(1, node) for node in node_class.second])
            row = self.row_of.get((members[0] or members[1])[0])
            sides: Iterable[int] = (base,)
            if row:
                sides = self.resolution.rows[row.id].sides
                if not node_class.joined and node_class.match and sides:
                    # One node on each side: it keeps its id whichever wording it gets.
                    sides = (base,)
            for side in sides:
                self.kept.update(members[side])
                if node_class.match:
                    host = (side, node_class.match.second if side else node_class.match.first)
                    self.stands_for.update(dict.fromkeys(members[1 - side], host))

    def _equal(self) -> None:
        base = self.resolution.base
        near = self._near_cuts()
        for pair in self.differences.equal.items():
            sides = {self._side_of_ends(*node) for node in enumerate(pair) if node in near} - {None}
            side = sides.pop() if len(sides) == 1 else base
            chosen = (1, pair[1]) if side else (0, pair[0])
            row = self.row_of.get(chosen)
            if row and not self.resolution.rows[row.id].sides:
                continue
            self.kept.add(chosen)
            self.stands_for[(0, pair[0]) if side else (1, pair[1])] = chosen

    def _near_cuts(self) -> set[NodeNumber]:
        """The nodes that an edge joins to a unit that the two cut differently."""
        cuts = ((*node, self.analyses[node[0]]) for node, row in self.row_of.items() if row.kind == "cut differently")
        return {
            (side, other)
            for side, number, analysis in cuts
            for other in (*analysis.predecessors[number], *analysis.successors[number])
        }

    def _side_of_ends(self, side: int, node: int) -> int | None:
        """The side whose cut of the text is kept for what a scheme node joins; None where both cut it alike."""
        analysis = self.analyses[side]
        for other in (*analysis.predecessors[node], *analysis.successors[node]):
            row = self.row_of.get((side, other))
            if row and row.kind == "cut differently":
                sides = self.resolution.rows[row.id].sides
                if len(sides) == 1:
                    return next(iter(sides))
        return None

    def _rows(self) -> None:
        for row in self.differences:
            sides = self.resolution.rows[row.id].sides
            follows: set[NodeNumber] = set()
            if row.kind == "missing" and row.group in ("propositions", "locutions"):
                follows.update(row.follows)
            for node in (*row.nodes, *row.follows):
                content = self._kind(node) in ("I", "L")
                if not content and row.kind != "scheme" and (node[0] in sides or node in follows):
                    self.kept.add(node)
            if len(row.nodes) == 2 and row.sides == "both" and not is_content(row) and row.kind != "scheme":
                one, other = row.nodes
                for node, partner in ((one, other), (other, one)):
                    if node not in self.kept:
                        self.stands_for[node] = partner

    def _kind(self, node: NodeNumber) -> str:
        return self.analyses[node[0]].kinds[node[1]]

    def drop_idle(self) -> None:
        """Drop the scheme nodes that have lost all starts or all ends, as long as there are any."""
        while idle := sorted(node for node in self.kept if self._kind(node) not in ("I", "L") and self._idle(node)):
            self.kept.difference_update(idle)
            self.dropped += [node for node in idle if self._wanted(node)]

    def _wanted(self, node: NodeNumber) -> bool:
        """Whether the row of a node keeps its side."""
        row = self.row_of.get(node)
        return row is None or node[0] in self.resolution.rows[row.id].sides

    def _idle(self, node: NodeNumber) -> bool:
        return any(self._lost(node[0], others, node) for others in self.needs(node))

    def needs(self, node: NodeNumber) -> tuple[Sequence[int], ...]:
        """Groups of nodes of its side of each of which a scheme node needs one: what it starts from, what it leads to.
        An analyst's own scheme node goes with what it was about."""
        side, number = node
        analysis: Analysis = self.analyses[side]
        kind, kinds = analysis.kinds[number], analysis.kinds
        if not kind:
            return self._needs_left_out(node)
        if kind in ("I", "L"):
            return ()
        starts, ends = analysis.predecessors[number], analysis.successors[number]
        if kind != "YA":
            starts = [start for start in starts if kinds[start] != "YA"]
        if kind == "TA":
            ends = [end for end in ends if kinds[end] != "YA"]
        return starts, ends

    def _needs_left_out(self, node: NodeNumber) -> tuple[Sequence[int], ...]:
        graph = self.analyses[node[0]].graph
        own = self.analyses[node[0]].nodes[node[1]]
        if own.type in ("I", "L") or own.kind == "":
            return ()
        numbers = self.numbers(node[0])
        around = (graph.predecessors(own), graph.successors(own))
        return tuple([numbers[node.id] for node in others] for others in around)

    def _lost(self, side: int, others: Sequence[int], node: NodeNumber) -> bool:
        """Whether a node had others there, and now has none but itself."""
        kept = self.kept
        for number in others:
            other: NodeNumber | None = (side, number)
            if other not in kept:
                other = self.place((side, number))
            if other is not None and other != node:
                return False
        return bool(others)

    def numbers(self, side: int) -> dict[str, int]:
        """Node ids → numbers of a side."""
        return self._numbers[side]
