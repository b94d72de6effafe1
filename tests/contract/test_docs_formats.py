"""The page on formats says what the registry says."""

from __future__ import annotations

from pathlib import Path

from aifgraph.formats.registry import formats_table, names
from aifgraph.tables import render

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "formats.md"


def test_the_table_is_that_of_the_registry() -> None:
    page = PAGE.read_text("utf-8")
    shown = page.split("--format markdown -->\n\n")[1].split("\n<!-- end of table -->")[0]
    assert shown == render(formats_table(), "markdown").split("\n\n", 1)[1]


def test_every_format_has_a_section() -> None:
    headings = " ".join(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("## "))
    for name in names():
        assert name in headings.replace(",", " ").replace(":", " ").split(), name
