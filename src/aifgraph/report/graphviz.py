"""Layouts by Graphviz, which pygraphviz carries in its wheels.

What comes from a map may be hostile: layouts are of sizes and links alone, never of texts, and bounded by their number.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate
from math import ceil, sqrt
from typing import Final

from networkx.utils import UnionFind

from aifgraph.errors import LimitError, MissingExtraError, OptionError

#: Boxes and links of one component that are laid out.
MAX_SIZE: Final = 16_000
#: From so many boxes and links on Graphviz's search for the best places is cut short. Measured with 1 000 propositions
#: and 1 300 relations of them: 10 s without, 1.1 s with, the lines as long and a tenth fewer boxes above each other.
_LARGE: Final = 600
#: Routing a link costs about the square of the rows of boxes that it passes. Where the sum of these squares is above
#: the first number, only the shortest links, up to the second, are laid out, and the others drawn as arcs. Measured
#: with a dialogue whose turns answer the one before and one half as far on: 140 turns 8 s without, 0.4 s with; 600
#: minutes without, 2 s with. Real maps have sums of up to 2 100.
_TANGLED: Final = 80_000
_KEPT: Final = 10_000
#: The search for the best places in a row costs about the square of its boxes, and cut short it is of no use: from so
#: many boxes on, boxes stand as far left as they can. Measured with 3 000 premises of one claim: 21 s without, 2 s
#: with, the links a quarter longer.
_WIDE: Final = 1_000
#: Links to one box side by side; further ones start lower, so that no row gets too wide. Not for more than the second.
_SIDE_BY_SIDE: Final = 6
_MAX_LOWERED: Final = 120
#: How far arcs reach beyond the boxes that they join, for each point of their height and at most.
_BOW: Final = 0.3
_WIDEST_BOW: Final = 600.0
#: Points of an inch, and between parts that nothing joins.
INCH: Final = 72
_GAP: Final = 18.0
#: Room for a label. Without a text in it no layout depends on the fonts of a machine.
_SPACE: Final = '<<table border="0" fixedsize="true" width="{:.0f}" height="16"><tr><td></td></tr></table>>'

Point = tuple[float, float]
Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two boxes, with the width of its label, and whether it ends in an arrowhead."""

    source: str
    target: str
    label: float = 0.0
    head: bool = True


@dataclass(frozen=True, slots=True)
class Curve:
    """Control points of Bézier curves, the tip of the arrowhead, and the centre of the label."""

    points: Sequence[Point]
    tip: Point | None = None
    label: Point | None = None

    def moved(self, x: float, y: float) -> Curve:
        tip, label = (place and (place[0] + x, place[1] + y) for place in (self.tip, self.label))
        return Curve([(left + x, top + y) for left, top in self.points], tip, label)


@dataclass
class Layout:
    """Centres of boxes by name, and curves by the number of their link, in points from the upper left corner."""

    width: float
    height: float
    boxes: dict[str, Point]
    curves: dict[int, Curve]


def installed() -> bool:
    """Say whether pygraphviz is installed.

    >>> installed()
    True
    """
    return find_spec("pygraphviz") is not None


def parts(names: Sequence[str], links: Sequence[Link]) -> list[set[str]]:
    """Return the sets of boxes that hang together, the largest first."""
    joined = UnionFind(names)
    for link in links:
        joined.union(link.source, link.target)
    return sorted(map(set, joined.to_sets()), key=len, reverse=True)


def lay_out(sizes: Mapping[str, Size], links: Sequence[Link]) -> Layout:
    """Lay out boxes and links, conclusions on top; parts that nothing joins stand beside and above each other.

    Raises:
        LimitError: more than 16 000 boxes and links hang together.
        MissingExtraError: pygraphviz is not installed.
    """
    part_of = {name: number for number, part in enumerate(parts([*sizes], links)) for name in part}
    boxes: defaultdict[int, dict[str, Size]] = defaultdict(dict)
    inside: defaultdict[int, dict[int, Link]] = defaultdict(dict)
    for name, size in sizes.items():
        boxes[part_of[name]][name] = size
    for number, link in enumerate(links):
        inside[part_of[link.source]][number] = link
    layouts = [_part(own, inside[part]) for part, own in boxes.items()]
    layouts.sort(key=lambda part: (-part.height, -part.width))
    area = sum((part.width + _GAP) * (part.height + _GAP) for part in layouts)
    widest = max([part.width for part in layouts] + [sqrt(1.3 * area)])
    packed = Layout(0.0, 0.0, {}, {})
    x = y = row = 0.0
    for part in layouts:
        if x and x + part.width > widest:
            x, y, row = 0.0, y + row + _GAP, 0.0
        packed.boxes |= {name: (left + x + 4, top + y + 4) for name, (left, top) in part.boxes.items()}
        packed.curves |= {number: curve.moved(x + 4, y + 4) for number, curve in part.curves.items()}
        x, row = x + part.width + _GAP, max(row, part.height)
        packed.width = max(packed.width, x - _GAP + 8)
    packed.height = y + row + 8
    return packed


def _part(sizes: Mapping[str, Size], links: Mapping[int, Link]) -> Layout:
    """Lay out boxes that hang together."""
    if len(sizes) == 1 and not links:
        [(name, (width, height))] = sizes.items()
        return Layout(width, height, {name: (width / 2, height / 2)}, {})
    if len(sizes) + len(links) > MAX_SIZE:
        raise LimitError(f"{len(sizes)} boxes that hang together by {len(links)} lines are too many to lay out")
    levels = dict(_levels(links))
    near, limits = _bounded(sizes, links, levels)
    dot = [
        'digraph{rankdir=BT;nodesep=.2;ranksep=.32;node[shape=box,fixedsize=true,label=""];edge[arrowsize=.7];',
        *(f"{name}[width={w / INCH:.3f},height={h / INCH:.3f}];" for name, (w, h) in sizes.items()),
    ]
    for number in near:
        link = links[number]
        label = f"label={_SPACE.format(link.label)}," if link.label else ""
        lowered = f"minlen={levels[number]},weight=0" if number in levels else "minlen=1"
        more = f"{label}{lowered}{'' if link.head else ',dir=none'}"
        dot.append(f'{link.source}->{link.target}[{more},class="{number}"];')
    placed = json.loads(render("".join([*dot, "}"]), "dot", "json0", limits))
    _, _, width, height = map(float, placed["bb"].split(","))
    layout = Layout(width, height, {}, {})
    for item in placed["objects"]:
        layout.boxes[item["name"]] = _point(item["pos"], height)
    for item in placed.get("edges", ()):
        layout.curves[int(item["class"])] = _curve(item, height)
    for number in links.keys() - layout.curves.keys():
        link = links[number]
        arc = _arc(layout.boxes[link.source], sizes[link.source], layout.boxes[link.target], sizes[link.target])
        layout.curves[number] = arc
        layout.width = max(layout.width, arc.points[1][0])
    return layout


def _point(words: str, height: float) -> Point:
    x, y = map(float, words.split(","))
    return x, height - y


def _curve(edge: Mapping[str, str], height: float) -> Curve:
    words = edge["pos"].split()
    tips = [_point(word[2:], height) for word in words if word.startswith("e,")]
    points = [_point(word, height) for word in words if not word.startswith("e,")]
    return Curve(points, tips[0] if tips else None, _point(edge["lp"], height) if "lp" in edge else None)


def _arc(source: Point, source_size: Size, target: Point, target_size: Size) -> Curve:
    """Return a line from the right side of one box to the right side of another, bent outwards."""
    x, to_x = source[0] + source_size[0] / 2, target[0] + target_size[0] / 2
    bow = max(x, to_x) + min(_WIDEST_BOW, _BOW * abs(source[1] - target[1]) + INCH / 2)
    points = [(x, source[1]), (bow, source[1]), (bow, target[1]), (to_x, target[1])]
    return Curve(points, None, (0.75 * bow, (source[1] + target[1]) / 2))


def _levels(links: Mapping[int, Link]) -> Iterator[tuple[int, int]]:
    """Yield how many rows links have to pass at least, where more than six lead to one box."""
    to: defaultdict[str, list[int]] = defaultdict(list)
    for number, link in links.items():
        to[link.target].append(number)
    for numbers in to.values():
        if _SIDE_BY_SIDE < len(numbers) <= _MAX_LOWERED:
            beside = max(_SIDE_BY_SIDE, ceil(sqrt(len(numbers))))
            yield from ((number, 1 + place // beside) for place, number in enumerate(numbers))


def _bounded(
    sizes: Mapping[str, Size], links: Mapping[int, Link], levels: Mapping[int, int]
) -> tuple[Sequence[int], dict[str, str]]:
    """Return the numbers of the links that Graphviz can route in time, and the attributes that cut its work short."""
    if len(links) < _TANGLED ** (1 / 3):  # none passes more rows than there are others
        return [*links], {}
    lines = [f"{name};" for name in sizes]
    lines += [f"{link.source}->{link.target}[minlen={levels.get(n, 1)}];" for n, link in links.items()]
    placed = json.loads(render(f"digraph{{{''.join(lines)}}}", "dot", "json0", {"phase": "1"}))
    rows = {item["name"]: int(item["rank"]) for item in placed["objects"]}
    costs = {n: (rows[link.source] - rows[link.target]) ** 2 for n, link in links.items()}
    near: Sequence[int] = [*links]
    if sum(costs.values()) > _TANGLED:
        near = sorted(links, key=costs.__getitem__)
        near = sorted(n for n, total in zip(near, accumulate(costs[n] for n in near), strict=True) if total <= _KEPT)
    if max(Counter(rows.values()).values()) > _WIDE:
        return near, {"nslimit": "0", "mclimit": "0.1"}
    if len(near) < len(links):
        return near, {"nslimit": "2", "mclimit": "0.1"}
    return near, {"nslimit": "0.1", "mclimit": "0.1"} if len(sizes) + len(links) > _LARGE else {}


def render(dot: str, engine: str, format: str, attributes: Mapping[str, str] | None = None) -> bytes:
    """Return what an engine of Graphviz makes of a graph with these attributes.

    Raises:
        MissingExtraError: pygraphviz is not installed.
        OptionError: Graphviz cannot read or draw it.

    >>> render("digraph { a -> b }", "dot", "plain").split()[0]
    b'graph'
    """
    try:
        import pygraphviz
        from pygraphviz import graphviz
    except ImportError:
        raise MissingExtraError(
            "pygraphviz is not installed, and without its Graphviz only .dot and .mmd are drawn",
            remedy="pip install 'pygraphviz>=2.0', or write map.dot or map.mmd",
        ) from None
    try:
        graph = pygraphviz.AGraph(string=dot)
    except ValueError as error:  # a DotError is one
        raise OptionError(f"Graphviz could not read this: {error}") from None
    graph.graph_attr.update(attributes or {})
    context = graphviz.gvContextWithBuiltins()
    try:
        failed = graphviz.gvLayout(context, graph.handle, engine.encode())
        more, data = (1, b"") if failed else graphviz.gvRenderData(context, graph.handle, format.encode())
        graphviz.gvFreeLayout(context, graph.handle)
    finally:
        graphviz.gvFreeContext(context)
        graph.close()
    if failed or more:
        raise OptionError("Graphviz could not draw this")
    return bytes(data)
