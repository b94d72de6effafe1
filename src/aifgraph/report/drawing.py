"""Maps and compared maps as pictures: DOT and Mermaid by the writers of these formats, SVG, PNG and PDF by Graphviz.

What is drawn is a graph of its own (``DisplayedMap``): a view of a map, or two compared maps in one, with the texts as
they are displayed. Every kind of relation has an arrowhead and every status a line style beside its colour, so that a
picture can be read in print and by the colour-blind.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences.words import VERBS
from aifgraph.errors import OptionError
from aifgraph.formats.drawings import write_dot, write_mermaid
from aifgraph.graph import ArgumentGraph, Edge, Meta, Node, make_node
from aifgraph.graph.nodes import EMPTY, RELATIONS
from aifgraph.printable import printable, unhashed
from aifgraph.report.graphviz import SPACING, bounds, picture
from aifgraph.report.html.merged_map import Element, MapView, Status, merged_map

#: What Graphviz draws.
PICTURES: Final = ("svg", "png", "pdf")
#: Edges that Mermaid draws unless its ``maxEdges`` is set, and letters that it takes unless its ``maxTextSize`` is.
_MERMAID_EDGES, _MERMAID_LETTERS = 500, 50_000
#: Letters of a text that are displayed.
_LETTERS = 240
#: Points of the text in a box, and the least that is read on paper.
_POINTS, _LEGIBLE = 11, 6.0
#: What A4 and Letter both hold inside margins of a centimetre, in points.
_PAGE = (538.0, 732.0)
#: Relations of a claim side by side on one level; further ones stand on levels of their own, so that no row gets too
#: wide.
_ON_A_LEVEL = 6
_SAYS: Final[dict[Status, str]] = {
    "first": "first only",
    "second": "second only",
    "different": "not alike",
}
#: Status → colour, style and width of a pen.
_STATUS_LOOKS: Final[dict[Status, tuple[str, str, str]]] = {
    "agreed": ("#5b6470", "solid", "1"),
    "part": ("#5b6470", "solid", "1"),
    "first": ("#0066a8", "dashed", "2"),
    "second": ("#a84a00", "dotted", "2.4"),
    "different": ("#8f2576", "bold", "3"),
}
#: Type → colour and arrowhead. A rephrase is a double line.
_HEADS: Final = {
    "RA": ("#1a7f37", "normal"),
    "CA": ("#c62828", "teetee"),
    "MA": ("#7a5c00:#ffffff:#7a5c00", "empty"),
    "PA": ("#00707a", "diamond"),
    "TA": ("#5b6470", "vee"),
    "YA": ("#5b6470", "vee"),
}
_SHAPES: Final = {"I": "box", "L": "box", "CA": "hexagon", "MA": "parallelogram"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture (text or bytes), and what there is to say about it."""

    picture: str | bytes
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class DisplayedMap:
    """The graph that is drawn, and for two compared maps the status of its nodes and edges; ``inner`` edges join a part
    to what it is part of."""

    graph: ArgumentGraph
    nodes: Mapping[str, Status] = field(default_factory=dict)
    edges: Mapping[tuple[str, str], Status] = field(default_factory=dict)
    inner: frozenset[tuple[str, str]] = frozenset()


def draw_map(
    drawn: ArgumentGraph | Comparison, format: str, view: MapView = "argument", *, part: int | None = None
) -> Drawn:
    """A map, or two compared maps in one, as ``dot`` or ``mmd`` (text), ``svg``, ``png`` or ``pdf`` (bytes).

    ``view`` is ``argument`` for propositions and their relations, ``dialogue`` for everything. ``part`` is one of the
    parts that no relation joins, 1 for the largest; None for all.

    Raises:
        MissingExtraError: a picture is requested and pygraphviz is not installed.
        LimitError: Graphviz takes longer than two minutes.
        OptionError: another format, or a part that is not there.
    """
    if format not in (*PICTURES, "dot", "mmd"):
        raise OptionError(f"no picture format {format!r}", remedy="choose from svg, png, pdf, dot, mmd")
    displayed = displayed_map(drawn, view)
    parts = sorted(displayed.graph.components(), key=len, reverse=True)
    if part is not None:
        displayed = DisplayedMap(_part(displayed.graph, parts, part), displayed.nodes, displayed.edges, displayed.inner)
    if format == "mmd":
        text = write_mermaid(displayed.graph)
        return Drawn(text, tuple(_beyond_mermaid(displayed.graph, text)))
    dot = write_dot(displayed.graph, node_looks=dict(_node_looks(displayed)), edge_looks=dict(_edge_looks(displayed)))
    if format == "dot":
        return Drawn(dot)
    attributes = (
        SPACING | {"pack": "24", "packmode": "node"} | bounds(len(displayed.graph) + len(displayed.graph.edges))
    )
    placed, warnings = picture(dot, "dot", "dot", attributes)
    text = placed.decode("utf-8", "replace")
    drawn_map, more = picture(text, "nop2", format)
    one = part is not None or len(parts) < 2
    return Drawn(drawn_map, (*dict.fromkeys((*warnings, *more)), *_too_small(text, 1 if one else len(parts))))


# -- what is drawn ------------------------------------------------------------------------------------------------


def displayed_map(drawn: ArgumentGraph | Comparison, view: MapView) -> DisplayedMap:
    """The graph that a view of a map, or of two compared maps, shows."""
    return _of_comparison(drawn, view) if isinstance(drawn, Comparison) else _of_graph(drawn, view)


def _in_view(kind: str, view: MapView) -> bool:
    return view == "dialogue" or kind == "I" or kind in RELATIONS


def _of_graph(graph: ArgumentGraph, view: MapView) -> DisplayedMap:
    ids = {node.id: f"n{number}" for number, node in enumerate(graph) if _in_view(node.kind, view)}
    nodes = [_node(node.type, ids[node.id], node.text) for node in graph if node.id in ids]
    edges = [
        Edge(ids[edge.source], ids[edge.target], None, EMPTY)
        for edge in graph.edges
        if edge.source in ids and edge.target in ids
    ]
    return DisplayedMap(ArgumentGraph(nodes, edges, Meta(), graph.name))


def _of_comparison(result: Comparison, view: MapView) -> DisplayedMap:
    merged = merged_map(result)
    elements = {element.number: element for element in merged.elements if _in_view(element.kind, view)}
    ids = {number: f"n{number}" for number in elements}
    nodes = [_node(element.kind, ids[number], _label(element)) for number, element in elements.items()]
    statuses = {
        (ids[line.source], ids[line.target]): line.status
        for line in merged.lines
        if line.source in ids and line.target in ids and line.source != line.target
    }
    parts = [(ids[number], ids[each.part_of]) for number, each in elements.items() if each.part_of in ids]
    edges = [Edge(source, target, None, EMPTY) for source, target in dict.fromkeys((*statuses, *parts))]
    node_statuses = {ids[number]: element.status for number, element in elements.items()}
    graph = ArgumentGraph(nodes, edges, Meta(), " and ".join(result.names))
    return DisplayedMap(graph, node_statuses, statuses, frozenset(parts) - statuses.keys())


def _label(element: Element) -> str:
    """What a box says: the first side's text, or the labels of both; and whose it is."""
    members = [member for member in (element.first, element.second) if member is not None]
    if element.kind in ("I", "L"):
        speaker = f"{members[0].speaker}: " if members[0].speaker and element.kind == "I" else ""
        text = speaker + (members[0].text or "(no text)")
    else:
        text = " / ".join(dict.fromkeys(VERBS.get(member.kind, member.text or member.kind) for member in members))
    status = _SAYS.get(element.status)
    return f"{_displayed(text)} ({status})" if status else text


def _node(kind: str, id_: str, text: str) -> Node:
    return make_node(kind, id_, _displayed(text if text.strip() else kind), (), EMPTY)


def _displayed(text: str) -> str:
    """A text as it stands in a box: control characters as escapes, so that no program stops at them, and not long."""
    whole = " ".join(unhashed(printable(text)).split())
    short = textwrap.shorten(whole, _LETTERS + 30, placeholder=" …")
    if short == "…" or (len(short) < 4 < len(whole)):
        short = f"{whole[:_LETTERS]} …"
    return short or "(no text)"


def _part(graph: ArgumentGraph, parts: list[tuple[Node, ...]], number: int) -> ArgumentGraph:
    if 1 <= number <= len(parts):
        return graph.subgraph(parts[number - 1], anchors=False)
    are = "is 1 part" if len(parts) == 1 else f"are {len(parts)} parts"
    raise OptionError(f"there is no part {number}: there {are} in this view", remedy="part 1 is the largest")


# -- how it looks -------------------------------------------------------------------------------------------------


def _node_looks(displayed: DisplayedMap) -> Iterator[tuple[str, dict[str, str]]]:
    """Graphviz's attributes of each node."""
    for node in displayed.graph:
        looks = {"shape": _SHAPES.get(node.type, "ellipse")}
        if status := displayed.nodes.get(node.id):
            colour, style, pen = _STATUS_LOOKS[status]
            looks |= {"color": colour, "style": f"filled,{style}", "penwidth": pen}
            if status in ("part", "different"):
                looks["peripheries"] = "2"
        yield node.id, looks


def _edge_looks(displayed: DisplayedMap) -> Iterator[tuple[tuple[str, str], dict[str, str]]]:
    """Graphviz's attributes of each edge."""
    kinds = {node.id: node.kind for node in displayed.graph}
    levels: dict[str, int] = {}
    for edge in displayed.graph.edges:
        ends = edge.source, edge.target
        if ends in displayed.inner:
            yield ends, {"style": "dotted", "arrowhead": "none", "color": "#5b6470"}
            continue
        colour, head = _HEADS.get(kinds[edge.source], ("#5b6470", "none"))
        looks = {"color": colour, "arrowhead": head}
        status = displayed.edges.get(ends, "agreed")
        if status not in ("agreed", "part"):
            colour, style, pen = _STATUS_LOOKS[status]
            looks |= {"color": colour, "style": style, "penwidth": pen}
        if kinds[edge.source] not in ("I", "L") and kinds[edge.target] in ("I", "L"):
            level = levels[edge.target] = levels.get(edge.target, -1) + 1
            if level >= _ON_A_LEVEL:
                looks["minlen"] = str(1 + 2 * (level // _ON_A_LEVEL))
        yield ends, looks


def _beyond_mermaid(graph: ArgumentGraph, text: str) -> Iterator[str]:
    """What of Mermaid's own limits a flowchart exceeds, with what to do."""
    limits = (
        ("edges", "maxEdges", _MERMAID_EDGES, len(graph.edges)),
        ("letters", "maxTextSize", _MERMAID_LETTERS, len(text)),
    )
    for what, name, limit, count in limits:
        if count > limit:
            yield (
                f"Mermaid takes at most {limit} {what} unless {name} is set, and here are {count}: "
                "draw a part (--part), or SVG with Graphviz"
            )


def _too_small(placed: str, parts: int) -> Iterator[str]:
    """Say it where the text could not be read if the whole picture were made to fit a page, upright or across."""
    box = re.search(r'\bbb="(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)"', placed)
    if box is None:
        return
    left, bottom, right, top = map(float, box.groups())
    width, height = max(1.0, right - left), max(1.0, top - bottom)
    fits = max(min(_PAGE[0] / width, _PAGE[1] / height), min(_PAGE[1] / width, _PAGE[0] / height))
    points = min(1.0, fits) * _POINTS
    if points < _LEGIBLE:
        size = " × ".join(f"{each / 72 * 2.54:.0f}" for each in (width, height))
        way = f"; --part 1 to {parts} draws one of its parts, the largest first" if parts > 1 else ""
        yield f"the picture is {size} cm large: on a page of A4 its text is {points:.1f} points high{way}"
