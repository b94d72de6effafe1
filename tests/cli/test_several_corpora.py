"""``stats``, ``show`` and ``pack`` of several corpora at once, and the pictures of corpora."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from aifgraph import open_corpus
from aifgraph.cli import main


@pytest.fixture
def corpora(fixtures: Path) -> list[str]:
    return [str(fixtures / "debates" / name) for name in ("ann", "ben")]


def test_stats_of_two_corpora(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", *corpora, "--format", "json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == ["ann", "ben"]
    assert main(["stats", *corpora]) == 0
    text = capsys.readouterr().out
    assert "ann: Nodes" in text
    assert "ben: Nodes" in text
    assert main(["stats", *corpora, "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert {row[0] for row in rows if row} == {"corpus", "ann", "ben"}


def test_show_of_maps_and_corpora(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *corpora, "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 8
    assert main(["show", corpora[0], "nothing.json", "--tree"]) == 2
    shown = capsys.readouterr()
    assert "nodeset1.json\nthe library should open on Sundays" in shown.out
    assert "nothing.json" in shown.err


def test_pack_of_two_corpora_keeps_both(corpora: list[str], tmp_path: Path) -> None:
    target = tmp_path / "both.zip"
    assert main(["pack", *corpora, "-o", str(target)]) == 0
    packed = open_corpus(target)
    assert len(packed) == 8
    assert {name.split("/")[0] for name in packed.names} == {"ann", "ben"}
    again = tmp_path / "twice.jsonl"
    assert main(["pack", corpora[0], corpora[0], "-o", str(again)]) == 0
    assert len(set(open_corpus(again).names)) == 8


def test_names_that_hardly_pair_are_told(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = (fixtures / "debates" / "ann" / "nodeset1.json").read_bytes()
    for side, names in (("ann", "cde"), ("ben", "cfg")):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.json").write_bytes(source)
    assert main(["compare", str(tmp_path / "ann"), str(tmp_path / "ben"), "--only", "cass"]) == 0
    assert "1 pairs by name, and at least 2 maps without a partner on each side" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["agreement", "{ann}", "{ben}"], ["every two annotators", "0.95"]),
        (["compare", "{ann}", "{ben}", "--intervals", "--rounds", "20"], ["95% intervals", "CASS-κ macro all"]),
    ],
)
def test_pictures(command: list[str], words: list[str], fixtures: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    places = {name: str(fixtures / "debates" / name) for name in ("ann", "ben")}
    picture = tmp_path / "picture.svg"
    assert main([*(word.format(**places) for word in command), "--plot", str(picture)]) == 0
    drawn = picture.read_text("utf-8")
    assert drawn.startswith("<?xml")
    assert all(f"<!-- {word}" in drawn or word in drawn for word in words)
