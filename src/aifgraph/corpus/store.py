"""What a corpus is kept in: a container of named documents that are read one at a time.

A store knows the paths of its files from the start and reads a file when it is asked to. It never trusts what a
container says about itself: sizes are counted while reading.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO, Protocol

from aifgraph.errors import LimitError
from aifgraph.graph import Notice

#: The largest single map or text in a container, in bytes.
MAX_MEMBER = 256 << 20
#: The largest container once it is unpacked, in bytes.
MAX_TOTAL = 16 << 30
#: How many times larger than its packed form a file may become; JSON packs 5 to 40 times smaller.
MAX_RATIO = 200
#: Below this many bytes the ratio does not matter.
FREE = 32 << 20
#: How many files a container may have.
MAX_FILES = 2_000_000

_CHUNK = 1 << 20


class Store(Protocol):
    """A container of files: ``paths`` in any order, relative, with ``/``."""

    path: Path
    paths: list[str]
    notices: tuple[Notice, ...]
    ordered: bool

    def read(self, path: str) -> bytes:
        """The bytes of one file; raises ``InputError`` or ``LimitError`` with the place."""
        ...

    def where(self, path: str) -> str:
        """One file's place as messages show it."""
        ...


def check_size(size: int, packed: int, where: str, limit: int = MAX_MEMBER) -> None:
    """Raises ``LimitError`` where ``size`` bytes have come out of ``packed`` bytes and that is too much."""
    if size > limit:
        raise LimitError(f"larger than {limit >> 20} MiB once unpacked", where=where, remedy="give single maps")
    if size > FREE and size > MAX_RATIO * max(packed, 1):
        raise LimitError(
            f"unpacks to more than {MAX_RATIO} times its size", where=where, remedy="unpack it yourself if you trust it"
        )


def read_checked(file: IO[bytes], packed: int, where: str) -> bytes:
    """All of an open packed file, its size checked on the way."""
    parts: list[bytes] = []
    size = 0
    while part := file.read(_CHUNK):
        size += len(part)
        check_size(size, packed, where)
        parts.append(part)
    return b"".join(parts)


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
            out.write(part)
        out.seek(0)
    except BaseException:
        out.close()
        raise
    return out
