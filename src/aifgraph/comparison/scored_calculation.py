"""One calculation of a comparison with its scores, and the items behind every cell of its matrix."""

from __future__ import annotations

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.calculation import Calculation
from aifgraph.comparison.calculations.explanation import ExplainedItem, Explainer
from aifgraph.comparison.calculations.registry import ByCalculation
from aifgraph.comparison.result import CalculationResult, Coverage
from aifgraph.errors import OptionError, choose_from


class ScoredCalculations(ByCalculation["ScoredCalculation"]):
    """The calculations of a comparison by name or code, in the order of reports."""


class ScoredCalculation(CalculationResult):
    """A calculation of a comparison: its result, and the items behind every cell of its matrix."""

    def __init__(self, calculation: Calculation, alignment: Alignment) -> None:
        self.__dict__.update(calculation=calculation, alignment=alignment, matrix=calculation.matrix)
        matrix = calculation.matrix
        items, why = calculation.items_total, calculation.reason
        coverage = Coverage(*calculation.coverage) if calculation.applicable and calculation.coverage else None
        super().__init__(calculation.applicable, items, matrix.labels, matrix.rows, why, coverage)

    calculation: Calculation
    alignment: Alignment

    @property
    def name(self) -> str:
        """Its name: ``propositional_relations``, ``transitions`` …"""
        return self.calculation.name

    @property
    def stored(self) -> CalculationResult:
        """Its result without its items."""
        return CalculationResult(self.applicable, self.items_total, self.labels, self.rows, self.reason, self.coverage)

    def items(self, first: str, second: str) -> list[ExplainedItem]:
        """The items behind a cell of the matrix: what the first analysis calls ``first`` and the second ``second``.

        (none, none) is everything that neither side labels and is not listed: an ``OptionError``.
        """
        labels = self.matrix.labels
        if first not in labels or second not in labels:
            unknown = first if first not in labels else second
            raise OptionError(f"{self.name} has no label {unknown!r}", remedy=choose_from(labels))
        if first == second == labels[-1]:
            raise OptionError(
                "items without a label on either side are counted, not listed", remedy="ask for another cell"
            )
        explainer = Explainer(self.alignment)
        return [self.calculation.explained(item, explainer) for item in self.calculation.labelled(first, second)]
