"""Temporary files on a disk that may be full."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

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
