"""How an illocution's label is decided (docs/measures.md, section 0)."""

from __future__ import annotations

import re
from functools import lru_cache

from aifgraph.graph.nodes import Node, Scheme

#: What tools write where nobody chose a label: the bare type, or the type with a number of theirs (``YA_3f9c``).
_NO_LABEL = re.compile(r"(YA(_[0-9a-f]+)?)?", re.ASCII | re.IGNORECASE)


def illocution_label(node: Node) -> str:
    """The label of a YA-node: its text; the name of its first scheme if the text says nothing; else ``YA``.

    Labels are compared by their letters (``aifgraph.graph.schemes.letters``); see ``SideLinks.label_names``.
    """
    return label_of(node.text, node.schemes)


@lru_cache(maxsize=4096)  # a map has many nodes and few labels
def label_of(text: str, schemes: tuple[Scheme, ...]) -> str:
    """The label of a YA-node of this text and these schemes."""
    text = text.strip()
    if not _NO_LABEL.fullmatch(text):
        return text
    return next((scheme.name for scheme in schemes[:1] if scheme.name), "YA")
