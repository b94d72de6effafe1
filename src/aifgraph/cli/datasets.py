"""The data set part of ``aifgraph convert``: ``--dataset NAME IN OUT``, and ``--back`` for the way home."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from aifgraph.cli.present import bar, warn
from aifgraph.datasets import DATASETS, Dataset, dataset_class, open_dataset, options_of
from aifgraph.datasets.map_writer import write_maps
from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph

F = TypeVar("F", bound=Callable[..., Any])

#: How many problems are shown; the rest is counted.
_SHOWN = 20


def dataset_options(command: F) -> F:
    """The options of a command that converts data sets; their values go to ``convert_dataset``."""
    for option in reversed(
        (
            click.option("--dataset", type=click.Choice(list(DATASETS)), help="IN is a data set in its own layout."),
            click.option("--threshold", type=float, metavar="T", help="iac1, iac2: agreement from T is RA, to -T CA."),
            click.option("--propositions-only", is_flag=True, help="Data sets: I-nodes and their relations alone."),
            click.option("--strict", is_flag=True, help="Data sets: the first damaged row is an error."),
            click.option("--back", is_flag=True, help="Data sets: from the maps in IN to the data set's own form."),
            click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Data sets: a further option."),
        )
    ):
        command = option(command)
    return command


def convert_dataset(
    source: str,
    target: str,
    *,
    dataset: str,
    threshold: float | None = None,
    propositions_only: bool = False,
    strict: bool = False,
    back: bool = False,
    settings: tuple[str, ...] = (),
) -> int:
    """Convert a data set to maps (a folder, ``.zip`` or ``.jsonl``), or maps ``back`` to the data set's form."""
    if back:
        return _back(dataset, source, target)
    options: dict[str, Any] = _settings(dataset, settings)
    if threshold is not None:
        options["threshold"] = threshold
    given = open_dataset(dataset, source, strict=strict, propositions_only=propositions_only, **options)
    with bar(f"converting {dataset}") as moved:
        write_maps(_counted(given, moved), Path(target))
    _report(given)
    return 0


def _settings(dataset: str, settings: tuple[str, ...]) -> dict[str, Any]:
    defaults = options_of(dataset)
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        name = name.replace("-", "_")
        if not equals or name not in defaults or name in ("strict", "propositions_only"):
            own = sorted(set(defaults) - {"strict", "propositions_only", "threshold"})
            remedy = f"{dataset} has {', '.join(own)}" if own else f"{dataset} has none"
            raise OptionError(f"--set {setting}: there is no such option", remedy=remedy)
        if name in ("agree", "disagree", "threshold"):
            try:
                options[name] = float(value)
            except ValueError:
                raise OptionError(f"--set {setting}: {value!r} is no number", remedy="give a number") from None
        else:
            options[name] = value
    return options


def _counted(given: Dataset, moved: Callable[[int, int], None] | None) -> Iterator[ArgumentGraph]:
    for number, graph in enumerate(given, 1):
        yield graph
        if moved is not None and number % 20 == 0:
            moved(number, 0)


def _report(given: Dataset) -> None:
    """What was wrong and what was counted, on standard error."""
    listed = list(given.problems)[:_SHOWN]
    warn(listed)
    if len(given.problems) > len(listed):
        counts = ", ".join(f"{number} {code}" for code, number in given.problems.counts.most_common())
        warn([f"{len(given.problems)} problems in all ({counts})"])
    for what, number in given.counts.items():
        if what.startswith("without ") and number == 1:
            click.echo(f"aifgraph: {what}", err=True)
        else:
            click.echo(f"aifgraph: {number} {what}", err=True)


def _back(dataset: str, source: str, target: str) -> int:
    from aifgraph.corpus import open_corpus

    cls = dataset_class(dataset)
    if not cls.writes:
        raise OptionError(f"{cls.title} is not written back", remedy="the maps keep all that its files said")
    written = cls.write_back((entry.load().with_name(entry.name) for entry in open_corpus(source)), target)
    click.echo(f"aifgraph: {len(written)} file{'s' if len(written) != 1 else ''} written", err=True)
    return 0
