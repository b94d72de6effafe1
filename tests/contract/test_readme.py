"""The README fits on one screen; the front page of the docs names every command, the page on installing every extra."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from aifgraph.cli.group import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FRONT = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
INSTALL = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_named(name: str) -> None:
    assert re.search(rf"`{name}[` ]", FRONT)


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_named(extra: str) -> None:
    assert f"`{extra}`" in INSTALL
