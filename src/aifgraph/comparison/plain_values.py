"""A comparison as plain values: the keys of ``schemas/comparison.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aifgraph.align.analysis import Analysis
from aifgraph.align.positions import Side
from aifgraph.comparison.cass import Fused
from aifgraph.version import __version__

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison, ScoredCalculation


def comparison_dict(result: Comparison) -> dict[str, Any]:
    """The result of a pair; undefined numbers are None with a reason under ``undefined``."""
    alignment = result.alignment
    placement = alignment.placement
    segmentation = result.segmentation
    data: dict[str, Any] = {
        "aifgraph": __version__,
        "signature": result.signature,
        "first": _side(alignment.first, placement.first),
        "second": _side(alignment.second, placement.second),
        "text_overlap": placement.axis.overlap if placement.axis else None,
        "alignment": {
            layer: {
                "classes": len(getattr(alignment, layer).classes),
                "matched": getattr(alignment, layer).matched,
                "pairs": list(result.classes(layer)),
            }
            for layer in ("propositions", "locutions")
        },
        "calculations": {name: _calculation(each) for name, each in result.calculations.items()},
        "segmentation": {
            "mode": segmentation.mode,
            "S": segmentation.S,
            "B": segmentation.B,
            "Pk": segmentation.Pk,
            "WindowDiff": segmentation.WindowDiff,
            "masses": [list(side) for side in segmentation.masses] if segmentation.masses else None,
            "edits": segmentation.edits.weight,
            "potential": segmentation.edits.potential,
            "undefined": segmentation.reasons,
        },
        "n": sum(each.applicable for each in result.calculations.values()),
        "mean": result.mean,
        "cass": result.cass,
        "layers": {layer: {**each.cass, "mean": each.mean} for layer, each in result.layers.items()},
        "undefined": _undefined(result.undefined, result.layers),
        "warnings": [notice.message for notice in result.warnings],
    }
    return data


def _side(analysis: Analysis, side: Side) -> dict[str, Any]:
    return {
        "source": analysis.graph.name,
        "text": side.text,
        "propositions": len(analysis.propositions),
        "locutions": len(analysis.locutions),
        "units": len(analysis.units),
        "placed": side.placed,
    }


def _calculation(each: ScoredCalculation) -> dict[str, Any]:
    data: dict[str, Any] = {
        "applicable": each.applicable,
        "items": each.calculation.items_total,
        "labels": list(each.matrix.labels),
        "matrix": [list(row) for row in each.matrix.rows],
        **each.scores,
    }
    undefined = dict(each.undefined)
    if not each.applicable:
        data["reason"] = each.reason
    return data | {"undefined": undefined}


def _undefined(reasons: dict[str, str], layers: dict[str, Fused]) -> dict[str, Any]:
    found: dict[str, Any] = {"cass": reasons} if reasons else {}
    return found | {layer: each.reasons for layer, each in layers.items() if each.reasons}
