"""D2 diagrams: written only."""

from __future__ import annotations

from aifgraph.formats.codec import WriteOnly, Written
from aifgraph.formats.contents import EVERY_NODE, Account, not_held
from aifgraph.formats.drawings.style import colours, label
from aifgraph.graph import ArgumentGraph, SchemeNode

_HOLDS = EVERY_NODE | {"node ids", "labels of scheme nodes"}


class D2(WriteOnly):
    """Boxes and ovals by the ids of their nodes."""

    name = "d2"
    title = "D2 diagram"
    suffixes: tuple[str, ...] = (".d2",)
    loses: tuple[str, ...] = not_held(_HOLDS)

    def write(self, graph: ArgumentGraph) -> Written:
        account = Account(graph, _HOLDS)
        account.everything()
        lines = ["direction: up"]
        for node in graph:
            border, fill = colours(node)
            shape = "oval" if isinstance(node, SchemeNode) else "rectangle"
            style = f'shape: {shape}; style.stroke: "{border}"; style.fill: "{fill}"'
            text = "\\n".join(_escaped(line) for line in label(node))
            lines.append(f'{_quoted(node.id)}: "{text}" {{{style}}}')
        lines += (f"{_quoted(edge.source)} -> {_quoted(edge.target)}" for edge in graph.edges)
        return Written("\n".join(lines) + "\n", account.report())


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")


def _quoted(text: str) -> str:
    return '"' + _escaped(text).replace("\n", "\\n") + '"'
