"""The site: Sphinx reads the pages of this folder. ``make docs`` builds it, strictly and offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

import aifgraph
from aifgraph.cli import cli
from aifgraph.graph.rules import PROFILES, all_rules

project = "aifgraph"
author = copyright = "The aifgraph authors"
version = release = aifgraph.__version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# Pages
exclude_patterns = ["reference/rules.md"]  # stands in rules.md
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

# Looks: everything that a page needs is in the site, so that it can be read from a folder without a network.
html_theme = "furo"
html_title = f"aifgraph {release}"
html_static_path: list[str] = []
html_copy_source = False
html_show_sourcelink = False

# The reference is made of docstrings and of the help of the commands, in docs/reference, which is not committed.
autodoc_default_options = {"members": True, "show-inheritance": False}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_ivar = True
REFERENCE = Path(__file__).parent / "reference"
TASKS = ("aifgraph.tasks.ruarg", "aifgraph.tasks.arct", "aifgraph.tasks.aurc", "aifgraph.tasks.aurc_corpus")
RESULTS = ("aifgraph.comparison.result", "aifgraph.evaluation.result", "aifgraph.graph.rules", "aifgraph.tables")
DATA = ("aifgraph.graph.side_data", "aifgraph.corpus", "aifgraph.aifdb", "aifgraph.datasets")
MODULES = ("aifgraph", *DATA, *RESULTS, "aifgraph.report.plots", *TASKS)


def commands(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield a section for each command: its help, as it is printed."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from commands(inner, click.Context(inner, info_name=name, parent=context))
    else:
        yield f"## {context.command_path.removeprefix('aifgraph ')}\n\n```text\n{command.get_help(context)}\n```\n"


def rules() -> str:
    """Return the rules of `check` as a Markdown table."""
    lines = [f"| rule | {' | '.join(PROFILES)} | says | source |", "| --- " * (len(PROFILES) + 3) + "|"]
    for rule in all_rules():
        codes = [f"{rule.levels[profile]}{rule.number}" if profile in rule.levels else "–" for profile in PROFILES]
        cells = [f"`{rule.name}`", *codes, rule.text, rule.source]
        lines.append("| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def write_reference() -> None:
    """Write the pages of the reference."""
    REFERENCE.mkdir(exist_ok=True)
    context = click.Context(cli, info_name="aifgraph", terminal_width=100)
    pages = {"commands": "\n".join(["# Commands\n", *commands(cli, context)])}
    for module in MODULES:
        pages[module] = f"# {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :no-index:\n```\n"
    pages["rules"] = rules()
    for name, text in pages.items():
        (REFERENCE / f"{name}.md").write_text(text, "utf-8")


write_reference()
