"""Reading and writing argument graphs: ``load``, ``loads``, ``dump`` and ``dumps``, as in ``json``.

Beside them the table of formats, and how the format of some bytes is recognised.
"""

from __future__ import annotations

import io
import json
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import signature
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, Final, Literal, NamedTuple, Protocol, runtime_checkable

from aifgraph.errors import FormatError, InputError, LimitError, OptionError, choose_from
from aifgraph.files import (
    Input,
    decode_source,
    decode_strict,
    input_from_path,
    parse_json,
    parse_xml,
    plain_json,
    read_bounded,
    read_bytes,
    standard_input,
    stem_of,
    suffix_of,
    write_atomic,
)
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.graph.columns import gc_paused
from aifgraph.graph.graph import check_graph
from aifgraph.printable import printable_data

# -- formats ----------------------------------------------------------------------------------------------------------

#: What files are made of; RDF/XML has entities, which its own reader sees to.
Syntax = Literal["json", "xml", "rdfxml", "text"]
Use = Literal["read", "written"]


class FileContents(NamedTuple):
    """The content of the file of a graph, and the text for the file ``.txt`` beside it, if there is one."""

    text: str
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A format, and the module that knows it, or an object in the module (``..rdf:turtle``), imported when needed.

    It has ``sniff`` (whether parsed content is of the format), ``read`` (a graph of parsed content and of the text
    beside the file, if any) and ``write`` (the content of the file of a graph, or both contents).
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
    #: Of JSON: keys of which every object of the format has one; without them, its module looks at every object.
    keys: frozenset[str] = frozenset()

    def is_used(self, use: Use) -> bool:
        """Return whether it is ``read``, or ``written``."""
        return self.reads if use == "read" else bool(self.writer)

    def is_sure(self, data: bytes) -> bool:
        """Return whether the suffix alone says it: of RDF as text, and of an empty file of brat."""
        empty = self.name == "brat" and not data.strip(_BLANK)
        return empty or (self.syntax == "text" and self.module.startswith("..rdf"))

    def recognises(self, document: Any) -> bool:
        """Return whether parsed content is of the format."""
        lacks_keys = self.keys and isinstance(document, dict) and self.keys.isdisjoint(document)
        return not lacks_keys and bool(self.code.sniff(document))

    @property
    def code(self) -> Any:
        """The module, or the object in it."""
        module, _, part = self.module.partition(":")
        code = import_module(module if module.startswith(".") else f".{module}", __package__)
        return getattr(code, part) if part else code

    def serialize(self, graph: ArgumentGraph, **options: Any) -> FileContents:
        """Return the content of the file of a graph, and of the file beside it."""
        write = getattr(self.code, self.writer)
        _check_options(self.name, write, options)
        content: str | FileContents = write(graph, **options)
        return FileContents(content) if isinstance(content, str) else content


def _check_options(format: str, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    if options:
        parameters = signature(function).parameters.values()
        known = [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
        if unknown := options.keys() - known:
            remedy = choose_from(known) if known else None
            raise OptionError(f"the format {format} has no option {min(unknown)!r}", remedy=remedy)


_BLANK: Final = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # marks of the byte order, and white space
READING_OPTIONS: Final = frozenset({"major"})  # not those of writing
_XAIF: Final = frozenset({"AIF", "aif"})  # where xAIF and OVA3 have the map
#: Every format, in the order in which they are asked whether a file is theirs.
FORMATS: Final = {
    row.name: row
    for row in (
        Format("ova3", "OVA3 file", (".json",), "json", "xaif:ova3", beside=True, holds_all=True, keys=_XAIF),
        Format("xaif", "xAIF", (".json", ".xaif"), "json", "xaif", beside=True, holds_all=True, keys=_XAIF),
        Format("aif", "AIF JSON (AIFdb)", (".json",), "json", "aif", beside=True, holds_all=True),
        Format("sadface", "SADFace JSON", (".json",), "json", "sadface", writer=""),
        Format("argdown-json", "Argdown JSON export", (".json",), "json", "argdown", writer=""),
        Format("turtle", "Turtle (RDF)", (".ttl",), "text", "..rdf:turtle", holds_all=True),
        Format("trig", "TriG (RDF, a named graph a map)", (".trig",), "text", "..rdf:trig", holds_all=True),
        Format("rdfxml", "RDF/XML", (".rdf", ".owl"), "rdfxml", "..rdf:rdfxml", holds_all=True),
        Format("ntriples", "N-Triples (RDF)", (".nt",), "text", "..rdf:ntriples", holds_all=True),
        Format("nquads", "N-Quads (RDF, a named graph a map)", (".nq",), "text", "..rdf:nquads", holds_all=True),
        Format("jsonld", "JSON-LD (RDF)", (".jsonld",), "json", "..rdf:jsonld", holds_all=True),
        Format("microtexts", "microtext arggraph XML", (".xml",), "xml", "arggraph", writer="", beside=True),
        Format("aml", "AML (Araucaria)", (".aml", ".xml"), "xml", "aml", writer=""),
        Format("graphml", "GraphML", (".graphml",), "xml", "..graphml", holds_all=True),
        Format("brat", "brat standoff", (".ann",), "text", "brat", beside=True),
        Format("kialo", "Kialo text export", (".txt",), "text", "kialo", writer=""),
        Format("dot", "Graphviz DOT", (".dot", ".gv"), "text", "drawings", reads=False, writer="write_dot"),
        Format("mermaid", "Mermaid", (".mmd", ".mermaid"), "text", "drawings", reads=False, writer="write_mermaid"),
    )
}


def format_named(name: str, use: Use | None = None) -> Format:
    """Return a format by its name; ``OptionError`` if there is none, or none that is ``read`` or ``written``."""
    if name not in FORMATS:
        raise OptionError(f"there is no format {name!r}"[:200], remedy=choose_from(FORMATS))
    chosen = FORMATS[name]
    if use and not chosen.is_used(use):
        raise OptionError(f"the format {name} is only {'read' if chosen.reads else 'written'}", remedy="name another")
    return chosen


def suffixes(use: Use) -> frozenset[str]:
    """Return the suffixes of the formats that are ``read`` or ``written``."""
    return frozenset(suffix for row in FORMATS.values() if row.is_used(use) for suffix in row.suffixes)


# -- reading ----------------------------------------------------------------------------------------------------------


@runtime_checkable
class NamedMap(Protocol):
    """A map that is loaded when it is asked for, as the entries of a corpus are."""

    @property
    def name(self) -> str: ...  # in the corpus
    @property
    def source(self) -> str: ...  # its place, for messages
    def load(self, *, format: str | None = None) -> ArgumentGraph: ...


#: What :func:`load` takes.
Source = str | PathLike[str] | IO[str] | IO[bytes] | Mapping[str, Any] | NamedMap


def load(source: Source, *, format: str | None = None, strict: bool = False, **options: Any) -> ArgumentGraph:
    """Read the graph in a file; ``graph.notices`` name everything that was left out or repaired.

    A text file of the same stem beside a map (``nodeset1.txt``) is its source text.

    Args:
        source: a path, an open file, ``"-"`` for standard input, an entry of a corpus, or a parsed JSON document, as
            for :func:`from_dict`.
        format: the name of the format; None recognises it by its content.
        strict: whether a notice is an error (except that a map has no nodes, or character references).
        **options: options of the format: ``major`` of brat.

    Raises:
        FormatError: the content is not of the format; with ``strict``, something had to be left out or repaired.
        NotFoundError: there is no such file.
        LimitError: the content is too large or nested too deeply.
    """
    if isinstance(source, Mapping):
        return from_dict(source, format=format, strict=strict, **options)
    if isinstance(source, NamedMap):
        _check_options("of a map of a corpus", source.load, options)
        return _strict(source.load(format=format), strict)
    return read_input(_input(source), format, strict=strict, **options)


def _input(source: Any) -> Input:
    if isinstance(source, str | PathLike) and source != "-":
        return input_from_path(fspath(source))
    file: Any = standard_input() if source == "-" else source
    name = "<stdin>" if source == "-" else str(getattr(file, "name", "<file>"))
    if not hasattr(file, "read"):
        raise TypeError(f"load takes a path, an open file or a document, not {type(source).__name__}")
    return Input(name, read_bounded(file, name), suffix_of(name))


def loads(
    text: str | bytes, *, format: str | None = None, name: str = "<string>", strict: bool = False, **options: Any
) -> ArgumentGraph:
    """Read the graph in a string, the content of a file; ``name`` is for messages. The rest is as in :func:`load`.

    >>> graph = loads('{"nodes": [{"nodeID": "1", "text": "Masks help", "type": "I"}], "edges": []}')
    >>> graph.propositions[0].text
    'Masks help'
    """
    data = text.encode("utf-8", errors="surrogatepass") if isinstance(text, str) else text
    if not isinstance(data, bytes):
        raise TypeError(f"loads takes a string or bytes, not {type(text).__name__}; load takes the rest")
    return read_input(Input(name, data, suffix_of(name)), format, strict=strict, **options)


def from_dict(
    document: Mapping[str, Any],
    *,
    format: str | None = None,
    name: str = "<document>",
    strict: bool = False,
    **options: Any,
) -> ArgumentGraph:
    """Read the graph in a parsed JSON document, which is not changed and not kept.

    >>> graph = from_dict({"nodes": [{"nodeID": 1, "text": "Masks help", "type": "I"}], "edges": []})
    >>> from_dict(to_dict(graph)) == graph
    True
    """
    if not isinstance(document, Mapping):
        what, remedy = f"a {type(document).__name__}, no parsed JSON object", "give a text to loads, a path to load"
        raise InputError(what, where=name, remedy=remedy)
    no_numbers: list[str] = []
    try:
        content = plain_json(document, no_numbers)
    except RecursionError:
        raise OptionError("the document is nested too deeply, or holds itself", remedy="give plain values") from None
    notices = _missing_numbers(no_numbers)
    chosen = _recognise(content, "json", ".json") if format is None else format_named(format, "read")
    if chosen is None:
        raise _unknown(content, name)
    if chosen.syntax != "json":
        raise OptionError(f"the format {chosen.name} is no JSON", remedy="give its text to loads")
    return _read(chosen, content, Input(name, b"", ".json"), notices, strict=strict, **options)


@gc_paused
def read_input(file: Input, format: str | None = None, *, strict: bool = False, **options: Any) -> ArgumentGraph:
    """Read the graph in an input, in the named format or the one that is recognised; see :func:`load`."""
    notices = list[Notice]()
    if format is None:
        chosen, document = detect(file.data, file.suffix or suffix_of(file.name), file.name, notices)
    else:
        chosen = format_named(format, "read")
        document = parse(file.data, chosen.syntax, file.name, notices)
    return _read(chosen, document, file, notices, strict=strict, **options)


def _read(
    chosen: Format, document: Any, file: Input, notices: list[Notice], *, strict: bool, **options: Any
) -> ArgumentGraph:
    """Read the graph in the parsed content of an input."""
    text, beside = None, file.sibling(".txt") if chosen.beside else None
    if beside is not None:
        text, message = decode_source(beside, f"{stem_of(file.name)}.txt")
        notices += [Notice("text-encoding", message)] if message else []
    _check_options(chosen.name, chosen.code.read, options)
    try:
        graph: ArgumentGraph = chosen.code.read(document, text, **options)
    except (FormatError, LimitError) as error:
        raise error.at(file.name) from None
    except InputError as error:  # of the builder, for an id that is given twice
        raise FormatError(error.what, where=error.where).at(file.name) from None
    except RecursionError:
        raise LimitError("nested too deeply", where=file.name) from None
    notices += graph.notices
    if not len(graph):
        notices.append(Notice("map-empty", "the map has no nodes"))
    meta = replace(graph.meta, form=chosen.name, notices=tuple(notices))
    return _strict(ArgumentGraph._of(graph._columns, meta, file.name), strict)


#: The first stage of a pipeline has people and a text alone; and references are read as AIFdb writes them.
_NO_REPAIRS: Final = ("map-empty", "references-decoded")


def _strict(graph: ArgumentGraph, strict: bool) -> ArgumentGraph:
    notices = [notice for notice in graph.notices if notice.code not in _NO_REPAIRS] if strict else []
    if notices:
        raise FormatError(str(notices[0]), where=graph.name, remedy="repair the file, or load it without strict")
    return graph


def parse(data: bytes, syntax: Syntax, name: str, notices: list[Notice]) -> Any:
    """Return the content of some bytes: a JSON value, the root of an XML document, or a text."""
    if syntax == "xml":
        return parse_xml(data, name)
    text = decode_strict(data, name)
    if syntax in ("text", "rdfxml"):
        return text
    no_numbers: list[str] = []
    document = parse_json(text, name, no_numbers=no_numbers)
    notices += _missing_numbers(no_numbers)
    return document


def _missing_numbers(numbers: list[str]) -> list[Notice]:
    shown = ", ".join(dict.fromkeys(number[:20] for number in numbers[:100]))
    return [Notice("number-missing", f"{shown} is not a number in JSON; it is read as null")] if numbers else []


def detect(data: bytes, suffix: str, name: str, notices: list[Notice]) -> tuple[Format, Any]:
    """Return the format of some bytes, and their content parsed.

    The syntax is told by the first character, and by the suffix where a server put a warning before the map; then each
    format of that syntax is asked, those of the suffix first. What begins as a text may have such a warning in front.
    """
    if suffix in (".argdown", ".ad"):
        raise FormatError("aifgraph reads Argdown as JSON alone", where=name, remedy="export it: argdown json")
    named = [row for row in FORMATS.values() if suffix in row.suffixes]
    readable = [row for row in named if row.reads]
    if suffix and named and not readable:
        raise FormatError(f"{named[0].title} is only written", where=name)
    if readable and readable[0].is_sure(data):
        return readable[0], parse(data, readable[0].syntax, name, notices)
    promised: Syntax = readable[0].syntax if readable else "json" if b"{" in data else "text"
    syntax = _syntax_of(data, promised)
    document: Any = None
    for tried in dict.fromkeys((syntax, promised) if syntax == "text" else (syntax,)):
        document = parse(data, tried, name, notices)
        if chosen := _recognise(document, tried, suffix):
            return chosen, document
    raise _unknown(document, name)


def _recognise(document: Any, syntax: Syntax, suffix: str) -> Format | None:
    """Return the format of parsed content, if there is one; those that end in the suffix are asked first."""
    asked = [row for row in FORMATS.values() if row.reads and row.syntax == syntax]
    asked.sort(key=lambda row: suffix not in row.suffixes)
    return next((row for row in asked if row.recognises(document)), None)


def _unknown(document: Any, name: str) -> FormatError:
    what = "not in a format that aifgraph reads"
    if isinstance(document, dict):
        if "AIF" in document:
            return FormatError("AIF is not an object with nodes and edges", where=name, remedy="put the map there")
        if not {"text", "dialog", "OVA"}.isdisjoint(document):
            return FormatError("AIF is missing, the object with nodes and edges", where=name)
        what += f": a JSON object with {', '.join(map(str, document)) or 'nothing in it'}"[:150]
    return FormatError(
        what, where=name, remedy=f"name the format; known suffixes: {' '.join(sorted(suffixes('read')))}"
    )


def _syntax_of(data: bytes, promised: Syntax) -> Syntax:
    head = data[:4096].replace(b"\0", b"").lstrip(_BLANK)
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


# -- writing ----------------------------------------------------------------------------------------------------------

#: Where :func:`dump` writes to.
Target = str | PathLike[str] | IO[str] | IO[bytes]


def dump(
    graph: ArgumentGraph, target: Target, *, format: str | None = None, force: bool = False, **options: Any
) -> None:
    """Write a graph to a path (completely or not at all), an open file, or ``"-"`` for standard output.

    If the format keeps the source text in another file, it is written beside the path.

    Args:
        graph: what to write; :func:`aifgraph.write_corpus` writes several.
        target: a path, an open file, or ``"-"``.
        format: the name of the format. If None: the format in which the graph was read, if its file holds all of the
            graph and has this suffix; else the format of the suffix, which is xAIF for ``.json``; else xAIF.
        force: replace another source text beside the path.
        **options: options of the format: ``indent`` of AIF JSON, xAIF and OVA3.

    Raises:
        OptionError: there is no such format, or aifgraph only reads it.
        InputError: the file cannot be written, or the file of the source text exists with another text.
    """
    path = Path(target) if isinstance(target, str | PathLike) and target != "-" else None
    if path is None and target != "-" and not hasattr(target, "write"):
        raise TypeError(f"dump takes a path or an open file, not {type(target).__name__}")
    if path is not None and path.is_dir():
        raise InputError("this is a folder", where=str(path), remedy="name a file in it")
    # A name may come from a file: f"out/{graph.name}.json" must not lead out of the folder.
    climbs = graph.name.startswith(("/", "\\")) or ".." in graph.name.replace("\\", "/").split("/")
    if climbs and graph.name in str(path)[1:]:
        raise OptionError("the name of the graph leads to another folder", where=str(path))
    chosen = _chosen(graph, format, suffix_of(path.name) if path else None, path)
    if path is None:
        text = _text_alone(chosen, graph, **options)
        file: Any = sys.stdout if target == "-" else target
        text = printable_data(text) if target == "-" and file.isatty() else text
        binary = isinstance(file, io.RawIOBase | io.BufferedIOBase) or "b" in str(getattr(file, "mode", ""))
        file.write(text.encode("utf-8", "backslashreplace") if binary else text)
        return
    content = chosen.serialize(graph, **options)
    place = Path(f"{stem_of(str(path))}.txt")
    if content.beside is not None:
        there = decode_source(read_bytes(place), place.name)[0] if place.exists() else None
        if there not in (None, content.beside) and not force:
            raise InputError("another text exists there", where=str(place), remedy="force it, or name another folder")
        if there != content.beside:
            write_atomic(place, content.beside)
    write_atomic(path, content.text)


def dumps(graph: ArgumentGraph, *, format: str | None = None, **options: Any) -> str:
    """Return a graph as a string: in the named format, else that in which it was read if it holds all, else xAIF.

    AIF JSON and brat have the source text in a file beside it, which only :func:`dump` to a path writes; without it, a
    ``UserWarning`` says so.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> loads(dumps(build.graph())) == build.graph()
    True
    """
    return _text_alone(_chosen(graph, format, None), graph, **options)


def to_dict(graph: ArgumentGraph, *, format: str | None = None) -> dict[str, Any]:
    """Return a graph as a JSON document of plain values, as :func:`dump` writes it to a file ``.json``.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> to_dict(build.graph())["AIF"]["nodes"]
    [{'nodeID': '1', 'text': 'Masks help', 'type': 'I'}]
    """
    chosen = _chosen(graph, format, ".json")
    document = json.loads(_text_alone(chosen, graph)) if chosen.syntax == "json" else None
    if not isinstance(document, dict):
        raise OptionError(f"the format {format} is no JSON object", remedy="choose xaif, aif or ova3")
    return document


def _text_alone(chosen: Format, graph: ArgumentGraph, **options: Any) -> str:
    """Return the content of the file of a graph; a warning says that the text of the file beside it is left out."""
    content = chosen.serialize(graph, **options)
    if content.beside is not None:
        what = f"the source text is left out, which {chosen.title} has in a file of its own"
        warnings.warn(f"{what}: dump to a path, or as xAIF", stacklevel=3)
    return content.text


def _chosen(graph: ArgumentGraph, format: str | None, suffix: str | None, path: Path | None = None) -> Format:
    """Return the named format, else the one that a graph was read in where it holds all, else that of the suffix."""
    check_graph(graph)
    if format is not None:
        return format_named(format, "written")
    fitting = [row for row in FORMATS.values() if row.writer and (suffix is None or suffix in row.suffixes)]
    own = FORMATS.get(graph.meta.form)
    # AIF JSON has the source text in a file beside it.
    if own in fitting and own.holds_all and (own.name != "aif" or graph.meta.source is None):
        return own
    if not fitting:
        known = sorted({row.suffixes[0] for row in FORMATS.values() if row.writer})
        what = f"no format has {'the suffix ' + suffix if suffix else 'no suffix'}"
        raise OptionError(what, where=str(path), remedy=f"name the format, or end the file in {', '.join(known)}")
    return FORMATS["xaif"] if FORMATS["xaif"] in fitting else fitting[0]
