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


REFERENCE = DOCS / "reference"


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    """What the pages of the reference say, made anew."""
    path = list(sys.path)
    pages: dict[str, str] = runpy.run_path(str(DOCS / "reference_pages.py"))["pages"]()
    sys.path[:] = path
    return pages


def test_the_reference_is_what_the_docstrings_and_the_help_say(reference: dict[str, str]) -> None:
    for page, text in reference.items():
        assert (REFERENCE / page).read_text("utf-8") == text, f"{page}: run python docs/reference_pages.py, and commit"


def test_the_page_of_commands_has_every_command_with_every_option() -> None:
    page = (REFERENCE / "commands.md").read_text("utf-8")
    context = click.Context(group, info_name="aifgraph")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        part = re.split(r"^## ", f"\n{page}".split(f"\n## {name}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
        assert f"aifgraph {name}" in part
        for parameter in command.params:
            assert all(option in part for option in parameter.opts if option.startswith("-")), (name, parameter.opts)


@pytest.mark.parametrize("module", ["aifgraph", "aifgraph.datasets", "aifgraph.tasks.ruarg", "aifgraph.tasks.aurc"])
def test_the_reference_has_every_public_name(module: str) -> None:
    """With its signature, for people who read the pages in a clone."""
    text = "".join(page.read_text("utf-8") for page in REFERENCE.glob("*.md"))
    for name in {*importlib.import_module(module).__all__} - {"__version__"}:
        assert re.search(rf"^```python\n(class )?{re.escape(module)}(\.\w+)*\.{name}\b", text, re.M), name


def test_links_of_the_reference_lead_to_headings() -> None:
    """As GitHub and the site make anchors of them; ``make docs`` builds the site strictly."""
    pages = {page.name: page.read_text("utf-8") for page in REFERENCE.glob("*.md")}
    links = {(target or page, anchor) for page, text in pages.items() for target, anchor in LINK.findall(text)}
    assert len(links) > 200
    for page, anchor in sorted(links):
        slugs = [re.sub(r"[^\w-]", "", title.lower()) for title in re.findall(r"^#+ `(.*)`$", pages[page], re.M)]
        assert re.sub(r"-\d+$", "", anchor) in slugs, (page, anchor)


LINK = re.compile(r"\]\(((?:\w|-)*(?:\.md)?)#([\w-]+)\)")
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
