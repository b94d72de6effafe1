"""Tables as files: LaTeX compiles, and nothing in markdown, CSV or TSV steers what shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import aifgraph
from aifgraph.adjudication.decisions import decisions_tsv
from aifgraph.tables import Table, render
from aifgraph.tasks import ruarg

PAIR = ("fixtures/debate/first.json", "fixtures/debate/second.json")
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
#: A name with what means something to LaTeX.
ODD = '50 %_a&b {x} #1 ~^ $5 <b> [2] | "é" -- κ'

RUARG = ruarg.read(Path("fixtures/tasks/ruarg/gold.tsv"))
GRAPH = aifgraph.load("fixtures/rules/E202-breaks.json")


def rendered(*tables: Table) -> str:
    return render(list(tables), "latex")


RESULTS: dict[str, Callable[[], str]] = {
    "pair": lambda: aifgraph.compare(*PAIR).to_latex(),
    "corpora": lambda: aifgraph.compare_corpora(ANN, BEN).with_intervals(aifgraph.Bootstrap(50)).to_latex(),
    "agreement": lambda: aifgraph.agreement({ODD: ANN, "ben": BEN, "ben's": BEN}).to_latex(),
    "evaluate": lambda: aifgraph.evaluate(ANN, {ODD: BEN, "ben": BEN}, test_rounds=20).to_latex(),
    "task": lambda: ruarg.ranking(RUARG, [RUARG]).to_latex(),
    "stats": lambda: rendered(*aifgraph.open_corpus(ANN).counts().tables()),
    "differences": lambda: aifgraph.compare(*PAIR).differences().to_latex(),
    "no differences": lambda: aifgraph.compare(GRAPH, GRAPH).differences().to_latex(),
    "long": lambda: rendered(Table(ODD, (ODD, "number"), [(f"{row}: {ODD * 9}", -row / 7) for row in range(90)])),
    "findings": lambda: aifgraph.validate(GRAPH, profile="iat").to_latex(),
}


@pytest.mark.parametrize("name", RESULTS)
def test_latex_is_latex(name: str) -> None:
    """Braces and environments are closed, and nothing is left that LaTeX takes for a command."""
    text = RESULTS[name]()
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("%"))
    body = re.sub(r"\\[^a-z]", "", lines)
    assert body.count("{") == body.count("}")
    assert not re.search(r"[#^]|(?<!\w)_|[κα±→≤≥]", body)
    begun: list[str] = []
    for kind, environment in re.findall(r"\\(begin|end)\{(\w+)\}", lines):
        assert kind == "begin" or begun.pop() == environment
        begun += [environment] * (kind == "begin")
    assert not begun
    assert not re.search("Caveat", lines)
    for table in re.findall(r"\\toprule(.*?)\\bottomrule", lines, re.DOTALL):
        rows = [row for row in table.split("\n") if row.endswith(r"\\")]
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


@pytest.mark.parametrize("name", ["pair", "corpora", "agreement", "evaluate"])
def test_captions_say_of_what_and_how(name: str) -> None:
    text = RESULTS[name]()
    captions = re.findall(r"\\caption\{(.*)\}\\label\{tab:[a-z0-9-]+\}", text)
    assert len(captions) == text.count(r"\begin{table}")
    assert all("Signature: CASS" in caption for caption in captions)
    assert len(set(re.findall(r"\\label\{.*?\}", text))) == len(captions)
    assert name == "pair" or re.search(r"\d texts", captions[0])
    assert name != "corpora" or "95~" in captions[0]
    for heads in re.findall(r"\\toprule\n(.*)", text):
        assert heads.count("&") <= 7
    assert text.startswith("% CASS|matching=greedy|")


def test_tables_of_one_name_have_labels_of_their_own_and_long_ones_go_over_pages() -> None:
    made = [rendered(Table("T", ("name", "text"), [(name, "word " * 200)] * 10)) for name in ("one system", "another")]
    labels = [re.findall(r"\\label\{.*?\}", text) for text in made]
    assert labels[0] != labels[1]
    assert len(labels[0]) == 1
    assert all(r"\begin{longtable}" in text and r"\endfirsthead" in text for text in made)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
def test_latex_compiles_and_fits_the_line(tmp_path: Path) -> None:
    packages = "".join(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx", "longtable"))
    text = "\n".join(made() for made in RESULTS.values())
    source = rf"\documentclass{{article}}{packages}\hfuzz=30pt\begin{{document}}{text}\end{{document}}"
    (tmp_path / "paper.tex").write_text(source, "utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-2000:]
    assert not re.search("Overfull|too large|multiply defined", done.stdout)


STEERS = "a\x1b[2J\0\u202eb\u2066\rc"


@pytest.mark.parametrize("format", ["csv", "markdown", "latex", "text"])
def test_tables_hold_no_control_characters(format: str) -> None:
    written = render(Table(STEERS, (STEERS,), [(STEERS,)], note=STEERS, caption=STEERS), format)
    assert not re.search("[\0\x1b\r\u202e\u2066]", written)
    assert r"a\x1b[2J" in written.replace("textbackslash{}", "").replace(r"\\", "\\").replace(r"\[", "[")


def test_decisions_hold_no_control_characters() -> None:
    rows = [{"first wording": STEERS, "row": "=1"}]
    assert not re.search("[\0\x1b\r\u202e]", decisions_tsv(rows))


def test_markdown_shows_cells_as_they_are() -> None:
    written = render(Table("<i>", ("a|b",), [("![x](y) <b> \\|",)], note="one\ntwo"), "markdown").split("\n")
    assert written[0] == r"**\<i>**"
    assert written[4:] == [r"| \!\[x](y) \<b> \\\| |", "", "one", "", "two", ""]
