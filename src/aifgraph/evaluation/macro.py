"""Macro numbers: means over texts of the means over a text's pairs (docs/measures.md, section 8).

M and S are of the pairs in which M-kappa and S are defined. CASS fuses the means, since a mean of fused scores is
biased: CASS is never below 0, and M can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from aifgraph.comparison.cass import ScoreLayer, fuse
from aifgraph.comparison.chance import AboveChance
from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.pooled import Number, TextTable, mean_table
from aifgraph.evaluation.record import Outcome
from aifgraph.stats.resampling import Array
from aifgraph.stats.scores import SCORES

#: What the layers are called, by their names in a pair's result; the whole has no name.
PARTS: Final[Mapping[ScoreLayer, str]] = {"all": "", "propositional": "argument", "dialogical": "dialogue"}

Values = Iterator[tuple[Number, float | None]]


def macro_table(outcomes: Iterable[Outcome], *, chance: bool = False) -> TextTable:
    """Return the table of the texts of all pairs that could be compared.

    Its numbers: S, M and CASS of each layer; ER; ``mean CASS``, of the pairs; further measures. With chance also E, M'
    and CASS' of each layer, and E(ER) and ER', which with ``chance`` have a place even where no pair has them.
    """
    row_of: dict[str, int] = {}
    rows: list[int] = []
    values: list[Array] = []
    numbers: list[Number] = []
    for outcome in outcomes:
        if pair := outcome.result:
            numbers = numbers or list(_numbers(pair, chance or bool(pair.expected)))
            known = dict(_missing_values(pair, numbers) if outcome.missing else _pair_values(pair))
            values.append(np.array([known.get(number) for number in numbers], dtype=np.float64))
            rows.append(row_of.setdefault(outcome.text, len(row_of)))
    by_pair = np.array(values).reshape(len(rows), len(numbers))
    defined = np.isfinite(by_pair)
    sums, counts = np.zeros((2, len(row_of), len(numbers)))
    places = np.array(rows, dtype=np.intp)
    np.add.at(sums, places, np.where(defined, by_pair, 0))
    np.add.at(counts, places, defined)
    with np.errstate(all="ignore"):
        means = dict(zip(numbers, (sums / counts).T, strict=True))
    pairs = dict(zip(numbers, counts.T, strict=True))
    # M and S are of the same texts, but where a score is undefined.
    pairs |= {cass: pairs[similarity] for cass, (_, similarity) in _fused(numbers).items()}
    return mean_table(list(row_of), means, pairs, _with_cass)


def _with_cass(means: Mapping[Number, Array]) -> Mapping[Number, Array]:
    fused = {cass: fuse(means[mean], means[similarity]) for cass, (mean, similarity) in _fused(means).items()}
    return {**means, **fused}


def _fused(numbers: Iterable[Number]) -> dict[Number, tuple[Number, Number]]:
    """Return each number that is fused, with its M and its S."""
    fused = {}
    for number in numbers:
        if number.what == "M":
            fused[number._replace(what="CASS")] = number, Number("S", "", number.part)
        elif number.what == "M'":
            fused[number._replace(what="CASS'")] = number, number._replace(what="S'")
    return fused


def _numbers(pair: PairResult, chance: bool) -> Iterator[Number]:
    """Yield the numbers that have means, as a pair made with the same options has them."""
    of_layers = ["M", *(("E", "M'", "S'") if chance else ())]
    for part in PARTS.values():
        yield Number("S", "", part)
        yield from (Number(what, score, part) for what in of_layers for score in SCORES)
    yield from (Number("CASS", score, "mean") for score in SCORES)
    of_whole = ["ER", *(("E(ER)", "ER'") if chance else ())]
    yield from (Number(what, score) for what in of_whole for score in SCORES)
    yield from map(Number, pair.measures)


def _pair_values(pair: PairResult) -> Values:
    chance = pair.chance
    for layer, part in PARTS.items():
        means = pair.layers[layer].mean
        if pair.S is None or means["kappa"] is None:
            continue
        yield Number("S", "", part), pair.S
        yield from ((Number("M", score, part), mean) for score, mean in means.items())
        if chance:
            for score, expected, above in _against_chance(chance[layer]):
                yield Number("E", score, part), expected
                yield Number("M'", score, part), above
                yield Number("S'", score, part), pair.S
    yield from ((Number("CASS", score, "mean"), cass) for score, cass in pair.cass.items())
    if pair.explicit:
        yield from ((Number("ER", score), value) for score, value in pair.explicit.scores.items())
    if "explicit" in chance:
        for score, expected, above in _against_chance(chance["explicit"]):
            yield Number("E(ER)", score), expected
            yield Number("ER'", score), above
    yield from ((Number(name), value) for name, value in pair.measures.items())


def _missing_values(pair: PairResult, numbers: Iterable[Number]) -> Values:
    """Yield 0 for what a text counts in that only one corpus has, from its comparison with an empty map."""
    layers = {part for layer, part in PARTS.items() if pair.layers[layer].mean["kappa"] is not None}
    for number in numbers:
        applies = pair.explicit is not None if "ER" in number.what else number.part in {"", "mean", *layers}
        if applies and number.what not in pair.measures:
            yield number, 0.0


def _against_chance(chance: AboveChance) -> Iterator[tuple[str, float, float]]:
    """Yield each score with its value by chance and above it, where both are defined."""
    for score, above in chance.above.items():
        expected = chance.mean[score]
        if above is not None and expected is not None:
            yield score, expected, above
