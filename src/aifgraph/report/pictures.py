"""Drawings as pictures: SVG for pages and notebooks, DOT and Mermaid as text, PNG and PDF by Graphviz."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from math import sqrt
from typing import Final

from markupsafe import Markup, escape

from aifgraph.comparison.comparison import Comparison
from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph
from aifgraph.report.drawing import HUB, LINE, PAD, Arrow, Box, Drawing, MapView, draw_graph, draw_pair
from aifgraph.report.graphviz import INCH, Curve, Layout, Point, render
from aifgraph.report.html import static
from aifgraph.report.sentences import Pair, clean_text

FORMATS: Final = ("dot", "mmd", "svg", "png", "pdf")
#: Pixels that a PNG has at most: 256 MB while it is made.
_MAX_PIXELS: Final = 64e6
#: Type → the end of an arrow: its width, height, where the line meets it, shape in SVG; in DOT; in Mermaid.
_HEADS: Final = {
    "RA": (10, 8, 9, "M0 0L10 5L0 10z", "normal", "-->"),
    "CA": (10, 10, 9, "M2 0L4 0L4 4L10 4L10 6L4 6L4 10L2 10zM8 0L10 0L10 10L8 10z", "teetee", "--x"),
    "MA": (11, 9, 9, "M0 5L5 0L10 5L5 10z", "diamond", "--o"),
    "PA": (9, 9, 9, "M0 0L2 0L10 5L2 10L0 10L7 5z", "vee", "-->"),
    "YA": (8, 8, 9, "M0 1L10 5L0 9L3 5z", "vee", "-->"),
    "TA": (8, 8, 9, "M0 1L10 5L0 9L3 5z", "open", "-->"),
    "": (8, 8, 9, "M0 1L10 5L0 9L3 5z", "open", "-->"),
}
_DASHES: Final = {"all": "solid", "one": "dashed", "two": "dotted"}
_MERMAID: Final = str.maketrans({char: f"#{ord(char)};" for char in '#&"<>`|'})


def draw_map(
    drawn: ArgumentGraph | Comparison, format: str, view: MapView = "argument", *, part: int | None = None
) -> str | bytes:
    """Draw a map, or two compared maps in one, as ``dot``, ``mmd`` or ``svg`` (text), ``png`` or ``pdf`` (bytes).

    ``view`` is ``argument`` for propositions and their relations, ``dialogue`` for everything. ``part`` is one of the
    parts that no relation joins, 1 for the largest; None for all.

    Raises:
        MissingExtraError: a picture is requested and pygraphviz is not installed.
        LimitError: more boxes and arrows hang together than can be laid out.
        OptionError: another format, or a part that is not there.
    """
    if format not in FORMATS:
        raise OptionError(f"no picture format {format!r}", remedy=f"choose from {', '.join(FORMATS)}")
    drawing = draw_pair(Pair(drawn), view) if isinstance(drawn, Comparison) else draw_graph(drawn, view)
    if part is not None:
        drawing.part(part)
    if format in ("dot", "mmd"):
        return dot(drawing) if format == "dot" else mermaid(drawing)
    layout = drawing.lay_out()
    if format == "svg":
        title = " and ".join(drawn.result.names) if isinstance(drawn, Comparison) else drawn.name
        return svg(drawing, layout, clean_text(f"Argument map: {title}"), style=map_style())
    dpi = min(96.0, sqrt(_MAX_PIXELS / (layout.width * layout.height)) * INCH)
    return render(dot(drawing, layout), "nop2", format, {"dpi": f"{dpi:.0f}"} if format == "png" else {})


# -- SVG ---------------------------------------------------------------------------------------------------------------


def svg(drawing: Drawing, layout: Layout, title: str, *, style: str = "") -> Markup:
    """Return a drawing as an ``svg`` element; without a ``style`` the page around it has one (``map.css``)."""
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    own = f'width="{width}" height="{height}"' if style else f'data-w="{width}" data-h="{height}"'
    arrows = [*drawing.arrows.values()]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="aif" viewBox="0 0 {width} {height}" {own} role="group" '
        f'aria-label="{escape(title)}">',
        f"<style>{style}</style>" if style else "",
        *_markers({arrow.kind for arrow in arrows}),
        *(_svg_arrow(arrows[n], drawing, curve) for n, curve in sorted(layout.curves.items())),
    ]
    for name, place in layout.boxes.items():
        if name in drawing.boxes:
            out.append(_svg_box(name, drawing.boxes[name], drawing, place))
        else:
            out.append(
                f'<circle class="h {drawing.hubs[name]}" cx="{place[0]:.0f}" cy="{place[1]:.0f}" r="{HUB / 2}"/>'
            )
    for n, curve in sorted(layout.curves.items()):
        if curve.label and arrows[n].label:
            out.append(_svg_label(arrows[n], drawing, curve.label))
    return Markup("".join([*out, "</svg>"]))


def _markers(kinds: Collection[str]) -> Iterator[str]:
    for kind, (width, height, meets, shape, *_) in _HEADS.items():
        if kind in kinds:
            yield (
                f'<marker id="aif{kind}" viewBox="0 0 10 10" refX="{meets}" refY="5" markerWidth="{width}" '
                f'markerHeight="{height}" orient="auto" markerUnits="userSpaceOnUse">'
                f'<path class="m {kind}" d="{shape}"/></marker>'
            )


def _svg_arrow(arrow: Arrow, drawing: Drawing, curve: Curve) -> str:
    start, *more = (f"{x:.0f} {y:.0f}" for x, y in curve.points)
    path = f"M{start}C{' '.join(more)}" + ("L{:.0f} {:.0f}".format(*curve.tip) if curve.tip else "")
    marker = f' marker-end="url(#aif{arrow.kind})"' if arrow.head else ""
    return f'<path class="e {arrow.kind} {drawing.style(arrow.sides)}"{_cards(arrow.cards)} d="{path}"{marker}/>'


def _svg_label(arrow: Arrow, drawing: Drawing, place: Point) -> str:
    (x, y), width = place, arrow.width
    link = f'a href="#c{min(arrow.cards)}"' if arrow.cards else "g"
    return (
        f'<{link} class="l {arrow.kind} {drawing.style(arrow.sides)}"{_cards(arrow.cards)}>'
        f'<rect x="{x - width / 2:.0f}" y="{y - 8:.0f}" width="{width:.0f}" height="16" rx="8"/>'
        f'<text x="{x:.0f}" y="{y + 3.5:.0f}">{escape(arrow.label)}</text></{link[0]}>'
    )


def _svg_box(name: str, box: Box, drawing: Drawing, place: Point) -> str:
    width, height = box.size
    left, top = place[0] - width / 2, place[1] - height / 2
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
    return f'<g class="b {drawing.style(box.sides)}"{claim}{_cards({box.card} - {0})}>{"".join(out)}</g>'


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


# -- DOT and Mermaid ---------------------------------------------------------------------------------------------------


def dot(drawing: Drawing, layout: Layout | None = None) -> str:
    """Return a drawing in DOT; with a layout the places are in it, as Graphviz's engine ``nop2`` takes them."""
    places = {name: _at(place, layout) for name, place in layout.boxes.items()} if layout else {}
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
        lines.append(f"  {name} [{_looks(looks | _placed(places.get(name), box.size))}];")
    for name, kind in drawing.hubs.items():
        looks = {"label": "", "shape": "circle", "color": colours[kind], "fixedsize": "true"}
        lines.append(f"  {name} [{_looks(looks | _placed(places.get(name), (HUB, HUB)))}];")
    for number, arrow in enumerate(drawing.arrows.values()):
        style = drawing.style(arrow.sides)
        looks = {"color": colours[arrow.kind or "quiet"], "style": _DASHES[style]}
        looks |= {"arrowhead": _HEADS[arrow.kind][4] if arrow.head else "none", "arrowsize": "0.7"}
        looks |= {"label": arrow.label.replace("\\", "\\\\")} if arrow.label else {}
        looks |= {"penwidth": "2"} if style != "all" else {}
        if layout:
            curve = layout.curves[number]
            tip = f"e,{_at(curve.tip, layout)} " if curve.tip else ""
            looks["pos"] = tip + " ".join(_at(point, layout) for point in curve.points)
            looks |= {"lp": _at(curve.label, layout)} if curve.label else {}
        lines.append(f"  {arrow.source} -> {arrow.target} [{_looks(looks)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _at(point: Point, layout: Layout | None) -> str:
    return f"{point[0]:.1f},{(layout.height if layout else 0) - point[1]:.1f}"


def _placed(place: str | None, size: tuple[float, float]) -> dict[str, str]:
    sizes = {"width": f"{size[0] / INCH:.3f}", "height": f"{size[1] / INCH:.3f}"}
    return sizes | ({"pos": place, "fixedsize": "shape"} if place else {})


def _looks(looks: dict[str, str]) -> str:
    return ", ".join('{}="{}"'.format(key, value.replace('"', '\\"')) for key, value in looks.items())


def mermaid(drawing: Drawing) -> str:
    """Return a drawing as a Mermaid flowchart."""
    lines, colours = ["flowchart BT"], _palette()
    for name, box in drawing.boxes.items():
        lines.append(
            f'  {name}["{"<br>".join(row.translate(_MERMAID) for row in box.rows)}"]:::{drawing.style(box.sides)}'
        )
    lines += (f'  {name}((" "))' for name in drawing.hubs)
    dashes = {"all": "", "one": ",stroke-dasharray:7 4", "two": ",stroke-dasharray:2 3"}
    for number, arrow in enumerate(drawing.arrows.values()):
        label = f'|"{arrow.label.translate(_MERMAID)}"|' if arrow.label else ""
        line = _HEADS[arrow.kind][5] if arrow.head else "---"
        lines.append(f"  {arrow.source} {line}{label} {arrow.target}")
        colour = colours[arrow.kind or "quiet"]
        lines.append(f"  linkStyle {number} stroke:{colour},stroke-width:2px{dashes[drawing.style(arrow.sides)]}")
    for style in sorted({drawing.style(box.sides) for box in drawing.boxes.values()}):
        colour = colours[style if style != "all" else "quiet"]
        lines.append(f"  classDef {style} stroke:{colour},fill:{colours['soft']},color:#000{dashes[style]}")
    return "\n".join(lines) + "\n"
