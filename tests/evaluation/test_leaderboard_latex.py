"""What LaTeX needs of a leaderboard: every group and environment closed, every row of one length, nothing unescaped."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.tables import Table, as_latex

#: A character that means something to LaTeX, with what escapes it taken away before.
_SPECIAL = re.compile(r"[#$%&_^~<>|]")


def parts(text: str) -> list[str]:
    """The tables of an output, each from ``\\begin{table}`` to ``\\end{table}``."""
    return re.findall(r"\\begin\{table\}.*?\\end\{table\}", text, re.DOTALL)


def well_formed(table: str) -> None:
    """Braces and environments are balanced, rows have as many cells as columns, special characters are escaped."""
    bare = re.sub(r"\\[\\{}&%$#_]", "", table)
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    spec = re.search(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", table, re.DOTALL)
    assert spec
    for row in spec[2].splitlines():
        if row.endswith(r" \\"):
            assert len(re.findall(r"(?<!\\)&", row)) == len(spec[1]) - 1
    body = re.sub(r"\$\\(kappa|alpha|pi|pm|rightarrow|leq|geq)\$|\{!\}\{%|&", "", bare)
    assert not _SPECIAL.search(body), body


def test_a_leaderboard_of_odd_names(fixtures: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd = tmp_path / "50 %_a&b {x} #1 ~^ $5 <b> [2] |"
    shutil.copytree(fixtures / "debates" / "ben", odd)
    gold = str(fixtures / "debates" / "ann")
    command = ["evaluate", gold, str(odd), gold, "--rounds", "20", "--test-rounds", "50", "--format", "latex"]
    assert main(command) == 0
    tables = parts(capsys.readouterr().out)
    assert len(tables) >= 4
    for table in tables:
        well_formed(table)
    assert r"\resizebox" in tables[0]
    assert "{}\\\\\n" not in tables[0]
    assert tables[0].count("\\\\\n{}") == 4  # its note has five lines


def test_every_line_of_a_note_stands_alone() -> None:
    written = as_latex(Table("T", ("a",), [(1,)], note="one\n[two]"))
    well_formed(written)
    assert "one\\\\\n{}[two]" in written
