"""The one XML parser: no entities but XML's own five, nothing fetched, bounded in depth; errors name the line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.sax.saxutils import escape, quoteattr

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.files import decode_strict

#: How deeply elements may be nested: argument trees of people are under 30 deep.
MAX_DEPTH = 500

_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# What XML 1.0 cannot hold, in no way of writing it.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")


@dataclass(frozen=True)
class Xml:
    """A parsed document: its root, and where it came from, for messages."""

    root: Element
    text: str
    where: str

    def error(self, what: str, element: Element | None = None, remedy: str | None = None) -> FormatError:
        """A ``FormatError`` at the line where an element starts."""
        line = self._line(element) if element is not None else None
        return FormatError(what, where=f"{self.where}, line {line}" if line else self.where, remedy=remedy)

    def _line(self, element: Element) -> int | None:
        # Parsed once more, counting: nobody pays for line numbers until there is an error to place.
        from xml.parsers.expat import ExpatError, ParserCreate

        number = next((index for index, each in enumerate(self.root.iter()) if each is element), None)
        if number is None:
            return None
        lines: list[int] = []
        parser = ParserCreate()
        parser.StartElementHandler = lambda name, attributes: lines.append(parser.CurrentLineNumber)
        try:
            parser.Parse(self.text, True)
        except ExpatError:
            return None
        return lines[number] if number < len(lines) else None


def parse_xml(data: bytes, where: str) -> Xml:
    """The document in some bytes. Raises ``FormatError`` with the line, ``LimitError`` for entities and deep nesting.

    >>> parse_xml(b"<a><b>x</b></a>", "a.xml").root.find("b").text
    'x'
    """
    text = _decode(data, where)
    if not text.strip():
        raise FormatError("an empty file", where=where, remedy="give an XML document")
    try:
        root = _root(text, where)
    except ParseError as error:
        line, column = error.position
        what = str(error).rsplit(":", 1)[0]
        raise FormatError(f"not XML: {what}", where=f"{where}, line {line}, column {column + 1}") from None
    return Xml(root, text, where)


def _decode(data: bytes, where: str) -> str:
    declared = _ENCODING.match(data)
    name = declared.group(1).decode("ascii").lower() if declared else "utf-8"
    if name in ("iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252", "us-ascii", "ascii", "iso-8859-15"):
        try:
            return data.decode(name)
        except UnicodeDecodeError as error:
            raise FormatError(f"text that is not {name} (byte {error.start})", where=where) from None
    return decode_strict(data, where)


_PIECE = 1 << 16


class _Bounded(TreeBuilder):
    """A tree builder that stops at ``MAX_DEPTH``."""

    depth = 0
    where = ""

    def start(self, tag: Any, attrs: Any, /) -> Element:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise LimitError(f"elements nested more than {MAX_DEPTH} deep", where=self.where, remedy="flatten the file")
        return super().start(tag, attrs)

    def end(self, tag: Any, /) -> Element:
        self.depth -= 1
        return super().end(tag)


def _root(text: str, where: str) -> Element:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    target = _Bounded()
    target.where = where
    parser = DefusedXMLParser(target=target, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    try:
        for place in range(0, len(text), _PIECE):
            parser.feed(text[place : place + _PIECE])
        root: Element = parser.close()
    except DefusedXmlException:
        remedy = "remove the declarations from the file"
        raise LimitError("declares entities, which are not accepted", where=where, remedy=remedy) from None
    return root


def starts_with_element(data: bytes, *names: str) -> bool:
    """Whether the first element of a document has one of these names; looks no further than it must.

    >>> starts_with_element(b"<?xml version='1.0'?><!-- a map --><arggraph id='m'/>", "arggraph")
    True
    """
    head = data[:4096]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", errors="ignore").encode()
    match = _FIRST.match(head)
    return match is not None and match.group(1).rpartition(b":")[2].decode("ascii", "replace") in names


_FIRST = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+<([A-Za-z_][\w.:-]*)", re.DOTALL
)


def xml_text(text: str) -> str:
    """Text as element content. What XML cannot hold becomes U+FFFD (``unwritable`` counts it)."""
    return escape(_FORBIDDEN.sub("\ufffd", text), {"\r": "&#13;"})


def xml_attribute(text: str) -> str:
    """Text as a quoted attribute value."""
    return quoteattr(_FORBIDDEN.sub("\ufffd", text), {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})


def unwritable(*texts: str) -> int:
    """How many characters of these texts XML cannot hold."""
    return sum(len(_FORBIDDEN.findall(text)) for text in texts)


def is_name(text: str) -> bool:
    """Whether a text can be an XML id."""
    return _NAME.match(text) is not None
