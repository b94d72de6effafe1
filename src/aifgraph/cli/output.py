"""What commands share: where results go, in which format, and how warnings are shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from aifgraph.formats.files import write_atomic
from aifgraph.report.tables import FORMATS

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
