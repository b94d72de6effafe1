"""RDF in four syntaxes: Turtle, RDF/XML, N-Triples, JSON-LD. Written in the profile ``full``, which loses nothing;
read in any (see ``aifgraph.interop.rdf``).

Nothing outside the document is ever fetched: a remote JSON-LD context, an external entity and an entity that swells are
refused. AIFdb's RDF/XML declares short entities for its namespaces, and these are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.codec import Codec, LossReport, Written
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf.vocabulary import context

_REMEDY = "give RDF with AIF nodes (http://www.arg.tech/aif#)"


class _Rdf(Codec):
    """What the four have in common."""

    syntax = ""

    def check(self, given: Input) -> str:
        """The text, after a look for what may not be in it."""
        return given.text

    def read(self, given: Input) -> ArgumentGraph:
        import logging

        import rdflib

        from aifgraph.interop.rdf import from_rdf

        text = self.check(given)
        # rdflib logs every malformed literal with a traceback; what matters here is reported below.
        logging.getLogger("rdflib").setLevel(logging.CRITICAL)
        rdf = rdflib.Graph()
        try:
            rdf.parse(data=text, format=self.syntax)
        except RecursionError:
            raise LimitError("nested too deeply", where=given.name, remedy=_REMEDY) from None
        except Exception as error:  # rdflib's parsers raise whatever they stumble over
            first = str(error).strip().splitlines() or [type(error).__name__]
            raise FormatError(f"not {self.title}: {first[0][:120]}", where=given.name, remedy=_REMEDY) from None
        graph = from_rdf(rdf, name=given.name)
        if not len(graph) and not graph.meta.document and len(rdf) and not _has_map(rdf):
            raise FormatError("no AIF node in it", where=given.name, remedy=_REMEDY)
        return graph

    def write(self, graph: ArgumentGraph) -> Written:
        from aifgraph.interop.rdf import to_rdf

        text = to_rdf(graph).serialize(format=self.syntax)
        return Written(text if text.endswith("\n") else text + "\n", LossReport())


def _has_map(rdf: Any) -> bool:
    from aifgraph.interop.rdf.full import is_full

    return is_full(rdf)


class Turtle(_Rdf):
    """Turtle."""

    name = "turtle"
    title = "Turtle (RDF)"
    syntax = "turtle"
    suffixes = (".ttl",)

    def sniff(self, given: Input) -> bool:
        head = _head(given)
        return re.search(r"^\s*@?prefix\s+[\w.-]*:\s*<[^<>\s]*>", head, re.I | re.M) is not None and "aif" in head


class NTriples(_Rdf):
    """N-Triples."""

    name = "ntriples"
    title = "N-Triples (RDF)"
    syntax = "nt"
    suffixes = (".nt",)

    def sniff(self, given: Input) -> bool:
        head = _head(given)
        return re.match(r"(?:\s*#[^\n]*\n)*\s*(?:<[^<>\s]+>|_:\w+)\s+<[^<>\s]+>\s+[<\"_]", head) is not None


class RdfXml(_Rdf):
    """RDF/XML, as AIFdb's ``/rdf/ID`` gives it."""

    name = "rdfxml"
    title = "RDF/XML"
    syntax = "xml"
    suffixes = (".rdf", ".owl")

    def sniff(self, given: Input) -> bool:
        head = _head(given)
        return head.lstrip().startswith("<") and re.search(r"<(?:\w+:)?RDF[\s>]", head) is not None

    def check(self, given: Input) -> str:
        text = given.text
        if "<!ENTITY" in text:
            declared = text[: text.find("]>") + 2] if "]>" in text else text
            plain = re.findall(r"<!ENTITY\s+[\w.-]+\s+(?:\"[^\"&%<]{0,200}\"|'[^'&%<]{0,200}')\s*>", declared)
            if len(plain) != text.count("<!ENTITY") or len(plain) > 50:
                what = "an entity that is external, or made of entities"
                raise FormatError(what, where=given.name, remedy="give RDF/XML without such entities")
        if re.search(r"<!DOCTYPE[^\[>]*\b(?:SYSTEM|PUBLIC)\b", text[:100_000]):
            raise FormatError("an external document type", where=given.name, remedy="leave the DOCTYPE out")
        return text


class JsonLd(_Rdf):
    """JSON-LD, with its context in it (the one in ``schemas/aif-context.jsonld``)."""

    name = "jsonld"
    title = "JSON-LD"
    syntax = "json-ld"
    suffixes = (".jsonld",)

    def sniff(self, given: Input) -> bool:
        if b'"@' not in given.data:
            return False
        try:
            document = given.json
        except Exception:  # whatever it is, it is not this
            return False
        first = document[0] if isinstance(document, list) and document else document
        return isinstance(first, dict) and any(key in first for key in ("@context", "@graph", "@id"))

    def check(self, given: Input) -> str:
        for value in _contexts(given.json):
            if isinstance(value, str) or (isinstance(value, dict) and "@import" in value):
                raise FormatError("a context elsewhere", where=given.name, remedy="put the @context into the document")
        return given.text

    def write(self, graph: ArgumentGraph) -> Written:
        from aifgraph.interop.rdf import to_rdf

        text = to_rdf(graph).serialize(format=self.syntax, context=context(), auto_compact=False)
        # Some versions of rdflib escape nothing, some everything: one look for all.
        return Written(json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n", LossReport())


def _contexts(document: Any) -> Iterator[Any]:
    """Every value of ``@context``, lists taken apart, without recursion."""
    stack = [document]
    while stack:
        here = stack.pop()
        if isinstance(here, list):
            stack += here
        elif isinstance(here, dict):
            for key, value in here.items():
                if key == "@context":
                    yield from value if isinstance(value, list) else [value]
                stack.append(value)


def _head(given: Input) -> str:
    return given.data[:4096].decode("utf-8", "replace").lstrip("\ufeff")
