"""What a score would be by chance, and how far above that it is (docs/measures.md, section 9).

Both analyses keep their structure, and it is drawn at random which node is which: in half of the rounds the texts and
positions of the second side's nodes change places, in the other half those of the first side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, PlacedSide, align_placed, placed_sides
from aifgraph.align.candidates import CachedSimilarities
from aifgraph.align.context import Permutation, Permutations
from aifgraph.align.permute import Permuter
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.links import SideLinks, links_of, links_of_side
from aifgraph.comparison.calculations.registry import LAYERS, calculations_of_both
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, Scores, fuse, means_over
from aifgraph.comparison.options import Options
from aifgraph.gc_pause import gc_paused
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all

_TOO_FEW = "each side has at most one proposition and at most one locution: there is nothing to permute"


@dataclass(frozen=True, slots=True)
class AboveChance:
    """For every score: M by chance (``mean``), M above chance (``above``), CASS of that, and why one is undefined.

    Of the argument among what was said, its own scores stand in place of M, and there is no CASS.
    """

    mean: Scores
    above: Scores
    cass: Scores
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what is undefined is None."""
        cass = {"cass": dict(self.cass)} if self.cass else {}
        return {"mean": dict(self.mean), "above": dict(self.above), **cass}


@dataclass(frozen=True, slots=True)
class Chance:
    """The scores against chance, of the whole and of each layer: ``chance.over["all"].above["kappa"]``.

    ``explicit`` are those of the argument among what was said, None where it does not apply.
    """

    rounds: int
    seed: int
    over: Mapping[ScoreLayer, AboveChance]
    explicit: AboveChance | None = None

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

    def to_dict(self, part: ScoreLayer | Literal["explicit"] = "all") -> dict[str, Any]:
        """The whole, a layer, or the argument among what was said, as plain values; reasons under ``undefined``."""
        of = self.explicit if part == "explicit" else self.over[part]
        own = {**of.to_dict(), "undefined": dict(of.reasons)} if of else {}
        return {"rounds": self.rounds, "seed": self.seed, **own}


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
    undefined = dict.fromkeys(scores.mean, "the score is undefined in every calculation that applies")
    against = scores_above_chance(scores.mean, expected, {**undefined, **scores.reasons}, too_few=too_few)
    cass: dict[str, float | None] = {}
    reasons = dict(against.reasons)
    for name, above in against.above.items():
        cass[name] = 0.0 if one_sided else fuse(above, similarity)
        if above is not None and scores.cass[name] is None:
            cass[name], reasons[name] = None, scores.reasons.get(name, "the segmentation similarity is undefined")
    return AboveChance(against.mean, against.above, cass, reasons)


def scores_above_chance(
    scores: Scores, expected: Scores, undefined: Mapping[str, str], *, too_few: bool = False
) -> AboveChance:
    """Scores above chance, ``(M − E) / (1 − E)``, without a CASS; ``undefined`` is why scores are."""
    above: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, score in scores.items():
        chance = expected[name]
        above[name] = None if score is None or chance is None or chance == 1 else (score - chance) / (1 - chance)
        if above[name] is None:
            if too_few:
                reasons[name] = _TOO_FEW
            elif score is None:
                reasons[name] = undefined.get(name, "")
            else:
                reasons[name] = "undefined in every round" if chance is None else "chance alone gives 1"
    return AboveChance({name: expected[name] for name in scores}, above, {}, reasons)


@gc_paused
def expected_means(
    alignment: Alignment,
    options: Options,
    rounds: int,
    names: Sequence[str] = tuple(SCORES),
    *,
    explicit: bool = False,
) -> dict[ScoreLayer | Literal["explicit"], Scores]:
    """E of every layer and score, or of those in ``names``: the mean of M over the rounds in which it is
    defined, and never below 0; with ``explicit`` also of the argument among what was said.

    Half of ``rounds``, rounded up, permute the second side, and as many the first, each from the seed of ``options``.
    """
    parts: tuple[ScoreLayer | Literal["explicit"], ...] = (*SCORE_LAYERS, *(("explicit",) if explicit else ()))
    sums = {part: dict.fromkeys(names, (0.0, 0)) for part in parts}
    calculations = (*options.calculations, *((EXPLICIT_RELATIONS.name,) if explicit else ()))
    each_side = (rounds + 1) // 2
    texts = [side.said_normalised.values() for side in (alignment.first, alignment.second)]
    similarities = CachedSimilarities(*texts)
    for side in (1, 0):
        for scores in _rounds(alignment, options, calculations, names, side, each_side, similarities):
            for part, of_part in sums.items():
                for name, value in _means(part, scores, options, names, one_sided=alignment.one_sided).items():
                    if value is not None:
                        total, count = of_part[name]
                        of_part[name] = (total + value, count + 1)
    return {
        part: {name: max(0.0, total / count) if count else None for name, (total, count) in of_part.items()}
        for part, of_part in sums.items()
    }


def _means(
    part: ScoreLayer | Literal["explicit"],
    scores: Mapping[str, Scores],
    options: Options,
    names: Sequence[str],
    *,
    one_sided: bool,
) -> Scores:
    """M of a part in one round, or the scores of the argument among what was said."""
    if part == "explicit":
        return scores.get(EXPLICIT_RELATIONS.name, {})
    counted = options.calculations if part == "all" else LAYERS[part]
    chosen = {name: of for name, of in scores.items() if name in counted and name in options.calculations}
    if one_sided:
        return dict.fromkeys(names, 0.0) if chosen or part == "all" else {}
    return means_over(chosen, names, mean_of_layers=options.mean == "layers")


def _rounds(
    alignment: Alignment,
    options: Options,
    counted: Sequence[str],
    names: Sequence[str],
    side: Literal[0, 1],
    count: int,
    similarities: CachedSimilarities,
) -> Iterator[dict[str, Scores]]:
    """The scores of the ``counted`` calculations that apply, in ``count`` rounds in which ``side`` is permuted."""
    known: dict[ConfusionMatrix, Scores] = {}
    permuter = Permuter(alignment, side, options.seed)
    placed = placed_sides(alignment.first, alignment.second, alignment.placement)
    types = frozenset(options.relations)
    aligned = alignment
    for _ in range(count):
        permutation = permuter.next()
        if alignment.by_context:  # which a permutation changes: all else that decides goes with the texts
            both: Permutations = ({}, permutation) if side else (permutation, {})
            aligned = align_placed(*placed, alignment.placement, alignment.rules, similarities, both)
        own = _permuted_links(aligned, placed[side], side, types, permutation)
        sides = (links_of_side(aligned, 0, types), own) if side else (own, links_of_side(aligned, 1, types))
        scores: dict[str, Scores] = {}
        for name, calculation in calculations_of_both(aligned, sides, counted, options.layers).items():
            if calculation.applicable:
                matrix = calculation.matrix
                if matrix not in known:
                    known[matrix] = score_all(matrix, names)
                scores[name] = known[matrix]
        yield scores


def _permuted_links(
    alignment: Alignment, placed: PlacedSide, owner: Literal[0, 1], types: frozenset[str], permutation: Permutation
) -> SideLinks:
    """The links of a side whose nodes are in the classes of the texts that they have."""
    analysis = placed.analysis
    propositions, locutions = alignment.propositions._of_side(owner), alignment.locutions._of_side(owner)
    return links_of(
        analysis,
        {node: propositions[permutation[node]] for node in analysis.propositions},
        {node: locutions[permutation[node]] for node in analysis.locutions},
        owner,
        types,
        placed.reconstructed_where(permutation) if alignment.placement.fits else None,
    )


def too_few(alignment: Alignment) -> bool:
    """Whether each side has at most one proposition and at most one locution."""
    sides = (alignment.first, alignment.second)
    return all(len(side.propositions) <= 1 and len(side.locutions) <= 1 for side in sides)
