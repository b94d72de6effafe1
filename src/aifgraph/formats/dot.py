"""Graphviz DOT: read and written with type, text and schemes of each node as attributes, and read as AIFdb draws it.

AIFdb's DOT has labels only, wrapped and with backslashes; what a node is, is inferred from its label then. Of the
language, nodes, edges and attributes are read, subgraphs read through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.drawings import colours, infer_types, label
from aifgraph.formats.files import Input
from aifgraph.formats.losses import EVERY_NODE
from aifgraph.formats.reading import add_edge, from_json, scheme_pairs
from aifgraph.formats.writing import NodeIds, as_json
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

    def sniff(self, file: Input) -> bool:
        return _GRAPH.match(file.data[:4096]) is not None

    def read(self, file: Input) -> ArgumentGraph:
        dot = parse_dot(file.text, file.name)
        if not any("aif_type" in attributes for attributes in dot.nodes.values()):
            nodes = {id_: (None, _label(attributes.get("label", id_))) for id_, attributes in dot.nodes.items()}
            return infer_types(nodes, [(a, b, None) for a, b, _ in dot.edges], file.name, form="dot")
        return _read(dot, file.name)

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
        edge_id = attributes.get("aif_id")
        add_edge(build, source, target, None if edge_id is None else _unquoted(edge_id))
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


_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<edge>->|--)
      | (?P<sign>[{}\[\];,=:+])
      | (?P<number>-?(?:\.\d+|\d+(?:\.\d*)?))
      | (?P<name>[^\W\d]\w*)
      | (?P<html><)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_MAX_DEPTH = 60
Attributes = dict[str, str]


@dataclass
class Dot:
    """What a DOT file says: attributes of nodes by id, and edges (from, to, attributes), both in order."""

    nodes: dict[str, Attributes] = field(default_factory=dict)
    edges: list[tuple[str, str, Attributes]] = field(default_factory=list)


def parse_dot(text: str, where: str) -> Dot:
    """The nodes and edges of a DOT file. Raises ``FormatError`` with the line.

    >>> parse_dot('digraph { a [label="x"]; a -> b -> c }', "a.dot").edges
    [('a', 'b', {}), ('b', 'c', {})]
    """
    return _Parser(text, where).parse()


class _Parser:
    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.place = 0
        self.dot = Dot()
        self.kind, self.value = "", ""
        self.quoted = False
        self.next()

    def next(self) -> None:
        """Step to the next token: its kind (``id``, ``sign``, ``edge`` or ``end``) and its value."""
        while True:
            if self.place >= len(self.text):
                self.kind, self.value = "end", ""
                return
            match = _TOKEN.match(self.text, self.place)
            if match is None:
                raise self.error(f"not DOT at {self.text[self.place : self.place + 20]!r}")
            kind, value = str(match.lastgroup), match.group()
            self.place = match.end()
            if kind == "skip":
                continue
            if kind == "html":
                value = self.html()
            elif kind == "string":
                value = re.sub(r'\\\r?\n|\\"', lambda each: '"' if each.group() == '\\"' else "", value[1:-1])
            self.quoted = kind == "string"
            self.kind, self.value = (kind if kind in ("sign", "edge") else "id"), value
            return

    def html(self) -> str:
        depth, start = 1, self.place
        while depth and self.place < len(self.text):
            depth += {"<": 1, ">": -1}.get(self.text[self.place], 0)
            self.place += 1
        if depth:
            raise self.error("an HTML label that does not end")
        return re.sub(r"<[^>]*>", " ", self.text[start : self.place - 1])

    def error(self, what: str) -> FormatError:
        line = self.text.count("\n", 0, self.place) + 1
        return FormatError(what, where=f"{self.where}, line {line}", remedy="give a Graphviz DOT file")

    def sign(self, value: str) -> bool:
        """Whether the token is this sign, stepping over it."""
        if self.kind == "sign" and self.value == value:
            self.next()
            return True
        return False

    def word(self, *values: str) -> bool:
        return self.kind == "id" and not self.quoted and self.value.lower() in values

    def id(self) -> str:
        if self.kind != "id":
            raise self.error(f"{self.value or 'the end of the file'} where a name was expected")
        parts = [self.value]
        self.next()
        while self.kind == "sign" and self.value == "+":
            self.next()
            parts.append(self.value)
            self.next()
        return "".join(parts)

    def parse(self) -> Dot:
        if self.word("strict"):
            self.next()
        if not self.word("graph", "digraph"):
            raise self.error("no graph or digraph")
        self.next()
        if self.kind == "id":
            self.id()
        self.body({}, {}, 0)
        return self.dot

    def body(self, node_defaults: Attributes, edge_defaults: Attributes, depth: int) -> list[str]:
        """Statements in braces; gives the nodes that they name."""
        if depth > _MAX_DEPTH:
            raise LimitError(f"subgraphs nested more than {_MAX_DEPTH} deep", where=self.where)
        if not self.sign("{"):
            raise self.error("no { where a graph begins")
        nodes, edges = dict(node_defaults), dict(edge_defaults)
        named: list[str] = []
        while not self.sign("}"):
            if self.kind == "end":
                raise self.error("the file ends inside a graph")
            if self.sign(";") or self.sign(","):
                continue
            if self.word("graph", "node", "edge"):
                which = self.value.lower()
                self.next()
                {"graph": {}, "node": nodes, "edge": edges}[which].update(self.attributes())
                continue
            named += self.statement(nodes, edges, depth)
        return named

    def statement(self, nodes: Attributes, edges: Attributes, depth: int) -> list[str]:
        ends, single = self.end_point(nodes, edges, depth)
        if single and self.sign("="):
            self.id()
            return []
        chain = [ends]
        while self.kind == "edge":
            self.next()
            chain.append(self.end_point(nodes, edges, depth)[0])
        own = self.attributes()
        if len(chain) == 1 and single:
            self.dot.nodes.setdefault(ends[0], dict(nodes)).update(own)
        for group in chain:
            for id_ in group:
                self.dot.nodes.setdefault(id_, dict(nodes))
        for before, after in pairwise(chain):
            self.dot.edges += [(a, b, edges | own) for a in before for b in after]
        return [id_ for group in chain for id_ in group]

    def end_point(self, nodes: Attributes, edges: Attributes, depth: int) -> tuple[list[str], bool]:
        """A node, or the nodes of a subgraph; and whether it is a single name."""
        if self.word("subgraph"):
            self.next()
            if self.kind == "id":
                self.id()
        if self.kind == "sign" and self.value == "{":
            return list(dict.fromkeys(self.body(nodes, edges, depth + 1))), False
        name = self.id()
        for _ in range(2):  # a port, and its compass point
            if self.sign(":"):
                self.id()
        return [name], True

    def attributes(self) -> Attributes:
        attributes: Attributes = {}
        while self.sign("["):
            while not self.sign("]"):
                if self.sign(",") or self.sign(";"):
                    continue
                key = self.id()
                attributes[key] = self.id() if self.sign("=") else "true"
        return attributes
