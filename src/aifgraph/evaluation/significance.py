"""Are two systems, compared with one gold corpus, really different?

The paired randomisation test over the texts that both have and in which the score is defined for both: the two systems'
results on every text are swapped with probability ½ (where texts are few, in every possible way), and the difference of
their macro scores is computed again (``aifgraph.stats.randomisation``). Beside p stands the bootstrap interval of the
difference over the same texts. With several systems every two of them are tested, and the p-values are adjusted after
Holm.

Sources: Noreen (1989); Yeh (2000), More accurate tests for the statistical significance of result differences.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.cass import ScoreLayer, fuse_arrays
from aifgraph.comparison.options import signature_without
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.defaults import DEFAULT_TESTED, SHOWN
from aifgraph.evaluation.pooled import MacroScores, PooledNumber
from aifgraph.evaluation.sums import MacroSums, missing_pair
from aifgraph.stats.paired import PairedTest, paired_dict, paired_table, paired_tests
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Table

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array, Mask

#: What is before a score of the argument among what was said: ``ER-kappa``; a score alone is one of CASS.
EXPLICIT: Final = "ER-"


def check_tested(score: str) -> None:
    """Raise ``OptionError`` unless ``score`` can be tested: ``kappa``, ``ER-kappa`` …"""
    if score.removeprefix(EXPLICIT) not in SCORES:
        remedy = f"choose from {', '.join(SCORES)}, each also with {EXPLICIT} (among what was said)"
        raise OptionError(f"there is no score {score!r}", remedy=remedy)


def macro_value(macro: MacroScores, score: str, layer: ScoreLayer = "all") -> float | None:
    """The macro score that is tested: CASS of a layer, or of the argument among what was said."""
    if score.startswith(EXPLICIT):
        return macro.explicit[score.removeprefix(EXPLICIT)] if macro.explicit else None
    return macro.over[layer].cass[score]


def shown_score(score: str) -> str:
    """A tested score as tables write it.

    >>> shown_score("kappa"), shown_score("ER-f1"), shown_score("mcc")
    ('CASS-κ', 'ER-F1', 'CASS-mcc')
    """
    bare = score.removeprefix(EXPLICIT)
    return f"{'ER' if bare != score else 'CASS'}-{SHOWN.get(bare, bare)}"


@dataclass(frozen=True, slots=True, repr=False)
class Significance:
    """The macro scores of every system (``macro``, each over its own ``texts``), and the tests.

    A test is over the texts of both systems; its ``left_out`` are those that one lacks or in which one has no score.
    """

    texts: Mapping[str, int]
    macro: Mapping[str, Mapping[str, float | None]]
    tests: tuple[PairedTest, ...]
    rounds: int
    seed: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "texts": dict(self.texts),
            "layer": "all",
            "rounds": self.rounds,
            "seed": self.seed,
            "macro": {name: dict(scores) for name, scores in self.macro.items()},
            **paired_dict(self.tests, item="text", seed=self.seed),
        }


def paired_tests_table(tests: Sequence[PairedTest], seed: int, title: str = "Tests") -> Table:
    """Tests of macro scores over texts."""
    shown = [replace(test, score=shown_score(test.score)) for test in tests]
    return paired_table(shown, item="text", seed=seed, title=title)


def significance(
    systems: Mapping[str, CorpusComparison],
    scores: Sequence[str] = DEFAULT_TESTED,
    *,
    rounds: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
) -> Significance:
    """Test whether systems differ, every two of them, by their comparisons with one gold corpus (given first in each).

    A test is over the texts that both have and in which the score of both is defined; with comparisons made with
    ``missing="zero"``, what a system lacks counts 0. Pairs that share a gold map, in whichever comparison, are of one
    text. P-values are adjusted for each score over the pairs of systems.

    Args:
        scores: of CASS (``kappa``, ``f1`` …), or of the argument among what was said (``ER-kappa`` …); one that no
            system has is left out.
        rounds: rounds of the randomisation test; where there are at most so many patterns of exchange, all are counted.
        level: the confidence of the intervals of differences, between 0 and 1.

    Raises:
        InputError: no two systems have a text in common.
        OptionError: fewer than two systems, an unknown score, rounds, seed or level out of range.
    """
    import numpy as np

    if len(systems) < 2:
        raise OptionError("one system cannot be tested against itself", remedy="give two or more")
    for score in scores:
        check_tested(score)
    if len({(result.options, result.missing) for result in systems.values()}) > 1:
        raise OptionError("the systems were compared with different options", remedy="compare all with the same")
    sums = _sums_by_text(systems)
    order = list(dict.fromkeys(name for of_system in sums.values() for name in of_system.names))
    macro = {name: of_system.scores() for name, of_system in sums.items()}
    tests: list[PairedTest] = []
    kept = [score for score in scores if any(macro_value(of, score) is not None for of in macro.values())]
    for score in kept:
        columns = _columns(score)
        tables = {name: _table(of_system, order, columns) for name, of_system in sums.items()}
        defined: dict[str, Mask] = {name: np.all(table[:, 1::2] > 0, axis=1) for name, table in tables.items()}
        found = paired_tests(
            tables,
            _macro_score,
            score=score,
            rounds=rounds,
            seed=seed,
            level=level,
            defined=defined,
        )
        for test in found:
            both = defined[test.first] & defined[test.second]
            tests.append(replace(test, left_out=tuple(np.array(order, dtype=object)[~both])))
    if not any(test.test.items for test in tests):
        raise InputError("no text was done by two systems", remedy="compare with missing=zero, or pair otherwise")
    # Texts too long for the usual diff may be in the comparison of one system only: it says so.
    first = max(systems.values(), key=lambda result: "|axis:" in result.signature)
    drawn = f"ci:percentile.{level:.12g}.1000.{seed}"
    line = f"{signature_without(first.signature, 'ci')}|test:randomisation.{rounds}.{seed}|{drawn}"
    values = {name: {score: macro_value(of, score) for score in kept} for name, of in macro.items()}
    texts = {name: len(of_system.names) for name, of_system in sums.items()}
    return Significance(texts, values, tuple(tests), rounds, seed, line)


def _sums_by_text(systems: Mapping[str, CorpusComparison]) -> dict[str, MacroSums]:
    """The sums of every system by text; a text has one name in all of them."""
    from networkx.utils import UnionFind

    joined: UnionFind[Hashable] = UnionFind()
    for system, result in systems.items():
        for pair in result.pairs:
            joined.union(("gold", pair.names.first), *([(system, pair.text)] if pair.text else []))
    shown: dict[Hashable, str] = {}
    sums: dict[str, MacroSums] = {}
    for system, result in systems.items():
        sums[system] = MacroSums()
        lacking = result.unpaired[0] if result.missing == "zero" else ()
        for pair in (*result.pairs, *(missing_pair(name) for name in lacking)):
            gold = pair.names.first
            text = shown.setdefault(joined["gold", gold], pair.text or gold)
            sums[system].add(pair if pair.text == text else replace(pair, text=text))
    return sums


def _columns(score: str) -> list[PooledNumber]:
    if score.startswith(EXPLICIT):
        return [PooledNumber("score", EXPLICIT_RELATIONS.name, score.removeprefix(EXPLICIT))]
    return [PooledNumber("mean", "all", score), PooledNumber("S", "all")]


def _table(sums: MacroSums, order: Sequence[str], numbers: Sequence[PooledNumber]) -> Array:
    """For every text of ``order`` the mean of each number and 1, or twice 0 where the system has none."""
    import numpy as np

    known, rows = sums.table()
    places = [2 * known.index(number) + part for number in numbers for part in (0, 1)] if rows else []
    own = {name: [row[place] for place in places] for name, row in zip(sums.names, rows, strict=True)}
    return np.array([own.get(name, [0.0] * 2 * len(numbers)) for name in order])


def _macro_score(sums: Array) -> Array:
    """The macro score for every line of sums, the columns as in ``_table``."""
    means = sums[:, 0::2] / sums[:, 1::2]
    return fuse_arrays(means[:, 0], means[:, 1]) if means.shape[1] > 1 else means[:, 0]
