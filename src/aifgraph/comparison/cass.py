"""CASS: the mean of a score over the calculations that apply, fused with segmentation similarity (Duthie et al. 2016).

``M = mean of the score``, ``CASS = 2·M·S / (M + S)``, and 0 where M or S is not above 0 (docs/measures.md, section 7).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Literal, get_args

from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.stats.scores import SCORES

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

Scores = Mapping[str, float | None]

#: Which calculations a CASS is over: all of them, or those of one layer.
ScoreLayer = Literal["all", "propositional", "dialogical"]
SCORE_LAYERS: tuple[ScoreLayer, ...] = get_args(ScoreLayer)


def fuse(mean: float | None, similarity: float | None) -> float | None:
    """CASS of a mean score M and a segmentation similarity S: their harmonic mean (Duthie et al. 2016).

    It is 0 where M or S is not above 0, and None where one of them is undefined.

    >>> round(fuse(0.43, 0.95), 2), fuse(-0.1, 0.9), fuse(None, 0.9)
    (0.59, 0.0, None)
    """
    if mean is None or similarity is None:
        return None
    if mean <= 0 or similarity <= 0:
        return 0.0
    return 2 * mean * similarity / (mean + similarity)


def fuse_arrays(mean: Array, similarity: Array) -> Array:
    """:func:`fuse` for every element of two arrays of one shape, NaN standing for undefined."""
    import numpy as np

    with np.errstate(all="ignore"):
        harmonic = 2 * mean * similarity / (mean + similarity)
    fused: Array = np.where((mean <= 0) | (similarity <= 0), 0.0, harmonic)
    return np.where(np.isnan(mean + similarity), np.nan, fused)


def mean_of(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined; None if none is."""
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def means_over(
    scores: Mapping[str, Scores], names: Iterable[str], *, mean_of_layers: bool = False
) -> dict[str, float | None]:
    """M of every score from the scores of the calculations that apply, by their names.

    ``mean_of_layers``: M is the mean of the means of the layers.
    """
    if not mean_of_layers:
        every = list(scores.values())
        return {name: mean_of([values[name] for values in every]) for name in names}
    layers = [[scores[name] for name in layer if name in scores] for layer in LAYERS.values()]
    return {name: mean_of([mean_of([values[name] for values in layer]) for layer in layers]) for name in names}


@dataclass(frozen=True, slots=True)
class Fused:
    """M and CASS for every score, and why CASS is undefined where it is."""

    mean: dict[str, float | None]
    cass: dict[str, float | None]
    reasons: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        shown = [
            f"{name}-{sign} {'undefined' if (value := of.get(score)) is None else f'{value:.3f}'}"
            for score, sign in (("kappa", "κ"), ("f1", "F1"))
            for name, of in (("M", self.mean), ("CASS", self.cass))
        ]
        return f"<{', '.join(shown)}; mean (M) and cass have every score>"

    @property
    def kappa(self) -> float | None:
        """CASS-κ: ``cass["kappa"]``."""
        return self.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1: ``cass["f1"]``."""
        return self.cass["f1"]


#: What tables call the layers.
LAYER_NAMES: Mapping[str, ScoreLayer] = {"argument": "propositional", "dialogue": "dialogical"}


def fused_by_layer(
    scores: Mapping[str, Scores],
    similarity: float | None,
    *,
    zero: Collection[ScoreLayer] = (),
    wordless: bool,
    mean_of_layers: bool,
) -> dict[ScoreLayer, Fused]:
    """M and CASS of the whole and of each layer from the scores of the calculations that apply, by their names.

    ``mean_of_layers``: M is the mean of the means of the layers. ``zero``: the layers in which both are 0, as only one
    side has units. ``wordless``: neither side has a word, so that CASS is undefined.
    """
    found: dict[ScoreLayer, Fused] = {}
    for layer in SCORE_LAYERS:
        own = {name: of for name, of in scores.items() if layer == "all" or name in LAYERS[layer]}
        means = means_over(own, SCORES, mean_of_layers=mean_of_layers)
        found[layer] = _fused(means, similarity, zero=layer in zero, applies=bool(own), wordless=wordless)
    return found


def _fused(
    means: dict[str, float | None], similarity: float | None, *, zero: bool, applies: bool, wordless: bool
) -> Fused:
    cass: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, mean in means.items():
        if zero:
            means[name] = cass[name] = 0.0
        elif not applies:
            cass[name], reasons[name] = None, "no calculation applies"
        elif wordless:
            cass[name], reasons[name] = None, "neither analysis has a word"
        elif mean is None:
            cass[name], reasons[name] = None, "the score is undefined in every calculation that applies"
        else:
            cass[name] = fuse(mean, similarity)
            if cass[name] is None:
                reasons[name] = "the segmentation similarity is undefined"
    return Fused(means, cass, reasons)
