"""What a corpus keeps of each pair, and the numbers of the whole (docs/measures.md, section 8).

*Macro*: the mean of M and the mean of S over the pairs, then fused (a mean of fused scores is biased, because CASS cuts
off at 0; it stands beside as ``mean_of_cass``). *Micro*: the scores of the summed matrices, S from the summed edits and
potential boundaries. A pair whose M is undefined takes no part in the mean of M.

Both go over the pairs once and keep sums only, so that the number of pairs costs no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import fuse, fused
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.measures.registry import measure_all
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.text.segmentation import Edits

Scores = dict[str, float | None]

#: The whole, and each layer alone.
ALL_LAYERS = ("", *LAYERS)


@dataclass(frozen=True, slots=True)
class PairSummary:
    """The additive counts and the scores of one pair; a text that only one side has (``missing="zero"``) is all 0.

    ``matrices`` holds the calculations that apply; ``means`` and ``cass`` are by layer, ``""`` being the whole.
    """

    name: str
    S: float | None
    edits: Edits
    matrices: dict[str, ConfusionMatrix]
    means: dict[str, Scores]
    cass: dict[str, Scores]
    warnings: tuple[str, ...] = ()
    measures: Scores = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of calculations that apply."""
        return len(self.matrices)


def summary_of(result: Comparison, name: str, measures: Iterable[str] = ()) -> PairSummary:
    """What a corpus keeps of a comparison, with ``measures`` beside CASS."""
    return PairSummary(
        name,
        result.segmentation.S,
        result.segmentation.edits,
        {key: each.matrix for key, each in result.calculations.items() if each.applicable},
        {"": result.mean, **{layer: each.mean for layer, each in result.layers.items()}},
        {"": result.cass, **{layer: each.cass for layer, each in result.layers.items()}},
        tuple(notice.message for notice in result.warnings),
        measure_all(result.alignment, measures),
    )


def missing_summary(name: str) -> PairSummary:
    """The pair of a text that only one side has, where it is to count as 0."""
    zero: Scores = dict.fromkeys(SCORES, 0.0)
    return PairSummary(name, 0.0, Edits(), {}, dict.fromkeys(ALL_LAYERS, zero), dict.fromkeys(ALL_LAYERS, zero))


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


def macro(pairs: Iterable[PairSummary]) -> dict[str, Any]:
    """Mean M and mean S over pairs, fused; and the mean of the pairs' CASS."""
    means, cass_means, similarities = {layer: Means() for layer in ALL_LAYERS}, Means(), Means()
    for pair in pairs:
        similarities.add({"S": pair.S})
        cass_means.add(pair.cass[""])
        for layer in ALL_LAYERS:
            means[layer].add(pair.means[layer])
    similarity = similarities["S"]
    mean = {layer: {name: means[layer][name] for name in SCORES} for layer in ALL_LAYERS}
    cass = {layer: {name: fuse(value, similarity) for name, value in mean[layer].items()} for layer in ALL_LAYERS}
    return {
        "cass": cass[""],
        "layers": {layer: {**cass[layer], "mean": mean[layer]} for layer in LAYERS},
        "mean": mean[""],
        "S": similarity,
        "mean_of_cass": {name: cass_means[name] for name in SCORES},
    }


def micro(pairs: Iterable[PairSummary]) -> dict[str, Any]:
    """The scores of the summed counts."""
    sums: dict[str, ConfusionMatrix] = {}
    edits, words = Edits(), False
    for pair in pairs:
        edits += pair.edits
        words = words or pair.S is not None
        for name, matrix in pair.matrices.items():
            sums[name] = sums[name] + matrix if name in sums else matrix
    totals = {name: sums[name] for names in LAYERS.values() for name in names if name in sums}
    return micro_scores(totals, edits.similarity if words else None) | {
        "edits": edits.weight,
        "potential": edits.potential,
    }


def micro_scores(totals: Mapping[str, ConfusionMatrix], similarity: float | None) -> dict[str, Any]:
    """M and CASS of summed matrices by calculation and of a pooled S, and the scores of each matrix."""
    scores = {name: score_all(matrix) for name, matrix in totals.items()}
    over = {
        layer: fused(
            [scores[name] for name in totals if layer == "" or name in LAYERS[layer]],
            SCORES,
            similarity,
            one_sided=False,
            wordless=similarity is None,
        )
        for layer in ALL_LAYERS
    }
    return {
        "cass": over[""].cass,
        "layers": {layer: {**over[layer].cass, "mean": over[layer].mean} for layer in LAYERS},
        "mean": over[""].mean,
        "S": similarity,
        "calculations": {
            name: {
                "items": matrix.total,
                "labels": list(matrix.labels),
                "matrix": [list(row) for row in matrix.rows],
                **scores[name],
            }
            for name, matrix in totals.items()
        },
    }
