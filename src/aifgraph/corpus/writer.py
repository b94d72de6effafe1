"""Writing many maps: a zip, a tar.gz, JSON lines or a folder; atomic, and the same bytes every time.

::

    open_writer(path) ──▶ add(name, suffix, bytes, siblings)   a map and the files next to it, whatever their format
                          add_graph(name, written)             a graph in a format
                          put(path, bytes)                     a file of another kind; not in JSON lines

In JSON lines a map stands as a JSON object, one in another format as a string with its ``suffix``.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import IO, Any

from aifgraph.corpus.conversion_record import RECORD, ConversionRecord, record_place
from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus_names import LINES, PACKED_LINES, WRITTEN
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.formats.aif.read import PEOPLE
from aifgraph.formats.codec import Written
from aifgraph.formats.files import Input, decode_source, in_place, partial_folder, write_atomic
from aifgraph.formats.registry import codec
from aifgraph.graph import ArgumentGraph, Notice

# The earliest time that a zip archive can hold: archives of equal files are equal.
_EPOCH = (1980, 1, 1, 0, 0, 0)

Put = Callable[[str, bytes], object]


@dataclass(eq=False)
class Writer:
    """Takes maps one at a time; :func:`open_writer` makes one.

    Attributes:
        notices: what had to be guessed (encodings of texts).
        as_lines: whether each map is a line of JSON.
    """

    _path: Path
    _open: Callable[[], Put] = field(repr=False)
    as_lines: bool = False
    notices: list[Notice] = field(default_factory=list)
    _names: set[str] = field(default_factory=set, repr=False)
    _put: Put | None = field(default=None, repr=False)
    _beside: list[ConversionRecord] | None = field(default=None, repr=False)

    def add(self, name: str, suffix: str, data: bytes, siblings: Mapping[str, bytes]) -> None:
        """Write a map, and the files of its stem by their suffixes.

        Raises:
            InputError: another map has this name; nothing of this one is written.
        """
        if self.as_lines:
            self.put(name, _record(name, suffix, data, siblings.get(".txt"), self.notices))
            return
        self.put(name + suffix, data)
        for ending, sibling in siblings.items():
            self.put(name + ending, sibling)

    def add_graph(self, name: str, written: Written, suffix: str = ".json") -> None:
        """Write a graph in a format."""
        siblings = {ending: text.encode("utf-8", "backslashreplace") for ending, text in written.siblings.items()}
        self.add(name, suffix, written.text.encode("utf-8", "backslashreplace"), siblings)

    def put(self, path: str, data: bytes) -> None:
        """Write a file under a relative path; into JSON lines, a line."""
        if path in self._names:
            raise InputError(f"another map is written to {path}, too", remedy="give each once")
        self._write(path, data)
        self._names.add(path)

    def put_record(self, record: ConversionRecord) -> None:
        """Write the record of a conversion: into the folder, or beside the file when that is complete. Nothing where no
        map is written."""
        if self._put is None:
            return
        if self._beside is None:
            self.put(RECORD, record.encoded())
        else:
            self._beside.append(record)

    def put_line(self, row: Mapping[str, object]) -> None:
        """Write a line of JSON that is no map."""
        line = json.dumps(row, ensure_ascii=False) + "\n"
        self._write("", line.encode("utf-8", "backslashreplace"))

    def _write(self, path: str, data: bytes) -> None:
        if self._put is None:
            self._put = self._open()
        try:
            self._put(path, data)
        except AifgraphError:  # some are an OSError too
            raise
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=str(self._path)) from None


@contextmanager
def open_writer(target: str | PathLike[str], *, add: bool = False) -> Iterator[Writer]:
    """What writes maps to ``.zip``, ``.tar.gz``, ``.jsonl`` or ``.jsonl.gz``, or to a folder; atomically, at its end.

    Where nothing is written, or an error comes, nothing is there afterwards, and what was there is as before. A folder
    must be new or empty; with ``add`` it may hold files, of which each is replaced atomically.

    Raises:
        OptionError: a suffix that is none of these.
        InputError: a place that cannot be written.
    """
    path = Path(target)
    suffix = container_suffix(target)
    existing = not suffix and path.is_dir() and any(path.iterdir())
    if suffix and path.is_dir():
        raise InputError("is a folder", where=str(path), remedy="name a file")
    if not suffix and path.is_file():
        raise OptionError("a file where a folder is needed", where=str(path), remedy="name another target")
    if existing and not add:
        raise InputError("is there already, and not empty", where=str(path), remedy="name a new folder")
    if not path.parent.is_dir():
        if not add:
            raise InputError("no such folder", where=str(path.parent), remedy="make it first")
        _make(path.parent)
    with ExitStack() as stack:
        if existing:
            made = Writer(path, lambda: lambda name, data: _put_in_place(path / name, data))
        elif suffix:
            writer = _FILES[suffix]
            made = Writer(
                path, lambda: stack.enter_context(writer(stack.enter_context(in_place(path)))), suffix in _LINES
            )
            made._beside = []
        else:
            made = Writer(path, lambda: stack.enter_context(_new_folder(path)))
        yield made
    for record in made._beside or ():
        write_atomic(record_place(path), record.encoded())


def container_suffix(target: str | PathLike[str]) -> str:
    """The suffix of a file of many maps; empty for a folder. Any other suffix is an ``OptionError``.

    >>> container_suffix("maps.tar.gz"), container_suffix("v1.1"), container_suffix("some.maps/")
    ('.tar.gz', '', '')
    """
    path = Path(target)
    name = path.name.lower()
    suffix = next((suffix for suffix in WRITTEN if name.endswith(suffix) and name != suffix), "")
    if suffix or path.is_dir() or str(target).endswith(("/", "\\")):
        return suffix
    # What follows a dot is mostly a suffix, but for a number: a folder may be called v1.1.
    if re.fullmatch(r"\.[A-Za-z]\w*", path.suffix):
        remedy = f"choose {', '.join(WRITTEN)}, or a folder (make it first if its name has a dot)"
        if path.suffix.lower() in (*codec("turtle").suffixes, *codec("nquads").suffixes, *codec("trig").suffixes):
            remedy = f"write a folder; then aifgraph convert FOLDER {path.stem}.nq (or .trig) makes one file of RDF"
        raise OptionError(f"a corpus is not written as {path.suffix}", where=str(path), remedy=remedy)
    return ""


def write_maps(
    graphs: Iterable[ArgumentGraph],
    target: str | PathLike[str],
    *,
    record: Callable[[Mapping[str, int]], ConversionRecord] | None = None,
) -> int:
    """Write maps as AIF JSON under their names, one at a time; gives their number. ``record`` makes the record of the
    conversion that they are from, of the numbers of maps, edges and nodes by type."""
    counts: Counter[str] = Counter()
    with open_writer(target, add=True) as writer:
        for graph in graphs:
            writer.add_graph(graph.name, codec("aif").write(graph))
            counts["maps"] += 1
            counts["edges"] += len(graph.edges)
            counts.update(node.type for node in graph)
        if record is not None:
            writer.put_record(record(counts))
    return counts["maps"]


@dataclass(frozen=True, slots=True)
class Packed:
    """What was written where, and which maps could not be: their places and errors."""

    path: Path
    maps: int
    failed: tuple[tuple[str, str], ...] = ()
    notices: tuple[Notice, ...] = ()


def pack(
    corpus: Corpus,
    target: str | PathLike[str],
    *,
    record: ConversionRecord | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Packed:
    """Copy the maps and texts of a corpus as they are, with the ``record`` of their conversion; nothing is read as a
    graph. ``target`` as of ``open_writer``.

    Raises:
        InputError: a corpus without maps, or a place that cannot be written.
        OptionError: another suffix.
    """
    if not len(corpus):
        raise InputError("there are no maps in it", where=str(corpus.path))
    failed: list[tuple[str, str]] = []
    with open_writer(target) as writer:
        for number, entry in enumerate(corpus, 1):
            try:
                source = entry.input()
                suffixes = [suffix for suffix in (".txt", PEOPLE) if suffix != source.suffix]
                siblings = {suffix: data for suffix in suffixes if (data := entry.sibling(suffix)) is not None}
            except AifgraphError as error:
                failed.append((entry.source, str(error)))
            else:
                writer.add(entry.name.removesuffix(source.suffix), source.suffix, source.data, siblings)
            if progress:
                progress(number, len(corpus))
        if record is not None:
            writer.put_record(record)
    return Packed(Path(target), len(corpus) - len(failed), tuple(failed), tuple(writer.notices))


def _record(name: str, suffix: str, data: bytes, text: bytes | None, notices: list[Notice]) -> bytes:
    """A map as a line of JSON."""
    record: dict[str, Any] = {"name": name}
    if suffix != ".json":
        record["suffix"] = suffix
    document = _document(Input(name + suffix, data, suffix))
    if isinstance(document, dict):
        record["map"] = document
    else:
        record["map"], notice = decode_source(data, name + suffix)
        notices += [notice] if notice else []
    if text is not None:
        record["text"], notice = decode_source(text, f"{name}, its text")
        notices += [notice] if notice else []
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate cannot be UTF-8; as \uXXXX it comes through
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _document(source: Input) -> object:
    """The JSON in a map; None where it is in another format, or damaged: it is then copied as it is."""
    if source.data.lstrip()[:1] != b"{":
        return None
    try:
        document: object = source.json
    except AifgraphError:
        return None
    return document


@contextmanager
def _new_folder(path: Path) -> Iterator[Put]:
    """A new folder, written next to ``path`` and moved there at the end, or removed."""
    with partial_folder(path) as place:
        inner = place / "corpus"
        inner.mkdir()

        def put(name: str, data: bytes) -> None:
            file = inner / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

        yield put
        try:
            inner.replace(path)
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=str(path)) from None


def _put_in_place(file: Path, data: bytes) -> None:
    _make(file.parent)
    write_atomic(file, data)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(folder)) from None


@contextmanager
def zip_writer(file: IO[bytes], *, packed_up_to: int | None = None) -> Iterator[Put]:
    """What puts files into a zip archive; those of more than ``packed_up_to`` bytes are not compressed."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, data: bytes) -> None:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr = 0o100644 << 16
            small = packed_up_to is None or len(data) <= packed_up_to
            info.compress_type = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
            info.create_system = 3
            archive.writestr(info, data)

        yield put


@contextmanager
def _tar_writer(file: IO[bytes]) -> Iterator[Put]:
    with gzip_file(file) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:

        def put(name: str, data: bytes) -> None:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

        yield put


@contextmanager
def _lines_writer(file: IO[bytes]) -> Iterator[Put]:
    yield lambda _, data: file.write(data)


@contextmanager
def _packed_lines_writer(file: IO[bytes]) -> Iterator[Put]:
    with gzip_file(file) as packed:
        yield lambda _, data: packed.write(data)


def gzip_file(file: IO[bytes]) -> gzip.GzipFile:
    """A file that packs into an open one, with neither a time nor a name: equal contents give equal bytes."""
    return gzip.GzipFile("", "wb", 6, file, 0)


_LINES = (*LINES, *PACKED_LINES)
_FILES: dict[str, Callable[[IO[bytes]], AbstractContextManager[Put]]] = {
    ".zip": zip_writer,
    ".tar.gz": _tar_writer,
    ".tgz": _tar_writer,
    **dict.fromkeys(LINES, _lines_writer),
    **dict.fromkeys(PACKED_LINES, _packed_lines_writer),
}
