"""A map, or two compared maps in one, as boxes and arrows: what the page and ``draw`` show.

Every proposition is a box, every relation an arrow in the colour and with the head of its type. Premises that go
together meet in a hub, and what attacks a relation ends on the relation's hub. Of two maps, solid is what both have,
dashed what only the first has, dotted what only the second has.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Literal

from aifgraph.comparison.breakdown import scheme_names
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.differences.words import VERBS
from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS, SCHEME_KINDS
from aifgraph.graph.schemes import label_of
from aifgraph.report.graphviz import Layout, Link, Size, lay_out, parts
from aifgraph.report.sentences import Pair, clean_text, ends_of, shorten

if TYPE_CHECKING:
    from aifgraph.align.analysis import Analysis

#: Propositions with their relations, or the dialogue too.
MapView = Literal["argument", "dialogue"]

#: Points: letters of 12 pt, lines, what surrounds the text of a box, a hub.
LETTER, LINE, PAD, HUB = 6.3, 15, 8, 9
#: Letters of a line, and lines of a box.
WIDTH, LINES = 28, 7

#: Source, target, type and words.
ArrowKey = tuple[str, str, str, str]
#: What a relation starts from and what it leads to.
Ends = tuple[list[int], list[int]]


@dataclass
class Box:
    """A claim or locution: lines of text, each with the side that alone has them so ("" for both)."""

    kind: str
    lines: list[tuple[str, str]]
    sides: set[int]
    speaker: str = ""
    card: int = 0
    note: str = ""

    @property
    def rows(self) -> list[str]:
        """The lines, below the speaker and the note."""
        head = " ".join(filter(None, (self.speaker, self.note)))
        return [*([head] if head else []), *(line for line, _ in self.lines)]

    @property
    def size(self) -> Size:
        rows = self.rows
        return max(70.0, max(map(len, rows)) * LETTER + 2 * PAD), len(rows) * LINE + 2 * PAD - 4


@dataclass
class Arrow:
    """A relation, or one of its parts: from a premise to its hub (without a ``head``), from the hub to a conclusion."""

    source: str
    target: str
    kind: str
    head: bool = True
    sides: set[int] = field(default_factory=set)
    cards: set[int] = field(default_factory=set)
    label: str = ""
    nodes: set[NodeNumber] = field(default_factory=set)

    @property
    def width(self) -> float:
        """The width of the label in points."""
        return len(self.label) * 5.3 + 10 if self.label else 0.0


@dataclass(frozen=True)
class Nodes:
    """The nodes of a map by number, as an ``Analysis`` has them, but none left out."""

    kinds: Sequence[str]
    predecessors: Sequence[Sequence[int]]
    successors: Sequence[Sequence[int]]

    @classmethod
    def of(cls, graph: ArgumentGraph) -> Nodes:
        number = {node.id: n for n, node in enumerate(graph)}
        before: list[list[int]] = [[] for _ in number]
        after: list[list[int]] = [[] for _ in number]
        for edge in graph.edges:
            before[number[edge.target]].append(number[edge.source])
            after[number[edge.source]].append(number[edge.target])
        return cls([node.kind for node in graph], before, after)


@dataclass
class Drawing:
    """Boxes, and hubs with the type of their relation, by name (``p3`` is a class of claims, ``l3`` of locutions,
    ``m0_17`` a relation of the first side); arrows by their ends, type and words."""

    boxes: dict[str, Box] = field(default_factory=dict)
    hubs: dict[str, str] = field(default_factory=dict)
    arrows: dict[ArrowKey, Arrow] = field(default_factory=dict)
    sides: int = 2

    def links(self) -> list[Link]:
        return [Link(arrow.source, arrow.target, arrow.width, arrow.head) for arrow in self.arrows.values()]

    def lay_out(self) -> Layout:
        sizes = {name: box.size for name, box in self.boxes.items()}
        return lay_out(sizes | {hub: (float(HUB), float(HUB)) for hub in self.hubs}, self.links())

    def part(self, number: int) -> None:
        """Leave only one of the parts that no relation joins, 1 for the largest."""
        found = parts([*self.boxes, *self.hubs], self.links())
        if not 1 <= number <= len(found):
            are = "is 1 part" if len(found) == 1 else f"are {len(found)} parts"
            raise OptionError(f"there is no part {number}: there {are} in this view", remedy="part 1 is the largest")
        names = found[number - 1]
        self.boxes = {name: box for name, box in self.boxes.items() if name in names}
        self.hubs = {name: kind for name, kind in self.hubs.items() if name in names}
        self.arrows = {key: arrow for key, arrow in self.arrows.items() if arrow.source in names}

    def style(self, sides: set[int]) -> str:
        """Return the class of what only the first has, only the second, or both."""
        return "all" if len(sides) == self.sides else "two" if 1 in sides else "one"


def draw_graph(graph: ArgumentGraph, view: MapView = "argument") -> Drawing:
    """Return the boxes and arrows of a map; every arrow is labelled."""
    nodes = graph.nodes
    shown = [n for n, node in enumerate(nodes) if node.kind == "I" or (view == "dialogue" and node.kind in ("L", ""))]
    names = {n: f"p{n}" for n in shown}

    def words(node: NodeNumber) -> str:
        own = nodes[node[1]]
        named = label_of(own) if own.kind == "YA" else ", ".join(scheme_names(own, own.kind))
        return clean_text(named) or VERBS.get(own.kind, own.kind)

    side = Nodes.of(graph)
    drawing = _Arrows([side], [names], _kinds(view), words).drawing()
    for n, name in names.items():
        lines = [(line, "") for line in wrap(clean_text(nodes[n].text))]
        drawing.boxes[name] = Box(nodes[n].type, lines, {0})
        for end in side.successors[n]:
            if end in names:
                drawing.arrows[name, names[end], "", ""] = Arrow(name, names[end], "", sides={0})
    for arrow in _first_of_each(drawing.arrows):
        arrow.label = "" if arrow.kind in ("TA", "") else shorten(words(min(arrow.nodes)), 26)
    return drawing


def draw_pair(pair: Pair, view: MapView = "argument", cards: Mapping[str, int] | None = None) -> Drawing:
    """Return the boxes and arrows of two compared maps.

    ``cards`` are the numbers of a page's cards, by row: a page labels only what differs, and leaves out what both have
    and no relation joins.
    """
    layers = {"p": pair.claims, "l": pair.locutions} if view == "dialogue" else {"p": pair.claims}
    names = [{node: f"{p}{n}" for p, layer in layers.items() for node, n in layer[side].items()} for side in (0, 1)]

    def words(node: NodeNumber) -> str:
        return pair.sides[node[0]].label_names[node[1]] if pair.kind(node) == "YA" else VERBS[pair.kind(node)]

    partners = {(0, first): (1, second) for first, second in pair.differences.pairs.items()}
    partners |= {second: first for first, second in partners.items()}
    drawing = _Arrows(pair.sides, names, _kinds(view), words, partners).drawing()
    for arrow in drawing.arrows.values():
        rows = [pair.row_of[node].id for node in arrow.nodes if node in pair.row_of]
        arrow.cards = {cards[row] for row in rows if row in cards} if cards else set()
    for arrow in _first_of_each(drawing.arrows):
        verb = shorten(clean_text(words(min(arrow.nodes))), 26)
        if len(arrow.sides) == 1 and (arrow.cards or cards is None):
            arrow.label = f"{min(arrow.cards, default='')} {pair.short_names[min(arrow.sides)]}: {verb}".strip()
        elif cards is None and arrow.kind != "TA":
            arrow.label = verb
    used = {end for arrow in drawing.arrows.values() for end in (arrow.source, arrow.target)}
    for name in dict.fromkeys(name for side in names for name in side.values()):
        box = _box(pair, name, cards or {})
        if cards is None or name in used or box.note:
            drawing.boxes[name] = box
    return drawing


def _kinds(view: MapView) -> Sequence[str]:
    """Return the types of the nodes that are arrows."""
    return SCHEME_KINDS if view == "dialogue" else RELATIONS


def _first_of_each(arrows: Mapping[ArrowKey, Arrow]) -> Iterator[Arrow]:
    """Yield an arrow for each relation: none that leads to a hub behind which the same sides go on."""
    onwards = {(arrow.source, *sorted(arrow.sides)) for arrow in arrows.values()}
    for arrow in arrows.values():
        if arrow.nodes and (arrow.head or (arrow.target, *sorted(arrow.sides)) not in onwards):
            yield arrow


class _Arrows:
    """Makes the arrows and hubs of one side or two; ``names`` are those of the boxes, by node."""

    def __init__(
        self,
        sides: Sequence[Nodes | Analysis],
        names: Sequence[Mapping[int, str]],
        kinds: Sequence[str],
        words: Callable[[NodeNumber], str],
        partners: Mapping[NodeNumber, NodeNumber] | None = None,
    ) -> None:
        self.sides, self.names, self.words, self.partners = sides, names, words, partners or {}
        self.made = Drawing(sides=len(sides))
        self.ends: dict[NodeNumber, Ends] = {}
        for side, nodes in enumerate(sides):
            for node, kind in enumerate(nodes.kinds):
                starts, goals = (self._one_a_class(side, ends) for ends in ends_of(nodes, node))
                if kind in kinds and (starts or goals):
                    self.ends[side, node] = starts, goals
        inner = {(side, end) for (side, _), ends in self.ends.items() for end in (*ends[0], *ends[1])}
        single = {node for node, (starts, goals) in self.ends.items() if len(starts) == len(goals) == 1}
        self.with_hub = {node for node in self.ends if node in inner or node not in single}
        #: Type and words, start and end → the sides that have such a relation.
        self.claimed: defaultdict[ArrowKey, set[int]] = defaultdict(set)
        for (side, node), ends in self.ends.items():
            for start, goal in product(*ends):
                self.claimed[self._key((side, node), start, goal)].add(side)

    def drawing(self) -> Drawing:
        """Return the arrows and hubs; boxes are still to be made."""
        for node, (starts, goals) in self.ends.items():
            hub = self._hub(node)
            if hub is None:
                self._add(
                    node, self._place(node[0], starts[0]), self._place(node[0], goals[0]), [*product(starts, goals)]
                )
                continue
            self.made.hubs.setdefault(hub, self._kind(node))
            for start in starts:
                self._add(node, self._place(node[0], start), hub, [(start, goal) for goal in goals], head=False)
            for goal in goals:
                self._add(node, hub, self._place(node[0], goal), [(start, goal) for start in starts])
        # A relation of its own that another one, of joined premises, says as well is drawn once.
        arrows, goals_of = self.made.arrows, defaultdict(list)
        for source, target, *says in arrows:
            goals_of[source, *says].append(target)
        joined = {
            (s, goal, *says) for s, hub, *says in arrows if hub in self.made.hubs for goal in goals_of[hub, *says]
        }
        self.made.arrows = {k: arrow for k, arrow in arrows.items() if k not in joined or len(arrow.sides) < 2}
        return self.made

    def _one_a_class(self, side: int, nodes: Sequence[int]) -> list[int]:
        """Return nodes of which none is a part of another one's claim."""
        kinds = self.sides[side].kinds
        named = {self.names[side].get(node, f"S{node}"): node for node in nodes}
        return [node for name, node in named.items() if name[0] != "S" or kinds[node] in SCHEME_KINDS]

    def _kind(self, node: NodeNumber) -> str:
        return self.sides[node[0]].kinds[node[1]]

    def _key(self, node: NodeNumber, start: int, goal: int) -> ArrowKey:
        names = self.names[node[0]]
        return names.get(start, f"S{start}"), names.get(goal, f"S{goal}"), self._kind(node), self.words(node)

    def _hub(self, node: NodeNumber) -> str | None:
        """Return the hub of a relation, one for two that stand for each other; None where an arrow does."""
        partner = self.partners.get(node)
        if partner not in self.ends or self._kind(partner) != self._kind(node) or not self._meet(node, partner):
            partner = node
        return "m{}_{}".format(*min(node, partner)) if {node, partner} & self.with_hub else None

    def _meet(self, node: NodeNumber, partner: NodeNumber) -> bool:
        """Say whether two relations start from the same claims, or lead to the same."""
        sides = ([{self.names[n[0]].get(end) for end in ends} for ends in self.ends[n]] for n in (node, partner))
        return any(first == second for first, second in zip(*sides, strict=True))

    def _place(self, side: int, node: int) -> str | None:
        return self._hub((side, node)) if (side, node) in self.ends else self.names[side].get(node)

    def _add(
        self,
        node: NodeNumber,
        source: str | None,
        target: str | None,
        says: Sequence[tuple[int, int]],
        *,
        head: bool = True,
    ) -> None:
        """Add an arrow, or the side of this one to one that is there; ``says`` are the ends of what it says."""
        if source is None or target is None:
            return
        kind = self._kind(node)
        arrow = self.made.arrows.setdefault((source, target, kind, self.words(node)), Arrow(source, target, kind, head))
        arrow.sides.add(node[0])
        for start, goal in says:
            if goal in self.names[node[0]]:
                arrow.sides |= self.claimed[self._key(node, start, goal)]
        arrow.nodes.add(node)


def _box(pair: Pair, name: str, cards: Mapping[str, int]) -> Box:
    """Return the box of a class of claims or locutions."""
    kind, layer = ("I", pair.alignment.propositions) if name[0] == "p" else ("L", pair.alignment.locutions)
    members = layer.classes[int(name[1:])][:2]
    nodes = [(side, node) for side, numbers in enumerate(members) for node in numbers]
    rows = [pair.row_of[node] for node in nodes if node in pair.row_of]
    row = next((row for row in rows if row.group in ("propositions", "locutions") and row.kind != "reworded"), None)
    who = {speaker for node in nodes for speaker in pair.speakers(*node)} if pair.several_speakers else set()
    texts = [" ¦ ".join(pair.text(side, node) for node in numbers) for side, numbers in enumerate(members)]
    box = Box(
        kind, [], {side for side, _ in nodes}, shorten(", ".join(sorted(who)), 26), cards.get(row.id, 0) if row else 0
    )
    if row and len(box.sides) == 2:
        for side, text in enumerate(texts):
            box.lines += [(line, str(side)) for line in wrap(f"{pair.short_names[side]}: {text}", LINES - 2)]
    else:
        box.lines = [(line, "") for line in wrap(texts[min(box.sides)])]
    if row:
        what = row.kind if len(box.sides) == 2 else f"only {pair.short_names[min(box.sides)]}"
        box.note = f"{box.card or ''} {what}".strip()
    return box


def wrap(text: str, most: int = LINES) -> list[str]:
    """Return lines of about the same length, at most so many."""
    if not text:
        return ["–"]
    even = len(text) // -(-len(text) // WIDTH) + 4
    return textwrap.wrap(text[: WIDTH * most * 2], max(18, min(WIDTH, even)), max_lines=most, placeholder=" …")
