"""The numbers of a corpus from the results of its pairs (docs/measures.md, section 8).

*Macro*: of every text the mean of M and the mean of S over its pairs, the means of these over the texts, then fused (a
mean of fused scores is biased, because CASS cuts off at 0; it is given too, as ``mean_of_cass``). M and S are of the
same pairs, those in which M-κ and S are defined. *Micro*: the scores of the summed matrices, S from the summed edits
and potential boundaries. ``sums`` works them out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from aifgraph.comparison.breakdown import Breakdown, NameCounts
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, Scores
from aifgraph.comparison.chance import Chance
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.text.segmentation import Edits

What = Literal["S", "mean", "cass", "mean_of_cass", "score", "label", "by_chance", "above_chance", "S_of_above"]


class PooledNumber(NamedTuple):
    """A number of macro or micro: ``PooledNumber("cass", "all", "kappa")``.

    ``of`` is a layer (``all`` is the whole), for a ``score`` a calculation, for a ``label`` both (``illocutions:
    Asserting``). ``S`` has no ``score``; ``mean_of_cass`` is of macro only, a label of micro.
    """

    what: What
    of: str = "all"
    score: str = ""


class Counted(NamedTuple):
    """How many texts a mean is over, and how many pairs these have in which the value is defined."""

    texts: int
    pairs: int


@dataclass(frozen=True)
class PooledScores:
    """S of a corpus, and M and CASS of the whole and of each layer: ``over["dialogical"].cass["kappa"]``."""

    S: float | None
    over: Mapping[ScoreLayer, Fused]

    @property
    def kappa(self) -> float | None:
        """CASS-κ: ``cass["kappa"]``."""
        return self.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1: ``cass["f1"]``."""
        return self.cass["f1"]

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
    """Means over texts of the means over a text's pairs: M and S, fused; ``mean_of_cass``; and ``explicit``, the
    argument among what was said, None where it applies to no pair.

    ``counted[PooledNumber("mean", "dialogical", "kappa")]`` says how many texts and pairs a mean is over; those without
    a layer take no part in the mean of that layer, of which ``similarity`` is the S. ``modes`` says how many of the
    pairs in S are of which mode (a map without a partner, where it counts, has none). ``texts`` and ``pairs`` are all,
    what is defined or not.
    ``chance`` has the means of M by chance and of M above chance over the pairs in which both are defined, the latter
    fused with the mean S of these pairs; ``left_out`` counts the pairs that are not among them, by layer and score.
    """

    mean_of_cass: Scores
    explicit: Scores | None
    texts: int
    pairs: int
    similarity: Mapping[ScoreLayer, float | None]
    counted: Mapping[PooledNumber, Counted]
    modes: Mapping[str, int] = field(default_factory=dict)
    chance: Chance | None = None

    def above_chance_counted(self, part: ScoreLayer | Literal["explicit"]) -> dict[str, Counted]:
        """How many texts and pairs the means by and above chance are over, by score."""
        of = EXPLICIT_RELATIONS.name if part == "explicit" else part
        return {name: self.counted[PooledNumber("above_chance", of, name)] for name in SCORES}

    @cached_property
    def left_out(self) -> dict[ScoreLayer, dict[str, int]]:
        """The pairs that are not in the means above chance."""
        return {
            layer: {name: self.pairs - of.pairs for name, of in self.above_chance_counted(layer).items()}
            for layer in SCORE_LAYERS
        }

    def chance_dict(self, part: ScoreLayer | Literal["explicit"] = "all") -> dict[str, Any]:
        """The whole, a layer, or the argument among what was said against chance, under the key ``chance``; empty where
        it was not worked out."""
        if self.chance is None:
            return {}
        counted = self.above_chance_counted(part)
        texts, pairs = ({name: of[place] for name, of in counted.items()} for place in (0, 1))
        left_out = {name: self.pairs - count for name, count in pairs.items()}
        return {"chance": {**self.chance.to_dict(part), "texts": texts, "pairs": pairs, "left_out": left_out}}

    def explicit_dict(self) -> dict[str, Any]:
        """The argument among what was said, also against chance, under the key ``explicit``; empty where it applies to
        no pair."""
        return {"explicit": {**self.explicit, **self.chance_dict("explicit")}} if self.explicit else {}

    def cass_dict(self) -> dict[str, Any]:
        """CASS of the whole and of each layer, also against chance, as plain values."""
        data = super().cass_dict()
        layers = {
            layer: {**data["layers"][layer], "S": self.similarity[layer], **self.chance_dict(layer)}
            for layer in self.layers
        }
        return {**data, "layers": layers, **self.chance_dict()}

    def of_text_dict(self) -> dict[str, Any]:
        """The numbers of a single text as plain values."""
        return {
            "pairs": self.pairs,
            **super().to_dict(),
            **self.cass_dict(),
            "mean_of_cass": self.mean_of_cass,
            **self.explicit_dict(),
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        texts, pairs = (
            {
                "S": of[PooledNumber("S")],
                "mean": {
                    layer: {name: of[PooledNumber("mean", layer, name)] for name in SCORES} for layer in SCORE_LAYERS
                },
                "mean_of_cass": {name: of[PooledNumber("mean_of_cass", "all", name)] for name in SCORES},
                "explicit": {name: of[PooledNumber("score", EXPLICIT_RELATIONS.name, name)] for name in SCORES},
            }
            # A corpus without a pair has counted nothing, which is 0.
            for of in (Counter({number: each[place] for number, each in self.counted.items()}) for place in (0, 1))
        )
        return {
            **super().to_dict(),
            "mean_of_cass": self.mean_of_cass,
            **self.explicit_dict(),
            "texts": {"all": self.texts, **texts},
            "pairs": {"all": self.pairs, **pairs, "modes": self.modes},
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
    """The scores of the summed ``calculations``, by name, and S of the summed ``edits``; ``modes`` says of how many
    pairs of which mode. ``summed_explicit`` is the argument among what was said, None where it applies to no pair."""

    calculations: Mapping[str, SummedCalculation]
    edits: Edits
    name_counts: NameCounts = field(default_factory=NameCounts)
    modes: Mapping[str, int] = field(default_factory=dict)
    summed_explicit: SummedCalculation | None = None

    @property
    def explicit(self) -> Scores | None:
        """The argument among what was said, by score; None where it applies to no pair."""
        return self.summed_explicit.scores if self.summed_explicit else None

    @cached_property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores, from the summed counts."""
        explicit = {EXPLICIT_RELATIONS.name: self.summed_explicit} if self.summed_explicit else {}
        summed = {**self.calculations, **explicit}
        items = {name: of.items for name, of in summed.items()}
        matrices = {name: of.matrix for name, of in summed.items()}
        return Breakdown.of(matrices, items, self.name_counts)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        calculations = {name: calculation.to_dict() for name, calculation in self.calculations.items()}
        edits = {"edits": self.edits.weight, "potential": self.edits.potential, "modes": dict(self.modes)}
        explicit = {"explicit": self.summed_explicit.to_dict()} if self.summed_explicit else {}
        return {**super().to_dict(), "calculations": calculations, **explicit, **edits}
