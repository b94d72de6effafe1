"""Graphviz DOT, written only, with type, text and schemes of each node as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.drawings import colours, label
from aifgraph.formats.writing import NodeIds, as_json
from aifgraph.formats.xml import unwritable
from aifgraph.graph import ArgumentGraph, Node, SchemeNode


class DotFormat(Codec):
    """One graph a file."""

    name = "dot"
    title = "Graphviz DOT"
    suffixes = (".dot", ".gv")
    reads = False

    def write(self, graph: ArgumentGraph) -> Written:
        return Written(dot_text(graph))


#: Graphviz's attributes of a node or an edge.
Looks = Mapping[str, str]


def dot_text(
    graph: ArgumentGraph, nodes: Mapping[str, Looks] | None = None, edges: Mapping[tuple[str, str], Looks] | None = None
) -> str:
    """A graph in DOT; ``nodes`` and ``edges`` are looks in place of the default ones, by id and by ids of the ends."""
    return "".join(_lines(graph, NodeIds(graph, _is_id), nodes or {}, edges or {}))


def _is_id(text: str) -> bool:
    return "\\" not in text and not unwritable(text)


def _lines(
    graph: ArgumentGraph, ids: NodeIds, node_looks: Mapping[str, Looks], edge_looks: Mapping[tuple[str, str], Looks]
) -> Iterator[str]:
    name = graph.name.replace("\\", "/") or "map"
    yield f"digraph {_quoted(name)} {{\n"
    yield '  rankdir="BT";\n  node [fontname="Helvetica", fontsize="11", style="filled", shape="box"];\n'
    for node in graph:
        yield f"  {_quoted(ids.take(node))} [{_attributes(node, node_looks.get(node.id, {}))}];\n"
    for edge in graph.edges:
        parts = [f"aif_id={_json(as_json(edge.id)[1:-1])}"] if edge.id is not None else []
        parts += _looks(edge_looks.get((edge.source, edge.target), {}))
        attributes = f" [{', '.join(parts)}]" if parts else ""
        yield f"  {_quoted(ids[edge.source])} -> {_quoted(ids[edge.target])}{attributes};\n"
    yield "}\n"


def _looks(looks: Looks) -> list[str]:
    return [f"{name}={_quoted(value)}" for name, value in looks.items()]


def _attributes(node: Node, looks: Looks) -> str:
    border, fill = colours(node)
    shown = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in label(node))
    parts = [f'label="{shown}"', f"aif_type={_quoted(node.type)}", f"aif_text={_json(as_json(node.text)[1:-1])}"]
    if node.schemes:
        parts.append(f"aif_schemes={_json(as_json([list(scheme) for scheme in node.schemes]))}")
    if node.timestamp is not None:
        parts.append(f"aif_timestamp={_json(as_json(node.timestamp)[1:-1])}")
    shape = {"shape": "ellipse"} if isinstance(node, SchemeNode) else {}
    return ", ".join([*parts, *_looks({"color": border, "fillcolor": fill, **shape, **looks})])


def _quoted(text: str) -> str:
    # In DOT only the quote is escaped; a backslash stands for itself (and so cannot be the last character).
    return '"' + text.replace('"', '\\"') + '"'


def _json(text: str) -> str:
    """JSON inside a DOT string: its escaped quotes and backslashes as numbers, which DOT does not touch."""
    return _quoted(text.replace("\\\\", "\\u005c").replace('\\"', "\\u0022"))
