"""The pages of the docs have every format, command, option, extra and public name."""

from __future__ import annotations

import importlib
import re
import runpy
import sys
import tomllib
from pathlib import Path

import click
import pytest

from aifgraph.cli.group import COMMANDS, group
from aifgraph.formats.registry import names

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(str(DOCS))
    yield importlib.import_module("commands_page")
    sys.modules.pop("commands_page")


def test_the_page_of_commands_has_every_command_with_every_option(commands: object) -> None:
    page: str = commands.commands_page()
    context = click.Context(group, info_name="aifgraph")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        part = re.split(r"^## ", f"\n{page}".split(f"\n## {name}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
        assert f"aifgraph {name}" in part
        for parameter in command.params:
            assert all(option in part for option in parameter.opts if option.startswith("-")), (name, parameter.opts)


@pytest.mark.parametrize("module", ["aifgraph", "aifgraph.datasets", "aifgraph.tasks.ruarg", "aifgraph.tasks.aurc"])
def test_the_reference_has_every_public_name(module: str) -> None:
    text = "".join(page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md"))
    named = set(re.findall(rf"^\.\. auto\w+:: {re.escape(module)}\.(\w+)$", text, re.M))
    assert set(importlib.import_module(module).__all__) - {"__version__"} <= named


FRONT = (DOCS / "index.md").read_text(encoding="utf-8")
INSTALL = (DOCS / "install.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_named(name: str) -> None:
    assert re.search(rf"`{name}[` ]", FRONT)


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_named(extra: str) -> None:
    assert f"`{extra}`" in INSTALL


FORMATS = DOCS / "formats.md"


@pytest.mark.slow
def test_the_tables_are_current() -> None:
    text = FORMATS.read_text("utf-8")
    page = runpy.run_path(str(ROOT / "docs" / "formats_tables.py"))["page"]
    assert page(text) == text, "run python docs/formats_tables.py"


def test_every_format_has_a_section() -> None:
    headings = " ".join(line for line in FORMATS.read_text("utf-8").splitlines() if line.startswith("## "))
    for name in names():
        assert name in headings.replace(",", " ").replace(":", " ").split(), name
