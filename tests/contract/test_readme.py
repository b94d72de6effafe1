"""The README leads to every page, and names every command and every extra."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from aifgraph.cli.group import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("page", sorted(p.name for p in (ROOT / "docs").iterdir() if p.suffix in (".md", ".ipynb")))
def test_every_page_is_linked(page: str) -> None:
    assert f"(docs/{page})" in README


def test_no_link_leads_nowhere() -> None:
    for target in re.findall(r"\]\(((?!http)[^)#]+)", README):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_named(name: str) -> None:
    assert re.search(rf"`{name}[` ]", README)


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_named(extra: str) -> None:
    assert f"`{extra}`" in README
