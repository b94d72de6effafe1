"""``evaluate``: several systems against one gold corpus, next to chance and to trivial systems, in one result.

What a system lacks counts 0 unless asked otherwise: a leaderboard must not reward leaving out what is hard. Star and
chain are always among the trivial systems: over the sentences of the plain texts, where gold maps have texts, and over
the gold's own units, which no real system knows. Whether a system beats the best of them is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, Unpack

from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer
from aifgraph.comparison.options import OptionKeywords, Options
from aifgraph.corpus.corpus import Corpus, as_corpus, named_corpora
from aifgraph.errors import InputError, OptionError, also_unreadable
from aifgraph.evaluation.baselines import ALWAYS, FURTHER, KINDS, OF_SENTENCES, Kind, written
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.defaults import SHOWN
from aifgraph.evaluation.intervals import ER, Intervals
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.significance import EXPLICIT, Significance, macro_value, paired_tests_table, significance
from aifgraph.stats.matrix import NONE
from aifgraph.stats.paired import PairedTest
from aifgraph.stats.randomisation import holm
from aifgraph.stats.scores import SCORES, f1
from aifgraph.stats.scores import score as score_named
from aifgraph.tables import Cell, Document, Result, Table

#: How the layers are called in the columns of the leaderboard.
_LAYERS: Mapping[ScoreLayer, str] = {"all": "CASS", "propositional": "argument", "dialogical": "dialogue"}


@dataclass(frozen=True, slots=True)
class TextResult:
    """A text, the score of each system on it, and the systems that do best and worst (None where none is defined)."""

    name: str
    scores: Mapping[str, float | None]

    @property
    def best(self) -> str | None:
        """The system with the highest score, the first of several."""
        known = {name: value for name, value in self.scores.items() if value is not None}
        return max(known, key=lambda name: known[name]) if known else None

    @property
    def worst(self) -> str | None:
        """The system with the lowest score, the first of several; None where all have the same."""
        known = {name: value for name, value in self.scores.items() if value is not None}
        return min(known, key=lambda name: known[name]) if len(set(known.values())) > 1 else None


@dataclass(frozen=True, repr=False)
class Leaderboard(Result):
    """Systems and trivial systems (``baselines``) against one gold corpus, with intervals and tests.

    ``tests`` is None for a single system; ``score`` is the one that systems are ranked by. ``against_trivial`` tests
    each system against the best trivial one, by CASS of each score.
    """

    systems: Mapping[str, CorpusComparison]
    baselines: Mapping[str, CorpusComparison]
    intervals: Mapping[str, Intervals]
    tests: Significance | None
    score: str = "kappa"
    against_trivial: tuple[PairedTest, ...] = ()

    @cached_property
    def all(self) -> dict[str, CorpusComparison]:
        """Systems and trivial systems by name, the best first; those without a score come last."""
        everything = {**self.systems, **self.baselines}

        def rank(name: str) -> float:
            value = everything[name].macro.cass[self.score]
            return -1.0 if value is None else value

        return {name: everything[name] for name in sorted(everything, key=rank, reverse=True)}

    def __len__(self) -> int:
        return len(self.all)

    @property
    def options(self) -> Options:
        """How all of them were compared."""
        return next(iter(self.systems.values())).options

    @property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        line = next(iter(self.systems.values())).signature
        intervals = next(iter(self.intervals.values()))
        tests = f"|test:randomisation.{self.tests.rounds}.{self.tests.seed}" if self.tests else ""
        return f"{line}|{intervals.signature}{tests}"

    def texts(self) -> list[TextResult]:
        """Every gold text with the score of each system, in the order of the gold corpus."""
        by_text: dict[str, dict[str, float | None]] = {}
        for name, result in self.systems.items():
            for pair in result.counted:
                by_text.setdefault(pair.names.first, {})[name] = pair.cass[self.score]
        return [TextResult(text, {name: scores.get(name) for name in self.systems}) for text, scores in by_text.items()]

    def tables(self) -> list[Table]:
        """The leaderboard, labels, tests, and every text."""
        tests = [paired_tests_table(self.tests.tests, self.tests.seed)] if self.tests else []
        tables = [self._board(), *self._against_trivial(), self._labels(), *tests, self._texts()]
        failed = [(name, text, error) for name, result in self.all.items() for text, error in result.failed]
        return [*tables, *([Table("Failed", ("system", "name", "error"), failed)] if failed else [])]

    def score_table(self) -> Table:
        """Every score of every system and layer in one table, for CSV."""
        rows: list[list[Cell]] = []
        for name, result in self.all.items():
            for layer in SCORE_LAYERS:
                for score in SCORES:
                    interval = self.intervals[name]["macro", PooledNumber("cass", layer, score)]
                    over, chance = result.macro.over[layer], result.macro.chance
                    above = chance.over[layer].cass[score] if chance else None
                    system = "baseline" if name in self.baselines else "system"
                    numbers = (over.mean[score], interval.value, interval.low, interval.high, above)
                    rows.append([name, system, layer, score, result.macro.pairs, *numbers])
            for score in SCORES:
                said = self.intervals[name]["macro", PooledNumber("score", ER, score)]
                numbers = (said.value, None, said.low, said.high, None)
                rows.append([name, system, ER, score, result.macro.pairs, *numbers])
        columns = ("name", "kind", "layer", "score", "texts", "M", "cass", "low", "high", "cass_above_chance")
        return Table("Scores", columns, rows)

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables(), csv=[self.score_table()], signature=self.signature)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "score": self.score,
            "systems": [
                {
                    "name": name,
                    "baseline": name in self.baselines,
                    **({"knows_gold_units": name not in OF_SENTENCES} if name in self.baselines else {}),
                    "macro": result.macro.to_dict(),
                    "micro": result.micro.to_dict(),
                    "breakdown": result.breakdown.to_dict(),
                    "intervals": self.intervals[name].to_dict(),
                    "missing": list(result.unpaired[0]),
                    "failed": [{"name": text, "error": error} for text, error in result.failed],
                }
                for name, result in self.all.items()
            ],
            "tests": self.tests.to_dict() if self.tests else None,
            "against_trivial": [test.to_dict("text") for test in self.against_trivial],
            "texts": [
                {"name": text.name, "scores": dict(text.scores), "best": text.best, "worst": text.worst}
                for text in self.texts()
            ],
        }

    def _board(self) -> Table:
        chance = next(iter(self.all.values())).macro.chance
        rows: list[list[Cell]] = []
        for place, (name, result) in enumerate(self.all.items(), 1):
            row: list[Cell] = [place, self._shown(name), result.macro.S]
            for layer in _LAYERS:
                for score in SHOWN:
                    interval = self.intervals[name]["macro", PooledNumber("cass", layer, score)]
                    row += [interval.value, _range(interval.low, interval.high)]
            for score in SHOWN:
                interval = self.intervals[name]["macro", PooledNumber("score", ER, score)]
                row += [interval.value, _range(interval.low, interval.high)]
            if result.macro.chance:
                row.append(result.macro.chance.cass[self.score])
            rows.append(row)
        columns = ["rank", "system", "S"]
        for shown_layer in (*_LAYERS.values(), "ER"):
            for shown in SHOWN.values():
                name = f"CASS-{shown} of the {shown_layer}" if shown_layer.islower() else f"{shown_layer}-{shown}"
                columns += [name, f"{name} interval"]
        first = next(iter(self.intervals.values()))
        result = next(iter(self.systems.values()))
        lacking = "counts 0" if result.missing == "zero" else "is left out"
        note = (
            f"macro over {result.macro.pairs} texts; what a system lacks {lacking}\n"
            f"{100 * first.level:.4g} % intervals, {first.method} bootstrap over texts, {first.rounds} rounds, "
            f"seed {first.seed}\nER: the argument among what was said"
        )
        note += "".join(f"\n{sentence}" for sentence in first.remarks)
        if chance is not None:
            columns.append(f"{SHOWN.get(self.score, self.score)} above chance")
            note += f"\nabove chance: CASS of what is above chance, {chance.rounds} rounds"
        return Table("Leaderboard", columns, rows, note=note)

    def _shown(self, name: str) -> str:
        """A system's name as tables have it: which are trivial, and which of these know the gold's units."""
        if name not in self.baselines:
            return name
        return f"{name} (trivial)" if name in OF_SENTENCES else f"{name} (trivial), gold units"

    def _against_trivial(self) -> list[Table]:
        tests = [replace(test, second=self._shown(test.second)) for test in self.against_trivial]
        if not tests:
            return []
        table = paired_tests_table(tests, self.options.seed, "Against the best trivial system")
        note = (
            "second: the best trivial system by the same score; gold units: it knows the units of the gold map, as no "
            "system does\nbeats it: the difference is above 0, and p (Holm, over the systems) below 0.05\n"
        )
        rows = [[*row, _beats(test)] for row, test in zip(table.rows, tests, strict=True)]
        return [replace(table, columns=(*table.columns, "beats it"), rows=rows, note=note + table.note)]

    def _labels(self) -> Table:
        """F1 of every label, by system; how often gold gives it."""
        rows: dict[tuple[str, str], list[Cell]] = {}
        names = list(self.systems)
        for place, result in enumerate(self.systems.values()):
            for calculation, summed in result.micro.calculations.items():
                for label, gold in zip(summed.matrix.labels, summed.matrix.row_sums, strict=True):
                    if label != NONE:
                        key = (calculation.replace("_", " "), label)
                        row = rows.setdefault(key, [None, *[None] * len(names)])
                        row[0] = max(int(row[0] or 0), gold)
                        row[place + 1] = f1(summed.matrix.collapse(label))
        listed: list[list[Cell]] = [[*key, *row] for key, row in rows.items()]
        note = "F1 of one label against all the rest, over the texts that were compared; gold: how often it occurs"
        return Table("Labels", ("calculation", "label", "gold", *names), listed, note=note)

    def _texts(self) -> Table:
        rows: list[list[Cell]] = [
            [
                text.name,
                text.best,
                None if text.best is None else text.scores[text.best],
                text.worst,
                None if text.worst is None else text.scores[text.worst],
            ]
            for text in self.texts()
        ]
        shown = f"CASS-{SHOWN.get(self.score, self.score)}"
        return Table("Texts", ("text", "best", shown, "worst", f"{shown} of it"), rows)


def _beats(test: PairedTest) -> bool:
    return test.higher == test.first and test.adjusted is not None and test.adjusted < 0.05


def _range(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"{low:z.3f} – {high:z.3f}"


def evaluate(
    gold: Corpus | str | PathLike[str],
    systems: Mapping[str, Corpus | str | PathLike[str]] | Sequence[Corpus | str | PathLike[str]],
    *,
    pair_by: str = "name",
    missing: str = "zero",
    baselines: Sequence[Kind] | Literal["none"] | None = FURTHER,
    score: str = "kappa",
    rounds: int = 1000,
    test_rounds: int = 10_000,
    level: float = 0.95,
    jobs: int = 1,
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Leaderboard:
    """Rank systems against a gold corpus, with trivial systems among them: always star and chain, over sentences where
    gold maps have texts, and over the gold's units.

    Everything that is drawn at random goes by the seed of the options.

    Args:
        gold: the gold corpus, or a path to it.
        systems: those of the systems, by name; in a list, they are called as their folders.
        pair_by: ``name``, ``text``, or the path of a mapping file.
        missing: whether a text that a system lacks scores 0 (``zero``) or is left out (``skip``).
        baselines: further kinds of trivial systems over the gold's units, ``units`` or ``majority``, or None.
        score: the score whose CASS the systems are ranked by.
        rounds: times that texts are drawn for intervals.
        test_rounds: rounds of the test between every two systems.
        level: the confidence of intervals, between 0 and 1.
        jobs: processes that share the work; -1 for one a core.

    Raises:
        InputError: a system that has no text of the gold corpus; no gold map can be read.
        OptionError: no system, an unknown score or kind.
    """
    systems = named_corpora(systems)
    if not systems:
        raise OptionError("there is no system to evaluate", remedy="give one or more")
    if baselines is None or baselines == "none":
        baselines = ()
    if not isinstance(baselines, Collection) or (isinstance(baselines, str) or {*baselines} - {*KINDS}):
        what = f"baselines is {baselines!r}"[:200]
        raise OptionError(what, remedy=f"give a list of {', '.join(FURTHER)}, or an empty one")
    score_named(score)
    chosen = Options.given(options, **keywords)
    gold = as_corpus(gold)
    results: dict[str, CorpusComparison] = {}
    for name, corpus in systems.items():
        compared = compare_corpora(
            gold,
            corpus,
            pair_by=pair_by,
            with_itself=True,
            missing=missing,
            options=chosen,
            classes=False,
            jobs=jobs,
            progress=progress,
        )
        if not len(compared.pairs):
            why = f": {compared.failed[0][1]}{also_unreadable(compared.failed[1:])}" if compared.failed else ""
            raise InputError(f"no text of the gold corpus could be compared{why}", where=name, remedy="pair by text")
        # A text that only a system has is no part of the gold corpus, and costs it nothing.
        results[name] = replace(compared, unpaired=(compared.unpaired[0], ()))
    trivial: dict[str, CorpusComparison] = {}
    kinds = [kind for kind in KINDS if kind in ALWAYS or kind in baselines]
    with TemporaryDirectory(prefix="aifgraph-") as folder:
        for kind, path in written(gold, kinds, Path(folder)):
            name = kind if kind not in results else f"trivial {kind}"
            trivial[name] = compare_corpora(gold, path, missing=missing, options=chosen, classes=False, jobs=jobs)
    everything = {**results, **trivial}
    intervals = {
        name: result.intervals(rounds=rounds, seed=chosen.seed, level=level) for name, result in everything.items()
    }
    scores = list(dict.fromkeys((score, "f1", f"{EXPLICIT}{score}", f"{EXPLICIT}f1")))
    how: dict[str, Any] = {"rounds": test_rounds, "seed": chosen.seed, "level": level}
    tests = significance(results, scores, **how) if len(results) > 1 else None
    against = [test for each in scores for test in _tests_against_trivial(results, trivial, each, how)]
    return Leaderboard(results, trivial, intervals, tests, score, tuple(against))


def _tests_against_trivial(
    systems: Mapping[str, CorpusComparison],
    trivial: Mapping[str, CorpusComparison],
    score: str,
    how: Mapping[str, Any],
) -> list[PairedTest]:
    """Every system against the trivial one with the highest macro score, with Holm over the systems."""
    known = {name: value for name, of in trivial.items() if (value := macro_value(of.macro, score)) is not None}
    if not known:
        return []
    best = max(known, key=lambda name: known[name])
    tests = [
        significance({name: result, best: trivial[best]}, [score], **how).tests[0] for name, result in systems.items()
    ]
    adjusted = holm([test.p for test in tests])
    return [replace(test, adjusted=p) for test, p in zip(tests, adjusted, strict=True)]
