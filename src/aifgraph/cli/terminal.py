"""The standard streams of a command: how wide the terminal is, whether colour is wanted; closed and full streams."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

import click

from aifgraph.errors import InputError
from aifgraph.printable import ESCAPE

When = Literal["auto", "always", "never"]
Style = Literal["title", "dim", "good", "bad", "warning"]

#: Where a command's context keeps what ``--color`` says.
COLOR = "aifgraph.color"

#: No table is laid out for less, nor for more: longer lines are hard to read.
MIN_WIDTH, MAX_WIDTH = 40, 200

_STYLES: dict[Style, dict[str, str | bool]] = {
    "title": {"bold": True},
    "dim": {"dim": True},
    "good": {"fg": "green"},
    "bad": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow"},
}


@dataclass(frozen=True)
class Terminal:
    """``width`` in columns, ``None`` where lines may be as long as they like; whether there is ``colour``."""

    width: int | None = None
    colour: bool = False

    def styled(self, text: str, style: Style) -> str:
        """The text in a style, or as it is.

        >>> Terminal(colour=True).styled("map", "title"), Terminal().styled("map", "title")
        ('\\x1b[1mmap\\x1b[0m', 'map')
        """
        return click.style(text, **_STYLES[style]) if self.colour and text else text  # type: ignore[arg-type]


def terminal_of(stream: TextIO) -> Terminal:
    """What ``stream`` is. ``--color`` decides about colour, then ``NO_COLOR``, then whether it is a terminal."""
    context = click.get_current_context(silent=True)
    when: When = context.meta.get(COLOR, "auto") if context else "auto"
    shown = stream.isatty()
    able = shown and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    # shutil, and not the stream, so that COLUMNS is obeyed.
    width = min(max(shutil.get_terminal_size().columns, MIN_WIDTH), MAX_WIDTH) if shown else None
    return Terminal(width, when == "always" or (when == "auto" and able))


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
