"""What the formats for drawings share: how each type of node looks, and texts wrapped to a width."""

from __future__ import annotations

import textwrap
from typing import Final

from aifgraph.graph import Node

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
