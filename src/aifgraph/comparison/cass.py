"""CASS: the mean M of a score over the calculations that apply, fused with segmentation similarity S.

``CASS = 2·M·S / (M + S)``, and 0 where M or S is not above 0 (Duthie et al. 2016; docs/measures.md, section 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from aifgraph.comparison.calculations import CALCULATIONS, LAYERS
from aifgraph.stats.scores import SCORES, mean_of, quotient

#: Values by the name of their score; None where one is undefined.
Scores = Mapping[str, float | None]
#: The calculations of a CASS: all, or those of the argument or the dialogue.
ScoreLayer = Literal["all", "propositional", "dialogical"]
SCORE_LAYERS: Final[tuple[ScoreLayer, ...]] = get_args(ScoreLayer)


@dataclass(frozen=True, slots=True)
class Cass:
    """M and CASS by score over ``n`` calculations, and why CASS is undefined where it is."""

    n: int
    mean: Scores
    cass: Scores
    undefined: Mapping[str, str] = field(default_factory=dict)


def fuse(mean: Any, similarity: Any) -> Any:
    """Return the harmonic mean of M and S, numbers or arrays of them; 0 where one is not above 0, None (in arrays NaN)
    where one is undefined.

    >>> round(fuse(0.43, 0.95), 2), fuse(-0.1, 0.9), fuse(None, 0.9)
    (0.59, 0.0, None)
    """
    if mean is None or similarity is None:
        return None
    positive = (mean > 0) & (similarity > 0)
    return quotient(2 * mean * similarity * positive, mean + similarity, 0.0) + 0.0  # 0.0: never -0.0


def counts_in(name: str, layer: ScoreLayer) -> bool:
    """Whether a calculation counts in a layer."""
    return layer == "all" or CALCULATIONS[name].layer == layer


def means_over(
    scores: Mapping[str, Mapping[str, Any]], names: Iterable[str], *, mean_of_layers: bool = False
) -> dict[str, Any]:
    """Return M of every score from the scores (numbers or arrays) of the calculations that apply, by their names.

    ``mean_of_layers``: M is the mean of the means of the layers.
    """
    if not mean_of_layers:
        return {score: mean_of([values[score] for values in scores.values()]) for score in names}
    groups = [[values for name, values in scores.items() if counts_in(name, layer)] for layer in LAYERS]
    return {score: mean_of([mean_of([values[score] for values in group]) for group in groups]) for score in names}


def cass_by_layer(
    scores: Mapping[str, Scores], similarity: float | None, *, mean_of_layers: bool, one_sided: bool
) -> dict[ScoreLayer, Cass]:
    """Return M and CASS of the whole and of each layer, from the scores of the calculations that apply.

    ``one_sided``: only one side has units, so that both are 0.
    """
    by_layer: dict[ScoreLayer, Cass] = {}
    for layer in SCORE_LAYERS:
        chosen = {name: values for name, values in scores.items() if counts_in(name, layer)}
        if one_sided and (chosen or layer == "all"):
            by_layer[layer] = Cass(len(chosen), dict.fromkeys(SCORES, 0.0), dict.fromkeys(SCORES, 0.0))
            continue
        mean = means_over(chosen, SCORES, mean_of_layers=mean_of_layers)
        cass = {name: fuse(value, similarity) for name, value in mean.items()}
        if not chosen:
            reason = "no calculation applies"
        elif similarity is None:
            reason = "neither analysis has a word"
        else:
            reason = "the score is undefined in every calculation that applies"
        undefined = {name: reason for name, value in cass.items() if value is None}
        by_layer[layer] = Cass(len(chosen), mean, cass, undefined)
    return by_layer
