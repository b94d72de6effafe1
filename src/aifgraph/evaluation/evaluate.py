"""``evaluate``: systems against a gold corpus, with baselines beside them.

Scores, intervals and tests are all of one table of texts for each system, so that a text that a system lacks counts the
same in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, islice, product
from math import inf
from os import PathLike
from typing import Any, Literal, Unpack

from networkx.utils import UnionFind

from aifgraph.comparison.options import OptionKeywords, Options, extended, signature_of, signature_words
from aifgraph.corpus.corpus import CorpusLike, named_corpora
from aifgraph.corpus.pairing import MIN_SIMILARITY, pair
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.baselines import BASELINES, Baseline, BaselineSource
from aifgraph.evaluation.caveats import caveats_of_tests, few_texts
from aifgraph.evaluation.macro import macro_table
from aifgraph.evaluation.pooled import (
    Estimate,
    Number,
    PairedTest,
    Pooled,
    PooledResult,
    TextTable,
    cell,
    paired_test,
    pool,
    with_holm,
)
from aifgraph.evaluation.record import Outcome
from aifgraph.evaluation.run import PairTask, Progress, compare_pair, pair_tasks, run_each
from aifgraph.graph import Notice
from aifgraph.printable import quantity
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import printed_name
from aifgraph.tables import Table

PairBy = str | PathLike[str]

#: The scores that are tested by default. Each one more makes the adjusted p-values greater.
SCORES = ("CASS-kappa", "CASS-f1")
#: The numbers shown beside them.
COLUMNS = ("argument M-kappa", "M-kappa")


@dataclass(frozen=True, repr=False)
class Evaluation(PooledResult):
    """The macro numbers of systems and baselines by name, ranked by the first of the ``scores``.

    ``tests`` are of every two systems, and of each system and the best baseline by the same score. ``missing`` are the
    gold texts that a system lacks, ``failed`` the errors of its pairs that could not be compared, ``gold`` is what the
    gold corpus is called.
    """

    macro: Mapping[str, Pooled]
    baselines: Collection[str]
    scores: tuple[Number, ...]
    tests: tuple[PairedTest, ...]
    missing: Mapping[str, Sequence[str]]
    failed: Mapping[str, Mapping[str, str]]
    notices: tuple[Notice, ...]
    signature: str
    gold: str
    bootstrap: Bootstrap

    @property
    def caveats(self) -> list[str]:
        """The caveats of the numbers."""
        failed = [f"pairs of {name} left out because of errors: {len(of)}" for name, of in self.failed.items() if of]
        units = ["the baselines have the units of the gold maps"] if self.baselines else []
        with_argument = max(pooled["argument M-kappa"].texts for pooled in self.macro.values())
        argument = [f"argument M is of {with_argument} of these texts"] if with_argument < self.texts else []
        return few_texts(self.texts) + argument + caveats_of_tests(self.tests) + failed + units

    @property
    def pooled(self) -> Mapping[str, Pooled]:
        """The numbers by system."""
        return self.macro

    @property
    def texts(self) -> int:
        """The number of gold texts that count."""
        return max(pooled["S"].texts for pooled in self.macro.values())

    def printed(self, system: str) -> str:
        """Return what a system or a baseline is called in tables."""
        return f"{system} baseline" if system in self.baselines and system in BASELINES else system

    @property
    def subject(self) -> str:
        """What is evaluated."""
        return "Systems and baselines"

    def table(self) -> Table:
        """Return a row for each system, ranked, with an interval of the score that ranks."""
        ranking = self.scores[0]
        numbers = [number for number in map(Number.parse, COLUMNS) if number not in self.scores]
        columns = [*numbers, *self.scores]
        rows = [
            [self.printed(name), *(cell(of[number]) if number == ranking else of[number].value for number in columns)]
            for name, of in self.macro.items()
        ]
        lacking = ", ".join(f"{name}: {len(texts)}" for name, texts in self.missing.items() if texts)
        counted = "count 0" if signature_words(self.signature)["missing"] == "zero" else "are left out"
        title = f"{quantity(self.texts, 'texts')} of {self.gold}"
        title += f"; texts that a system lacks {counted} ({lacking})" if lacking else ""
        heads = ("", *(printed_name(str(number)) for number in columns))
        brackets = f"brackets: {100 * self.bootstrap.level:.4g} % bootstrap interval of the score that ranks"
        note = self._note(f"All numbers are means over texts; {brackets}.")
        return Table(f"{title}.", heads, rows, note=note)

    def tests_table(self) -> Table:
        """Return a row for each test."""
        rows = [
            (
                f"{self.printed(test.first)} – {self.printed(test.second)}",
                printed_name(str(test.number)),
                str(Estimate(test.difference, low=test.low, high=test.high)),
                test.printed_p(test.p),
                test.printed_p(test.p_holm),
            )
            for test in self.tests
        ]
        note = f"p: two-sided paired randomisation; Holm: over the {quantity(len(rows), 'tests')} of this table."
        return Table("Paired tests", ("", "score", "difference", "p", "p (Holm)"), rows, note=note)

    def tables(self) -> list[Table]:
        """Return the systems, and the tests if there are any."""
        return [self.table(), *([self.tests_table()] if self.tests else [])]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return super().to_dict() | {
            "gold": self.gold,
            "macro": {name: pooled.to_dict() for name, pooled in self.macro.items()},
            "baselines": list(self.baselines),
            "tests": [test.to_dict() for test in self.tests],
            "missing": {name: list(texts) for name, texts in self.missing.items()},
            "failed": {name: dict(errors) for name, errors in self.failed.items()},
        }


def evaluate(
    gold: CorpusLike,
    systems: Mapping[str, CorpusLike] | Sequence[CorpusLike],
    *,
    pair_by: PairBy | Mapping[str, PairBy] = "name",
    min_text: float = MIN_SIMILARITY,
    missing: Literal["zero", "skip"] = "zero",
    names: Sequence[str] | None = None,
    scores: Sequence[str] = SCORES,
    baselines: Collection[Baseline] = BASELINES,
    bootstrap: Bootstrap | None = None,
    test_rounds: int = 10_000,
    jobs: int = 1,
    progress: Progress | None = None,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Evaluation:
    """Evaluate systems against a gold corpus.

    Args:
        gold: the gold corpus.
        systems: corpora of the systems by name, or a list of them.
        pair_by: ``name``, ``text`` or the path of a table; or one of these for each system.
        min_text: least similarity of texts that are paired by text, above 0, at most 1.
        missing: whether a text that a system lacks scores 0 or is left out.
        names: names of the gold corpus and the systems.
        scores: macro numbers to test (``CASS-kappa``, ``argument CASS-f1``, ``ER-kappa`` …); the first ranks.
        baselines: which baselines to evaluate beside the systems, without numbers by chance.
        bootstrap: rounds, level and seed of the intervals; the tests use the same seed.
        test_rounds: rounds of a paired test; where there are not more patterns of exchange, all are counted.
        jobs: processes on this machine; -1 for one a core.
        progress: called with the number of pairs done and of all pairs.
        options: how to compare.
        **keywords: fields of ``Options``; they replace those of ``options``.
    """
    _check(missing, baselines)
    chosen = Options.given(options, **keywords)
    bootstrap = bootstrap or Bootstrap(seed=chosen.seed)
    if not systems:
        raise OptionError("there is no system to evaluate")
    listed = named_corpora(systems)
    (gold_name, gold), *others = named_corpora([gold, *listed.values()], names).items()
    named = dict(others) if names else listed
    by = pair_by if isinstance(pair_by, Mapping) else dict.fromkeys(named, pair_by)
    pairings = {name: pair(gold, corpus, by[name], min_similarity=min_text) for name, corpus in named.items()}
    tasks = {name: pair_tasks(of, ["second"] if missing == "zero" else []) for name, of in pairings.items()}
    kind_of = {kind if kind not in tasks else f"{kind} baseline": kind for kind in BASELINES if kind in baselines}
    for name, kind in kind_of.items():
        tasks[name] = [PairTask(entry, BaselineSource(entry, kind), entry.name) for entry in gold]
    outcomes = _outcomes(tasks, chosen, jobs=jobs, progress=progress)
    tables = {name: macro_table(of_system, chance=bool(chosen.chance)) for name, of_system in outcomes.items()}
    macro = {name: pool(table, bootstrap=bootstrap) for name, table in tables.items()}
    numbers = tuple(map(Number.parse, scores))
    tests = [test for number in numbers for test in _tests(tables, macro, number, kind_of, test_rounds, bootstrap)]
    ranked = sorted(macro, key=lambda name: _rank(macro[name][numbers[0]]), reverse=True)
    paired_by: dict[str, object] = {"min_text": f"{min_text:.12g}"} if "text" in by.values() else {}
    paired_by["pair_by"] = ",".join(dict.fromkeys(str(pairing.parts["pair_by"]) for pairing in pairings.values()))
    how = signature_of(chosen, **paired_by, missing=missing)
    return Evaluation(
        {name: macro[name] for name in ranked},
        tuple(kind_of),
        numbers,
        with_holm(tests),
        {name: [entry.name for entry in pairing.unpaired_first] for name, pairing in pairings.items()},
        {name: {str(outcome.key): outcome.error for outcome in outcomes[name] if outcome.error} for name in ranked},
        tuple(chain(gold.notices, *([*named[name].notices, *of.caveats] for name, of in pairings.items()))),
        extended(how, {**bootstrap.parts, "test_rounds": test_rounds}),
        gold_name,
        bootstrap,
    )


def _check(missing: str, baselines: Collection[str]) -> None:
    if missing not in {"skip", "zero"}:
        raise OptionError(f"missing is {missing!r}, not skip or zero")
    if unknown := {*baselines} - {*BASELINES}:
        raise OptionError(f"there is no baseline {min(unknown)}", remedy=f"choose from {', '.join(BASELINES)}")


def _compare(task: PairTask, options: Options) -> Outcome:
    """Compare a pair; a baseline needs no numbers by chance."""
    return compare_pair(
        task, options=replace(options, chance=None) if isinstance(task.second, BaselineSource) else options
    )


def _outcomes(tasks: Mapping[str, list[PairTask]], options: Options, **how: Any) -> dict[str, list[Outcome]]:
    """Compare the pairs of all systems in one run."""
    done = run_each(partial(_compare, options=options), [*chain.from_iterable(tasks.values())], **how)
    return _with_common_texts({name: list(islice(done, len(of_system))) for name, of_system in tasks.items()})


def _tests(
    tables: Mapping[str, TextTable],
    macro: Mapping[str, Pooled],
    number: Number,
    baselines: Collection[str],
    rounds: int,
    bootstrap: Bootstrap,
) -> Iterator[PairedTest]:
    """Yield the tests of a number: of every two systems, and of each system and the best baseline."""
    if not any(number in pooled for pooled in macro.values()):
        raise OptionError(f"there is no score {number!r}", remedy="give a name such as CASS-kappa or argument M-f1")
    known = [name for name in baselines if macro[name][number].value is not None]
    best = sorted(known, key=lambda name: _rank(macro[name][number]), reverse=True)[:1]
    # A text has a CASS where it has an M, for which it needs an S.
    defined_by = number._replace(what="M") if number.what == "CASS" and number.part != "mean" else None
    alone = [name for name in tables if name not in baselines]
    for two in [*combinations(alone, 2), *product(alone, best)]:
        both = {name: tables[name] for name in two}
        yield paired_test(both, number, defined_by=defined_by, rounds=rounds, bootstrap=bootstrap)


def _rank(estimate: Estimate) -> float:
    return -inf if estimate.value is None else estimate.value


def _with_common_texts(outcomes: Mapping[str, list[Outcome]]) -> dict[str, list[Outcome]]:
    """Return outcomes whose texts have one name in all systems: pairs of one gold map are of one text.

    Raises:
        InputError: no pair of a system could be compared.
    """
    groups: UnionFind[tuple[str, object]] = UnionFind()
    for system, of_system in outcomes.items():
        for outcome in of_system:
            groups.union(("gold", outcome.key.first), (system, outcome.text))
    for system, of_system in outcomes.items():
        if not any(outcome.result and not outcome.missing for outcome in of_system):
            error = next((f": {outcome.error}" for outcome in of_system if outcome.error), "")
            raise InputError(f"no text of the gold corpus could be compared{error}", where=system)
    names: dict[object, str] = {}
    return {
        system: [
            replace(outcome, text=names.setdefault(groups["gold", outcome.key.first], outcome.text))
            for outcome in of_system
        ]
        for system, of_system in outcomes.items()
    }
