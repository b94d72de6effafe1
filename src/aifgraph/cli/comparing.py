"""``compare``, ``differences``, ``merge``, ``evaluate`` and ``agreement``: several analyses of one text, or corpora."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli import inputs, options
from aifgraph.cli.output import Output, check_target, failures, is_forced, notices, print_status, progress
from aifgraph.printable import pluralize

if TYPE_CHECKING:
    from aifgraph.comparison.result import Comparison
    from aifgraph.evaluation.result import PooledResult


@click.command()
@click.argument("first")
@click.argument("second")
@options.source_texts
@options.chance
@options.comparison()
@options.pairing(missing="skip")
@options.names
@options.intervals
@options.jobs
@options.resume
@click.option("--measures", default="", metavar="NAMES", help="Further measures, joined by +, or all.")
@options.output("text", "json", "csv", "latex", "markdown", "html")
def compare(first: str, second: str, settings: options.Settings, output: Output, measures: str, **how: Any) -> int:
    """Compare two maps or two corpora with CASS.

    FIRST and SECOND are two maps or two corpora (folders, archives, JSON lines).
    For two corpora, --format html writes a folder of pages; --format csv writes
    a row for each number or, with --details, for each pair.

    \b
    Examples:
      aifgraph compare ann.json ben.json --set matching=optimal
      aifgraph compare ann/ ben.zip --pair-by text --intervals -o scores.csv
    """
    if not inputs.are_corpora(first, second):
        compared = _compare(first, second, settings, measures=measures)
        if output.format == "html":
            output.write_text(compared.to_html())
        else:
            output.write_result(compared, compared.tables)
        return 0
    return _compare_corpora(first, second, settings, output, measures, **how)


def _compare_corpora(
    first: str, second: str, settings: options.Settings, output: Output, measures: str, intervals: bool, resume: Any
) -> int:
    from aifgraph.evaluation.run import compare_corpora

    compare_both: Any = compare_corpora
    folder = output.path if output.format == "html" else None
    if output.format == "html" and (folder is None or folder.suffix == ".html"):
        raise click.UsageError("two corpora make a folder of pages; give -o FOLDER")
    if folder:
        from aifgraph.report.corpus_page import check_folder, write_pages  # slow to import

        compare_both = partial(write_pages, check_folder(folder), bootstrap=settings.bootstrap)
    both = inputs.open_both(first, second)
    how = settings.corpora | {"options": settings.options, "measures": measures}
    with progress("comparing") as moved:
        result = compare_both(*both, results=resume, resume=resume is not None, progress=moved, **how)
    notices(result.notices)
    if folder is None:
        write_pooled(result.with_intervals(settings.bootstrap) if intervals else result, output)
    return failures([*result.failed.items()])


def _compare(first: str, second: str, settings: options.Settings, **more: Any) -> Comparison:
    """Compare two maps and show the notices of reading them."""
    from aifgraph.comparison import compare

    how: Any = {**settings.texts, "names": settings.corpora.get("names"), "options": settings.options}
    result = compare(inputs.load(first), inputs.load(second), **how, **more)
    notices(result.notices)
    return result


def write_pooled(result: PooledResult, output: Output) -> None:
    """Write the result of corpora; in CSV, details are a row for each pair or text."""
    if output.details and output.format == "csv":
        output.write([result.finest_table()])
    else:
        output.write_result(result, result.details, whole=True)


@click.command()
@click.argument("first")
@click.argument("second")
@options.source_texts
@options.comparison()
@options.pairing()
@options.names
@options.jobs
@click.option("--exit-code", is_flag=True, help="Exit with 1 if there are differences.")
@options.output("text", "tsv", "csv", "json", "latex", "markdown", "html")
def differences(first: str, second: str, settings: options.Settings, exit_code: bool, output: Output) -> int:
    """List the differences of two analyses or two corpora.

    The costliest differences come first; the cost of a difference is the number
    of labels that differ by it. Write a TSV file to decide on each difference,
    and give it to merge --decisions.

    \b
    Examples:
      aifgraph differences ann.json ben.json
      aifgraph differences ann/ ben/ --pair-by text -o decisions.tsv
    """
    from aifgraph.adjudication import PairedDifferences, corpus_differences
    from aifgraph.adjudication.decisions import refuse_filled_in

    if output.format == "tsv" and output.path and not is_forced():
        refuse_filled_in(output.path)
    if inputs.are_corpora(first, second):
        with progress("comparing") as moved:
            both = inputs.open_both(first, second)
            found = corpus_differences(*both, progress=moved, options=settings.options, **settings.corpora)
        notices(found.notices)
    else:
        pair = {Path(first).stem: _compare(first, second, settings).differences()}
        found = PairedDifferences(pair, failed={}, corpora=False)
    if output.format == "tsv":
        output.write_text(found.to_tsv())
    elif output.format == "text":
        output.write_text("\n".join(found.lines(output.width, output.most)))
    else:
        tables, signature = found.tables_for(output.format)
        output.write(tables, data=found.to_data, signature=signature)
    return failures([*found.failed.items()]) or (1 if exit_code and found else 0)


@click.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "-o", "--output", "target", required=True, metavar="GOLD", help="File of the merged map; for corpora a new folder."
)
@click.option(
    "--decisions", type=options.PATH, metavar="FILE.tsv", help="File of decisions, or a folder of such files."
)
@click.option("--prefer", type=click.Choice(["first", "second"]), help="Side to take if a row has no decision.")
@options.force
@options.source_texts
@options.comparison()
@options.pairing()
def merge(first: str, second: str, target: str, settings: options.Settings, decisions: Path | None, prefer: Any) -> int:
    """Merge two analyses into one map.

    A file of decisions, or --prefer, says which side is right in each
    difference. Other differences stay open: the map has the nodes of both sides
    and marks them. For two corpora, every pair is merged.

    \b
    Examples:
      aifgraph differences ann.json ben.json -o decisions.tsv
      aifgraph merge ann.json ben.json --decisions decisions.tsv -o gold.json
      aifgraph merge ann/ ben/ --prefer first -o gold/
    """
    from aifgraph.adjudication import merge_corpora
    from aifgraph.adjudication.merge import merge_compared
    from aifgraph.formats import dump

    check_target("target")
    if not inputs.are_corpora(first, second):
        merged = merge_compared(_compare(first, second, settings), decisions, prefer)
        dump(merged.graph, target, force=is_forced())
        notices(merged.caveats)
        counts = pluralize(len(merged.graph), "nodes"), pluralize(len(merged.differences), "differences")
        print_status(f"{target}: {', '.join(counts)}, {len(merged.open)} open")
        return 0
    both = inputs.open_both(first, second)
    how: Any = settings.corpora | {"decisions": decisions, "prefer": prefer, "options": settings.options}
    with progress("merging") as moved:
        done = merge_corpora(*both, target, progress=moved, **how)
    notices(done.caveats)
    rows, still_open = sum(pair.differences for pair in done.pairs), sum(len(pair.open) for pair in done.pairs)
    print_status(f"{target}: {pluralize(len(done.pairs), 'maps')}, {pluralize(rows, 'differences')}, {still_open} open")
    return failures(done.failed)


_SCORE = "Score to test, for example ER-kappa; the first ranks.  [default: argument M-kappa, CASS-kappa]"


@click.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--score", "scores", multiple=True, metavar="NAME", help=_SCORE)
@click.option("--baselines", default="units+chain+star", show_default=True, help="Baselines to add, or none.")
@click.option("--against", metavar="NAME", help="System or baseline to test all systems against.")
@options.comparison(reference="first")
@options.pairing(missing="zero")
@options.names
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def evaluate(gold: str, systems: Any, scores: Any, settings: options.Settings, output: Output, **more: Any) -> int:
    """Evaluate systems against a gold corpus.

    The output has mean scores with intervals, for systems and baselines, and
    paired tests: of every two of up to four systems, or of all with one
    (--against), and of each system with the best baseline. --details adds all texts,
    labels and numbers; with --format csv it writes a row for each text.

    \b
    Examples:
      aifgraph evaluate gold/ system1/ system2/
      aifgraph evaluate gold.zip system.zip --score ER-κ -o table.tex
    """
    from aifgraph.evaluation.evaluate import SCORES, evaluate

    how: Any = settings.corpora | {"options": settings.options, "bootstrap": settings.bootstrap}
    how |= {"scores": scores or SCORES, "test_rounds": settings.test_rounds, "against": more["against"]}
    how["baselines"] = more["baselines"].split("+") if more["baselines"] != "none" else ()
    with progress("comparing") as moved:
        result = evaluate(gold, systems, progress=moved, reference=settings.options.reference, **how)
    notices(result.notices)
    for name, lacking in result.missing.items():
        notices(f"{name} lacks {text}" for text in lacking)
    write_pooled(result, output)
    errors = [*result.unreadable.items(), *result.failed.items()]
    return failures([(f"{name}: {pair}", why) for name, pairs in errors for pair, why in pairs.items()])


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@options.comparison()
@options.intervals
@options.pairing()
@options.names
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def agreement(corpora: Any, intervals: bool, settings: options.Settings, output: Output) -> int:
    """Measure the agreement of two or more annotators.

    The output has the scores of every two annotators, and Krippendorff's alpha
    and Fleiss' kappa of all annotators. --details adds all numbers. CORPORA are
    one corpus for each annotator; an annotator can lack some texts.

    \b
    Examples:
      aifgraph agreement ann/ ben/ cleo/
      aifgraph agreement ann/ ben/ --intervals -o agreement.tex
    """
    from aifgraph.evaluation.agreement import agreement

    how: Any = settings.corpora | {"options": settings.options}
    with progress("comparing") as moved:
        result = agreement(corpora, bootstrap=settings.bootstrap if intervals else None, progress=moved, **how)
    notices(result.notices)
    write_pooled(result, output)
    return failures([*result.failed.items()])
