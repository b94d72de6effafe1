"""``-o``: the suffix of the file decides the format, in every command, and nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph.cli import main

PAIR = "compare fixtures/debate/first.json fixtures/debate/second.json"
CORPORA = "compare fixtures/debates/ann fixtures/debates/ben"


@pytest.mark.parametrize(
    ("command", "name", "begins"),
    [
        (PAIR, "r.json", "{"),
        (CORPORA, "r.JSON", "{"),
        (PAIR, "r.csv", "row,items,"),
        (PAIR, "r.md", "**Both"),
        (PAIR, "r.tex", "% CASS|"),
        (PAIR, "r.html", "<!DOCTYPE html>"),
        (PAIR, "r.txt", "Both"),
        (PAIR, "r", "Both"),
        ("show fixtures/debate/first.json", "r.json", "{"),
        ("check fixtures/debate/first.json", "r.json", "{"),
        ("differences fixtures/debate/first.json fixtures/debate/second.json", "r.tsv", "row\ttext"),
        ("differences fixtures/debate/first.json fixtures/debate/second.json", "r.csv", "row,text"),
        ("draw fixtures/debate/first.json", "r.gv", "digraph"),
        ("pair fixtures/debates/ann fixtures/debates/ben", "r.json", "["),
        ("task arct score fixtures/tasks/arct/instances.txt fixtures/tasks/arct/instances.txt", "r.json", "{"),
    ],
)
def test_the_suffix_decides(command: str, name: str, begins: str, tmp_path: Path) -> None:
    main([*command.split(), "-o", str(tmp_path / name)])
    text = (tmp_path / name).read_text("utf-8")
    assert text.startswith(begins)
    if name.lower().endswith(".json"):
        json.loads(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"{PAIR} -o OUT/r.json --format csv", "--format csv, and the file ends in .json; end it in .csv"),
        (f"{PAIR} -o OUT/r.txt --format paper-latex", "end it in .tex"),
        (f"{PAIR} -o OUT/r.xml", "end it in .txt, .json, .csv, .md, .tex, .html, or give --format"),
        (f"{CORPORA} -o OUT/r.tsv", ".tsv says no format of this command"),
        ("draw fixtures/debate/first.json -o OUT/r.png --format svg", "end it in .svg"),
        ("draw fixtures/debate/first.json -o OUT/r.jpg", ".dot, .mmd, .svg, .png, .pdf"),
        ("task aurc perturb fixtures/tasks/aurc --test T3 -o OUT/r.csv", "it is written as json"),
    ],
)
def test_an_unclear_suffix_and_a_contradiction_are_refused(
    words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.replace("OUT", str(tmp_path)).split()) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_format_that_is_named_may_have_any_other_suffix(tmp_path: Path) -> None:
    assert main([*PAIR.split(), "-o", str(tmp_path / "r.out"), "--format", "json"]) == 0
    assert json.loads((tmp_path / "r.out").read_text("utf-8"))["cass"]


def test_options_go_by_the_format_that_the_suffix_says(tmp_path: Path) -> None:
    assert main([*PAIR.split(), "-o", str(tmp_path / "r.json"), "--items"]) == 0
    assert main([*PAIR.split(), "-o", str(tmp_path / "r.csv"), "--raw"]) == 0
    assert main([*PAIR.split(), "-o", str(tmp_path / "r.txt"), "--items"]) == 2
