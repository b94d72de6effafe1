"""``aifgraph compare``: two maps, or two corpora."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import (
    are_corpora,
    interval_options,
    names_option,
    output_options,
    pairing_options,
    plot_option,
    result_options,
    rounds_option,
    worker_options,
    workers_from,
)
from aifgraph.cli.present import bar, draw, present, put, put_parts, rendered, warn
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.stats.scores import SCORES
from aifgraph.tables import FORMATS, Table

if TYPE_CHECKING:
    from aifgraph.comparison.cass import Scores
    from aifgraph.comparison.chance import Chance
    from aifgraph.comparison.options import Options
    from aifgraph.comparison.stored_comparison import StoredComparison
    from aifgraph.corpus.corpus import Corpus
    from aifgraph.evaluation.corpus_comparison import CorpusComparison
    from aifgraph.evaluation.intervals import Intervals
    from aifgraph.evaluation.paper import PaperStyle
    from aifgraph.evaluation.perturbation import NoiseFloor
    from aifgraph.evaluation.workers import Workers
    from aifgraph.graph import SourceText
    from aifgraph.report.html import CorpusPages

#: What to paste into a paper, in its styles.
PAPER: dict[str, PaperStyle] = {"paper": "text", "paper-latex": "latex", "paper-markdown": "markdown"}

#: Suffixes that no folder has by intention.
_FILES = (".html", ".htm", ".json", ".csv", ".txt", ".md", ".tex", ".pdf", ".zip")

#: What gives an output of its own.
_OWN_OUTPUT = ("only", "items", "intervals")

#: Warnings of a corpus's pairs that are shown; the others are counted.
_WARNINGS = 20


@click.command()
@click.argument("first")
@click.argument("second")
@pairing_options
@click.option(
    "--missing",
    type=click.Choice(["skip", "zero"]),
    default="skip",
    show_default=True,
    help="Corpora: what a text counts that only one side has.",
)
@click.option("--first-text", type=click.Path(path_type=Path), metavar="FILE", help="Source text of the first map.")
@click.option("--second-text", type=click.Path(path_type=Path), metavar="FILE", help="Source text of the second map.")
@names_option
@click.option("--only", type=click.Choice(["cass"]), help="Just the CASS scores.")
@click.option(
    "--metrics",
    default="",
    metavar="NAMES|all",
    help="Measures other than CASS, joined by + (`aifgraph metrics` lists them); dialam stands for all of dialam_….",
)
@click.option("--items", is_flag=True, help="JSON: list the items behind every cell of every matrix.")
@click.option(
    "--against",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="RESULT.json",
    help="What changed since an earlier result, and why; exit code 1 where a number did.",
)
@click.option("--intervals", is_flag=True, help="Corpora: bootstrap intervals over texts, of every score.")
@rounds_option
@interval_options
@plot_option
@click.option(
    "--sort",
    type=click.Choice(["none", *SCORES]),
    default="none",
    show_default=True,
    help="Corpora: order of the pairs: as they come, or by CASS of a score, the lowest first (equal ones by M).",
)
@click.option("--force", is_flag=True, help="Corpora, html: replace the pages of an earlier result.")
@click.option("--top", type=click.IntRange(0), default=None, metavar="N", help="Corpora: show so many pairs.")
@worker_options
@result_options
@compare_options
@output_options((*FORMATS, "html", *PAPER), folder=True)
def compare(first: str, second: str, format_: str, output: Path | None, **given: Any) -> int:
    """How far two analyses of one text agree (CASS), or two corpora of them.

    FIRST and SECOND are two maps, or two corpora (folders, zip or tar archives, JSON lines).

    \b
    Examples:
      aifgraph compare ann.json ben.json
      aifgraph compare ann.json ben.json --first-text debate.txt --format json -o result.json
      aifgraph compare annotator1/ annotator2.zip --format csv -o scores.csv
      aifgraph compare ann.json ben.json --format html -o report.html
      aifgraph compare annotator1/ annotator2/ --format html -o pages
      aifgraph compare annotator1/ annotator2/ --format paper-latex -o agreement.tex
      aifgraph compare ann.json ben.json --against result.json
      aifgraph compare maps/ maps/ --pairs pairs.tsv --only cass
      aifgraph compare gold.zip system.zip --jobs -1 --results pairs.jsonl --resume
    """
    from aifgraph.comparison.compare import compare as compare_graphs
    from aifgraph.comparison.measures.registry import measure_all, measure_tables, measures_named
    from aifgraph.comparison.side_names import checked_names
    from aifgraph.evaluation.graph_lists import corpora_of
    from aifgraph.evaluation.paper import pair_paper
    from aifgraph.evaluation.stored_corpus import read_stored
    from aifgraph.evaluation.workers import Workers
    from aifgraph.formats import load

    options = options_from(given)
    if given["names"]:
        checked_names(*given["names"])
    given["metrics"] = measures_named(filter(None, (name.strip() for name in given["metrics"].split("+"))))
    workers = workers_from(given)
    pairs = given["pairs"] or given["pair_by"]
    corpora = are_corpora(first, second)
    if output is not None and output.is_dir() and (format_ != "html" or not corpora):
        raise OptionError("is a folder", where=str(output), remedy="name a file")
    if given["items"] and (format_ != "json" or given["only"]):
        raise OptionError("items are listed in JSON", remedy="add --format json, without --only")
    if format_ in PAPER and (given["only"] or given["metrics"]):
        raise OptionError("the paragraph for a paper is of CASS", remedy="leave out --only and --metrics")
    if given["against"] and (format_ in (*PAPER, "html") or any(map(given.get, _OWN_OUTPUT))):
        alone = ", ".join(f"--{name}" for name in _OWN_OUTPUT)
        raise OptionError("changes are tables of their own", remedy=f"leave out {alone}, html and paper")
    earlier = read_stored(given["against"]) if given["against"] else None
    if corpora:
        if given["first_text"] or given["second_text"]:
            raise OptionError("texts are given for two maps only", remedy="in a corpus, put NAME.txt next to NAME.json")
        return _corpora(first, second, pairs, given, options, workers, format_, output, earlier)
    if given["results"] or given["resume"] or workers != Workers():
        raise OptionError("jobs and results are for corpora", where=first, remedy="give two folders or archives")
    if pairs != "name":
        raise OptionError("pairs are for corpora", where=first, remedy="give two folders or archives")
    if given["intervals"] or given["plot"] is not None:
        raise OptionError(
            "intervals are over texts, and this is one pair", where=first, remedy="give two folders or archives"
        )
    if first == second == "-":
        raise OptionError("standard input can be read only once", remedy="give at least one file")
    texts = [_text(given[name]) for name in ("first_text", "second_text")]
    result = compare_graphs(load(first), load(second), first_text=texts[0], second_text=texts[1], options=options)
    if given["names"]:
        result = result.named(*given["names"])
    warn(result.warnings)
    measures = measure_all(result.alignment, given["metrics"])
    if earlier:
        return _changes(earlier, {**result.to_dict(), "measures": measures}, format_, output)
    if given["only"]:
        layers: dict[str, Scores] = {layer: scores.cass for layer, scores in result.layers.items()}
        put(_only_cass(result.cass, layers, result.chance, result.signature, format_), output)
    elif format_ in PAPER:
        graphs, _, folder = corpora_of([result.first], [result.second], in_order=True)
        put(pair_paper(result, _noise(graphs, options)).written(PAPER[format_]), output)
        del folder  # the graphs are in it until here
    elif format_ == "html":
        put(result.to_html(), output)
    else:
        tables = [result.score_table()] if format_ == "csv" else [*result.tables(), *measure_tables(measures)]
        more = {
            **({"measures": measures} if measures else {}),
            **({"items": result.items()} if given["items"] else {}),
        }
        present(result, tables, format_, output, signature=result.signature, headline=result.headline, more=more)
    return 0


def _changes(
    earlier: StoredComparison | CorpusComparison, now: Mapping[str, Any], format_: str, output: Path | None
) -> int:
    """What changed since an earlier result, and why; 1 where a number did."""
    from aifgraph.comparison.result_changes import ResultChanges

    changes = ResultChanges.between(earlier.to_dict(), now)
    before, after = changes.signatures
    lines = f"now    {after}" if before == after else f"before {before}\nnow    {after}"
    present(changes, changes.tables(), format_, output, signature=lines, headline=changes.headline)
    return 1 if changes.numbers else 0


def _only_cass(cass: Scores, layers: Mapping[str, Scores], chance: Chance | None, signature: str, format_: str) -> str:
    """The CASS scores alone, of the whole and of each layer, and of what is above chance."""
    if format_ == "json":
        against = {"chance": chance.to_dict()} if chance else {}
        data = {"signature": signature, "cass": cass, "layers": layers, **against}
        return json.dumps(data, ensure_ascii=False, indent=1)
    above = [(f"{layer} above chance", over.cass) for layer, over in chance.over.items()] if chance else []
    columns = [("all", cass), *layers.items(), *above]
    rows = [[name, *(scores[name] for _, scores in columns)] for name in SCORES]
    note = signature if format_ in ("text", "markdown") else ""
    return rendered(Table("CASS", ("score", *(title for title, _ in columns)), rows, note=note), format_)


def _corpora(
    first: str,
    second: str,
    pairs: str | Path,
    given: dict[str, Any],
    options: Options,
    workers: Workers,
    format_: str,
    output: Path | None,
    earlier: StoredComparison | CorpusComparison | None,
) -> int:
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.compare_corpora import compare_corpora
    from aifgraph.evaluation.paper import corpus_paper

    one = open_corpus(first)
    other = one if Path(first) == Path(second) else open_corpus(second)
    pages = _pages(output, given["force"], given["names"]) if format_ == "html" and not given["only"] else None
    with bar("comparing") as progress:
        result = compare_corpora(
            one,
            other,
            pair_by=pairs,
            missing=given["missing"],
            options=options,
            details=earlier is not None or (format_ == "json" and not given["only"]),
            items=given["items"],
            workers=workers,
            measures=given["metrics"],
            results=given["results"],
            resume=given["resume"],
            progress=progress,
            each=pages.each if pages else None,
        )
    warn(result.notices)
    warn(f"{name}: not compared: {error}" for name, error in result.failed)
    alone = min(map(len, result.unpaired))
    if pairs == "name" and not result.one_corpus and alone > len(result.pairs):
        # AIFdb numbers each analysis anew: equal names may be few, and be of the very same map.
        what = f"{len(result.pairs)} pairs by name, and at least {alone} maps without a partner on each side"
        warn([f"{what}; to pair maps of the same text, add --pair-by text"])
    _warn_of_pairs(result)
    if earlier:
        return 2 if result.failed else _changes(earlier, result.to_dict(), format_, output)
    intervals = None
    if (given["intervals"] or format_ in PAPER) and (len(result.pairs) or given["missing"] == "zero"):
        chosen = {name: given[name] for name in ("rounds", "level", "method")}
        intervals = result.intervals(seed=options.seed, **chosen)
        _draw_intervals(given["plot"], intervals)
    elif given["plot"] is not None and not pages:
        raise OptionError("there is no picture without intervals", remedy="add --intervals, or use aifgraph draw")
    if pages:
        pages.index(result, intervals)
        return 2 if result.failed else 0
    if format_ in PAPER:
        if intervals is None:
            raise InputError("no pair could be compared", where=f"{first}, {second}")
        compared = one.only(dict.fromkeys(pair.names.first for pair in result.pairs))
        put(corpus_paper(result, intervals, _noise(compared, options)).written(PAPER[format_]), output)
        return 2 if result.failed else 0
    if given["only"]:
        macro = result.macro
        put(_only_cass(macro.cass, macro.cass_dict()["layers"], macro.chance, result.signature, format_), output)
        return 2 if result.failed else 0
    sort, top = given["sort"], given["top"]
    if format_ == "json":
        put_parts(result.json_parts({"intervals": intervals.to_dict()} if intervals else {}), output)
    else:
        csv = format_ == "csv"
        tables = [result.score_table(sort, top)] if csv else result.tables(sort, top, intervals=intervals)
        line = result.signature + (f"|{intervals.signature}" if intervals else "")
        present(result, tables, format_, output, signature=line)
    return 2 if result.failed else 0


def _noise(maps: Corpus, options: Options) -> NoiseFloor:
    """The noise floor that a paper reports: a fifth of units, relations and illocutions changed."""
    from aifgraph.evaluation.perturbation import noise_floor

    return noise_floor(maps, (0.2,), ("all",), seed=options.seed, options=options.changed(chance=None))


def _warn_of_pairs(result: CorpusComparison) -> None:
    """The warnings of the pairs, those of the first pairs in full."""
    if not result.warning_count:
        return
    lines = (f"{pair.name}: {message}" for pair in result.pairs for message in pair.warnings)
    warn(islice(lines, _WARNINGS))
    if (more := result.warning_count - _WARNINGS) > 0:
        warn([f"and {more} more warnings of pairs (--format json and html list all of them)"])


def _draw_intervals(plot: Path | None, intervals: Intervals) -> None:
    if plot is not None:
        from aifgraph.report.plots import intervals as picture

        (table,) = intervals.tables()
        values = {f"{of} {pooled} {layer}": (value, low, high) for pooled, layer, of, value, low, high in table.rows}
        draw(plot, picture, values, title=f"{intervals.level:.0%} intervals over texts", axis="CASS, 0 to 1")


def _pages(output: Path | None, force: bool, names: tuple[str, str] | None) -> CorpusPages:
    from aifgraph.report.html import CorpusPages

    if output is None or str(output) == "-":
        raise OptionError("the pages of a corpus are a folder", remedy="name it with -o FOLDER")
    if output.suffix.lower() in _FILES and not output.exists():
        remedy = f"name a folder, such as {output.with_suffix('').name}"
        raise OptionError("the pages of a corpus are a folder, and this names a file", where=str(output), remedy=remedy)
    return CorpusPages(output, force=force, names=names)


def _text(path: Path | None) -> SourceText | None:
    from aifgraph.formats.files import decode_source, read_bytes
    from aifgraph.graph import SourceText

    if path is None:
        return None
    data = read_bytes(path)
    if b"\0" in data:
        raise FormatError("binary data where a text was expected", where=str(path), remedy="give a text in UTF-8")
    text, notice = decode_source(data, str(path))
    if notice:
        warn([notice])
    return SourceText(text, "given")
