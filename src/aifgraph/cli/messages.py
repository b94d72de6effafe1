"""What commands say on standard error, and the options that every command takes for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import get_args

import click

from aifgraph.cli.terminal import COLOR, When, terminal_of
from aifgraph.printable import printable

#: Where a command's context keeps that it is to be quiet, and how many warnings it did not show.
QUIET, HIDDEN = "aifgraph.quiet", "aifgraph.hidden"


def _is_quiet() -> bool:
    """Whether the command that runs was called with ``--quiet``."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(QUIET))


def _keep_colour(context: click.Context, _: click.Parameter, when: When | None) -> None:
    if when is not None:
        context.meta[COLOR] = when


def _keep_quiet(context: click.Context, _: click.Parameter, quiet: bool) -> None:
    if quiet:
        context.meta[QUIET] = True


def _tell(context: click.Context, _: click.Parameter, verbose: bool) -> None:
    """Send what the library says of its work to standard error, with the time since the command began."""
    if not verbose:
        return
    import logging

    class Line(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            line = f"aifgraph: {time.perf_counter() - begun:7.3f} s  {record.getMessage()}"
            return printable(" ".join(line.split("\n")))

    begun = time.perf_counter()
    logger = logging.getLogger("aifgraph")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Line())
    logger.handlers = [handler]
    logger.setLevel(logging.DEBUG)
    logger.propagate = False


def common_options() -> list[click.Option]:
    """The options, made anew for each command."""
    return [
        click.Option(
            ["--color"],
            type=click.Choice(get_args(When)),
            default=None,
            expose_value=False,
            callback=_keep_colour,
            help="Colour: where there is a terminal (auto, and NO_COLOR is obeyed), always or never.",
        ),
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_keep_quiet,
            help="Only errors on standard error; warnings are counted.",
        ),
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            expose_value=False,
            callback=_tell,
            help="Say on standard error what is done, and when.",
        ),
    ]


def _count_hidden(number: int) -> None:
    """Count warnings that ``--quiet`` hides; when the command ends, it says how many they were."""
    context = click.get_current_context()
    if HIDDEN not in context.meta and number:
        context.find_root().call_on_close(lambda: _say_hidden(context.meta[HIDDEN]))
    context.meta[HIDDEN] = context.meta.get(HIDDEN, 0) + number


def _say_hidden(number: int) -> None:
    warnings = f"{number} warning{'s' if number != 1 else ''}"
    print(f"aifgraph: {warnings} (without --quiet they are shown)", file=sys.stderr)


def warn(lines: Iterable[object]) -> None:
    """Warnings, to standard error, one a line; with ``--quiet`` they are counted."""
    if _is_quiet():
        _count_hidden(sum(1 for _ in lines))
        return
    mark = terminal_of(sys.stderr).styled("warning:", "warning")
    for line in lines:
        print(f"aifgraph: {mark} {printable(' '.join(str(line).split()))}", file=sys.stderr)


def counted(number: int, noun: str) -> str:
    """A number of things in words.

    >>> counted(1, "pair"), counted(2, "pair")
    ('1 pair', '2 pairs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def note(line: str) -> None:
    """What was done, to standard error; nothing with ``--quiet``."""
    if not _is_quiet():
        say(line)


def say(line: str) -> None:
    """A line for a person, to standard error, such as the error of one map of many."""
    print(printable(line), file=sys.stderr)


@contextmanager
def bar(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function of (done, of how many; 0 for unknown) that moves a progress bar; None if there is no terminal."""
    if _is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)

        def moved(done: int, total: int) -> None:
            # Of a stream nobody knows the length (total 0): it shows how far it is.
            shown = title if total else f"{title} ({done})"
            progress.update(task, completed=done, total=total or None, description=shown)

        yield moved


@contextmanager
def alive() -> Iterator[Callable[[str], None] | None]:
    """A function that says on standard error what is being done; None where that is no terminal."""
    if _is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
