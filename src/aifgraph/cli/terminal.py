"""The terminal of a command: its width and colours, closed and full streams; warnings, progress, and their options."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TextIO, get_args

import click

from aifgraph.cli.answers import NamedChoice
from aifgraph.errors import InputError
from aifgraph.printable import ESCAPE, one_line, printable, quantity

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


#: Whether a Ctrl-C is ending the command.
_interrupted = threading.Event()


def was_interrupted() -> bool:
    """Whether a Ctrl-C is ending the command: what comes out of a library then is no error of its own."""
    return _interrupted.is_set()


#: What ends a command in order: Ctrl-C, ``kill``, and the terminal that is closed (which Windows has not).
ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def interrupt(number: int, frame: object) -> None:
    """Handle what ends a command: the first Ctrl-C ends it in order, with nothing half written left, a second one at
    once."""
    for each in ENDING:
        signal.signal(each, lambda *_: os._exit(130))
    _interrupted.set()
    # What threads and finalizers run into while everything is being ended is no news.
    logging.disable()
    threading.excepthook = lambda _: None
    sys.unraisablehook = lambda _: None
    raise KeyboardInterrupt


def give_up_output() -> None:
    """Nothing more goes to standard output, not even at exit."""
    try:
        handle = os.open(os.devnull, os.O_WRONLY)
        os.dup2(handle, sys.stdout.fileno())
        os.close(handle)
    except (OSError, ValueError):  # no file at all
        pass


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
            return f"aifgraph: {time.perf_counter() - begun:7.3f} s  {one_line(record.getMessage())}"

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
            type=NamedChoice(get_args(When)),
            default=None,
            expose_value=False,
            callback=_keep_colour,
            help="Colours: auto (in a terminal, unless NO_COLOR is set), always or never.",
        ),
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_keep_quiet,
            help="Show only errors on standard error; warnings are counted.",
        ),
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            expose_value=False,
            callback=_tell,
            help="Log what is done, and when, on standard error.",
        ),
    ]


def _count_hidden(number: int) -> None:
    """Count warnings that ``--quiet`` hides; when the command ends, it says how many they were."""
    context = click.get_current_context()
    if HIDDEN not in context.meta and number:
        context.find_root().call_on_close(lambda: _say_hidden(context.meta[HIDDEN]))
    context.meta[HIDDEN] = context.meta.get(HIDDEN, 0) + number


def _say_hidden(number: int) -> None:
    print(f"aifgraph: {quantity(number, 'warnings')} (without --quiet they are shown)", file=sys.stderr)


def warn(lines: Iterable[object]) -> None:
    """Warnings, to standard error, one a line; with ``--quiet`` they are counted."""
    if _is_quiet():
        _count_hidden(sum(1 for _ in lines))
        return
    mark = terminal_of(sys.stderr).styled("warning:", "warning")
    for line in lines:
        print(f"aifgraph: {mark} {one_line(str(line))}", file=sys.stderr)


def note(line: str) -> None:
    """What was done, to standard error; nothing with ``--quiet``."""
    if not _is_quiet():
        say(line)


def say(line: str) -> None:
    """A line for a person, to standard error, such as the error of one map of many."""
    print(printable(line), file=sys.stderr)


@contextmanager
def bar(title: str, *, lines: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A function of (done, of how many; 0 for unknown) that moves a progress bar; None if there is no terminal, or,
    with ``lines``, one that says a line a minute there."""
    if _is_quiet() or not sys.stderr.isatty():
        yield _line_a_minute(title) if lines and not _is_quiet() else None
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


def _line_a_minute(title: str) -> Callable[[int, int], None]:
    last = time.monotonic()

    def moved(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= 60:
            last = time.monotonic()
            note(f"aifgraph: {title}: {done} of {total}" if total else f"aifgraph: {title}: {done}")

    return moved


@contextmanager
def alive() -> Iterator[Callable[[str], None] | None]:
    """A function that says on standard error what is being done; None where that is no terminal."""
    if _is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
