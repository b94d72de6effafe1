"""A reader for Graphviz's DOT language: nodes, edges and their attributes; subgraphs are read through."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from aifgraph.errors import FormatError, LimitError

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
            found = _TOKEN.match(self.text, self.place)
            if found is None:
                raise self.error(f"not DOT at {self.text[self.place : self.place + 20]!r}")
            kind, value = str(found.lastgroup), found.group()
            self.place = found.end()
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
        given = self.attributes()
        if len(chain) == 1 and single:
            self.dot.nodes.setdefault(ends[0], dict(nodes)).update(given)
        for group in chain:
            for id_ in group:
                self.dot.nodes.setdefault(id_, dict(nodes))
        for before, after in pairwise(chain):
            self.dot.edges += [(a, b, edges | given) for a in before for b in after]
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
