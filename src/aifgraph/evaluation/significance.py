"""Are two systems, held against one gold corpus, really different?

The paired approximate randomisation test over texts: in each round the two systems' results on every text are swapped
with probability ½, and the difference of their macro CASS is looked at again (``aifgraph.stats.randomisation``). With
several systems every two of them are tested, and the p-values are adjusted after Holm.

Sources: Noreen (1989); Yeh (2000), More accurate tests for the statistical significance of result differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.compare_corpora import CorpusComparison
from aifgraph.evaluation.pooled import ALL_LAYERS, PairSummary, macro, missing_summary
from aifgraph.stats.randomisation import RandomisationTest, holm, randomisation_test_of
from aifgraph.stats.scores import SCORES

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


@dataclass(frozen=True, slots=True)
class Significance:
    """The macro CASS of every system by score, over the ``texts`` they are compared on, and the tests."""

    texts: int
    left_out: tuple[str, ...]
    cass: Mapping[str, Mapping[str, float | None]]
    tests: tuple[SystemTest, ...]
    layer: str
    rounds: int
    seed: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "texts": self.texts,
            "left_out": list(self.left_out),
            "layer": self.layer or "all",
            "rounds": self.rounds,
            "seed": self.seed,
            "cass": {name: dict(scores) for name, scores in self.cass.items()},
            "tests": [
                {
                    "first": each.first,
                    "second": each.second,
                    "score": each.score,
                    "difference": each.test.difference,
                    "p": each.test.p,
                    "p_holm": each.adjusted,
                    **({"reason": each.test.reason} if each.test.reason else {}),
                }
                for each in self.tests
            ],
        }


def significance(
    systems: Mapping[str, CorpusComparison],
    scores: Sequence[str] = ("kappa", "f1"),
    *,
    layer: str = "",
    rounds: int = 10_000,
    seed: int = 0,
) -> Significance:
    """Test every two of ``systems``: each one's comparison with the same gold corpus, the gold one first.

    Texts on which not every system was compared are left out, unless the comparisons were made with ``missing="zero"``,
    where what a system lacks counts 0. P-values are adjusted for each score over the pairs of systems.

    Raises:
        InputError: no text is common to all.
        OptionError: fewer than two systems, an unknown score or layer, rounds or seed out of range.
    """
    if len(systems) < 2:
        raise OptionError("one system cannot be tested against itself", remedy="give two or more")
    if layer not in ALL_LAYERS:
        raise OptionError(f"there is no layer {layer!r}", remedy=f"choose from {', '.join(ALL_LAYERS[1:])}")
    for score in scores:
        if score not in SCORES:
            raise OptionError(f"there is no score {score!r}", remedy=f"choose from {', '.join(SCORES)}")
    if len({result.signature for result in systems.values()}) > 1:
        raise OptionError("the systems were compared with different options", remedy="compare all with the same")
    zero = next(iter(systems.values())).missing == "zero"
    by_text: dict[str, dict[str, PairSummary]] = {}
    for name, result in systems.items():
        by_text[name] = {_gold(pair.name): pair for pair in result.pairs}
        if zero:
            by_text[name] |= {text: missing_summary(text) for text in result.unpaired[0]}
    everywhere = set.intersection(*(set(texts) for texts in by_text.values()))
    some = dict.fromkeys(text for texts in by_text.values() for text in texts)
    order = [text for text in some if text in everywhere]
    if not order:
        raise InputError("no text was done by all systems", remedy="compare with missing=zero, or pair otherwise")
    kept = {name: [texts[text] for text in order] for name, texts in by_text.items()}
    pooled = {name: macro(pairs) for name, pairs in kept.items()}
    tests: list[SystemTest] = []
    for score in scores:
        rows = {name: [_row(pair, layer, score) for pair in pairs] for name, pairs in kept.items()}
        pairs_of = list(combinations(systems, 2))
        found = [randomisation_test_of(rows[a], rows[b], _fused, rounds=rounds, seed=seed) for a, b in pairs_of]
        adjusted = holm([test.p for test in found])
        tests += [SystemTest(a, b, score, test, p) for (a, b), test, p in zip(pairs_of, found, adjusted, strict=True)]
    cass = {
        name: {score: (each["layers"][layer] if layer else each["cass"])[score] for score in scores}
        for name, each in pooled.items()
    }
    line = f"{next(iter(systems.values())).signature}|test:randomisation.{rounds}.{seed}"
    return Significance(
        len(order), tuple(t for t in some if t not in everywhere), cass, tuple(tests), layer, rounds, seed, line
    )


def _gold(name: str) -> str:
    return name.partition(" ~ ")[0]


def _row(pair: PairSummary, layer: str, score: str) -> tuple[float, float, float, float]:
    mean, similarity = pair.means[layer][score], pair.S
    return (mean or 0.0, float(mean is not None), similarity or 0.0, float(similarity is not None))


def _fused(sums: Array) -> Array:
    import numpy as np

    mean, similarity = sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]
    fused: Array = np.where((mean <= 0) | (similarity <= 0), 0.0, 2 * mean * similarity / (mean + similarity))
    return np.where(np.isnan(mean + similarity), np.nan, fused)
