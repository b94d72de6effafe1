"""The file of a run: it goes on wherever it stopped, damaged lines are refused, and it is read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest

from aifgraph import CorpusComparison, compare_corpora, open_corpus, write_corpus
from aifgraph.cli import main
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.errors import FormatError, InputError
from evaluation.small_corpora import make_corpora

ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
Line = dict[str, Any]


def run(folder: Path, results: Path | None = None, **options: Any) -> CorpusComparison:
    """Two corpora, one as lines; three pairs are of one text, one cannot be read, one has no partner."""
    table = folder / "pairs.tsv"
    pairs = [f"map{n}\tmap{n}\t{'one' if n in (0, 4, 8) else ''}\n" for n in range(9) if n != 5]
    table.write_text("first\tsecond\ttext\n" + "".join(pairs), "utf-8")
    how = {"pair_by": table, "missing": "zero", "measures": ["kirschner_graph"], "chance": 1, **options}
    return compare_corpora(folder / "ann.jsonl", folder / "ben", results=results, **how)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    ann, ben = make_corpora(tmp_path / "made", 9, size=3)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    (ben / "map5.json").unlink()
    write_corpus([entry.load().with_name(entry.name) for entry in open_corpus(ann)], tmp_path / "made" / "ann.jsonl")
    return tmp_path / "made"


def test_a_run_goes_on_wherever_it_stopped(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    expected = run(made, path).to_dict()
    assert expected == run(made).to_dict()
    assert CorpusComparison.load(path).to_dict() == expected
    data = path.read_bytes()
    for end in (9, len(data) * 2 // 3, len(data)):
        path.write_bytes(data[:end])
        assert run(made, path, resume=True).to_dict() == expected
        # A pair that failed is tried again.
        assert {*path.read_bytes().splitlines()} == {*data.splitlines()}
    assert str(CorpusComparison.load(path)) == str(run(made))


@pytest.mark.parametrize("changed", ["ann.jsonl", "ben/map1.txt", "ben/map3.json"])
def test_what_has_changed_is_compared_again(changed: str, made: Path, tmp_path: Path) -> None:
    path, file = tmp_path / "results.jsonl", made / changed
    before = run(made, path).to_dict()
    if changed == "ben/map3.json":
        file.write_bytes((made / "ann" / "map3.json").read_bytes())
    else:
        file.write_bytes(file.read_bytes().replace(b"masks", b"gloves"))
    after = run(made, path, resume=True).to_dict()
    assert after["pairs"] != before["pairs"]
    expected = run(made).to_dict()
    assert sorted(after["pairs"], key=str) == sorted(expected["pairs"], key=str)
    for number, estimate in expected["macro"].items():
        assert after["macro"][number] == pytest.approx(estimate)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"granularity": "strict"}, "gran"),
        ({"chance": 3}, "chance"),
        ({"missing": "skip"}, "missing"),
        ({"measures": []}, "measures"),
        ({"pair_by": "text"}, "pair"),
    ],
)
def test_the_file_of_another_run_is_refused(more: Line, named: str, made: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run(made, path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=named):
        run(made, path, resume=True, **more)
    assert path.read_bytes() == before


def test_a_file_that_is_there_is_not_written_over(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    for text in ("precious\n", "precious"):
        path.write_text(text)
        for resume in (False, True):
            with pytest.raises(InputError):
                run(made, path, resume=resume)
        assert path.read_text() == text
    with pytest.raises(FileNotFoundError):
        CorpusComparison.load(tmp_path / "nowhere.jsonl")


def test_a_damaged_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    compare_corpora(ANN, BEN, results=path)
    whole = path.read_text("utf-8").splitlines()
    for *way, last, value in (
        ("result", "segmentation", "S", "1.0"),
        ("result", "first", "units", -1),
        ("result", "calculations", "illocutions", "matrix", [[1]]),
        ("result", "calculations", "transitions", "matrix", [[10**400, 0], [0, 1]]),
        ("key", ["map1"]),
    ):
        line = json.loads(whole[2])
        reduce(getitem, way, line)[last] = value
        data = "\n".join([*whole[:2], json.dumps(line, separators=(",", ":")), *whole[3:], ""])
        path.write_text(data, "utf-8")
        with pytest.raises(FormatError, match=r"results\.jsonl"):
            compare_corpora(ANN, BEN, results=path, resume=True)
        assert path.read_text("utf-8") == data


def ways(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in a document."""
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*way, key)
        yield from ways(part, (*way, key))


VALUES = (None, True, -1, 10**30, 1.5, float("nan"), "", "1", [], ["1"], [[1]], {}, {"1": 1})
DETAILS = (["text", "--details"], ["json"], ["csv", "--details"], ["latex"], ["html", "--details"])


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_result_that_was_changed_anywhere_is_shown_or_refused(
    every: bool, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(made, tmp_path / "run.jsonl", calculations=list(CALCULATIONS))  # every part of a result
    header, pair = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text("utf-8").splitlines()[:2]]
    result = {"aifgraph": "2", **pair["result"]}
    paths = tmp_path / "result.json", tmp_path / "changed.jsonl"
    for place in (0, 1) if every else (0,):
        for number, way in enumerate(ways(header if place else result)):
            for change in range(len(VALUES) + 2) if every else (number % (len(VALUES) + 2),):
                changed = deepcopy(header if place else result)
                *to, last = way
                home = reduce(getitem, to, changed)
                value = home.pop(last)
                if change < len(VALUES):
                    home.insert(last, VALUES[change]) if isinstance(home, list) else home.update({last: VALUES[change]})
                elif change > len(VALUES):
                    home.extend([value, value]) if isinstance(home, list) else home.update({"1": value})
                lines = [changed, pair] if place else [changed]
                text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
                paths[place].write_text(text, "utf-8")
                code = main(["show", str(paths[place]), "--format", *DETAILS[number % len(DETAILS)]])
                assert code in (0, 2), (way, change)
    assert "Traceback" not in capsys.readouterr().err


def test_the_file_is_shown_as_the_run_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    assert main(["compare", ANN, BEN, "--resume", str(path)]) == 0
    shown = capsys.readouterr().out
    assert main(["show", str(path)]) == 0
    assert capsys.readouterr().out == shown
