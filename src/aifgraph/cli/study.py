"""``aifgraph agreement``, ``sample``, ``plan`` and ``perturb``: a study of annotators, and what its scores mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aifgraph.cli.command import Command, argument, option, part
from aifgraph.cli.options import (
    PATH,
    IntervalOptions,
    PairOptions,
    TwoSides,
    WorkerOptions,
    compare_options,
    corpus_at,
    names_in,
    plot_option,
    seed_option,
    warn_of_compared,
)
from aifgraph.cli.output import Destination, Output, destination, plot
from aifgraph.cli.terminal import bar, warn
from aifgraph.corpus_names import corpora_by_name
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.defaults import DEFAULT_KINDS, DEFAULT_SIZES, PERIODS
from aifgraph.tables import FORMATS, shown, without_formula

if TYPE_CHECKING:
    from aifgraph.comparison.cass import ScoreLayer
    from aifgraph.comparison.options import Options
    from aifgraph.evaluation.agreement import Period
    from aifgraph.evaluation.sample import Stratum

#: What the picture calls a score and a layer.
_SCORES = {"kappa": "CASS-κ", "f1": "CASS-F1"}


@dataclass(frozen=True, kw_only=True)
class Agreement(Command):
    """How two or more annotators agree, and all at once.

    CASS of every two annotators, each against the rest, and of all: Krippendorff's alpha and Fleiss' kappa.

    CORPORA are folders or archives, one per annotator; not everybody need annotate every text. Also who uses which
    label more, which labels are confused, and agreement by scheme and by speaker.

    \b
    Examples:
      aifgraph agreement ann/ ben/ cleo/
      aifgraph agreement ann/ ben/ --intervals --over-time month
      aifgraph agreement maps/ maps/ --pairs pairs.tsv --layer propositional --jobs -1
      aifgraph agreement ann.zip ben.zip cleo.zip -o agreement.tex
      aifgraph agreement ann/ ben/ cleo/ --plot agreement.svg
    """

    corpora: tuple[str, ...] = argument(many=True)
    pairing: PairOptions = part(PairOptions)
    layer: ScoreLayer = option(
        "all", choices=("comparison.cass:SCORE_LAYERS",), help="CASS of the whole, or of one layer."
    )
    intervals: bool = option(False, help="Bootstrap intervals over texts.")
    interval: IntervalOptions = part(IntervalOptions)
    over_time: Period | None = option(choices=PERIODS, help="Also by the date when a map was last changed.")
    batches: Path | None = option(
        type=PATH, metavar="FILE.tsv", help="Also by batch: a table of texts with the columns name and batch."
    )
    plot: Path | None = plot_option()
    workers: WorkerOptions = part(WorkerOptions)
    options: Options = compare_options()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.datasets.rows import column_by
        from aifgraph.evaluation.agreement import agreement

        with bar("comparing") as progress:
            result = agreement(
                {name: corpus_at(path) for name, path in corpora_by_name(self.corpora).items()},
                pair_by=self.pairing.by,
                layer=self.layer,
                over_time=self.over_time,
                batches=column_by(self.batches, "name", "batch") if self.batches else None,
                **self.workers.keywords,
                options=self.options,
                progress=progress,
            )
        warn(result.notices)
        warn(f"{name}: skipped: {error}" for name, error in result.failed)
        intervals, of_labels = {}, {}
        if self.intervals:
            own = self.interval
            how: dict[str, Any] = {"rounds": own.rounds, "level": own.level, "method": own.method}
            intervals = result.intervals(seed=self.options.seed, **how)
            of_labels = result.label_intervals(seed=self.options.seed, **how)
        if self.plot is not None:
            from aifgraph.report.plots import agreement_map

            values = {pair: scores.over[self.layer].cass["kappa"] for pair, scores in result.pairs.items()}
            title = "CASS-κ of every two annotators (macro)"
            plot(self.plot, agreement_map, result.annotators, values, title=title)
        more: dict[str, Any] = {}
        if self.intervals:
            more["intervals"] = {name: of.to_dict() for name, of in intervals.items()}
            more["label_intervals"] = [{**number._asdict(), **of.to_dict()} for number, of in of_labels.items()]
        return replace(
            Output.of(result, failed=result.failed),
            tables=result.tables(intervals, of_labels),
            data=lambda: {**result.to_dict(), **more},
            signature="|".join([result.signature, *{of.signature: None for of in intervals.values()}]),
        )


@dataclass(frozen=True, kw_only=True)
class Sample(Command):
    """Choose the texts of CORPUS to annotate twice.

    At random; with --by, from strata in proportion to their sizes.

    Strata are the number of speakers (1, 2, 3 or more), the length (short, middle, long: thirds of the corpus), and the
    sub-folder. The same seed chooses the same texts.

    \b
    Examples:
      aifgraph sample maps/ -n 40 --by speakers,length --seed 1
      aifgraph sample maps/ -n 40 --seed 1 --folder twice/ -o sample.tsv
    """

    corpus: str = argument()
    number: int = option(None, "-n", "--number", required=True, type=int, help="Number of texts.")
    by: str = option("", metavar="NAMES", help="Strata, joined by commas: speakers, length, folder.")
    folder: Path | None = option(type=PATH, help="Also write maps and texts: to a new folder, or an archive.")
    seed: int = seed_option()
    destination: Destination = destination(("text", "tsv", *FORMATS[1:]))

    def run(self) -> Output:
        from aifgraph.corpus.writer import pack
        from aifgraph.evaluation.sample import sample

        corpus = corpus_at(self.corpus)
        strata: list[Stratum] = names_in(self.by)  # type: ignore[assignment]
        result = sample(corpus, self.number, by=strata, seed=self.seed)
        warn([*corpus.notices, *(f"{name}: left out: {error}" for name, error in result.failed)])
        if self.folder is not None:
            packed = pack(corpus.only(result.names), self.folder)
            warn(error for _, error in packed.failed)
        if self.destination.format == "tsv":
            table = result.list_table()
            lines = [table.columns, *([without_formula(shown(cell)) for cell in row] for row in table.rows)]
            return Output(content="\n".join(map("\t".join, lines)), code=2 if result.failed else 0)
        return Output.of(result, failed=result.failed)


@dataclass(frozen=True, kw_only=True)
class Plan(TwoSides):
    """How many texts to annotate twice.

    The width of the intervals of M and ER, by the number of texts.

    FIRST and SECOND are the maps of two annotators in a pilot, paired as in compare. Texts of the pilot are resampled
    as often as a study would have them; the spread is the pilot's own. To plan a comparison of two systems, FIRST may
    be gold, SECOND one system and --other the other.

    \b
    Examples:
      aifgraph plan pilot/ann pilot/ben
      aifgraph plan pilot/ann pilot/ben --texts 10,20,40 --width 0.1 --plot plan.svg
      aifgraph plan gold/ system1/ --other system2/ --difference 0.05
    """

    texts: str = option(",".join(map(str, DEFAULT_SIZES)), metavar="N,…", help="Numbers of texts to try.")
    width: float | None = option(
        type=float, metavar="0..1", help="Also say how many texts an interval of this width needs."
    )
    difference: float | None = option(
        type=float,
        metavar="0..1",
        help="Also say how many texts a test needs that finds a difference so large of two systems (power 0.8).",
    )
    other: str | None = option(metavar="SYSTEM", help="Maps of a second system, compared with FIRST as SECOND is.")
    interval: IntervalOptions = part(IntervalOptions, method=None)
    plot: Path | None = plot_option()
    workers: WorkerOptions = part(WorkerOptions)
    options: Options = compare_options()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.evaluation.run import compare_corpora
        from aifgraph.evaluation.study import plan

        try:
            sizes = [int(size) for size in self.texts.split(",") if size.strip()]
        except ValueError:
            raise OptionError(f"texts is {self.texts!r}", remedy="give numbers such as 10,20,40") from None
        compared = []
        for second in (self.second, *((self.other,) if self.other is not None else ())):
            with bar("comparing") as progress:
                result_of = compare_corpora(
                    self.first,
                    second,
                    pair_by=self.pairing.by,
                    options=self.options,
                    classes=False,
                    **self.workers.keywords,
                    progress=progress,
                )
            warn_of_compared(result_of)
            compared.append(result_of)
        pilot, *others = compared
        how, other = self.interval, others[0] if others else None
        result = plan(pilot, sizes, other=other, rounds=how.rounds, seed=self.options.seed, level=how.level)
        warn(result.notices)
        if self.plot is not None:
            from aifgraph.report.plots import curves

            title = f"{result.level:.0%} intervals, from {result.texts} texts"
            axes = {"across": "texts annotated twice", "up": "macro score, 0 to 1"}
            plot(self.plot, curves, result.panels(), title=title, **axes)
        asked = self.width, self.difference
        output = Output.of(result, failed=any(each.failed for each in compared))
        return replace(output, tables=result.tables(*asked), data=lambda: result.to_dict(*asked))


@dataclass(frozen=True, kw_only=True)
class Perturb(Command):
    """What a score means: CORPUS against changed copies.

    Some percent of the units, relations or illocutions of each copy are changed.

    Scores are means over the copies, each the macro score of all maps; low and high hold 95 % of the copies between
    them. Maps that cannot be read are listed and left out, and the exit code is 2.

    \b
    Examples:
      aifgraph perturb maps/
      aifgraph perturb maps.zip --shares 0,10,20 --kinds types+reversed+spurious -o noise.csv
      aifgraph perturb maps/ --kinds boundaries --words 3 --draws 20
      aifgraph perturb maps/ --plot noise.svg
    """

    corpus: str = argument()
    kinds: str = option(
        "+".join((*DEFAULT_KINDS, "all")),
        metavar="NAMES",
        help="Kinds of change, joined by +: {evaluation.changes:KINDS}, all ({evaluation.defaults:DEFAULT_KINDS}).",
    )
    shares: str = option("0,5,10,20,40", metavar="PERCENT,…", help="Shares of each map to change.")
    draws: int = option(5, help="Number of changed copies for each share.")
    words: int = option(2, help="boundaries: number of words by which they move.")
    plot: Path | None = plot_option("FILE.svg")
    options: Options = compare_options("chance")
    destination: Destination = destination()

    @property
    def of_boundaries(self) -> bool:
        return "boundaries" in self._kinds

    @property
    def _kinds(self) -> list[str]:
        return names_in(self.kinds)

    def run(self) -> Output:
        from aifgraph.evaluation.perturbation import noise_floor

        try:
            shares = [float(percent) / 100 for percent in self.shares.split(",")]
        except ValueError:
            raise OptionError(f"shares is {self.shares!r}", remedy="give percentages such as 0,5,10") from None
        if not self._kinds:
            raise OptionError("no kind is named", remedy="aifgraph perturb --help lists them")
        if 0 < max(shares, default=0) < 0.01:
            percent = 100 * max(shares)
            warn([f"--shares are percentages, the largest is {percent:g} %; did you mean {100 * percent:g}?"])
        corpus = corpus_at(self.corpus)
        with bar(f"perturbing {corpus.name}") as progress:
            result = noise_floor(
                corpus,
                shares,
                self._kinds,
                draws=self.draws,
                seed=self.options.seed,
                words=self.words,
                options=self.options,
                progress=progress,
            )
        if not result.points[0].maps:
            more = f": {result.failed[0]}" if result.failed else ""
            raise InputError(f"no map in it can be read{more}", where=self.corpus)
        warn([*corpus.notices, *result.failed])
        if self.plot is not None:
            from aifgraph.report.plots import curves

            panels = {
                kind: {(_SCORES[score], layer): line for (score, layer), line in lines.items()}
                for kind, lines in result.lines().items()
            }
            axes = {"across": "changed, %", "up": "macro CASS, 0 to 1"}
            plot(self.plot, curves, panels, title="CASS against perturbed copies", **axes)
        return Output.of(result, failed=result.failed)
