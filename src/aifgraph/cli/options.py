"""Groups of options that several commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.inputs import source_text
from aifgraph.cli.output import SUFFIXES, Output

if TYPE_CHECKING:
    from aifgraph.comparison.options import Options
    from aifgraph.graph import SourceText
    from aifgraph.stats.resampling import Bootstrap

Command = Callable[..., Any]

PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)

#: Keys of ``--set`` that are no options of a comparison: default, help.
_FURTHER: dict[str, tuple[Any, str]] = {
    "level": (0.95, "Share of resamples within an interval."),
    "rounds": (1000, "Number of resamples for intervals."),
    "test_rounds": (10_000, "Number of permutations in a paired test."),
    "min_text": (0.7, "Least similarity of two source texts to pair them by text."),
}


@dataclass(frozen=True)
class Settings:
    """How maps are compared; ``further`` is how they are paired, and how intervals and tests are drawn."""

    options: Options
    texts: Mapping[str, SourceText | None]
    further: Mapping[str, Any]

    @property
    def bootstrap(self) -> Bootstrap:
        """How intervals are made."""
        from aifgraph.stats.resampling import Bootstrap

        return Bootstrap(self.further["rounds"], self.further["level"], self.options.seed)


def comparison(command: Command) -> Command:
    """Add the options that change how maps are compared; the command gets ``settings``."""
    added = (
        click.option("--seed", type=click.IntRange(0), default=0, help="Seed of random numbers."),
        click.option(
            "--chance",
            type=click.IntRange(1),
            metavar="ROUNDS",
            help="Estimate the scores by chance, from this many rounds.",
        ),
        click.option("--set", "assignments", multiple=True, metavar="KEY=VALUE", callback=_list_keys, help=_SET),
    )

    @wraps(command)
    def with_settings(*args: Any, seed: int, chance: int | None, assignments: Sequence[str], **values: Any) -> Any:
        texts = {name: source_text(values.pop(name)) for name in [*values] if name.endswith("_text")}
        return command(*args, settings=_settings(assignments, texts, seed=seed, chance=chance), **values)

    return reduce(lambda decorated, option: option(decorated), added, with_settings)


def source_texts(command: Command) -> Command:
    """Add the source texts of two maps, to stand above ``comparison``: they are in its ``settings``."""
    for side in ("second", "first"):
        help = f"Source text of the {side} map."
        command = click.option(f"--{side}-text", type=FILE, metavar="FILE", help=help)(command)
    return command


_SET = "Set an option that changes numbers; --set help lists them."


def _settings(assignments: Sequence[str], texts: Mapping[str, SourceText | None], **chosen: Any) -> Settings:
    from aifgraph.comparison.options import OPTIONS, Options, read_option
    from aifgraph.errors import OptionError, choose_from

    further = {key: default for key, (default, _) in _FURTHER.items()}
    for assignment in assignments:
        name, _, word = assignment.partition("=")
        if name in OPTIONS:
            chosen[name] = read_option(name, word)
        elif name in further:
            further[name] = _read(name, word)
        else:
            remedy = choose_from([*OPTIONS, *_FURTHER])
            raise OptionError(f"there is no key {name!r}", where="--set", remedy=remedy)
    return Settings(Options(**chosen), texts, further)


def _read(key: str, word: str) -> Any:
    from aifgraph.errors import OptionError

    kind = type(_FURTHER[key][0])
    try:
        return kind(word)
    except ValueError:
        remedy = f"give a {'whole ' if kind is int else ''}number"
        raise OptionError(f"{key} is {word!r}", where="--set", remedy=remedy) from None


def _list_keys(context: click.Context, _: click.Parameter, assignments: Sequence[str]) -> Sequence[str]:
    """Print the table of keys for ``--set help``."""
    if "help" in assignments:
        from aifgraph.comparison.options import OPTIONS, option_word
        from aifgraph.tables import Table

        rows: list[Any] = [
            (name, option_word(name, option.default), option.metadata["help"]) for name, option in OPTIONS.items()
        ]
        rows += [(key, str(default), help) for key, (default, help) in _FURTHER.items()]
        columns = ("key", "default", "meaning")
        Output(details=True).write([Table("", columns, rows)])
        context.exit()
    return assignments


def _listed(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(name.strip() for name in value.split(","))


names = click.option("--names", metavar="A,B,…", callback=_listed, help="Names of the sides.")
jobs = click.option("-j", "--jobs", type=int, default=1, metavar="N", help="Number of processes; -1: one per core.")
intervals = click.option("--intervals", is_flag=True, help="Add bootstrap intervals over the texts of corpora.")
resume = click.option(
    "--resume", type=FILE, metavar="FILE.jsonl", help="Store results here; repeat the command to continue."
)


def pairing(missing: str = "") -> Callable[[Command], Command]:
    """Add how maps of corpora are paired and, with a default, what counts for texts that only one corpus has."""
    kinds, score = click.Choice(["skip", "zero"]), "Score of a text that only one corpus has."
    add_missing = click.option("--missing", type=kinds, default=missing, show_default=True, help=score)
    by = "Pair maps by name, source text, or a table (columns first, second, text).  [default: name]"
    add_by = click.option("--pair-by", default="name", metavar="name|text|FILE.tsv", help=by)
    return lambda command: add_by(add_missing(command) if missing else command)


def output(*formats: str, details: bool = True) -> Callable[[Command], Command]:
    """Add ``--format``, ``-o`` and ``--details``; the command gets ``output``."""

    def add(command: Command) -> Command:
        @click.option(
            "--format", "kind", type=click.Choice(formats), help=f"[default: by the suffix of -o, else {formats[0]}]"
        )
        @click.option("-o", "--output", "path", type=PATH, metavar="FILE", help="Write to this file.")
        @wraps(command)
        def with_output(*args: Any, kind: str | None, path: Path | None, details: bool = False, **rest: Any) -> Any:
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
