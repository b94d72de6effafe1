"""Where an answer goes and how it is written: formats, tables of a terminal, notices, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from aifgraph.printable import one_line, printable, printable_data

if TYPE_CHECKING:
    from aifgraph.tables import Result, Table

#: What files in a format end in.
SUFFIXES = {".txt": "text", ".tex": "latex", ".md": "markdown", ".htm": "html", ".gv": "dot"}

#: The size of a screen that an answer fits without ``--details``.
_LINES, _COLUMNS = 40, 100
_QUIET = "Show no notices and no progress."
#: Notices shown at a time; the others are counted.
_MAX_NOTICES = 5


@dataclass(frozen=True)
class Output:
    """The format of an answer and its file; None is standard output."""

    format: str = "text"
    path: Path | None = None
    details: bool = False

    def write(
        self,
        tables: Sequence[Table],
        *,
        details: Callable[[], Sequence[Table]] | None = None,
        csv: Sequence[Table] | None = None,
        data: Callable[[], Any] | None = None,
        signature: str = "",
        whole: bool = False,
    ) -> None:
        """Write tables in the format of the output, with the signature of their numbers, ``whole`` or as a screen fits.

        With ``--details`` those that ``details`` makes stand in their place; ``csv`` and ``data`` are what CSV and JSON
        have, if others.
        """
        import json

        from aifgraph.tables import render

        if self.format == "json" and data:
            self.write_text(json.dumps(data(), ensure_ascii=False, indent=1))
            return
        if self.format == "csv":
            self.write_text(render(csv or tables, "csv"))
            return
        shown = details() if details and self.details else tables
        if self.format == "html":
            from aifgraph.report.html import render_page

            self.write_text(render_page("tables.html.j2", title="aifgraph", tables=shown, signature=signature))
        elif self.format != "text":
            self.write_text(render(shown, self.format, signature))
        elif details:
            short = _shortened(shown, bool(signature)) if self.most and not whole else shown
            self.write_text(render(short, "text", signature, screen=self.width))
        else:
            self.write_lines(render(shown, "text", screen=self.width).splitlines())

    def write_result(self, result: Result, details: Callable[[], Sequence[Table]], *, whole: bool = False) -> None:
        """Write a result; ``details`` makes what ``--details`` shows, but for LaTeX and CSV."""
        tables, signature = result.tables_for(self.format)
        more = None if self.format == "latex" else details
        self.write(tables, details=more, data=result.to_dict, signature=signature, whole=whole)

    def write_text(self, content: str | bytes) -> None:
        """Write a text or a picture, the whole file or nothing."""
        if isinstance(content, str):
            if self.format == "text":
                content = printable(content)
            elif self.on_screen:
                content = printable_data(content)
            content = content.removesuffix("\n") + "\n"
        if self.path is None:
            if isinstance(content, bytes):
                sys.stdout.buffer.write(content)
            else:
                sys.stdout.write(content)
        else:
            from aifgraph.files import write_atomic

            write_atomic(self.path, content)

    def write_lines(self, lines: Sequence[str]) -> None:
        """Write lines of text; on a screen as much of them as fits."""
        if self.most and lines[self.most :]:
            lines = [*lines[: self.most - 1], f"… {len(lines) - self.most + 1} more lines: --details"]
        if self.most:
            lines = [line if len(line) <= _COLUMNS else f"{line[: _COLUMNS - 1]}…" for line in lines]
        self.write_text("\n".join(lines))

    @property
    def width(self) -> int:
        """The columns of the terminal, or those that a text has elsewhere."""
        from shutil import get_terminal_size

        return get_terminal_size((_COLUMNS, _LINES)).columns if self.on_screen else _COLUMNS

    @property
    def most(self) -> int | None:
        """How many lines are written at most: on a screen as many as fit."""
        return _LINES if self.on_screen and not self.details else None

    @property
    def on_screen(self) -> bool:
        """Whether a terminal shows the answer."""
        return self.path is None and sys.stdout.isatty()


def _shortened(tables: Sequence[Table], signed: bool) -> list[Table]:
    """Leave out rows, of the longest tables first, until all tables fit on a screen."""
    rows = [len(table.rows) for table in tables]
    notes = sum(len(line) // _COLUMNS + 1 for table in tables for line in table.note.splitlines())
    titles = sum(bool(table.title) for table in tables)
    room = _LINES - signed - notes - titles - 2 * len(tables)  # a row of names and a blank line each
    while rows and sum(rows) + sum(count < len(of.rows) for count, of in zip(rows, tables, strict=True)) > room:
        longest = rows.index(max(rows))
        if rows[longest] < 2:
            break
        rows[longest] -= 1
    short = []
    for count, table in zip(rows, tables, strict=True):
        more = f"… {len(table.rows) - count} more: --details" if count < len(table.rows) else ""
        short.append(replace(table, rows=table.rows[:count], note="\n".join(filter(None, (more, table.note)))))
    return short


def is_forced() -> bool:
    """Return whether an input, or a text beside the output, may be replaced."""
    return click.get_current_context().get_parameter_source("force") is ParameterSource.COMMANDLINE


def check_target(name: str) -> None:
    """Raise ``InputError`` if a parameter names a file that the command reads, or one in a folder that it reads.

    With ``--force``, only a corpus is refused: it would lose the maps that the command cannot read.
    """
    from aifgraph.errors import InputError
    from aifgraph.files import is_corpus, stem_of

    context = click.get_current_context()
    target = str(context.params[name] or "-")
    if target == "-" or not Path(target).exists():
        return
    place = Path(target).resolve()
    sources = [assignment.partition("=")[2] for assignment in context.params.get("assignments", ())]
    for parameter in context.command.params:
        if parameter.name != name and (isinstance(parameter, click.Argument) or isinstance(parameter.type, click.Path)):
            value = context.params[parameter.name or ""]
            sources += value if isinstance(value, tuple) else (value,)
    for path in (Path(source).resolve() for source in sources if source):
        if place == path and is_corpus(path):
            raise InputError("this corpus is an input of the command", where=target, remedy="name another")
        if not is_forced() and (path in place.parents or str(place) in (str(path), f"{stem_of(str(path))}.txt")):
            remedy = "name another file, or add --force"
            raise InputError("this is an input of the command", where=target, remedy=remedy)


def _is_quiet() -> bool:
    return bool(click.get_current_context().find_root().params.get("quiet"))


def add_quiet(command: click.Command) -> None:
    """Let ``-q`` stand behind the name of a command, too, and of those below it."""

    def set_quiet(context: click.Context, _: click.Parameter, value: bool) -> None:
        context.find_root().params["quiet"] |= value

    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            add_quiet(subcommand)
    else:
        option = click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=set_quiet, help=_QUIET)
        command.params.append(option)


def print_status(line: str) -> None:
    """Say on standard error what was done."""
    if not _is_quiet():
        click.echo(one_line(line), err=True)


def notices(lines: Iterable[object]) -> None:
    """Show the first of some notices, and how many more there are."""
    listed = list(dict.fromkeys(map(str, lines)))  # of a corpus that is given twice
    for line in listed[:_MAX_NOTICES]:
        print_status(f"aifgraph: notice: {line}")
    if listed[_MAX_NOTICES:]:
        print_status(f"aifgraph: notice: {len(listed) - _MAX_NOTICES} more")


def failures(failed: Sequence[tuple[str, str]]) -> int:
    """List maps or pairs that could not be read or compared; return the exit code."""
    for name, error in failed[:20]:
        click.echo(f"aifgraph: {one_line(error if error.startswith(name) else f'{name}: {error}')}", err=True)
    if failed[20:]:
        click.echo(f"aifgraph: {len(failed) - 20} more", err=True)
    return 2 if failed else 0


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function of (done, of how many) that moves a bar, or None where standard error is no terminal."""
    if _is_quiet() or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1, label=one_line(title), file=sys.stderr) as bar:

        def move(done: int, total: int) -> None:
            bar.length = total or None
            bar.update(done - bar.pos)

        yield move
