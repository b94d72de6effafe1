"""``aifgraph check`` and ``repair``: which rules maps break, and a repaired map with every change listed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.options import corpus_at, jobs_option, map_at
from aifgraph.cli.output import Destination, Output, destination, write
from aifgraph.cli.terminal import bar, note, say, warn
from aifgraph.errors import AifgraphError, InputError, OptionError

if TYPE_CHECKING:
    from aifgraph.corpus.entries import MapRun
    from aifgraph.formats.io import NamedMap
    from aifgraph.graph import ArgumentGraph

T = TypeVar("T")

#: What can be repaired.
REPAIRS = {
    "dangling": "edges with an unknown end",
    "duplicate_edges": "edges given twice",
    "loops": "edges from a node to itself",
    "repeated_nodes": "nodes given twice",
    "duplicates": "propositions of the same text",
    "analysts": "analysts' nodes",
    "orphans": "scheme nodes that join nothing",
    "schemes": "missing schemes",
}


@dataclass(frozen=True, kw_only=True)
class Check(Command):
    """Check maps and corpora against the rules of AIF.

    The profiles iat and xaif have the rules of IAT and of xAIF.

    Exit code 0: no errors (there may be warnings and notes), 1: errors, 2: something could not be read.

    \b
    Examples:
      aifgraph check map.json
      aifgraph check corpus/ --profile iat --select E
      aifgraph check corpus.zip -o findings.csv
    """

    files: tuple[str, ...] = argument("FILE…", many=True)
    profile: str = option("aif", choices=("graph.rules:PROFILES",), help="Which rules apply.")
    select: tuple[str, ...] = option(
        many=True, metavar="CODES", help="Only these rules: E, W, N, E2, E202, 202 or a name."
    )
    ignore: tuple[str, ...] = option(many=True, metavar="CODES", help="Leave out these rules.")
    from_: str | None = option(metavar="FORMAT", help="Format of the files, if it is not recognised.")
    all_: bool = option(False, help="Text: show every warning and note, however often it occurs.")
    summary: bool = option(False, help="Show only the table of counts by rule.")
    jobs: int = jobs_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.corpus_names import is_corpus
        from aifgraph.evaluation.workers import over_maps
        from aifgraph.graph import GraphBuilder
        from aifgraph.graph.rules import validate
        from aifgraph.report.findings import CheckReport

        failed: list[tuple[str, str]] = []
        rules = partial(validate, profile=self.profile, select=self.select or None, ignore=self.ignore or None)
        rules(GraphBuilder().graph())  # a wrong selection is an error before the first map is read
        maps = tuple(over_maps_of(self.files, failed, rules, format=self.from_, run=over_maps(self.jobs)))
        for _, error in failed:
            say(f"aifgraph: {error}")
        report = CheckReport(maps, tuple(failed))
        code = 2 if failed else 0 if report.ok else 1
        with_summary = self.summary or len(self.files) > 1 or any(map(is_corpus, self.files))
        if self.destination.format == "text":
            lines = "" if self.summary else report.lines(all=self.all_)
            nothing = "nothing found" if maps and not with_summary else ""
            return Output(above=lines or nothing, tables=[report.summary()] if with_summary else (), code=code)
        both = with_summary and not self.summary and self.destination.format in ("markdown", "latex")
        tables = report.tables() if both else [report.summary() if self.summary else report.table()]
        return Output(tables=tables, data=report.to_dict, code=code)


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
    from aifgraph.corpus_names import is_corpus

    for name in names:
        try:
            if not is_corpus(name):
                yield function(map_at(name, format))
                continue
            corpus = corpus_at(name)
            if not len(corpus):
                raise InputError("no map in it", where=name)
        except InputError as error:
            failed.append((name, str(error)))
            continue
        with bar(f"reading {corpus.name}") as progress:
            for number, result in enumerate(run(partial(_of_map, function=function, format=format), corpus), 1):
                if progress:
                    progress(number, len(corpus))
                if isinstance(result, _Failure):
                    failed.append((result.source, result.error))
                else:
                    yield result


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


@dataclass(frozen=True, kw_only=True)
class Repair(Command):
    """Repair a map, and list every change.

    The list is on standard error, or JSON with --report.

    \b
    Examples:
      aifgraph repair map.json -o repaired.json
      aifgraph repair map.json -o repaired.json --report changes.json --keep analysts
      aifgraph repair map.json -o - --only duplicates
    """

    file: str = argument("IN")
    output: str | None = option(
        None, "-o", "--output", metavar="FILE", help="Where to write the repaired map; - is standard output."
    )
    report: str | None = option(
        is_flag=False,
        flag_value="-",
        metavar="[FILE]",
        help="Write the changes as JSON, to this file or standard output; without -o nothing else.",
    )
    direct: Literal["join", "drop", "keep"] = option(
        "join",
        choices=("join", "drop", "keep"),
        help="Edges between propositions without a relation: put one in, drop the edge, or keep it.",
    )
    keep: tuple[str, ...] = option(many=True, choices=REPAIRS, help="Do not repair this.")
    only: tuple[str, ...] = option(many=True, choices=(*REPAIRS, "direct"), help="Repair only this.")
    from_: str | None = option(metavar="FORMAT", help="Format of IN, if it is not recognised.")
    to: str | None = option(metavar="FORMAT", help="Format to write.")

    @property
    def without_direct(self) -> bool:
        return bool(self.only) and "direct" not in self.only

    def run(self) -> Output:
        from aifgraph.formats import dump
        from aifgraph.graph.repair import repair

        if self.output is None and self.report is None:
            remedy = "give -o FILE, or --report alone, which lists what would change"
            raise OptionError("no place for the repaired map", remedy=remedy)
        chosen = {name: name not in self.keep and (not self.only or name in self.only) for name in REPAIRS}
        direct = "keep" if self.without_direct else self.direct
        graph = map_at(self.file, self.from_)
        repaired, repairs = repair(graph, direct=direct, **chosen)
        if self.output is not None:
            losses = dump(repaired, self.output, format=self.to)
            warn([losses] if losses else [])
        if self.report is None or (self.report == "-" and self.output == "-"):
            for change in repairs:
                note(str(change))
        else:
            changes = json.dumps(repairs.to_dict(), ensure_ascii=False, indent=1)
            write(Output(content=changes), Destination(output=Path(self.report)))
        return Output()
