"""Are two systems, compared with one gold corpus, really different?

The paired approximate randomisation test over texts: in each round the two systems' results on every text are swapped
with probability ½, and the difference of their macro CASS is computed again (``aifgraph.stats.randomisation``). With
several systems every two of them are tested, and the p-values are adjusted after Holm.

Sources: Noreen (1989); Yeh (2000), More accurate tests for the statistical significance of result differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer, fuse_arrays
from aifgraph.comparison.result import PairResult
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.pooled import macro, missing_pair
from aifgraph.stats.randomisation import RandomisationTest, holm, randomisation_tests
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array


@dataclass(frozen=True, slots=True)
class SystemTest:
    """Two systems by name, the difference of their macro CASS (first − second), p, and p after Holm."""

    first: str
    second: str
    score: str
    test: RandomisationTest
    adjusted: float | None

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "first": self.first,
            "second": self.second,
            "score": self.score,
            "difference": self.test.difference,
            "p": self.test.p,
            "p_holm": self.adjusted,
            **({"reason": self.test.reason} if self.test.reason else {}),
        }


@dataclass(frozen=True, slots=True)
class Significance:
    """The macro CASS of every system by score, over the ``texts`` they are compared on, and the tests."""

    texts: int
    left_out: tuple[str, ...]
    cass: Mapping[str, Mapping[str, float | None]]
    tests: tuple[SystemTest, ...]
    layer: ScoreLayer
    rounds: int
    seed: int
    signature: str

    def tables(self) -> list[Table]:
        """The systems, and every test."""
        scores = list(next(iter(self.cass.values())))
        systems: list[list[Cell]] = [[name, *(cass[score] for score in scores)] for name, cass in self.cass.items()]
        tests: list[list[Cell]] = [
            [test.first, test.second, test.score, test.test.difference, test.test.p, test.adjusted]
            for test in self.tests
        ]
        note = f"{self.texts} texts" + (f"; {len(self.left_out)} left out" if self.left_out else "")
        how = (
            f"paired approximate randomisation, {self.rounds} rounds, seed {self.seed}; Holm over the pairs of a score"
        )
        return [
            Table(f"Macro CASS ({self.layer})", ("system", *scores), systems, note=note),
            Table("Tests", ("first", "second", "score", "difference", "p", "p (Holm)"), tests, digits=4, note=how),
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "texts": self.texts,
            "left_out": list(self.left_out),
            "layer": self.layer,
            "rounds": self.rounds,
            "seed": self.seed,
            "cass": {name: dict(scores) for name, scores in self.cass.items()},
            "tests": [test.to_dict() for test in self.tests],
        }


def significance(
    systems: Mapping[str, CorpusComparison],
    scores: Sequence[str] = ("kappa", "f1"),
    *,
    layer: ScoreLayer = "all",
    rounds: int = 10_000,
    seed: int = 0,
) -> Significance:
    """Test whether systems differ, every two of them, by their comparisons with one gold corpus (given first in each).

    Texts on which not every system was compared are left out, unless the comparisons were made with ``missing="zero"``,
    where what a system lacks counts 0. P-values are adjusted for each score over the pairs of systems.

    Args:
        layer: of which layer: ``all``, ``propositional`` or ``dialogical``.
        rounds: rounds of the randomisation test.

    Raises:
        InputError: no text is common to all; a map of the gold corpus is in several pairs of one comparison.
        OptionError: fewer than two systems, an unknown score or layer, rounds or seed out of range.
    """
    if len(systems) < 2:
        raise OptionError("one system cannot be tested against itself", remedy="give two or more")
    if layer not in SCORE_LAYERS:
        raise OptionError(f"there is no layer {layer!r}", remedy=f"choose from {', '.join(SCORE_LAYERS)}")
    for score in scores:
        if score not in SCORES:
            raise OptionError(f"there is no score {score!r}", remedy=f"choose from {', '.join(SCORES)}")
    if len({(result.options, result.missing) for result in systems.values()}) > 1:
        raise OptionError("the systems were compared with different options", remedy="compare all with the same")
    zero = next(iter(systems.values())).missing == "zero"
    by_text: dict[str, dict[str, PairResult]] = {}
    for name, result in systems.items():
        by_text[name] = _by_gold_map(name, result)
        if zero:
            by_text[name] |= {text: missing_pair(text) for text in result.unpaired[0]}
    everywhere = set.intersection(*(set(texts) for texts in by_text.values()))
    texts_of_any = dict.fromkeys(text for texts in by_text.values() for text in texts)
    order = [text for text in texts_of_any if text in everywhere]
    if not order:
        raise InputError("no text was done by all systems", remedy="compare with missing=zero, or pair otherwise")
    common = {name: [texts[text] for text in order] for name, texts in by_text.items()}
    pooled = {name: macro(pairs) for name, pairs in common.items()}
    tests: list[SystemTest] = []
    for score in scores:
        rows = {name: [_row(pair, layer, score) for pair in pairs] for name, pairs in common.items()}
        results = randomisation_tests(rows, _cass, rounds=rounds, seed=seed)
        adjusted = holm([test.p for test in results.values()])
        tests += [SystemTest(*pair, score, test, p) for (pair, test), p in zip(results.items(), adjusted, strict=True)]
    cass = {name: {score: scored.over[layer].cass[score] for score in scores} for name, scored in pooled.items()}
    # Texts too long for the usual diff may be in the comparison of one system only: it says so.
    first = max(systems.values(), key=lambda result: "|axis:" in result.signature)
    line = f"{first.signature}|test:randomisation.{rounds}.{seed}"
    left_out = tuple(text for text in texts_of_any if text not in everywhere)
    return Significance(len(order), left_out, cass, tuple(tests), layer, rounds, seed, line)


def _by_gold_map(system: str, result: CorpusComparison) -> dict[str, PairResult]:
    """The pairs by the name of the gold map."""
    by_text: dict[str, PairResult] = {}
    for pair in result.pairs:
        if pair.names.first in by_text:
            raise InputError(
                "a map of the gold corpus is in several pairs",
                where=f"{system}: {pair.names.first}",
                remedy="pair each of its maps with one map",
            )
        by_text[pair.names.first] = pair
    return by_text


def _row(pair: PairResult, layer: ScoreLayer, score: str) -> tuple[float, float, float, float]:
    mean, similarity = pair.over[layer].mean[score], pair.S
    return (mean or 0.0, float(mean is not None), similarity or 0.0, float(similarity is not None))


def _cass(sums: Array) -> Array:
    """Macro CASS for every line of sums, the columns as in ``_row``."""
    return fuse_arrays(sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3])
