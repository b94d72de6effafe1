"""Sketches as text for other programs: Graphviz's DOT and Mermaid's flowcharts.

Every kind of relation has an arrowhead and every status a line style beside its colour, so that a picture can be read
in print and by the colour-blind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from aifgraph.comparison.facts import Status
from aifgraph.formats.drawings import COLOURS, PLAIN, escaped
from aifgraph.report.sketch import Arrow, Box, Sketch

#: Points of the text in a box.
POINTS: Final = 11
#: Edges that Mermaid draws unless its ``maxEdges`` is set, and letters that it takes unless its ``maxTextSize`` is.
MERMAID_EDGES: Final = 500
MERMAID_LETTERS: Final = 50_000

#: Relations side by side on one level; further ones stand on levels of their own, so that no row gets too wide.
_BESIDE = 6
#: Status → colour, Graphviz style, pen width, Mermaid dashes.
_LOOKS: Final[dict[Status, tuple[str, str, float, str]]] = {
    "agreed": ("#5b6470", "solid", 1.0, ""),
    "part": ("#5b6470", "solid", 1.0, ""),
    "first": ("#0066a8", "dashed", 2.0, "8 4"),
    "second": ("#a84a00", "dotted", 2.4, "2 4"),
    "different": ("#8f2576", "bold", 3.0, "10 3 2 3"),
}
#: Type → colour of a line, Graphviz arrowhead, Mermaid arrow. A rephrase is a double line.
_HEADS: Final = {
    "RA": ("#1a7f37", "normal", "-->"),
    "CA": ("#c62828", "teetee", "--x"),
    "MA": ("#7a5c00:#ffffff:#7a5c00", "empty", "--o"),
    "PA": ("#00707a", "diamond", "==>"),
    "TA": ("#5b6470", "vee", "-->"),
    "YA": ("#5b6470", "vee", "-->"),
}
_NO_HEAD = ("#5b6470", "none", "---")


def dot_text(sketch: Sketch) -> str:
    """A sketch in DOT, conclusions at the top.

    Args:
        sketch: What is drawn.

    Returns:
        A directed graph; parts that are not joined are packed (Graphviz's ``pack``).
    """
    return "\n".join(_dot(sketch)) + "\n"


def _dot(sketch: Sketch) -> Iterator[str]:
    yield "digraph map {"
    yield '  rankdir="BT"; pack="24"; packmode="node";'
    yield f'  node [fontname="Helvetica", fontsize="{POINTS}", style="filled", shape="box"];'
    for box in sketch.boxes:
        yield f"  n{box.number} [{_box(box)}];"
    levels: dict[int, int] = {}
    kinds = {box.number: box.kind for box in sketch.boxes}
    for arrow in sketch.arrows:
        parts = _arrow(arrow)
        if arrow.kind and kinds[arrow.target] in ("I", "L"):
            level = levels[arrow.target] = levels.get(arrow.target, -1) + 1
            if level >= _BESIDE:
                parts += f', minlen="{1 + 2 * (level // _BESIDE)}"'
        yield f"  n{arrow.source} -> n{arrow.target} [{parts}];"
    yield "}"


def _box(box: Box) -> str:
    border, fill = COLOURS.get(box.kind, PLAIN)
    label = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in box.lines)
    shape = {"I": "box", "L": "box", "CA": "hexagon", "MA": "parallelogram"}.get(box.kind, "ellipse")
    parts = f'label="{label}", shape="{shape}", fillcolor="{fill}"'
    if box.status is None:
        return f'{parts}, color="{border}"'
    colour, style, pen, _ = _LOOKS[box.status]
    double = ', peripheries="2"' if box.status in ("part", "different") else ""
    return f'{parts}, color="{colour}", style="filled,{style}", penwidth="{pen}"{double}'


def _arrow(arrow: Arrow) -> str:
    if arrow.inner:
        return 'style="dotted", arrowhead="none", color="#5b6470"'
    colour, head, _ = _HEADS.get(arrow.kind, _NO_HEAD)
    if arrow.status in (None, "agreed", "part"):
        return f'color="{colour}", arrowhead="{head}"'
    colour, style, pen, _ = _LOOKS[arrow.status]
    return f'color="{colour}", arrowhead="{head}", style="{style}", penwidth="{pen}"'


def mermaid_text(sketch: Sketch) -> str:
    """A sketch as a Mermaid flowchart.

    Args:
        sketch: What is drawn.

    Returns:
        The flowchart, conclusions at the top.
    """
    return "\n".join(_mermaid(sketch)) + "\n"


def mermaid_limits(sketch: Sketch, text: str) -> list[str]:
    """What of Mermaid's own limits a flowchart exceeds, with what to do.

    Args:
        sketch: What is drawn.
        text: Its flowchart.

    Returns:
        A message for each limit.
    """
    limits = (
        ("edges", "maxEdges", MERMAID_EDGES, len(sketch.arrows)),
        ("letters", "maxTextSize", MERMAID_LETTERS, len(text)),
    )
    return [
        f"Mermaid takes at most {most} {what} unless {name} is set, and here are {count}: "
        "draw a part (--part), or SVG with Graphviz"
        for what, name, most, count in limits
        if count > most
    ]


def _mermaid(sketch: Sketch) -> Iterator[str]:
    yield "flowchart BT"
    kinds: dict[str, None] = {}
    statuses: dict[Status, None] = {}
    for box in sketch.boxes:
        text = "<br>".join(escaped(line) for line in box.lines)
        shown = f'["{text}"]' if box.kind in ("I", "L") else f'(["{text}"])'
        if box.status is None:
            kinds[box.kind] = None
            name = box.kind if box.kind in COLOURS else "other"
        else:
            statuses[box.status] = None
            name = box.status
        yield f"  n{box.number}{shown}:::{name}"
    for arrow in sketch.arrows:
        head = "-.-" if arrow.inner else _HEADS.get(arrow.kind, _NO_HEAD)[2]
        yield f"  n{arrow.source} {head} n{arrow.target}"
    for number, arrow in enumerate(sketch.arrows):
        if arrow.status is None or arrow.inner:
            colour, pen, dashes = _HEADS.get(arrow.kind, _NO_HEAD)[0].partition(":")[0], 1.0, ""
        else:
            colour, _, pen, dashes = _LOOKS[arrow.status]
        yield f"  linkStyle {number} stroke:{colour},stroke-width:{pen}px" + (
            f",stroke-dasharray:{dashes}" if dashes else ""
        )
    for name in dict.fromkeys(kind if kind in COLOURS else "other" for kind in kinds):
        border, fill = COLOURS.get(name, PLAIN)
        yield f"  classDef {name} stroke:{border},fill:{fill},color:#000"
    for status in statuses:
        colour, _, pen, dashes = _LOOKS[status]
        dashed = f",stroke-dasharray:{dashes}" if dashes else ""
        yield f"  classDef {status} stroke:{colour},stroke-width:{pen}px{dashed},fill:#fff,color:#000"
