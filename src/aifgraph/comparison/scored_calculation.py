"""One calculation of a comparison with its scores, and the items behind every cell of its matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.calculation import Calculation
from aifgraph.comparison.calculations.explanation import ExplainedItem, Explainer
from aifgraph.comparison.calculations.registry import CODES
from aifgraph.errors import NoSuchNameError, OptionError, nearest
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all, undefined_reason


class ScoredCalculations(dict[str, "ScoredCalculation"]):
    """The calculations of a comparison by name, in the order of reports; found by their codes, too: ``["PR"]``.

    Raises ``NoSuchNameError`` (a ``KeyError``) for a name that is none, with the one that was probably meant.
    """

    def __missing__(self, name: object) -> ScoredCalculation:
        for full, code in CODES.items():
            if code == name and full in self:
                return self[full]
        raise NoSuchNameError(f"there is no calculation {name!r}"[:200], remedy=nearest(name, (*self, *CODES.values())))


@dataclass(frozen=True)
class ScoredCalculation:
    """One calculation with its matrix and scores; ``scored["kappa"]`` is None where undefined or not applicable."""

    calculation: Calculation
    alignment: Alignment

    @property
    def name(self) -> str:
        """Its name: ``propositional_relations``, ``transitions`` …"""
        return self.calculation.name

    @property
    def applicable(self) -> bool:
        """Whether it says anything about this pair; if not, ``reason`` says why."""
        return self.calculation.applicable

    @property
    def reason(self) -> str:
        """Why it does not apply; empty if it does."""
        return self.calculation.reason

    @property
    def items_total(self) -> int:
        """The size of its universe."""
        return self.calculation.items_total

    @property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix, rows the first analysis."""
        return self.calculation.matrix

    @cached_property
    def scores(self) -> dict[str, float | None]:
        """Every score by name."""
        return score_all(self.matrix) if self.applicable else dict.fromkeys(SCORES)

    def __getitem__(self, score: str) -> float | None:
        # Whoever asks for one score does not wait for the others.
        if "scores" in self.__dict__ or not self.applicable:
            return self.scores[score]
        return SCORES[score](self.matrix)

    def items(self, first: str, second: str) -> list[ExplainedItem]:
        """The items behind a cell of the matrix: what the first analysis calls ``first`` and the second ``second``.

        (none, none) is everything that neither side labels and is not listed: an ``OptionError``.
        """
        labels = self.matrix.labels
        if first not in labels or second not in labels:
            unknown = first if first not in labels else second
            raise OptionError(f"{self.name} has no label {unknown!r}", remedy=f"choose from {', '.join(labels)}")
        if first == second == labels[-1]:
            raise OptionError(
                "items without a label on either side are counted, not listed", remedy="ask for another cell"
            )
        explainer = Explainer(self.alignment)
        return [self.calculation.explained(item, explainer) for item in self.calculation.labelled(first, second)]

    @cached_property
    def undefined(self) -> dict[str, str]:
        """Why scores are undefined, by name."""
        if not self.applicable:
            return {}
        return {name: undefined_reason(name, self.matrix) or "" for name, value in self.scores.items() if value is None}

    def to_dict(self) -> dict[str, Any]:
        """As plain values; undefined scores are None with a reason under ``undefined``."""
        return {
            "applicable": self.applicable,
            "items": self.calculation.items_total,
            "decisions": self.matrix.total,
            "labels": list(self.matrix.labels),
            "matrix": [list(row) for row in self.matrix.rows],
            **self.scores,
            **({} if self.applicable else {"reason": self.reason}),
            "undefined": self.undefined,
        }
