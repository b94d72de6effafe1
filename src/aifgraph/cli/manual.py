"""``aifgraph manual``: man pages, made of what ``--help`` says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

import aifgraph
from aifgraph.cli.present import note, put
from aifgraph.errors import OptionError, nearest

#: What the exit codes mean.
EXIT_CODES = (
    (0, "All was done."),
    (1, "All was done, and the answer is no."),
    (2, "Wrong usage or input, some of a corpus included."),
    (3, "A fault of aifgraph."),
    (130, "Interrupted."),
)


@click.command()
@click.argument("command", required=False)
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), help="Write the pages of all commands into a folder."
)
def manual(command: str | None, folder: Path | None) -> None:
    """Print the man page of COMMAND, or of aifgraph; or write those of all commands into a folder.

    \b
    Examples:
      aifgraph manual compare | man -l -
      aifgraph manual --folder ~/.local/share/man/man1
    """
    pages = dict(_pages())
    if folder is None:
        name = "aifgraph" if command is None else f"aifgraph-{command.replace(' ', '-')}"
        if name not in pages:
            known = [page.removeprefix("aifgraph-") for page in pages]
            raise OptionError(f"there is no command {command!r}", remedy=nearest(command, known))
        put(pages[name], None)
        return
    if command is not None:
        raise OptionError("a folder takes the pages of all commands", remedy="leave out the command or --folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        put(page, folder / f"{name}.1")
    note(f"aifgraph: {len(pages)} pages written to {folder}")


def _pages() -> Iterator[tuple[str, str]]:
    """Every page by its name: ``aifgraph``, ``aifgraph-compare``, ``aifgraph-task-aurc-score``."""
    group = click.get_current_context().find_root().command
    yield from _pages_of(group, click.Context(group, info_name="aifgraph"))


def _pages_of(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    yield context.command_path.replace(" ", "-"), _page(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            if part is not None:
                yield from _pages_of(part, click.Context(part, info_name=name, parent=context))


def _page(command: click.Command, context: click.Context) -> str:
    path = context.command_path
    summary = command.get_short_help_str(200).rstrip(".")
    lines = [
        f'.TH "{path.replace(" ", "-").upper()}" 1 "" "aifgraph {aifgraph.__version__}"',
        ".SH NAME",
        rf"{_roff(path.replace(' ', '-'))} \- {_roff(summary)}",
        ".SH SYNOPSIS",
        rf"\fB{_roff(path)}\fR {_roff(' '.join(command.collect_usage_pieces(context)))}",
        ".SH DESCRIPTION",
        *_description(command.help or ""),
    ]
    options = [record for p in command.get_params(context) if (record := p.get_help_record(context))]
    if options:
        lines.append(".SH OPTIONS")
        for names, text in options:
            lines += [".TP", rf"\fB{_roff(names)}\fR", _roff(text or "")]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            if part is not None:
                lines += [".TP", rf"\fB{_roff(f'{path} {name}')}\fR", _roff(part.get_short_help_str(200))]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES:
        lines += [".TP", rf"\fB{code}\fR", _roff(meaning)]
    parent = context.parent.command_path if context.parent else None
    if parent:
        lines += [".SH SEE ALSO", rf"\fB{_roff(parent.replace(' ', '-'))}\fR(1)"]
    return "\n".join(lines) + "\n"


def _description(text: str) -> Iterator[str]:
    """Paragraphs; those that click is told to leave as they are (``\\b``) stay as they are."""
    for paragraph in re.split(r"\n\s*\n", text.split("\f")[0].strip()):
        if paragraph.lstrip().startswith("\b"):
            lines = paragraph.split("\n")[1:]
            yield from (".PP", ".nf", *map(_roff, lines), ".fi")
        else:
            yield from (".PP", _roff(" ".join(paragraph.split())))


def _roff(text: str) -> str:
    r"""Text without roff's own characters.

    >>> _roff("--from .x")
    '\\-\\-from .x'
    """
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
