"""``aifgraph convert``: maps, corpora and data sets from one format into another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.options import jobs_option, together
from aifgraph.cli.present import bar, note, say, warn
from aifgraph.datasets import DATASETS
from aifgraph.errors import InputError, OptionError

if TYPE_CHECKING:
    from aifgraph.datasets import Dataset
    from aifgraph.graph import ArgumentGraph

#: How many failures, and problems of a data set, are shown; the rest is counted.
_SHOWN = 20

_dataset_options = together(
    click.option("--dataset", type=click.Choice(list(DATASETS)), help="IN is a data set in its own layout."),
    click.option("--threshold", type=float, metavar="T", help="iac1, iac2: agreement from T is RA, to -T CA."),
    click.option("--propositions-only", is_flag=True, help="Data sets: I-nodes and their relations alone."),
    click.option("--strict", is_flag=True, help="Data sets: the first damaged row is an error."),
    click.option("--back", is_flag=True, help="Data sets: from the maps in IN to the data set's own form."),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Data sets: a further option."),
)


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_", metavar="FORMAT", help="The format of IN, where it is not recognised.")
@click.option("--to", "to", metavar="FORMAT", help="The format of OUT, where its suffix does not say it.")
@click.option("--profile", type=click.Choice(["full", "owl", "aifdb"]), help="RDF: the vocabulary (docs/rdf.md).")
@click.option("--base", metavar="IRI", help="RDF: what the IRIs of maps begin with that have none of AIFdb's.")
@click.option("--option", "settings_of_in", multiple=True, metavar="NAME=VALUE", help="An option of IN's format.")
@jobs_option
@_dataset_options
def convert(
    source: str,
    target: str,
    from_: str | None,
    to: str | None,
    profile: str | None,
    base: str | None,
    settings_of_in: tuple[str, ...],
    jobs: int,
    **given: Any,
) -> int:
    """Convert a map, a corpus or a data set; what the target cannot hold is counted on standard error.

    IN is a file, "-", a folder, an archive or JSON lines; OUT a file or "-", for a corpus a folder, .zip or .tar.gz
    (with --to), or a .jsonl, .jsonl.gz, .nq or .trig file. Maps of a corpus that cannot be read are listed, the others
    are converted, and the exit code is 2.

    \b
    Examples:
      aifgraph convert map.json map.dot
      aifgraph convert micro_b001.xml - --to aif
      aifgraph convert corpus.zip out/ --to xaif
      aifgraph convert corpus.zip corpus.nq
      aifgraph convert pairs.csv map.json --from csv --option source_column=reason
      aifgraph convert map.json map.ttl --profile owl --base http://example.org/
      aifgraph convert --dataset iac1 iac-v1/ maps/ --threshold 0 --propositions-only
      aifgraph convert --dataset ruarg --back maps/ train.tsv
    """
    from aifgraph.corpus.conversion import convert_corpus, holds_many, takes_many
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.each_map import over_maps
    from aifgraph.formats.io import dump, load

    if given["dataset"] is not None:
        if from_ or to or profile or base or settings_of_in:
            raise OptionError(
                "--from, --to, --option, --profile and --base do not go with --dataset",
                remedy="leave them out, and convert the maps in a second step",
            )
        if jobs != 1:
            raise OptionError("a data set is converted in one process", remedy="leave out --jobs")
        return _convert_dataset(source, target, **given)
    ours = {name: value for name, value in given.items() if value not in (None, False, (), "")}
    if ours:
        flag = next(iter(ours)).replace("_", "-").replace("settings", "set")
        raise OptionError(f"--{flag} is about data sets", remedy="give --dataset NAME")
    options = {name: value for name, value in (("profile", profile), ("base", base)) if value is not None}
    if source == "-" or not (holds_many(source) or takes_many(target)):
        if jobs != 1:
            raise OptionError("--jobs is about corpora", where=source, remedy="leave it out")
        graph = load(source, format=from_, **_reading(settings_of_in))
        warn(graph.notices)
        losses = dump(graph, target, format=to, **options)
        if losses or losses.done:
            note(f"aifgraph: {losses}")
        return 0
    if settings_of_in:
        raise OptionError("--option is about a single map", remedy="convert the maps one by one")
    corpus = open_corpus(source)
    warn(corpus.notices)
    if not len(corpus):
        raise InputError("no map in it", where=source)
    run = over_maps(jobs)
    with bar("converting") as moved:
        done = convert_corpus(corpus, target, from_format=from_, to_format=to, options=options, progress=moved, run=run)
    for _, error in done.failed[:_SHOWN]:
        say(f"aifgraph: {error}")
    if len(done.failed) > _SHOWN:
        say(f"aifgraph: {len(done.failed)} maps could not be converted in all")
    if done.notices:
        counts = ", ".join(f"{number} {code}" for code, number in done.notices.most_common())
        note(f"aifgraph: notices of reading: {counts}")
    note(f"aifgraph: {done.written} maps written; {done.losses}")
    return 2 if done.failed else 0


def _reading(settings: tuple[str, ...]) -> dict[str, Any]:
    """Options of reading as they were given; the format checks their names and types."""
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier() or name in ("format", "strict"):
            raise OptionError(f"--option {setting}"[:200], remedy="give NAME=VALUE")
        options[name] = int(value) if value.isdecimal() and len(value) < 10 else value
    return options


def _convert_dataset(
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
    from aifgraph.corpus.writer import write_maps
    from aifgraph.datasets import open_dataset

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
    from aifgraph.datasets import options_of

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
            note(f"aifgraph: {what}")
        else:
            note(f"aifgraph: {number} {what}")


def _back(dataset: str, source: str, target: str) -> int:
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.datasets import dataset_class

    cls = dataset_class(dataset)
    if not cls.writes:
        raise OptionError(f"{cls.title} is not written back", remedy="the maps keep all that its files said")
    written = cls.write_back((entry.load().with_name(entry.name) for entry in open_corpus(source)), target)
    note(f"aifgraph: {len(written)} file{'s' if len(written) != 1 else ''} written")
    return 0
