"""Options of formats, tables of relations, and what a map can be written to."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, convert, dump, dumps, load, loads
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


def test_options_of_reading_go_through_a_conversion(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("premise,claim\nThey filter,Masks help\n", "utf-8")
    for more in ({}, {"from_": "csv"}):
        convert(tmp_path / "pairs.csv", tmp_path / "x.xaif", source_column="premise", target_column="claim", **more)
        assert [node.text for node in load(tmp_path / "x.xaif").propositions] == ["They filter", "Masks help"]
    convert(fixtures / "brat/essay.ann", tmp_path / "merged.json", major="merge", indent=2)
    assert len(load(tmp_path / "merged.json").propositions) < len(load(fixtures / "brat/essay.ann").propositions)
    with pytest.raises(OptionError, match="reading aif takes no option 'major'"):
        convert(fixtures / "aif/masks.json", tmp_path / "x.json", major="merge")
    both = "source_column=premise,target_column=claim"
    assert main(["convert", str(tmp_path / "pairs.csv"), str(tmp_path / "y.json"), "--option", both]) == 0
    assert len(load(tmp_path / "y.json").inferences) == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "source;target;label\na;b;support\n", "semicolons: save it with commas (.csv) or tabs (.tsv)"),
        ("a.csv", '{"source": "a", "target": "b"}\n', "it is JSON: save it as a table with a header, .csv or .tsv"),
        ("a.csv", "PK\x03\x04", "it is a spreadsheet or an archive: save it as a table, .csv or .tsv"),
    ],
)
def test_what_is_no_table_is_told_what_it_is(
    name: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    table = str(tmp_path / name)
    for words in (["--dataset", "pairs", table, str(tmp_path / "out")], ["--from", "csv", table, "x.json"]):
        assert main(["convert", *words]) == 2
        assert said in capsys.readouterr().err


def test_a_label_that_is_no_type_leads_to_tables_of_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("source,target,type\na,b,neutral\n", "utf-8")
    with pytest.raises(FormatError, match=r"--dataset pairs .*a\.csv OUT --set label=type --labels neutral=none"):
        load(tmp_path / "a.csv")
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(FormatError, match="a spreadsheet; save it as a table of relations"):
        load(tmp_path / "a.xlsx")
