"""What a comparison shows of its scores, whether it was just made or is read back from a file: its tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from aifgraph.comparison.breakdown import Breakdown
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import Fused, ScoreLayer
from aifgraph.comparison.chance import Chance, chance_table
from aifgraph.graph import Notice
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table, render, shown

#: The scores that fit into one line of a table; all of them are in ``score_table``.
_MAIN_SCORES = ("kappa", "f1", "accuracy", "macro_f1", "mcc", "alpha", "ac1")

#: What tables with both columns say below them.
DECISIONS_NOTE = "decisions: the sum of the matrix; an item with two labels is one item and two decisions"


class CalculationScores(Protocol):
    """A calculation with its matrix and scores."""

    @property
    def applicable(self) -> bool: ...

    @property
    def reason(self) -> str: ...

    @property
    def items_total(self) -> int: ...

    @property
    def matrix(self) -> ConfusionMatrix: ...

    @property
    def scores(self) -> Mapping[str, float | None]: ...

    def __getitem__(self, score: str) -> float | None: ...


class SegmentationMeasures(Protocol):
    """S and the measures next to it."""

    @property
    def mode(self) -> str | None: ...

    @property
    def S(self) -> float | None: ...  # noqa: N802  (its name in the literature)

    @property
    def B(self) -> float | None: ...  # noqa: N802

    @property
    def Pk(self) -> float | None: ...  # noqa: N802

    @property
    def WindowDiff(self) -> float | None: ...  # noqa: N802


class ComparisonTables(ABC):
    """The numbers of a comparison and how they are shown: the base of ``Comparison`` and ``StoredComparison``."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """The line that says how the numbers were made."""

    @property
    @abstractmethod
    def breakdown(self) -> Breakdown:
        """What stands behind the scores: attachment and labels apart, each label, schemes, speakers."""

    @property
    @abstractmethod
    def chance(self) -> Chance | None:
        """What the scores would be by chance, where it was worked out."""

    @property
    @abstractmethod
    def layers(self) -> Mapping[ScoreLayer, Fused]:
        """M and CASS of each layer alone: ``layers["propositional"].cass["kappa"]``."""

    @property
    @abstractmethod
    def _fused(self) -> Fused: ...

    @property
    @abstractmethod
    def _scored(self) -> Mapping[str, CalculationScores]: ...

    @property
    @abstractmethod
    def _cuts(self) -> SegmentationMeasures: ...

    @property
    @abstractmethod
    def _warnings(self) -> Iterable[Notice | str]: ...

    @abstractmethod
    def _side_rows(self) -> list[list[Cell]]: ...

    @abstractmethod
    def _match_rows(self) -> list[list[Cell]]: ...

    @property
    def mean(self) -> dict[str, float | None]:
        """M: the mean of each score over the calculations that apply, or over the layers (``Options.mean``)."""
        return self._fused.mean

    @property
    def cass(self) -> dict[str, float | None]:
        """CASS for each score: ``cass["kappa"]`` is CASS-κ."""
        return self._fused.cass

    @property
    def kappa(self) -> float | None:
        """CASS-κ: ``cass["kappa"]``."""
        return self.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1: ``cass["f1"]``."""
        return self.cass["f1"]

    @property
    def undefined(self) -> dict[str, str]:
        """Why CASS is undefined, by score."""
        return self._fused.reasons

    @property
    def n(self) -> int:
        """The number of calculations that apply."""
        return self._applicable(self._scored)

    def _applicable(self, names: Iterable[str]) -> int:
        return sum(name in names and scored.applicable for name, scored in self._scored.items())

    def tables(self) -> list[Table]:
        """What people look at: CASS of the whole and of each layer, the calculations, the segmentation, the sides.

        Returns:
            The tables, as the command line shows them.
        """
        cuts = self._cuts
        cass: list[list[Cell]] = [
            [layer, n, cuts.S, over.mean["kappa"], over.cass["kappa"], over.mean["f1"], over.cass["f1"]]
            for layer, n, over in (
                ("all", self.n, self._fused),
                *((layer, self._applicable(LAYERS[layer]), over) for layer, over in self.layers.items()),
            )
        ]
        calculations: list[list[Cell]] = [
            [
                name.replace("_", " "),
                scored.items_total,
                scored.matrix.total,
                *(scored[score] for score in _MAIN_SCORES),
            ]
            for name, scored in self._scored.items()
        ]
        reasons = [
            f"{name.replace('_', ' ')}: {scored.reason}" for name, scored in self._scored.items() if scored.reason
        ]
        return [
            Table("CASS", ("layer", "n", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1"), cass),
            *([against] if (against := self.chance_table()) else ()),
            Table(
                "Calculations",
                ("calculation", "items", "decisions", *_MAIN_SCORES),
                calculations,
                note="\n".join([DECISIONS_NOTE, *reasons]),
            ),
            *self.breakdown.tables(),
            Table(
                "Segmentation",
                ("mode", "S", "B", "Pk", "WindowDiff"),
                [[cuts.mode, cuts.S, cuts.B, cuts.Pk, cuts.WindowDiff]],
            ),
            Table(
                "Analyses", ("side", "name", "propositions", "locutions", "units", "placed", "text"), self._side_rows()
            ),
            Table("Alignment", ("of", "classes", "matched", "by meaning"), self._match_rows()),
        ]

    def chance_table(self) -> Table | None:
        """Every score a row: M, what it is by chance, above chance, and CASS of that.

        Returns:
            The table, or None without the option ``chance``.
        """
        return chance_table(self.chance, {"all": self._fused, **self.layers}) if self.chance else None

    def score_table(self) -> Table:
        """Every score a column: a row per calculation, then M and CASS of the whole and of each layer, S, and what
        stands behind the scores.

        Returns:
            The table. The columns ``first`` and ``second`` of a row that stands behind a score are the supports. Rows
            for chance are there if it was worked out.
        """
        rows: list[list[Cell]] = [
            [name, scored.items_total, scored.matrix.total, None, None, *scored.scores.values()]
            for name, scored in self._scored.items()
        ]
        layers: dict[ScoreLayer, Fused] = {"all": self._fused, **self.layers}
        blank: list[Cell] = [None] * 4
        for layer, over in layers.items():
            rows.append([f"M ({layer})", *blank, *over.mean.values()])
            rows.append([f"CASS ({layer})", *blank, *over.cass.values()])
            if self.chance:
                against = self.chance.over[layer]
                rows.append([f"M by chance ({layer})", *blank, *against.mean.values()])
                rows.append([f"M above chance ({layer})", *blank, *against.above.values()])
                rows.append([f"CASS above chance ({layer})", *blank, *against.cass.values()])
        rows.append(["S", *blank, self._cuts.S, *[None] * (len(SCORES) - 1)])
        for record in self.breakdown.records():
            name, columns = f"{record['of']}: {record['part']}", ("first", "second", *SCORES)
            rows.append([name, None, None, *(record.get(column) for column in columns)])
        return Table("Scores", ("row", "items", "decisions", "first", "second", *SCORES), rows)

    def rows(self) -> list[dict[str, Any]]:
        """One row per calculation, for a data frame.

        Returns:
            For each calculation its name, whether it applies, its items and decisions, and every score.
        """
        return [
            {
                "calculation": name,
                "applicable": scored.applicable,
                "items": scored.items_total,
                "decisions": scored.matrix.total,
                **scored.scores,
            }
            for name, scored in self._scored.items()
        ]

    @property
    def headline(self) -> str:
        """CASS-κ and CASS-F1 in one line, each with its layers."""
        parts = [f"CASS-{symbol} {self._with_layers(score)}" for symbol, score in (("κ", "kappa"), ("F1", "f1"))]
        return "   ".join(parts)

    def _with_layers(self, score: str) -> str:
        argument, dialogue = (shown(self.layers[layer].cass[score]) for layer in ("propositional", "dialogical"))
        value = self.cass[score]
        whole = "undefined" if value is None else shown(value)
        return f"{whole} (argument {argument}, dialogue {dialogue})"

    def __str__(self) -> str:
        warnings = "".join(f"\nwarning: {notice}" for notice in self._warnings)
        tables = render(self.tables()[: 3 if self.chance else 2]).rstrip()
        return f"{self.headline}\n{self.signature}\n\n{tables}{warnings}"
