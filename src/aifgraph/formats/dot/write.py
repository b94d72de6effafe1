"""Graphviz DOT: read and written with type, text and schemes of each node as attributes, and read as AIFdb draws it.

AIFdb's DOT has labels only, wrapped and with backslashes; what a node is, is guessed from its label then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.detection import guessed
from aifgraph.formats.dot.read import Dot, parse_dot
from aifgraph.formats.drawings import colours, label
from aifgraph.formats.files import Input
from aifgraph.formats.json_fields import as_json, from_json, scheme_pairs
from aifgraph.formats.losses import EVERY_NODE
from aifgraph.formats.writing import NodeIds
from aifgraph.formats.xml import unwritable
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, SchemeNode

_GRAPH = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s|//[^\n]*\n|/\*.*?\*/|#[^\n]*\n)*+(?:strict\s+)?(?:di)?graph\b[^;\[\]=]{0,300}?\{",
    re.DOTALL,
)


class DotFormat(Codec):
    """One graph a file."""

    name = "dot"
    title = "Graphviz DOT"
    suffixes = (".dot", ".gv")
    supports = EVERY_NODE | {"node ids", "labels of scheme nodes", "schemes", "timestamps", "edge ids"}

    def sniff(self, given: Input) -> bool:
        return _GRAPH.match(given.data[:4096]) is not None

    def read(self, given: Input) -> ArgumentGraph:
        dot = parse_dot(given.text, given.name)
        if not any("aif_type" in attributes for attributes in dot.nodes.values()):
            nodes = {id_: (None, _label(attributes.get("label", id_))) for id_, attributes in dot.nodes.items()}
            return guessed(nodes, [(a, b, None) for a, b, _ in dot.edges], given.name, form="dot")
        return _read(dot, given.name)

    def write(self, graph: ArgumentGraph) -> Written:
        return Written(dot_text(graph))


#: Graphviz's attributes of a node or an edge.
Looks = Mapping[str, str]


def dot_text(
    graph: ArgumentGraph, nodes: Mapping[str, Looks] | None = None, edges: Mapping[tuple[str, str], Looks] | None = None
) -> str:
    """A graph in DOT; ``nodes`` and ``edges`` are looks in place of the usual ones, by id and by ids of the ends."""
    return "".join(_lines(graph, NodeIds(graph, _is_id), nodes or {}, edges or {}))


def _is_id(text: str) -> bool:
    return "\\" not in text and not unwritable(text)


def _label(text: str) -> str:
    """A label as it reads: line breaks and alignment escapes are blanks, other backslashes mean what follows them."""
    return " ".join(re.sub(r"\\(.)", lambda match: " " if match.group(1) in "nlr" else match.group(1), text).split())


def _read(dot: Dot, where: str) -> ArgumentGraph:
    build = GraphBuilder(name=where)
    for id_, attributes in dot.nodes.items():
        text = attributes.get("aif_text")
        schemes = scheme_pairs(from_json(attributes.get("aif_schemes", "[]"), list, where), where)
        time = attributes.get("aif_timestamp")
        record = {} if time is None else {"timestamp": _unquoted(time)}
        build.node(
            attributes.get("aif_type", "I"),
            _label(attributes.get("label", "")) if text is None else _unquoted(text),
            id=id_,
            schemes=schemes,
            record=record,
        )
    for source, target, attributes in dot.edges:
        if source == target or build.has_edge(source, target):
            build.notice("edge-repeated", f"the edge {source} → {target} is a loop or given twice: left out", source)
        else:
            edge_id = attributes.get("aif_id")
            build.edge(source, target, id=None if edge_id is None else _unquoted(edge_id))
    return build.graph(form="dot")


def _unquoted(text: str) -> str:
    """An attribute of ours: JSON's escapes without its quotes."""
    try:
        return str(from_json(f'["{text}"]', list, "")[0])
    except Exception:  # edited by hand
        return text


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
