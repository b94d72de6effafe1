"""Options of formats, tables of relations, and what a map can be written to."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, dump, dumps, load, loads
from aifgraph.cli import main
from aifgraph.errors import FormatError, OptionError


@pytest.fixture
def graph(fixtures: Path) -> ArgumentGraph:
    return load(fixtures / "aif" / "masks.json")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"indnt": 2}, "writing aif takes no option 'indnt'; did you mean 'indent'?"),
        ({"colour": 2}, "choose from indent"),
        ({"indent": "two"}, "indent cannot be 'two'; it is int or None"),
        ({"indent": True}, "indent cannot be True"),
    ],
)
def test_a_misspelt_option_names_the_right_one(graph: ArgumentGraph, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        dumps(graph, format="aif", **options)
    assert message in str(caught.value)


def test_options_of_reading_are_checked_too(fixtures: Path) -> None:
    path = next((fixtures / "brat").glob("*.ann"))
    assert load(path, format="brat", major="none")
    with pytest.raises(OptionError, match="did you mean 'major'"):
        load(path, format="brat", mayor="none")
    with pytest.raises(OptionError, match="did you mean 'merge'"):
        load(path, format="brat", major="merged")
    with pytest.raises(OptionError, match="takes no option"):
        loads('{"nodes": [], "edges": []}', major="none")


def test_options_count(graph: ArgumentGraph) -> None:
    assert "\n" not in dumps(graph, format="aif", indent=None).strip()
    assert loads(dumps(graph, format="xaif", indent=4)).nodes == graph.nodes


def test_text_and_binary_files(graph: ArgumentGraph, tmp_path: Path) -> None:
    text, data = io.StringIO(), io.BytesIO()
    dump(graph, text, format="aif")
    dump(graph, data, format="aif")
    assert data.getvalue().decode("utf-8") == text.getvalue() == dumps(graph, format="aif")
    for mode, encoding in (("w", "utf-8"), ("wb", None)):
        with open(tmp_path / "map.json", mode, encoding=encoding) as file:
            dump(graph, file, format="aif")
        assert load(tmp_path / "map.json").nodes == graph.nodes


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
