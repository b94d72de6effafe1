"""``aifgraph convert --dataset``: from a data set to a corpus, and what was wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph.cli import main


@pytest.fixture
def data(fixtures: Path) -> Path:
    return fixtures / "datasets"


def convert(*arguments: object) -> int:
    return main(["convert", "--dataset", *map(str, arguments)])


def test_a_data_set_becomes_a_folder_of_maps(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert("ruarg", data / "ruarg/train.tsv", tmp_path / "maps") == 0
    assert sorted(path.name for path in (tmp_path / "maps").iterdir())[:2] == ["1.json", "1.txt"]
    assert capsys.readouterr().out == ""


def test_annotators_compare(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert("sciarg", data / "sciarg/two.tsv", tmp_path / "s") == 0
    assert main(["compare", str(tmp_path / "s/ann"), str(tmp_path / "s/bob")]) == 0
    assert "1 pair of 1 text" in capsys.readouterr().out


def test_damage_is_told_and_not_fatal(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert("iac1", data / "iac1", tmp_path / "m.zip", "--threshold", "0", "--propositions-only") == 0
    err = capsys.readouterr().err
    assert "qr_averages.csv, line 6: the key (2, 0) is given twice" in err
    assert "aifgraph: 1 annotations left out: nothing in this copy says which quote and response" in err
    assert convert("iac1", data / "iac1", tmp_path / "n.zip", "--strict") == 2
    assert not (tmp_path / "n.zip").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sciarg", "--threshold", "1", "IN"), "--threshold has an effect only with --dataset iac1"),
        (("sciarg", "--set", "color=red", "IN"), "sciarg has annotator, functions"),
        (("iac1", "--set", "agree=much", "IN"), "'much' is no number"),
        (("iac1", "IN"), "no such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(tmp_path / "nowhere") if each == "IN" else each for each in arguments]
    assert convert(*given, tmp_path / "out") == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
