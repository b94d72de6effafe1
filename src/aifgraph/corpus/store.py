"""What a corpus is kept in: a container of named documents that are read one at a time; a folder, or one map.

A store knows the paths of its files from the start and reads a file when it is asked to. It never trusts what a
container says about itself: sizes are counted while reading.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from aifgraph.corpus.lookup import Lookup
from aifgraph.corpus.record_list import NameList
from aifgraph.corpus.temporary import REMEDY
from aifgraph.errors import InputError
from aifgraph.formats.files import MANIFEST, MAPS, check_size, read_bytes, without_gz
from aifgraph.graph import Notice

#: The largest container once it is unpacked, in bytes.
MAX_TOTAL = 16 << 30
#: How many files a container may have.
MAX_FILES = 2_000_000
#: How deep folders are looked into.
MAX_DEPTH = 64

_CHUNK = 1 << 20


class Store(Protocol):
    """A container of files, with ``/`` between folders and in any order."""

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
    machine read and packed.
    """

    ordered = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.paths = NameList()
        self._lookup: Lookup | None = None
        self._with: dict[str, list[str]] = {MANIFEST: [], MAPS: []}
        notices: list[Notice] = []
        links: list[str] = []
        root = path.resolve()
        todo = [("", 0)]
        while todo:
            inner, depth = todo.pop()
            try:
                with os.scandir(path / inner) as items:
                    for item in items:
                        if item.name.startswith(".") or _unreadable(item.name):
                            continue
                        relative = f"{inner}/{item.name}" if inner else item.name
                        if item.is_symlink() and not _stays_in(root, item.path):
                            links.append(relative)
                        elif item.is_dir(follow_symlinks=False):
                            todo.append((relative, depth + 1))
                        elif item.is_file():  # no pipes, sockets, devices
                            self.paths.append(relative)
                            if item.name in self._with:
                                self._with[item.name].append(inner)
            except OSError as error:
                if not inner:
                    raise InputError(error.strerror or "cannot be read", where=str(path)) from None
                notices.append(Notice("corpus-folder", f"{path / inner}: {error.strerror}; skipped"))
            if depth >= MAX_DEPTH and todo and todo[-1][1] > MAX_DEPTH:
                todo = [(folder, depth) for folder, depth in todo if depth <= MAX_DEPTH]
                notices.append(Notice("corpus-depth", f"{path}: folders deeper than {MAX_DEPTH} are skipped"))
        if links:
            names = ", ".join(map(ascii, sorted(links)[:5])) + (" …" if links[5:] else "")
            what = "links that lead out of the folder, to a folder, in a circle or nowhere are skipped"
            notices.append(Notice("corpus-link", f"{path}: {len(links)} {what}: {names}; copy the files (cp -rL)"))
        self.notices = tuple(notices)

    @property
    def fetched(self) -> list[str]:
        """The folders in it (``""``: itself) that ``fetch`` has written with a zip of maps, sorted."""
        listed = set(self._with[MANIFEST])
        return sorted(inner for inner in self._with[MAPS] if inner in listed)

    def holds(self, path: str) -> bool:
        if self._lookup is None:
            self._lookup = Lookup.of(self.paths)
        return self._lookup.find(path) >= 0

    def read(self, path: str) -> bytes:
        return read_bytes(self.path / path)

    def where(self, path: str) -> str:
        return str(self.path / path)


class Single:
    """One map (and the text next to it) as a corpus of one."""

    ordered = True

    def __init__(self, path: Path) -> None:
        self.path = path
        beside = path.with_name(without_gz(path.name)).with_suffix(".txt")
        self.paths: list[str] = [path.name] + ([beside.name] if beside != path and beside.is_file() else [])
        self.notices: tuple[Notice, ...] = ()

    def holds(self, path: str) -> bool:
        return path in self.paths

    def read(self, path: str) -> bytes:
        return read_bytes(self.path.with_name(path))

    def where(self, path: str) -> str:
        return str(self.path.with_name(path))


def _stays_in(root: Path, link: str) -> bool:
    """Whether a link leads to a plain file below ``root``."""
    try:
        target = Path(link).resolve(strict=True)
        return stat.S_ISREG(target.stat().st_mode) and target.is_relative_to(root)
    except (OSError, ValueError, RuntimeError):  # nowhere, on another drive, in a circle (before Python 3.13)
        return False


def _unreadable(name: str) -> bool:
    """Names that are not text on this system: nothing could name them in a message."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def unpacked(file: IO[bytes], raw: IO[bytes], where: str) -> IO[bytes]:
    """A whole gzip stream in a temporary file, so that its parts can be read in any order; ``raw`` is what is packed.

    The file has no name and goes when it is closed.
    """
    out = tempfile.TemporaryFile(prefix="aifgraph-")  # noqa: SIM115  the caller's store holds it open
    try:
        size = 0
        while part := file.read(_CHUNK):
            size += len(part)
            check_size(size, raw.tell(), where, MAX_TOTAL)
            _put(out, part, where)
        out.seek(0)
    except BaseException:
        # What could not be written is tried again on closing.
        with suppress(OSError):
            out.close()
        raise
    return out


def _put(out: IO[bytes], part: bytes, where: str) -> None:
    try:
        out.write(part)
        out.flush()
    except OSError as error:
        what = f"no room to unpack it in {tempfile.gettempdir()} ({error.strerror})"
        raise InputError(what, where=where, remedy=REMEDY) from None
