"""Writing a corpus: zip, tar.gz, JSON lines or a folder, whole or not at all, and the same bytes every time.

Maps and their texts are copied as they are, whatever their format; nothing is read as a graph. In JSON lines a map
stands as a JSON object, one in another format as a string with its ``suffix``.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any

from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.entries import Entry
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.formats.files import Input, decode_source, in_place, partial_folder
from aifgraph.graph import Notice

# The earliest time a zip archive can hold: archives of equal files are equal.
_EPOCH = (1980, 1, 1, 0, 0, 0)

Put = Callable[[str, bytes], object]


@dataclass(frozen=True, slots=True)
class Packed:
    """What was written where, and which maps could not be: their places and errors."""

    path: Path
    maps: int
    failed: tuple[tuple[str, str], ...] = ()
    notices: tuple[Notice, ...] = ()


def pack(corpus: Corpus, target: str | PathLike[str], *, progress: Callable[[int, int], None] | None = None) -> Packed:
    """Write a corpus to ``.zip``, ``.tar.gz``/``.tgz``, ``.jsonl``, ``.jsonl.gz``, or to a new folder (no suffix).

    A file that is there is replaced at the end; a folder must be new or empty. Raises ``OptionError`` for another
    suffix, ``InputError`` for a corpus without maps or a place that cannot be written.
    """
    path = Path(target)
    if not len(corpus):
        raise InputError("there are no maps in it", where=str(corpus.path))
    name = path.name.lower()
    writers: dict[str, Callable[[IO[bytes]], AbstractContextManager[Put]]] = {
        ".zip": zip_writer,
        ".tar.gz": _tar,
        ".tgz": _tar,
        ".jsonl": lambda part: _lines(part, packed=False),
        ".jsonl.gz": lambda part: _lines(part, packed=True),
    }
    as_lines = name.endswith((".jsonl", ".jsonl.gz"))
    writer = next((writers[suffix] for suffix in writers if name.endswith(suffix) and name != suffix), None)
    if writer is None and (path.suffix and not path.is_dir()):
        raise OptionError(
            f"a corpus is not written as {path.suffix}", remedy=f"choose {', '.join(writers)}, or a folder"
        )
    failed: list[tuple[str, str]] = []
    notices: list[Notice] = []
    try:
        with _file(path, writer) if writer else _folder(path) as put:
            for done, entry in enumerate(corpus, 1):
                try:
                    files = _record(entry, notices) if as_lines else _files(entry)
                except AifgraphError as error:
                    failed.append((entry.source, str(error)))
                    continue
                for file, data in files:
                    put(file, data)
                if progress:
                    progress(done, len(corpus))
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(path)) from None
    return Packed(path, len(corpus) - len(failed), tuple(failed), tuple(notices))


def _files(entry: Entry) -> list[tuple[str, bytes]]:
    given = entry.input()
    stem = entry.name.removesuffix(given.suffix)
    text = entry.sibling(".txt") if given.suffix != ".txt" else None
    return [(stem + given.suffix, given.data), *([(f"{stem}.txt", text)] if text is not None else [])]


def _record(entry: Entry, notices: list[Notice]) -> list[tuple[str, bytes]]:
    given = entry.input()
    document = _document(given)
    record: dict[str, Any] = {"name": entry.name.removesuffix(given.suffix)}
    if given.suffix != ".json":
        record["suffix"] = given.suffix
    if isinstance(document, dict):
        record["map"] = document
    else:
        record["map"], notice = decode_source(given.data, given.name)
        notices += [notice] if notice else []
    text = entry.sibling(".txt") if given.suffix != ".txt" else None
    if text is not None:
        record["text"], notice = decode_source(text, f"{entry.source}, its text")
        notices += [notice] if notice else []
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate cannot be UTF-8; as \uXXXX it comes through.
    data = line.encode() if _encodable(line) else json.dumps(record, separators=(",", ":")).encode()
    return [(entry.name, data + b"\n")]


def _document(given: Input) -> object:
    """The JSON in a map, or None where it is in another format or damaged (it is then kept as it is)."""
    if given.data.lstrip()[:1] != b"{":
        return None
    try:
        document: object = given.json
    except AifgraphError:
        return None
    return document


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _file(path: Path, writer: Callable[[IO[bytes]], AbstractContextManager[Put]]) -> Iterator[Put]:
    """A file, written whole or not at all."""
    if path.is_dir():
        raise InputError("is a folder", where=str(path), remedy="name a file")
    if not path.parent.is_dir():
        raise InputError("no such folder", where=str(path.parent))
    with in_place(path) as file, writer(file) as put:
        yield put


@contextmanager
def _folder(path: Path) -> Iterator[Put]:
    """A new folder, written next to ``path`` and moved there at the end, or removed."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError("is there already, and not empty", where=str(path), remedy="name a new folder")
    if not path.parent.is_dir():
        raise InputError("no such folder", where=str(path.parent))
    with partial_folder(path) as place:
        inner = place / "corpus"
        inner.mkdir()

        def put(name: str, data: bytes) -> None:
            file = inner / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

        yield put
        inner.replace(path)


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
def _tar(file: IO[bytes]) -> Iterator[Put]:
    with _gzip(file) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:

        def put(name: str, data: bytes) -> None:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

        yield put


@contextmanager
def _lines(file: IO[bytes], *, packed: bool) -> Iterator[Put]:
    with _gzip(file) if packed else nullcontext(file) as lines:
        yield lambda _, data: lines.write(data)


def _gzip(file: IO[bytes]) -> gzip.GzipFile:
    # Neither a time nor a name in the header: equal corpora give equal bytes.
    return gzip.GzipFile("", "wb", 6, file, 0)
