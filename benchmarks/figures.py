"""Printed figures of papers and what is recomputed of them: cells and tables of docs/reproduced.md."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aifgraph.tables import Table, as_markdown

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"
PUBLISHED = Path(__file__).parent / "published"
#: Draws ties, shuffles and permutations.
SEED = 1
#: Columns of the published tables that number or name rows.
KEYS = {"number", "row", "rank", "example", "parts", "topic"}


def published(table: str) -> list[dict[str, str]]:
    """Return the rows of a published table, as printed."""
    with (PUBLISHED / f"{table}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def text_value(table: str, what: str, where: str = "") -> str:
    """Return the value of running text whose description is, or begins with, ``what``."""
    rows = [row for row in published(table) if row["where"].startswith(where)]
    exact = [row for row in rows if row["what"] == what]
    return next(row["value"] for row in exact or rows if row["what"].startswith(what))


def number(cell: str) -> float | None:
    """Return the number in a printed cell, None where there is none."""
    found = re.search(r"[-+]?\d*\.?\d+(?:e-?\d+)?", re.sub(r"(?<=\d)[, ](?=\d{3})", "", cell))
    words = {"three": 3.0, "eight": 8.0, "none": 0.0}
    return float(found[0]) if found else words.get(cell)


def count_printed(table: str) -> int:
    """Return how many figures a published table has."""
    cells = (cell for row in published(table) for key, cell in row.items() if key not in KEYS)
    return sum(re.fullmatch(r"[-+]?[\d.][\d., ]*%?", cell) is not None for cell in cells)


@dataclass(frozen=True)
class Figure:
    """A figure in a ``row`` and ``column`` of the page: recomputed, and as ``printed`` (empty: nowhere).

    A difference up to ``within`` is explained on the page. ``digits`` are those of a figure that is not printed.
    """

    row: str
    column: str
    recomputed: float | None
    printed: str = ""
    within: float = 0.0
    digits: int = 3

    @property
    def shown_digits(self) -> int:
        """How many decimals are shown: those that are printed."""
        decimals = re.search(r"\.(\d+)", self.printed)
        return len(decimals[1]) if decimals else 0 if self.printed else self.digits

    def _apart(self) -> float | None:
        value = number(self.printed)
        if value is None or self.recomputed is None:
            return None
        return abs(round(self.recomputed, self.shown_digits) - value)

    @property
    def equal(self) -> bool:
        """Whether it is the printed figure."""
        apart = self._apart()
        return apart is not None and apart < 1e-9

    @property
    def lost(self) -> bool:
        """Whether it no longer agrees."""
        apart = self._apart()
        return bool(self.printed) and (apart is None or apart > self.within + 1e-9)

    def cell(self) -> str:
        """What the page shows."""
        if self.recomputed is None:
            return "undefined"
        shown = f"{self.recomputed:.{self.shown_digits}f}"
        if self.equal:
            return f"{shown} ✓"
        return f"{shown} ({self.printed})" if self.printed else shown


# -- the page ----------------------------------------------------------------------------------------------------------


def page_table(figures: Sequence[Figure], rows: str) -> str:
    """Return figures as a table, by their rows and columns; a cell without a figure is empty."""
    columns = list(dict.fromkeys(figure.column for figure in figures))
    cells = {(figure.row, figure.column): figure.cell() for figure in figures}
    listed = [
        (name, *(cells.get((name, column), "") for column in columns))
        for name in dict.fromkeys(figure.row for figure in figures)
    ]
    return as_markdown(Table("", (rows, *columns), listed)).strip()


def overview(made: Mapping[str, Sequence[Figure]]) -> str:
    """Return the list of all tables of the papers: how many figures are printed, recomputed, and equal, and why not."""
    rows = []
    for table in published("tables"):
        known = [figure for figure in made.get(table["mark"], ()) if figure.printed]
        total = count_printed(table["file"]) if table["file"] else 0
        extent = "not" if not known else "whole" if total and len(known) >= total else "in part"
        counts = (total or "", len(known) or "", sum(figure.equal for figure in known) if known else "")
        rows.append((table["paper"], table["table"], extent, *counts, table["why"]))
    columns = ("paper", "table", "recomputed", "figures", "of them recomputed", "equal", "why not, or not equal")
    return as_markdown(Table("", columns, rows)).strip()


def fill(page: str, tables: Mapping[str, str]) -> str:
    """Return a page with tables, each below the comment that names it; a table without such a comment is left out."""
    for name, table in tables.items():
        before, mark, after = page.partition(f"<!-- {name} -->\n\n")
        if mark:
            page = before + mark + table + "\n\n" + after.partition("\n\n")[2]
    return page


def save(page: Path, text: str) -> bool:
    """Write a page; with ``--check``, return whether it has this text already."""
    if "--check" not in sys.argv[1:]:
        page.write_text(text, "utf-8")
        return True
    shown = page.is_file() and page.read_text("utf-8") == text
    if not shown:
        print(f"{page.name} does not show what is computed: run `make reproduce`", file=sys.stderr)
    return shown
