"""Groups of options that several commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.inputs import source_text
from aifgraph.cli.output import SUFFIXES, Output, check_target

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
    """How maps are compared, and how corpora of them are paired, named and run, by the keywords of the library.

    ``further`` says how intervals and tests are drawn.
    """

    options: Options
    texts: dict[str, SourceText | None]
    corpora: dict[str, Any]
    further: dict[str, Any]

    @property
    def bootstrap(self) -> Bootstrap:
        """How intervals are made; numpy is imported where they are asked for."""
        from aifgraph.stats.resampling import Bootstrap

        return Bootstrap(self.further["rounds"], self.further["level"], self.options.seed)


#: Options of a comparison that ``--set`` does not have: a sentence model is given in Python.
_IN_PYTHON = ("meaning", "min_meaning")
#: Options of commands that say how corpora are paired, named and run.
_OF_CORPORA = ("pair_by", "missing", "names", "jobs")
#: Keys that change scores and no difference.
_OF_SCORES = ("mean", "segmentation", "chance", "seed", "level", "rounds", "test_rounds")


def comparison(*, scores: bool = True) -> Callable[[Command], Command]:
    """Add the options that change how maps are compared; the command gets ``settings`` in their place.

    Without ``scores``, the command shows or merges differences.
    """
    add_seed = click.option("--seed", type=click.IntRange(0), default=0, help="Seed of random numbers.")

    def list_keys(context: click.Context, _: click.Parameter, assignments: Sequence[str]) -> Sequence[str]:
        if "help" in assignments:
            _print_keys(scores)
            context.exit()
        return assignments

    add_set = click.option("--set", "assignments", multiple=True, metavar="KEY=VALUE", callback=list_keys, help=_SET)

    def add(command: Command) -> Command:
        @wraps(command)
        def with_settings(
            *args: Any,
            assignments: Sequence[str],
            seed: int = 0,
            chance: int | None = None,
            first_text: Path | None = None,
            second_text: Path | None = None,
            **rest: Any,
        ) -> Any:
            options, further = _read_assignments(assignments, scores, seed=seed, chance=chance)
            texts = {"first_text": source_text(first_text), "second_text": source_text(second_text)}
            corpora = {key: rest.pop(key) for key in _OF_CORPORA if key in rest} | {"min_text": further.pop("min_text")}
            return command(*args, settings=Settings(options, texts, corpora, further), **rest)

        return add_set(add_seed(with_settings) if scores else with_settings)

    return add


def chance(command: Command) -> Command:
    """Add the rounds of scores by chance, to stand above ``comparison``: they are in its ``settings``."""
    help = "Rounds to estimate scores by chance."
    return click.option("--chance", type=click.IntRange(1), metavar="ROUNDS", help=help)(command)


def source_texts(command: Command) -> Command:
    """Add the source texts of two maps, to stand above ``comparison``: they are in its ``settings``."""
    for side in ("second", "first"):
        help = f"Source text of the {side} map."
        command = click.option(f"--{side}-text", type=FILE, metavar="FILE", help=help)(command)
    return command


_SET = "Set an option that changes numbers; --set help lists them."


def _keys(scores: bool) -> list[str]:
    """Return the keys of ``--set``."""
    from aifgraph.comparison.options import OPTIONS

    without = (*_IN_PYTHON, *(() if scores else _OF_SCORES))
    return [key for key in (*OPTIONS, *_FURTHER) if key not in without]


def _read_assignments(assignments: Sequence[str], scores: bool, **chosen: Any) -> tuple[Options, dict[str, Any]]:
    from aifgraph.comparison.options import OPTIONS, Options, read_option

    defaults = {key: _FURTHER[key][0] if key in _FURTHER else "" for key in _keys(scores)}
    values = typed(assignments, defaults)
    chosen |= {key: read_option(key, values.pop(key)) for key in OPTIONS if key in values}
    return Options(**chosen), {key: default for key, (default, _) in _FURTHER.items()} | values


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


def _print_keys(scores: bool) -> None:
    from aifgraph.comparison.options import OPTIONS, option_word
    from aifgraph.tables import Table

    rows: list[Any] = []
    for key in _keys(scores):
        if key in _FURTHER:
            rows.append((key, *map(str, _FURTHER[key])))
        else:
            rows.append((key, option_word(key, OPTIONS[key].default), OPTIONS[key].metadata["help"]))
    Output(details=True).write([Table("", ("key", "default", "meaning"), rows)])


def _listed(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(name.strip() for name in value.split(","))


names = click.option("--names", metavar="A,B,…", callback=_listed, help="Names of the sides.")
jobs = click.option("-j", "--jobs", type=int, default=1, metavar="N", help="Number of processes; -1: one per core.")
intervals = click.option("--intervals", is_flag=True, help="Add bootstrap intervals over the texts.")
force = click.option("--force", is_flag=True, expose_value=False, help="Replace inputs, and texts beside the output.")
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
