"""Where a corpus is stored: a folder, a zip archive, or a file of JSON lines.

A container lists its files when it is opened and reads one when it is asked to. Sizes are counted while reading, never
taken from what an archive says about itself, and nothing is unpacked under a name that an archive chose.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from posixpath import commonpath
from typing import Any, Final

from aifgraph.errors import FormatError, InputError, LimitError, NoSuchFileError
from aifgraph.files import LINES, MAX_MEMBER, check_size, decode_strict, parse_json, read_bytes, stem_of
from aifgraph.graph import Notice
from aifgraph.printable import listed

#: What ``aifgraph fetch`` keeps of a download, in its folder.
STATE: Final = ".aifdb.json"
#: The most bytes of an archive once it is unpacked.
MAX_TOTAL: Final = 16 << 30
#: What the standard library raises on archives that are cut, damaged or made to break it.
_BROKEN: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, ValueError, RuntimeError, LookupError, OverflowError),
)
_REMEDY: Final = "give a folder, .zip or .jsonl of maps"


class Container(ABC):
    """Files by their paths, with ``/`` between folders."""

    #: Whether the order of the files is the author's.
    ordered = False

    def __init__(self, path: Path) -> None:
        self.path, self.real = path, path.resolve()
        #: Which opening this is: another process opens the container once for all entries of it.
        self.opening = os.urandom(16).hex()
        self.paths: dict[str, Any] = {}
        self.notices: list[Notice] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Container) and self.real == other.real

    def __hash__(self) -> int:
        return hash(self.real)

    @abstractmethod
    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""

    def sibling(self, path: str, suffix: str) -> bytes | None:
        """Return the bytes of the file of the same stem with another suffix, or None."""
        other = stem_of(path) + suffix
        return self.read(other) if other != path and other in self.paths else None

    def where(self, path: str) -> str:
        """Return a file's place, for messages."""
        return f"{self.path}, {path}"

    def _notice(self, code: str, what: str, places: list[str]) -> None:
        if places:
            self.notices.append(Notice(code, f"{self.path}: {len(places)} {what}: {listed(map(ascii, places))}"))


class Folder(Container):
    """The plain files below a folder. Hidden files are left out, and links, which may lead to any file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        links, unreadable = list[str](), list[str]()
        try:
            self._list(links, unreadable)
        except RecursionError:  # of os.walk before Python 3.12
            raise LimitError("folders are nested too deeply", where=str(path)) from None
        if unreadable and not os.access(path, os.R_OK | os.X_OK):
            raise InputError("cannot be read", where=str(path))
        self._notice("corpus-folder", "folders cannot be read", unreadable)
        self._notice("corpus-link", "links are left out; copy their targets (cp -rL)", links)

    def _list(self, links: list[str], unreadable: list[str]) -> None:
        for folder, folders, files in os.walk(self.path, onerror=lambda error: unreadable.append(str(error))):
            folders[:] = [name for name in folders if _is_visible(name)]
            links += [name for name in folders if Path(folder, name).is_symlink()]
            for file in (Path(folder, name) for name in files if _is_visible(name)):
                if file.is_symlink():
                    links.append(file.name)
                elif file.is_file():  # no pipe, socket or device
                    self.paths[file.relative_to(self.path).as_posix()] = None

    def read(self, path: str) -> bytes:
        return read_bytes(self.real / path)

    def where(self, path: str) -> str:
        return str(self.path / path)


def _is_visible(name: str) -> bool:
    return not name.startswith(".") and name == replace_surrogates(name)


class Zip(Container):
    """A zip archive, read in place."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._process = os.getpid()
        try:
            self._zip = zipfile.ZipFile(path)
            members = [member for member in self._zip.infolist() if not member.is_dir()]
        except PermissionError as error:
            raise InputError(error.strerror or "cannot be read", where=str(path)) from None
        except _BROKEN as error:
            raise FormatError(f"the archive is broken ({error})", where=str(path)) from None
        packed = path.stat().st_size
        if sum(member.compress_size for member in members) > packed:
            raise LimitError("members of the archive overlap", where=str(path))
        check_size(sum(member.file_size for member in members), packed, str(path), MAX_TOTAL, free=MAX_MEMBER)
        links, twice = [], []
        for member in members:
            name = safe_path(member.filename)
            if name is None:
                what = f"a member has an absolute path, one that leads out, or none: {member.filename[:80]!a}"
                raise InputError(what, where=str(path), remedy="unpack it yourself if you trust it")
            if member.external_attr >> 28 not in (0, 8):  # the Unix mode, where there is one, of no plain file
                links.append(name)
            elif not any(part.startswith(".") or part == "__MACOSX" for part in name.split("/")):
                twice += [name] if name in self.paths else []
                self.paths[name] = member
        self._notice("archive-link", "members that are not plain files are left out", links)
        self._notice("archive-twice", "members occur more than once; the last one counts", twice)

    def read(self, path: str) -> bytes:
        member, where = self.paths[path], self.where(path)
        if member.flag_bits & 1:
            raise InputError("encrypted", where=where, remedy="pack it without a password")
        if self._process != os.getpid():  # after a fork the two would move the same place in the same open file
            self._zip, self._process = zipfile.ZipFile(self.real), os.getpid()
        try:
            check_size(member.file_size, member.compress_size, where)
            with self._zip.open(member) as file:
                return file.read(member.file_size)  # no more is unpacked, whatever there is
        except _BROKEN as error:
            if isinstance(error, LimitError):
                raise
            raise FormatError(f"the archive is broken ({error})", where=where) from None


class Lines(Container):
    """JSON lines, one map a line: a bare map, or ``{"name": …, "map": {…}, "text": …}``."""

    ordered = True

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._last: tuple[str, dict[str, Any]] = ("", {})
        twice, unusable = [], []
        for number, offset, line in self._scan():
            given = _name_of(line)
            name = safe_path(given) if given else None
            if given and name is None:
                unusable.append(f"line {number}")
            stem = (name or f"line{number}").removesuffix(".json")
            while f"{stem}.json" in self.paths:
                twice.append(stem)
                stem += f"@{number}"
            self.paths[f"{stem}.json"] = (number, offset, len(line))
        self._notice("lines-twice", "names occur more than once; the line number is added to them", twice)
        self._notice("lines-name", "names cannot be paths; the line number replaces them", unusable)

    def _scan(self) -> Iterator[tuple[int, int, bytes]]:
        number, offset = 0, 0
        with self.path.open("rb") as file:
            while line := file.readline(MAX_MEMBER + 1):
                number += 1
                if len(line) > MAX_MEMBER:
                    raise LimitError("a line that is too long", where=f"{self.path}, line {number}")
                if line.strip():
                    yield number, offset, line
                offset += len(line)

    def _record(self, path: str) -> dict[str, Any]:
        """Return the record on a line; the last one is remembered, for its text is asked for next."""
        last = self._last  # another thread may be at another line
        if last[0] != path:
            _, offset, length = self.paths[path]
            with self.real.open("rb") as file:
                file.seek(offset)
                line = file.read(length)
            record = parse_json(decode_strict(line, self.where(path)), self.where(path))
            if not isinstance(record, dict):
                raise FormatError("not a JSON object", where=self.where(path))
            last = self._last = path, record if "map" in record else {"map": record}
        return last[1]

    def read(self, path: str) -> bytes:
        return json.dumps(self._record(path)["map"]).encode()

    def sibling(self, path: str, suffix: str) -> bytes | None:
        text = self._record(path).get("text") if suffix == ".txt" else None
        if text is not None and not isinstance(text, str):
            raise FormatError("text is not a string", where=self.where(path))
        return None if text is None else text.encode("utf-8", "surrogatepass")

    def where(self, path: str) -> str:
        return f"{self.path}, line {self.paths[path][0]}"


def _name_of(line: bytes) -> str:
    """Return the name that a line gives its map; empty where there is none."""
    try:
        record = json.loads(line) if b'"name"' in line and b'"map"' in line else None
    except (ValueError, RecursionError):  # reading the map says what is wrong with the line
        record = None
    name = record.get("name") if isinstance(record, dict) and "map" in record else None
    return name if isinstance(name, str) else ""


def open_container(path: Path) -> Container:
    """Open the container at a path; what kind it is goes by its content, JSON lines by their suffix."""
    if path.is_dir():
        return Folder(path)
    try:
        with path.open("rb") as file:
            head = file.read(4)
    except FileNotFoundError:
        raise NoSuchFileError("no such file or folder", where=str(path), remedy=_REMEDY) from None
    except (OSError, ValueError) as error:  # a ValueError for what cannot be a path
        raise InputError(getattr(error, "strerror", None) or "not a valid path", where=ascii(str(path))) from None
    if head in (b"PK\x03\x04", b"PK\x05\x06"):
        return Zip(path)
    if path.suffix.lower() in LINES:
        return Lines(path)
    raise FormatError("not a folder, an archive or a file of JSON lines", where=str(path), remedy=_REMEDY)


@lru_cache(maxsize=8)
def reopen_container(real: Path, path: Path, _opening: str) -> Container:
    """Open a container once for all entries of one opening that reach a worker process, where ``path`` is its name."""
    container = open_container(real)
    container.path = path
    return container


# -- names ------------------------------------------------------------------------------------------------------------


def safe_path(path: str) -> str | None:
    r"""Normalise a relative path; None for one that is absolute, climbs or has control characters.

    >>> safe_path(".\\sub/nodeset1.json"), safe_path("a/../../etc/passwd"), safe_path("C:/boot.ini")
    ('sub/nodeset1.json', None, None)
    """
    path = replace_surrogates(path.replace("\\", "/"))
    parts = PurePosixPath(path).parts
    if not parts or parts[0].startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", path):
        return None
    return None if re.search(r"[\x00-\x1f]", path) else "/".join(parts)


def is_writable(path: str) -> bool:
    """Whether file systems take the names in a path: 255 bytes each."""
    return all(len(part.encode()) <= 255 for part in path.split("/"))


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which no file name and no UTF-8 can hold, by U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def natural_key(path: str) -> tuple[object, ...]:
    """Return a key that sorts numbers in names by value and keeps folders together.

    >>> sorted(["b/n1", "n10", "n9", "N2", "n09"], key=natural_key)
    ['b/n1', 'N2', 'n09', 'n9', 'n10']
    """
    # Text and digits alternate, so like is compared with like. Digits may be of any length.
    return tuple(
        tuple((len(part.lstrip("0")), part.lstrip("0")) if n % 2 else (part,) for n, part in enumerate(parts))
        for parts in (re.split(r"([0-9]+)", step.casefold()) for step in path.split("/"))
    ), path


def common_folder(paths: Iterable[str]) -> str:
    """Return the folder that all paths are in, with its final ``/``; empty where there is none."""
    folder = commonpath([path.rpartition("/")[0] for path in paths] or [""])
    return f"{folder}/" if folder else ""
