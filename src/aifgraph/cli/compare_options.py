"""The options of a comparison on the command line, the same for every command that compares.

They are made of the declarations in ``aifgraph.comparison.options``, as is the table of options in docs/compare.md:
``python -m aifgraph.cli.compare_options`` prints it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import starmap
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.options import together
from aifgraph.comparison.options import OPTIONS
from aifgraph.tables import Table, render

if TYPE_CHECKING:
    from aifgraph.comparison.option import Option
    from aifgraph.comparison.options import Options


def options_from(given: dict[str, Any]) -> Options:
    """Take the comparison's options out of a command's parameters."""
    from aifgraph.comparison.option import Names
    from aifgraph.comparison.options import Options

    chosen: dict[str, Any] = {name: given.pop(name) for name in OPTIONS}
    for name, option in OPTIONS.items():
        if isinstance(option, Names):
            chosen[name] = option.read(chosen[name])
    return Options(**chosen)


def option_table() -> Table:
    """The options as the docs show them."""
    return Table(
        "",
        ("Python", "command line", "signature", "what it does", "values", "default"),
        [
            (
                f"`{name}`",
                f"`{_flag(name, option)}`",
                _key(name, option),
                option.help,
                _values(option),
                _default(option),
            )
            for name, option in OPTIONS.items()
        ],
    )


def _click_option(name: str, option: Option) -> Callable[..., Any]:
    from aifgraph.comparison.option import Names, Number, OneOf, SentenceModel

    default, help = option.default, option.help
    type: Any = None
    metavar = None
    match option:
        case OneOf(words=words) if not isinstance(default, bool):
            type = click.Choice(list(words))
        case Number():
            type, metavar = option.type, f"{option.low:.12g}..{option.high:.12g}"
        case Names(short=short):
            default, metavar = option.word(default), "NAMES"
            help = f"{help} Joined by +: {', '.join(short.values())}."
        case SentenceModel():
            metavar = "MODEL"
            help = f"{help} A folder with model.onnx and tokenizer.json, or a name."
    return click.option(_flag(name, option), default=default, type=type, show_default=True, metavar=metavar, help=help)


def _flag(name: str, option: Option) -> str:
    flag = name.replace("_", "-")
    return f"--{flag}/--no-{flag}" if isinstance(option.default, bool) else f"--{flag}"


compare_options = together(*starmap(_click_option, OPTIONS.items()))
"""All options of ``Options``."""


def _key(name: str, option: Option) -> str:
    owner = next((other.key for other in OPTIONS.values() if other.detail == name), "")
    if owner:
        return f"in `{owner}`"
    return f"`{option.key}`" if option.key else "adds `in`"


def _values(option: Option) -> str:
    from aifgraph.comparison.option import Names, Number, OneOf, SentenceModel

    match option:
        case OneOf(words=words):
            return ", ".join(f"`{value}`" for value in words)
        case Number():
            return f"{option.low:.12g} to {option.high:.12g}"
        case Names(short=short):
            names = (f"`{name}`" if name == code else f"`{name}` ({code})" for name, code in short.items())
            return ", ".join(names)
        case SentenceModel():
            return "a callable, a folder with `model.onnx` and `tokenizer.json`, or a name"
    raise TypeError(option)


def _default(option: Option) -> str:
    from aifgraph.comparison.option import Names

    words = isinstance(option, Names) or option.default is None
    return f"`{option.word(option.default)}`" if words else f"`{option.default}`"


if __name__ == "__main__":
    print(render(option_table(), "markdown"), end="")
