"""Groups of options that several commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from aifgraph.cli.inputs import source_text
from aifgraph.cli.output import SUFFIXES, Output, check_target

if TYPE_CHECKING:
    from aifgraph.graph import SourceText
    from aifgraph.options import Options
    from aifgraph.stats.resampling import Bootstrap

Command = Callable[..., Any]

PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)


@dataclass(frozen=True)
class Settings:
    """How maps are compared, and how corpora of them are paired, named and run, by the keywords of the library.

    The last three are keys of ``--set`` beside the options of a comparison.
    """

    options: Options
    texts: dict[str, SourceText | None]
    corpora: dict[str, Any]
    level: float
    rounds: int
    test_rounds: int

    @property
    def bootstrap(self) -> Bootstrap:
        """How intervals are made; numpy is imported where they are asked for."""
        from aifgraph.stats.resampling import Bootstrap

        return Bootstrap(self.rounds, self.level, self.options.seed)


def comparison(**defaults: Any) -> Callable[[Command], Command]:
    """Add the options that change how maps are compared; the command gets ``settings`` in their place.

    ``defaults`` are those that this command has.
    """

    def list_keys(context: click.Context, _: click.Parameter, assignments: Sequence[str]) -> Sequence[str]:
        if "help" in assignments:
            _print_keys(defaults)
            context.exit()
        return assignments

    def add(command: Command) -> Command:
        @click.option("--set", "assignments", multiple=True, metavar="KEY=VALUE", callback=list_keys, help=_SET)
        @click.option("--seed", type=click.IntRange(0), default=0, help="Seed of random numbers.")
        @wraps(command)
        def with_settings(
            *args: Any,
            assignments: Sequence[str],
            seed: int,
            chance: int | None = None,
            first_text: Path | None = None,
            second_text: Path | None = None,
            **rest: Any,
        ) -> Any:
            from aifgraph.options import FURTHER, OPTIONS, Options

            further = {key: default for key, (default, help) in FURTHER.items() if help}
            values = typed(assignments, {key: further.get(key, "") for key in _keys()})
            chosen = {key: OPTIONS[key].parse(values.pop(key)) for key in OPTIONS if key in values}
            further |= values
            options = Options(**{"seed": seed, "chance": chance, **defaults, **chosen})
            texts = {"first_text": source_text(first_text), "second_text": source_text(second_text)}
            corpora: dict[str, Any] = {key: rest.pop(key) for key in _OF_CORPORA if key in rest}
            corpora["min_text"] = further.pop("min_text")
            return command(*args, settings=Settings(options, texts, corpora, **further), **rest)

        return with_settings

    return add


#: Options of commands that say how corpora are paired, named and run.
_OF_CORPORA: Final = ("pair_by", "missing", "names", "jobs")
_SET: Final = "Set an option that changes numbers; --set help lists them."


def _keys() -> dict[str, tuple[str, str]]:
    """Return the default and the help of the keys of ``--set``: all but a sentence model, which is given in Python."""
    from aifgraph.options import FURTHER, OPTIONS

    keys = {
        key: (option.format(option.default), option.help) for key, option in OPTIONS.items() if option.use != "python"
    }
    return keys | {key: (str(default), help) for key, (default, help) in FURTHER.items() if help}


def _print_keys(defaults: Mapping[str, Any]) -> None:
    from aifgraph.options import OPTIONS
    from aifgraph.tables import Table

    of_command = {key: OPTIONS[key].format(value) for key, value in defaults.items()}
    rows = [(key, of_command.get(key, default), help) for key, (default, help) in _keys().items()]
    Output(details=True).write([Table("", ("key", "default", "meaning"), rows)])


def chance(command: Command) -> Command:
    """Add the rounds of scores by chance, to stand above ``comparison``: they are in its ``settings``."""
    help = "Permutation rounds for chance-corrected scores."
    return click.option("--chance", type=click.IntRange(1), metavar="ROUNDS", help=help)(command)


def source_texts(command: Command) -> Command:
    """Add the source texts of two maps, to stand above ``comparison``: they are in its ``settings``."""
    for side in ("second", "first"):
        help = f"Source text of the {side} map."
        command = click.option(f"--{side}-text", type=FILE, metavar="FILE", help=help)(command)
    return command


def typed(assignments: Sequence[str], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of texts KEY=VALUE by key, each of the type of its default."""
    from aifgraph.errors import OptionError, choose_from

    values: dict[str, Any] = {}
    for assignment in assignments:
        key, _, word = assignment.partition("=")
        if key not in defaults:
            raise OptionError(f"there is no key {key!r}", where="--set", remedy=choose_from(defaults))
        kind = str if defaults[key] is None else type(defaults[key])
        try:
            values[key] = {"true": True, "false": False}[word] if kind is bool else kind(word)
        except (KeyError, ValueError):
            right = {bool: "true or false", int: "a whole number"}.get(kind, "a number")
            raise OptionError(f"{key} is {word!r}", where="--set", remedy=f"give {right}") from None
    return values


def _listed(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    names = None if value is None else tuple(name.strip() for name in value.split(","))
    if names and "" in names:
        raise click.BadParameter("a name is empty")
    return names


names = click.option("--names", metavar="A,B,…", callback=_listed, help="Names of the corpora, in order; gold first.")
jobs = click.option("-j", "--jobs", type=int, default=1, metavar="N", help="Number of processes; -1: one per core.")
intervals = click.option("--intervals", is_flag=True, help="Add bootstrap intervals over the texts.")
force = click.option("--force", is_flag=True, expose_value=False, help="Replace inputs, and texts beside the output.")
resume = click.option(
    "--resume", type=FILE, metavar="FILE.jsonl", help="Write results to this file; run again to resume."
)


def pairing(missing: str = "") -> Callable[[Command], Command]:
    """Add how maps of corpora are paired and, with a default, what counts for texts that only one corpus has."""
    kinds, score = click.Choice(["skip", "zero"]), "Texts in one corpus only: leave out, or score 0."
    add_missing = click.option("--missing", type=kinds, default=missing, show_default=True, help=score)
    by = "Pair maps by name, source text, or a table (columns first, second, text).  [default: name]"
    path = click.Path()  # which the output is compared with
    add_by = click.option("--pair-by", type=path, default="name", metavar="name|text|FILE.tsv", help=by)
    return lambda command: add_by(add_missing(command) if missing else command)


def output(*formats: str, details: bool = True) -> Callable[[Command], Command]:
    """Add ``--format``, ``-o``, ``--force`` and ``--details``; the command gets ``output`` in their place."""

    def add(command: Command) -> Command:
        @click.option(
            "--format", "kind", type=click.Choice(formats), help=f"[default: by the suffix of -o, else {formats[0]}]"
        )
        @click.option("-o", "--output", "path", type=PATH, metavar="FILE", help="Write to this file.")
        @force
        @wraps(command)
        def with_output(*args: Any, kind: str | None, path: Path | None, details: bool = False, **rest: Any) -> Any:
            check_target("path")
            file = None if str(path) == "-" else path
            return command(*args, output=Output(kind or _format_of(file, formats), file, details), **rest)

        add_details = click.option("--details", is_flag=True, help="Show every table and every row.")
        return add_details(with_output) if details else with_output

    return add


def _format_of(path: Path | None, formats: Sequence[str]) -> str:
    """Return the format that the suffix of a file says, or the first."""
    if path is None or not path.suffix:
        return formats[0]
    found = SUFFIXES.get(path.suffix.lower(), path.suffix[1:].lower())
    if found not in formats:
        raise click.UsageError(f"{path}: {path.suffix} is not a suffix of the formats {', '.join(formats)}")
    return found
