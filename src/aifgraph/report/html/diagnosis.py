"""The corpus page as a diagnosis: matrices of all pairs with examples behind their cells, what is confused most,
spreads over the pairs, and where they agree least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from aifgraph.comparison.calculations.explanation import ExplainedItem, Explainer
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.differences import Differences
from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.corpus_tables import Distribution, distribution
from aifgraph.report.html.matrices import shaded
from aifgraph.stats.matrix import NONE
from aifgraph.stats.scores import score_all

#: Examples that are kept of a cell, of one pair, and how long the words of one are.
_KEPT, _OF_A_PAIR, _LONGEST = 6, 2, 400

#: A calculation, and a label of the first and of the second side.
Cell = tuple[str, str, str]


@dataclass(frozen=True)
class Example:
    """An item of a cell in words: the pair it is in, the address of that pair's page, and a node to show there."""

    pair: str
    page: str
    node: str
    text: str


@dataclass(frozen=True)
class PairLead:
    """What a pair disagrees about: the sentence, the number of differences, and the decisions they cost."""

    text: str
    differences: int
    decisions: int


@dataclass(frozen=True, slots=True)
class PairExamples:
    """What a pair has to show: its lead, and for each cell the nodes and the words of a few items."""

    lead: PairLead
    cells: dict[Cell, tuple[tuple[str, str], ...]]

    @classmethod
    def of(cls, result: Comparison, differences: Differences) -> PairExamples:
        """Those of a comparison, whose ``differences`` are given."""
        lead = PairLead(differences.summary, len(differences), sum(row.decisions for row in differences))
        cells: dict[Cell, tuple[tuple[str, str], ...]] = {}
        explainer = Explainer(result.alignment)
        for calculation, scored in result.calculations.items():
            if not scored.applicable:
                continue
            for first, second, count in _cells(scored.matrix.labels, scored.matrix.rows):
                if count:
                    items = islice(scored.calculation.labelled(first, second), _OF_A_PAIR)
                    cells[calculation, first, second] = tuple(
                        _words(scored.calculation.explained(item, explainer)) for item in items
                    )
        return cls(lead, cells)


@dataclass
class Examples:
    """Collects examples of every cell, and the lead of every pair by the address of its page."""

    cells: dict[Cell, list[Example]] = field(default_factory=dict)
    leads: dict[str, PairLead] = field(default_factory=dict)

    def add(self, name: str, page: str, shown: PairExamples) -> None:
        """Keep what one pair has to show, where a cell has room for it."""
        self.leads[page] = shown.lead
        for cell, items in shown.cells.items():
            kept = self.cells.setdefault(cell, [])
            kept += [Example(name, page, node, text) for node, text in items[: _KEPT - len(kept)]]

    def of(self, cell: Cell) -> Sequence[Example]:
        """What was kept of a cell."""
        return self.cells.get(cell, ())


def _words(said: ExplainedItem) -> tuple[str, str]:
    """A node of an item, and its words."""
    node = next(iter((*said.first, *said.second)), "")
    return node, said.text if len(said.text) <= _LONGEST else f"{said.text[: _LONGEST - 1]}…"


def _cells(labels: Sequence[str], rows: Sequence[Sequence[int]]) -> list[tuple[str, str, int]]:
    """First label, second label and count of every cell but (none, none), which is everything else."""
    return [
        (labels[i], labels[j], rows[i][j])
        for i, j in product(range(len(labels)), repeat=2)
        if not labels[i] == labels[j] == NONE
    ]


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


def most_confused(result: CorpusComparison, examples: Examples, top: int = 12) -> list[dict[str, Any]]:
    """The labels that are most often taken for one another, over all pairs, with an example of each: the cells off the
    diagonals with most items; ``none`` is a label, too."""
    items: Counter[Cell] = Counter()
    pairs: Counter[Cell] = Counter()
    for pair in result.pairs:
        for name, matrix in pair.matrices.items():
            for first, second, count in _cells(matrix.labels, matrix.rows):
                if count and first != second:
                    items[name, first, second] += count
                    pairs[name, first, second] += 1
    fullest = sorted(items, key=lambda cell: (-items[cell], *cell))[:top]
    return [
        {
            "calculation": cell[0].replace("_", " "),
            "first": "nothing" if cell[1] == NONE else cell[1],
            "second": "nothing" if cell[2] == NONE else cell[2],
            "count": items[cell],
            "pairs": pairs[cell],
            "example": next(iter(examples.of(cell)), None),
        }
        for cell in fullest
    ]


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


def _box(spread: Distribution | None) -> dict[str, float] | None:
    """The box over the quartiles, in hundredths of the axis from -1 to 1."""
    if spread is None:
        return None
    low, middle, high = (_across(value) for value in spread.quartiles)
    return {"left": low, "width": round(high - low, 1), "middle": middle}


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
