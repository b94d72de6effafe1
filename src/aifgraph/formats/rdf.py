"""RDF in six syntaxes: Turtle, RDF/XML, N-Triples, JSON-LD, and TriG and N-Quads, where a map is a named graph. Written
in the profile ``full``, which says all of the model, or in another that is named; read in any
(``aifgraph.interop.rdf``).

Nothing outside the document is ever fetched: a remote JSON-LD context, an external entity and an entity that swells are
refused. AIFdb's RDF/XML declares short entities for its namespaces, and these are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import XMLFilterBase

from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, json_text
from aifgraph.graph import ArgumentGraph

if TYPE_CHECKING:
    import rdflib

    from aifgraph.interop.rdf.write import Triple

_REMEDY = "give RDF with AIF nodes (http://www.arg.tech/aif#)"


class _Rdf(Codec):
    """What all have in common."""

    syntax = ""

    def check(self, file: Input) -> str:
        """The text, after a look for what may not be in it."""
        return file.text

    def parse(self, text: str) -> Any:
        """The triples as an rdflib graph."""
        import rdflib

        return rdflib.Graph().parse(data=text, format=self.syntax)

    def read(self, file: Input) -> ArgumentGraph:
        import logging

        from aifgraph.interop.rdf.read import from_rdf, is_full
        from aifgraph.interop.rdf.store import quiet_rdflib

        text = self.check(file)
        # rdflib logs every malformed literal with a traceback; what matters here is reported below.
        logging.getLogger("rdflib").setLevel(logging.CRITICAL)
        try:
            with quiet_rdflib():
                rdf = self.parse(text)
        except RecursionError:
            raise LimitError("nested too deeply", where=file.name, remedy=_REMEDY) from None
        except InputError as error:
            raise FormatError(error.what, where=file.name, remedy=error.remedy) from None
        except Exception as error:  # rdflib's parsers raise whatever they stumble over
            first = str(error).strip().splitlines() or [type(error).__name__]
            raise FormatError(f"not {self.title}: {first[0][:120]}", where=file.name, remedy=_REMEDY) from None
        graph = from_rdf(rdf, name=file.name)
        if not len(graph) and len(rdf) and not is_full(rdf):
            raise FormatError("no AIF node in it", where=file.name, remedy=_REMEDY)
        return graph

    def write(
        self,
        graph: ArgumentGraph,
        *,
        profile: str = "full",
        base: str | None = None,
        corpus: str | None = None,
        namespace: str = "arg.tech",
    ) -> Written:
        """A map in a ``profile``, own IRIs under ``base``; a map of a ``corpus`` has the name it has there."""
        from aifgraph.interop.rdf.store import quiet_rdflib
        from aifgraph.interop.rdf.terms import map_names
        from aifgraph.interop.rdf.write import prefixes, triples

        names = map_names(graph, base=base, name=None if corpus is None else graph.name, corpus=corpus)
        found = triples(graph, profile, names, namespace)
        with quiet_rdflib():
            text = self.text(found, prefixes(names, namespace), names.iri)
        return Written(text)

    def text(self, found: Collection[Triple], prefixes: Mapping[str, str], iri: str) -> str:
        """The triples of a map with that IRI in this syntax."""
        import rdflib

        from aifgraph.interop.rdf.write import as_terms

        # This store gives triples in the order in which they were put in: the same map is the same bytes.
        rdf = rdflib.Graph(store="SimpleMemory", identifier=iri)
        for prefix, space in prefixes.items():
            rdf.bind(prefix, space, override=True, replace=True)
        rdf.addN((*triple, rdf) for triple in as_terms(found))
        return self.serialize(rdf, prefixes)

    def serialize(self, rdf: rdflib.Graph, prefixes: Mapping[str, str]) -> str:
        """The text of triples that rdflib writes."""
        return rdf.serialize(format=self.syntax)


class _Quads(_Rdf):
    """Named graphs, one a map."""

    def parse(self, text: str) -> Any:
        import rdflib

        dataset = rdflib.Dataset()
        dataset.parse(data=text, format=self.syntax)
        graphs = [graph for graph in dataset.graphs() if len(graph)]
        if len(graphs) > 1:
            remedy = "open it as a corpus (open_corpus), or take one map out of it"
            raise InputError(f"{len(graphs)} maps where one was expected", remedy=remedy)
        return graphs[0] if graphs else rdflib.Graph()


class Turtle(_Rdf):
    """Turtle."""

    name = "turtle"
    title = "Turtle (RDF)"
    syntax = "turtle"
    suffixes = (".ttl",)

    def sniff(self, file: Input) -> bool:
        return _has_prefixes(file) and not _has_named_graph(file)

    def text(self, found: Collection[Triple], prefixes: Mapping[str, str], iri: str) -> str:
        from aifgraph.interop.rdf.syntax import turtle

        return turtle(found, prefixes)


class TriG(_Quads):
    """Turtle with named graphs."""

    name = "trig"
    title = "TriG (RDF, a named graph a map)"
    syntax = "trig"
    suffixes = (".trig",)

    def sniff(self, file: Input) -> bool:
        return _has_prefixes(file) and _has_named_graph(file)

    def text(self, found: Collection[Triple], prefixes: Mapping[str, str], iri: str) -> str:
        from aifgraph.interop.rdf.syntax import turtle

        return turtle(found, prefixes, iri)


def _has_prefixes(file: Input) -> bool:
    head = _head(file)
    return re.search(r"^\s*@?prefix\s+[\w.-]*:\s*<[^<>\s]*>", head, re.I | re.M) is not None and "aif" in head


def _has_named_graph(file: Input) -> bool:
    return re.search(r"^(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w.-]*:[\w.-]*)\s*\{", _head(file), re.I | re.M) is not None


def as_quads(file: Input) -> str:
    """A file of quads as N-Quads, a statement a line: by Oxigraph where it is installed, else by rdflib.

    Raises ``FormatError`` where it is damaged.
    """
    if file.suffix != ".trig":
        return file.text
    text = file.text
    try:
        try:
            import pyoxigraph as ox
        except ImportError:
            import rdflib

            return rdflib.Dataset().parse(data=text, format="trig").serialize(format="nquads")
        parsed = ox.parse(text, format=ox.RdfFormat.TRIG)
        return (ox.serialize(parsed, format=ox.RdfFormat.N_QUADS) or b"").decode()
    except Exception as error:  # rdflib's parsers raise whatever they stumble over
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FormatError(f"not TriG: {first[:120]}", where=file.name, remedy=_REMEDY) from None


# One statement: three terms, and in N-Quads the graph.
_TERM = r"(?:<[^<>\s]*+>|_:\S++)"
STATEMENT: Final = re.compile(
    rf"(?:\s*+#[^\n]*+\n)*+\s*+{_TERM}\s++<[^<>\s]*+>\s++"
    rf'(?:{_TERM}|"(?:[^"\\]|\\.)*+"(?:@[\w-]++|\^\^<[^<>\s]*+>)?+)\s*+(?P<graph>{_TERM})?+\s*+\.'
)


def _statement(file: Input) -> re.Match[str] | None:
    """The first statement of N-Triples or N-Quads."""
    return STATEMENT.match(file.data[: 1 << 20].decode("utf-8", "replace").lstrip("\ufeff"))


class NTriples(_Rdf):
    """N-Triples."""

    name = "ntriples"
    title = "N-Triples (RDF)"
    syntax = "nt"
    suffixes = (".nt",)

    def sniff(self, file: Input) -> bool:
        statement = _statement(file)
        return statement is not None and statement["graph"] is None

    def text(self, found: Collection[Triple], prefixes: Mapping[str, str], iri: str) -> str:
        from aifgraph.interop.rdf.syntax import lines

        return lines(found)


class NQuads(_Quads):
    """N-Triples with named graphs."""

    name = "nquads"
    title = "N-Quads (RDF, a named graph a map)"
    syntax = "nquads"
    suffixes = (".nq",)

    def sniff(self, file: Input) -> bool:
        statement = _statement(file)
        return statement is not None and statement["graph"] is not None

    def text(self, found: Collection[Triple], prefixes: Mapping[str, str], iri: str) -> str:
        from aifgraph.interop.rdf.syntax import lines

        return lines(found, iri)


class RdfXml(_Rdf):
    """RDF/XML, as AIFdb's ``/rdf/ID`` gives it."""

    name = "rdfxml"
    title = "RDF/XML"
    syntax = "xml"
    suffixes = (".rdf", ".owl")

    def sniff(self, file: Input) -> bool:
        head = _head(file)
        return head.lstrip().startswith("<") and re.search(r"<(?:\w+:)?RDF[\s>]", head) is not None

    def check(self, file: Input) -> str:
        text = file.text
        if "<!ENTITY" in text:
            declared = text[: text.find("]>") + 2] if "]>" in text else text
            plain = re.findall(r"<!ENTITY\s+[\w.-]+\s+(?:\"[^\"&%<]{0,200}\"|'[^'&%<]{0,200}')\s*>", declared)
            if len(plain) != text.count("<!ENTITY") or len(plain) > 50:
                what = "an entity that is external, or made of entities"
                raise FormatError(what, where=file.name, remedy="give RDF/XML without such entities")
        if re.search(r"<!DOCTYPE[^\[>]*\b(?:SYSTEM|PUBLIC)\b", text[:100_000]):
            raise FormatError("an external document type", where=file.name, remedy="leave the DOCTYPE out")
        return text

    def parse(self, text: str) -> Any:
        return _parse_rdfxml(text)


class JsonLd(_Rdf):
    """JSON-LD, with its context in it."""

    name = "jsonld"
    title = "JSON-LD"
    syntax = "json-ld"
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

    def check(self, file: Input) -> str:
        for value in _contexts(file.json):
            if isinstance(value, str) or (isinstance(value, dict) and "@import" in value):
                raise FormatError("a context elsewhere", where=file.name, remedy="put the @context into the document")
        return file.text

    def serialize(self, rdf: rdflib.Graph, prefixes: Mapping[str, str]) -> str:
        from aifgraph.interop.rdf.terms import context

        document = json.loads(rdf.serialize(format=self.syntax, context=context(prefixes["n"], prefixes["aif"])))
        if "@graph" in document:
            document["@graph"].sort(key=lambda entry: str(entry.get("@id")))
        return json_text(document)


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


def _head(file: Input) -> str:
    return file.data[:4096].decode("utf-8", "replace").lstrip("\ufeff")


def _parse_rdfxml(text: str) -> rdflib.Graph:
    """The triples in an RDF/XML document, by rdflib; raises what it raises.

    XML's parser gives a text in pieces, one for each line and each entity. rdflib adds them up one by one, which takes
    time that grows with the square of their number; so it gets the text of an element in one piece.
    """
    import rdflib
    from rdflib.parser import create_input_source
    from rdflib.plugins.parsers.rdfxml import create_parser

    graph = rdflib.Graph()
    source: Any = create_input_source(data=text, format="xml")
    parser: Any = create_parser(source, graph)
    parser.setContentHandler(_Joined(parser.getContentHandler()))
    parser.parse(source)
    return graph


class _Joined(XMLFilterBase):
    """Passes everything on, texts in one piece."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.setContentHandler(inner)
        self._pieces: list[str] = []

    def characters(self, content: str) -> None:
        self._pieces.append(content)

    def startElementNS(self, name: Any, qname: Any, attrs: Any) -> None:  # noqa: N802  (SAX's names)
        self._pass_text()
        super().startElementNS(name, qname, attrs)

    def endElementNS(self, name: Any, qname: Any) -> None:  # noqa: N802
        self._pass_text()
        super().endElementNS(name, qname)

    def _pass_text(self) -> None:
        if self._pieces:
            super().characters("".join(self._pieces))
            self._pieces.clear()
