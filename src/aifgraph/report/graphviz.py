"""Graphviz as a library: pygraphviz carries it in its wheels.

What comes from a map may be hostile. Layouts are of sizes and links alone, bounded by their number; pictures, which
hold texts, are made in a process of their own that is stopped when it takes too long.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Final

from aifgraph.errors import LimitError, MissingExtraError, OptionError
from aifgraph.printable import printable

#: Seconds that a picture may take.
TIMEOUT: Final = 120
#: Boxes and lines of one component that are laid out.
MAX_SIZE: Final = 16_000
#: From so many boxes and lines on Graphviz's search for the best places is cut short. Measured with 1 000 propositions
#: and 1 300 relations of them: 10 s without, 1.1 s with, the lines as long and a tenth fewer boxes above each other.
_LARGE: Final = 600
_BOUNDS: Final = {"nslimit": "0.1", "mclimit": "0.1"}
#: Routing a line costs about the square of the rows of boxes that it passes. Where the sum of these squares is above
#: the first number, only the shortest lines, up to the second, are laid out, and the others drawn as arcs. Measured
#: with a dialogue whose turns answer the one before and one half as far on: 140 turns 8 s without, 0.4 s with; 600
#: minutes without, 2 s with. Real maps have sums of up to 2 100.
_TANGLED: Final = 80_000
_KEPT: Final = 10_000
_UNTANGLED: Final = {"nslimit": "2", "mclimit": "0.1"}
#: The search for the best places in a row costs about the square of its boxes, and cut short it is of no use: from so
#: many boxes on, boxes stand as far left as they can. Measured with 3 000 premises of one claim: 21 s without, 2 s
#: with, the lines a quarter longer.
_WIDE: Final = 1_000
_UNSEARCHED: Final = {"nslimit": "0", "mclimit": "0.1"}
#: How far arcs reach beyond the boxes that they join, for each point of their height and at most.
_BOW: Final = 0.3
_WIDEST_BOW: Final = 600.0
#: Conclusions on top, in inches between boxes beside and above each other.
SPACING: Final = {"rankdir": "BT", "nodesep": "0.2", "ranksep": "0.3"}
#: Points of an inch.
_INCH: Final = 72
_PROGRAM: Final = "from aifgraph.report.graphviz import _draw; _draw()"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Laid:
    """Places of boxes (their upper left corners) and lines as Bézier curves: a start and three points for each piece.

    The origin is above and left of everything.
    """

    places: Mapping[int, Point]
    curves: Mapping[tuple[int, int], Sequence[Point]]
    width: float
    height: float


def installed() -> bool:
    """Whether there is a Graphviz to ask.

    >>> installed()
    True
    """
    return find_spec("pygraphviz") is not None


def bounds(size: int) -> dict[str, str]:
    """What cuts the work on a graph of so many boxes and lines short, as attributes of Graphviz.

    >>> bounds(50), bounds(5000)
    ({}, {'nslimit': '0.1', 'mclimit': '0.1'})
    """
    return _BOUNDS if size > _LARGE else {}


def lay_out(
    sizes: Mapping[int, tuple[float, float]], links: Sequence[tuple[int, int]], direction: str = SPACING["rankdir"]
) -> Laid:
    """Places for boxes of these sizes that these links join, sources below what they lead to (or in another of
    Graphviz's directions, ``LR`` for left of it).

    Raises:
        LimitError: more than 16 000 boxes and links.
        MissingExtraError: pygraphviz is not installed.

    >>> laid = lay_out({0: (220, 44), 1: (220, 62)}, [(1, 0)])
    >>> laid.places[0][1] < laid.places[1][1], laid.width
    (True, 220.0)
    """
    if len(sizes) + len(links) > MAX_SIZE:
        raise LimitError(
            f"{len(sizes)} boxes that hang together by {len(links)} lines are not laid out: more than {MAX_SIZE}",
            remedy="the lists and tables show all of them",
        )
    if row := _row(sizes, links, direction):
        return row
    rows = _rows(sizes, links)
    near, far = _untangled(rows, links)
    alone = {end for link in far for end in link}
    lines = ['digraph{edge[dir=none];node[shape=box,fixedsize=true,label=""];']
    lines += [f"{number}[width={w / _INCH:.4f},height={h / _INCH:.4f}];" for number, (w, h) in sizes.items()]
    # What has lost a line stands beside what it still hangs on, and the others above each other.
    lines += [
        f"{source}->{target}{'[weight=3]' if far and alone.isdisjoint((source, target)) else ''};"
        for source, target in near
    ]
    bounded = _UNTANGLED if far else bounds(len(sizes) + len(links))
    if max(Counter(rows.values()).values(), default=0) > _WIDE:
        bounded = _UNSEARCHED
    graph = SPACING | bounded | {"rankdir": direction}
    answer = json.loads(render("".join([*lines, "}"]), "dot", "json0", graph))
    _, _, width, top = map(float, answer["bb"].split(","))
    names = {each["_gvid"]: int(each["name"]) for each in answer["objects"]}
    places = {}
    for each in answer["objects"]:
        number = int(each["name"])
        x, y = map(float, each["pos"].split(","))
        places[number] = x - sizes[number][0] / 2, top - y - sizes[number][1] / 2
    curves: dict[tuple[int, int], Sequence[Point]] = {}
    for each in answer.get("edges", ()):
        points = [tuple(map(float, point.split(","))) for point in each["pos"].split()]
        curves[names[each["tail"]], names[each["head"]]] = [(x, top - y) for x, y in points]
    curves |= {link: _arc(*((*places[end], *sizes[end]) for end in link)) for link in far}
    width = max([width, *(x for link in far for x, _ in curves[link])])
    return Laid(places, curves, width, top)


def _row(sizes: Mapping[int, tuple[float, float]], links: Sequence[tuple[int, int]], direction: str) -> Laid | None:
    """Boxes that follow each other, or that nothing joins, as Graphviz places them, without the start of its engine."""
    after = dict(links)
    order = list(sizes)
    if links:
        starts = sizes.keys() - after.values()
        if len(starts) != 1 or len(after) != len(links) or len(links) != len(sizes) - 1:
            return None
        order = [*starts]
        while order[-1] in after and len(order) < len(sizes):
            order.append(after[order[-1]])
        if len(order) != len(sizes):
            return None
    across = direction == "LR" or not links
    gap = float(SPACING["ranksep" if links else "nodesep"]) * _INCH
    thick = float(max(sizes[number][across] for number in order))
    places: dict[int, Point] = {}
    at = 0.0
    for number in order if across else reversed(order):
        w, h = sizes[number]
        places[number] = (at, (thick - h) / 2) if across else ((thick - w) / 2, at)
        at += (w if across else h) + gap
    curves = {}
    for source, target in after.items():
        if across:
            ends = (places[source][0] + sizes[source][0], thick / 2), (places[target][0], thick / 2)
        else:
            ends = (thick / 2, places[source][1]), (thick / 2, places[target][1] + sizes[target][1])
        (x, y), (to_x, to_y) = ends
        curves[source, target] = [(x + (to_x - x) * part / 3, y + (to_y - y) * part / 3) for part in range(4)]
    width, height = (at - gap, thick) if across else (thick, at - gap)
    return Laid(places, curves, width, height)


def _rows(sizes: Mapping[int, Any], links: Sequence[tuple[int, int]]) -> Mapping[int, int]:
    """The row that Graphviz puts each box into; none where there are too few links for that to matter."""
    if len(links) < _TANGLED ** (1 / 3):  # none passes more rows than there are others
        return {}
    lines = [f"{number};" for number in sizes] + [f"{source}->{target};" for source, target in links]
    answer = json.loads(render(f"digraph{{{''.join(lines)}}}", "dot", "json0", {"phase": "1"}))
    return {int(each["name"]): int(each["rank"]) for each in answer["objects"]}


def _untangled(
    rows: Mapping[int, int], links: Sequence[tuple[int, int]]
) -> tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]:
    """The links that Graphviz can route in time, and those that pass too many rows of boxes for that."""
    if not rows:
        return links, ()
    passed = [abs(rows[source] - rows[target]) for source, target in links]
    if sum(rows * rows for rows in passed) <= _TANGLED:
        return links, ()
    used, near = 0, set()
    for at in sorted(range(len(links)), key=passed.__getitem__):
        used += passed[at] ** 2
        if used > _KEPT:
            break
        near.add(at)
    kept = [link for at, link in enumerate(links) if at in near]
    return kept, [link for at, link in enumerate(links) if at not in near]


def _arc(source: Sequence[float], target: Sequence[float]) -> list[Point]:
    """A line from the right side of one box to the right side of another, bent outwards."""
    (x, y), (to_x, to_y) = ((left + w, top + h / 2) for left, top, w, h in (source, target))
    bow = max(x, to_x) + min(_WIDEST_BOW, _BOW * abs(y - to_y) + _INCH / 2)
    return [(x, y), (bow, y), (bow, to_y), (to_x, to_y)]


def render(dot: str, engine: str, format: str, attributes: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """What an engine of Graphviz makes of a graph with these attributes, in this process.

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
        raise OptionError(f"Graphviz could not read this: {error}", remedy="write map.dot and look at it") from None
    graph.graph_attr.update(attributes)
    context = graphviz.gvContextWithBuiltins()
    try:
        failed = graphviz.gvLayout(context, graph.handle, engine.encode())
        more, data = (1, b"") if failed else graphviz.gvRenderData(context, graph.handle, format.encode())
        graphviz.gvFreeLayout(context, graph.handle)
    finally:
        graphviz.gvFreeContext(context)
        graph.close()
    if failed or more:
        raise OptionError("Graphviz could not draw this", remedy="write map.dot and look at it")
    return bytes(data)


def picture(
    dot: str, engine: str, format: str, attributes: Mapping[str, str] = MappingProxyType({})
) -> tuple[bytes, tuple[str, ...]]:
    """The same in a process of its own, which gets the graph on its standard input, and what Graphviz says of it.

    Raises:
        MissingExtraError: pygraphviz is not installed.
        LimitError: it takes longer than two minutes.
        OptionError: Graphviz cannot draw it.

    >>> picture("digraph { a -> b }", "dot", "svg")[0][:5]
    b'<?xml'
    """
    if not installed():
        render("", engine, format)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM, engine, format, json.dumps(dict(attributes))],
            input=dot.encode("utf-8", "replace"),
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        remedy = "draw the argument view, or a part of the map (--part)"
        raise LimitError(f"Graphviz took longer than {TIMEOUT} seconds", remedy=remedy) from None
    lines = [printable(line).strip() for line in done.stderr.decode("utf-8", "replace").splitlines()]
    # How this machine's fonts are configured is nothing that a map is to blame for.
    lines = [line for line in lines if line and not line.startswith("Fontconfig ")]
    said = tuple(dict.fromkeys(line.removeprefix("Warning: ") for line in lines))
    if done.returncode or not done.stdout:
        message = "; ".join(said[-3:]) or f"exit code {done.returncode}"
        raise OptionError(f"Graphviz could not draw this: {message}", remedy="write map.dot and look at it")
    return done.stdout, said


def _draw() -> None:
    """The program of that process."""
    engine, format, attributes = sys.argv[1:]
    sys.stdout.buffer.write(render(sys.stdin.buffer.read().decode("utf-8"), engine, format, json.loads(attributes)))
