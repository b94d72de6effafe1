"""Drawings as pictures: SVG for pages and notebooks; PNG and PDF, which Graphviz makes.

pygraphviz carries Graphviz in its wheels. Maps may be hostile: what it would take minutes for is refused. A cell of a
notebook is HTML without script; every text in it is escaped, control characters too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import escape
from math import ceil, sqrt
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal, overload

from markupsafe import Markup

from aifgraph.comparison.result import Comparison
from aifgraph.errors import AifgraphError, LimitError, MissingExtraError, OptionError, choose_from
from aifgraph.files import write_atomic
from aifgraph.formats.drawings import attributes, backslashes
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.columns import UnionFind
from aifgraph.printable import pluralize, printable
from aifgraph.report.drawing import HUB, LINE, PAD, Arrow, Drawing, MapView, draw_graph, draw_pair
from aifgraph.report.html import environment, static
from aifgraph.report.sentences import Pair, clean_text

FORMATS: Final = ("svg", "png", "pdf")
#: Nodes and edges that are laid out, and rows that all edges together pass.
MAX_SIZE: Final = 16_000
#: From so many on the search for the best places is cut short. Measured with 1 000 propositions and 1 300 relations:
#: 10 s without, 1.1 s with, the lines as long.
_LARGE: Final = 600
#: A curved edge costs about the square of the rows that it passes; from this sum of squares on edges are straight.
#: Measured with 90 turns that answer the one before and one half as far on: 6.5 s curved, 0.1 s straight.
_TANGLED: Final = 80_000
#: A notebook draws no map with more nodes of its argument: nobody could read it.
_DRAWN: Final = 120
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
#: Type → its line; solid where nothing is said.
_LINES: Final = {"CA": "dashed", "MA": "dotted"}


@overload
def draw(
    drawn: ArgumentGraph | Comparison,
    path: str | PathLike[str] | None = None,
    *,
    format: Literal["png", "pdf"],
    view: MapView = "argument",
) -> bytes: ...
@overload
def draw(drawn: ArgumentGraph | Comparison, *, view: MapView = "argument") -> str: ...
@overload
def draw(
    drawn: ArgumentGraph | Comparison,
    path: str | PathLike[str] | None = None,
    *,
    format: str | None = None,
    view: MapView = "argument",
) -> str | bytes: ...
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
    title = " and ".join(drawn.names) if isinstance(drawn, Comparison) else drawn.name
    picture: str | bytes = (
        str(svg(drawing, clean_text(f"Argument map: {title}"), style=map_style())[0])
        if format == "svg"
        else lay_out(dot(drawing, texts=True), format)
    )
    if path is not None:
        write_atomic(Path(path), picture)
    return picture


# -- SVG ---------------------------------------------------------------------------------------------------------------


def svg(drawing: Drawing, title: str, *, style: str = "") -> tuple[Markup, float, float]:
    """Return a drawing as an ``svg`` element, its width and height; without a ``style`` the page around it has one
    (``map.css``)."""
    placed, arrows = json.loads(lay_out(dot(drawing, texts=False), "json0")), [*drawing.arrows.values()]
    width, height = (float(size) for size in placed["bb"].split(",")[2:])

    def point(words: str) -> tuple[int, int]:
        x, y = map(float, words.split(","))
        return round(x), round(height - y)

    def path(position: str) -> str:
        words = position.split()
        tip = words.pop(0).removeprefix("e,") if words[0].startswith("e,") else ""
        start, *more = ("{} {}".format(*point(word)) for word in words)
        return f"M{start}C{' '.join(more)}" + ("L{} {}".format(*point(tip)) if tip else "")

    visible = [edge for edge in placed.get("edges", ()) if "class" in edge]
    heads = {(arrow.kind, drawing.style(arrow.sides)) for arrow in arrows}
    heads |= {(kind, "all") for kind in ("RA", "CA", "MA") if not style}  # a page has them in its legend
    made = (
        environment()
        .get_template("map.svg.j2")
        .render(
            drawing=drawing,
            arrows=[(arrows[int(edge["class"])], path(edge["pos"]), point(edge.get("lp", "0,0"))) for edge in visible],
            places={node["name"]: point(node["pos"]) for node in placed.get("objects", ())},
            heads=[(kind, side, _HEADS[kind]) for kind, side in sorted(heads)],
            title=title,
            style=Markup(style),
            width=round(width) + 8,
            height=round(height) + 8,
            hub=HUB,
            line=LINE,
            pad=PAD,
        )
    )
    return Markup(made.replace("\n", "")), width, height


# -- layout, PNG and PDF -----------------------------------------------------------------------------------------------


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


@cache
def _palette() -> dict[str, str]:
    """Return the light colours of ``colours.css`` by their names."""
    colours = dict(re.findall(r"--(\w+): (#\w+)", static("colours.css").partition("}")[0]))
    return colours | dict.fromkeys(("YA", "TA", "all"), colours["quiet"])


@cache
def map_style() -> str:
    """Return ``map.css`` for a picture that stands alone: light, and with colours that every viewer knows."""
    return re.sub(r"var\(--(\w+)\)", lambda found: _palette()[found[1]], static("map.css"))


def dot(drawing: Drawing, *, texts: bool) -> str:
    """Return a drawing in DOT, the arrows with their numbers as ``class``.

    Without ``texts`` there is room for them: so no layout depends on the fonts of a machine.
    """
    colours = _palette()
    lines = [
        "digraph {rankdir=BT; nodesep=.2; ranksep=.32;",
        "node [shape=box, fixedsize=true, fontname=Helvetica, fontsize=11];",
        "edge [arrowsize=.7, fontname=Helvetica, fontsize=10];",
    ]
    for name, box in drawing.boxes.items():
        style = drawing.style(box.sides)
        looks = {
            "label": "".join(backslashes(line) + "\\l" for line in box.rows) if texts else "",
            "style": f"{'rounded,' if box.kind == 'L' else ''}filled",
            "fillcolor": colours["soft"],
            "color": colours[style],
            "penwidth": "1" if style == "all" else "2",
        }
        lines.append(f"{name} [{attributes(looks)}, {_size(*box.size)}];")
    for name, kind in drawing.hubs.items():
        colour = colours[kind if drawing.sides == 1 else drawing.style(drawing.hub_sides(name))]
        lines.append(f'{name} [label="", shape=circle, color="{colour}", {_size(HUB, HUB)}];')
    for number, (arrow, rows) in enumerate(_arrows_in_rows(drawing)):
        style = drawing.style(arrow.sides)
        colour = colours[(arrow.kind or "quiet") if drawing.sides == 1 else style]
        looks = {"color": colour, "style": _LINES.get(arrow.kind, "solid"), "class": str(number)}
        looks |= {"arrowhead": _HEADS[arrow.kind][4]} if arrow.head else {"dir": "none"}
        looks |= {"label": backslashes(arrow.label)} if arrow.label and texts else {}
        looks |= {"penwidth": "2"} if style != "all" else {}
        room = f", label={_SPACE.format(arrow.width)}" if arrow.label and not texts else ""
        lines.append(f"{arrow.source} -> {arrow.target} [{attributes(looks)}{room}, {rows}];")
    return "\n".join([*lines, *_stacked(drawing), "}"])


def _size(width: float, height: float) -> str:
    return f"width={width / INCH:.3f}, height={height / INCH:.3f}"


def lay_out(dot: str, format: str) -> bytes:
    """Lay out a graph in DOT and return it in a format of Graphviz.

    Raises:
        LimitError: it is too large or too tangled.
        MissingExtraError: pygraphviz is not installed.

    >>> lay_out("digraph { a -> b }", "plain").split()[0]
    b'graph'
    """
    ranked = json.loads(_rendered(dot, "json0", {"phase": "1"}))
    nodes, edges = ranked.get("objects", []), ranked.get("edges", [])
    rows = {node["_gvid"]: int(node["rank"]) for node in nodes}
    lengths = [abs(rows[edge["tail"]] - rows[edge["head"]]) for edge in edges]
    if sum(lengths) > MAX_SIZE:
        raise LimitError(f"{len(nodes)} boxes with {len(edges)} crossing lines are too many to lay out")
    attributes: dict[str, str] = {}
    tangled = sum(length**2 for length in lengths) > _TANGLED
    if tangled or len(nodes) + len(edges) > _LARGE:
        attributes |= {"nslimit": "0.1", "mclimit": "0.1"}
    if tangled:
        attributes["splines"] = "line"
    if format == "png":
        attributes |= {"dpi": "96", "size": "80,80"}  # at most 59 million pixels
    return _rendered(dot, format, attributes)


def _rendered(dot: str, format: str, attributes: dict[str, str]) -> bytes:
    try:
        import pygraphviz
        from pygraphviz import graphviz
    except ImportError:
        raise MissingExtraError(
            "pygraphviz is not installed; it is needed to draw maps",
            remedy="pip install 'pygraphviz>=2.0', or convert to map.dot or map.mmd",
        ) from None
    graph = pygraphviz.AGraph(string=dot)
    graph.graph_attr.update(attributes)
    context = graphviz.gvContextWithBuiltins()
    try:
        nodes, edges = graph.number_of_nodes(), graph.number_of_edges()
        if nodes + edges > MAX_SIZE:
            raise LimitError(f"{nodes} boxes and {edges} lines are too many to lay out")
        failed = graphviz.gvLayout(context, graph.handle, b"dot")
        failed, data = (failed, b"") if failed else graphviz.gvRenderData(context, graph.handle, format.encode())
        graphviz.gvFreeLayout(context, graph.handle)
    finally:
        graphviz.gvFreeContext(context)
        graph.close()
    if failed:
        raise LimitError("Graphviz could not draw this map")
    return bytes(data)


# -- notebooks ------------------------------------------------------------------------------------------------------


def graph_html(graph: ArgumentGraph) -> str:
    """Return a map's name and counts, and its argument as a picture.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> graph_html(build.graph().with_name("<b>"))[:38]
    '<p><strong>&lt;b&gt;</strong>: 1 I</p>'
    """
    counts = Counter(node.type for node in graph)
    head = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "empty"
    name = escape(graph.name.replace("\\", "/").rsplit("/", 1)[-1] or "ArgumentGraph")
    notices = f"<p>{pluralize(len(graph.notices), 'warnings')} in <code>.notices</code></p>" if graph.notices else ""
    return printable(f"<p><strong>{name}</strong>: {escape(head)}</p>{notices}{_picture(graph, graph)}")


def comparison_html(result: Comparison) -> str:
    """Return the sentence of the page, the scores, and both maps in one picture."""
    notices = "".join(f"<p>notice: {escape(str(notice))}</p>" for notice in result.notices)
    picture = _picture(result, *result.graphs)
    macros: Any = environment().get_template("macros.html.j2").module
    table = result.result.short_table()
    return printable(
        f"<p><strong>{escape(Pair(result).summary())}</strong></p>{notices}"
        f"{macros.table_view(table, caption=table.title)}{picture}"
        f"<p><code>{escape(result.how.short)}</code></p>"
        "<p>The whole as a page: <code>.to_html(path)</code></p>"
    )


def _picture(drawn: Any, *graphs: ArgumentGraph) -> str:
    """Return a map as SVG that is as wide as its cell, but no larger than it was drawn."""
    sizes = [sum(node.kind in ("I", "RA", "CA", "MA", "PA") for node in graph) for graph in graphs]
    if not 0 < max(sizes) <= _DRAWN:
        return ""
    try:
        svg = draw(drawn)
    except AifgraphError:  # without Graphviz
        return ""
    return (
        "<div>" + re.sub(r'width="(\d+)" height="\d+"', r'style="width:100%;max-width:\1px"', svg, count=1) + "</div>"
    )
