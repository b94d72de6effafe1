"""Confusion matrices on a page: how dark a cell is, and what stands behind it, to light up and to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, TypedDict

from aifgraph.comparison.calculations.explanation import Explainer
from aifgraph.comparison.calculations.items import At, Claimed
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.printable import unhashed
from aifgraph.report.html.merged_map import MergedMap
from aifgraph.stats.matrix import NONE, ConfusionMatrix

#: More items of a cell than this are counted, not listed.
LISTED = 400


class MatrixCell(TypedDict):
    """A cell: its two labels, its count, and how dark it is drawn, from 0 to 9; ``same`` on the diagonal."""

    first: str
    second: str
    count: int
    heat: int
    same: bool


def shaded(matrix: ConfusionMatrix) -> list[list[MatrixCell]]:
    """The rows of a matrix. The (none, none) cell dwarfs all others and says least: it has no shade."""
    cells = [
        [(one, other, count) for other, count in zip(matrix.labels, row, strict=True)]
        for one, row in zip(matrix.labels, matrix.rows, strict=True)
    ]
    shadeless = (NONE, NONE)
    largest = max((count for row in cells for *labels, count in row if tuple(labels) != shadeless), default=0)
    return [
        [
            {
                "first": one,
                "second": other,
                "count": count,
                "heat": 0 if not count or (one, other) == shadeless else 1 + round(8 * count / largest),
                "same": one == other,
            }
            for one, other, count in row
        ]
        for row in cells
    ]


def items_of_cells(result: Comparison, merged: MergedMap) -> dict[str, list[dict[str, Any]]]:
    """Calculation → its cells that are not empty, with the text and the elements of each item; (none, none) is not
    listed."""
    explainer = Explainer(result.alignment)
    sides = (result.alignment.first, result.alignment.second)
    numbers = [{node.id: number for number, node in enumerate(side.nodes)} for side in sides]
    return {
        name: list(_cells(scored, explainer, merged, numbers))
        for name, scored in result.counted.items()
        if scored.applicable
    }


def _cells(
    scored: ScoredCalculation, explainer: Explainer, merged: MergedMap, numbers: list[dict[str, int]]
) -> Iterator[dict[str, Any]]:
    for row in shaded(scored.matrix):
        for cell in row:
            if not cell["heat"]:
                continue
            items: list[dict[str, Any]] = []
            for item in islice(scored.calculation.labelled(cell["first"], cell["second"]), LISTED):
                said = scored.calculation.explained(item, explainer)
                elements = [
                    merged.of[side, numbers[side][id_]]
                    for side, ids in enumerate((said.first, said.second))
                    for id_ in ids
                ]
                for claimed in scored.calculation.definition.claims(item, cell["first"]):
                    elements += _elements(claimed, merged)
                items.append({"text": unhashed(said.text), "elements": list(dict.fromkeys(elements))})
            yield {"first": cell["first"], "second": cell["second"], "items": items}


def _elements(claimed: Claimed, merged: MergedMap) -> list[int]:
    """The scheme elements that make a claim."""
    if isinstance(claimed.claim, At):
        return merged.illocutions_at.get(claimed.claim.anchor, [])
    return merged.by_claim[claimed.group].get(claimed.claim, [])
