"""RDF in six syntaxes: Turtle, RDF/XML, N-Triples, JSON-LD, and TriG and N-Quads, where a map is a named graph."""

from __future__ import annotations

import re
from typing import Final

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph


class _Rdf(Codec):
    """What all have in common; ``suffixes`` begin with the name of the syntax."""

    def read(self, file: Input) -> ArgumentGraph:
        from aifgraph.rdf import read_map

        return read_map(file.text, self.suffixes[0][1:], file.name)

    def write(self, graph: ArgumentGraph, *, base: str | None = None) -> Written:
        """A map, own IRIs under ``base``."""
        from aifgraph.rdf import write_map

        return Written(write_map(graph, self.suffixes[0][1:], base=base).decode())


class _Quads(_Rdf):
    """Named graphs, one a map."""

    def write(self, graph: ArgumentGraph, *, base: str | None = None) -> Written:
        """A map, own IRIs under ``base``."""
        from io import BytesIO

        from aifgraph.rdf import write_maps
        from aifgraph.rdf.terms import map_names

        file = BytesIO()
        write_maps([(graph, map_names(graph, base=base))], file, self.suffixes[0][1:])
        return Written(file.getvalue().decode())


class Turtle(_Rdf):
    """Turtle."""

    name = "turtle"
    title = "Turtle (RDF)"
    suffixes = (".ttl",)

    def sniff(self, file: Input) -> bool:
        return _has_prefixes(file) and not _has_named_graph(file)


class TriG(_Quads):
    """Turtle with named graphs."""

    name = "trig"
    title = "TriG (RDF, a named graph a map)"
    suffixes = (".trig",)

    def sniff(self, file: Input) -> bool:
        return _has_prefixes(file) and _has_named_graph(file)


def _has_prefixes(file: Input) -> bool:
    head = _head(file)
    return re.search(r"^\s*@?prefix\s+[\w.-]*:\s*<[^<>\s]*>", head, re.I | re.M) is not None and "aif" in head


def _has_named_graph(file: Input) -> bool:
    return re.search(r"^(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w.-]*:[\w.:%\\/-]*)\s*\{", _head(file), re.I | re.M) is not None


# One statement: three terms, and in N-Quads the graph.
_TERM = r"(?:<[^<>\s]*+>|_:\S++)"
_STATEMENT: Final = re.compile(
    rf"(?:\s*+#[^\n]*+\n)*+\s*+{_TERM}\s++<[^<>\s]*+>\s++"
    rf'(?:{_TERM}|"(?:[^"\\]|\\.)*+"(?:@[\w-]++|\^\^<[^<>\s]*+>)?+)\s*+(?P<graph>{_TERM})?+\s*+\.'
)


def _statement(file: Input) -> re.Match[str] | None:
    """The first statement of N-Triples or N-Quads."""
    return _STATEMENT.match(file.data[: 1 << 20].decode("utf-8", "replace").lstrip("\ufeff"))


class NTriples(_Rdf):
    """N-Triples."""

    name = "ntriples"
    title = "N-Triples (RDF)"
    suffixes = (".nt",)

    def sniff(self, file: Input) -> bool:
        statement = _statement(file)
        return statement is not None and statement["graph"] is None


class NQuads(_Quads):
    """N-Triples with named graphs."""

    name = "nquads"
    title = "N-Quads (RDF, a named graph a map)"
    suffixes = (".nq",)

    def sniff(self, file: Input) -> bool:
        statement = _statement(file)
        return statement is not None and statement["graph"] is not None


class RdfXml(_Rdf):
    """RDF/XML, as AIFdb's ``/rdf/ID`` gives it."""

    name = "rdfxml"
    title = "RDF/XML"
    suffixes = (".rdf", ".owl")

    def sniff(self, file: Input) -> bool:
        head = _head(file)
        return head.lstrip().startswith("<") and re.search(r"<(?:\w+:)?RDF[\s>]", head) is not None


class JsonLd(_Rdf):
    """JSON-LD, with its context in it."""

    name = "jsonld"
    title = "JSON-LD"
    suffixes = (".jsonld",)

    def sniff(self, file: Input) -> bool:
        if b'"@' not in file.data:
            return False
        try:
            document = file.json
        except Exception:  # whatever it is, it is not this
            return False
        first = document[0] if isinstance(document, list) and document else document
        return isinstance(first, dict) and any(key in first for key in ("@context", "@graph", "@id"))


def _head(file: Input) -> str:
    return file.data[:4096].decode("utf-8", "replace").lstrip("\ufeff")
