"""What the streams of a command are: how wide the terminal is, if there is one, and whether colour is wanted."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

import click

When = Literal["auto", "always", "never"]
Style = Literal["title", "dim", "good", "bad", "warning"]

#: Where a command's context keeps what ``--color`` says.
COLOR = "aifgraph.color"

#: No table is laid out for less, nor for more: longer lines are hard to read.
NARROWEST, WIDEST = 40, 200

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
    width = min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST) if shown else None
    return Terminal(width, when == "always" or (when == "auto" and able))


def output_terminal() -> Terminal:
    """Where a command's answer goes: nothing is fitted, and nothing coloured, for a file that ``-o`` names."""
    context = click.get_current_context(silent=True)
    output: Path | str | None = context.params.get("output") if context else None
    return terminal_of(sys.stdout) if output is None or str(output) == "-" else Terminal()
