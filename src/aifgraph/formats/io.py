"""``load``, ``loads``, ``dump``, ``dumps``: one graph in, one graph out, in any format of the registry."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from io import BufferedIOBase, RawIOBase
from os import PathLike
from os.path import dirname, isfile, join
from pathlib import Path
from typing import IO, Any, Protocol, runtime_checkable

from aifgraph.errors import AifgraphError, FormatError, InputError, OptionError
from aifgraph.formats.codec import Written, checked
from aifgraph.formats.files import MAPS, Input, input_from_path, read_bounded, without_gz, write_atomic
from aifgraph.formats.registry import codec, detect, writer
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.printable import printable_data


@runtime_checkable
class NamedMap(Protocol):
    """A map that is loaded when it is asked for, as the entries of a corpus are."""

    @property
    def name(self) -> str:
        """Its name in the corpus."""
        ...

    @property
    def source(self) -> str:
        """Its place as messages show it."""
        ...

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """The graph."""
        ...


Source = str | PathLike[str] | IO[str] | IO[bytes] | Mapping[str, Any] | NamedMap


def load(source: Source, *, format: str | None = None, strict: bool = False, **options: Any) -> ArgumentGraph:
    """The graph in a file; its ``notices`` say what was repaired.

    Args:
        source: a path, an open file, ``"-"`` for standard input, an address (``aifdb:17940``), an entry
            of a corpus, or a parsed JSON document, as for :func:`from_dict`. What is packed with gzip is unpacked. A
            text file of the same name next to a JSON file (``nodeset1.txt``) is its source text.
        format: the name of the format; None recognises it by its content.
        strict: whether a map that reading has to repair, or has any other notice about, is an error; one without nodes
            is none.
        **options: those of the format.

    Raises:
        FormatError: the content is not of the format; with ``strict``, it had to be repaired.
        NotFoundError: there is no such file.
        LimitError: the content is larger or deeper than is accepted.
        OptionError: an option is not one of the format.
        RemoteError: for an address, the server does not answer as it should.
    """
    return _unrepaired(_loaded(source, format, options), strict)


def _loaded(source: Source, format: str | None, options: dict[str, Any]) -> ArgumentGraph:
    if format is not None:
        codec(format)  # a name that no format has is an error before anything is read, or fetched
    if isinstance(source, Mapping):
        return from_dict(source, format=format, **options)
    if isinstance(source, NamedMap) and not options:
        return source.load(format=format)
    if isinstance(source, str) and source.startswith("aifdb:"):
        given = {**({"format": format} if format not in (None, "aif") else {}), **options}
        if given:
            raise OptionError(f"{min(given)} has no effect on an address of AIFdb", where=source, remedy="leave it out")
        from aifgraph.aifdb.client import load_address

        return load_address(source)
    return read_input(_input(source, options), format)


def _unrepaired(graph: ArgumentGraph, strict: bool) -> ArgumentGraph:
    # That a map is empty repairs nothing: the first stage of a pipeline has people and a text alone.
    notices = [notice for notice in graph.notices if notice.code != "map-empty"]
    if strict and notices:
        first, *others = notices
        more = f" (and {len(others)} more)" if others else ""
        raise FormatError(f"{first}{more}", where=graph.name, remedy="repair the file, or load it without strict")
    return graph


def loads(
    text: str | bytes, *, format: str | None = None, name: str = "<string>", strict: bool = False, **options: Any
) -> ArgumentGraph:
    """The graph in a string, the content of a file; ``name`` is the graph's, for messages. The rest is as in
    :func:`load`.

    Raises:
        FormatError: the content is not of the format; with ``strict``, it had to be repaired.
        LimitError: the content is larger or deeper than is accepted.
        OptionError: an option is not one of the format.

    >>> graph = loads('{"nodes": [{"nodeID": "1", "text": "Masks help", "type": "I"}], "edges": []}')
    >>> graph.propositions[0].text
    'Masks help'
    """
    data = text.encode("utf-8", errors="surrogatepass") if isinstance(text, str) else text
    return _unrepaired(read_input(Input(name, data, options=options), format), strict)


def from_dict(
    document: Mapping[str, Any],
    *,
    format: str | None = None,
    name: str = "<document>",
    strict: bool = False,
    **options: Any,
) -> ArgumentGraph:
    """The graph in a parsed JSON document, such as a web handler gets, of any format that is a JSON object.

    The document is not changed and not kept. The rest is as in :func:`load`; ``OptionError`` for a document that holds
    what JSON cannot hold.

    >>> graph = from_dict({"nodes": [{"nodeID": 1, "text": "Masks help", "type": "I"}], "edges": []})
    >>> from_dict(to_dict(graph)) == graph
    True
    """
    try:
        data = json.dumps(dict(document)).encode()
    except RecursionError:
        raise FormatError("nested too deeply", where=name) from None
    except (TypeError, ValueError) as error:
        raise OptionError(f"the document is no JSON ({error})"[:200], remedy="give plain values") from None
    return _unrepaired(read_input(Input(name, data, ".json", options=options), format), strict)


def to_dict(graph: ArgumentGraph, *, format: str = "xaif") -> dict[str, Any]:
    """A graph as a JSON document of plain values, which belongs to the caller.

    ``format`` is ``xaif``, which holds everything, or another format that is a JSON object: ``aif``, ``ova3`` or
    ``sadface``; ``OptionError`` for any other. ``aifgraph.json_schema(format)`` describes it.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> to_dict(build.graph())["AIF"]["nodes"]
    [{'nodeID': '1', 'text': 'Masks help', 'type': 'I'}]
    """
    text = dumps(graph, format=format)
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise OptionError(f"the format {format} is no JSON object", remedy="choose xaif, aif, ova3 or sadface")
    return document


@gc_paused
def read_input(file: Input, format: str | None = None) -> ArgumentGraph:
    """The graph in an input, in the named format or the one that is recognised."""
    file = file.unpacked()
    chosen = codec(format) if format else detect(file)
    if not chosen.reads:
        raise OptionError(f"the format {chosen.name} is only written", remedy="name another")
    try:
        read: Callable[..., ArgumentGraph] = chosen.read
        graph = read(file, **checked(chosen.read, file.options, f"reading {chosen.name}"))
    except RecursionError:
        raise FormatError("nested too deeply", where=file.name) from None
    except (AifgraphError, MemoryError):
        raise
    except Exception as error:  # a fault of ours, but whatever goes wrong with one map must not end a run over many
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise FormatError(f"cannot be read ({what})", where=file.name, remedy="please report it") from error
    # Edges are not counted here: they need not be made yet.
    notices = list(graph.meta.notices)
    if file.no_numbers:
        shown = ", ".join(dict.fromkeys(each[:20] for each in file.no_numbers[:100]))
        notices.append(Notice("number-missing", f"JSON has no number {shown}: taken as null"))
    if not len(graph):
        notices.append(Notice("map-empty", "the map has no nodes"))
    return graph.with_meta(notices=tuple(notices)) if len(notices) > len(graph.meta.notices) else graph


Target = str | PathLike[str] | IO[str] | IO[bytes]
#: One graph, or several: a list, a data set, a corpus.
Graphs = ArgumentGraph | Iterable[ArgumentGraph | NamedMap]


def dump(graph: Graphs, target: Target, *, format: str | None = None, **options: Any) -> None:
    """Write a graph to a path (atomically), an open file or ``"-"``; or several graphs as a corpus.

    A source text that the format keeps in a file of its own is written next to a path.

    Args:
        graph: what to write: a graph; or several: a list, a data set, a corpus. A map of a corpus keeps its name, a
            graph is called as its file without the folder (``map`` if it has no name), and equal names are numbered.
        target: a path, an open file (text or binary), or ``"-"`` for standard output; for several graphs a folder,
            ``.zip`` or ``.jsonl``, as of :func:`aifgraph.convert`.
        format: the name of the format; None takes the one that the suffix promises, else the one it was read in. Of
            several graphs in a folder or an archive it is AIF JSON, in JSON lines xAIF.
        **options: those of the format (``indent`` of AIF JSON).

    Raises:
        OptionError: there is no such format, or an option is not one of the format.
        InputError: the file cannot be written, or a map of a corpus cannot be read.

    >>> from aifgraph import GraphBuilder, open_corpus
    >>> build = GraphBuilder(name="masks")
    >>> _ = build.proposition("Masks help")
    >>> Path("build").mkdir(exist_ok=True)
    >>> dump([build.graph(), build.graph()], "build/masks.zip")
    >>> sorted(open_corpus("build/masks.zip").names)
    ['masks', 'masks-2']
    """
    if not isinstance(graph, ArgumentGraph):
        from aifgraph.corpus.conversion import dump_several

        dump_several(graph, target, format, options)
        return
    path = None if hasattr(target, "write") or target == "-" else Path(target)
    if path is not None and path.is_dir():
        raise InputError("is a folder", where=str(path), remedy="name a file in it")
    # A name may come from a file: f"out/{graph.name}.json" must not lead out of the folder.
    climbs = ".." in re.split(r"[/\\\\]", graph.name) or graph.name.startswith(("/", "\\"))
    if path is not None and climbs and str(target).find(graph.name) > 0:
        raise OptionError("the name of the graph is a path to somewhere else", where=str(target))
    name = format or _format_for(graph, path)
    written = _written(graph, name, options).encodable()
    if path is None:
        file: Any = sys.stdout if target == "-" else target
        shown = target == "-" and sys.stdout.isatty()
        _put(file, printable_data(written.text) if shown else written.text)
        return
    write_atomic(path, written.text)  # first, as it is what errors should name
    for suffix, text in written.siblings.items():
        write_atomic(path.with_name(without_gz(path.name)).with_suffix(suffix), text)


def encoded(graph: ArgumentGraph, path: Path | None, format: str | None = None, **options: Any) -> Written:
    """What ``dump`` writes, not written yet; nothing has to be at the path."""
    return _written(graph, format or _format_for(graph, path), options).encodable()


def dumps(graph: ArgumentGraph, *, format: str | None = None, **options: Any) -> str:
    """A graph as a string: in the named format, or the one it was read in, or AIF JSON. ``OptionError`` as in
    :func:`dump`.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> loads(dumps(build.graph())) == build.graph()
    True
    """
    return _written(graph, format or _format_for(graph, None), options).text


def _written(graph: ArgumentGraph, format: str, options: dict[str, Any]) -> Written:
    chosen = writer(format)
    write: Callable[..., Written] = chosen.write
    return write(graph, **checked(chosen.write, options, f"writing {chosen.name}"))


def _put(file: Any, text: str) -> None:
    """Write to an open file, as text or, where it takes bytes, in UTF-8."""
    if isinstance(file, RawIOBase | BufferedIOBase) or "b" in str(getattr(file, "mode", "")):
        file.write(text.encode("utf-8"))
    else:
        file.write(text)


def _written_suffixes() -> list[str]:
    from aifgraph.formats.registry import names

    return sorted({codec(name).suffixes[0] for name in names() if codec(name).writes})


def _format_for(graph: ArgumentGraph, path: Path | None) -> str:
    from aifgraph.formats.registry import names

    path = path and path.with_name(without_gz(path.name))
    own = graph.meta.form
    if own in names() and codec(own).writes and (path is None or path.suffix.lower() in codec(own).suffixes):
        return own
    if path is not None:
        suffix = path.suffix.lower()
        formats = [name for name in names() if suffix in codec(name).suffixes]
        written = [name for name in formats if codec(name).writes]
        promised = [name for name in written if suffix == codec(name).suffixes[0]] or written
        if promised and suffix == ".xml":
            choices = " or ".join(promised)
            raise OptionError(
                f"{suffix} is no one format", where=str(path), remedy=f"name it (format=, to=, --to): {choices}"
            )
        if promised:
            # Many formats are JSON; a file that is just called .json is AIF.
            return "aif" if "aif" in promised else promised[0]
        remedy = f"name the format, or end the file in {', '.join(_written_suffixes())}"
        what = f"no format is written as {path.suffix or 'a file without suffix'}"
        raise OptionError(what, where=str(path), remedy=remedy)
    return "aif"


def _input(source: Source, options: dict[str, Any]) -> Input:
    if isinstance(source, str | PathLike) and source != "-":
        path = Path(source)
        # Maps that were fetched in an archive are in a zip, and found as if they lay in its folder.
        if isfile(join(dirname(path), MAPS)):  # noqa: PTH113, PTH118, PTH120  false for what no path can be
            from aifgraph.formats.archives import zipped_input

            if (zipped := zipped_input(path, **options)) is not None:
                return zipped
        return input_from_path(path, **options)
    from_stdin = isinstance(source, str)
    file: Any = getattr(sys.stdin, "buffer", sys.stdin) if from_stdin else source
    if not hasattr(file, "read"):
        raise TypeError(f"load takes a path, an open file or a document, not a {type(source).__name__}")
    name = "<stdin>" if from_stdin else str(getattr(file, "name", "<file>"))
    suffix = Path(without_gz(name)).suffix.lower() if isinstance(getattr(file, "name", None), str) else ""
    return Input(name, read_bounded(file, name), suffix, options=options)
