"""What a corpus keeps of each pair, and the numbers of the whole (docs/measures.md, section 8).

*Macro*: the mean of M and the mean of S over the pairs, then fused (a mean of fused scores is biased, because CASS cuts
off at 0; it is given too, as ``mean_of_cass``). *Micro*: the scores of the summed matrices, S from the summed edits and
potential boundaries. A pair whose M is undefined takes no part in the mean of M.

Both go over the pairs once and keep sums only, so that the number of pairs costs no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from aifgraph.comparison.breakdown import Breakdown, NameCounts, NameTotals
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, Scores, fuse, fused
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.measures.registry import measure_all
from aifgraph.comparison.options import Options
from aifgraph.stats.matrix import ConfusionMatrix, MatrixSum
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.text.segmentation import Edits


@dataclass(frozen=True, slots=True)
class PairNames:
    """The names of the two maps of a pair, each as its corpus calls it."""

    first: str
    second: str

    @property
    def shown(self) -> str:
        """The name that both have, or both names; for people, not a key: ``a ~ b`` may be the name of a map."""
        return self.first if self.first == self.second else f"{self.first} ~ {self.second}"


@dataclass(frozen=True, slots=True)
class PairSummary:
    """The additive counts and the scores of one pair; a text that only one side has (``missing="zero"``) is all 0.

    ``matrices`` holds the calculations that apply; ``means`` and ``cass`` are by layer, ``all`` being the whole.
    ``names_given`` is what a breakdown needs besides the matrices; ``anchors`` says that the texts were too long
    for the usual diff. ``chance`` is there where it was worked out. ``mode`` is that of S: ``positions`` or ``units``;
    ``inputs`` are the hashes of the two maps, where the signature is to have them.
    """

    names: PairNames
    S: float | None
    edits: Edits
    matrices: Mapping[str, ConfusionMatrix]
    means: Mapping[ScoreLayer, Scores]
    cass: Mapping[ScoreLayer, Scores]
    warnings: tuple[str, ...] = ()
    measures: Scores = field(default_factory=dict)
    names_given: NameCounts = field(default_factory=NameCounts)
    anchors: bool = False
    chance: Chance | None = None
    mode: str = ""
    inputs: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """The pair's name as people see it."""
        return self.names.shown

    @property
    def n(self) -> int:
        """The number of calculations that apply."""
        return len(self.matrices)


def summary_of(result: Comparison, names: PairNames, measures: Iterable[str] = ()) -> PairSummary:
    """What a corpus keeps of a comparison, with ``measures`` other than CASS."""
    layers = {layer: result.layers[layer] for layer in SCORE_LAYERS if layer != "all"}
    return PairSummary(
        names,
        result.segmentation.S,
        result.segmentation.edits,
        {key: scored.matrix for key, scored in result.calculations.items() if scored.applicable},
        {"all": result.mean, **{layer: scores.mean for layer, scores in layers.items()}},
        {"all": result.cass, **{layer: scores.cass for layer, scores in layers.items()}},
        tuple(notice.message for notice in result.warnings),
        measure_all(result.alignment, measures),
        result.name_counts,
        result.anchors,
        result.chance,
        result.segmentation.mode,
        result.input_hashes if result.options.hashes else None,
    )


def missing_summary(name: str, options: Options | None = None) -> PairSummary:
    """The pair of a text that only one side has, where it is to count as 0 (above chance too, with that option)."""
    zero: dict[ScoreLayer, Scores] = dict.fromkeys(SCORE_LAYERS, dict.fromkeys(SCORES, 0.0))
    chance: Chance | None = None
    if options and options.chance:
        over = {layer: AboveChance(zero[layer], zero[layer], zero[layer]) for layer in SCORE_LAYERS}
        chance = Chance(options.chance, options.seed, over)
    return PairSummary(PairNames(name, name), 0.0, Edits(), {}, zero, zero, chance=chance)


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
    names_given: NameCounts = field(default_factory=NameCounts)

    @cached_property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores, from the summed counts."""
        return Breakdown.of({name: summed.matrix for name, summed in self.calculations.items()}, self.names_given)

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

    def add(self, pair: PairSummary) -> None:
        """Add a pair."""
        self._count += 1
        if pair.mode and pair.S is not None:
            self._modes[pair.mode] += 1
        self._similarities.add({"S": pair.S})
        self._cass.add(pair.cass["all"])
        self._chance = self._chance or pair.chance
        for layer in SCORE_LAYERS:
            self._means[layer].add(pair.means[layer])
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
        self._edits, self._words = Edits(), False
        self._names_given = NameTotals()

    def add(self, pair: PairSummary) -> None:
        """Add a pair."""
        sums = self._sums
        self._names_given.add(pair.names_given)
        self._edits += pair.edits
        self._words = self._words or pair.S is not None
        for name, matrix in pair.matrices.items():
            if name in sums:
                sums[name].add(matrix)
            else:
                sums[name] = MatrixSum(matrix)

    def scores(self, *, mean_of_layers: bool) -> MicroScores:
        """The scores of the sums; ``mean_of_layers`` as in ``fused``."""
        sums = self._sums
        totals = {name: sums[name].total for names in LAYERS.values() for name in names if name in sums}
        named = self._names_given.total
        return micro_scores(totals, self._edits, self._words, named, mean_of_layers=mean_of_layers)


def macro(pairs: Iterable[PairSummary]) -> MacroScores:
    """Mean M and mean S over pairs, fused; and the mean of the pairs' CASS."""
    sums = MacroSums()
    for pair in pairs:
        sums.add(pair)
    return sums.scores()


def micro(pairs: Iterable[PairSummary], *, mean_of_layers: bool = False) -> MicroScores:
    """The scores of the summed counts; ``mean_of_layers`` as in ``fused``."""
    sums = MicroSums()
    for pair in pairs:
        sums.add(pair)
    return sums.scores(mean_of_layers=mean_of_layers)


def micro_scores(
    totals: Mapping[str, ConfusionMatrix],
    edits: Edits,
    words: bool,
    names_given: NameCounts | None = None,
    *,
    mean_of_layers: bool = False,
) -> MicroScores:
    """M and CASS of summed matrices by calculation and of summed edits; S is undefined if no pair has ``words``."""
    counts = names_given or NameCounts()
    calculations = {name: SummedCalculation(matrix, counts.items.get(name)) for name, matrix in totals.items()}
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
    return MicroScores(similarity, over, calculations, edits, counts)
