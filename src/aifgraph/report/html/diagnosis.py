"""The corpus page as a diagnosis: matrices of all pairs, what is confused most, spreads, and where they agree least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.corpus_tables import Distribution, distribution
from aifgraph.report.html.examples import Examples, confusions
from aifgraph.report.html.matrices import shaded
from aifgraph.stats.matrix import NONE
from aifgraph.stats.scores import score_all

#: How many of the lowest pairs are named at the top.
_WORST = 10
_BINS = 20


def pooled_matrices(result: CorpusComparison, examples: Examples) -> list[dict[str, Any]]:
    """The summed matrix of every calculation, its cells with the number of the examples behind them."""
    shown = []
    for number, (name, summed) in enumerate(result.micro.calculations.items()):
        matrix = summed.matrix
        cells = [
            [
                {**cell, "examples": examples.of((name, cell["first"], cell["second"])), "id": f"cell-{number}-{i}-{j}"}
                for j, cell in enumerate(row)
            ]
            for i, row in enumerate(shaded(matrix))
        ]
        shown.append(
            {
                "name": name,
                "labels": matrix.labels,
                "cells": cells,
                "behind": [cell for row in cells for cell in row if cell["examples"]],
                "items": summed.items,
                "decisions": matrix.total,
                "scores": summed.scores,
            }
        )
    return shown


def most_confused(result: CorpusComparison, examples: Examples) -> list[dict[str, Any]]:
    """The labels that are most often taken for one another, with an example of each."""
    matrices = [{name: (matrix.labels, matrix.rows) for name, matrix in pair.matrices.items()} for pair in result.pairs]
    rows = []
    for each in confusions(matrices):
        found = examples.of((each.calculation, each.first, each.second))
        rows.append(
            {
                "calculation": each.calculation.replace("_", " "),
                "first": "nothing" if each.first == NONE else each.first,
                "second": "nothing" if each.second == NONE else each.second,
                "count": each.count,
                "pairs": each.pairs,
                "example": found[0] if found else None,
            }
        )
    return rows


def spreads(result: CorpusComparison) -> list[dict[str, Any]]:
    """κ of every calculation: of the summed counts, and how the pairs' own are spread."""
    values: dict[str, list[tuple[str, float | None]]] = {name: [] for name in result.micro.calculations}
    for pair in result.pairs:
        for name, matrix in pair.matrices.items():
            values[name].append((pair.name, score_all(matrix)["kappa"]))
    return [
        {
            "name": name.replace("_", " "),
            "pooled": summed["kappa"],
            "spread": (spread := distribution(values[name])),
            "undefined": sum(value is None for _, value in values[name]),
            "dots": _dots([value for _, value in values[name] if value is not None]),
            "box": _box(spread),
        }
        for name, summed in result.micro.calculations.items()
    ]


def _box(spread: Distribution | None) -> tuple[float, float, float] | None:
    """Left end, width and middle of the box over the quartiles, in hundredths of the axis from -1 to 1."""
    if spread is None:
        return None
    low, middle, high = (_across(value) for value in spread.quartiles)
    return low, round(high - low, 1), middle


def _dots(values: Sequence[float]) -> list[float]:
    """Where the pairs' dots stand on the axis; dots that would hide each other are drawn once."""
    return sorted({_across(value) for value in values})


def _across(value: float) -> float:
    return round(50 * (value + 1), 1)


def lowest(result: CorpusComparison, pages: dict[Any, str], examples: Examples) -> dict[str, Any]:
    """The pairs of least CASS-κ (then M-κ, then the most decisions), and how many more are level with the last."""

    def rank(pair: PairResult) -> tuple[float, float, int]:
        lead = examples.leads.get(pages.get(pair.names, ""))
        cass, mean = pair.cass["kappa"], pair.mean["kappa"]
        assert cass is not None
        return cass, cass if mean is None else mean, -lead.decisions if lead else 0

    ranked = sorted((pair for pair in result.pairs if pair.cass["kappa"] is not None), key=rank)
    named, rest = ranked[:_WORST], ranked[_WORST:]
    tied = sum(rank(pair) == rank(named[-1]) for pair in rest) if named else 0
    return {"pairs": named, "tied": tied}


def bins(values: list[float | None]) -> dict[str, Any]:
    """Counts of the values in steps of 0.05 from 0 to 1 (1 in the last), and how many are undefined."""
    counts = [0] * _BINS
    for value in values:
        if value is not None:
            counts[min(int(max(value, 0.0) * _BINS), _BINS - 1)] += 1
    return {"counts": counts, "most": max(counts) or 1, "undefined": sum(value is None for value in values)}
