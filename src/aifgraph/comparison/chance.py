"""What a score would be by chance, and how far above that it is (docs/measures.md, section 9).

Both analyses keep their structure, and it is drawn at random which node is which: in half of the rounds the texts and
positions of the second side's nodes change places, in the other half those of the first side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, align_placed, placed_sides
from aifgraph.align.candidates import CachedSimilarities
from aifgraph.align.permute import Permuter, permuted
from aifgraph.comparison.calculations.registry import LAYERS, calculate
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, Scores, fuse, means_over
from aifgraph.comparison.options import Options
from aifgraph.gc_pause import gc_paused
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all

_TOO_FEW = "each side has at most one proposition and at most one locution: there is nothing to permute"


#: Rounds where a report computes chance unasked.
DEFAULT_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class AboveChance:
    """For every score: M by chance (``mean``), M above chance (``above``), CASS of that, and why one is undefined."""

    mean: Scores
    above: Scores
    cass: Scores
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what is undefined is None."""
        return {"mean": dict(self.mean), "above": dict(self.above), "cass": dict(self.cass)}


@dataclass(frozen=True, slots=True)
class Chance:
    """The scores against chance, of the whole and of each layer: ``chance.over["all"].above["kappa"]``."""

    rounds: int
    seed: int
    over: Mapping[ScoreLayer, AboveChance]

    @property
    def mean(self) -> Scores:
        """What M of the whole would be by chance, for every score; never below 0."""
        return self.over["all"].mean

    @property
    def above(self) -> Scores:
        """How far M of the whole is above chance: 0 is what chance gives, 1 full agreement."""
        return self.over["all"].above

    @property
    def cass(self) -> Scores:
        """CASS of the whole, from the score above chance."""
        return self.over["all"].cass

    def to_dict(self, layer: ScoreLayer = "all") -> dict[str, Any]:
        """The whole, or a layer, as plain values; reasons under ``undefined``."""
        over = self.over[layer]
        return {"rounds": self.rounds, "seed": self.seed, **over.to_dict(), "undefined": dict(over.reasons)}


def above_chance(
    scores: Fused, expected: Scores, similarity: float | None, *, one_sided: bool, too_few: bool = False
) -> AboveChance:
    """M above chance, ``(M − E) / (1 − E)``, and its CASS, from M and CASS as they are and ``expected`` E by score.

    ``one_sided``: only one side has units, so that CASS is 0. ``too_few``: there was nothing to permute.

    >>> scores = Fused({"kappa": 0.6}, {"kappa": 0.7})
    >>> above = above_chance(scores, {"kappa": 0.2}, 0.5, one_sided=False)
    >>> round(above.above["kappa"], 3), round(above.cass["kappa"], 3)
    (0.5, 0.5)
    """
    means: dict[str, float | None] = {}
    above: dict[str, float | None] = {}
    cass: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, mean in scores.mean.items():
        chance = means[name] = expected[name]
        above[name] = None if mean is None or chance is None or chance == 1 else (mean - chance) / (1 - chance)
        cass[name] = fuse(above[name], similarity)
        if above[name] is None:
            if too_few:
                reasons[name] = _TOO_FEW
            elif mean is None:
                reasons[name] = scores.reasons.get(name, "the score is undefined in every calculation that applies")
            else:
                reasons[name] = "undefined in every round" if chance is None else "chance alone gives 1"
        elif scores.cass[name] is None:
            cass[name], reasons[name] = None, scores.reasons.get(name, "the segmentation similarity is undefined")
        if one_sided:
            cass[name] = 0.0
    return AboveChance(means, above, cass, reasons)


@gc_paused
def expected_means(
    alignment: Alignment, options: Options, rounds: int, names: Sequence[str] = tuple(SCORES)
) -> dict[ScoreLayer, Scores]:
    """E of every layer and score, or of those in ``names``: the mean of M over the rounds in which it is
    defined, and never below 0.

    Half of ``rounds``, rounded up, permute the second side, and as many the first, each from the seed of ``options``.
    """
    sums: dict[ScoreLayer, dict[str, tuple[float, int]]] = {
        layer: dict.fromkeys(names, (0.0, 0)) for layer in SCORE_LAYERS
    }
    each_side = (rounds + 1) // 2
    texts = [side.said_normalised.values() for side in (alignment.first, alignment.second)]
    similarities = CachedSimilarities(*texts)
    for side in (1, 0):
        for scores in _rounds(alignment, options, names, side, each_side, similarities):
            for layer, of_layer in sums.items():
                chosen = scores if layer == "all" else {name: scores[name] for name in LAYERS[layer] if name in scores}
                for name, value in means_over(chosen, names, mean_of_layers=options.mean == "layers").items():
                    if value is not None:
                        total, count = of_layer[name]
                        of_layer[name] = (total + value, count + 1)
    return {
        layer: {name: max(0.0, total / count) if count else None for name, (total, count) in of_layer.items()}
        for layer, of_layer in sums.items()
    }


def _rounds(
    alignment: Alignment,
    options: Options,
    names: Sequence[str],
    side: Literal[0, 1],
    count: int,
    similarities: CachedSimilarities,
) -> Iterator[dict[str, Scores]]:
    """The scores of the calculations that apply, in ``count`` rounds in which ``side`` is permuted."""
    known: dict[ConfusionMatrix, Scores] = {}
    permuter = Permuter(alignment, side, options.seed)
    for _ in range(count):
        sides = list(placed_sides(alignment.first, alignment.second, alignment.placement))
        sides[side] = permuted(permuter.side, permuter.next())
        again = align_placed(sides[0], sides[1], alignment.placement, alignment.rules, similarities)
        calculations, _ = calculate(again, options.calculations, types=options.relations, layers=options.layers)
        scores: dict[str, Scores] = {}
        for name, calculation in calculations.items():
            if calculation.applicable:
                matrix = calculation.matrix
                if matrix not in known:
                    known[matrix] = score_all(matrix, names)
                scores[name] = known[matrix]
        yield scores


def too_few(alignment: Alignment) -> bool:
    """Whether each side has at most one proposition and at most one locution."""
    sides = (alignment.first, alignment.second)
    return all(len(side.propositions) <= 1 and len(side.locutions) <= 1 for side in sides)
