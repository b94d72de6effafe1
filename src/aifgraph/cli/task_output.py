"""What the ``task`` commands share: tables with a signature, pictures, a sign of life."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from aifgraph.cli.present import put
from aifgraph.tables import Table, render
from aifgraph.tasks.scores import Result

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)
"""A file named on the command line; whether it is there, and what is in it, its reader says."""


def present(result: Result, format_: str, output: Path | None) -> None:
    """The result in a format, with the signature where the format has a place for it."""
    if format_ == "json":
        put(json.dumps(result.to_dict(), ensure_ascii=False, indent=2), output)
        return
    tables, signature = result.tables(), result.signature
    if format_ == "csv":
        put(render([*tables, Table("", ("signature",), [(signature,)])], format_), output)
        return
    body = render(tables, format_)
    line = {"text": signature, "markdown": f"`{signature}`", "latex": f"% {signature}"}[format_]
    put(f"{line}\n{body}" if format_ == "latex" else f"{body}\n{line}", output)


def seed_option(default: int | None, help: str = "Seed of what is drawn at random.") -> Callable[[F], F]:
    """``--seed``; a ``None`` default means that nothing is drawn without one."""
    return click.option("--seed", type=click.IntRange(0), default=default, show_default=default is not None, help=help)


@contextmanager
def alive() -> Iterator[Callable[[str], None] | None]:
    """A function that says on standard error what is being done; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
