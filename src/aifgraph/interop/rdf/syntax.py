"""Triples as text: sorted, so that the same triples are the same bytes, and without a store in between. And RDF/XML
read.

Turtle and TriG, N-Triples and N-Quads, RDF/XML, JSON-LD. Subjects come by name, numbers in them by value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import escape, quoteattr

import rdflib
from rdflib import BNode, Literal, URIRef

from aifgraph.interop.rdf.terms import RDF_TYPE, XSD

Triple = tuple[Any, Any, Any]
Grouped = list[tuple[Any, list[tuple[Any, list[Any]]]]]

_LOCAL: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\Z")
_ESCAPED: Final = re.compile('["\\\\\n\r\t\x00-\x1f\x7f\ufffe\uffff]')
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_INTEGER: Final = URIRef(f"{XSD}integer")
_STRING: Final = URIRef(f"{XSD}string")
_RDF: Final = RDF_TYPE.removesuffix("type")


def turtle(triples: Iterable[Triple], prefixes: Mapping[str, str], graph: str | None = None) -> str:
    """Turtle; with ``graph`` TriG, all triples in the graph of that IRI."""
    names = _Names(prefixes)
    head = "".join(f"@prefix {prefix}: <{space}> .\n" for prefix, space in sorted(prefixes.items()))
    blocks = []
    for subject, properties in _grouped(triples):
        lines = [
            f"{names.property(property_)} {', '.join(map(names.term, values))}" for property_, values in properties
        ]
        blocks.append(f"{names.term(subject)} " + " ;\n    ".join(lines) + " .\n")
    body = "\n".join(blocks)
    return f"{head}\n{body}" if graph is None else f"{head}\n<{graph}> {{\n{body}}}\n\n"


def ntriples(triples: Iterable[Triple], graph: str | None = None) -> str:
    """N-Triples; with ``graph`` N-Quads."""
    names = _Names({})
    end = " .\n" if graph is None else f" <{graph}> .\n"
    return "".join(sorted({" ".join(map(names.term, triple)) + end for triple in triples}))


def rdfxml(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> str:
    """RDF/XML; every property is in the namespace of a prefix."""
    spaces = {**prefixes, "rdf": _RDF}
    parts = ['<?xml version="1.0" encoding="utf-8"?>\n<rdf:RDF']
    parts += [f"\n  xmlns:{prefix}={_attribute(space)}" for prefix, space in sorted(spaces.items())]
    parts.append(">\n")
    longest = sorted(spaces.items(), key=lambda item: -len(item[1]))
    tags: dict[str, str] = {}
    for subject, properties in _grouped(triples):
        which = "rdf:nodeID" if isinstance(subject, BNode) else "rdf:about"
        parts.append(f"<rdf:Description {which}={_attribute(subject)}>\n")
        for property_, values in properties:
            iri = str(property_)
            if iri not in tags:
                prefix, space = next((p, s) for p, s in longest if iri.startswith(s))
                tags[iri] = f"{prefix}:{iri[len(space) :]}"
            parts += [f"  {_element(tags[iri], value)}\n" for value in values]
        parts.append("</rdf:Description>\n")
    parts.append("</rdf:RDF>\n")
    return "".join(parts)


def _element(tag: str, value: Any) -> str:
    if isinstance(value, Literal):
        plain = value.datatype is None or value.datatype == _STRING
        datatype = "" if plain else f" rdf:datatype={_attribute(value.datatype)}"
        language = f" xml:lang={_attribute(value.language)}" if value.language else ""
        return f"<{tag}{datatype}{language}>{escape(str(value), {chr(13): '&#13;'})}</{tag}>"
    which = "rdf:nodeID" if isinstance(value, BNode) else "rdf:resource"
    return f"<{tag} {which}={_attribute(value)}/>"


def _attribute(value: Any) -> str:
    return quoteattr(str(value), {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})


def jsonld(triples: Iterable[Triple], context: Mapping[str, Any]) -> str:
    """JSON-LD in a context of prefixes and terms, which is written with it."""
    prefixes = {name: value for name, value in context.items() if isinstance(value, str) and value[-1] in ":/#"}
    names = _Names(prefixes)
    terms: dict[str, tuple[str, str | None]] = {}
    for term, value in context.items():
        short, coerced = (value["@id"], value.get("@type")) if isinstance(value, dict) else (value, None)
        prefix, _, local = short.partition(":")
        if term not in prefixes and prefix in prefixes:
            terms[prefixes[prefix] + local] = (term, coerced)
    listed = []
    for subject, properties in _grouped(triples):
        entry: dict[str, Any] = {"@id": names.compact(subject)}
        for property_, values in properties:
            if str(property_) == RDF_TYPE:
                entry["@type"] = [names.compact(value) for value in values]
                continue
            term, coerced = terms.get(str(property_), (names.compact(property_), None))
            shown = [_value(value, coerced, names, prefixes) for value in values]
            entry[term] = shown[0] if len(shown) == 1 else shown
        listed.append(entry)
    return json.dumps({"@context": context, "@graph": listed}, ensure_ascii=False, indent=1) + "\n"


def _value(value: Any, coerced: str | None, names: _Names, prefixes: Mapping[str, str]) -> Any:
    if not isinstance(value, Literal):
        return names.compact(value) if coerced == "@id" else {"@id": names.compact(value)}
    if value.language:
        return {"@value": str(value), "@language": value.language}
    if value.datatype is None or value.datatype == _STRING:
        # A term with a type would give it to a plain text, too.
        return str(value) if coerced is None else {"@value": str(value)}
    if value.datatype == _INTEGER and coerced is None and re.fullmatch(r"0|-?[1-9]\d{0,14}", value):
        return int(value)
    datatype = names.compact(value.datatype)
    return str(value) if coerced == datatype else {"@value": str(value), "@type": datatype}


class _Names:
    """Terms in the prefixes of a document."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._spaces = {space: prefix for prefix, space in sorted(prefixes.items(), reverse=True)}
        self._iris: dict[str, str | None] = {}

    def _short(self, iri: str) -> str | None:
        if iri not in self._iris:
            cut = max(iri.rfind(mark) for mark in "#/:") + 1
            prefix = self._spaces.get(iri[:cut])
            self._iris[iri] = f"{prefix}:{iri[cut:]}" if prefix is not None and _LOCAL.match(iri[cut:]) else None
        return self._iris[iri]

    def compact(self, term: Any) -> str:
        """An IRI as JSON-LD writes it."""
        return str(term.n3()) if isinstance(term, BNode) else self._short(str(term)) or str(term)

    def property(self, property_: Any) -> str:
        """A property in Turtle."""
        return "a" if str(property_) == RDF_TYPE else self.term(property_)

    def term(self, term: Any) -> str:
        """A term in Turtle and its kin."""
        if isinstance(term, Literal):
            if term.datatype == _INTEGER and self._spaces and re.fullmatch(r"[+-]?\d+", term):
                return str(term)
            text = f'"{_ESCAPED.sub(_escape, term)}"'
            if term.language:
                return f"{text}@{term.language}"
            return text if term.datatype in (None, _STRING) else f"{text}^^{self.term(term.datatype)}"
        if isinstance(term, BNode):
            return str(term.n3())
        return self._short(str(term)) or f"<{term}>"


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _SHORT.get(char) or f"\\u{ord(char):04X}"


def _grouped(triples: Iterable[Triple]) -> Grouped:
    """By subject and property, all sorted, the type first."""
    groups: dict[Any, dict[Any, set[Any]]] = {}
    for subject, property_, value in triples:
        groups.setdefault(subject, {}).setdefault(property_, set()).add(value)
    return [
        (
            subject,
            [
                (property_, sorted(groups[subject][property_], key=_value_key))
                for property_ in sorted(groups[subject], key=lambda each: (str(each) != RDF_TYPE, str(each)))
            ],
        )
        for subject in sorted(groups, key=_subject_key)
    ]


def _subject_key(term: Any) -> tuple[object, ...]:
    text = str(term)
    cut = max(text.rfind(mark) for mark in "#/:") + 1
    last = text[cut:]
    number = last.isascii() and last.isdigit()
    return isinstance(term, BNode), text[:cut], (0, len(last), last) if number else (1, 0, last)


def _value_key(term: Any) -> tuple[object, ...]:
    if isinstance(term, Literal):
        return 1, str(term), str(term.datatype or ""), term.language or ""
    return (0, *_subject_key(term))


def parse_rdfxml(text: str) -> rdflib.Graph:
    """The triples in an RDF/XML document, by rdflib; raises what it raises.

    XML's parser gives a text in pieces, one for each line and each entity. rdflib adds them up one by one, which takes
    time that grows with the square of their number; so it gets the text of an element in one piece.

    >>> text = '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="urn:"><a r:about="urn:b"/></r:RDF>'
    >>> len(parse_rdfxml(text))
    1
    """
    from rdflib.parser import create_input_source
    from rdflib.plugins.parsers.rdfxml import create_parser

    graph = rdflib.Graph()
    source: Any = create_input_source(data=text, format="xml")
    parser: Any = create_parser(source, graph)
    parser.setContentHandler(_Joined(parser.getContentHandler()))
    parser.parse(source)
    return graph


class _Joined(ContentHandler):
    """Passes everything on, texts in one piece."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self._inner = inner
        self._pieces: list[str] = []

    def characters(self, content: str) -> None:
        self._pieces.append(content)

    def _pass_text(self) -> None:
        if self._pieces:
            self._inner.characters("".join(self._pieces))
            self._pieces.clear()

    def setDocumentLocator(self, locator: Any) -> None:  # noqa: N802  (SAX's names)
        self._inner.setDocumentLocator(locator)

    def startDocument(self) -> None:  # noqa: N802
        self._inner.startDocument()

    def startPrefixMapping(self, prefix: Any, uri: Any) -> None:  # noqa: N802
        self._inner.startPrefixMapping(prefix, uri)

    def endPrefixMapping(self, prefix: Any) -> None:  # noqa: N802
        self._inner.endPrefixMapping(prefix)

    def startElementNS(self, name: Any, qname: Any, attrs: Any) -> None:  # noqa: N802
        self._pass_text()
        self._inner.startElementNS(name, qname, attrs)

    def endElementNS(self, name: Any, qname: Any) -> None:  # noqa: N802
        self._pass_text()
        self._inner.endElementNS(name, qname)
