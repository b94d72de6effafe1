"""What a corpus keeps of each pair, and the numbers of the whole (the CASS page, section 8).

*Macro*: the mean of M and the mean of S over the pairs, then fused (a mean of fused scores is biased, because CASS cuts
off at 0; it stands beside as ``mean_of_cass``). *Micro*: the scores of the summed matrices, S from the summed edits and
potential boundaries. A pair whose M is undefined takes no part in the mean of M.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from aifgraph.calculations.all import LAYERS
from aifgraph.corpus.comparison import Comparison
from aifgraph.metrics.cass import fuse, fused, mean_of
from aifgraph.stats.matrix import ConfusionMatrix, summed
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.text.segmentation import Edits

Scores = dict[str, float | None]


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
    wordless: bool = False

    @property
    def n(self) -> int:
        """The number of calculations that apply."""
        return len(self.matrices)


def summary_of(result: Comparison, name: str) -> PairSummary:
    """What a corpus keeps of a comparison."""
    return PairSummary(
        name,
        result.segmentation.S,
        result.segmentation.edits,
        {key: each.matrix for key, each in result.calculations.items() if each.applicable},
        {"": result.mean, **{layer: each.mean for layer, each in result.layers.items()}},
        {"": result.cass, **{layer: each.cass for layer, each in result.layers.items()}},
        tuple(notice.message for notice in result.warnings),
        result.wordless,
    )


def missing_summary(name: str) -> PairSummary:
    """The pair of a text that only one side has, where it is to count as 0."""
    zero: Scores = dict.fromkeys(SCORES, 0.0)
    layers = ("", *LAYERS)
    return PairSummary(name, 0.0, Edits(), {}, dict.fromkeys(layers, zero), dict.fromkeys(layers, zero))


def macro(pairs: Sequence[PairSummary]) -> dict[str, Any]:
    """Mean M and mean S over pairs, fused; and the mean of the pairs' CASS."""
    similarity = mean_of(pair.S for pair in pairs)
    means = {
        layer: {name: mean_of(pair.means[layer][name] for pair in pairs) for name in SCORES} for layer in ("", *LAYERS)
    }
    cass = {layer: {name: fuse(mean, similarity) for name, mean in scores.items()} for layer, scores in means.items()}
    return {
        "cass": cass[""],
        "layers": {layer: {**cass[layer], "mean": means[layer]} for layer in LAYERS},
        "mean": means[""],
        "S": similarity,
        "mean_of_cass": {name: mean_of(pair.cass[""][name] for pair in pairs) for name in SCORES},
    }


def micro(pairs: Iterable[PairSummary]) -> dict[str, Any]:
    """The scores of the summed counts."""
    listed = list(pairs)
    totals = {
        name: summed(pair.matrices[name] for pair in listed if name in pair.matrices)
        for names in LAYERS.values()
        for name in names
        if any(name in pair.matrices for pair in listed)
    }
    edits = sum((pair.edits for pair in listed), Edits())
    similarity = edits.similarity if listed else None
    scores = {name: score_all(matrix) for name, matrix in totals.items()}
    over = {
        layer: fused(
            [scores[name] for name in totals if layer == "" or name in LAYERS[layer]],
            SCORES,
            similarity,
            one_sided=False,
            wordless=all(pair.wordless for pair in listed),
        )
        for layer in ("", *LAYERS)
    }
    return {
        "cass": over[""].cass,
        "layers": {layer: {**over[layer].cass, "mean": over[layer].mean} for layer in LAYERS},
        "mean": over[""].mean,
        "S": similarity,
        "edits": edits.weight,
        "potential": edits.potential,
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
