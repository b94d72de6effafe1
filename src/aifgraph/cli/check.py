"""``aifgraph check``: which rules maps break, and what is repaired to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from aifgraph.cli.options import jobs_option, output_options
from aifgraph.cli.present import bar, present, put, rendered, say
from aifgraph.errors import AifgraphError, InputError
from aifgraph.graph.rules import PROFILES
from aifgraph.printable import printable

if TYPE_CHECKING:
    from aifgraph.corpus.entries import MapRun, NamedMap
    from aifgraph.graph import ArgumentGraph

T = TypeVar("T")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--profile", type=click.Choice(PROFILES), default="aif", show_default=True, help="Which rules to ask.")
@click.option("--select", multiple=True, metavar="CODES", help="Only these: E, W, N, E2, E202, 202 or a rule's name.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these.")
@click.option("--from", "from_", metavar="FORMAT", help="The format of the files, where it is not recognised.")
@click.option("--all", "all_", is_flag=True, help="Each warning and note, however often it occurs (text).")
@click.option("--summary", is_flag=True, help="Only the table of codes.")
@jobs_option
@output_options(("text", "json", "csv", "markdown", "sarif"))
def check(
    files: tuple[str, ...],
    profile: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    from_: str | None,
    all_: bool,
    summary: bool,
    jobs: int,
    format_: str,
    output: Path | None,
) -> int:
    """Check maps and corpora against the rules of AIF, IAT or xAIF.

    Exit code 0: no errors (warnings and notes may be there), 1: errors, 2: something could not be read.

    \b
    Examples:
      aifgraph check map.json
      aifgraph check corpus/ --profile iat --select E
      aifgraph check corpus.zip --format sarif -o findings.sarif
    """
    from aifgraph.corpus.names import is_corpus
    from aifgraph.evaluation.each_map import over_maps
    from aifgraph.graph import GraphBuilder
    from aifgraph.graph.rules import validate
    from aifgraph.report.findings import CheckReport

    failed: list[tuple[str, str]] = []
    chosen, left_out = select or None, ignore or None
    # A wrong selection is an error before the first map is read.
    validate(GraphBuilder().graph(), profile, select=chosen, ignore=left_out)
    rules = partial(validate, profile=profile, select=chosen, ignore=left_out)
    maps = tuple(over_maps_of(files, failed, rules, format=from_, run=over_maps(jobs)))
    report = CheckReport(maps, tuple(failed))
    with_summary = summary or len(files) > 1 or any(map(is_corpus, files))
    if format_ == "sarif":
        put(report.to_sarif(), output)
    elif format_ == "text":
        lines = "" if summary else report.lines(all=all_)
        summed = rendered(report.summary(), format_) if with_summary else ""
        text = printable(lines) + ("\n" if lines and summed else "") + summed
        put(text or "nothing found\n" if maps else text, output)
    else:
        both = with_summary and not summary and format_ == "markdown"
        tables = report.tables() if both else [report.summary() if summary else report.table()]
        present(report, tables, format_, output)
    for _, error in failed:
        say(f"aifgraph: {error}")
    if failed:
        return 2
    return 0 if report.ok else 1


def maps_of(names: Sequence[str], failed: list[tuple[str, str]], format: str | None = None) -> Iterator[ArgumentGraph]:
    """Every map that the names stand for; ``failed`` takes the name and the error of those that cannot be read."""
    return over_maps_of(names, failed, _itself, format=format)


def _itself(graph: ArgumentGraph) -> ArgumentGraph:
    return graph


def over_maps_of(
    names: Sequence[str],
    failed: list[tuple[str, str]],
    function: Callable[[ArgumentGraph], T],
    *,
    format: str | None = None,
    run: MapRun = map,
) -> Iterator[T]:
    """What ``function`` gives for every map that the names stand for; ``run`` calls it for the maps of a corpus, as
    ``map`` does. ``failed`` takes the name and the error of maps that cannot be read."""
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.names import is_corpus
    from aifgraph.formats import load

    for name in names:
        try:
            if not is_corpus(name):
                yield function(load(name, format=format))
                continue
            corpus = open_corpus(name)
            if not len(corpus):
                raise InputError("no map in it", where=name)
        except InputError as error:
            failed.append((name, str(error)))
            continue
        with bar(f"reading {corpus.name}") as progress:
            for number, each in enumerate(run(partial(_of_map, function=function, format=format), corpus), 1):
                if progress:
                    progress(number, len(corpus))
                if isinstance(each, _Failure):
                    failed.append((each.source, each.error))
                else:
                    yield each


@dataclass(frozen=True, slots=True)
class _Failure:
    """A map that cannot be read."""

    source: str
    error: str


def _of_map(entry: NamedMap, *, function: Callable[[ArgumentGraph], T], format: str | None) -> T | _Failure:
    try:
        graph = entry.load(format=format)
    except AifgraphError as error:
        return _Failure(entry.source, str(error))
    return function(graph)
