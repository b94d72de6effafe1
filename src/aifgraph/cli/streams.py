"""The standard streams of a command: closed ones, full ones, and those that cannot hold every character."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

from aifgraph.errors import InputError
from aifgraph.printable import ESCAPE


class _Closed(io.TextIOBase):
    """In the place of a standard output that was closed before the command began."""

    @property
    def buffer(self) -> _Closed:
        return self

    def write(self, text: object) -> int:
        raise InputError("standard output is closed", remedy="name a file with -o")

    def writelines(self, lines: object) -> None:
        self.write(lines)


class _Forgiving(io.TextIOWrapper):
    """Standard error whose reader may have gone, or whose disk may be full: who cannot be told is not told, and what
    the command does and its exit code stay the same."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


def prepare() -> None:
    """Make the streams fit for any text. What an encoding lacks comes out as ``\\uXXXX``."""
    if sys.stderr is None:  # print would write to standard output instead
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  open as long as the process
    elif sys.stderr is sys.__stderr__ and isinstance(sys.stderr, io.TextIOWrapper):
        encoding = sys.stderr.encoding
        sys.stderr = _Forgiving(sys.stderr.buffer, encoding, "backslashreplace", line_buffering=True)
    if sys.stdout is None:
        sys.stdout = _Closed()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPE)


def occupy_closed() -> None:
    """Give the numbers of closed streams to nothing: the next file that is opened would get them, and what a library
    prints would end up in it."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)


def give_up_output() -> None:
    """Nothing more goes to standard output, not even at exit."""
    try:
        handle = os.open(os.devnull, os.O_WRONLY)
        os.dup2(handle, sys.stdout.fileno())
        os.close(handle)
    except (OSError, ValueError):  # no file at all
        pass
