"""Drawings as pictures: SVG for pages and notebooks; PNG and PDF, which Graphviz makes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import ceil, sqrt
from os import PathLike
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape
from networkx.utils import UnionFind

from aifgraph.comparison.comparison import Comparison
from aifgraph.errors import OptionError, choose_from
from aifgraph.files import write_atomic
from aifgraph.graph import ArgumentGraph
from aifgraph.report.drawing import HUB, LINE, PAD, Arrow, Box, Drawing, MapView, draw_graph, draw_pair
from aifgraph.report.graphviz import render
from aifgraph.report.html import static
from aifgraph.report.sentences import Pair, clean_text

FORMATS: Final = ("svg", "png", "pdf")
#: Points of an inch.
INCH: Final = 72
#: Room for a label.
_SPACE: Final = '<<table border="0" fixedsize="true" width="{:.0f}" height="16"><tr><td></td></tr></table>>'
#: Arrows to one box of which not all start in one row.
_MAX_LOWERED: Final = 120
#: Type → the end of an arrow: its width, height, where the line meets it, shape in SVG; name in DOT.
_HEADS: Final = {
    "RA": (10, 8, 9, "M0 0L10 5L0 10z", "normal"),
    "CA": (10, 10, 9, "M2 0L4 0L4 4L10 4L10 6L4 6L4 10L2 10zM8 0L10 0L10 10L8 10z", "teetee"),
    "MA": (11, 9, 9, "M0 5L5 0L10 5L5 10z", "diamond"),
    "PA": (9, 9, 9, "M0 0L2 0L10 5L2 10L0 10L7 5z", "vee"),
    "YA": (8, 8, 9, "M0 1L10 5L0 9L3 5z", "vee"),
    "TA": (8, 8, 9, "M0 1L10 5L0 9L3 5z", "open"),
    "": (8, 8, 9, "M0 1L10 5L0 9L3 5z", "open"),
}
_MARKER: Final = (
    '<marker id="aif{0}" viewBox="0 0 10 10" refX="{3}" refY="5" markerWidth="{1}" markerHeight="{2}" orient="auto" '
    'markerUnits="userSpaceOnUse"><path class="m {0}" d="{4}"/></marker>'
)
_DASHES: Final = {"all": "solid", "one": "dashed", "two": "dotted"}


def draw(
    drawn: ArgumentGraph | Comparison,
    path: str | PathLike[str] | None = None,
    *,
    format: str | None = None,
    view: MapView = "argument",
) -> str | bytes:
    """Draw a map, or two compared maps in one, as ``svg`` (text), ``png`` or ``pdf`` (bytes).

    Args:
        path: where to write the picture. Its ending says the format, where there is no ``format``; else it is SVG.
        view: ``argument`` for propositions and their relations, ``dialogue`` for everything.

    Raises:
        MissingExtraError: pygraphviz is not installed.
        LimitError: more boxes and arrows than can be laid out.
        OptionError: another format.
    """
    format = format or (Path(path).suffix[1:].lower() if path is not None else "svg")
    if format not in FORMATS:
        raise OptionError(f"no picture format {format!r}", remedy=choose_from(FORMATS))
    drawing = draw_pair(Pair(drawn), view) if isinstance(drawn, Comparison) else draw_graph(drawn, view)
    title = " and ".join(drawn.result.names) if isinstance(drawn, Comparison) else drawn.name
    picture: str | bytes = (
        svg(drawing, clean_text(f"Argument map: {title}"), style=map_style())[0]
        if format == "svg"
        else render(dot(drawing), format)
    )
    if path is not None:
        write_atomic(Path(path), picture)
    return picture


# -- SVG ---------------------------------------------------------------------------------------------------------------


def svg(drawing: Drawing, title: str, *, style: str = "") -> tuple[Markup, float, float]:
    """Return a drawing as an ``svg`` element, its width and height; without a ``style`` the page around it has one
    (``map.css``)."""
    placed, arrows = _layout(drawing), [*drawing.arrows.values()]
    width, height = (float(size) for size in placed["bb"].split(",")[2:])
    shapes, labels = [], []
    for edge in placed.get("edges", ()):
        if "class" not in edge:  # invisible
            continue
        arrow = arrows[int(edge["class"])]
        shapes.append(_svg_arrow(arrow, drawing, edge["pos"], height))
        if arrow.label:
            labels.append(_svg_label(arrow, drawing, *_point(edge["lp"], height)))
    for node in placed.get("objects", ()):
        name, (x, y) = node["name"], _point(node["pos"], height)
        if name in drawing.boxes:
            shapes.append(_svg_box(name, drawing.boxes[name], drawing, x, y))
        else:
            hub = f'class="h {drawing.hubs[name]}" data-n="{name}" cx="{x:.0f}" cy="{y:.0f}" r="{HUB / 2}"'
            shapes.append(f"<circle {hub}/>")
    size = f'width="{width + 8:.0f}" height="{height + 8:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="aif" viewBox="-4 -4 {width + 8:.0f} {height + 8:.0f}" '
        f'{size if style else size.replace("width", "data-w").replace("height", "data-h")} role="group" '
        f'aria-label="{escape(title)}">',
        f"<style>{style}</style>" if style else "",
        *(_MARKER.format(kind, *head) for kind, head in _HEADS.items() if any(arrow.kind == kind for arrow in arrows)),
        *(shapes + labels),
        "</svg>",
    ]
    return Markup("".join(parts)), width, height


def _layout(drawing: Drawing) -> Any:
    """Return where Graphviz places boxes, hubs and arrows (with their number as ``class``), in its JSON.

    It is told sizes and no text, so that no layout depends on the fonts of a machine.
    """
    lines = ['digraph{rankdir=BT;nodesep=.2;ranksep=.32;node[shape=box,fixedsize=true,label=""];edge[arrowsize=.7];']
    sizes = {name: box.size for name, box in drawing.boxes.items()} | dict.fromkeys(drawing.hubs, (HUB, HUB))
    lines += [f"{name}[width={w / INCH:.3f},height={h / INCH:.3f}];" for name, (w, h) in sizes.items()]
    for number, (arrow, rows) in enumerate(_arrows_in_rows(drawing)):
        label = f"label={_SPACE.format(arrow.width)}," if arrow.label else ""
        head = "" if arrow.head else ",dir=none"
        lines.append(f'{arrow.source}->{arrow.target}[{label}{rows}{head},class="{number}"];')
    return json.loads(render("".join([*lines, *_stacked(drawing), "}"]), "json0"))


def _arrows_in_rows(drawing: Drawing) -> Iterator[tuple[Arrow, str]]:
    """Yield arrows with how many rows they pass: of many to one box six start in a row, further ones lower."""
    leading_to = Counter(arrow.target for arrow in drawing.arrows.values())
    before: Counter[str] = Counter()
    for arrow in drawing.arrows.values():
        count = leading_to[arrow.target]
        beside = max(6, ceil(sqrt(count))) if count <= _MAX_LOWERED else count
        yield arrow, f"minlen={1 + before[arrow.target] // beside},weight={int(count <= beside)}"
        before[arrow.target] += 1


def _stacked(drawing: Drawing) -> Iterator[str]:
    """Yield invisible edges: parts that nothing joins stand in as many columns as rows, the largest on top."""
    parts = UnionFind([*drawing.boxes, *drawing.hubs])
    for arrow in drawing.arrows.values():
        parts.union(arrow.source, arrow.target)
    stacked = sorted(map(set, parts.to_sets()), key=lambda names: (-len(names), min(names)))
    starts, ends = ({getattr(arrow, end) for arrow in drawing.arrows.values()} for end in ("source", "target"))
    for upper, lower in zip(stacked, stacked[ceil(sqrt(len(stacked))) :], strict=False):
        top, bottom = min(lower - starts, default=min(lower)), min(upper - ends, default=min(upper))
        yield f"{top}->{bottom}[style=invis,weight=0];"


def _point(words: str, height: float) -> tuple[float, float]:
    x, y = map(float, words.split(","))
    return x, height - y


def _svg_arrow(arrow: Arrow, drawing: Drawing, position: str, height: float) -> str:
    words = position.split()
    tip = words.pop(0).removeprefix("e,") if words[0].startswith("e,") else ""
    start, *more = ("{:.0f} {:.0f}".format(*_point(word, height)) for word in words)
    path = f"M{start}C{' '.join(more)}" + ("L{:.0f} {:.0f}".format(*_point(tip, height)) if tip else "")
    marker = f' marker-end="url(#aif{arrow.kind})"' if arrow.head else ""
    parts = f"{_cards(arrow.cards)}{_ends(arrow)}"
    return f'<path class="e {arrow.kind} {drawing.style(arrow.sides)}"{parts} d="{path}"{marker}/>'


def _svg_label(arrow: Arrow, drawing: Drawing, x: float, y: float) -> str:
    width = arrow.width
    link = f'a href="#c{min(arrow.cards)}"' if arrow.cards else "g"
    return (
        f'<{link} class="l {arrow.kind} {drawing.style(arrow.sides)}"{_cards(arrow.cards)}{_ends(arrow)}>'
        f'<rect x="{x - width / 2:.0f}" y="{y - 8:.0f}" width="{width:.0f}" height="16" rx="8"/>'
        f'<text x="{x:.0f}" y="{y + 3.5:.0f}">{escape(arrow.label)}</text></{link[0]}>'
    )


def _svg_box(name: str, box: Box, drawing: Drawing, x: float, y: float) -> str:
    width, height = box.size
    left, top = x - width / 2, y - height / 2
    corner = 12 if box.kind == "L" else 3
    out = [f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}" rx="{corner}"/>']
    at = top + PAD + 9
    if box.speaker or box.note:
        note = f'<tspan class="note" dx="{6 * bool(box.speaker)}">{escape(box.note)}</tspan>' if box.note else ""
        out.append(f'<text class="who" x="{left + PAD:.0f}" y="{at:.0f}">{escape(box.speaker)}{note}</text>')
        at += LINE
    for line, side in box.lines:
        mark = f' class="s{side}"' if side else ""
        out.append(f'<text{mark} x="{left + PAD:.0f}" y="{at:.0f}">{escape(line)}</text>')
        at += LINE
    claim = f' data-p="{name[1:]}"' if name[0] == "p" else ""
    more = f'data-n="{name}"{claim}{_cards({box.card} - {0})}'
    return f'<g class="b {drawing.style(box.sides)}" {more}>{"".join(out)}</g>'


def _ends(arrow: Arrow) -> str:
    """Return the names of an arrow's ends and what keeps its nodes: the page hides what decisions leave out."""
    kept_by = " ".join("+".join(f"{card}.{side}" for card, side in node) for node in arrow.kept_by)
    return f' data-e="{arrow.source} {arrow.target}"' + (f' data-kept="{kept_by}"' if kept_by else "")


def _cards(numbers: set[int]) -> str:
    return f' data-c="{" ".join(map(str, sorted(numbers)))}"' if numbers else ""


@cache
def _palette() -> dict[str, str]:
    """Return the light colours of ``page.css`` by their names."""
    colours = dict(re.findall(r"--(\w+): (#\w+)", static("page.css").partition("}")[0]))
    return colours | {"YA": colours["quiet"], "TA": colours["quiet"]}


@cache
def map_style() -> str:
    """Return ``map.css`` for a picture that stands alone: light, and with colours that every viewer knows."""
    return re.sub(r"var\(--(\w+)\)", lambda found: _palette()[found[1]], static("map.css"))


# -- PNG and PDF -------------------------------------------------------------------------------------------------------


def dot(drawing: Drawing) -> str:
    """Return a drawing in DOT."""
    colours = _palette()
    lines = ["digraph {", '  rankdir="BT"; node [fontname="Helvetica", fontsize="10.5", shape="box"];',
             '  edge [fontname="Helvetica", fontsize="10"];']  # fmt: skip
    for name, box in drawing.boxes.items():
        style = drawing.style(box.sides)
        looks = {
            "label": "".join(line.replace("\\", "\\\\") + "\\l" for line in box.rows),
            "style": f"{'rounded,' if box.kind == 'L' else ''}filled,{_DASHES[style]}",
            "fillcolor": colours["soft"],
            "color": colours[style if style != "all" else "quiet"],
            "penwidth": "1" if style == "all" else "2",
        }
        lines.append(f"  {name} [{_attributes(looks, *box.size)}];")
    for name, kind in drawing.hubs.items():
        looks = {"label": "", "shape": "circle", "color": colours[kind], "fixedsize": "true"}
        lines.append(f"  {name} [{_attributes(looks, HUB, HUB)}];")
    for arrow, rows in _arrows_in_rows(drawing):
        style = drawing.style(arrow.sides)
        looks = {"color": colours[arrow.kind or "quiet"], "style": _DASHES[style]}
        looks |= {"arrowhead": _HEADS[arrow.kind][4] if arrow.head else "none", "arrowsize": "0.7"}
        looks |= {"label": arrow.label.replace("\\", "\\\\")} if arrow.label else {}
        looks |= {"penwidth": "2"} if style != "all" else {}
        lines.append(f"  {arrow.source} -> {arrow.target} [{_attributes(looks)}, {rows}];")
    return "\n".join([*lines, *_stacked(drawing), "}"])


def _attributes(looks: dict[str, str], *size: float) -> str:
    looks = looks | {name: f"{points / INCH:.3f}" for name, points in zip(("width", "height"), size, strict=False)}
    return ", ".join('{}="{}"'.format(key, value.replace('"', '\\"')) for key, value in looks.items())
