"""The corpus page as a diagnosis: matrices of all pairs with examples behind their cells, the labels that are confused
most, spreads over the pairs, and what each pair costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from aifgraph.comparison.calculations.explanation import ExplainedItem, Explainer
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import Differences
from aifgraph.comparison.differences.words import cut
from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.corpus_tables import Distribution, distribution
from aifgraph.graph.nodes import shortened
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


#: What two labels are of ("relation"), and the label of the first and of the second side.
Labels = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PairExamples:
    """What a pair has to show: its sentence, for each cell the nodes and the words of a few items, and for each
    difference of labels that follows from no other difference its node and its words."""

    lead: str
    cells: dict[Cell, tuple[tuple[str, str], ...]]
    labels: tuple[tuple[Labels, tuple[str, str]], ...]

    @classmethod
    def of(cls, result: Comparison, differences: Differences) -> PairExamples:
        """Those of a comparison, whose ``differences`` are given."""
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
        return cls(differences.summary, cells, tuple(_labels(differences)))


@dataclass
class Examples:
    """Collects examples of every cell and of every two labels, in how many pairs and how often these stand against each
    other, and the sentence of every pair by the address of its page."""

    cells: dict[Cell, list[Example]] = field(default_factory=dict)
    labels: dict[Labels, Example] = field(default_factory=dict)
    times: Counter[Labels] = field(default_factory=Counter)
    pairs: Counter[Labels] = field(default_factory=Counter)
    leads: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, page: str, shown: PairExamples) -> None:
        """Keep what one pair has to show, where a cell has room for it."""
        self.leads[page] = shown.lead
        for cell, items in shown.cells.items():
            kept = self.cells.setdefault(cell, [])
            kept += [Example(name, page, node, text) for node, text in items[: _KEPT - len(kept)]]
        for labels, (node, text) in shown.labels:
            self.labels.setdefault(labels, Example(name, page, node, text))
        self.times.update(labels for labels, _ in shown.labels)
        self.pairs.update({labels for labels, _ in shown.labels})

    def of(self, cell: Cell) -> Sequence[Example]:
        """What was kept of a cell."""
        return self.cells.get(cell, ())


def _words(said: ExplainedItem) -> tuple[str, str]:
    """A node of an item, and its words."""
    return next(iter((*said.first, *said.second)), ""), shortened(said.text, _LONGEST)


def _labels(differences: Differences) -> Iterator[tuple[Labels, tuple[str, str]]]:
    """Of each relation, illocution and transition in question its labels on both sides, where they differ. What follows
    from another difference, such as the relations of a claim that one side lacks, has no row of its own."""
    sides = (differences.alignment.first, differences.alignment.second)
    for row in differences:
        if row.group in ("propositions", "locutions"):
            continue
        labels = [NONE, NONE]
        for side, node in row.nodes:
            labels[side] = sides[side].label_names.get(node, sides[side].kinds[node])
        if labels[0] != labels[1]:
            example = next(iter((*row.first, *row.second))), cut(row.first_wording or row.second_wording)
            yield (row.group.removesuffix("s"), labels[0], labels[1]), example


def _cells(labels: Sequence[str], rows: Sequence[Sequence[int]]) -> list[tuple[str, str, int]]:
    """First label, second label and count of every cell but (none, none), which is everything else."""
    return [
        (labels[i], labels[j], rows[i][j])
        for i, j in product(range(len(labels)), repeat=2)
        if not labels[i] == labels[j] == NONE
    ]


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


def most_confused(examples: Examples, top: int = 12) -> list[dict[str, Any]]:
    """The labels that most often stand against each other, over all pairs, with an example; ``none`` is one, too."""
    fullest = sorted(examples.times, key=lambda labels: (-examples.times[labels], *labels))[:top]
    return [
        {
            "of": labels[0],
            "first": "nothing" if labels[1] == NONE else labels[1],
            "second": "nothing" if labels[2] == NONE else labels[2],
            "count": examples.times[labels],
            "pairs": examples.pairs[labels],
            "example": examples.labels[labels],
        }
        for labels in fullest
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


def cost_of(pair: PairResult) -> int:
    """How many decisions of a pair differ: what its matrices have off their diagonals."""
    cells = [cell for matrix in pair.matrices.values() for cell in _cells(matrix.labels, matrix.rows)]
    return sum(count for first, second, count in cells if first != second)


def bins(values: list[float | None]) -> dict[str, Any]:
    """Counts of the values in steps of 0.05 from 0 to 1 (1 in the last), and how many are undefined."""
    counts = [0] * _BINS
    for value in values:
        if value is not None:
            counts[min(int(max(value, 0.0) * _BINS), _BINS - 1)] += 1
    return {"counts": counts, "most": max(counts) or 1, "undefined": sum(value is None for value in values)}
