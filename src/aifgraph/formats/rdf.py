"""RDF in six syntaxes: Turtle, RDF/XML, N-Triples, JSON-LD, and TriG and N-Quads, where a map is a named graph."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from aifgraph.graph import ArgumentGraph


@dataclass(frozen=True, slots=True)
class Rdf:
    """A syntax of RDF: its name, the suffix of its files, and what tells that a document is written in it."""

    name: str
    suffix: str
    sniff: Callable[[Any], bool]

    def read(self, document: Any, name: str, text: str | None = None) -> ArgumentGraph:
        """Read the one map of a document."""
        from aifgraph.rdf import read_map

        text = json.dumps(document) if self.suffix == "jsonld" else document
        return read_map(text, self.suffix, name).with_meta(form=self.name)

    def write(self, graph: ArgumentGraph, *, base: str | None = None) -> str:
        """Write a map, its own IRIs under ``base``."""
        from aifgraph.rdf import write_map, write_maps
        from aifgraph.rdf.terms import map_names

        if self.suffix not in ("trig", "nq"):
            return write_map(graph, self.suffix, base=base).decode()
        file = BytesIO()
        write_maps([(graph, map_names(graph, base=base))], file, self.suffix)
        return file.getvalue().decode()


#: One statement: three terms, and in N-Quads the graph.
_TERM: Final = r"(?:<[^<>\s]*+>|_:\S++)"
_STATEMENT: Final = re.compile(
    rf"(?:\s*+#[^\n]*+\n)*+\s*+{_TERM}\s++<[^<>\s]*+>\s++"
    rf'(?:{_TERM}|"(?:[^"\\]|\\.)*+"(?:@[\w-]++|\^\^<[^<>\s]*+>)?+)\s*+(?P<graph>{_TERM})?+\s*+\.'
)
_PREFIX: Final = re.compile(r"^[^\S\n]*+@?prefix\s++[\w.-]*:\s*<[^<>\s]*>", re.IGNORECASE | re.MULTILINE)
_NAMED: Final = re.compile(r"^(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w.-]*:[\w.:%\\/-]*)\s*\{", re.IGNORECASE | re.MULTILINE)


def _is_turtle(text: str, named: bool) -> bool:
    head = text[:4096]
    return "aif" in head and _PREFIX.search(head) is not None and (_NAMED.search(head) is not None) == named


def _is_statement(text: str, named: bool) -> bool:
    statement = _STATEMENT.match(text[: 1 << 20])
    return statement is not None and (statement["graph"] is not None) == named


def _is_json_ld(document: Any) -> bool:
    first = document[0] if isinstance(document, list) and document else document
    return isinstance(first, dict) and any(key in first for key in ("@context", "@graph", "@id"))


turtle = Rdf("turtle", "ttl", lambda text: _is_turtle(text, named=False))
trig = Rdf("trig", "trig", lambda text: _is_turtle(text, named=True))
rdfxml = Rdf("rdfxml", "rdf", lambda text: re.search(r"<(?:\w+:)?RDF[\s>]", text[:4096]) is not None)
ntriples = Rdf("ntriples", "nt", lambda text: _is_statement(text, named=False))
nquads = Rdf("nquads", "nq", lambda text: _is_statement(text, named=True))
jsonld = Rdf("jsonld", "jsonld", _is_json_ld)
