"""``evaluate``: systems against a gold corpus, with baselines beside them.

Scores, intervals and tests are all of one table of texts for each system, so that a text that a system lacks counts the
same in all of them. The gold is the reference (docs/measures.md, section 4): a system gains nothing by what it leaves
out, or by what it makes up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from math import inf
from os import PathLike
from typing import Any, Literal, Unpack

from aifgraph.comparison.breakdown import NameCounts
from aifgraph.corpus.corpus import CorpusLike, GraphEntry, named_corpora
from aifgraph.corpus.pairing import MIN_SIMILARITY, PairedCorpora
from aifgraph.errors import AifgraphError, InputError, OptionError, choose_from
from aifgraph.evaluation.baselines import BASELINES, Baseline, BaselineSource
from aifgraph.evaluation.caveats import by_system, caveats_of_tests, corpus_caveats, few_texts
from aifgraph.evaluation.estimates import Estimate, Estimates, MetricName, PairedTest, paired_test, pool, with_holm
from aifgraph.evaluation.processes import Progress, run_each
from aifgraph.evaluation.record import Outcome
from aifgraph.evaluation.result import PooledResult
from aifgraph.evaluation.run import PairTask, compare_pair, pair_tasks
from aifgraph.evaluation.text_tables import macro_table, summed_matrices
from aifgraph.graph.columns import UnionFind, gc_paused
from aifgraph.options import OptionKeywords, Options, Signature
from aifgraph.printable import pluralize
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import printed_name
from aifgraph.tables import Table

#: The scores that are tested by default. Each one more makes the adjusted p-values greater.
SCORES = ("argument M-kappa", "CASS-kappa")
#: The most systems of which every two are tested; of more, each is tested against the first.
MAX_TESTED = 4


@dataclass(frozen=True, repr=False, kw_only=True)
class Evaluation(PooledResult):
    """The macro numbers of systems and baselines by name, ranked by the first of the ``scores`` that is defined.

    By system: ``missing`` are the gold texts that it lacks, ``extra`` its maps that no gold text is for, ``unreadable``
    the errors of its maps that count 0 as they cannot be read or compared, ``failed`` the errors of pairs that are left
    out, since the gold map cannot be read. ``gold`` is what the gold corpus is called.
    """

    macro: Mapping[str, Estimates]
    baselines: Collection[str]
    scores: tuple[MetricName, ...]
    tests: tuple[PairedTest, ...]
    missing: Mapping[str, Sequence[str]]
    extra: Mapping[str, Sequence[str]]
    unreadable: Mapping[str, Mapping[str, str]]
    failed: Mapping[str, Mapping[str, str]]
    caveats_by_system: Mapping[str, Sequence[str]]
    gold: str

    @property
    def pooled(self) -> Mapping[str, Estimates]:
        """The numbers by system."""
        return self.macro

    @property
    def texts(self) -> Mapping[str, Mapping[str, Mapping[str, float | None]]]:
        """The numbers of each text by system."""
        return {name: table.by_text(table.pairs) for name, table in self.tables_of_texts.items()}

    def printed(self, system: str) -> str:
        """Return what a system or a baseline is called in tables."""
        return f"{system} baseline" if system in self.baselines and system in BASELINES else system

    def table(self) -> Table:
        """Return a row for each system, ranked, with intervals of the scores."""
        counted = "count 0" if self.how.further["missing"] == "zero" else "are left out"
        title = f"{pluralize(max(len(of.texts) for of in self.tables_of_texts.values()), 'texts')} of {self.gold}"
        for what, of in (("texts that a system lacks", self.missing), ("maps that cannot be read", self.unreadable)):
            numbers = ", ".join(f"{self.printed(name)}: {len(texts)}" for name, texts in of.items() if texts)
            title += f"; {what} {counted} ({numbers})" if numbers else ""
        drawn = [number for number in self.scores if any(of[number].texts for of in self.macro.values())]
        rows = {self.printed(name): of for name, of in self.macro.items()}
        return self.ranking(f"{title}.", rows, drawn or self.scores, "" if self.tests else self._note())

    def tests_table(self) -> Table:
        """Return a row for each test."""
        rows = [
            (
                f"{self.printed(test.first)} – {self.printed(test.second)}",
                printed_name(str(test.number)),
                test.texts,
                str(Estimate(test.difference, low=test.low, high=test.high)),
                *test.printed_p,
            )
            for test in self.tests
        ]
        level = f"differences with {100 * self.bootstrap.level:.4g} % intervals; " if self.bootstrap else ""
        how = f"{level}p: two-sided paired randomisation; Holm: over {pluralize(len(rows), 'tests')}."
        return Table("Paired tests", ("", "score", "texts", "difference", "p", "p (Holm)"), rows, note=self._note(how))

    def tables(self) -> list[Table]:
        """Return the systems, the tests and the caveats of systems if there are any."""
        caveats = by_system({self.printed(name): of for name, of in self.caveats_by_system.items()})
        return [self.table(), *([self.tests_table()] if self.tests else []), *([caveats] if caveats.rows else [])]

    def numbers_table(self) -> Table:
        """Return a row for each number, then for each test."""
        table = super().numbers_table()
        rows = [[*row, None, None] for row in table.rows]
        for test in self.tests:
            row = [f"{test.first} – {test.second}", str(test.number), printed_name(str(test.number))]
            estimate = test.difference, test.texts, None, test.low, test.high, None
            rows.append([*row, *estimate, test.p, test.p_holm])
        return replace(table, columns=(*table.columns, "p", "p_holm"), rows=rows)


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
    against: str | None = None,
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
        missing: whether a text that a system lacks, or whose map cannot be read, scores 0 or is left out.
        scores: macro numbers to test (``CASS-kappa``, ``argument CASS-f1``, ``ER-kappa`` …); the first that is
            defined ranks.
        baselines: which baselines to evaluate beside the systems, without numbers by chance.
        against: the system or baseline that all systems are tested against; by default every two systems are tested
            (of more than four each and the first). Each system is also tested against the best baseline.
        bootstrap: rounds, level and seed of the intervals; the tests use the same seed.
        test_rounds: rounds of a paired test; where there are not more patterns of exchange, all are counted.
        jobs: processes on this machine; -1 for one a core.
        progress: called with the number of gold texts done and of all of them.
        options: how to compare; keywords replace its fields. The gold is the reference whatever this says, unless the
            keyword ``reference`` is ``none``.
    """
    if unknown := {*baselines} - {*BASELINES}:
        raise OptionError(f"there is no baseline {min(unknown)}", remedy=choose_from(BASELINES))
    keywords.setdefault("reference", "first")
    chosen = Options.merge(options, **keywords)
    bootstrap = bootstrap or Bootstrap(seed=chosen.seed)
    if not systems:
        raise OptionError("there is no system to evaluate")
    systems = named_corpora(systems)
    every = named_corpora([gold, *systems.values()], names)
    gold_name, *others = every
    if not names and gold_name not in systems:
        others = [*systems]
    paired = PairedCorpora.from_corpora([*every.values()], [gold_name, *others], pair_by, min_text, gold=True)
    pairings = {name: pairing for (_, name), pairing in paired.pairings.items()}
    tasks = {name: pair_tasks(of, missing, ["second"]) for name, of in pairings.items()}
    kind_of = {kind if kind not in tasks else f"{kind} baseline": kind for kind in BASELINES if kind in baselines}
    if clash := sorted({f"{kind} baseline" for kind in BASELINES} & tasks.keys()):
        raise OptionError(f"a system is called {clash[0]!r}, as a baseline", remedy="give it another name")
    if against is not None and against not in (*tasks, *kind_of):
        raise OptionError(f"there is no system {against!r}", remedy=choose_from([*tasks, *kind_of]))
    maps = {map_ for of in pairings.values() for map_ in (*of.unpaired_first, *(both.first for both in of))}
    for name, kind in kind_of.items():
        entries = [entry for entry in paired.corpora[gold_name] if entry in maps]
        tasks[name] = [PairTask(entry, BaselineSource(entry, kind), entry.name) for entry in entries]
    outcomes = _outcomes(tasks, chosen, jobs=jobs, progress=progress)
    tables = {name: macro_table(of_system, chance=bool(chosen.chance)) for name, of_system in outcomes.items()}
    macro = {name: pool(table, bootstrap=bootstrap) for name, table in tables.items()}
    numbers = tuple(dict.fromkeys(_number(score, macro) for score in scores))
    made = [
        paired_test({name: tables[name] for name in two}, number, rounds=test_rounds, bootstrap=bootstrap)
        for number in numbers
        for two in _tested(macro, number, kind_of, against)
    ]
    ranked = sorted(macro, key=lambda name: [_rank(macro[name][number]) for number in numbers], reverse=True)
    tests = with_holm(made)
    of_systems = {
        name: corpus_caveats(outcomes[name], macro[name], names=(gold_name, name), extra=pairing.unpaired_second)
        for name, pairing in pairings.items()
    }
    caveats = few_texts(min((of[n].texts for of in macro.values() for n in numbers if of[n].texts), default=0))
    caveats += caveats_of_tests(tests)
    if against is None and len(pairings) > MAX_TESTED:
        caveats.append(f"of more than {MAX_TESTED} systems each is tested against the first, {next(iter(pairings))}")
    cuts = ["M forgives most finer cuts (granularity=merge), S does not"] if chosen.granularity == "merge" else []
    caveats += filter(None, ["; ".join([*cuts, *(["baselines have gold's units"] if kind_of else [])])])
    how = Signature(chosen, {**paired.parts, "missing": missing})
    further = {"score": ",".join(map(str, numbers)), "baselines": "+".join(kind_of.values()) or "none"}
    further |= {"against": against} if against is not None else {}
    errors = {name: [of for of in outcomes[name] if of.error] for name in ranked}
    return Evaluation(
        macro={name: macro[name] for name in ranked},
        baselines=tuple(kind_of),
        scores=numbers,
        tests=tests,
        missing={name: [entry.name for entry in pairing.unpaired_first] for name, pairing in pairings.items()},
        extra={name: [entry.name for entry in pairing.unpaired_second] for name, pairing in pairings.items()},
        unreadable={name: {str(of.key): of.error for of in errors[name] if of.unreadable} for name in ranked},
        failed={name: {str(of.key): of.error for of in errors[name] if not of.unreadable} for name in ranked},
        caveats_by_system=of_systems,
        tables_of_texts={name: tables[name] for name in ranked},
        matrices={name: summed_matrices(outcomes[name]) for name in ranked},
        gold=gold_name,
        subject="Systems and baselines",
        caveats=caveats,
        notices=paired.notices,
        how=how.extend(**bootstrap.parts, test_rounds=test_rounds, **further),
        bootstrap=bootstrap,
    )


@gc_paused
def _compare_text(tasks: Sequence[PairTask], options: Options) -> list[Outcome]:
    """Compare all analyses of a gold map, which is read once; a baseline needs no numbers by chance."""
    gold = tasks[0].first
    with suppress(AifgraphError):  # it is the error of each of them
        gold = GraphEntry(gold.load(), gold.name) if gold else None
    found: list[Outcome] = []
    for task in tasks:
        second, chosen = task.second, options
        if isinstance(second, BaselineSource):
            second = replace(second, entry=gold) if isinstance(gold, GraphEntry) else second
            chosen = replace(options, chance=None)
        # Nobody asks for the breakdown of a pair, whose counts of names take long.
        task = replace(task, first=gold, second=second)
        found.append(compare_pair(task, options=chosen, name_counts=NameCounts()))
    return found


def _outcomes(tasks: Mapping[str, list[PairTask]], options: Options, **how: Any) -> dict[str, list[Outcome]]:
    """Compare the pairs of all systems in one run, those of a gold map together."""
    of_gold: dict[object, list[tuple[str, int]]] = {}
    for name, of_system in tasks.items():
        for place, task in enumerate(of_system):
            of_gold.setdefault(task.first, []).append((name, place))
    together = [[tasks[name][place] for name, place in places] for places in of_gold.values()]
    done = run_each(partial(_compare_text, options=options), together, **how)
    found = dict(zip(chain.from_iterable(of_gold.values()), chain.from_iterable(done), strict=True))
    return _with_common_texts({name: [found[name, at] for at in range(len(of))] for name, of in tasks.items()})


def _tested(
    macro: Mapping[str, Estimates], number: MetricName, baselines: Collection[str], against: str | None
) -> Iterator[tuple[str, str]]:
    """Yield which two are tested by a number: systems with one another, and each system with the best baseline."""
    alone = [name for name in macro if name not in baselines and macro[name][number].texts]
    known = [name for name in baselines if macro[name][number].value is not None]
    best = sorted(known, key=lambda name: _rank(macro[name][number]), reverse=True)[:1]
    if against is not None:
        yield from ((name, against) for name in alone if name != against)
    else:
        few = len(alone) <= MAX_TESTED
        yield from ((one, other) for one, other in combinations(alone, 2) if few or one == alone[0])
    yield from ((name, other) for name in alone for other in best if other != against)


def _number(score: str, macro: Mapping[str, Estimates]) -> MetricName:
    """Return the number of a score, by its name in JSON or as it is printed."""
    numbers = dict.fromkeys(chain.from_iterable(macro.values()))
    for number in numbers:
        if score in (str(number), printed_name(str(number))):
            return number
    scores = ", ".join(dict.fromkeys(number.score for number in numbers if number.score))
    parts = ", ".join(dict.fromkeys(str(number._replace(score="")) for number in numbers))
    raise OptionError(f"there is no score {score!r}", remedy=f"give one of {parts}, a hyphen, and one of {scores}")


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
