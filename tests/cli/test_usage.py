"""What a person meets who types something incomplete."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from aifgraph.cli import main

DEBATE = "fixtures/debate/first.json"


@pytest.mark.parametrize("arguments", [["task"], ["task", "aurc"]])
def test_a_bare_group_shows_its_help_in_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    lines = (shown.err or shown.out).splitlines()
    assert lines[0].startswith("Usage: aifgraph")
    assert "Commands:" in lines


def test_show_as_json_has_keys_that_do_not_depend_on_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", DEBATE, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["Map", "Types", "Speakers", "Schemes", "Illocutions", "Longest chains"]
    assert data["Map"] == [{"file": DEBATE, "nodes": 77, "edges": 96}]
    assert sum(row["nodes"] for row in data["Types"]) == 77


def test_show_as_csv_starts_with_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", DEBATE, "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[:2] == [["file", "nodes", "edges"], [DEBATE, "77", "96"]]


def test_a_file_of_pairs_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    ann = "fixtures/debates/ann"
    assert main(["compare", ann, ann, "--pairs", "nothing.tsv"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "nothing.tsv" in line
    assert "does not exist" in line


def test_corpora_without_a_common_name_get_one_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.json").write_text('{"nodes": [], "edges": []}')
    assert main(["compare", "fixtures/debates/ann", str(tmp_path)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.count("pair by text or by a mapping file") == 1


def test_a_binary_file_is_no_source_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    target = tmp_path / "result.json"
    arguments = ["--first-text", str(tmp_path / "text.txt"), "--format", "json", "-o", str(target)]
    assert main(["compare", DEBATE, DEBATE, *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "text.txt: binary data where a text was expected" in line
    assert not target.exists()


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["comapre", "a", "b"], "'compare'"),
        (["convert", DEBATE, "-", "--to", "json"], "'aif'"),
        (["convert", DEBATE, "-", "--to", "xiaf"], "'xaif'"),
        (["convert", DEBATE, "-", "--to", "ttl"], "'turtle'"),
    ],
)
def test_a_wrong_name_is_told_the_nearest(arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert f"did you mean {meant}?" in line
