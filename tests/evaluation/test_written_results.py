"""The LaTeX of every result compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import aifgraph
from aifgraph.tables import Result, Table, render

PAIR = ("fixtures/debate/first.json", "fixtures/debate/second.json")
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
#: A name with what means something to LaTeX.
ODD = "50 %_a&b {x} #1 ~^ $5 <b> [2] |"

RESULTS: dict[str, Callable[[], list[Table]]] = {
    "pair": lambda: aifgraph.compare(*PAIR).tables_for("latex")[0],
    "corpora": lambda: [(of := aifgraph.compare_corpora(ANN, BEN)).table(aifgraph.Bootstrap(50)), of.pairs_table()],
    "agreement": lambda: aifgraph.agreement([ANN, BEN]).tables(),
    "evaluate": lambda: [(of := aifgraph.evaluate(ANN, {ODD: BEN}, test_rounds=20)).table(), of.tests_table()],
    "stats": lambda: aifgraph.open_corpus(ANN).counts().tables(),
}


GRAPH = aifgraph.load("fixtures/rules/E202-breaks.json")

#: What is found in a map, or done to it.
FOUND: dict[str, Callable[[], Result]] = {
    "differences": lambda: aifgraph.compare(*PAIR).differences(),
    "no differences": lambda: aifgraph.compare(GRAPH, GRAPH).differences(),
    "findings": lambda: aifgraph.validate(GRAPH, profile="iat"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_is_a_table(name: str, tmp_path: Path) -> None:
    result = FOUND[name]()
    number = {"differences": 8, "no differences": 0}.get(name)
    rows = result.to_csv().splitlines()
    assert len(rows) == 1 + (len(result) if number is None else number)  # type: ignore[arg-type]
    assert result.to_markdown().count("\n| ") == len(rows) + 1 - (name == "findings")
    plain(result.to_latex())
    if shutil.which("pdflatex"):
        compiled(result.to_latex(), tmp_path)


@pytest.mark.parametrize("command", RESULTS)
def test_latex_is_latex(command: str, tmp_path: Path) -> None:
    text = render(RESULTS[command](), "latex")
    plain(text)
    if shutil.which("pdflatex"):
        compiled(text, tmp_path)


def plain(text: str) -> None:
    """Environments and braces are closed in their order, and nothing is left that LaTeX takes for a command."""
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        assert kind == "begin" or opened.pop() == name
        opened += [name] if kind == "begin" else []
    assert not opened
    lines = [line for line in text.split("\n") if not line.startswith("%")]
    body = re.sub(r"\\.", "", "\n".join(lines))
    assert body.count("{") == body.count("}")
    assert not re.search(r"[#^]|(?<!\w)_|[κα±→≤≥]", body)
    for table in re.findall(r"\\toprule(.*?)\\bottomrule", "\n".join(lines), re.DOTALL):
        rows = [row for row in table.split("\n") if row.endswith(r"\\")]
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


def compiled(text: str, folder: Path) -> None:
    packages = "".join(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx"))
    source = rf"\documentclass{{article}}{packages}\begin{{document}}{text}\end{{document}}"
    (folder / "paper.tex").write_text(source, "utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout[-2000:]
