"""The table of formats, and how the format of some bytes is recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple

from aifgraph.errors import FormatError, LimitError, OptionError, choose_from
from aifgraph.files import decode_strict, parse_json, parse_xml
from aifgraph.graph import ArgumentGraph, Notice

#: What files are made of; RDF/XML has entities, which its own reader sees to.
Syntax = Literal["json", "xml", "rdfxml", "text"]


class Written(NamedTuple):
    """A graph in a format: the content of its file, and the text for the file ``.txt`` beside it, if there is one."""

    text: str
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A format, and the module of this package that knows it, which is imported when it is first needed.

    The module has ``sniff`` (whether parsed content is of the format), ``read`` (a graph of parsed content, a name for
    messages, and the text beside the file, if any) and ``write`` (the content of a file of a graph); where a text lies
    beside the file, ``text_beside`` too. An object in the module may have these (``..rdf:turtle``).
    """

    name: str
    title: str
    #: How its files end, the usual suffix first.
    suffixes: tuple[str, ...]
    #: What it is made of, which is parsed once however many formats look at it.
    syntax: Syntax
    module: str
    reads: bool = True
    #: Its function that writes; empty where it is only read.
    writer: str = "write"
    #: Whether a text of the same stem beside a file belongs to it.
    beside: bool = False
    #: Whether its files, with the text beside them, hold all of any graph.
    holds_all: bool = False

    @property
    def writes(self) -> bool:
        """Whether it is written."""
        return bool(self.writer)

    @property
    def code(self) -> Any:
        """The module, or the object in it."""
        module, _, part = self.module.partition(":")
        code = import_module(module if module.startswith(".") else f".{module}", __package__)
        return getattr(code, part) if part else code

    def written(self, graph: ArgumentGraph, **options: Any) -> Written:
        """Return the content of the file of a graph, and of that beside it."""
        code = self.code
        text_beside = getattr(code, "text_beside", lambda graph: None)
        return Written(getattr(code, self.writer)(graph, **options), text_beside(graph))


#: Options of reading, by which ``convert`` tells them from those of writing.
READING_OPTIONS: Final = frozenset({"major"})

#: Every format, in the order in which they are asked whether a file is theirs.
FORMATS: Final = {
    row.name: row
    for row in (
        Format("ova3", "OVA3 file", (".json",), "json", "ova", beside=True, holds_all=True),
        Format("xaif", "xAIF", (".json", ".xaif"), "json", "xaif", beside=True, holds_all=True),
        Format("sadface", "SADFace JSON", (".json",), "json", "sadface"),
        Format("aif", "AIF JSON (AIFdb)", (".json",), "json", "aif", beside=True, holds_all=True),
        Format("argdown-json", "Argdown JSON export", (".json",), "json", "argdown", writer=""),
        Format("turtle", "Turtle (RDF)", (".ttl",), "text", "..rdf:turtle", holds_all=True),
        Format("trig", "TriG (RDF, a named graph a map)", (".trig",), "text", "..rdf:trig", holds_all=True),
        Format("rdfxml", "RDF/XML", (".rdf", ".owl"), "rdfxml", "..rdf:rdfxml", holds_all=True),
        Format("ntriples", "N-Triples (RDF)", (".nt",), "text", "..rdf:ntriples", holds_all=True),
        Format("nquads", "N-Quads (RDF, a named graph a map)", (".nq",), "text", "..rdf:nquads", holds_all=True),
        Format("jsonld", "JSON-LD (RDF)", (".jsonld",), "json", "..rdf:jsonld", holds_all=True),
        Format("microtexts", "microtext arggraph XML", (".xml",), "xml", "arggraph", beside=True),
        Format("aml", "AML (Araucaria)", (".aml", ".xml"), "xml", "aml", writer=""),
        Format("graphml", "GraphML", (".graphml",), "xml", "graphml"),
        Format("brat", "brat standoff", (".ann",), "text", "brat", beside=True),
        Format("kialo", "Kialo text export", (".txt",), "text", "kialo", writer=""),
        Format("argdown", "Argdown", (".argdown", ".ad"), "text", "argdown", reads=False),
        Format("dot", "Graphviz DOT", (".dot", ".gv"), "text", "drawings", reads=False, writer="write_dot"),
        Format("mermaid", "Mermaid", (".mmd", ".mermaid"), "text", "drawings", reads=False, writer="write_mermaid"),
    )
}


def format_named(name: str) -> Format:
    """Return a format by its name; ``OptionError`` names those that there are."""
    if name not in FORMATS:
        raise OptionError(f"there is no format {name!r}"[:200], remedy=choose_from(FORMATS))
    return FORMATS[name]


def format_written(name: str) -> Format:
    """Return a format that is written by its name; ``OptionError`` where it is only read."""
    chosen = format_named(name)
    if not chosen.writes:
        raise OptionError(f"the format {name} is only read", remedy="name another")
    return chosen


def suffixes_read() -> frozenset[str]:
    """Return the suffixes of the formats that are read."""
    return frozenset(suffix for row in FORMATS.values() if row.reads for suffix in row.suffixes)


def parse(data: bytes, syntax: Syntax, name: str, notices: list[Notice]) -> Any:
    """Return the content of some bytes: a JSON value, the root of an XML document, or a text."""
    if syntax == "xml":
        try:
            return parse_xml(data, name)
        except LimitError:
            raise
        except FormatError:
            if b"ShapeNode" not in data:
                raise
            notices.append(Notice("labels-repaired", "labels are not escaped; & and < in them are read as text"))
            from aifgraph.formats import graphml

            return graphml.repaired(decode_strict(data, name), name)
    text = decode_strict(data, name)
    if syntax in ("text", "rdfxml"):
        return text
    no_numbers: list[str] = []
    document = parse_json(text, name, no_numbers=no_numbers)
    if no_numbers:
        shown = ", ".join(dict.fromkeys(each[:20] for each in no_numbers[:100]))
        notices.append(Notice("number-missing", f"{shown} is not a number in JSON; it is read as null"))
    return document


def detect(data: bytes, suffix: str, name: str, notices: list[Notice]) -> tuple[Format, Any]:
    """Return the format of some bytes, and their content parsed.

    The syntax is told by the first character, and by the suffix where a server put a warning before the map; then each
    format of that syntax is asked, those of the suffix first. What begins as a text may have such a warning in front.
    """
    readable = [each for each in FORMATS.values() if each.reads]
    of_suffix = [each for each in readable if suffix in each.suffixes]
    if suffix and not of_suffix and (unread := [each for each in FORMATS.values() if suffix in each.suffixes]):
        raise FormatError(f"{unread[0].title} is only written", where=name)
    promised: Syntax = of_suffix[0].syntax if of_suffix else "json" if b"{" in data else "text"
    syntax = _syntax_of(data, promised)
    document: Any = None
    for tried in dict.fromkeys((syntax, promised) if syntax == "text" else (syntax,)):
        document = parse(data, tried, name, notices)
        for each in (*of_suffix, *readable):
            if each.syntax == tried and each.code.sniff(document):
                return each, document
    what = "not in a format that aifgraph reads"
    if isinstance(document, dict):
        what += f": a JSON object with {', '.join(map(str, document)) or 'nothing in it'}"[:150]
    known = sorted({suffix for each in readable for suffix in each.suffixes})
    raise FormatError(what, where=name, remedy=f"name the format; known suffixes: {' '.join(known)}")


def _syntax_of(data: bytes, promised: Syntax) -> Syntax:
    head = data[:4096].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if head[:1] in (b"{", b"[", b'"'):
        return "json"
    if head[:1] != b"<":
        return "text"
    if re.search(rb"<(?:\w+:)?RDF[\s>]", head):
        return "rdfxml"
    if re.match(rb"<(?:\w+://|urn:)[^<>\s]*>", head):
        return "text"
    xml = re.match(rb"<\?xml|<(?:!DOCTYPE )?(?:ARG|arggraph|graphml)\b", head)
    return "xml" if xml or promised != "json" else "json"
