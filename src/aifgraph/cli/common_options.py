"""What every command takes: ``--color``, ``--quiet``, ``--verbose``, before the command's name or after it."""

from __future__ import annotations

import sys
import time
from typing import get_args

import click

from aifgraph.cli.terminal import COLOR, When

#: Where a command's context keeps that it is to be quiet, and how many warnings it did not show.
QUIET, HIDDEN = "aifgraph.quiet", "aifgraph.hidden"


def is_quiet() -> bool:
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

    from aifgraph.printable import printable

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


def with_common_options(command: click.Command) -> click.Command:
    """The command, and all commands of a group, with the options that every command takes."""
    taken = {name for parameter in command.params for name in parameter.opts}
    if "--color" not in taken:
        command.params += common_options()
    if isinstance(command, click.Group):
        for part in command.commands.values():
            with_common_options(part)
    return command


def count_hidden(number: int) -> None:
    """Count warnings that ``--quiet`` hides; when the command ends, it says how many they were."""
    context = click.get_current_context()
    if HIDDEN not in context.meta and number:
        context.find_root().call_on_close(lambda: _say_hidden(context.meta[HIDDEN]))
    context.meta[HIDDEN] = context.meta.get(HIDDEN, 0) + number


def _say_hidden(number: int) -> None:
    warnings = f"{number} warning{'s' if number != 1 else ''}"
    print(f"aifgraph: {warnings} (without --quiet they are shown)", file=sys.stderr)
