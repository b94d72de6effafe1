"""One SVG map of two analyses: claims as boxes, relations as coloured edges, laid out by Graphviz.

Solid is what both have, dashed what only the first has, dotted what only the second has. Premises that go together meet
in a small hub, and what attacks a relation ends on the relation's hub.
"""

from __future__ import annotations

import json
import textwrap
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from networkx.utils import UnionFind

from aifgraph.errors import AifgraphError
from aifgraph.graph.nodes import RELATIONS
from aifgraph.report.graphviz import Point, arc, bounded, render
from aifgraph.report.html.sentences import VERBS, NodeNumber, shorten

if TYPE_CHECKING:
    from aifgraph.report.html.page import Page

#: Points: letters of 12 pt, lines, what surrounds the text of a box, a hub, between boxes.
LETTER, LINE, PAD, HUB, GAP = 6.3, 15, 8, 9, 18
#: Letters of a line, and lines of a box.
WIDTH, LINES = 28, 7


@dataclass
class Box:
    """A claim: lines of text, each with the side that alone has them so ("" for both)."""

    lines: list[tuple[str, str]]
    sides: set[int]
    speaker: str = ""
    card: int = 0
    note: str = ""

    @property
    def width(self) -> float:
        rows = [*(line for line, _ in self.lines), self.speaker + (self.note and f"   {self.note}")]
        return max(70.0, max(map(len, rows)) * LETTER + 2 * PAD)

    @property
    def height(self) -> float:
        return (len(self.lines) + bool(self.speaker or self.note)) * LINE + 2 * PAD - 4


@dataclass
class Arrow:
    """A line of a relation. One that ends in a ``hub`` of its own has no head."""

    kind: str
    sides: set[int] = field(default_factory=set)
    cards: set[int] = field(default_factory=set)
    label: str = ""
    head: bool = True


class ArgumentMap:
    """The boxes and arrows of a pair, by the names that Graphviz gets: ``p3`` for a class of claims, ``m0_17`` for a
    hub of a relation of the first side."""

    def __init__(self, pair: Page) -> None:
        self.pair = pair
        self.arrows: dict[tuple[str, str, str], Arrow] = {}
        self.relations()
        self.labels()
        used = {end for source, target, _ in self.arrows for end in (source, target)}
        alone = {f"p{n}" for card in pair.cards if card.group == "propositions" for n in card.classes}
        self.boxes = {name: self.box(int(name[1:])) for name in sorted(used | alone) if name[0] == "p"}
        self.hubs = sorted(name for name in used if name[0] == "m")

    def relations(self) -> None:
        pair = self.pair
        partner = {(0, one): (1, other) for one, other in pair.differences.pairs.items()}
        partner |= {other: one for one, other in partner.items()}
        ends: dict[NodeNumber, tuple[list[int], list[int]]] = {}
        claimed: defaultdict[Any, set[int]] = defaultdict(set)
        for side, analysis in enumerate(pair.sides):
            for node, kind in enumerate(analysis.kinds):
                if kind in RELATIONS:
                    starts, goals = (self.one_a_class(side, nodes) for nodes in pair.ends(side, node))
                    if starts and goals:
                        ends[side, node] = starts, goals
                        for start in starts:
                            for goal in goals:
                                claimed[kind, pair.claims[side][start], pair.claims[side].get(goal)].add(side)
        attacked = {(side, goal) for (side, _), (_, goals) in ends.items() for goal in goals if (side, goal) in ends}
        with_hub = attacked | {node for node, (starts, goals) in ends.items() if len(starts) > 1 or len(goals) > 1}

        def same(node: NodeNumber, other: NodeNumber, which: int) -> bool:
            """Whether two relations start from the same claims, or lead to the same."""
            one, two = ({pair.claims[n[0]].get(end) for end in ends[n][which]} for n in (node, other))
            return one == two

        def hub(node: NodeNumber) -> str | None:
            """The hub of a relation, one for two that stand for each other; None where an arrow does."""
            other = partner.get(node)
            if (
                other not in ends
                or pair.kind(other) != pair.kind(node)
                or not any(same(node, other, n) for n in (0, 1))
            ):
                other = node
            return "m{}_{}".format(*min(node, other)) if {node, other} & with_hub else None

        for relation, (starts, goals) in ends.items():
            side, kind = relation[0], pair.kind(relation)
            sources = [f"p{pair.claims[side][start]}" for start in starts]
            targets = [hub((side, g)) if (side, g) in ends else f"p{pair.claims[side].get(g)}" for g in goals]
            middle = hub(relation)
            both = {
                (s, t): claimed[kind, pair.claims[side][s], pair.claims[side][t]] if t in pair.claims[side] else {side}
                for s in starts
                for t in goals
            }
            links = list(zip(starts, sources, strict=True)), list(zip(goals, targets, strict=True))
            if middle is None:
                self.add(relation, sources[0], targets[0], both[starts[0], goals[0]])
                continue
            for start, source in links[0]:
                self.add(relation, source, middle, set.union(*(both[start, goal] for goal in goals)), head=False)
            for goal, target in links[1]:
                self.add(relation, middle, target, set.union(*(both[start, goal] for start in starts)))
        # A relation of its own that another one, of joined premises, says as well is drawn once.
        goals_of: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for source, target, kind in self.arrows:
            goals_of[source, kind].append(target)
        joined = {(s, goal, k) for s, t, k in self.arrows if t[0] == "m" for goal in goals_of[t, k]}
        for key in [key for key, arrow in self.arrows.items() if key in joined and len(arrow.sides) == 2]:
            del self.arrows[key]

    def one_a_class(self, side: int, nodes: Sequence[int]) -> list[int]:
        """Nodes of which none is a part of another one's claim."""
        return list({self.pair.claims[side].get(node, f"S{node}"): node for node in nodes}.values())

    def add(self, node: NodeNumber, source: str, target: str | None, claimed: set[int], *, head: bool = True) -> None:
        if target is None or target == "pNone":
            return
        kind = self.pair.kind(node)
        arrow = self.arrows.setdefault((source, target, kind), Arrow(kind, head=head))
        arrow.sides |= {node[0]} | claimed
        if (row := self.pair.row_of.get(node)) and row.id in self.pair.number_of:
            arrow.cards.add(self.pair.number_of[row.id])

    def labels(self) -> None:
        """Name the side and the card of every arrow that differs, once a relation."""
        onwards = {(source, *arrow.sides) for (source, _, _), arrow in self.arrows.items()}
        for (_, target, kind), arrow in self.arrows.items():
            said_behind_hub = target[0] == "m" and (target, *arrow.sides) in onwards
            if len(arrow.sides) == 1 and arrow.cards and not said_behind_hub:
                arrow.label = f"{min(arrow.cards)} {self.pair.short_names[min(arrow.sides)]}: {VERBS[kind]}"

    def box(self, number: int) -> Box:
        pair, (first, second) = self.pair, self.pair.alignment.propositions.classes[number][:2]
        sides = {side for side, nodes in enumerate((first, second)) if nodes}
        rows = [pair.row_of[s, n] for s, nodes in enumerate((first, second)) for n in nodes if (s, n) in pair.row_of]
        row = next((row for row in rows if row.group == "propositions" and row.kind != "reworded"), None)
        who = {name for s, nodes in enumerate((first, second)) for n in nodes for name in self.speakers(s, n)}
        box = Box([], sides, shorten(", ".join(sorted(who)), 26), pair.number_of.get(row.id, 0) if row else 0)
        if row and len(sides) == 2:
            for side, nodes in enumerate((first, second)):
                text = " ¦ ".join(pair.text(side, node) for node in nodes)
                box.lines += [(line, str(side)) for line in wrap(f"{pair.short_names[side]}: {text}", LINES - 2)]
            box.note = f"{box.card} cut differently"
        else:
            side = min(sides)
            box.lines = [(line, "") for line in wrap(" ¦ ".join(pair.text(side, n) for n in (first, second)[side]))]
            box.note = f"{box.card} only {pair.short_names[side]}" if row and len(sides) == 1 else ""
        return box

    def speakers(self, side: int, node: int) -> set[str]:
        return self.pair.speakers(side, node) if self.pair.several_speakers else set()

    # -- layout and drawing ------------------------------------------------------------------------------------------

    def drawn(self) -> dict[str, str]:
        """The ``svg``, and its ``shape``: wide or high; or ``why`` there is none. Parts that nothing joins stand beside
        each other."""
        parts = UnionFind([*self.boxes, *self.hubs])
        for source, target, _ in self.arrows:
            parts.union(source, target)
        try:
            drawn = [self.part(sorted(names)) for names in parts.to_sets()]
        except AifgraphError as error:  # no Graphviz, or too much for it
            return {"svg": "", "shape": "high", "why": error.what}
        drawn.sort(key=lambda part: (-part[1], -part[0]))
        area = sum((w + GAP) * (h + GAP) for w, h, _ in drawn)
        wide = max([w for w, _, _ in drawn] + [(1.3 * area) ** 0.5])
        x = y = row = width = 0.0
        out = []
        for w, h, content in drawn:
            if x and x + w > wide:
                x, y, row = 0.0, y + row + GAP, 0.0
            out.append(f'<g transform="translate({x + 4:.0f} {y + 4:.0f})">{content}</g>')
            x, row, width = x + w + GAP, max(row, h), max(width, x + w)
        across, down = f"{width + 8:.0f}", f"{y + row + 8:.0f}"
        size = f'viewBox="0 0 {across} {down}" data-w="{across}" data-h="{down}"'
        says = 'role="group" aria-label="Argument map of both analyses"'
        return {
            "svg": Markup(f"<svg {size} {says}>{MARKERS}{''.join(out)}</svg>"),
            "why": "",
            "shape": "wide" if width > 1.1 * (y + row) else "high",
        }

    def part(self, names: Sequence[str]) -> tuple[float, float, str]:
        """Width, height and drawing of boxes and hubs that hang together."""
        if len(names) == 1 and not any(names[0] in key for key in self.arrows):
            box = self.boxes[names[0]]
            return box.width, box.height, self.drawn_box(names[0], 0, 0)
        inside = set(names)
        own = {key: arrow for key, arrow in self.arrows.items() if key[0] in inside}
        near, far, attributes = bounded(names, own)
        lines = ['digraph{rankdir=BT;nodesep=.2;ranksep=.32;node[shape=box,fixedsize=true,label=""];'
                 "edge[fontsize=10,fontname=Helvetica,arrowsize=.7];"]  # fmt: skip
        sizes = {n: (self.boxes[n].width, self.boxes[n].height) if n in self.boxes else (HUB, HUB) for n in names}
        lines += [f"{name}[width={w / 72:.3f},height={h / 72:.3f}];" for name, (w, h) in sizes.items()]
        for source, target, kind in near:
            arrow = own[source, target, kind]
            more = f'label="{"x" * (len(arrow.label) + 1)}",' if arrow.label else ""
            lines.append(f'{source}->{target}[{more}class="{kind}"{"" if arrow.head else ",dir=none"}];')
        answer = json.loads(render("".join([*lines, "}"]), "dot", "json0", attributes))
        _, _, width, height = map(float, answer["bb"].split(","))
        called = {each["_gvid"]: each["name"] for each in answer["objects"]}
        boxes, arrows, labels = [], [], []
        places: dict[str, tuple[float, float, float, float]] = {}
        for each in answer["objects"]:
            x, y = map(float, each["pos"].split(","))
            w, h = sizes[each["name"]]
            places[each["name"]] = (x - w / 2, height - y - h / 2, w, h)
            boxes.append(self.drawn_box(each["name"], x, height - y, centred=True))
        for each in answer.get("edges", ()):
            arrow = own[called[each["tail"]], called[each["head"]], each["class"]]
            arrows.append(drawn_arrow(arrow, *points_of(each["pos"], height)))
            if arrow.label:
                x, y = map(float, each["lp"].split(","))
                labels.append(drawn_label(arrow, x, height - y))
        for key in far:
            arrow, points = own[key], arc(places[key[0]], places[key[1]])
            arrows.append(drawn_arrow(arrow, points))
            width = max(width, points[1][0])
            if arrow.label:
                labels.append(drawn_label(arrow, 0.75 * points[1][0], (points[1][1] + points[2][1]) / 2))
        return width, height, "".join(arrows + boxes + labels)

    def drawn_box(self, name: str, x: float, y: float, *, centred: bool = False) -> str:
        if name not in self.boxes:
            kind = next(kind for source, target, kind in self.arrows if source == name)
            return f'<circle class="h {kind}" cx="{x:.0f}" cy="{y:.0f}" r="{HUB / 2}"/>'
        box = self.boxes[name]
        left, top = (x - box.width / 2, y - box.height / 2) if centred else (x, y)
        style = style_of(box.sides)
        out = [f'<rect x="{left:.0f}" y="{top:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="3"/>']
        at = top + PAD + 9
        if box.speaker or box.note:
            note = f'<tspan class="note" dx="{6 * bool(box.speaker)}">{escape(box.note)}</tspan>' if box.note else ""
            out.append(f'<text class="who" x="{left + PAD:.0f}" y="{at:.0f}">{escape(box.speaker)}{note}</text>')
            at += LINE
        for line, side in box.lines:
            mark = f' class="s{side}"' if side else ""
            out.append(f'<text{mark} x="{left + PAD:.0f}" y="{at:.0f}">{escape(line)}</text>')
            at += LINE
        return f'<g class="b {style}" data-p="{name[1:]}"{cards({box.card} - {0})}>{"".join(out)}</g>'


def points_of(pos: str, height: float) -> tuple[list[Point], Point | None]:
    """The points of a Bézier curve as Graphviz gives them, and the tip of its arrow."""
    tip, points = None, []
    for word in pos.split():
        x, y = map(float, word.removeprefix("e,").split(","))
        if word.startswith("e,"):
            tip = x, height - y
        else:
            points.append((x, height - y))
    return points, tip


def drawn_arrow(arrow: Arrow, points: Sequence[Point], tip: Point | None = None) -> str:
    start, *more = (f"{x:.0f} {y:.0f}" for x, y in points)
    path = f"M{start}C{' '.join(more)}" + (f"L{tip[0]:.0f} {tip[1]:.0f}" if tip else "")
    marker = f' marker-end="url(#{arrow.kind})"' if arrow.head else ""
    return f'<path class="e {arrow.kind} {style_of(arrow.sides)}"{cards(arrow.cards)} d="{path}"{marker}/>'


def drawn_label(arrow: Arrow, x: float, y: float) -> str:
    width, card = len(arrow.label) * 5.3 + 10, min(arrow.cards)
    style = style_of(arrow.sides)
    return (f'<a class="l {arrow.kind} {style}" href="#c{card}"{cards(arrow.cards)}>'
            f'<rect x="{x - width / 2:.0f}" y="{y - 8:.0f}" width="{width:.0f}" height="16" rx="8"/>'
            f'<text x="{x:.0f}" y="{y + 3.5:.0f}">{escape(arrow.label)}</text></a>')  # fmt: skip


def cards(numbers: set[int]) -> str:
    return f' data-c="{" ".join(map(str, sorted(numbers)))}"' if numbers else ""


def wrap(text: str, most: int = LINES) -> list[str]:
    """Lines of about the same length, at most so many."""
    if not text:
        return ["–"]
    even = len(text) // -(-len(text) // WIDTH) + 4
    return textwrap.wrap(text, max(18, min(WIDTH, even)), max_lines=most, placeholder=" …")


def style_of(sides: set[int]) -> str:
    """The class of what only the first has, only the second, or both."""
    return "all" if len(sides) == 2 else "two" if 1 in sides else "one"


#: The ends of arrows by type of relation: width, height, where the line meets it, shape.
HEADS = {
    "RA": (10, 8, 9, "M0 0L10 5L0 10z"),
    "CA": (10, 10, 9, "M2 0L4 0L4 4L10 4L10 6L4 6L4 10L2 10zM8 0L10 0L10 10L8 10z"),
    "MA": (11, 9, 9, "M0 5L5 0L10 5L5 10z"),
    "PA": (9, 9, 9, "M0 0L2 0L10 5L2 10L0 10L7 5z"),
}
MARKERS = "".join(
    f'<marker id="{kind}" viewBox="0 0 10 10" refX="{meets}" refY="5" markerWidth="{w}" markerHeight="{h}" '
    f'orient="auto" markerUnits="userSpaceOnUse"><path class="m {kind}" d="{shape}"/></marker>'
    for kind, (w, h, meets, shape) in HEADS.items()
)
