"""Writing many maps: a zip, JSON lines or a folder; atomic, and the same bytes every time.

::

    open_writer(path) ──▶ add(name, suffix, bytes, siblings)   a map and the files next to it, whatever their format
                          add_graph(name, written)             a graph in a format
                          put(path, bytes)                     a file of another kind; not in JSON lines

In JSON lines a map stands as a JSON object, one in another format as a string with its ``suffix``.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import IO, Any

from aifgraph.corpus_names import LINES, WRITTEN
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.files import decode_source, decode_strict, in_place, parse_json, partial_folder, write_atomic
from aifgraph.formats.registry import FORMATS, Written
from aifgraph.graph import ArgumentGraph

# The earliest time that a zip archive can hold: archives of equal files are equal.
_EPOCH = (1980, 1, 1, 0, 0, 0)

Put = Callable[[str, bytes], object]


@dataclass(eq=False)
class Writer:
    """Takes maps one at a time; :func:`open_writer` makes one. ``as_lines``: each map is a line of JSON."""

    _path: Path
    _open: Callable[[], Put] = field(repr=False)
    as_lines: bool = False
    _names: set[str] = field(default_factory=set, repr=False)
    _put: Put | None = field(default=None, repr=False)

    def add(self, name: str, suffix: str, data: bytes, siblings: Mapping[str, bytes]) -> None:
        """Write a map, and the files of its stem by their suffixes.

        Raises:
            InputError: another map has this name; nothing of this one is written.
        """
        if self.as_lines:
            self.put(name, _record(name, suffix, data, siblings.get(".txt")))
            return
        self.put(name + suffix, data)
        for ending, sibling in siblings.items():
            self.put(name + ending, sibling)

    def add_graph(self, name: str, written: Written, suffix: str = ".json") -> None:
        """Write a graph in a format."""
        siblings = {} if written.beside is None else {".txt": written.beside.encode("utf-8", "replace")}
        self.add(name, suffix, written.text.encode("utf-8", "backslashreplace"), siblings)

    def put(self, path: str, data: bytes) -> None:
        """Write a file under a relative path; into JSON lines, a line."""
        if path in self._names:
            raise InputError(f"another map is written to {path}, too", remedy="give each once")
        self._write(path, data)
        self._names.add(path)

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
    """What writes maps to ``.zip``, ``.jsonl``, or to a folder; atomically, at its end.

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
                path, lambda: stack.enter_context(writer(stack.enter_context(in_place(path)))), suffix in LINES
            )
        else:
            made = Writer(path, lambda: stack.enter_context(_new_folder(path)))
        yield made


def container_suffix(target: str | PathLike[str]) -> str:
    """The suffix of a file of many maps; empty for a folder. Any other suffix is an ``OptionError``.

    >>> container_suffix("maps.zip"), container_suffix("v1.1"), container_suffix("some.maps/")
    ('.zip', '', '')
    """
    path = Path(target)
    name = path.name.lower()
    suffix = next((suffix for suffix in WRITTEN if name.endswith(suffix) and name != suffix), "")
    if suffix or path.is_dir() or str(target).endswith(("/", "\\")):
        return suffix
    # What follows a dot is mostly a suffix, but for a number: a folder may be called v1.1.
    if re.fullmatch(r"\.[A-Za-z]\w*", path.suffix):
        remedy = f"choose {', '.join(WRITTEN)}, or a folder (make it first if its name has a dot)"
        raise OptionError(f"a corpus is not written as {path.suffix}", where=str(path), remedy=remedy)
    return ""


def write_maps(graphs: Iterable[ArgumentGraph], target: str | PathLike[str]) -> int:
    """Write maps as AIF JSON under their names, one at a time; gives their number."""
    number = 0
    with open_writer(target, add=True) as writer:
        for graph in graphs:
            writer.add_graph(graph.name, FORMATS["aif"].written(graph))
            number += 1
    return number


def _record(name: str, suffix: str, data: bytes, text: bytes | None) -> bytes:
    """A map as a line of JSON."""
    record: dict[str, Any] = {"name": name}
    if suffix != ".json":
        record["suffix"] = suffix
    document = _document(name + suffix, data)
    if isinstance(document, dict):
        record["map"] = document
    else:
        record["map"], _ = decode_source(data, name + suffix)
    if text is not None:
        record["text"], _ = decode_source(text, f"{name}, its text")
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate cannot be UTF-8; as \uXXXX it comes through
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _document(name: str, data: bytes) -> object:
    """The JSON in a map; None where it is in another format, or damaged: it is then copied as it is."""
    if data.lstrip()[:1] != b"{":
        return None
    try:
        document: object = parse_json(decode_strict(data, name), name, no_numbers=[])
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
def _lines_writer(file: IO[bytes]) -> Iterator[Put]:
    yield lambda _, data: file.write(data)


_FILES: dict[str, Callable[[IO[bytes]], AbstractContextManager[Put]]] = {
    ".zip": zip_writer,
    **dict.fromkeys(LINES, _lines_writer),
}
