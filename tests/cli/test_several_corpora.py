"""``stats``, ``show`` and ``pack`` of several corpora at once, their pictures, and the paragraph for a paper."""

from __future__ import annotations

import csv
import io
import json
import re
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
    assert "1 pair by name, and at least 2 maps without a partner on each side" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["agreement", "{ann}", "{ben}"], ["every two annotators", "0.95"]),
        (
            ["compare", "{ann}", "{ben}", "--intervals", "--rounds", "20"],
            ["Agreement over 3 texts", "CASS-κ", "argument", "what was said"],
        ),
        (
            ["compare", "{ann}", "{ben}", "--intervals", "--rounds", "20", "--details"],
            ["micro CASS-F1, all", "macro M-κ, dialogical", "macro F1, among what was said"],
        ),
    ],
)
def test_pictures(command: list[str], words: list[str], fixtures: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    places = {name: str(fixtures / "debates" / name) for name in ("ann", "ben")}
    picture = tmp_path / "picture.svg"
    assert main([*(word.format(**places) for word in command), "--plot", str(picture)]) == 0
    drawn = picture.read_text("utf-8")
    assert drawn.startswith("<?xml")
    assert [word for word in words if word not in drawn] == []


NUMBER = r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]"


@pytest.mark.slow
def test_text_has_the_numbers_of_the_result(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *corpora, "--format", "paper"]) == 0
    text = capsys.readouterr().out
    assert main(["compare", *corpora, "--intervals", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    kappa = data["intervals"]["macro"]["all"]["cass"]["kappa"]
    assert f"Macro CASS-κ is {kappa['value']:.3f} [{kappa['low']:.3f}, {kappa['high']:.3f}]" in text
    assert "2 texts without a partner are left out." in text
    assert "An interval over 3 texts is too narrow" in text
    assert re.search(rf"20 % of the units.* score CASS-κ {NUMBER}", text)
    assert f"{data['signature']}|perturb:0.5.2" in text
    assert re.search(rf"^whole +3 +3  {NUMBER}  {NUMBER}", text, re.M)


def test_latex_has_caption_and_label(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *corpora, "--format", "paper-latex", "--rounds", "50"]) == 0
    text = capsys.readouterr().out
    assert r"\caption{Agreement over 3 pairs (CASS)}" in text
    assert r"\label{tab:cass}" in text
    assert r"20 \% of the units" in text
    assert not re.search(r"(?<!\\)[%#_|]", text)


def test_markdown_has_one_table(corpora: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *corpora, "--format", "paper-markdown", "--rounds", "50"]) == 0
    assert capsys.readouterr().out.count("\n|  | texts | pairs | CASS-κ |") == 1


def test_one_pair_says_what_it_cannot_give(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maps = [str(fixtures / "debate" / f"{name}.json") for name in ("first", "second")]
    assert main(["compare", *maps, "--format", "paper"]) == 0
    text = capsys.readouterr().out
    assert "CASS-κ is 0.914 and CASS-F1 0.919" in text
    assert "there is no interval" in text
    assert re.search(rf"noise floor, 20 % changed +1 +–  {NUMBER}", text)


def test_a_layer_that_nobody_has_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [("1", "I", "it rains a lot"), ("2", "I", "take your umbrella"), ("3", "RA", "Default Inference")]
    graph = {
        "nodes": [{"nodeID": node, "type": kind, "text": text} for node, kind, text in nodes],
        "edges": [{"fromID": "1", "toID": "3"}, {"fromID": "3", "toID": "2"}],
        "locutions": [],
    }
    for side in ("ann", "ben"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "map.json").write_text(json.dumps(graph))
    arguments = ["compare", str(tmp_path / "ann"), str(tmp_path / "ben"), "--format", "paper", "--rounds", "10"]
    assert main(arguments) == 0
    assert "No pair can be scored in the dialogical layer." in capsys.readouterr().out
