"""Zip archives, read in place. Nothing is ever unpacked under a name that an archive chose."""

from __future__ import annotations

import errno
import lzma
import os
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import IO, Final

from aifgraph.errors import AifgraphError, FormatError, InputError, LimitError
from aifgraph.files import MANIFEST, MAPS, MAX_MEMBER, Input, check_size, read_bytes, read_checked
from aifgraph.graph import Notice

#: The largest archive once it is unpacked, in bytes.
MAX_TOTAL: Final = 16 << 30
#: How many files an archive or a folder may have.
MAX_FILES: Final = 2_000_000

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: Places that a message names.
_NAMED: Final = 5
#: Paths that need no closer look: most are such.
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,99})*")

# What the standard library raises on archives that are cut, damaged or made to break it.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    struct.error,
    RecursionError,
    KeyError,
    IndexError,
    UnicodeError,
    NotImplementedError,
)


def safe_path(path: str) -> str | None:
    """A relative path with ``/``, or None where it is absolute, climbs, or cannot be a file's name.

    >>> safe_path("./sub\\\\nodeset1.json")
    'sub/nodeset1.json'
    >>> safe_path("a/../../etc/passwd"), safe_path("/etc/passwd"), safe_path("C:\\\\boot.ini")
    (None, None, None)
    """
    if _PLAIN_PATH.fullmatch(path):
        return path
    steps = path.replace("\\", "/").split("/")
    if not steps[0] or re.fullmatch(r"[A-Za-z]:.*", steps[0]) or any(ord(char) < 32 for char in path):
        return None
    kept = [step for step in steps if step not in ("", ".")]
    if ".." in kept or not kept or any(len(step.encode("utf-8", "replace")) > 255 for step in kept):
        return None
    return "/".join(kept)


def _why_refused(path: str) -> str:
    if any(ord(char) < 32 for char in path):
        return "has control characters"
    if ".." not in path and any(len(step.encode("utf-8", "replace")) > 255 for step in path.split("/")):
        return "has a name of more than 255 bytes"
    return "is absolute or climbs out of the archive"


class FirstFew:
    """Places that a message names: five of them, and a sign that there are more.

    >>> few = FirstFew()
    >>> for number in range(7):
    ...     few.add(f"line {number}")
    >>> str(few), few.count
    ('line 0, line 1, line 2, line 3, line 4 …', 7)
    """

    def __init__(self) -> None:
        self.count = 0
        self._named: list[str] = []

    def add(self, place: str) -> None:
        """Count a place, and keep it if it is one of the first."""
        self.count += 1
        if self.count <= _NAMED:
            self._named.append(place)

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        return ", ".join(self._named) + (" …" if self.count > _NAMED else "")


def _broken(path: str, error: BaseException) -> FormatError:
    reason = str(error).split("\n")[0].split(":")[0][:80]
    return FormatError(
        f"the archive is broken ({reason or type(error).__name__})", where=path, remedy="fetch or pack it again"
    )


def _usable(infos: Iterable[zipfile.ZipInfo], path: Path, special: FirstFew) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """The usable members with their paths; one that is no plain file (a link, a device) is counted in ``special``."""
    for count, info in enumerate(infos):
        if count >= MAX_FILES:
            raise LimitError(f"more than {MAX_FILES} files", where=str(path), remedy="split it")
        safe = safe_path(info.filename)
        if safe is None:
            what = f"a member's path {_why_refused(info.filename)}: {info.filename[:80]!a}"
            raise InputError(what, where=str(path), remedy="nothing of it is read; unpack it yourself if you trust it")
        if not _regular(info):
            special.add(ascii(safe))
        elif not any(step.startswith(".") or step == "__MACOSX" for step in safe.split("/")):
            yield safe, info


def _notices(path: Path, special: FirstFew, twice: FirstFew) -> tuple[Notice, ...]:
    """What there is to say about members; as when unpacking, the last one of a path stays."""
    return tuple(
        Notice(code, f"{path}: {few.count} {what}: {few}")
        for code, few, what in (
            ("archive-link", special, "members that are links or not plain files are skipped"),
            ("archive-twice", twice, "members are given more than once, the last of each counts"),
        )
        if few
    )


class Zip:
    """A zip archive, its members read straight from it."""

    ordered = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._process = os.getpid()
        try:
            self._zip = zipfile.ZipFile(path)
            infos = self._zip.infolist()
        except PermissionError as error:
            raise InputError(error.strerror or "cannot be read", where=str(path)) from None
        except _BROKEN as error:
            raise _broken(str(path), error) from None
        if sum(info.compress_size for info in infos) > path.stat().st_size:
            raise LimitError("members of the archive overlap", where=str(path), remedy="pack it again")
        # No member gives more than it declares: what is too much together is refused before any of it is unpacked.
        total = sum(info.file_size for info in infos)
        check_size(total, path.stat().st_size, str(path), MAX_TOTAL, free=MAX_MEMBER)
        self._members: dict[str, zipfile.ZipInfo] = {}
        special, twice = FirstFew(), FirstFew()
        for safe, info in _usable((info for info in infos if not info.is_dir()), path, special):
            if safe in self._members:
                twice.add(ascii(safe))
            self._members[safe] = info
        self.notices = _notices(path, special, twice)
        self.paths = list(self._members)

    def holds(self, path: str) -> bool:
        return path in self._members

    def read(self, path: str) -> bytes:
        info = self._members[path]
        where = self.where(path)
        if info.flag_bits & 1:
            raise InputError("encrypted", where=where, remedy="pack it without a password")
        if self._process != os.getpid():
            # After a fork, parent and child would move the same place in the same open file.
            self._zip, self._process = zipfile.ZipFile(self.path), os.getpid()
        try:
            check_size(info.file_size, info.compress_size, where)
            with self._zip.open(info) as file:
                return read_checked(file, info.compress_size, where)
        except (RuntimeError, *_BROKEN) as error:
            raise _broken(where, error) from None

    def where(self, path: str) -> str:
        return f"{self.path}, {path}"


def _regular(info: zipfile.ZipInfo) -> bool:
    """Zip archives made on Unix keep the file's mode; 0xA000 is a link, 0x8000 a plain file, 0 says nothing."""
    return (info.external_attr >> 28) in (0, 8)


def fetched_zip(folder: Path) -> Zip | None:
    """The zip of maps of a folder that ``fetch`` has written; None where the folder is another."""
    path = folder / MAPS
    if not path.is_file() or not (folder / MANIFEST).is_file():
        return None
    try:
        state = path.stat()
        return _opened(path, (state.st_mtime_ns, state.st_size, state.st_ino))
    except FormatError as error:
        raise FormatError(error.what, where=str(path), remedy="run the same aifgraph fetch again") from None


@lru_cache(maxsize=8)
def _opened(path: Path, _stamp: tuple[int, int, int]) -> Zip:
    return Zip(path)


def zipped_input(path: Path) -> Input | None:
    """The map at a path into a folder that ``fetch`` has written, as if its zip were unpacked: a plain file counts
    before one in the zip. None where there is no such folder, or it has no such map."""
    archive = fetched_zip(path.parent)
    if archive is None:
        return None

    def read(name: str) -> bytes | None:
        if (file := path.with_name(name)).is_file():
            return read_bytes(file)
        return archive.read(name) if archive.holds(name) else None

    data = read(path.name)
    if data is None:
        return None
    return Input(str(path), data, path.suffix.lower(), lambda suffix: read(path.with_suffix(suffix).name))


@contextmanager
def temporary_room() -> Iterator[None]:
    """Writing of temporary files. Raises ``InputError`` with their folder where there is no room for them.

    >>> with temporary_room():
    ...     raise OSError(errno.ENOSPC, "No space left on device")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    aifgraph.errors.InputError: ...: no room for temporary files (No space left on device); make room, or set TMPDIR ...
    """
    try:
        yield
    except AifgraphError:
        raise
    except OSError as error:
        if error.errno not in _FULL:
            raise
        what = f"no room for temporary files ({error.strerror or error})"
        remedy = "make room, or set TMPDIR to another folder"
        raise InputError(what, where=tempfile.gettempdir(), remedy=remedy) from None


class RandomAccessFile:
    """An open file read in any order, by any number of threads and by processes forked off this one."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = Lock()

    def read(self, offset: int, size: int) -> bytes:
        """The bytes at a place; fewer than ``size`` where the file ends."""
        if hasattr(os, "pread"):
            # Forked processes share the position of an open file, and this read leaves it alone.
            return os.pread(self._file.fileno(), size, offset)
        # Windows has no such read, and no fork either: it is enough that threads take turns.
        with self._lock:
            self._file.seek(offset)
            return self._file.read(size)

    def __del__(self) -> None:
        self._file.close()
