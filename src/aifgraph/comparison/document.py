"""The document of a result: what is stored of it, and every number that follows from what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from aifgraph.comparison.cass import ScoreLayer

if TYPE_CHECKING:
    from aifgraph.comparison.result import CalculationResult, PairResult


def derived_from(result: PairResult) -> dict[str, Any]:
    """What follows from the fields, placed where a document has it."""
    chance = result.chance

    def against(part: ScoreLayer | Literal["explicit"]) -> dict[str, Any]:
        return {"chance": chance.to_dict(part)} if chance else {}

    return {
        "name": result.name,
        "calculations": {name: _scores_of(of) for name, of in result.calculations.items()},
        **({"explicit": {**_scores_of(result.explicit), **against("explicit")}} if result.explicit else {}),
        "breakdown": result.breakdown.to_dict(),
        "segmentation": {"undefined": result.segmentation.reasons},
        "look_out": result.look_out,
        "n": result.n,
        "mean": result.mean,
        "cass": result.cass,
        "layers": {
            layer: {**scores.cass, "mean": scores.mean, **against(layer)} for layer, scores in result.layers.items()
        },
        **against("all"),
        "undefined": {
            "cass" if layer == "all" else layer: of.reasons for layer, of in result.over.items() if of.reasons
        },
    }


def _scores_of(of: CalculationResult) -> dict[str, Any]:
    return {"decisions": of.matrix.total, **of.scores, "undefined": of.undefined}


def merged(stored: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    """What is stored, with what follows from it in its places."""
    together = dict(stored)
    for key, value in derived.items():
        together[key] = merged(together[key], value) if isinstance(together.get(key), dict) else value
    return together
