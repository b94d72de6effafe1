"""What a command answers, and where it goes: in a format, to a file (atomically) or to standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from aifgraph.cli.command import option, part
from aifgraph.cli.terminal import Terminal, terminal_of
from aifgraph.errors import OptionError
from aifgraph.guesses import answers
from aifgraph.printable import printable, printable_data
from aifgraph.tables import FORMATS, Document, Table, render

# Before Python 3.12 only the class of this system's paths can be derived from.
if TYPE_CHECKING:
    _OwnPath = Path
else:
    _OwnPath = type(Path())


class FolderPath(_OwnPath):
    """A path that was given with a slash at its end: what is written is a folder."""


class TargetPath(click.Path):
    """The type of ``-o``: a file, or where ``folder`` says so a folder, too."""

    def __init__(self, *, folder: bool = False) -> None:
        super().__init__(dir_okay=folder, path_type=Path)
        self.folder = folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if not str(value).endswith("/"):
            return path
        return FolderPath(str(value)) if self.folder else self.fail(f"{value} is a folder; name a file", param, ctx)


@dataclass(frozen=True, kw_only=True)
class Destination:
    """The format of an answer ("" where there is no choice) and its file; without one, or with -, standard output."""

    format: str = ""
    output: Path | None = option(
        None,
        *("-o", "--output"),
        type=TargetPath(),
        help="Write to this file instead of standard output.",
    )
    raw: bool = option(False, help="CSV: no apostrophe in front of texts that a spreadsheet would take for formulas.")

    @property
    def file(self) -> Path | None:
        """The file, if it is one."""
        return None if self.output is None or str(self.output) == "-" else self.output

    @property
    def terminal(self) -> Terminal:
        """Nothing is fitted, and nothing coloured, for a file."""
        return Terminal() if self.file else terminal_of(sys.stdout)


#: How files in a format end.
SUFFIXES: dict[str, tuple[str, ...]] = {
    "text": (".txt",),
    "json": (".json",),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "markdown": (".md", ".markdown"),
    "latex": (".tex",),
    "html": (".html", ".htm"),
    "paper": (".txt",),
    "paper-latex": (".tex",),
    "paper-markdown": (".md", ".markdown"),
    "dot": (".dot", ".gv"),
    "mmd": (".mmd", ".mermaid"),
    "svg": (".svg",),
    "png": (".png",),
    "pdf": (".pdf",),
}


#: Suffixes of pictures.
_PICTURES = frozenset(end for format in ("svg", "png", "pdf") for end in SUFFIXES[format])


def destination(formats: Sequence[str] = FORMATS, *, folder: bool = False) -> Any:
    """Declare ``--format``, ``-o/--output`` and, if CSV is a format, ``--raw``; a ``folder`` may be there already.
    Without ``--format``, the suffix of the file decides, and the first format where there is none."""
    help = f"Format of the output.  [default: as -o ends, else {formats[0]}]"
    changed: dict[str, Any] = {"format": option(None, choices=formats, help=help)}
    if folder:
        path = TargetPath(folder=True)
        changed["output"] = option(None, "-o", "--output", type=path, help="Write to this file, or folder of pages.")
    if "csv" not in formats:
        changed["raw"] = None
    return part(Destination, partial(_with_format, formats), **changed)


def output_file(help: str, *formats: str) -> Any:
    """Declare ``-o/--output`` alone, of a file in one of the formats, as its suffix has to say if it says one."""
    output = option(None, "-o", "--output", type=TargetPath(), help=help)
    then = partial(_in_one_of, formats) if formats else None
    return part(Destination, then, format=None, raw=None, output=output)


def _with_format(formats: Sequence[str], to: Destination) -> Destination:
    """With the format that was asked for, or that the suffix of the file says."""
    suffix = to.file.suffix.lower() if to.file else ""
    if isinstance(to.file, FolderPath) and "html" in formats and not to.format:
        return replace(to, format="html")
    if isinstance(to.file, FolderPath) and to.format != "html":
        remedy = "a folder is of pages: --format html; or leave out the / for a file"
        raise OptionError("a path that ends in / is a folder", where=f"{to.file}/", remedy=remedy)
    said = [format for format in formats if suffix in SUFFIXES[format]]
    if to.format:
        return to if to.format in said else _in_one_of((to.format,), to)
    if suffix and not said:
        ends = ", ".join(dict.fromkeys(SUFFIXES[format][0] for format in formats))
        remedy = f"end it in {ends}, or give --format"
        if suffix in _PICTURES:
            plotted = any("--plot" in each.opts for each in click.get_current_context().command.params)
            picture = f"--plot {to.file} draws it" if plotted else f"aifgraph draw MAP -o {to.file} draws a map"
            remedy = f"{picture}; or {remedy}"
        elif instead := answers("values of format").get(suffix[1:]):
            remedy = f"{instead}; or {remedy}"
        raise OptionError(f"{suffix} says no format of this command", where=str(to.file), remedy=remedy)
    return replace(to, format=(said or formats)[0])


def _in_one_of(formats: Sequence[str], to: Destination) -> Destination:
    """The same, unless the file ends as those of other formats do."""
    suffix = to.file.suffix.lower() if to.file else ""
    own = [end for format in formats for end in SUFFIXES[format]]
    if suffix in {end for ends in SUFFIXES.values() for end in ends} - set(own):
        asked = f"--format {to.format}" if to.format else f"it is written as {formats[0]}"
        remedy = f"end it in {own[0]}" + (", or leave out --format" if to.format else "")
        raise OptionError(f"{asked}, and the file ends in {suffix}", where=str(to.file), remedy=remedy)
    return to


class Answer(Protocol):
    """A result: its document, and its plain values."""

    def document(self) -> Document: ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Output(Document):
    """What a command answers, and its exit code.

    ``content`` is already in the format that was asked for. Else there is a document, in text below what stands
    ``above`` it, and ``data`` gives the plain values for JSON.
    """

    content: str | bytes | Iterable[str] | None = None
    data: Callable[[], Any] | None = None
    above: str = ""
    code: int = 0

    @classmethod
    def of(cls, result: Answer, *, failed: object = (), code: int = 0) -> Output:
        """A result; exit code 2 where some of it ``failed``."""
        return cls(**vars(result.document()), data=result.to_dict, code=2 if failed else code)


def write(output: Output, to: Destination) -> None:
    """Write an answer, if there is one; a text gets a line break at its end."""
    content = output.content
    if content is None and (output.tables or output.data or output.above):
        content = _content(output, to)
    elif isinstance(content, str):
        content = _for_people(content, to) if to.format in _FOR_PEOPLE else content
    if content is None:
        return
    if isinstance(content, str):
        content = content if content.endswith("\n") else f"{content}\n"
    if to.file:
        _to_file(content, to.file)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        lines = [content] if isinstance(content, str) else content
        as_data = to.terminal.width is not None and to.format not in _FOR_PEOPLE
        sys.stdout.writelines(map(printable_data, lines) if as_data else lines)


#: The formats that are read by people; the others are data, and only made safe where a terminal shows them.
_FOR_PEOPLE = frozenset({"text", "markdown", "latex"})


def _for_people(text: str, to: Destination) -> str:
    """A text that can be printed, its lines as wide as the terminal."""
    text = printable(text)
    if to.format != "text" or to.terminal.width is None:
        return text
    from aifgraph.cli.fit import fitted_lines

    return fitted_lines(text, to.terminal)


def _to_file(content: str | bytes | Iterable[str], path: Path) -> None:
    from aifgraph.formats.files import in_place, write_atomic

    if isinstance(content, str | bytes):
        write_atomic(path, content)
        return
    with in_place(path) as file:
        file.writelines(piece.encode("utf-8", "backslashreplace") for piece in content)


def _content(output: Output, to: Destination) -> str:
    if to.format == "json" and output.data:
        return json.dumps(output.data(), ensure_ascii=False, indent=1)
    tables = output.tables if to.format != "csv" or output.csv is None else output.csv
    body = rendered(tables, to)
    if to.format == "text" and output.above:
        body = _for_people(f"{output.above}\n" if tables else output.above, to) + body
    return output.around(body, to.format, partial(_for_people, to=to))


def rendered(tables: Sequence[Table] | Table, to: Destination) -> str:
    """Tables in a format: text as wide as the terminal."""
    terminal = to.terminal
    if to.format == "text" and (terminal.width or terminal.colour):
        from aifgraph.cli.fit import fitted

        return "\n".join(fitted(table, terminal) for table in ([tables] if isinstance(tables, Table) else tables))
    return render(tables, to.format or "text", raw=to.raw)


def plot(path: Path | None, picture: Callable[..., bytes], *data: Any, **texts: Any) -> None:
    """Write the picture that ``--plot`` asks for; the format goes by the file's name."""
    from aifgraph.formats.files import write_atomic
    from aifgraph.report.plots import format_of

    if path is not None:
        write_atomic(path, picture(*data, **texts, format=format_of(path)))
