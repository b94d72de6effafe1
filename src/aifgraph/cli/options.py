"""What commands share of their options and arguments: files, outputs, many pairs, random draws, pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from aifgraph.cli.present import RAW
from aifgraph.errors import InputError
from aifgraph.tables import FORMATS

if TYPE_CHECKING:
    from aifgraph.evaluation.workers import Workers

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)
"""A file named on the command line; whether it is there, and what is in it, its reader says."""


def output_options(formats: Sequence[str] = FORMATS, *, folder: bool = False) -> Callable[[F], F]:
    """``--format`` and ``-o/--output`` for a command; with ``folder`` the output may be one that exists."""
    return together(
        click.option(
            "--format",
            "format_",
            type=click.Choice(formats),
            default=formats[0],
            show_default=True,
            help="How to show it.",
        ),
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=folder, path_type=Path),
            help="Write to a file, whole or not at all.",
        ),
        *([_raw_option] if "csv" in formats else []),
    )


def _keep_raw(context: click.Context, _: click.Parameter, raw: bool) -> None:
    context.meta[RAW] = raw


_raw_option = click.option(
    "--raw",
    is_flag=True,
    expose_value=False,
    callback=_keep_raw,
    help="CSV: texts that look like a formula as they are, without an apostrophe in front.",
)


def are_corpora(first: str, second: str) -> bool:
    """Whether two arguments are corpora, and not two maps. Raises ``InputError`` for one of each."""
    from aifgraph.corpus.names import is_corpus

    kinds = [is_corpus(name) for name in (first, second)]
    if kinds[0] != kinds[1]:
        single = second if kinds[0] else first
        raise InputError("a single map against a corpus", where=single, remedy="give two maps, or two corpora")
    return kinds[0]


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


names_option = click.option(
    "--names",
    nargs=2,
    default=None,
    metavar="FIRST SECOND",
    help="What the two sides are called.  [default: what tells their paths apart]",
)
"""Names of the two sides."""

pairing_options = together(
    click.option(
        "--pairs",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE.tsv",
        help="Corpora: which map belongs to which (columns first and second).",
    ),
    click.option(
        "--pair-by",
        default="name",
        show_default=True,
        metavar="name|text|FILE",
        help="Corpora: pair by name, by source text, or by a file as in --pairs.",
    ),
)
"""Which map of one corpus belongs to which of another."""

jobs_option = click.option(
    "-j", "--jobs", type=int, default=1, show_default=True, metavar="N", help="Corpora: processes (-1: one a core)."
)

worker_options = together(
    jobs_option,
    click.option(
        "--backend",
        type=click.Choice(["processes", "dask"]),
        default=None,
        help="Corpora: processes of this machine (default), or a Dask cluster.",
    ),
    click.option("--scheduler", metavar="tcp://HOST:PORT", help="Corpora: the cluster's scheduler."),
    click.option(
        "--ship", is_flag=True, help="Corpora: send the maps to the cluster, where its workers do not see the files."
    ),
)
"""Which processes compare the pairs."""

result_options = together(
    click.option(
        "--results",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE.jsonl",
        help="Corpora: write each pair there when it is done.",
    ),
    click.option("--resume", is_flag=True, help="Corpora: go on with the file of results of a run that stopped."),
)
"""Where results are written during a run."""

rounds_option = click.option(
    "--rounds", type=int, default=1000, show_default=True, help="Times that texts are drawn for intervals."
)
"""Rounds of a bootstrap."""

interval_options = together(
    click.option(
        "--level", type=float, default=0.95, show_default=True, metavar="0..1", help="Confidence of the intervals."
    ),
    click.option(
        "--method",
        type=click.Choice(["percentile", "bca"]),
        default="percentile",
        show_default=True,
        help="How intervals are made: percentile bootstrap, or bias-corrected and accelerated.",
    ),
)
"""What intervals are."""


plot_option = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the result as well: .svg, .png or .pdf (needs aifgraph[plots]).",
)
"""A picture next to the result."""


def workers_from(given: dict[str, Any]) -> Workers:
    """Take ``worker_options`` out of a command's parameters."""
    from aifgraph.evaluation.workers import Workers

    backend, scheduler = given.pop("backend"), given.pop("scheduler")
    return Workers(given.pop("jobs"), backend or ("dask" if scheduler else "processes"), scheduler, given.pop("ship"))


def seed_option(default: int | None, help: str = "Seed of what is drawn at random.") -> Callable[[F], F]:
    """``--seed``; a ``None`` default means that nothing is drawn without one."""
    return click.option("--seed", type=click.IntRange(0), default=default, show_default=default is not None, help=help)


def corpora_by_name(paths: tuple[str, ...]) -> dict[str, str]:
    """Corpora by a short name: that of the folder or file, the whole path where two have the same, and with a number
    where one is given more than once.

    >>> corpora_by_name(("maps/ann", "maps/ben")), corpora_by_name(("maps", "maps"))
    ({'ann': 'maps/ann', 'ben': 'maps/ben'}, {'maps (1)': 'maps', 'maps (2)': 'maps'})
    """
    names = [Path(path).name or path for path in paths]
    named: dict[str, str] = {}
    for place, (name, path) in enumerate(zip(names, paths, strict=True)):
        short = name if names.count(name) == 1 or paths.count(path) == len(paths) else path
        again = paths.count(path) > 1
        named[f"{short} ({paths[: place + 1].count(path)})" if again else short] = path
    return named
