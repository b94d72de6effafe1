"""``show``, ``check``, ``convert`` and ``draw``: one map, or the maps of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings

import click

from aifgraph.cli import inputs, options
from aifgraph.cli.output import Output, check_target, failures, is_forced, notices, print_status, progress
from aifgraph.printable import pluralize

if TYPE_CHECKING:
    from aifgraph.corpus import Corpus
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
    speaker, and who replies to, supports and attacks whom; --details adds all
    rows. For a result of compare (.json or .jsonl), show what compare printed.

    \b
    Examples:
      aifgraph show map.json --tree
      aifgraph show corpus.zip -o statistics.tex
      aifgraph show corpus.zip --map nodeset17940
      aifgraph show result.json --format markdown
    """
    from aifgraph.corpus import CorpusCounts
    from aifgraph.files import is_corpus
    from aifgraph.graph.walk import tree_lines

    if inputs.is_result(file):
        return _show_result(file, output)
    failed: list[tuple[str, str]] = []
    graphs: Iterable[ArgumentGraph]
    if name is not None:
        graphs = [inputs.open_corpus(file)[name].load()]
    else:
        graphs = inputs.over_maps([file], lambda graph: graph, failed)
    if tree:
        lines = [line for graph in graphs for line in ("", graph.name, *tree_lines(graph))]
        if lines:
            output.write_lines(lines[1:] if is_corpus(file) and name is None else lines[2:])
        return failures(failed)
    counts = CorpusCounts(name or Path(file).name)
    for graph in graphs:
        counts.add(graph)
    if counts.maps:
        output.write(counts.tables(every=False), details=counts.tables, csv=counts.tables(), data=counts.to_dict)
    return failures(failed)


def _show_result(file: str, output: Output) -> int:
    from aifgraph.cli.comparing import write_pooled
    from aifgraph.comparison.result import Comparison
    from aifgraph.evaluation.result import read_stored

    result = read_stored(Path(file))
    if isinstance(result, Comparison):
        output.write_result(result, result.tables)
    else:
        write_pooled(result, output)
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
    from aifgraph.files import is_corpus
    from aifgraph.formats import dump
    from aifgraph.graph.rules import findings_table
    from aifgraph.tables import Table
    from aifgraph.version import __version__

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
    tables = [summary if several or not rows else found]
    every = [found, summary]
    if fix is not None:
        repaired = [graph for _, graph, _ in checked]
        if several:
            failed += write_corpus(repaired, str(fix)).failed
        else:
            dump(repaired[0], str(fix), force=is_forced())
        changes = [(of.name, change.code, change.message) for of, _, changes in checked for change in changes]
        repairs = Table(f"Repaired in {fix}", ("map", "kind", "change"), changes)
        kinds = replace(
            repairs, columns=("kind", "changes"), rows=Counter(kind for _, kind, _ in changes).most_common()
        )
        tables, every = [kinds if several else repairs, *tables], [repairs, *every]
    unread = [{"name": name, "error": error} for name, error in failed]
    data = {"aifgraph": __version__, "maps": [of.to_dict() for of in maps], "failed": unread}
    output.write(tables, details=lambda: every, csv=[findings_table(maps)], data=lambda: data)
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
    title = f"{pluralize(len(maps), 'maps')}, {clean} without errors{f', {unread} not readable' if unread else ''}"
    return Table(title, ("code", "rule", "findings", "maps", "text"), rows)


def _check(graph: ArgumentGraph, *, rules: dict[str, Any], fix: bool) -> tuple[Findings, ArgumentGraph, Iterable[Any]]:
    """Return the findings of a map, the map, and what was repaired before."""
    from aifgraph.graph.edit import repair_broken
    from aifgraph.graph.rules import validate

    repaired, repairs = repair_broken(graph, **rules) if fix else (graph, ())
    return validate(repaired, **rules), repaired.with_name(graph.name), repairs


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_format", metavar="FORMAT", help="Format of IN, if it is not recognised.")
@click.option("--to", "to_format", metavar="FORMAT", help="Format of OUT, if its suffix does not name it.")
@click.option("--dataset", metavar="NAME", help="Read IN as this published data set: iac1, essays …")
@click.option("--set", "assignments", multiple=True, metavar="KEY=VALUE", help="Option of the format or data set.")
@options.force
def convert(source: str, target: str, dataset: str | None, assignments: Any, **formats: Any) -> int:
    """Convert a map, a corpus or a data set.

    IN is a map, "-" (standard input) or a corpus (a folder, an archive or JSON
    lines). OUT is a file or "-"; for a corpus, it is a new folder, .zip or
    .jsonl, or the file of one map that joins all maps by the ids of their
    nodes. aifgraph leaves out what the format of OUT cannot hold.

    \b
    Examples:
      aifgraph convert map.json map.ttl
      aifgraph convert corpus.zip out/ --to xaif
      aifgraph convert corpus.zip one.json
      aifgraph convert --dataset iac1 iac-v1/ maps/ --set agree=0.5
    """
    from aifgraph.corpus import write_corpus
    from aifgraph.files import is_corpus
    from aifgraph.formats import READING_OPTIONS, dump, suffixes

    check_target("target")
    if dataset is not None:
        return _convert_dataset(dataset, source, target, assignments)
    keys = dict(map(_assigned, assignments))
    try:
        if not is_corpus(source):
            reading = {key: value for key, value in keys.items() if key in READING_OPTIONS}
            writing = {key: value for key, value in keys.items() if key not in reading}
            graph = inputs.load(source, format=formats["from_format"], **reading)
            notices(graph.notices)
            with catch_warnings(record=True) as left_out:
                dump(graph, target, format=formats["to_format"], force=is_forced(), **writing)
            for warning in left_out:
                print_status(str(warning.message))
            return 0
        corpus = inputs.open_corpus(source)
        if Path(target).suffix.lower() in suffixes("written") and not Path(target).is_dir():
            return _convert_to_one(corpus, target, keys, **formats)
        with progress("converting") as moved:
            done = write_corpus(corpus, target, options=keys, progress=moved, **formats)
    except TypeError as error:
        if not (unknown := [key for key in keys if f"'{key}'" in str(error)]):
            raise
        raise click.UsageError(f"--set: the format has no option {unknown[0]!r}") from None
    print_status(f"{target}: {pluralize(done.written, 'maps')}")
    lost = done.went_in - done.came_out
    if lost:
        print_status(f"left out: {', '.join(f'{count} {what}' for what, count in lost.most_common())}")
    return failures(done.failed)


def _convert_to_one(
    corpus: Corpus, target: str, keys: dict[str, Any], *, from_format: str | None, to_format: str | None
) -> int:
    from aifgraph.corpus import union
    from aifgraph.formats import dump

    joined = union([entry.load(format=from_format) for entry in corpus], name=Path(target).stem)
    notices(joined.notices)
    dump(joined, target, format=to_format, force=is_forced(), **keys)
    print_status(f"{target}: {pluralize(len(corpus), 'maps')} in one, {pluralize(len(joined), 'nodes')}")
    return 0


def _convert_dataset(name: str, source: str, target: str, assignments: Sequence[str]) -> int:
    from inspect import signature

    from aifgraph.corpus import write_corpus
    from aifgraph.datasets import Log, dataset_reader, read_dataset

    parameters = signature(dataset_reader(name)).parameters.values()
    defaults = {of.name: of.default for of in parameters if of.kind is of.KEYWORD_ONLY}
    keys = options.typed(assignments, {**defaults, "strict": False})
    log = Log(strict=keys.pop("strict", False))
    with progress(f"converting {name}") as moved:
        done = write_corpus(read_dataset(name, source, log=log, **keys), target, progress=moved)
    notices(log.problems)
    counts = [f"{number} {what}" for what, number in log.counts.items() if what != "maps"]
    print_status(f"{target}: {', '.join([pluralize(done.written, 'maps'), *counts[:20]])}")
    return failures(done.failed)


def _assigned(text: str) -> tuple[str, Any]:
    """Return the key and the value of KEY=VALUE."""
    key, equals, word = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set {text}: write KEY=VALUE")
    return key, int(word) if word.isdecimal() else word


@click.command()
@click.argument("file")
@click.argument("other", required=False)
@click.option("--view", type=click.Choice(["argument", "dialogue"]), default="argument", help="Part of a map to draw.")
@click.option("--matrix", metavar="CALCULATION", help="Draw a confusion matrix of the two maps or of a result.")
@options.output("svg", "png", "pdf", details=False)
def draw(file: str, other: str | None, view: Any, matrix: str | None, output: Output) -> int:
    """Draw a map, two compared maps, or a result.

    Of two maps, nodes that only the first has are dashed, and nodes that only
    the second has are dotted. For a result of corpora (of compare, evaluate or
    agreement), draw the scores with their intervals.

    \b
    Examples:
      aifgraph draw map.json -o map.svg
      aifgraph draw ann.json ben.json -o both.pdf
      aifgraph draw ann.json ben.json --matrix transitions -o matrix.svg
      aifgraph draw result.jsonl -o intervals.svg
    """
    from aifgraph.comparison import Comparison, compare
    from aifgraph.errors import OptionError, choose_from
    from aifgraph.evaluation.result import read_stored
    from aifgraph.report import plots
    from aifgraph.report.pictures import draw as draw_map

    is_result = inputs.is_result(file)
    if is_result and other is not None:
        raise click.UsageError("a result is drawn alone")
    drawn: Any = (plots.drawable(Path(file)) or read_stored(Path(file))) if is_result else inputs.load(file)
    if other is not None:
        drawn = compare(drawn, inputs.load(other))
    if matrix is not None:
        if not isinstance(drawn, Comparison | plots.Drawable):
            raise click.UsageError("--matrix needs two maps or a result")
        if isinstance(drawn, plots.Drawable):
            matrices = drawn.matrices
        else:
            matrices = {name: of.matrix for name, of in drawn.calculations.items()}
        if matrix not in matrices:
            raise OptionError(f"there is no calculation {matrix!r}", remedy=choose_from(matrices))
        picture: str | bytes = plots.heatmap(matrices[matrix], title=matrix, format=output.format)
    elif isinstance(drawn, Comparison) and drawn.maps is None:
        raise click.UsageError("the result of two maps can only be drawn with --matrix CALCULATION")
    elif isinstance(drawn, plots.Drawable):
        picture = plots.intervals(drawn.values, title=drawn.title, axis=drawn.axis, format=output.format)
    elif is_result:
        picture = plots.intervals(drawn, format=output.format)
    else:
        picture = draw_map(drawn, format=output.format, view=view)
    output.write_text(picture)
    return 0
