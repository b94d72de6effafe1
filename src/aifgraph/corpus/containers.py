"""What holds a corpus: a folder, a zip archive, JSON lines, or one map; and which of these is at a path.

A container knows the paths of its files from the start and reads a file when it is asked to. It never trusts what an
archive says about itself: sizes are counted while reading.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Protocol

from aifgraph.corpus.archives import (
    MAX_FILES,
    FirstFew,
    RandomAccessFile,
    Zip,
    fetched_zip,
    safe_path,
)
from aifgraph.corpus_names import LINES
from aifgraph.errors import FormatError, InputError, LimitError, NoSuchFileError
from aifgraph.files import MANIFEST, MAPS, MAX_MEMBER, read_bytes, without_gz
from aifgraph.graph import Notice

#: How deep folders are looked into.
MAX_DEPTH = 64

# What this library writes starts like this: most lines need not be parsed to know their names.
_HEAD = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*("suffix"\s*:\s*"(\.\w+)"\s*,\s*)?"(?:map|text)"'
)
_NOT_READ = (".tar", ".tar.gz", ".tgz", *(f"{suffix}.gz" for suffix in LINES))
_REMEDY = "give a folder, a .zip or .jsonl of maps"


class Container(Protocol):
    """Files by their paths in it, with ``/`` between folders.

    ``ordered`` says whether the order of the paths is the author's, as that of lines is.
    """

    path: Path
    notices: tuple[Notice, ...]
    ordered: bool

    @property
    def paths(self) -> Sequence[str]:
        """The files, relative to the container, each once."""
        ...

    def holds(self, path: str) -> bool:
        """Whether there is such a file."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of one file; raises ``InputError`` or ``LimitError`` with the place."""
        ...

    def where(self, path: str) -> str:
        """One file's place as messages show it."""
        ...


class Folder:
    """The plain files under a folder. Hidden files and folders are skipped.

    A link is followed to a file of the same folder only: whoever made the folder could else have any file of this
    machine read. Where ``fetch`` has written a zip of maps, what is in it counts as files of the folder next
    to it, and of a file in the zip and a plain one, the plain one.
    """

    ordered = False

    def __init__(self, path: Path) -> None:
        self.path = path
        notices: list[Notice] = []
        files = _files_below(path, notices)
        self._zips: dict[str, tuple[Zip, str]] = {}
        for manifest in sorted(file for file in files if file.rpartition("/")[2] == MANIFEST):
            top = manifest.removesuffix(MANIFEST)
            if top + MAPS in files and (archive := fetched_zip(path / top)) is not None:
                notices += archive.notices
                del files[top + MAPS]
                self._zips |= {top + inner: (archive, inner) for inner in archive.paths if top + inner not in files}
        self._files = files
        if len(files) + len(self._zips) > MAX_FILES:
            raise LimitError(f"more than {MAX_FILES} files", where=str(path), remedy="split it")
        self.paths = [*files, *self._zips]
        self.notices = tuple(notices)

    def holds(self, path: str) -> bool:
        return path in self._files or path in self._zips

    def read(self, path: str) -> bytes:
        if path in self._zips:
            archive, inner = self._zips[path]
            return archive.read(inner)
        return read_bytes(self.path / path)

    def where(self, path: str) -> str:
        return str(self.path / path)  # of a file in a zip, too: `load` finds it by this path


def _files_below(folder: Path, notices: list[Notice]) -> dict[str, None]:
    """The files below a folder, in no particular order."""
    files: dict[str, None] = {}
    links: list[str] = []
    root = folder.resolve()
    todo = [("", 0)]
    while todo:
        inner, depth = todo.pop()
        try:
            with os.scandir(folder / inner) as items:
                for item in items:
                    if item.name.startswith(".") or _unreadable(item.name):
                        continue
                    relative = f"{inner}/{item.name}" if inner else item.name
                    if item.is_symlink() and not _stays_in(root, item.path):
                        links.append(relative)
                    elif item.is_dir(follow_symlinks=False):
                        todo.append((relative, depth + 1))
                    elif item.is_file():  # no pipes, sockets, devices
                        files[relative] = None
        except OSError as error:
            if not inner:
                raise InputError(error.strerror or "cannot be read", where=str(folder)) from None
            notices.append(Notice("corpus-folder", f"{folder / inner}: {error.strerror}; skipped"))
        if depth >= MAX_DEPTH and todo and todo[-1][1] > MAX_DEPTH:
            todo = [(path, depth) for path, depth in todo if depth <= MAX_DEPTH]
            notices.append(Notice("corpus-depth", f"{folder}: folders deeper than {MAX_DEPTH} are skipped"))
    if links:
        names = ", ".join(map(ascii, sorted(links)[:5])) + (" …" if links[5:] else "")
        what = "links that lead out of the folder, to a folder, in a circle or nowhere are skipped"
        notices.append(Notice("corpus-link", f"{folder}: {len(links)} {what}: {names}; copy the files (cp -rL)"))
    return files


def _stays_in(root: Path, link: str) -> bool:
    """Whether a link leads to a plain file below ``root``."""
    try:
        target = Path(link).resolve(strict=True)
        return stat.S_ISREG(target.stat().st_mode) and target.is_relative_to(root)
    except (OSError, ValueError, RuntimeError):  # nowhere, on another drive, in a circle (before Python 3.13)
        return False


def _unreadable(name: str) -> bool:
    """Whether a name is no text on this system: nothing could name it in a message."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


class Single:
    """One map, and the text next to it, as a corpus of one; ``folder`` holds both where they are in a fetched zip."""

    ordered = True

    def __init__(self, path: Path, folder: Folder | None = None) -> None:
        self.path = path
        self._folder = folder
        text = path.with_name(without_gz(path.name)).with_suffix(".txt")
        has_text = folder.holds(text.name) if folder else text.is_file()
        self.paths: list[str] = [path.name] + ([text.name] if text != path and has_text else [])
        self.notices: tuple[Notice, ...] = ()

    def holds(self, path: str) -> bool:
        return path in self.paths

    def read(self, path: str) -> bytes:
        return self._folder.read(path) if self._folder else read_bytes(self.path.with_name(path))

    def where(self, path: str) -> str:
        return str(self.path.with_name(path))


class Lines:
    """JSON lines, one map a line: ``{"name": …, "map": {…}, "text": …}`` or a bare map.

    Each line is a file ``NAME.json``, looked up by its place. A map that is no JSON stands as a string, with its
    ``suffix`` next to it.
    """

    ordered = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last: tuple[str | None, dict[str, Any]] = (None, {})
        self._places: dict[str, tuple[int, int, int]] = {}  # line number, offset, length in bytes
        twice, unsafe = FirstFew(), FirstFew()
        try:
            file = path.open("rb")
            self._file = RandomAccessFile(file)
            for number, offset, line in self._scan(file):
                name, suffix = _name_of(line)
                safe = safe_path(name) if name else None
                if name and safe is None:
                    unsafe.add(f"line {number}")
                stem = (safe or f"line{number}").removesuffix(suffix)
                first = True
                while stem + suffix in self._places:
                    if first:
                        twice.add(f"{stem} (line {number})")
                    stem, first = f"{stem}@{number}", False
                self._places[stem + suffix] = number, offset, len(line)
        except OSError as error:
            raise InputError(f"cannot be read ({error})", where=str(path)) from None
        self.paths = list(self._places)
        self.notices = tuple(
            Notice(code, f"{path}: {what}: {places}")
            for code, places, what in (
                ("lines-twice", twice, "names given more than once, told apart by line number"),
                ("lines-name", unsafe, "names that cannot be paths, replaced by line numbers"),
            )
            if places
        )

    def _scan(self, file: IO[bytes]) -> Iterator[tuple[int, int, bytes]]:
        offset = 0
        number = 0
        while line := file.readline(MAX_MEMBER + 1):
            number += 1
            if len(line) > MAX_MEMBER:
                where = f"{self.path}, line {number}"
                raise LimitError(f"a line longer than {MAX_MEMBER >> 20} MiB", where=where, remedy="one map a line")
            if line.strip():
                yield number, offset, line
            offset += len(line)

    def record(self, path: str) -> dict[str, Any]:
        """The record on a line, a bare map as ``{"map": …}``; the last one is cached: its text is asked for next."""
        last = self._last
        if last[0] != path:
            last = self._last = (path, self._record(path))
        return last[1]

    def _record(self, path: str) -> dict[str, Any]:
        number, offset, length = self._places[path]
        line = self._file.read(offset, length)
        where = self.where(path)
        try:
            value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except RecursionError:
            raise LimitError("JSON nested too deeply", where=where) from None
        except UnicodeDecodeError as error:
            raise FormatError(f"not UTF-8 (byte {error.start})", where=where, remedy="one JSON object a line") from None
        except json.JSONDecodeError as error:
            place = f"{where}, column {error.colno}"
            raise FormatError(f"not JSON: {error.msg}", where=place, remedy="one JSON object a line") from None
        except ValueError as error:  # a number of thousands of digits
            raise LimitError(str(error).split(";")[0], where=where) from None
        if not isinstance(value, dict):
            raise FormatError("not a JSON object", where=where, remedy="one map, or one record with a map, a line")
        return value if "map" in value else {"map": value}

    def read(self, path: str) -> bytes:
        """The map on a line."""
        content = self.record(path)["map"]
        if isinstance(content, str):
            return content.encode("utf-8", "surrogatepass")
        return json.dumps(content).encode()

    def digest(self, path: str) -> str:
        """A digest of a line as it stands: nothing of it is parsed."""
        _, offset, length = self._places[path]
        return sha256(self._file.read(offset, length)).hexdigest()

    def text(self, path: str) -> bytes | None:
        """The source text on a line, if it has one."""
        text = self.record(path).get("text")
        if text is None:
            return None
        if not isinstance(text, str):
            raise FormatError("text: not a string", where=self.where(path))
        return text.encode("utf-8", "surrogatepass")

    def where(self, path: str) -> str:
        return f"{self.path}, line {self._places[path][0]}"

    def holds(self, path: str) -> bool:
        return path in self._places


def _name_of(line: bytes) -> tuple[str, str]:
    """The name and suffix that a line gives its map; both are guesses where it is damaged."""
    head = _HEAD.match(line)
    try:
        if head:
            name = head[1][1:-1].decode()
            usual = "\\" not in name and name.isprintable()  # JSON has nothing to change in it
            return name if usual else json.loads(head[1]), (head[3] or b".json").decode()
        if b'"name"' not in line or b'"map"' not in line:
            return "", ".json"
        record = json.loads(line)
    except (ValueError, RecursionError):
        return "", ".json"
    if not isinstance(record, dict) or "map" not in record:
        return "", ".json"
    name, suffix = record.get("name"), record.get("suffix")
    usable = isinstance(suffix, str) and re.fullmatch(r"\.\w+", suffix)
    return name if isinstance(name, str) else "", str(suffix) if usable else ".json"


def open_container(path: Path, *, shared: bool = False) -> Container:
    """The container at a path, judged by its content; with ``shared``, one that was opened so before and has not
    changed since."""
    try:
        state = path.stat()
    except FileNotFoundError:
        if (single := _fetched_single(path)) is not None:
            return single
        raise NoSuchFileError("no such file or folder", where=str(path), remedy=_REMEDY) from None
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", None) or "no usable path", where=repr(str(path))) from None
    if not path.is_dir() and not path.is_file():
        raise InputError("neither a file nor a folder", where=str(path), remedy=_REMEDY)
    return _shared(path, (state.st_mtime_ns, state.st_size, state.st_ino)) if shared else _open(path)


@lru_cache(maxsize=8)
def _shared(path: Path, _stamp: tuple[int, int, int]) -> Container:
    # Workers get entries one by one: they must not unpack the same archive for each of them.
    return _open(path)


def _fetched_single(path: Path) -> Single | None:
    """The map at a path into a folder that ``fetch`` has written with a zip of maps, as if the zip were unpacked."""
    try:
        if not (path.parent / MAPS).is_file():
            return None
    except (OSError, ValueError):  # what no path can be
        return None
    folder = open_container(path.parent, shared=True)
    return Single(path, folder) if isinstance(folder, Folder) and folder.holds(path.name) else None


def _open(path: Path) -> Container:
    if path.is_dir():
        return Folder(path)
    name = path.name.lower()
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None
    if not head:
        raise FormatError("an empty file", where=str(path), remedy=_REMEDY)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Zip(path)
    if name.endswith(LINES):
        return Lines(path)
    if head.startswith((b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")) or name.endswith(_NOT_READ):
        raise FormatError("packed in a way that is not read here", where=str(path), remedy=_REMEDY)
    if name.endswith(".zip"):
        raise FormatError("not a zip archive, whatever its name says", where=str(path), remedy=_REMEDY)
    return _fetched_single(path) or Single(path)
