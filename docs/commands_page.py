"""The page on the commands, made of the commands themselves while the site is built (see ``conf.py``)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from aifgraph.cli.group import group


def commands_page() -> str:
    """Every command with its usage, help and options, in Markdown; one heading for each."""
    context = click.Context(group, info_name="aifgraph")
    return "\n".join(line for name in group.list_commands(context) for line in _command(name, group, context, 2))


def _command(name: str, parent: click.Group, above: click.Context, depth: int) -> Iterator[str]:
    command = parent.get_command(above, name)
    assert command is not None, name
    if command.hidden:
        return
    context = click.Context(command, info_name=name, parent=above)
    path = context.command_path
    yield f"{'#' * depth} {path.removeprefix('aifgraph ')}\n"
    yield from ("```text", " ".join([path, *command.collect_usage_pieces(context)]), "```\n")
    yield from _help(command.help or "")
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record and isinstance(parameter, click.Option):
            yield f"- `{record[0]}`: {markdown(record[1])}"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            yield from _command(inner, command, context, depth + 1)


def _help(text: str) -> Iterator[str]:
    """Paragraphs as they are; what click leaves unwrapped (after a backspace) as a block, its first line as a title."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if not paragraph.startswith("\b"):
            yield markdown(paragraph) + "\n"
            continue
        title, _, rest = paragraph.removeprefix("\b\n").partition("\n")
        if title.endswith(":") and rest:
            yield markdown(title) + "\n"
        else:
            rest = f"{title}\n{rest}"
        yield f"```text\n{inspect.cleandoc(chr(10) + rest)}\n```\n"


def markdown(text: str) -> str:
    """Words of a help text: what Markdown would take for marks is escaped, except between backticks."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#|{}$])", r"\\\1", part) for part in parts)
