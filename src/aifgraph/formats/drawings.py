"""How nodes look in drawings: the colours that AIFdb draws in, Mermaid flowcharts (written only), and the types of
nodes inferred from a drawing that does not say them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Final

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.reading import add_edge
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, SchemeNode
from aifgraph.graph.schemes import DEFAULT_TEXTS, catalogue, fold_name

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


def infer_types(
    nodes: Mapping[str, tuple[str | None, str]],
    edges: Iterable[tuple[str, str, str | None]],
    where: str,
    *,
    form: str,
    repaired: bool = False,
) -> ArgumentGraph:
    """The graph of nodes (id → type where it is known, text) and edges (from, to, id), with a notice.

    A node whose label is that of a scheme and that has edges is an S-node; one that leads to an illocution or stands in
    a transition is a locution; any other is a proposition.
    """
    listed = list(edges)
    joined = {end for source, target, _ in listed for end in (source, target)}
    kinds = {
        id_: kind or (_kind_of_label(text) if id_ in joined else None) or "" for id_, (kind, text) in nodes.items()
    }
    for source, target, _ in listed:
        if not kinds[source] and kinds[target] in ("YA", "TA"):
            kinds[source] = "L"
        if not kinds[target] and kinds[source] == "TA":
            kinds[target] = "L"
    build = GraphBuilder(name=where)
    for id_, (_, text) in nodes.items():
        build.node(kinds[id_] or "I", text, id=id_)
    unknown = sum(kind is None for kind, _ in nodes.values())
    if unknown:
        build.notice("types-guessed", f"the file does not say the types of {unknown} nodes: inferred from the drawing")
    if repaired:
        build.notice("labels-repaired", "the file does not escape its labels: read with & and < taken as text")
    for source, target, edge_id in listed:
        add_edge(build, source, target, edge_id)
    return build.graph(form=form)


_DEFAULTS = {fold_name(text): kind for kind, text in DEFAULT_TEXTS.items()} | {
    fold_name(kind): kind for kind in DEFAULT_TEXTS
}


def _kind_of_label(text: str) -> str | None:
    name = fold_name(text)
    if name in _DEFAULTS:
        return _DEFAULTS[name]
    kinds = {row.kind for row in catalogue().values() if fold_name(row.name) == name}
    return kinds.pop() if len(kinds) == 1 else None
