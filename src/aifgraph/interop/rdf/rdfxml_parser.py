"""RDF/XML by rdflib, with the text of an element given to it in one piece.

XML's parser gives a text in pieces: one for each line and each entity. rdflib adds them up one by one, which takes time
that grows with the square of their number.
"""

from __future__ import annotations

from typing import Any
from xml.sax.handler import ContentHandler

import rdflib


def parse_rdfxml(text: str) -> rdflib.Graph:
    """The triples in a document; raises what rdflib raises.

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
