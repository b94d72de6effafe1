"""``aifgraph compare``: two maps, or two corpora."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from aifgraph.cli.command import option, part, short_help
from aifgraph.cli.options import (
    NO_FOLDER,
    PATH,
    IntervalOptions,
    TwoSides,
    WorkerOptions,
    compare_options,
    map_at,
    names_in,
    plot_option,
    warn_of_compared,
)
from aifgraph.cli.output import Destination, Output, destination, plot
from aifgraph.cli.terminal import bar, warn
from aifgraph.errors import FormatError, OptionError
from aifgraph.printable import quantity
from aifgraph.tables import FORMATS, Table

if TYPE_CHECKING:
    from aifgraph.comparison.cass import Scores
    from aifgraph.comparison.chance import Chance
    from aifgraph.comparison.options import Options
    from aifgraph.comparison.result import PairResult
    from aifgraph.evaluation.corpus_result import CorpusComparison
    from aifgraph.graph import SourceText
    from aifgraph.report.html import CorpusPages
    from aifgraph.tables import PaperStyle

#: What to paste into a paper, in its styles.
PAPER: dict[str, PaperStyle] = {"paper": "text", "paper-latex": "latex", "paper-markdown": "markdown"}

#: Suffixes that hardly any folder has.
_FILES = (".html", ".htm", ".json", ".csv", ".txt", ".md", ".tex", ".pdf", ".zip")

#: Warnings of a corpus's pairs that are shown; the others are counted.
_MAX_WARNINGS = 20


@dataclass(frozen=True, kw_only=True)
class Compare(TwoSides):
    """How far two analyses, or two corpora, agree (CASS).

    FIRST and SECOND are two maps, or two corpora (folders, zip or tar archives, JSON lines).

    \b
    Examples:
      aifgraph compare ann.json ben.json
      aifgraph compare ann.json ben.json --first-text debate.txt -o result.json
      aifgraph compare annotator1/ annotator2.zip -o scores.csv
      aifgraph compare ann.json ben.json -o report.html
      aifgraph compare annotator1/ annotator2/ --format html -o pages
      aifgraph compare annotator1/ annotator2/ --format paper-latex -o agreement.tex
      aifgraph compare ann.json ben.json --against result.json
      aifgraph compare maps/ maps/ --pairs pairs.tsv --only cass
      aifgraph compare gold.zip system.zip --jobs -1 --results pairs.jsonl --resume
    """

    click_class = short_help(
        *("pairs", "pair_by", "missing", "first_text", "second_text", "names", "details", "metrics", "against"),
        *("intervals", "top", "jobs", "results", "resume", "relations", "layers", "chance", "meaning"),
        *("format", "output"),
    )

    texts: Path | None = option(
        type=NO_FOLDER,
        metavar="FILE.tsv",
        help="Corpora: a table of which maps or pairs are of one text, beside those that share a map (columns name and "
        "text).",
    )
    with_itself: bool = option(False, help="Corpora: count pairs of a map with itself, too.")
    missing: Literal["skip", "zero"] = option(
        "skip",
        choices=("skip", "zero"),
        help="Corpora: score of a text found on one side only: skip it, or count it as 0.",
    )
    first_text: Path | None = option(type=PATH, metavar="FILE", help="Source text of the first map.")
    second_text: Path | None = option(type=PATH, metavar="FILE", help="Source text of the second map.")
    names: tuple[str, str] | None = option(
        nargs=2, metavar="FIRST SECOND", help="Names of the two sides.  [default: what tells their paths apart]"
    )
    details: bool = option(False, help="Show every number, not only what people look at first.")
    only: Literal["cass"] | None = option(choices=("cass",), help="Show CASS-κ and CASS-F1 alone.")
    metrics: str = option(
        "",
        metavar="NAMES|all",
        help="Measures other than CASS, joined by + (`aifgraph metrics` lists them); dialam is every dialam_… one.",
    )
    items: bool = option(False, help="JSON: list the items behind every cell of every matrix.")
    against: Path | None = option(
        type=NO_FOLDER,
        metavar="RESULT.json",
        help="Show what changed since an earlier result, and why; exit code 1 if a number changed.",
    )
    intervals: bool = option(False, help="Corpora: bootstrap intervals of every score, over texts.")
    interval: IntervalOptions = part(IntervalOptions)
    plot: Path | None = plot_option()
    sort: str | None = option(
        choices=("none", "stats.scores:SCORES"),
        help="Corpora: order of the pairs: as they come (none), or by CASS of this score, lowest first (ties by M).  "
        "[default: kappa with --top, else none]",
    )
    force: bool = option(False, help="Corpora, html: replace the pages of an earlier result.")
    top: int | None = option(type=click.IntRange(0), metavar="N", help="Corpora: show N pairs, those that agree least.")
    workers: WorkerOptions = part(WorkerOptions)
    results: Path | None = option(
        type=NO_FOLDER, metavar="FILE.jsonl", help="Corpora: write the result of each pair to this file at once."
    )
    resume: bool = option(False, help="Corpora: continue an interrupted run from its file of results.")
    options: Options = compare_options()
    destination: Destination = destination((*FORMATS, "html", *PAPER), folder=True)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that ``--metrics`` names."""
        from aifgraph.comparison.measures.registry import measures_named

        return tuple(measures_named(names_in(self.metrics)))

    def run(self) -> Output:
        from aifgraph.comparison.sides import checked_names

        if self.names:
            checked_names(*self.names)
        corpora, path = self.of_corpora, self.destination.output
        if path is not None and path.is_dir() and (self.destination.format != "html" or not corpora):
            raise OptionError("is a folder", where=str(path), remedy="name a file")
        earlier: PairResult | CorpusComparison | None = None
        if self.against:
            from aifgraph.evaluation.corpus_result import read_stored

            earlier = read_stored(self.against)
        return _corpora(self, earlier) if corpora else _maps(self, earlier)


def _maps(request: Compare, earlier: PairResult | CorpusComparison | None) -> Output:
    from aifgraph.comparison.compare import compare

    texts = [_text(path) for path in (request.first_text, request.second_text)]
    result = compare(
        map_at(request.first),
        map_at(request.second),
        first_text=texts[0],
        second_text=texts[1],
        names=request.names,
        metrics=request.measures,
        options=request.options,
    )
    warn(result.warnings)
    stored = result.stored(items=request.items)
    if earlier:
        return _changes(earlier, stored)
    if request.only:
        layers: dict[str, Scores] = {layer: scores.cass for layer, scores in result.layers.items()}
        return _only_cass(result.cass, layers, result.chance, result.signature, request)
    if request.destination.format == "html":
        return Output(content=result.to_html())
    if style := PAPER.get(request.destination.format):
        return Output(content=result.paper(style))
    return pair_output(stored, request.destination.format, details=request.details)


def pair_output(result: PairResult, format: str, *, details: bool = False) -> Output:
    """The result of two maps, fresh or read from a file."""
    maps = shlex.join(side.source or side.name for side in result.sides)
    return _led_on(Output.of(result), f"aifgraph differences {maps}", format, result.tables if details else None)


def _led_on(output: Output, command: str, format: str, every: Callable[[], Sequence[Table]] | None) -> Output:
    """The output with ``every`` table, or in text with a line that says how to see more."""
    short, *rest = output.tables
    if every is None and format == "text":
        short = replace(short, note=f"{short.note}\nTo see why: {command} · every number: --details")
    return replace(output, tables=[short, *(every() if every else rest)])


def _corpora(request: Compare, earlier: PairResult | CorpusComparison | None) -> Output:
    from aifgraph.evaluation.run import compare_corpora

    format, style = request.destination.format, PAPER.get(request.destination.format)
    one, other = request.open_both()
    pages = _pages(request) if format == "html" else None
    with bar("comparing") as progress:
        result = compare_corpora(
            one,
            other,
            pair_by=request.pairing.by,
            texts=request.texts,
            with_itself=request.with_itself,
            missing=request.missing,
            options=request.options,
            metrics=request.measures,
            classes=format == "json" and not request.only and not earlier,
            items=request.items,
            intervals=request.intervals or style is not None,
            **(asdict(request.interval) if request.intervals or style else {}),
            **request.workers.keywords,
            results=request.results,
            resume=request.resume,
            progress=progress,
            each=pages.each if pages else None,
        )
    _warn_of(result, request.pairing.by)
    code = 2 if result.failed else 0
    if earlier:
        return Output(code=2) if result.failed else _changes(earlier, result)
    if request.plot is not None:
        from aifgraph.report.plots import intervals

        plot(request.plot, intervals, result, details=request.details)
    if pages:
        pages.index(result)
        return Output(code=code)
    if style:
        return Output(content=result.paper(style), code=code)
    if request.only:
        macro = result.macro
        return _only_cass(macro.cass, macro.cass_dict()["layers"], macro.chance, result.signature, request, code)
    by = request.pairing.by
    how = [] if by == "name" else ["--pair-by", "text"] if by == "text" else ["--pairs", str(by)]
    maps = shlex.join([request.first, request.second, *how])
    sort = request.sort or ("kappa" if request.top else "none")
    return corpus_output(result, format, sort=sort, top=request.top, details=request.details, maps=maps)


def corpus_output(
    result: CorpusComparison,
    format: str,
    *,
    sort: str = "none",
    top: int | None = None,
    details: bool = False,
    maps: str = "FIRST SECOND, with the same corpora",
) -> Output:
    """The result of two corpora, fresh or read from a file; ``maps`` are the words of a command that name them."""
    code = 2 if result.failed else 0
    if format == "json":
        return Output(content=result.json_parts(), code=code)
    output = Output(**vars(result.document(sort, top)), code=code)
    every = partial(result.tables, sort, top) if details else None
    return _led_on(output, f"aifgraph differences {maps}", format, every)


def _changes(earlier: PairResult | CorpusComparison, now: PairResult | CorpusComparison) -> Output:
    """What changed since an earlier result, and why; exit code 1 where a number did."""
    from aifgraph.evaluation.result_changes import ResultChanges

    changes = ResultChanges.between(earlier, now)
    return Output.of(changes, code=1 if changes.numbers else 0)


def _only_cass(
    cass: Scores, layers: Mapping[str, Scores], chance: Chance | None, signature: str, request: Compare, code: int = 0
) -> Output:
    """The CASS scores alone, of the whole, of each layer, and of what is above chance: for people CASS-κ and CASS-F1,
    with ``--details`` and in files all."""
    from aifgraph.stats.scores import SCORES

    above = [(f"{layer} above chance", over.cass) for layer, over in chance.over.items()] if chance else []
    columns = [("all", cass), *layers.items(), *above]
    format = request.destination.format
    named = SCORES if request.details or format in ("csv", "json") else ("kappa", "f1")
    rows = [[name, *(scores[name] for _, scores in columns)] for name in named]
    note = signature if format in ("text", "markdown") else ""
    by_chance = {"chance": chance.to_dict()} if chance else {}
    return Output(
        tables=[Table("CASS", ("score", *(title for title, _ in columns)), rows, note=note)],
        data=lambda: {"signature": signature, "cass": cass, "layers": layers, **by_chance},
        code=code,
    )


def _warn_of(result: CorpusComparison, pair_by: str | Path) -> None:
    """Notices, failures, and the warnings of the first pairs in full."""
    warn_of_compared(result)
    alone = min(map(len, result.unpaired))
    if pair_by == "name" and not result.one_corpus and alone > len(result.pairs):
        # AIFdb numbers each analysis anew: equal names may be few, and be of the very same map.
        what = (
            f"{quantity(len(result.pairs), 'pairs')} by name, and at least {alone} maps without a partner on each side"
        )
        warn([f"{what}; to pair maps of the same text, add --pair-by text"])
    if not result.warning_count:
        return
    lines = (f"{pair.name}: {message}" for pair in result.pairs for message in pair.warnings)
    warn(islice(lines, _MAX_WARNINGS))
    if (more := result.warning_count - _MAX_WARNINGS) > 0:
        warn([f"and {more} more warnings of pairs (--format json and html list all of them)"])


def _pages(request: Compare) -> CorpusPages:
    from aifgraph.report.html import CorpusPages

    folder = request.destination.file
    if folder is None:
        raise OptionError("the pages of a corpus are a folder", remedy="--format html -o FOLDER")
    if folder.suffix.lower() in _FILES and not folder.exists():
        remedy = f"name a folder: --format html -o {folder.with_suffix('').name}"
        raise OptionError("the pages of a corpus are a folder, and this names a file", where=str(folder), remedy=remedy)
    return CorpusPages(folder, force=request.force, names=request.names)


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
