"""What stands behind the pooled matrices of a corpus: a few items of each cell, collected as the pairs come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from aifgraph.comparison.calculations.explanation import ExplainedItem, Explainer
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.differences import Differences
from aifgraph.stats.matrix import NONE

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


@dataclass(frozen=True)
class PooledConfusion:
    """Two labels that were taken for one another, in a calculation: how often, and in how many pairs."""

    calculation: str
    first: str
    second: str
    count: int
    pairs: int


def confusions(
    matrices: Sequence[Mapping[str, tuple[Sequence[str], Sequence[Sequence[int]]]]], top: int = 12
) -> list[PooledConfusion]:
    """The cells off the diagonals with most items over all pairs, the fullest first; ``none`` is a label, too.

    Args:
        matrices: Of each pair, calculation → labels and rows.
        top: How many are given.
    """
    counts: dict[Cell, list[int]] = {}
    for of_pair in matrices:
        for calculation, (labels, rows) in of_pair.items():
            for first, second, count in _cells(labels, rows):
                if count and first != second:
                    sums = counts.setdefault((calculation, first, second), [0, 0])
                    sums[0] += count
                    sums[1] += 1
    listed = [PooledConfusion(*cell, count, pairs) for cell, (count, pairs) in counts.items()]
    return sorted(listed, key=lambda each: (-each.count, each.calculation, each.first, each.second))[:top]


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
