"""The commands in the docs, run as a reader would; the Python examples run as doctests."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from aifgraph.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.S | re.M)


def commands() -> list[tuple[str, str, str]]:
    """Page, command, and the output that the page shows (empty if none)."""
    found = []
    for page in PAGES:
        for block in _BLOCK.findall(page.read_text("utf-8")):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                found.append((page.name, command.strip(), output))
    return found


@pytest.mark.parametrize(("page", "command", "output"), commands())
def test_command(
    page: str, command: str, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (ROOT / "build").mkdir(exist_ok=True)
    words = shlex.split(command)
    assert words[0] == "aifgraph", f"{page}: only aifgraph is run here, put other commands into a sh block"
    assert main(words[1:]) == 0, f"{page}: {command}"
    if output.strip():
        shown = capsys.readouterr().out
        pattern = "".join(
            r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + r" *\n" for line in output.splitlines()
        )
        assert re.fullmatch(pattern, shown), f"{page}: {command} shows\n{shown}"


def test_pages_are_linked() -> None:
    """Every link to a file in the repository leads to one."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_api_page_names_everything_public() -> None:
    import aifgraph

    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    assert [name for name in aifgraph.__all__ if f"`{name}" not in page] == []
