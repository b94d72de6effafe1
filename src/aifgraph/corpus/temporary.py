"""Temporary files on a disk that may be full."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import IO

from aifgraph.errors import AifgraphError, InputError

REMEDY = "make room, or set TMPDIR to another folder"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


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
    except (OSError, sqlite3.OperationalError) as error:
        full = "disk" in str(error) if isinstance(error, sqlite3.OperationalError) else error.errno in _FULL
        if not full:
            raise
        what = f"no room for temporary files ({getattr(error, 'strerror', None) or error})"
        raise InputError(what, where=tempfile.gettempdir(), remedy=REMEDY) from None


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

    def append(self, data: bytes | bytearray) -> None:
        """Write at the end."""
        with self._lock:
            self._file.seek(0, os.SEEK_END)
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]

    def __del__(self) -> None:
        self._file.close()
