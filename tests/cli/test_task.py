"""``aifgraph task``: every command in every format, its files, exit codes and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph.cli import main


@pytest.fixture
def tasks(fixtures: Path) -> Path:
    return fixtures / "tasks"


def words(text: str, tasks: Path, out: Path) -> list[str]:
    return text.replace("@", f"{tasks}/").replace("OUT", str(out)).split()


RESULTS = [
    "ruarg score @ruarg/gold.tsv @ruarg/predicted.tsv",
    "ruarg score @ruarg/gold.tsv @ruarg/predicted.tsv @ruarg/gold.tsv",
    "ruarg significance @ruarg/gold.tsv @ruarg/predicted.tsv @ruarg/gold.tsv --subtask premise --rounds 99",
    "ruarg stats @ruarg/gold.tsv",
    "arct score @arct/instances.txt @arct/first.txt @arct/second.txt",
    "arct significance @arct/instances.txt @arct/first.txt @arct/second.txt --exclude none --rounds 99 --seed 1",
    "arct stats @arct/instances.txt",
    "arct difficulty @arct/instances.txt @arct/first.txt @arct/second.txt",
    "aurc score @aurc/run.json --seed 1",
    "aurc perturbation @aurc/run.json @aurc/run.json --after @aurc/run.json @aurc/run.json",
    "aurc subpopulation @aurc/run.json --train @aurc/run.json --seed 1",
    "aurc subpopulation @aurc/run.json --marks left-out --neighbour any",
    "aurc stats @aurc",
    "aurc agreement @aurc",
]


@pytest.mark.parametrize("command", RESULTS)
def test_every_format_has_the_signature(
    command: str, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--train" in command:
        pytest.importorskip("sklearn")
    shown = {}
    for format_ in ("text", "json", "csv", "markdown", "latex"):
        assert main(["task", *words(command, tasks, tmp_path), "--format", format_]) == 0
        shown[format_] = capsys.readouterr().out
    data = json.loads(shown["json"])
    assert set(data) > {"signature"}
    assert all(data["signature"] in text for text in shown.values())
    assert "|version:" in data["signature"]
    assert shown["latex"].startswith("% ")
    out = tmp_path / "out.json"
    assert main(["task", *words(command, tasks, tmp_path), "--format", "json", "-o", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8")) == data


def test_a_picture(tasks: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "picture.svg"
    command = "arct difficulty @arct/instances.txt @arct/first.txt --plot OUT"
    assert main(["task", *words(command, tasks, out)]) == 0
    assert out.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ruarg score @ruarg/gold.tsv none.tsv", "none.tsv: no such file"),
        ("ruarg score @ruarg/gold.tsv @arct/first.txt", "expected the columns"),
        ("ruarg stats @ruarg", "a folder where a file is needed"),
        ("arct score @arct/instances.txt @arct/metadata-public.xml", "is neither 0 nor 1"),
        ("arct significance @arct/instances.txt @arct/first.txt", "nothing to compare"),
        ("arct difficulty @arct/instances.txt @arct/first.txt --plot x.gif", "no picture format"),
        ("aurc score @arct/first.txt", "first.txt"),
        ("aurc perturbation @aurc/run.json @aurc/run.json --after @aurc/run.json", "2 run(s) before, 1 after"),
        ("aurc perturbation @aurc/run.json", "--after"),
        ("aurc subpopulation @aurc/run.json --decision stance", "as many pro as con tokens, and no seed"),
        ("aurc significance @aurc/run.json", "nothing to compare"),
        ("aurc significance @aurc/run.json @aurc/run.json", "given twice"),
        ("ruarg score @ruarg/gold.tsv @ruarg/gold.tsv @ruarg/gold.tsv", "given twice"),
        ("ruarg significance @ruarg/gold.tsv @ruarg/gold.tsv", "nothing to compare"),
        ("arct difficulty @arct/instances.txt @arct/first.txt --exclude Bob", "nothing is called Bob"),
        ("arct difficulty @arct/instances.txt @arct/second.txt", "every system is excluded"),
        ("aurc agreement none", "no AURC_DATA.tsv"),
        ("arct score @arct/instances.txt", "ANSWERS"),
        ("aurc score @aurc/run.json --seed -1", "seed"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    command: str, said: str, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["task", *words(command, tasks, tmp_path)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_tie_without_seed_is_warned_of(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "aurc", "score", str(tasks / "aurc" / "run.json"), "--format", "json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["scores"][0]["sentence-F1"] is None
    assert "give a seed" in shown.err


def test_a_damaged_cell_is_warned_of(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "aurc", "agreement", str(tasks / "aurc")]) == 0
    assert "s4: the cell of ANNOTATOR_01 cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("task", ["ruarg", "arct", "aurc"])
def test_help_does_not_break_off(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", task, "--help"]) == 0
    assert "..." not in capsys.readouterr().out.partition("Commands:")[2]
