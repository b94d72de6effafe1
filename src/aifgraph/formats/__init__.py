"""Reading and writing argument graphs: ``load``, ``loads``, ``dump`` and ``dumps``, as in ``json``."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from inspect import signature
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, Final, Protocol, runtime_checkable

from aifgraph.errors import AifgraphError, FormatError, InputError, OptionError
from aifgraph.files import (
    Input,
    decode_source,
    input_from_path,
    read_bounded,
    read_bytes,
    stem_of,
    suffix_of,
    unpacked,
    write_atomic,
)
from aifgraph.formats.registry import (
    FORMATS,
    Format,
    Written,
    detect,
    format_named,
    format_written,
    parse,
)
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.printable import printable_data

__all__ = ["FORMATS", "NamedMap", "Source", "Written", "dump", "dumps", "from_dict", "load", "loads", "read_input"]
__all__ += ["to_dict"]


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

    A text file of the same stem beside a map (``nodeset1.txt``) is its source text; gzip is unpacked.

    Args:
        source: a path, an open file, ``"-"`` for standard input, an address (``aifdb:17940``), an entry of a corpus, or
            a parsed JSON document, as for :func:`from_dict`.
        format: the name of the format; None recognises it by its content.
        strict: whether a notice is an error (except that a map has no nodes, or character references).
        **options: options of the format: ``major`` of brat.

    Raises:
        FormatError: the content is not of the format; with ``strict``, something had to be left out or repaired.
        NotFoundError: there is no such file.
        LimitError: the content is too large or nested too deeply.
        RemoteError: for an address, the answer of the server is invalid.
    """
    if isinstance(source, Mapping):
        return from_dict(source, format=format, strict=strict)
    if isinstance(source, NamedMap):
        return _strict(source.load(format=format), strict)
    if isinstance(source, str) and source.startswith("aifdb:"):
        from aifgraph.aifdb import cached_nodeset

        return _strict(cached_nodeset(source.removeprefix("aifdb:")), strict)
    return read_input(_input(source), format, strict=strict, **options)


def _input(source: Any) -> Input:
    if isinstance(source, str | PathLike) and source != "-":
        return input_from_path(fspath(source))
    file: Any = getattr(sys.stdin, "buffer", sys.stdin) if source == "-" else source
    if not hasattr(file, "read"):
        raise TypeError(f"load takes a path, an open file or a document, not {type(source).__name__}")
    name = "<stdin>" if source == "-" else str(getattr(file, "name", "<file>"))
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
    return read_input(Input(name, data, suffix_of(name)), format, strict=strict, **options)


def from_dict(
    document: Mapping[str, Any], *, format: str | None = None, name: str = "<document>", strict: bool = False
) -> ArgumentGraph:
    """Read the graph in a parsed JSON document, which is not changed and not kept.

    >>> graph = from_dict({"nodes": [{"nodeID": 1, "text": "Masks help", "type": "I"}], "edges": []})
    >>> from_dict(to_dict(graph)) == graph
    True
    """
    try:
        data = json.dumps(dict(document)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise OptionError(f"the document is no JSON ({error})"[:200], remedy="give plain values") from None
    return read_input(Input(name, data, ".json"), format, strict=strict)


@gc_paused
def read_input(file: Input, format: str | None = None, *, strict: bool = False, **options: Any) -> ArgumentGraph:
    """Read the graph in an input, in the named format or the one that is recognised; see :func:`load`."""
    name, notices = file.name, list[Notice]()
    data = unpacked(file.data, name)
    if format is None:
        chosen, document = detect(data, file.suffix or suffix_of(name), name, notices)
    else:
        chosen = format_named(format)
        if not chosen.reads:
            raise OptionError(f"the format {chosen.name} is only written", remedy="name another")
        document = parse(data, chosen.syntax, name, notices)
    text = None
    if chosen.beside and (beside := file.sibling(".txt")) is not None:
        text, message = decode_source(beside, f"{stem_of(name)}.txt")
        notices += [Notice("text-encoding", message)] if message else []
    if options:
        signature(chosen.code.read).bind(document, name, text, **options)  # a wrong option is a TypeError
    try:
        graph: ArgumentGraph = chosen.code.read(document, name, text, **options)
    except AifgraphError:
        raise
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        # What no reader foresees in a broken file must not end a run over many.
        what = " ".join(f"cannot be read ({type(error).__name__}: {error})".split())[:200]
        raise FormatError(what, where=name) from error
    notices += graph.notices
    if not len(graph):
        notices.append(Notice("map-empty", "the map has no nodes"))
    graph = graph.with_meta(notices=tuple(notices)) if len(notices) > len(graph.notices) else graph
    return _strict(graph, strict)


#: The first stage of a pipeline has people and a text alone; and references are read as AIFdb writes them.
_NO_REPAIRS: Final = ("map-empty", "references-decoded")


def _strict(graph: ArgumentGraph, strict: bool) -> ArgumentGraph:
    notices = [notice for notice in graph.notices if notice.code not in _NO_REPAIRS] if strict else []
    if notices:
        raise FormatError(str(notices[0]), where=graph.name, remedy="repair the file, or load it without strict")
    return graph


#: Where :func:`dump` writes to.
Target = str | PathLike[str] | IO[str] | IO[bytes]


def dump(graph: ArgumentGraph, target: Target, *, format: str | None = None, **options: Any) -> None:
    """Write a graph to a path (completely or not at all), an open file, or ``"-"`` for standard output.

    If the format keeps the source text in another file, it is written beside the path.

    Args:
        graph: what to write; :func:`aifgraph.write_corpus` writes several.
        target: a path, an open file, or ``"-"``.
        format: the name of the format. If None: the format in which the graph was read, if its file holds all of the
            graph and has this suffix; else the format of the suffix, which is xAIF for ``.json``; else xAIF.
        **options: options of the format: ``indent`` of AIF JSON, xAIF and OVA3.

    Raises:
        OptionError: there is no such format, or aifgraph only reads it.
        InputError: the file cannot be written, or the file of the source text exists with another text.
    """
    path = Path(target) if isinstance(target, str | PathLike) and target != "-" else None
    if path is not None and path.is_dir():
        raise InputError("this is a folder", where=str(path), remedy="name a file in it")
    # A name may come from a file: f"out/{graph.name}.json" must not lead out of the folder.
    climbs = graph.name.startswith(("/", "\\")) or ".." in graph.name.replace("\\", "/").split("/")
    if climbs and graph.name in str(path)[1:]:
        raise OptionError("the name of the graph leads to another folder", where=str(path))
    content = _chosen(graph, format, suffix_of(path.name) if path else None, path).written(graph, **options)
    if path is None:
        file: Any = sys.stdout if target == "-" else target
        text = printable_data(content.text) if target == "-" and file.isatty() else content.text
        binary = isinstance(file, io.RawIOBase | io.BufferedIOBase) or "b" in str(getattr(file, "mode", ""))
        file.write(text.encode("utf-8", "backslashreplace") if binary else text)
        return
    place = Path(f"{stem_of(str(path))}.txt")
    there = content.beside is not None and place.exists()
    if there and decode_source(read_bytes(place), place.name)[0] != content.beside:
        raise InputError("another text exists there", where=str(place), remedy="write to another folder")
    if content.beside is not None and not there:
        write_atomic(place, content.beside)
    write_atomic(path, content.text)


def dumps(graph: ArgumentGraph, *, format: str | None = None, **options: Any) -> str:
    """Return a graph as a string: in the named format, else that in which it was read if it holds all, else xAIF.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> loads(dumps(build.graph())) == build.graph()
    True
    """
    return _chosen(graph, format, None).written(graph, **options).text


def to_dict(graph: ArgumentGraph, *, format: str | None = None) -> dict[str, Any]:
    """Return a graph as a JSON document of plain values, as :func:`dump` writes it to a file ``.json``.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> to_dict(build.graph())["AIF"]["nodes"]
    [{'nodeID': '1', 'text': 'Masks help', 'type': 'I'}]
    """
    chosen = _chosen(graph, format, ".json")
    document = json.loads(chosen.written(graph).text) if chosen.syntax == "json" else None
    if not isinstance(document, dict):
        raise OptionError(f"the format {format} is no JSON object", remedy="choose xaif, aif, ova3 or sadface")
    return document


def _chosen(graph: ArgumentGraph, format: str | None, suffix: str | None, path: Path | None = None) -> Format:
    """Return the named format, else the one that a graph was read in where it holds all, else that of the suffix."""
    if format is not None:
        return format_written(format)
    fitting = [each for each in FORMATS.values() if each.writes and (suffix is None or suffix in each.suffixes)]
    own = FORMATS.get(graph.meta.form)
    if own in fitting and _holds(own, graph):
        return own
    if not fitting:
        known = sorted({each.suffixes[0] for each in FORMATS.values() if each.writes})
        what = f"no format has {'the suffix ' + suffix if suffix else 'no suffix'}"
        raise OptionError(what, where=str(path), remedy=f"name the format, or end the file in {', '.join(known)}")
    return FORMATS["xaif"] if FORMATS["xaif"] in fitting else fitting[0]


def _holds(own: Format, graph: ArgumentGraph) -> bool:
    """Return whether a file of a format holds all of a graph."""
    if own.holds_all:
        return graph.meta.source is None or not hasattr(own.code, "text_beside")
    try:
        document = parse(own.written(graph).text.encode("utf-8", "surrogatepass"), own.syntax, graph.name, [])
        return bool(own.code.read(document, graph.name) == graph)
    except AifgraphError:
        return False
