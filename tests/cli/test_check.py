from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph.cli import main

RULES = Path(__file__).parents[2] / "fixtures" / "rules"


def test_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RULES / "E202-legal.json"), "--profile", "iat"]) == 0
    assert capsys.readouterr().out == "nothing found\n"


def test_errors_are_the_answer_no(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RULES / "E202-breaks.json")]) == 1
    assert "E202 RA 10 has 2 conclusions: I 1 and I 3" in capsys.readouterr().out
    assert main(["check", str(RULES / "E202-breaks.json"), "--ignore", "E202"]) == 0


def test_what_reading_mended_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RULES / "E103-breaks.json")]) == 1
    assert "77" in capsys.readouterr().out


def test_a_corpus_has_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(RULES), "--profile", "iat"]) == 1
    out = capsys.readouterr().out
    assert f"{len(list(RULES.glob('*.json')))} maps" in out
    assert "s-in-out" in out


@pytest.mark.parametrize("format_", ["json", "csv", "markdown"])
def test_formats(format_: str, tmp_path: Path) -> None:
    target = tmp_path / "out"
    assert main(["check", str(RULES / "E202-breaks.json"), "--format", format_, "-o", str(target)]) == 1
    assert "E202" in target.read_text("utf-8")


def test_what_cannot_be_read_is_listed_and_the_rest_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.json").write_text('{"nodes": [')
    (tmp_path / "fine.json").write_bytes((RULES / "E202-breaks.json").read_bytes())
    assert main(["check", str(tmp_path)]) == 2
    streams = capsys.readouterr()
    assert "E202" in streams.out
    assert "broken.json" in streams.err
    assert len(streams.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [["no-such-file.json"], [str(RULES / "E202-legal.json"), "--select", "E999"], [], ["--profile", "owl", "x.json"]],
)
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *arguments]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert err.startswith("aifgraph: ")


def test_schemes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "popular opinion"]) == 0
    out = capsys.readouterr().out
    assert "23" in out
    assert "more than one" in out
    assert main(["schemes", "zzzz"]) == 1


def test_a_note_that_occurs_often_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = [{"nodeID": str(id_), "text": f"words {id_}", "type": "I"} for id_ in range(30)]
    ends = [{"nodeID": "a", "text": "so", "type": "I"}, {"nodeID": "b", "text": "Default Inference", "type": "RA"}]
    document = {"nodes": [*alone, *ends], "edges": [{"fromID": "b", "toID": "a"}, {"fromID": "0", "toID": "b"}]}
    (tmp_path / "map.json").write_text(json.dumps(document))
    main(["check", str(tmp_path / "map.json")])
    (line,) = capsys.readouterr().out.splitlines()
    assert "N213 I 1 stands alone: 'words 1' (and 28 more like this; --all lists them)" in line
    main(["check", str(tmp_path / "map.json"), "--all"])
    assert len(capsys.readouterr().out.splitlines()) == 29
