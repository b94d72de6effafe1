"""The site: what its pages are made of. ``make docs`` builds it, and fails on a warning or a broken link."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import click
import pytest

from aifgraph.cli.group import group

DOCS = Path(__file__).resolve().parents[2] / "docs"


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


@pytest.mark.parametrize(
    "module",
    ["aifgraph", "aifgraph.datasets", "aifgraph.tasks.ruarg", "aifgraph.tasks.arct", "aifgraph.tasks.aurc"],
)
def test_the_reference_has_every_public_name(module: str) -> None:
    text = "".join(page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md"))
    named = set(re.findall(rf"^\.\. auto\w+:: {re.escape(module)}\.(\w+)$", text, re.M))
    assert set(importlib.import_module(module).__all__) - {"__version__"} <= named
