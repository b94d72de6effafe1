"""The numbers of a corpus from the results of its pairs (docs/measures.md, section 8).

*Macro*: the mean of M and the mean of S over the pairs, then fused (a mean of fused scores is biased, because CASS cuts
off at 0; it is given too, as ``mean_of_cass``). *Micro*: the scores of the summed matrices, S from the summed edits and
potential boundaries. A pair whose M is undefined takes no part in the mean of M.

Both go over the pairs once and keep sums only, so that the number of pairs costs no memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from aifgraph.comparison.breakdown import Breakdown, NameCounts, NameTotals
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, Scores, fuse, fused
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.comparison.options import Options
from aifgraph.comparison.result import ExpectedMeans, LayerMatches, Matches, PairResult
from aifgraph.comparison.segmentation import SegmentationScore
from aifgraph.comparison.sides import PairNames, Side
from aifgraph.stats.matrix import ConfusionMatrix, MatrixSum
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.text.segmentation import Edits


class MissingPair(PairResult):
    """The pair of a text that only one corpus has, where it counts: S, M and CASS are all 0 (above chance, too)."""

    @cached_property
    def over(self) -> dict[ScoreLayer, Fused]:
        """0 for every layer and score."""
        return {layer: Fused(dict.fromkeys(SCORES, 0.0), dict.fromkeys(SCORES, 0.0)) for layer in SCORE_LAYERS}

    @cached_property
    def chance(self) -> Chance | None:
        """0, too, where there are rounds of chance."""
        if self.expected is None:
            return None
        zero = dict.fromkeys(SCORES, 0.0)
        above = {layer: AboveChance(zero, zero, zero) for layer in SCORE_LAYERS}
        return Chance(self.expected.rounds, self.expected.seed, above)


def missing_pair(name: str, options: Options | None = None) -> MissingPair:
    """The pair of a text that only one corpus has."""
    side, none = Side("", name, "none", 0, 0, 0, 0, ""), LayerMatches(0, 0, 0)
    zero: Scores = dict.fromkeys(SCORES, 0.0)
    rounds = options and options.chance
    expected = ExpectedMeans(rounds, options.seed, dict.fromkeys(SCORE_LAYERS, zero)) if options and rounds else None
    return MissingPair(
        signature="",
        names=PairNames(name, name),
        first_side=side,
        second_side=side,
        text_overlap=None,
        matches=Matches(none, none),
        calculations={},
        name_counts=NameCounts(),
        segmentation=SegmentationScore("units", 0.0, None, None, None, None, 0.0, 0),
        messages=(),
        expected=expected,
    )


class Means:
    """Means of named values that may be undefined, in one pass."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, int]] = {}

    def add(self, values: Mapping[str, float | None]) -> None:
        sums = self._sums
        for name, value in values.items():
            if value is not None:
                total, count = sums.get(name, (0.0, 0))
                sums[name] = (total + value, count + 1)

    def __getitem__(self, name: str) -> float | None:
        total, count = self._sums.get(name, (0.0, 0))
        return total / count if count else None

    def count(self, name: str) -> int:
        """How many values the mean is over."""
        return self._sums.get(name, (0.0, 0))[1]


@dataclass(frozen=True)
class PooledScores:
    """S of a corpus, and M and CASS of the whole and of each layer: ``over["dialogical"].cass["kappa"]``."""

    S: float | None
    over: Mapping[ScoreLayer, Fused]

    @property
    def mean(self) -> Scores:
        """M of the whole, by score."""
        return self.over["all"].mean

    @property
    def cass(self) -> Scores:
        """CASS of the whole, by score: ``cass["kappa"]`` is CASS-κ."""
        return self.over["all"].cass

    @property
    def layers(self) -> dict[ScoreLayer, Fused]:
        """The same for each layer alone."""
        return {layer: scores for layer, scores in self.over.items() if layer != "all"}

    def cass_dict(self) -> dict[str, Any]:
        """CASS of the whole and of each layer (with its M) as plain values."""
        layers = {layer: {**scores.cass, "mean": scores.mean} for layer, scores in self.layers.items()}
        return {"cass": self.cass, "layers": layers}

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {**self.cass_dict(), "mean": self.mean, "S": self.S}


@dataclass(frozen=True)
class MacroScores(PooledScores):
    """Mean M and mean S over ``pairs`` pairs, fused; and the mean of the pairs' CASS.

    A pair without a layer takes no part in the mean of that layer: ``counts["dialogical"]["kappa"]`` is the number of
    pairs that its mean M-κ is over, and ``similarity_count`` that of the mean S. ``modes`` says how many of these S are
    of which mode (a map without a partner, where it counts, has none).
    ``chance`` has the means over pairs of what is defined: of M by chance, and of M above chance, fused with mean S;
    ``left_out`` counts the pairs that are not in the mean above chance, by layer and score.
    """

    mean_of_cass: Scores
    pairs: int
    counts: Mapping[ScoreLayer, Mapping[str, int]]
    similarity_count: int
    modes: Mapping[str, int] = field(default_factory=dict)
    chance: Chance | None = None
    left_out: Mapping[ScoreLayer, Mapping[str, int]] = field(default_factory=dict)

    def chance_dict(self, layer: ScoreLayer = "all") -> dict[str, Any]:
        """The whole or a layer against chance, under the key ``chance``; empty where it was not worked out."""
        if self.chance is None:
            return {}
        return {"chance": {**self.chance.to_dict(layer), "left_out": dict(self.left_out[layer])}}

    def cass_dict(self) -> dict[str, Any]:
        """CASS of the whole and of each layer, also against chance, as plain values."""
        data = super().cass_dict()
        layers = {layer: {**data["layers"][layer], **self.chance_dict(layer)} for layer in self.layers}
        return {**data, "layers": layers, **self.chance_dict()}

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            **super().to_dict(),
            "mean_of_cass": self.mean_of_cass,
            "pairs": {"S": self.similarity_count, "modes": self.modes, "mean": self.counts},
        }


@dataclass(frozen=True)
class SummedCalculation:
    """A calculation's matrix, summed over the pairs; ``calculation["kappa"]`` is a score of it, None if undefined.

    ``items`` is the sum of the sizes of its universes, None where that is not known.
    """

    matrix: ConfusionMatrix
    items: int | None = None

    @cached_property
    def scores(self) -> Scores:
        """Every score by name."""
        return score_all(self.matrix)

    def __getitem__(self, score: str) -> float | None:
        return self.scores[score]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        rows = [list(row) for row in self.matrix.rows]
        counted = {"items": self.items, "decisions": self.matrix.total}
        return {**counted, "labels": list(self.matrix.labels), "matrix": rows, **self.scores}


@dataclass(frozen=True)
class MicroScores(PooledScores):
    """The scores of the summed ``calculations``, by name, and S of the summed ``edits``."""

    calculations: Mapping[str, SummedCalculation]
    edits: Edits
    name_counts: NameCounts = field(default_factory=NameCounts)

    @cached_property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores, from the summed counts."""
        items = {name: summed.items for name, summed in self.calculations.items()}
        matrices = {name: summed.matrix for name, summed in self.calculations.items()}
        return Breakdown.of(matrices, items, self.name_counts)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        calculations = {name: calculation.to_dict() for name, calculation in self.calculations.items()}
        edits = {"edits": self.edits.weight, "potential": self.edits.potential}
        return {**super().to_dict(), "calculations": calculations, **edits}


class MacroSums:
    """The sums behind ``macro``, pair by pair."""

    def __init__(self) -> None:
        self._means = {layer: Means() for layer in SCORE_LAYERS}
        self._cass, self._similarities = Means(), Means()
        self._by_chance, self._above = ({layer: Means() for layer in SCORE_LAYERS} for _ in range(2))
        self._chance: Chance | None = None
        self._modes = {"positions": 0, "units": 0}
        self._count = 0

    def add(self, pair: PairResult) -> None:
        """Add a pair."""
        self._count += 1
        if pair.S is not None and not isinstance(pair, MissingPair):
            self._modes[pair.segmentation.mode] += 1
        self._similarities.add({"S": pair.S})
        self._cass.add(pair.cass)
        self._chance = self._chance or pair.chance
        for layer, over in pair.over.items():
            self._means[layer].add(over.mean)
            if pair.chance:
                self._by_chance[layer].add(pair.chance.over[layer].mean)
                self._above[layer].add(pair.chance.over[layer].above)

    def scores(self) -> MacroScores:
        """Mean M and mean S, fused, and the mean of the pairs' CASS."""
        similarity = self._similarities["S"]
        over: dict[ScoreLayer, Fused] = {}
        for layer in SCORE_LAYERS:
            mean = {name: self._means[layer][name] for name in SCORES}
            over[layer] = Fused(mean, {name: fuse(value, similarity) for name, value in mean.items()})
        counts: dict[ScoreLayer, Mapping[str, int]] = {
            layer: {name: self._means[layer].count(name) for name in SCORES} for layer in SCORE_LAYERS
        }
        cass = {name: self._cass[name] for name in SCORES}
        of_similarity = self._similarities.count("S")
        scores = MacroScores(similarity, over, cass, self._count, counts, of_similarity, dict(self._modes))
        return scores if self._chance is None else self._against_chance(scores, self._chance)

    def _against_chance(self, scores: MacroScores, chance: Chance) -> MacroScores:
        against: dict[ScoreLayer, AboveChance] = {}
        for layer in SCORE_LAYERS:
            values = {name: self._above[layer][name] for name in SCORES}
            cass = {name: fuse(value, scores.S) for name, value in values.items()}
            against[layer] = AboveChance({name: self._by_chance[layer][name] for name in SCORES}, values, cass)
        left_out = {
            layer: {name: self._count - self._above[layer].count(name) for name in SCORES} for layer in SCORE_LAYERS
        }
        return replace(scores, chance=Chance(chance.rounds, chance.seed, against), left_out=left_out)


class MicroSums:
    """The sums behind ``micro``, pair by pair."""

    def __init__(self) -> None:
        self._sums: dict[str, MatrixSum] = {}
        self._items: Counter[str] = Counter()
        self._edits, self._words = Edits(), False
        self._names = NameTotals()

    def add(self, pair: PairResult) -> None:
        """Add a pair."""
        self._names.add(pair.name_counts)
        self._edits += pair.segmentation.edits
        self._words = self._words or pair.S is not None
        for name, matrix in pair.matrices.items():
            self._items[name] += pair.calculations[name].items_total
            if name in self._sums:
                self._sums[name].add(matrix)
            else:
                self._sums[name] = MatrixSum(matrix)

    def scores(self, *, mean_of_layers: bool) -> MicroScores:
        """The scores of the sums; ``mean_of_layers`` as in ``fused``."""
        sums = self._sums
        totals = {name: sums[name].total for names in LAYERS.values() for name in names if name in sums}
        return micro_scores(
            totals, self._edits, self._words, self._items, self._names.total, mean_of_layers=mean_of_layers
        )


class CorpusSums:
    """All sums over the pairs of a corpus in one pass; their size does not depend on the number of pairs.

    ``warnings`` is how many warnings the pairs have, ``anchors`` whether a text was too long for the usual diff.
    """

    def __init__(self, pairs: Iterable[PairResult] = ()) -> None:
        self.macro, self.micro = MacroSums(), MicroSums()
        self._measures, self._measure_names = Means(), dict[str, None]()
        self.warnings, self.anchors = 0, False
        for pair in pairs:
            self.add(pair)

    def add(self, pair: PairResult) -> None:
        """Add a pair."""
        self.macro.add(pair)
        self.micro.add(pair)
        self._measures.add(pair.measures)
        self._measure_names |= dict.fromkeys(pair.measures)
        self.warnings += len(pair.messages)
        self.anchors = self.anchors or pair.anchors

    @property
    def measures(self) -> dict[str, float | None]:
        """The mean of every measure other than CASS over the pairs that have it."""
        return {name: self._measures[name] for name in self._measure_names}


def macro(pairs: Iterable[PairResult]) -> MacroScores:
    """Mean M and mean S over pairs, fused; and the mean of the pairs' CASS."""
    sums = MacroSums()
    for pair in pairs:
        sums.add(pair)
    return sums.scores()


def micro_scores(
    totals: Mapping[str, ConfusionMatrix],
    edits: Edits,
    words: bool,
    items: Mapping[str, int] | None = None,
    name_counts: NameCounts | None = None,
    *,
    mean_of_layers: bool = False,
) -> MicroScores:
    """M and CASS of summed matrices by calculation and of summed edits; S is undefined if no pair has ``words``."""
    known = items or {}
    calculations = {name: SummedCalculation(matrix, known.get(name)) for name, matrix in totals.items()}
    similarity = edits.similarity if words else None
    over: dict[ScoreLayer, Fused] = {}
    for layer in SCORE_LAYERS:
        scores = {
            name: summed.scores for name, summed in calculations.items() if layer == "all" or name in LAYERS[layer]
        }
        over[layer] = fused(
            scores,
            SCORES,
            similarity,
            one_sided=False,
            wordless=similarity is None,
            mean_of_layers=mean_of_layers,
        )
    return MicroScores(similarity, over, calculations, edits, name_counts or NameCounts())
