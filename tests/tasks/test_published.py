"""The printed figures of the papers, and how the page of recomputed ones reads and shows them."""

import sys
from pathlib import Path

import pytest

from documents import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
from figures import PUBLISHED, Figure, fill, number, published
from reproduce import COMPUTED


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.tsv")), ids=lambda path: path.stem)
def test_tables_are_whole(path: Path) -> None:
    rows = published(path.stem)
    assert rows
    assert all(None not in row and None not in row.values() for row in rows)


def test_every_table_is_listed_with_what_is_there() -> None:
    listed = published("tables")
    files = {row["file"] for row in listed if row["file"]}
    tables = {path.stem for path in PUBLISHED.glob("*-table-*.tsv")} | {"cass-figure-5", "aurc-perturbations"}
    assert files == tables - {"ruarg-table-2"}
    assert all(row["mark"] in COMPUTED or row["why"] for row in listed)


@pytest.mark.parametrize(
    ("cell", "value"),
    [(".683", 0.683), ("1,832", 1832), ("1 341", 1341), ("-4.8%", -4.8), ("+.070", 0.07), ("about 90", 90), ("", None)],
)
def test_printed_numbers(cell: str, value: float | None) -> None:
    assert number(cell) == value


def test_a_cell_says_whether_a_figure_is_the_printed_one() -> None:
    assert Figure("r", "c", 0.69849, ".698").cell() == "0.698 ✓"
    assert Figure("r", "c", 0.713, ".711", within=0.002).cell() == "0.713 (.711)"
    assert [Figure("r", "c", 0.713, ".711", within=within).lost for within in (0.002, 0.001)] == [False, True]
    assert Figure("r", "c", None, ".711").lost
    assert fill("<!-- a -->\n\nold\n\nrest\n", {"a": "new", "b": "nowhere"}) == "<!-- a -->\n\nnew\n\nrest\n"
