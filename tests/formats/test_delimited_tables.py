"""Tables of relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph import load, loads
from aifgraph.cli import main
from aifgraph.errors import FormatError


def test_tables_of_relations(fixtures: Path, tmp_path: Path) -> None:
    graph = load(fixtures / "csv" / "masks.csv")
    assert [node.type for node in graph.relations] == ["RA", "CA", "MA"]
    assert "Nobody asked." in [unit.text for unit in graph.propositions]
    (tmp_path / "pairs.csv").write_text("reason,claim\na,b\nc,b\n", "utf-8")
    named = load(tmp_path / "pairs.csv", format="csv", source_column="reason", target_column="claim")
    assert [node.type for node in named.relations] == ["RA", "RA"]
    assert len(named.propositions) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no column 'source'; the columns are a, b"),
        ("source,target,type\na,b,odd\n", "line 2: a relation of unknown type 'odd'"),
        ("source,target\n,b\n", "line 2: a relation without source"),
        ("source,target\na\n", "line 2: 1 columns where 2 are named"),
    ],
)
def test_broken_tables_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        loads(text, format="csv")


def test_options_of_reading_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.csv").write_text("reason,claim\na,b\n", "utf-8")
    command = ["convert", str(tmp_path / "pairs.csv"), str(tmp_path / "map.json"), "--from", "csv"]
    assert main([*command, "--option", "source_column=reason", "--option", "target_column=claim"]) == 0
    assert len(load(tmp_path / "map.json").inferences) == 1
    assert main([*command, "--option", "sorce_column=reason"]) == 2
    assert "did you mean 'source_column'?" in capsys.readouterr().err
