"""The pages of the docs have every format and extra."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from aifgraph.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
INSTALL = (DOCS / "install.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_named(extra: str) -> None:
    assert f"`{extra}`" in INSTALL


def test_every_format_is_in_the_table() -> None:
    page = (DOCS / "formats.md").read_text("utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in page] == []


def test_what_the_page_on_security_names_is_there() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    assert [path for path in re.findall(r"`(tests/[\w./]+)`", page) if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([\w-]+)", page)) <= targets
    for place in re.findall(r"`(aifgraph(?:\.\w+)+)`", page):
        module, _, name = place.rpartition(".")
        try:
            importlib.import_module(place)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), name), place
