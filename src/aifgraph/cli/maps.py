"""``show``, ``check``, ``convert`` and ``draw``: one map, or the maps of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from aifgraph.cli import inputs, options
from aifgraph.cli.output import Output, check_target, failures, notices, progress, say
from aifgraph.printable import quantity

if TYPE_CHECKING:
    from aifgraph.graph import ArgumentGraph
    from aifgraph.graph.rules import Findings
    from aifgraph.tables import Table


@click.command()
@click.argument("file")
@click.option("--map", "name", metavar="NAME", help="Show this map of a corpus.")
@click.option("--tree", is_flag=True, help="Show the argument as an indented tree.")
@options.output("text", "json", "csv", "latex", "markdown", "html")
def show(file: str, name: str | None, tree: bool, output: Output) -> int:
    """Show what is in a map, a corpus or a result.

    For a map or a corpus, show counts of nodes, illocutions and schemes, also by
    speaker, and who replies to, supports and attacks whom; --details adds
    lengths and all rows. For a result of compare (.json or .jsonl), show what
    compare printed.

    \b
    Examples:
      aifgraph show map.json --tree
      aifgraph show corpus.zip -o statistics.tex
      aifgraph show corpus.zip --map nodeset17940
      aifgraph show result.json --format markdown
    """
    from aifgraph.corpus import CorpusCounts
    from aifgraph.corpus.containers import is_corpus

    if inputs.is_result(file):
        return _show_result(file, output)
    failed: list[tuple[str, str]] = []
    graphs: Iterable[ArgumentGraph]
    if name is not None:
        graphs = [inputs.open_corpus(file)[name].load()]
    else:
        graphs = inputs.over_maps([file], lambda graph: graph, failed)
    if tree:
        from aifgraph.cli.tree import tree_lines

        lines = [line for graph in graphs for line in ("", graph.name, *tree_lines(graph))]
        if lines:
            output.write_lines(lines[1:] if is_corpus(file) and name is None else lines[2:])
        return failures(failed)
    counts = CorpusCounts(name or Path(file).name)
    for graph in graphs:
        counts.add(graph)
    if counts.maps:
        output.write(counts.short_tables(), every=counts.tables, csv=counts.tables(), data=counts.to_dict)
    return failures(failed)


def _show_result(file: str, output: Output) -> int:
    from aifgraph.cli.comparing import write_corpora
    from aifgraph.comparison.result import PairResult
    from aifgraph.evaluation.result import read_stored

    result = read_stored(Path(file))
    if isinstance(result, PairResult):
        output.write_result(result, result.tables)
    else:
        write_corpora(result, output)
    return 0


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--profile", type=click.Choice(["aif", "iat", "xaif"]), default="aif", help="Rules to check.")
@click.option("--select", multiple=True, metavar="CODES", help="Check only these rules: E, E2, E202 or a name.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave out these rules.")
@click.option("--fix", type=options.PATH, metavar="OUT", help="Repair the maps, write them and check them.")
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def check(files: Any, profile: str, select: Any, ignore: Any, fix: Path | None, jobs: int, output: Output) -> int:
    """Check maps and corpora against the rules of AIF.

    The exit code is 1 if a map has an error (E), but not for warnings (W) and
    notes (N). --fix repairs errors that need no decision: it puts an inference
    between propositions that an edge joins directly, removes incomplete scheme
    nodes, and lists every change. Add --select i-duplicate to merge
    propositions of the same text.

    \b
    Examples:
      aifgraph check map.json
      aifgraph check corpus.zip --profile iat --select E -o findings.csv
      aifgraph check map.json --fix repaired.json
    """
    from aifgraph.corpus import write_corpus
    from aifgraph.corpus.containers import is_corpus
    from aifgraph.formats import dump
    from aifgraph.tables import Table

    check_target("fix")
    rules = {"profile": profile, "select": select or None, "ignore": ignore or None}
    failed: list[tuple[str, str]] = []
    checked = list(inputs.over_maps(files, partial(_check, rules=rules, fix=fix is not None), failed, jobs, False))
    if not checked:
        return failures(failed)
    several = len(files) > 1 or is_corpus(files[0])
    maps = [findings for findings, *_ in checked]
    rows = [(of.name, finding.code, finding.message) for of in maps for finding in of]
    found, summary = Table("", ("map", "code", "finding"), rows), _codes(maps, len(failed))
    csv = replace(maps[0].tables_for("csv")[0][0], rows=[row for of in maps for row in of.tables_for("csv")[0][0].rows])
    tables = [summary if several or not rows else found]
    every = [found, summary]
    if fix is not None:
        repaired = [graph for _, graph, _ in checked]
        if several:
            failed += write_corpus(repaired, str(fix)).failed
        else:
            dump(repaired[0], str(fix))
        changes = [(of.name, change.kind, change.message) for of, _, changes in checked for change in changes]
        every.insert(0, Table(f"Repaired in {fix}", ("map", "kind", "change"), changes))
        counts = Counter(kind for _, kind, _ in changes).most_common()
        tables.insert(0, Table(f"Repaired in {fix}", ("kind", "changes"), counts) if several else every[0])
    output.write(tables, every=lambda: every, csv=[csv], data=lambda: _all_findings(maps, failed))
    return failures(failed) or (0 if all(of.ok for of in maps) else 1)


def _codes(maps: Sequence[Findings], unread: int) -> Table:
    """Return one row a code: how often it was found, and in how many maps."""
    from aifgraph.graph.rules import all_rules
    from aifgraph.tables import Table

    times = sum((of.counts() for of in maps), Counter[str]())
    within = Counter(code for of in maps for code in of.counts())
    rules = {str(rule.number): rule for rule in all_rules()}
    codes = sorted(times, key=lambda code: ("EWN".index(code[0]), code))
    rows = [(code, (rule := rules[code[1:]]).name, times[code], within[code], rule.text) for code in codes]
    clean = sum(of.ok for of in maps)
    title = f"{quantity(len(maps), 'maps')}, {clean} without errors{f', {unread} not readable' if unread else ''}"
    return Table(title, ("code", "rule", "findings", "maps", "text"), rows)


def _all_findings(maps: Sequence[Findings], failed: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return all findings as plain values, their sums, and what could not be read."""
    from aifgraph.version import __version__

    levels = Counter(finding.level for of in maps for finding in of)
    summary = {
        "maps": len(maps),
        "without_errors": sum(of.ok for of in maps),
        **{f"{level}s": levels[level] for level in ("error", "warning", "note")},
        "codes": dict(sorted(sum((of.counts() for of in maps), Counter[str]()).items())),
    }
    unread = [{"name": name, "error": error} for name, error in failed]
    return {"aifgraph": __version__, "maps": [of.to_dict() for of in maps], "summary": summary, "failed": unread}


def _check(graph: ArgumentGraph, *, rules: dict[str, Any], fix: bool) -> tuple[Findings, ArgumentGraph, Iterable[Any]]:
    """Return the findings of a map, the map, and what was repaired before."""
    from aifgraph.graph.edit import repair
    from aifgraph.graph.rules import validate

    repaired: ArgumentGraph = graph
    repairs: Iterable[Any] = ()
    if fix:
        found = {item.code[1:] for item in validate(graph, **rules) if item.level == "error" or rules["select"]}
        steps = {step: number in found for step, number in _STEPS.items()}
        repaired, repairs = repair(graph, analysts=False, schemes=False, **steps)
    return validate(repaired, **rules), repaired.with_name(graph.name), repairs


#: The steps of a repair, and the rules that ask for them where they are broken.
_STEPS: Final = {"direct": "111", "duplicates": "404", "orphans": "201"}


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_format", metavar="FORMAT", help="Format of IN, if it is not recognised.")
@click.option("--to", "to_format", metavar="FORMAT", help="Format of OUT, if its suffix does not name it.")
@click.option("--dataset", metavar="NAME", help="Read IN as this published data set: iac1, essays …")
@click.option("--set", "assignments", multiple=True, metavar="KEY=VALUE", help="Option of the format or data set.")
def convert(source: str, target: str, dataset: str | None, assignments: Any, **formats: Any) -> int:
    """Convert a map, a corpus or a data set.

    IN is a map, "-" (standard input) or a corpus (a folder, an archive or JSON
    lines). OUT is a file or "-"; for a corpus, it is a new folder, .zip or
    .jsonl. aifgraph leaves out what the format of OUT cannot hold.

    \b
    Examples:
      aifgraph convert map.json map.ttl
      aifgraph convert corpus.zip out/ --to xaif
      aifgraph convert --dataset iac1 iac-v1/ maps/ --set agree=0.5
    """
    from aifgraph.corpus import write_corpus
    from aifgraph.corpus.containers import is_corpus
    from aifgraph.formats import dump, load
    from aifgraph.formats.registry import READING_OPTIONS

    check_target("target")
    keys = dict(_assigned(text) for text in assignments)
    if dataset is not None:
        return _convert_dataset(dataset, source, target, keys)
    try:
        if not is_corpus(source):
            reading = {key: value for key, value in keys.items() if key in READING_OPTIONS}
            writing = {key: value for key, value in keys.items() if key not in reading}
            graph = load(source, format=formats["from_format"], **reading)
            notices(graph.notices)
            dump(graph, target, format=formats["to_format"], **writing)
            return 0
        corpus = inputs.open_corpus(source)
        with progress("converting") as moved:
            done = write_corpus(corpus, target, options=keys, progress=_bar(moved, len(corpus)), **formats)
    except TypeError as error:  # of an option that the format has not
        if not keys:
            raise
        raise click.UsageError(f"--set: {error}") from error
    say(f"{target}: {quantity(done.written, 'maps')}")
    lost = done.went_in - done.came_out
    if lost:
        say(f"left out: {', '.join(f'{count} {what}' for what, count in lost.most_common())}")
    return failures(done.failed)


def _convert_dataset(name: str, source: str, target: str, keys: dict[str, Any]) -> int:
    from aifgraph.corpus import write_corpus
    from aifgraph.datasets import Log, read_dataset

    log = Log(strict=keys.pop("strict", False))
    _check_options(name, keys)
    maps = read_dataset(name, source, log=log, **keys)
    with progress(f"converting {name}") as moved:
        done = write_corpus(maps, target, progress=_bar(moved, 0))
    notices(log.problems)
    counts = [f"{number} {what}" for what, number in log.counts.items() if what != "maps"]
    say(f"{target}: {', '.join([quantity(done.written, 'maps'), *counts[:20]])}")
    return failures(done.failed)


def _bar(moved: Callable[[int, int], None] | None, total: int) -> Callable[[int], None] | None:
    return (lambda done: moved(done, total)) if moved else None


def _check_options(name: str, keys: dict[str, Any]) -> None:
    """Raise ``OptionError`` for an option that the data set does not have, and for a value of another kind."""
    from inspect import signature

    from aifgraph.datasets import dataset_reader
    from aifgraph.errors import OptionError, choose_from

    parameters = signature(dataset_reader(name)).parameters.values()
    defaults = {of.name: of.default for of in parameters if of.kind is of.KEYWORD_ONLY}
    for key, value in keys.items():
        if key not in defaults:
            raise OptionError(f"{name} has no option {key}", remedy=choose_from([*defaults, "strict"]))
        number = isinstance(defaults[key], float)
        if not isinstance(value, (int, float) if number else str):
            raise OptionError(f"{key} is {value!r}", remedy=f"give a {'number' if number else 'text'}")


def _assigned(text: str) -> tuple[str, Any]:
    """Return the key and the value of KEY=VALUE: a number, true or false, or a text."""
    import json

    key, equals, word = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set {text}: write KEY=VALUE")
    try:
        return key, json.loads(word)
    except ValueError:
        return key, word


@click.command()
@click.argument("file")
@click.argument("other", required=False)
@click.option("--view", type=click.Choice(["argument", "dialogue"]), default="argument", help="Part of a map to draw.")
@click.option("--matrix", metavar="CALCULATION", help="Draw a confusion matrix of the two maps or of a result.")
@options.output("svg", "png", "pdf", details=False)
def draw(file: str, other: str | None, view: Any, matrix: str | None, output: Output) -> int:
    """Draw a map, two compared maps, or a result.

    Of two maps, nodes that only the first has are dashed, and nodes that only
    the second has are dotted. For a result of two corpora, draw the scores with
    their intervals.

    \b
    Examples:
      aifgraph draw map.json -o map.svg
      aifgraph draw ann.json ben.json -o both.pdf
      aifgraph draw ann.json ben.json --matrix transitions -o matrix.svg
      aifgraph draw result.jsonl -o intervals.svg
    """
    from aifgraph.comparison import Comparison, PairResult, compare
    from aifgraph.errors import OptionError, choose_from
    from aifgraph.evaluation.result import read_stored
    from aifgraph.formats import load
    from aifgraph.report import plots
    from aifgraph.report.pictures import draw as draw_map

    drawn: Any = read_stored(Path(file)) if inputs.is_result(file) else load(file)
    if other is not None:
        drawn = compare(drawn, load(other))
    if matrix is not None:
        if not isinstance(drawn, Comparison | PairResult):
            raise click.UsageError("--matrix needs two maps or the result of two maps")
        if matrix not in drawn.calculations:
            raise OptionError(f"there is no calculation {matrix!r}", remedy=choose_from(drawn.calculations))
        picture: str | bytes = plots.heatmap(drawn.calculations[matrix].matrix, title=matrix, format=output.format)
    elif isinstance(drawn, PairResult):
        raise click.UsageError("the result of two maps can only be drawn with --matrix CALCULATION")
    elif inputs.is_result(file):
        picture = plots.intervals(drawn, format=output.format)
    else:
        picture = draw_map(drawn, format=output.format, view=view)
    output.write_text(picture)
    return 0
