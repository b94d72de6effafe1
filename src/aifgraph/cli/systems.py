"""``aifgraph evaluate``, ``significance`` and ``baseline``: systems against a gold corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from aifgraph.cli.command import Command, argument, option, part
from aifgraph.cli.options import (
    IntervalOptions,
    WorkerOptions,
    compare_options,
    corpus_at,
    names_in,
    opened_corpus,
    required_output,
    warn_of_compared,
)
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import bar, warn
from aifgraph.corpus_names import corpora_by_name
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.baselines import FURTHER, KINDS
from aifgraph.evaluation.defaults import DEFAULT_TESTED
from aifgraph.printable import quantity
from aifgraph.tables import FORMATS

if TYPE_CHECKING:
    from aifgraph.comparison.cass import ScoreLayer
    from aifgraph.comparison.options import Options
    from aifgraph.corpus.corpus import Corpus
    from aifgraph.corpus.entries import Entry
    from aifgraph.evaluation.baselines import FrequentRelation, Kind
    from aifgraph.graph import ArgumentGraph

_MISSING = "Score of a text that a system lacks: count it as 0, or skip it."


@dataclass(frozen=True, kw_only=True)
class Evaluate(Command):
    """A leaderboard of SYSTEMS against GOLD.

    CASS with intervals, each label, chance, trivial systems, tests.

    Star and chain are always among the trivial systems, over the sentences of the texts and over the gold's units:
    whether a system beats the best of them is tested. Scores above chance are computed in 30 rounds unless --chance
    says otherwise.

    \b
    Examples:
      aifgraph evaluate gold/ system1/ system2/
      aifgraph evaluate gold.zip a.zip b.zip -o leaderboard.html
      aifgraph evaluate gold/ system/ --baselines none --score f1 --format latex
    """

    gold: str = argument()
    systems: tuple[str, ...] = argument(many=True)
    score: str = option("kappa", choices=("stats.scores:SCORES",), help="Score to rank by.")
    baselines: str = option(
        "+".join(FURTHER),
        metavar="NAMES|none",
        help="Trivial systems over the gold's units, joined by +; star and chain are always shown.",
    )
    pair_by: str = option("name", metavar="name|text|FILE", help="How maps are paired.")
    missing: Literal["zero", "skip"] = option("zero", choices=("zero", "skip"), help=_MISSING)
    interval: IntervalOptions = part(IntervalOptions)
    test_rounds: int = option(10_000, help="Number of permutations of each significance test.")
    workers: WorkerOptions = part(WorkerOptions)
    options: Options = compare_options()
    destination: Destination = destination((*FORMATS, "html"))

    def run(self) -> Output:
        from aifgraph.comparison.chance import DEFAULT_ROUNDS
        from aifgraph.evaluation.leaderboard import evaluate

        options = self.options if self.options.chance is not None else self.options.changed(chance=DEFAULT_ROUNDS)
        names = [] if self.baselines == "none" else names_in(self.baselines)
        if unknown := set(names) - set(KINDS):
            remedy = f"choose from {', '.join(KINDS)}, or none"
            raise OptionError(f"there is no baseline {min(unknown)!r}", remedy=remedy)
        with bar("comparing") as progress:
            result = evaluate(
                corpus_at(self.gold),
                {name: corpus_at(path) for name, path in corpora_by_name(self.systems).items()},
                score=self.score,
                baselines=[kind for kind in KINDS if kind in names],
                pair_by=self.pair_by,
                missing=self.missing,
                rounds=self.interval.rounds,
                level=self.interval.level,
                method=self.interval.method,
                test_rounds=self.test_rounds,
                **self.workers.keywords,
                options=options,
                progress=progress,
            )
        for name, compared in result.systems.items():
            warn_of_compared(compared, f"{name}: ")
            if lacking := compared.unpaired[0]:
                what = "counts 0" if compared.missing == "zero" else "is left out"
                first = ", ".join(lacking[:5]) + (" …" if lacking[5:] else "")
                warn([f"{name}: lacks {quantity(len(lacking), 'texts')}, each of which {what}: {first}"])
        failed = any(compared.failed for compared in result.systems.values())
        if self.destination.format == "html":
            from aifgraph.report.html.embed import tables_html

            return Output(
                content=tables_html("Leaderboard", result.tables(), result.signature), code=2 if failed else 0
            )
        return Output.of(result, failed=failed)


@dataclass(frozen=True, kw_only=True)
class Significance(Command):
    """Whether SYSTEMS differ in macro scores against GOLD.

    Differences with intervals, p over texts, p after Holm.

    By paired randomisation, exact where texts are few. A score is one of CASS (kappa, f1 …), or of the argument among
    what was said (ER-kappa …).

    \b
    Examples:
      aifgraph significance gold/ system1/ system2/
      aifgraph significance gold.zip a.zip b.zip c.zip --scores kappa --missing zero --format latex
    """

    gold: str = argument()
    systems: tuple[str, ...] = argument(many=True)
    scores: str = option("+".join(DEFAULT_TESTED), metavar="NAMES", help="Scores to test, joined by +.")
    layer: ScoreLayer = option(
        "all", choices=("comparison.cass:SCORE_LAYERS",), help="Test CASS of the whole, or of one layer."
    )
    rounds: int = option(10_000, help="Number of permutations of each test; all are counted where they are fewer.")
    level: float = option(0.95, metavar="0..1", help="Confidence level of the intervals.")
    missing: Literal["skip", "zero"] = option("skip", choices=("skip", "zero"), help=_MISSING)
    workers: WorkerOptions = part(WorkerOptions)
    options: Options = compare_options("chance")
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.evaluation.run import compare_corpora
        from aifgraph.evaluation.significance import significance

        if len(self.systems) < 2:
            remedy = "the first argument is the gold corpus: give two systems after it, or more"
            raise OptionError("one system cannot be tested against itself", remedy=remedy)
        gold = corpus_at(self.gold)
        results = {}
        for name, path in corpora_by_name(self.systems).items():
            with bar(f"comparing {name}") as progress:
                results[name] = compare_corpora(
                    gold,
                    path,
                    with_itself=True,
                    options=self.options,
                    classes=False,
                    **self.workers.keywords,
                    missing=self.missing,
                    progress=progress,
                )
            warn_of_compared(results[name], f"{name}: ")
        tested = significance(
            results,
            names_in(self.scores),
            layer=self.layer,
            rounds=self.rounds,
            seed=self.options.seed,
            level=self.level,
        )
        failed = any(result.failed for result in results.values())
        return Output.of(tested, failed=failed)


@dataclass(frozen=True, kw_only=True)
class Baseline(Command):
    """Trivial systems, for a system to beat.

    For each map of CORPUS, an analysis of the same units that looks at nothing else.

    units: no argument at all; chain: each unit supports the one before; star: all support the first; majority: every
    two neighbours stand in the most frequent relation of the corpus. Maps keep their names, so that they pair. CORPUS
    may be texts (.txt) instead: their sentences are the units.

    \b
    Examples:
      aifgraph baseline gold/ --kind chain -o chain/
      aifgraph compare gold/ chain/
      aifgraph baseline gold.zip --kind majority --count-in train.zip -o majority.zip
      aifgraph baseline texts/ --kind star -o star.jsonl
    """

    corpus: str = argument()
    kind: Kind = option(None, required=True, choices=KINDS, help="Which trivial system.")
    output: Path = required_output("Where to write the maps: a folder or an archive.")
    count_in: str | None = option(
        metavar="CORPUS", help="majority: the corpus whose relations are counted.  [default: CORPUS]"
    )
    dialogue: bool = option(False, help="Texts: each sentence is a locution, and asserts what it says.")

    def run(self) -> Output:
        from aifgraph.corpus.writer import write_maps
        from aifgraph.evaluation.baselines import frequent_relation

        corpus = opened_corpus(self.corpus)
        if self.output.exists() and self.output.resolve() == corpus.path.resolve():
            raise OptionError("the output is the corpus itself", where=str(self.output), remedy="name another place")
        failed: dict[str, str] = {}
        frequent, lines = None, []
        if self.kind == "majority":
            counted_corpus = opened_corpus(self.count_in) if self.count_in is not None else corpus
            frequent = frequent_relation(_maps(counted_corpus, failed))
            lines.append(f"most frequent: {frequent}")
            failed = {} if self.count_in is None else failed
        with bar(f"{self.kind} of {corpus.name}") as progress:
            written = write_maps(self._analyses(corpus, frequent, failed, progress), self.output)
        warn(failed.values())
        return Output(
            content="\n".join([*lines, f"{self.output}: {quantity(written, 'maps')}"]), code=2 if failed else 0
        )

    def _analyses(
        self,
        corpus: Corpus,
        frequent: FrequentRelation | None,
        failed: dict[str, str],
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[ArgumentGraph]:
        written = 0
        for number, entry in enumerate(corpus, 1):
            try:
                analysis = self._analysis(entry, frequent)
            except AifgraphError as error:
                failed[entry.source] = str(error)
                continue
            yield analysis.with_name(entry.name)
            written += 1
            if progress is not None:
                progress(number, len(corpus))
        if not written:
            more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
            raise InputError(
                f"none of its maps can be read: {next(iter(failed.values()))}{more}", where=str(corpus.path)
            )

    def _analysis(self, entry: Entry, frequent: FrequentRelation | None) -> ArgumentGraph:
        from aifgraph.evaluation.baselines import baseline, text_baseline
        from aifgraph.formats.files import decode_source

        if not _is_text(entry):
            return baseline(entry.load(), self.kind, frequent=frequent)
        text, notice = decode_source(entry.input().data, entry.source)
        warn([notice] if notice else [])
        return text_baseline(text, self.kind, frequent=frequent, dialogue=self.dialogue, name=entry.source)


def _maps(corpus: Corpus, failed: dict[str, str]) -> Iterator[ArgumentGraph]:
    for entry in corpus:
        if _is_text(entry):
            continue
        try:
            yield entry.load()
        except AifgraphError as error:
            failed[entry.source] = str(error)


def _is_text(entry: Entry) -> bool:
    """Whether it is no map but a text: a ``.txt`` file in which no format is recognised."""
    from aifgraph.formats.registry import detect

    if entry.suffix != ".txt":
        return False
    content = entry.input()
    return not detect(content).sniff(content)
