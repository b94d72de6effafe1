"""A table of results as plain values; how it looks is decided by ``aifgraph.tables.render``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | bool | None


@dataclass(frozen=True)
class Table:
    """Column names and rows of the same length. ``digits`` is how many decimals a fraction is shown with.

    A cell of ``None`` is an undefined value and shows as a dash; ``note`` is a line under the table.

    >>> Table("Scores", ("score", "value"), [("kappa", 0.81)]).rows
    [('kappa', 0.81)]
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3
    note: str = ""

    def records(self) -> list[dict[str, Cell]]:
        """The rows as objects, for JSON or a data frame."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]
