"""What commands share of their options: pairs of corpora, processes, intervals, pictures, the comparison's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from aifgraph.cli.answers import NamedChoice
from aifgraph.cli.command import Command, argument, custom_part, option, part
from aifgraph.cli.terminal import bar, warn
from aifgraph.errors import InputError, NoSuchFileError, OptionError

if TYPE_CHECKING:
    from aifgraph.comparison.option import Option
    from aifgraph.comparison.options import Options
    from aifgraph.corpus.corpus import Corpus
    from aifgraph.evaluation.corpus_result import CorpusComparison
    from aifgraph.evaluation.workers import WorkerKeywords
    from aifgraph.graph import ArgumentGraph

#: A path; whether it is there, and what is in it, its reader says.
PATH = click.Path(path_type=Path)
#: A path that must not be a folder.
NO_FOLDER = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, kw_only=True)
class PairOptions:
    """Which map of one corpus belongs to which of another."""

    pairs: Path | None = option(
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE.tsv",
        help="Corpora: a table of which maps belong together (columns first, second, and perhaps text).",
    )
    pair_by: str = option(
        "name",
        metavar="name|text|FILE",
        help="Corpora: pair maps of the same name, of the same source text, or by a table as in --pairs.",
    )

    @property
    def by(self) -> str | Path:
        """What the library is told."""
        return self.pairs or self.pair_by


@dataclass(frozen=True, kw_only=True)
class TwoSides(Command):
    """Two maps, or two corpora."""

    first: str = argument()
    second: str = argument()
    pairing: PairOptions = part(PairOptions)

    @property
    def of_corpora(self) -> bool:
        return are_corpora(self.first, self.second)

    @property
    def of_maps(self) -> bool:
        return not self.of_corpora

    def open_both(self) -> tuple[Corpus, Corpus]:
        """The two corpora, which are one where the same path is given twice."""
        one = corpus_at(self.first)
        return one, one if Path(self.first) == Path(self.second) else corpus_at(self.second)


def names_in(joined: str) -> list[str]:
    """Names joined by plus signs or commas, as options take them.

    >>> names_in("kappa + f1"), names_in("kappa,f1")
    (['kappa', 'f1'], ['kappa', 'f1'])
    """
    return [name.strip() for name in re.split("[+,]", joined) if name.strip()]


@dataclass(frozen=True, kw_only=True)
class IntervalOptions:
    """How confidence intervals are made."""

    rounds: int = option(1000, help="Number of bootstrap resamples.")
    level: float = option(0.95, metavar="0..1", help="Confidence level of the intervals.")
    method: Literal["percentile", "bca"] = option(
        "percentile",
        choices=("percentile", "bca"),
        help="Kind of interval: percentile bootstrap, or bias-corrected and accelerated.",
    )


def required_output(help: str, *, metavar: str | None = None, type: Any = PATH) -> Any:
    """Declare an ``-o/--output`` that must be given."""
    return option(None, "-o", "--output", required=True, type=type, metavar=metavar, help=help)


def min_text_option() -> Any:
    """Declare ``--min-text``."""
    return option(0.7, metavar="0..1", help="Pairs by text: least similarity of the words of two texts of a pair.")


def jobs_option() -> Any:
    """Declare ``--jobs``."""
    return option(1, "-j", "--jobs", metavar="N", help="Corpora: number of processes; -1 is one per core.")


def plot_option(metavar: str | None = None) -> Any:
    """Declare ``--plot``."""
    return option(
        type=NO_FOLDER, metavar=metavar, help="Also draw the result: .svg, .png or .pdf (needs aifgraph[plots])."
    )


def seed_option(default: int | None = 0, help: str = "Seed of the random choices.") -> Any:
    """Declare ``--seed``; a ``None`` default means that nothing is random without one."""
    return option(default, type=click.IntRange(0), help=help)


def test_rounds_option() -> Any:
    """Declare ``--rounds`` of a permutation test."""
    return option(10_000, type=click.IntRange(1), help="Number of permutations of each test.")


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """Which processes compare the pairs of corpora."""

    jobs: int = jobs_option()
    scheduler: str | None = option(metavar="tcp://HOST:PORT", help="Corpora: address of the Dask scheduler.")
    ship: bool = option(False, help="Corpora: send the maps to a cluster whose workers cannot read the files.")

    @property
    def keywords(self) -> WorkerKeywords:
        """What the library is told."""
        return {"jobs": self.jobs, "scheduler": self.scheduler, "ship": self.ship}


def compare_options(*without: str) -> Any:
    """Declare the options of a comparison, as ``aifgraph.comparison.options`` has them, ``without`` some of them."""

    def parameters() -> Iterator[click.Parameter]:
        from aifgraph.comparison.options import OPTIONS

        return (_compare_option(name, declaration) for name, declaration in OPTIONS.items() if name not in without)

    def build(values: Mapping[str, Any]) -> Options:
        from aifgraph.comparison.option import Names
        from aifgraph.comparison.options import OPTIONS, Options

        chosen: dict[str, Any] = {
            name: declaration.read(values[name]) if isinstance(declaration, Names) else values[name]
            for name, declaration in OPTIONS.items()
            if name not in without
        }
        return Options(**chosen)

    def default() -> Options:
        from aifgraph.comparison.options import Options

        return Options()

    return custom_part(parameters, build, default)


def _compare_option(name: str, option: Option) -> click.Option:
    from aifgraph.comparison.option import Names, Number, OneOf, SentenceModel

    default, help = option.default, option.help
    type: Any = None
    metavar = None
    match option:
        case OneOf(words=words) if not isinstance(default, bool):
            type = NamedChoice(list(words))
        case Number():
            type, metavar = option.type, f"{option.low:.12g}..{option.high:.12g}"
        case Names(short=short):
            default, metavar = option.word(default), "NAMES"
            help = f"{help} Joined by +: {', '.join(short.values())}."
        case SentenceModel():
            metavar = "MODEL"
            help = f"{help} A folder with model.onnx and tokenizer.json, or a name."
    return click.Option(
        [flag_of(name, option)], default=default, type=type, show_default=True, metavar=metavar, help=help
    )


def flag_of(name: str, option: Option) -> str:
    """How an option of a comparison is called on the command line."""
    flag = name.replace("_", "-")
    return f"--{flag}/--no-{flag}" if isinstance(option.default, bool) else f"--{flag}"


def are_corpora(first: str, second: str) -> bool:
    """Whether two arguments are corpora, and not two maps. Raises ``InputError`` for one of each."""
    from aifgraph.corpus_names import is_corpus

    kinds = [is_corpus(name) for name in (first, second)]
    if kinds[0] != kinds[1]:
        single = second if kinds[0] else first
        if "://" not in single and not single.startswith("aifdb:") and single != "-" and not Path(single).exists():
            raise NoSuchFileError("no such file or folder", where=single)
        raise InputError("a single map against a corpus", where=single, remedy="give two maps, or two corpora")
    if first == second == "-":
        raise OptionError("standard input can be read only once", remedy="give at least one file")
    return kinds[0]


def opened_corpus(name: str) -> Corpus:
    """The corpus at a path; ``InputError`` where it has no map."""
    with bar(f"opening {name}") as progress:
        corpus = corpus_at(name, progress)
    if not len(corpus):
        raise _no_maps(name)
    warn(corpus.notices)
    return corpus


def corpus_at(name: str, progress: Callable[[int, int], None] | None = None) -> Corpus:
    """The corpus at a path, which may be empty; ``InputError`` where it is something else."""
    from aifgraph.corpus import open_corpus

    corpus = open_corpus(name, progress=progress)
    if not len(corpus) and (error := _no_maps(name)).remedy:
        raise error
    return corpus


def _no_maps(name: str) -> InputError:
    return as_data_set(InputError("there are no maps in it", where=name), name)


def map_at(name: str, format: str | None = None, **options: Any) -> ArgumentGraph:
    """The map at a path; ``InputError`` names the remedy where it is something else."""
    from aifgraph.formats import load

    try:
        return load(name, format=format, **options)
    except InputError as error:
        raise as_data_set(error, name) from None


def as_data_set(error: InputError, source: str) -> InputError:
    """The error of reading a source as maps, with the remedy where it is a data set or a store of triples instead."""
    from aifgraph.datasets import DATASETS
    from aifgraph.formats.result_files import is_lines, is_result

    path = Path(source)
    if source.lower() in DATASETS and not path.exists():
        remedy = f"if the data set is meant: aifgraph convert --dataset {source.lower()} FOLDER OUT"
        return type(error)(error.what, where=error.where, remedy=remedy)
    if (path / "CURRENT").is_file() and any(path.glob("MANIFEST-*")):
        return InputError(
            "a store of triples, and no corpus of maps", where=source, remedy=f"aifgraph query --store {source} QUERY"
        )
    if is_result(path) or is_lines(path):
        return InputError("the result of a comparison, and no map", where=source, remedy=f"aifgraph show {source}")
    return error


def warn_of_compared(result: CorpusComparison, prefix: str = "") -> None:
    """What was noticed of two corpora, and the pairs that could not be compared."""
    warn(f"{prefix}{notice}" for notice in result.notices)
    warn(f"{prefix}{name}: not compared: {error}" for name, error in result.failed)
