"""How commands show results: in a format, to a file or standard output; warnings, pictures and progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from aifgraph.cli.common_options import count_hidden, is_quiet
from aifgraph.cli.terminal import output_terminal, terminal_of
from aifgraph.printable import printable
from aifgraph.tables import Table, render

if TYPE_CHECKING:
    from aifgraph.tasks.scores import Result


#: Where a command's context keeps whether CSV is wanted raw.
RAW = "aifgraph.raw"


class Presentable(Protocol):
    """What can be presented: it gives its plain values for JSON."""

    def to_dict(self) -> dict[str, Any]: ...


def present(
    result: Presentable,
    tables: Sequence[Table],
    format_: str,
    output: Path | None,
    *,
    signature: str = "",
    headline: str = "",
    more: Mapping[str, Any] | None = None,
) -> None:
    """A result in a format: its plain values, with ``more``, as JSON; else ``tables`` below ``headline`` and signature.

    A result whose numbers do not depend on options has no signature; CSV has no place for one.
    """
    if format_ == "json":
        put(json.dumps({**result.to_dict(), **(more or {})}, ensure_ascii=False, indent=1), output)
    else:
        lead = {
            "text": (f"{headline}\n" if headline else "") + f"{signature}\n\n",
            "markdown": (f"## {headline}\n\n" if headline else "") + f"`{signature}`\n\n",
            "latex": f"% {signature}\n",
        }
        put(printable(lead.get(format_, "") if signature else "") + rendered(tables, format_), output)


def present_task(result: Result, format_: str, output: Path | None) -> None:
    """The result in a format, with the signature where the format has a place for it."""
    if format_ == "json":
        put(json.dumps(result.to_dict(), ensure_ascii=False, indent=2), output)
        return
    tables, signature = result.tables(), result.signature
    if format_ == "csv":
        put(rendered([*tables, Table("", ("signature",), [(signature,)])], format_), output)
        return
    body = rendered(tables, format_)
    line = {"text": signature, "markdown": f"`{signature}`", "latex": f"% {signature}"}[format_]
    put(f"{line}\n{body}" if format_ == "latex" else f"{body}\n{line}", output)


def rendered(tables: Sequence[Table] | Table, format_: str) -> str:
    """Tables in a format: text as wide as the terminal; CSV with formulas as they are if called with ``--raw``."""
    terminal = output_terminal()
    if format_ == "text" and (terminal.width or terminal.colour):
        from aifgraph.cli.fit import fitted

        return "\n".join(fitted(table, terminal) for table in ([tables] if isinstance(tables, Table) else tables))
    context = click.get_current_context(silent=True)
    return render(tables, format_, raw=bool(context and context.meta.get(RAW)))


def put(content: str | bytes, output: Path | None) -> None:
    """Text, which gets a line break at its end, or a picture: to a file (whole or not at all) or to standard output."""
    if isinstance(content, str) and not content.endswith("\n"):
        content += "\n"
    if output is not None and str(output) != "-":
        from aifgraph.formats.files import write_atomic

        write_atomic(output, content)
    elif isinstance(content, str):
        sys.stdout.write(_as_wide_as_the_terminal(content))
    else:
        sys.stdout.buffer.write(content)


def _as_wide_as_the_terminal(content: str) -> str:
    """What is for people (``--format text``) with its lines wrapped; all else as it is."""
    context = click.get_current_context(silent=True)
    terminal = output_terminal()
    if context is None or context.params.get("format_") != "text" or terminal.width is None:
        return content
    from aifgraph.cli.fit import fitted_lines

    return fitted_lines(content, terminal)


def put_parts(parts: Iterable[str], output: Path | None) -> None:
    """A long text in parts: to a file (whole or not at all) or to standard output."""
    from aifgraph.formats.files import in_place

    if output is not None and str(output) != "-":
        with in_place(output) as file:
            file.writelines(part.encode("utf-8", "backslashreplace") for part in parts)
    else:
        sys.stdout.writelines(parts)


def warn(lines: Iterable[object]) -> None:
    """Warnings, to standard error, one a line; with ``--quiet`` they are counted."""
    if is_quiet():
        count_hidden(sum(1 for _ in lines))
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
    if not is_quiet():
        say(line)


def say(line: str) -> None:
    """A line for a person, to standard error, such as the error of one map of many."""
    print(printable(line), file=sys.stderr)


def draw(plot: Path | None, picture: Callable[..., bytes], *data: Any, **texts: Any) -> None:
    """Write the picture that ``--plot`` asks for; the format goes by the file's name."""
    from aifgraph.formats.files import write_atomic
    from aifgraph.report.plots import format_of

    if plot is not None:
        write_atomic(plot, picture(*data, **texts, format=format_of(plot)))


@contextmanager
def bar(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function of (done, of how many; 0 for unknown) that moves a progress bar; None if there is no terminal."""
    if is_quiet() or not sys.stderr.isatty():
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
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
