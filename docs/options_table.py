"""The table of options in docs/reference/signature.md, made of their declarations; ``python docs/options_table.py``
prints it."""

from __future__ import annotations

from aifgraph.cli.options import flag_of
from aifgraph.comparison.option import Names, Number, OneOf, Option, SentenceModel
from aifgraph.comparison.options import OPTIONS
from aifgraph.tables import Table, render


def option_table() -> Table:
    """The options of a comparison, in Python, on the command line and in signatures."""
    return Table(
        "",
        ("Python", "command line", "signature", "what it does", "values", "default"),
        [
            (
                f"`{name}`",
                f"`{flag_of(name, option)}`",
                _key(name, option),
                option.help,
                _values(option),
                _default(option),
            )
            for name, option in OPTIONS.items()
        ],
    )


def _key(name: str, option: Option) -> str:
    owner = next((other.key for other in OPTIONS.values() if other.detail == name), "")
    if owner:
        return f"in `{owner}`"
    return f"`{option.key}`" if option.key else "adds `in`"


def _values(option: Option) -> str:
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
    words = isinstance(option, Names) or option.default is None
    return f"`{option.word(option.default)}`" if words else f"`{option.default}`"


if __name__ == "__main__":
    print(render(option_table(), "markdown"), end="")
