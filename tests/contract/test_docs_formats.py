"""The page on formats says what the registry says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from aifgraph.formats.registry import names

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "formats.md"


@pytest.mark.slow
def test_the_tables_are_current() -> None:
    text = PAGE.read_text("utf-8")
    page = runpy.run_path(str(ROOT / "docs" / "formats_tables.py"))["page"]
    assert page(text) == text, "run python docs/formats_tables.py"


def test_every_format_has_a_section() -> None:
    headings = " ".join(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("## "))
    for name in names():
        assert name in headings.replace(",", " ").replace(":", " ").split(), name
