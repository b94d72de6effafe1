"""Maps and compared maps as pictures: DOT and Mermaid by themselves, SVG, PNG and PDF by Graphviz, if installed.

Every status has a line style as well as a colour, so that a picture can be read in print and by the colour-blind.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import Final

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.difference_row import VERBS
from aifgraph.errors import LimitError, MissingExtraError, OptionError
from aifgraph.formats.drawings import COLOURS, PLAIN
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS
from aifgraph.report.html.merged_map import Element, MapView, MergedMap, merged_map

PICTURES: Final = ("svg", "png", "pdf")
#: Seconds that Graphviz may take.
PATIENCE: Final = 120

_WIDTH = 32
_LETTERS = 240
#: Status → colour, Graphviz style, pen width, Mermaid dashes.
_LOOKS: Final = {
    "agreed": ("#5b6470", "solid", 1.0, ""),
    "part": ("#5b6470", "solid", 1.0, ""),
    "first": ("#0066a8", "dashed", 2.0, "8 4"),
    "second": ("#a84a00", "dotted", 2.4, "2 4"),
    "different": ("#8f2576", "bold", 3.0, "10 3 2 3"),
}
_SAYS: Final = {"first": "first only", "second": "second only", "different": "labelled differently"}


def map_in_view(graph: ArgumentGraph, view: MapView) -> ArgumentGraph:
    """The propositions and their relations (``argument``), or the whole map (``dialogue``).

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help"), build.locution("Ann: Masks help")
    >>> [node.type for node in map_in_view(build.graph(), "argument")]
    ['I']
    """
    if view == "dialogue":
        return graph
    shown = {node.id: node for node in graph if node.type == "I" or node.type in RELATIONS}
    edges = [edge for edge in graph.edges if edge.source in shown and edge.target in shown]
    return ArgumentGraph(shown.values(), edges, graph.meta, graph.name)


def drawing(shown: ArgumentGraph | Comparison, format: str, view: MapView = "argument") -> str | bytes:
    """A map, or two compared maps in one, as ``dot`` or ``mmd`` (text), ``svg``, ``png`` or ``pdf`` (bytes).

    Raises:
        MissingExtraError: a picture is requested and Graphviz is not installed.
        LimitError: Graphviz takes longer than two minutes.
        OptionError: another format.
    """
    if format not in ("dot", "mmd", *PICTURES):
        raise OptionError(f"no picture format {format!r}", remedy="choose from svg, png, pdf, dot, mmd")
    if isinstance(shown, Comparison):
        lines = _mermaid(shown, view) if format == "mmd" else _dot(shown, view)
        text = "\n".join(lines) + "\n"
    else:
        from aifgraph.formats.registry import codec

        text = codec("mermaid" if format == "mmd" else "dot").write(map_in_view(shown, view)).text
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no UTF-8
    return rendered(text, format) if format in PICTURES else text


def rendered(dot: str, format: str) -> bytes:
    """DOT as a picture, by Graphviz's ``dot``; the text goes in through its standard input only."""
    program = shutil.which("dot")
    if program is None:
        raise MissingExtraError(
            "Graphviz is not installed, and without it only .dot and .mmd are drawn",
            remedy="install it (apt install graphviz, brew install graphviz), or write map.dot or map.mmd",
        )
    try:
        done = subprocess.run(
            [program, f"-T{format}", "-Gcharset=utf8"],
            input=dot.encode("utf-8", "replace"),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LimitError(
            f"Graphviz took longer than {PATIENCE} seconds", remedy="draw the argument view, or a part of the map"
        ) from None
    if done.returncode or not done.stdout:
        message = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
        raise OptionError(f"Graphviz could not draw this: {message}", remedy="write map.dot and look at it")
    return done.stdout


def _dot(result: Comparison, view: MapView) -> Iterator[str]:
    merged = merged_map(result.alignment)
    shown = _shown(merged, view)
    yield "digraph comparison {"
    yield '  rankdir="BT";'
    yield '  node [fontname="Helvetica", fontsize="11", shape="box"];'
    for element in merged.elements:
        if element.number in shown:
            colour, style, pen, _ = _LOOKS[element.status]
            fill = COLOURS.get(element.kind, PLAIN)[1]
            shape = "box" if element.kind in ("I", "L") else "ellipse"
            double = ', peripheries="2"' if element.status in ("part", "different") else ""
            label = "\\n".join(_escaped(line) for line in _label(element))
            yield (
                f'  e{element.number} [label="{label}", color="{colour}", style="filled,{style}", penwidth="{pen}", '
                f'fillcolor="{fill}", shape="{shape}"{double}];'
            )
    for line in merged.lines:
        if line.source in shown and line.target in shown:
            colour, style, pen, _ = _LOOKS[line.status]
            yield f'  e{line.source} -> e{line.target} [color="{colour}", style="{style}", penwidth="{pen}"];'
    for element in merged.elements:
        if element.part_of is not None and element.number in shown:
            yield f'  e{element.number} -> e{element.part_of} [style="dotted", arrowhead="none", color="#5b6470"];'
    yield "}"


def _mermaid(result: Comparison, view: MapView) -> Iterator[str]:
    from aifgraph.formats.drawings import escaped

    merged = merged_map(result.alignment)
    shown = _shown(merged, view)
    yield "flowchart BT"
    for element in merged.elements:
        if element.number in shown:
            text = "<br>".join(escaped(line) for line in _label(element))
            box = f'["{text}"]' if element.kind in ("I", "L") else f'(["{text}"])'
            yield f"  e{element.number}{box}:::{element.status}"
    lines = [line for line in merged.lines if line.source in shown and line.target in shown]
    yield from (f"  e{line.source} --> e{line.target}" for line in lines)
    for number, line in enumerate(lines):
        colour, _, pen, dashes = _LOOKS[line.status]
        yield f"  linkStyle {number} stroke:{colour},stroke-width:{pen}px" + (
            f",stroke-dasharray:{dashes}" if dashes else ""
        )
    for status, (colour, _, pen, dashes) in _LOOKS.items():
        dashed = f",stroke-dasharray:{dashes}" if dashes else ""
        yield f"  classDef {status} stroke:{colour},stroke-width:{pen}px{dashed},fill:#fff,color:#000"


def _shown(merged: MergedMap, view: MapView) -> set[int]:
    return {each.number for each in merged.elements if view == "dialogue" or each.kind == "I" or each.kind in RELATIONS}


def _label(element: Element) -> list[str]:
    import textwrap

    members = [member for member in (element.first, element.second) if member is not None]
    if element.kind in ("I", "L"):
        member = members[0]
        speaker = f"{member.speaker}: " if member.speaker and member.kind == "I" else ""
        text = speaker + textwrap.shorten(" ".join(member.text.split()) or "(no text)", _LETTERS, placeholder=" …")
    else:
        names = dict.fromkeys(VERBS.get(member.kind, member.text or member.kind) for member in members)
        text = " / ".join(names)
    said = _SAYS.get(element.status)
    return [*(textwrap.wrap(text, _WIDTH) or [text]), *([f"({said})"] if said else [])]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
