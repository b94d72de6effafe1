"""Mermaid flowcharts, written only; and how each type of node looks in a drawing."""

from __future__ import annotations

import textwrap
from typing import Final

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.losses import EVERY_NODE
from aifgraph.graph import ArgumentGraph, Node, SchemeNode

#: Type → (border, fill), the colours that AIFdb draws in.
COLOURS: Final = {
    "I": ("#3498DB", "#DDEEF9"),
    "L": ("#3498DB", "#DDEEF9"),
    "RA": ("#2ECC71", "#DEF8E9"),
    "CA": ("#E74C3C", "#FBDEDB"),
    "MA": ("#E67E22", "#FBEADB"),
    "PA": ("#3498DB", "#DDEEF9"),
    "YA": ("#F1C40F", "#FDF6D9"),
    "TA": ("#9B59B6", "#EEE3F3"),
}
PLAIN: Final = ("#7F8C8D", "#ECF0F1")


def colours(node: Node) -> tuple[str, str]:
    """Border and fill of a node."""
    return COLOURS.get(node.type, PLAIN)


def label(node: Node, width: int = 40) -> list[str]:
    """The text of a node as lines of a drawing; an S-node without text shows its type."""
    text = node.text if node.text.strip() else node.type
    return textwrap.wrap(" ".join(text.split()), width) or [node.type]


class Mermaid(Codec):
    """A flowchart from premises up to conclusions."""

    name = "mermaid"
    title = "Mermaid flowchart"
    suffixes = (".mmd", ".mermaid")
    reads = False
    supports = EVERY_NODE | {"labels of scheme nodes"}

    def write(self, graph: ArgumentGraph) -> Written:
        ids = {node.id: f"n{number}" for number, node in enumerate(graph, 1)}
        lines = ["flowchart BT"]
        used: dict[str, None] = {}
        for node in graph:
            kind = node.type if node.type in COLOURS else "other"
            used[kind] = None
            text = "<br>".join(escaped(line) for line in label(node))
            shown = f'(["{text}"])' if isinstance(node, SchemeNode) else f'["{text}"]'
            lines.append(f"  {ids[node.id]}{shown}:::{kind}")
        lines += (f"  {ids[edge.source]} --> {ids[edge.target]}" for edge in graph.edges)
        for kind in used:
            border, fill = COLOURS.get(kind, PLAIN)
            lines.append(f"  classDef {kind} stroke:{border},fill:{fill},color:#000")
        return Written("\n".join(lines) + "\n")


def escaped(text: str) -> str:
    """Mermaid's entities are HTML's with # in the place of &."""
    for char, code in (("#", "#35;"), ("&", "#38;"), ('"', "#34;"), ("<", "#60;"), (">", "#62;"), ("`", "#96;")):
        text = text.replace(char, code)
    return text
