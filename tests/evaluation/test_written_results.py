"""The LaTeX of every result compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import aifgraph
from aifgraph.tables import Table, render

PAIR = ("fixtures/debate/first.json", "fixtures/debate/second.json")
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
#: A name with what means something to LaTeX.
ODD = "50 %_a&b {x} #1 ~^ $5 <b> [2] |"

GRAPH = aifgraph.load("fixtures/rules/E202-breaks.json")


def rendered(*tables: Table) -> str:
    return render(list(tables), "latex")


RESULTS: dict[str, Callable[[], str]] = {
    "pair": lambda: aifgraph.compare(*PAIR).to_latex(),
    "corpora": lambda: rendered(
        (of := aifgraph.compare_corpora(ANN, BEN)).table(aifgraph.Bootstrap(50)), of.pairs_table()
    ),
    "agreement": lambda: rendered(*aifgraph.agreement([ANN, BEN]).tables()),
    "evaluate": lambda: rendered((of := aifgraph.evaluate(ANN, {ODD: BEN}, test_rounds=20)).table(), of.tests_table()),
    "stats": lambda: rendered(*aifgraph.open_corpus(ANN).counts().tables()),
    "differences": lambda: aifgraph.compare(*PAIR).differences().to_latex(),
    "no differences": lambda: aifgraph.compare(GRAPH, GRAPH).differences().to_latex(),
    "findings": lambda: aifgraph.validate(GRAPH, profile="iat").to_latex(),
}


@pytest.mark.parametrize("name", RESULTS)
def test_latex_is_latex(name: str, tmp_path: Path) -> None:
    """Braces are closed, nothing is left that LaTeX takes for a command, and pdflatex takes it where it is there."""
    text = RESULTS[name]()
    lines = [line for line in text.split("\n") if not line.startswith("%")]
    body = re.sub(r"\\.", "", "\n".join(lines))
    assert body.count("{") == body.count("}")
    assert not re.search(r"[#^]|(?<!\w)_|[κα±→≤≥]", body)
    for table in re.findall(r"\\toprule(.*?)\\bottomrule", "\n".join(lines), re.DOTALL):
        rows = [row for row in table.split("\n") if row.endswith(r"\\")]
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1
    if shutil.which("pdflatex"):
        packages = "".join(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx"))
        source = rf"\documentclass{{article}}{packages}\begin{{document}}{text}\end{{document}}"
        (tmp_path / "paper.tex").write_text(source, "utf-8")
        command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout[-2000:]
