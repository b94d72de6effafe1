"""The document of a result: what is stored of it, and every number that follows from what is stored.

Whoever reads a document has all scores in it; when it is read back, they are held against what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from typing import TYPE_CHECKING, Any, Final, Literal

from aifgraph.comparison.cass import ScoreLayer
from aifgraph.formats.result_files import damaged

if TYPE_CHECKING:
    from aifgraph.comparison.result import CalculationResult, PairResult

#: Two writings of one number differ by less.
_TOLERANCE: Final = 1e-9


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


def check_derived(derived: Any, document: Any, source: str, place: str = "") -> None:
    """Raise ``FormatError`` unless a document has every number that follows from what is stored.

    Nothing else shows that a number was changed. ``source`` is what they follow from, in words.
    """
    if isinstance(derived, Mapping):
        if not isinstance(document, Mapping):
            raise damaged(f"{place} is no object")
        for key, value in derived.items():
            where = f"{place}.{key}" if place else str(key)
            if key not in document:
                raise damaged(f"{where} is missing")
            check_derived(value, document[key], source, where)
        return
    number = isinstance(derived, float) and isinstance(document, int | float) and not isinstance(document, bool)
    same = isclose(derived, document, rel_tol=0, abs_tol=_TOLERANCE) if number else _plain(derived) == document
    if not same:
        raise damaged(f"{place} is {document}, and by {source} {derived}")


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
