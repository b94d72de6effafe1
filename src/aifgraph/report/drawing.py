"""A map, or two compared maps in one, as boxes and arrows: what the page and ``draw`` show.

Every proposition is a box, every relation an arrow with the line and the head of its type. Premises that go together
meet in a hub, and what attacks a relation ends on the relation's hub. Of two maps, grey is what both have, blue what
the first has, orange what only the second has.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal
from unicodedata import east_asian_width

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.comparison.breakdown import scheme_names
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.differences.words import VERBS, ends_of
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS, SCHEME_KINDS
from aifgraph.graph.schemes import label_of
from aifgraph.report.sentences import Pair, clean_text, shorten

#: Propositions with their relations, or the dialogue too.
MapView = Literal["argument", "dialogue"]

#: Points: lines, what surrounds the text of a box, a hub.
LINE, PAD, HUB = 15, 8, 9
#: Letters of a line, and lines of a box.
WIDTH, LINES = 28, 7

#: Source, target, type and words.
ArrowKey = tuple[str, str, str, str]


@dataclass
class Box:
    """A claim or locution: lines of text, each with the side that alone has them so ("" for both)."""

    kind: str
    lines: list[tuple[str, str]]
    sides: set[int]
    speaker: str = ""
    card: int = 0
    note: str = ""
    nodes: Sequence[NodeNumber] = ()

    @property
    def rows(self) -> list[str]:
        """The lines, below the speaker and the note."""
        head = " ".join(filter(None, (self.speaker, self.note)))
        return [*([head] if head else []), *(line for line, _ in self.lines)]

    @property
    def size(self) -> tuple[float, float]:
        rows = self.rows
        return max(70.0, max(map(width_of, rows)) + 2 * PAD), len(rows) * LINE + 2 * PAD - 4


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
        return width_of(self.label, 10.5) + 12 if self.label else 0.0


@dataclass
class Drawing:
    """Boxes, and hubs with the type of their relation, by name (``p3`` is a class of claims, ``l3`` of locutions,
    ``m0_17`` a relation of the first side); arrows by their ends, type and words."""

    boxes: dict[str, Box] = field(default_factory=dict)
    hubs: dict[str, str] = field(default_factory=dict)
    hub_nodes: dict[str, set[NodeNumber]] = field(default_factory=lambda: defaultdict(set))
    arrows: dict[ArrowKey, Arrow] = field(default_factory=dict)
    sides: int = 2

    def hub_sides(self, name: str) -> set[int]:
        """Return the sides whose relation a hub is."""
        return {side for side, _ in self.hub_nodes[name]}

    def style(self, sides: set[int]) -> str:
        """Return the class of what only the first has, only the second, or both."""
        return "all" if len(sides) == self.sides else "two" if 1 in sides else "one"


def draw_graph(graph: ArgumentGraph, view: MapView = "argument") -> Drawing:
    """Return the boxes and arrows of a map; every arrow is labelled."""
    analysis = analyse(graph)
    shown = ("I", "L") if view == "dialogue" else ("I",)
    names = {n: f"p{n}" for n, kind in enumerate(analysis.kinds) if kind in shown}

    def words(node: NodeNumber) -> str:
        own = analysis.nodes[node[1]]
        named = label_of(own) if own.kind == "YA" else ", ".join(scheme_names(own.schemes, own.kind))
        return clean_text(named) or VERBS.get(own.kind, [own.kind])[0]

    drawing = _Relations([analysis], [names], view, {}).drawing(words)
    for n, name in names.items():
        lines = [(line, "") for line in wrap(clean_text(analysis.texts[n]))]
        drawing.boxes[name] = Box(analysis.kinds[n], lines, {0})
        for end in analysis.successors[n]:
            if end in names:
                drawing.arrows[name, names[end], "", ""] = Arrow(name, names[end], "", sides={0})
    for arrow in _first_of_each(drawing):
        arrow.label = "" if arrow.kind in ("TA", "") else shorten(words(min(arrow.nodes)), 26)
    return drawing


def draw_pair(pair: Pair, view: MapView = "argument", cards: Mapping[NodeNumber, int] | None = None) -> Drawing:
    """Return the boxes and arrows of two compared maps.

    ``cards`` are the numbers of a page's cards, by node: a page labels only what differs, and leaves out what no card
    is about and no relation joins.
    """
    layers = {"p": pair.claims, "l": pair.locutions} if view == "dialogue" else {"p": pair.claims}
    names = [{node: f"{p}{n}" for p, layer in layers.items() for node, n in layer[side].items()} for side in (0, 1)]

    def words(node: NodeNumber) -> str:
        return pair.analyses[node[0]].label_names[node[1]] if pair.kind(node) == "YA" else VERBS[pair.kind(node)][0]

    partners = {(0, first): (1, second) for first, second in pair.differences.pairs.items()}
    partners |= {second: first for first, second in partners.items()}
    drawing = _Relations(pair.analyses, names, view, partners).drawing(words)
    # What an illocution that differs is about is marked on a page: the claim, or the relation that it anchors.
    acts = {
        (side, end): cards[side, node]
        for row in pair.differences
        if cards and row.group == "illocutions"
        for side, node in row.nodes
        for end in pair.ends(side, node)[1]
    }
    for arrow in drawing.arrows.values():
        arrow.cards = {cards[node] for node in arrow.nodes if node in pair.row_of} if cards else set()
    for arrow in _first_of_each(drawing):
        verb = shorten(clean_text(words(min(arrow.nodes))), 26)
        if len(arrow.sides) == 1 and (arrow.cards or cards is None):
            arrow.label = f"{min(arrow.cards, default='')} {pair.names[min(arrow.sides)]}: {verb}".strip()
        elif cards is None and arrow.kind != "TA":
            arrow.label = verb
        elif of_acts := {acts[node] for node in arrow.nodes if node in acts}:
            arrow.cards |= of_acts
            arrow.label = f"{min(of_acts)} illocution"
    used = {end for arrow in drawing.arrows.values() for end in (arrow.source, arrow.target)}
    for name in dict.fromkeys(name for side in names for name in side.values()):
        box = _box(pair, name, cards)
        if not box.note and not acts.keys().isdisjoint(box.nodes):
            box.note = f"{box.card} illocution"
        if cards is None or name in used or box.card:
            drawing.boxes[name] = box
    return drawing


def _first_of_each(drawing: Drawing) -> Iterator[Arrow]:
    """Yield an arrow for each relation: none that leads to a hub behind which the same sides go on."""
    onwards = {(arrow.source, *sorted(arrow.sides)) for arrow in drawing.arrows.values()}
    for arrow in drawing.arrows.values():
        if arrow.nodes and (arrow.head or (arrow.target, *sorted(arrow.sides)) not in onwards):
            yield arrow


class _Relations:
    """Makes the arrows and hubs of one side or two; ``names`` are those of the boxes, by node."""

    def __init__(
        self,
        sides: Sequence[Analysis],
        names: Sequence[Mapping[int, str]],
        view: MapView,
        partners: Mapping[NodeNumber, NodeNumber],
    ) -> None:
        self.sides, self.names, self.partners = sides, names, partners
        kinds = SCHEME_KINDS if view == "dialogue" else RELATIONS
        #: What each relation starts from and what it leads to.
        self.ends: dict[NodeNumber, tuple[list[int], list[int]]] = {}
        for side, analysis in enumerate(sides):
            for node, kind in enumerate(analysis.kinds):
                starts, goals = (self._one_a_class(side, ends) for ends in ends_of(analysis, node))
                if kind in kinds and (starts or goals):
                    self.ends[side, node] = starts, goals
        inner = {(side, end) for (side, _), ends in self.ends.items() for end in (*ends[0], *ends[1])}
        self.with_hub = {node for node, ends in self.ends.items() if node in inner or {1} != {*map(len, ends)}}

    def drawing(self, words: Callable[[NodeNumber], str]) -> Drawing:
        """Return the arrows and hubs; boxes are still to be made."""
        drawing = Drawing(sides=len(self.sides))
        for node, (starts, goals) in self.ends.items():
            side, hub, kind = node[0], self._hub(node), self.sides[node[0]].kinds[node[1]]
            sources, targets = ([self._place(side, end) for end in ends] for ends in (starts, goals))
            if hub is None:
                parts = [(sources[0], targets[0], True)]
            else:
                drawing.hubs.setdefault(hub, kind)
                drawing.hub_nodes[hub].add(node)
                parts = [*((source, hub, False) for source in sources), *((hub, target, True) for target in targets)]
            for source, target, head in parts:
                if source and target:
                    new = Arrow(source, target, kind, head)
                    arrow = drawing.arrows.setdefault((source, target, kind, words(node)), new)
                    arrow.sides.add(side)
                    arrow.nodes.add(node)
        return drawing

    def _one_a_class(self, side: int, nodes: Sequence[int]) -> list[int]:
        """Return nodes of which none is a part of another one's claim."""
        names, kinds = self.names[side], self.sides[side].kinds
        return [*{names.get(n, f"S{n}"): n for n in nodes if n in names or kinds[n] in SCHEME_KINDS}.values()]

    def _hub(self, node: NodeNumber) -> str | None:
        """Return the hub of a relation, one for two that stand for each other; None where an arrow does."""
        partner = self.partners.get(node)
        if partner not in self.ends or not self._alike(node, partner):
            partner = node
        return "m{}_{}".format(*min(node, partner)) if {node, partner} & self.with_hub else None

    def _alike(self, node: NodeNumber, partner: NodeNumber) -> bool:
        """Say whether two relations are of one type and start from the same claims, or lead to the same."""
        one, other = (
            (self.sides[side].kinds[n], *({self.names[side].get(end) for end in ends} for ends in self.ends[side, n]))
            for side, n in (node, partner)
        )
        return one[0] == other[0] and (one[1] == other[1] or one[2] == other[2])

    def _place(self, side: int, node: int) -> str | None:
        return self._hub((side, node)) if (side, node) in self.ends else self.names[side].get(node)


def _box(pair: Pair, name: str, cards: Mapping[NodeNumber, int] | None) -> Box:
    """Return the box of a class of claims or locutions; a page, which has ``cards``, marks no mere rewording."""
    kind, layer = ("I", pair.alignment.propositions) if name[0] == "p" else ("L", pair.alignment.locutions)
    members = layer.classes[int(name[1:])][:2]
    nodes = [(side, node) for side, numbers in enumerate(members) for node in numbers]
    rows = [pair.row_of[node] for node in nodes if node in pair.row_of]
    about = [row for row in rows if row.group in ("propositions", "locutions")]
    row = next((row for row in about if cards is None or row.kind != "reworded"), None)
    who = {speaker for node in nodes for speaker in pair.speakers(*node)} if pair.several_speakers else set()
    texts = [" ¦ ".join(pair.text(side, node) for node in numbers) for side, numbers in enumerate(members)]
    box = Box(
        kind,
        [],
        {side for side, _ in nodes},
        shorten(", ".join(sorted(who)), 26),
        next((cards[node] for node in nodes if node in cards), 0) if cards else 0,
        nodes=nodes,
    )
    if row and len(box.sides) == 2:
        for side, text in enumerate(texts):
            box.lines += [(line, str(side)) for line in wrap(f"{pair.names[side]}: {text}", LINES - 2)]
    else:
        box.lines = [(line, "") for line in wrap(texts[min(box.sides)])]
    if row:
        what = row.kind if len(box.sides) == 2 else f"only {pair.names[min(box.sides)]}"
        box.note = f"{box.card or ''} {what}".strip()
    return box


def wrap(text: str, most: int = LINES) -> list[str]:
    """Return lines of about the same length, at most so many."""
    if not text:
        return ["–"]
    even = len(text) // -(-len(text) // WIDTH) + 4
    return textwrap.wrap(text[: WIDTH * most * 2], max(18, min(WIDTH, even)), max_lines=most, placeholder=" …")


def width_of(text: str, size: float = 12) -> float:
    """Return about how wide a text is in Helvetica of a size.

    >>> width_of("till") < width_of("Mama") < width_of("日本語文")
    True
    """
    return size * sum(map(_letter, text))


@cache
def _letter(char: str) -> float:
    if east_asian_width(char) in "WF":
        return 1.0
    if char in "mwMW@%—…":
        return 1.0
    return 0.3 if char in "ijlftrI.,:;'|!()[] " else 0.74 if char.isupper() else 0.57
