"""What commands share: where results go, in which format, and how warnings are shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from aifgraph.formats.files import write_atomic
from aifgraph.tables.render import FORMATS

F = TypeVar("F", bound=Callable[..., Any])


def output_options(formats: Sequence[str] = FORMATS, *, folder: bool = False) -> Callable[[F], F]:
    """``--format`` and ``-o/--output`` for a command; with ``folder`` the output may be one that exists."""

    def add(command: F) -> F:
        command = click.option(
            "--format",
            "format_",
            type=click.Choice(formats),
            default=formats[0],
            show_default=True,
            help="How to show it.",
        )(command)
        return click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=folder, path_type=Path),
            help="Write to a file, whole or not at all.",
        )(command)

    return add


def put(text: str, output: Path | None) -> None:
    """Results to a file (whole or not at all) or to standard output."""
    if output is None or str(output) == "-":
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
    else:
        write_atomic(output, text if text.endswith("\n") else text + "\n")


def warn(lines: Iterable[object]) -> None:
    """Warnings, to standard error, one a line."""
    for line in lines:
        print(f"aifgraph: warning: {' '.join(str(line).split())}", file=sys.stderr)


def plot_option(command: F) -> F:
    """``--plot FILE``."""
    text = "Draw the result as well: .svg, .png or .pdf (needs aifgraph[plots])."
    return click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help=text)(command)


def draw(plot: Path | None, picture: Callable[..., bytes], *data: Any, **texts: Any) -> None:
    """Write the picture that ``--plot`` asks for; the format goes by the file's name."""
    from aifgraph.report.plots import format_of

    if plot is not None:
        write_atomic(plot, picture(*data, **texts, format=format_of(plot)))
