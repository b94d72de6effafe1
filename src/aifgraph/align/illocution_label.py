"""How an illocution's label is decided (docs/measures.md, section 0)."""

from __future__ import annotations

from aifgraph.graph.nodes import Node


def illocution_label(node: Node) -> str:
    """The label of a YA-node: its text; the name of its first scheme if that is empty or ``YA``; else ``YA``.

    Labels are compared by their letters (``aifgraph.graph.schemes.letters``); see ``SideLinks.label_names``.
    """
    text = node.text.strip()
    if text and text.upper() != "YA":
        return text
    return next((scheme.name for scheme in node.schemes[:1] if scheme.name), "YA")
