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
from aifgraph.errors import InputError, OptionError, choose_from
from aifgraph.evaluation.baselines import BASELINES, Baseline, BaselineSource
from aifgraph.evaluation.caveats import caveats_of_systems, caveats_of_tests, corpus_caveats, few_texts
from aifgraph.evaluation.pooled import (
    Estimate,
    Number,
    PairedTest,
    Pooled,
    PooledResult,
    TextTable,
    cell,
    columns_of,
    paired_test,
    pool,
    with_holm,
)
from aifgraph.evaluation.record import Outcome
from aifgraph.evaluation.run import PairTask, Progress, compare_pair, pair_tasks, run_each
from aifgraph.evaluation.text_tables import macro_table
from aifgraph.printable import quantity
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import printed_name
from aifgraph.tables import Table

#: The scores that are tested by default. Each one more makes the adjusted p-values greater.
SCORES = ("argument M-kappa", "CASS-kappa")


@dataclass(frozen=True, repr=False, kw_only=True)
class Evaluation(PooledResult):
    """The macro numbers of systems and baselines by name, ranked by the first of the ``scores`` that is defined.

    ``tests`` are of every two systems, and of each system and the best baseline by the same score. ``missing`` are the
    gold texts that a system lacks, ``failed`` the errors of its pairs that could not be compared, ``texts`` the
    ``scores`` of each text. ``gold`` is what the gold corpus is called.
    """

    macro: Mapping[str, Pooled]
    baselines: Collection[str]
    scores: tuple[Number, ...]
    tests: tuple[PairedTest, ...]
    missing: Mapping[str, Sequence[str]]
    failed: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, Mapping[str, Mapping[str, float | None]]]
    gold: str

    @property
    def pooled(self) -> Mapping[str, Pooled]:
        """The numbers by system."""
        return self.macro

    def printed(self, system: str) -> str:
        """Return what a system or a baseline is called in tables."""
        return f"{system} baseline" if system in self.baselines and system in BASELINES else system

    def table(self) -> Table:
        """Return a row for each system, ranked, with intervals of the scores, beside further columns of the first."""
        columns = [*columns_of(self.macro.values())]
        further = [number for number in self.scores if number not in columns]
        drawn = [number for number in self.scores if any(of[number].texts for of in self.macro.values())]
        drawn = drawn[:1] if further else drawn
        rows = [
            [self.printed(name), *(cell(of[n]) if n in drawn else of[n].value for n in (*columns, *further))]
            for name, of in self.macro.items()
        ]
        lacking = ", ".join(f"{name}: {len(texts)}" for name, texts in self.missing.items() if texts)
        counted = "count 0" if signature_words(self.signature)["missing"] == "zero" else "are left out"
        title = f"{quantity(max(map(len, self.texts.values())), 'texts')} of {self.gold}"
        title += f"; texts that a system lacks {counted} ({lacking})" if lacking else ""
        heads = ("", *(printed_name(str(number)) for number in (*columns, *further)))
        note = f"All numbers are {self._means()}."
        return Table(f"{title}.", heads, rows, note=note if self.tests else self._note(note))

    def tests_table(self) -> Table:
        """Return a row for each test."""
        rows = [
            (
                f"{self.printed(test.first)} – {self.printed(test.second)}",
                printed_name(str(test.number)),
                test.texts,
                str(Estimate(test.difference, low=test.low, high=test.high)),
                test.printed_p(test.p),
                test.printed_p(test.p_holm),
            )
            for test in self.tests
        ]
        how = f"p: two-sided paired randomisation; Holm: over the {quantity(len(rows), 'tests')} of this table."
        return Table("Paired tests", ("", "score", "texts", "difference", "p", "p (Holm)"), rows, note=self._note(how))

    def tables(self) -> list[Table]:
        """Return the systems, and the tests if there are any."""
        return [self.table(), *([self.tests_table()] if self.tests else [])]

    def numbers_table(self) -> Table:
        """Return a row for each number, then for each test."""
        table = super().numbers_table()
        rows = [[*row, None, None] for row in table.rows]
        for test in self.tests:
            estimate = test.difference, test.texts, None, test.low, test.high, None
            rows.append([f"{test.first} – {test.second}", str(test.number), *estimate, test.p, test.p_holm])
        return replace(table, columns=(*table.columns, "p", "p_holm"), rows=rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return super().to_dict() | {
            "gold": self.gold,
            "macro": {name: pooled.to_dict() for name, pooled in self.macro.items()},
            "texts": self.texts,
            "baselines": list(self.baselines),
            "tests": [test.to_dict() for test in self.tests],
            "missing": {name: list(texts) for name, texts in self.missing.items()},
            "failed": {name: dict(errors) for name, errors in self.failed.items()},
        }


def evaluate(
    gold: CorpusLike,
    systems: Mapping[str, CorpusLike] | Sequence[CorpusLike],
    *,
    pair_by: str | PathLike[str] = "name",
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
        systems: corpora of the systems by name, or a list of them.
        pair_by: ``name``, ``text`` or the path of a table.
        min_text: least similarity of texts that are paired by text, above 0, at most 1.
        missing: whether a text that a system lacks scores 0 or is left out.
        scores: macro numbers to test (``CASS-kappa``, ``argument CASS-f1``, ``ER-kappa`` …); the first that is
            defined ranks.
        baselines: which baselines to evaluate beside the systems, without numbers by chance.
        bootstrap: rounds, level and seed of the intervals; the tests use the same seed.
        test_rounds: rounds of a paired test; where there are not more patterns of exchange, all are counted.
        jobs: processes on this machine; -1 for one a core.
        progress: called with the number of pairs done and of all pairs.
        options: how to compare; keywords replace its fields.
    """
    if unknown := {*baselines} - {*BASELINES}:
        raise OptionError(f"there is no baseline {min(unknown)}", remedy=choose_from(BASELINES))
    chosen = Options.given(options, **keywords)
    bootstrap = bootstrap or Bootstrap(seed=chosen.seed)
    if not systems:
        raise OptionError("there is no system to evaluate")
    listed = named_corpora(systems)
    (gold_name, gold), *others = named_corpora([gold, *listed.values()], names).items()
    named = dict(others) if names else listed
    pairings = {name: pair(gold, corpus, pair_by, min_similarity=min_text) for name, corpus in named.items()}
    tasks = {name: pair_tasks(of, missing, ["second"]) for name, of in pairings.items()}
    kind_of = {kind if kind not in tasks else f"{kind} baseline": kind for kind in BASELINES if kind in baselines}
    maps = {map_ for of in pairings.values() for map_ in (*of.unpaired_first, *(both.first for both in of))}
    for name, kind in kind_of.items():
        tasks[name] = [PairTask(entry, BaselineSource(entry, kind), entry.name) for entry in gold if entry in maps]
    outcomes = _outcomes(tasks, chosen, jobs=jobs, progress=progress)
    tables = {name: macro_table(of_system, chance=bool(chosen.chance)) for name, of_system in outcomes.items()}
    macro = {name: pool(table, bootstrap=bootstrap) for name, table in tables.items()}
    numbers = tuple(_number(score, macro) for score in scores)
    tests = [test for number in numbers for test in _tests(tables, macro, number, kind_of, test_rounds, bootstrap)]
    ranked = sorted(macro, key=lambda name: [_rank(macro[name][number]) for number in numbers], reverse=True)
    tests_made = with_holm(tests)
    caveats = few_texts(max(len(table.texts) for table in tables.values()))
    caveats += caveats_of_systems({name: corpus_caveats(outcomes[name], macro[name]) for name in named})
    caveats += caveats_of_tests(tests_made)
    caveats += ["the baselines have the units of the gold maps"] if kind_of else []
    parts = [pairing.parts for pairing in pairings.values()]  # by a table, each system has its own rows
    paired_by = {key: ",".join(dict.fromkeys(str(of[key]) for of in parts)) for key in parts[0]}
    how = signature_of(chosen, **paired_by, missing=missing)
    made = {"score": ",".join(map(str, numbers)), "baselines": "+".join(kind_of.values()) or "none"}
    return Evaluation(
        macro={name: macro[name] for name in ranked},
        baselines=tuple(kind_of),
        scores=numbers,
        tests=tests_made,
        missing={name: [entry.name for entry in pairing.unpaired_first] for name, pairing in pairings.items()},
        failed={
            name: {str(outcome.key): outcome.error for outcome in outcomes[name] if outcome.error} for name in ranked
        },
        texts={name: tables[name].by_text(numbers) for name in ranked},
        gold=gold_name,
        subject="Systems and baselines",
        caveats=caveats,
        notices=tuple(chain(gold.notices, *([*named[name].notices, *of.caveats] for name, of in pairings.items()))),
        signature=extended(how, {**bootstrap.parts, "test_rounds": test_rounds, **made}),
        bootstrap=bootstrap,
    )


def _compare(task: PairTask, options: Options) -> Outcome:
    """Compare a pair; a baseline needs no numbers by chance."""
    is_baseline = isinstance(task.second, BaselineSource)
    return compare_pair(task, options=replace(options, chance=None) if is_baseline else options)


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
    known = [name for name in baselines if macro[name][number].value is not None]
    best = sorted(known, key=lambda name: _rank(macro[name][number]), reverse=True)[:1]
    # A text has a CASS where it has an M, for which it needs an S.
    defined_by = number._replace(what="M") if number.what == "CASS" and number.part != "mean" else None
    alone = [name for name in tables if name not in baselines and macro[name][number].texts]
    for two in [*combinations(alone, 2), *product(alone, best)]:
        both = {name: tables[name] for name in two}
        yield paired_test(both, number, defined_by=defined_by, rounds=rounds, bootstrap=bootstrap)


def _number(score: str, macro: Mapping[str, Pooled]) -> Number:
    """Return the number of a score, by its name in JSON or as it is printed."""
    for number in chain.from_iterable(macro.values()):
        if score in (str(number), printed_name(str(number))):
            return number
    raise OptionError(f"there is no score {score!r}", remedy="give a name such as CASS-kappa or argument M-f1")


def _rank(estimate: Estimate) -> float:
    return -inf if estimate.value is None else estimate.value


def _with_common_texts(outcomes: Mapping[str, list[Outcome]]) -> dict[str, list[Outcome]]:
    """Return outcomes whose texts have one name in all systems: pairs of one gold map are of one text."""
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
