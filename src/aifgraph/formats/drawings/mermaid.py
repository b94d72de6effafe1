"""Mermaid flowcharts, for README files and notebooks: written only."""

from __future__ import annotations

from aifgraph.formats.codec import WriteOnly, Written
from aifgraph.formats.contents import EVERY_NODE, Account, not_held
from aifgraph.formats.drawings.style import COLOURS, PLAIN, label
from aifgraph.graph import ArgumentGraph, SchemeNode

_HOLDS = EVERY_NODE | {"labels of scheme nodes"}


class Mermaid(WriteOnly):
    """A flowchart from premises up to conclusions."""

    name = "mermaid"
    title = "Mermaid flowchart"
    suffixes: tuple[str, ...] = (".mmd", ".mermaid")
    loses: tuple[str, ...] = not_held(_HOLDS)

    def write(self, graph: ArgumentGraph) -> Written:
        account = Account(graph, _HOLDS)
        account.everything()
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
        return Written("\n".join(lines) + "\n", account.report())


def escaped(text: str) -> str:
    """Mermaid's entities are HTML's with # in the place of &."""
    for char, code in (("#", "#35;"), ("&", "#38;"), ('"', "#34;"), ("<", "#60;"), (">", "#62;"), ("`", "#96;")):
        text = text.replace(char, code)
    return text
