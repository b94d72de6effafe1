"""A file of results to go on with is checked as a file from outside: refused with its line, never half used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aifgraph import CorpusComparison, compare_corpora, open_corpus
from aifgraph.cli import main
from aifgraph.errors import FormatError

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ANN, BEN = FIXTURES / "debates/ann", FIXTURES / "debates/ben"

Record = dict[str, Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    path = tmp_path_factory.mktemp("run") / "results.jsonl"
    compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, details=False, chance=2)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _set(*steps: Any) -> Callable[[Record], None]:
    *way, last, value = steps

    def change(record: Record) -> None:
        for step in way:
            record = record[step]
        record[last] = value

    return change


def _result(*steps: Any) -> Callable[[Record], None]:
    return _set("result", *steps)


DAMAGES: dict[str, Callable[[Record], object]] = {
    "a field is missing": lambda record: record["result"].pop("segmentation"),
    "S is a text": _result("segmentation", "S", "1.0"),
    "S is no number": _result("segmentation", "S", float("nan")),
    "S is a list": _result("segmentation", "S", [1]),
    "a score by chance is missing": lambda record: record["result"]["expected"]["means"]["dialogical"].pop("f1"),
    "a layer is missing": lambda record: record["result"]["expected"]["means"].pop("propositional"),
    "a layer that there is not": _result("expected", "means", "visual", {}),
    "a mode that there is not": _result("segmentation", "mode", "guess"),
    "a negative number of edits": _result("segmentation", "edits", -1.0),
    "a negative number of units": _result("first", "units", -1),
    "a calculation that there is not": lambda record: record["result"]["calculations"].update(
        nosuch=record["result"]["calculations"]["transitions"]
    ),
    "a matrix that is not square": _result("calculations", "illocutions", "matrix", [[1]]),
    "a count with a fraction": _result("calculations", "transitions", "matrix", [[1.5, 0], [0, 1]]),
    "a count of 400 digits": _result("calculations", "transitions", "matrix", [[10**400, 0], [0, 1]]),
    "labels are numbers": _result("calculations", "transitions", "labels", [1, 2]),
    "warnings are one text": _result("warnings", "none"),
    "names are damaged": _result("breakdown", "speakers", "cells", [["Ann", "Ann"]]),
    "chance has another score": lambda record: record["result"]["expected"]["means"]["all"].update(mood=1.0),
    "an error that is no text": lambda record: [record.clear(), record.update(names=["", ""], error=1)],
    "neither a result nor an error": lambda record: record.pop("result"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_line_is_refused_with_its_number(
    whole: list[Record], damage: Callable[[Record], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = json.loads(json.dumps(whole))
    damage(records[2])
    path = tmp_path / "results.jsonl"
    data = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(data, "utf-8")
    with pytest.raises(FormatError, match=r"results\.jsonl, line 3: a damaged line of results"):
        compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, details=False, resume=True, chance=2)
    assert path.read_text("utf-8") == data
    assert (
        main(["compare", str(ANN), str(BEN), "--only", "cass", "--chance", "2", "--results", str(path), "--resume"])
        == 2
    )
    capsys.readouterr()


def test_what_a_run_writes_is_taken(tmp_path: Path) -> None:
    for number, options in enumerate(({}, {"details": False}, {"items": True}, {"measures": ["smatch"]})):
        path = tmp_path / f"{number}.jsonl"
        first = compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, **options)
        lines = path.read_bytes()
        path.write_bytes(b"".join(lines.splitlines(keepends=True)[:3]))
        again = compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, resume=True, **options)
        assert again.to_dict() == first.to_dict()
        assert path.read_bytes() == lines


def test_a_stored_result_that_does_not_fit_together_is_one_error(tmp_path: Path) -> None:
    document = compare_corpora(open_corpus(ANN), open_corpus(BEN)).to_dict()
    document["pairs"][0]["segmentation"]["mode"] = "guess"
    with pytest.raises(FormatError, match="a damaged result"):
        CorpusComparison.from_dict(document)


def test_damaged_lines_are_not_shown(whole: list[Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = json.loads(json.dumps(whole))
    records[1]["result"]["segmentation"]["S"] = "1.0"
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records), "utf-8")
    assert main(["show", str(path)]) == 2
    assert "line 2: a damaged line of results" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more", [[], ["--hashes"], ["--hashes", "--missing", "zero", "--chance", "2", "--metrics", "all"]]
)
def test_a_run_is_resumed_shown_and_compared_with_itself(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "results.jsonl"
    command = ["compare", str(ANN), str(BEN), *more]
    assert main([*command, "--results", str(lines)]) == 0
    first, data = capsys.readouterr().out, lines.read_bytes()
    lines.write_bytes(b"".join(data.splitlines(keepends=True)[:2]))
    assert main([*command, "--results", str(lines), "--resume"]) == 0
    assert (capsys.readouterr().out, lines.read_bytes()) == (first, data)
    assert main(["show", str(lines)]) == 0
    assert capsys.readouterr().out == first
    for again in ([], ["--results", str(lines), "--resume"], ["--results", str(tmp_path / "second.jsonl")]):
        assert main([*command, "--against", str(lines), *again]) == 0
        assert "no number changed" in capsys.readouterr().out
