"""Zip and tar archives as stores. Nothing is ever unpacked under a name that an archive chose."""

from __future__ import annotations

import gzip
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

from aifgraph.corpus.lookup import Lookup
from aifgraph.corpus.names import FirstFew, safe_path
from aifgraph.corpus.record_list import NameList
from aifgraph.corpus.store import MAX_FILES, unpacked
from aifgraph.corpus.temporary import RandomAccessFile
from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.formats.files import check_size, read_checked
from aifgraph.graph import Notice

Member = TypeVar("Member")

#: Before each path of a tar archive: its offset and size.
_PLACE = struct.Struct("<QQ")

# What the standard library raises on archives that are cut, damaged or made to break it.
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
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


def _broken(path: str, error: BaseException) -> FormatError:
    reason = str(error).split("\n")[0].split(":")[0][:80]
    return FormatError(
        f"the archive is broken ({reason or type(error).__name__})", where=path, remedy="fetch or pack it again"
    )


def _usable(items: Iterable[tuple[str, Member | None]], path: Path, special: FirstFew) -> Iterator[tuple[str, Member]]:
    """The usable members with their paths. ``None`` for a member says that it is no regular file (a link, a device):
    it is counted in ``special``."""
    for count, (name, member) in enumerate(items):
        if count >= MAX_FILES:
            raise LimitError(f"more than {MAX_FILES} files", where=str(path), remedy="split it")
        safe = safe_path(name)
        if safe is None:
            what = f"a member's path is absolute or climbs out of the archive: {name[:80]!a}"
            raise InputError(what, where=str(path), remedy="nothing of it is read; unpack it yourself if you trust it")
        if member is None:
            special.add(ascii(safe))
        elif not any(step.startswith(".") or step == "__MACOSX" for step in safe.split("/")):
            yield safe, member


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
        files = ((info.filename, info if _regular(info) else None) for info in infos if not info.is_dir())
        self._members: dict[str, zipfile.ZipInfo] = {}
        special, twice = FirstFew(), FirstFew()
        for safe, info in _usable(files, path, special):
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
            with self._zip.open(info) as file:
                return read_checked(file, info.compress_size, where)
        except (RuntimeError, *_BROKEN) as error:
            raise _broken(where, error) from None

    def where(self, path: str) -> str:
        return f"{self.path}, {path}"


def _regular(info: zipfile.ZipInfo) -> bool:
    """Zip archives made on Unix keep the file's mode; 0xA000 is a link, 0x8000 a plain file, 0 says nothing."""
    return (info.external_attr >> 28) in (0, 8)


class Tar:
    """A tar archive; one in gzip is unpacked to a temporary file, so that it can be read in any order."""

    ordered = False

    def __init__(self, path: Path, *, packed: bool) -> None:
        self.path = path
        self.paths = NameList(before=_PLACE.size)
        self._lookup = Lookup(self.paths)
        self._later: dict[int, tuple[int, int]] = {}  # the places of members that are given again
        special, twice = FirstFew(), FirstFew()
        try:
            file = open_seekable(path, packed=packed)
            self._file = RandomAccessFile(file)
            with tarfile.open(fileobj=file, mode="r:") as tar:
                for safe, place in _usable(_tar_files(tar, path), path, special):
                    number = self._lookup.add(safe, len(self.paths))
                    if number == len(self.paths):
                        self.paths.append(safe, _PLACE.pack(*place))
                    else:
                        twice.add(ascii(safe))
                        self._later[number] = place
        except PermissionError as error:
            raise InputError(error.strerror or "cannot be read", where=str(path)) from None
        except _BROKEN as error:
            raise _broken(str(path), error) from None
        self._lookup.finish()
        self.notices = _notices(path, special, twice)

    def holds(self, path: str) -> bool:
        return self._lookup.find(path) >= 0

    def read(self, path: str) -> bytes:
        number = self._lookup.find(path)
        if number < 0:
            raise KeyError(path)
        offset, size = self._later.get(number) or _PLACE.unpack(self.paths.before(number))
        check_size(size, size, self.where(path))
        data = self._file.read(offset, size)
        if len(data) != size:
            raise _broken(self.where(path), EOFError("cut off"))
        return data

    def where(self, path: str) -> str:
        return f"{self.path}, {path}"


def _tar_files(tar: tarfile.TarFile, path: Path) -> Iterator[tuple[str, tuple[int, int] | None]]:
    last = -1
    while info := tar.next():
        tar.members = []  # type: ignore[attr-defined]  # tarfile would keep them all
        if info.size < 0 or info.offset <= last:
            # A negative size leads back to where we were: without this, an endless loop.
            raise FormatError("the archive is broken (a negative size)", where=str(path))
        last = info.offset
        if not info.isdir():
            yield info.name, (info.offset_data, info.size) if info.isreg() and not info.issparse() else None


def open_seekable(path: Path, *, packed: bool) -> IO[bytes]:
    """A file opened for reading in any order, unpacked first if it is packed with gzip."""
    raw = path.open("rb")
    if not packed:
        return raw
    with raw, gzip.GzipFile(fileobj=raw) as file:
        return unpacked(file, raw, str(path))  # type: ignore[arg-type]
