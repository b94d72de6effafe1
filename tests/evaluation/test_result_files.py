"""Files of results: a damaged one is refused with its line, one of a run is taken, and few lines are held in memory."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from aifgraph import CorpusComparison, compare_corpora, dump, open_corpus
from aifgraph.cli import main
from aifgraph.comparison.options import Options, signature_of
from aifgraph.corpus.pairing import pair
from aifgraph.errors import FormatError, InputError
from aifgraph.evaluation.pair_task import PairOutcome, Task, compare_pair
from aifgraph.evaluation.record import ResultLines, ResultsFile, RunHeader
from evaluation.small_corpora import make_corpora

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ANN, BEN = FIXTURES / "debates/ann", FIXTURES / "debates/ben"

Record = dict[str, Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    path = tmp_path_factory.mktemp("run") / "results.jsonl"
    compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, classes=False, chance=2)
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
    whole: list[Record], damage: Callable[[Record], object], tmp_path: Path
) -> None:
    records = json.loads(json.dumps(whole))
    damage(records[2])
    path = tmp_path / "results.jsonl"
    data = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(data, "utf-8")
    with pytest.raises(FormatError, match=r"results\.jsonl, line 3: a damaged line of results"):
        compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, classes=False, resume=True, chance=2)
    assert path.read_text("utf-8") == data


def test_what_a_run_writes_is_taken(tmp_path: Path) -> None:
    for number, options in enumerate(({}, {"classes": False}, {"metrics": ["kirschner_graph"]})):
        path = tmp_path / f"{number}.jsonl"
        first = compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, **options)
        lines = path.read_bytes()
        path.write_bytes(b"".join(lines.splitlines(keepends=True)[:3]))
        again = compare_corpora(open_corpus(ANN), open_corpus(BEN), results=path, resume=True, **options)
        assert again.to_dict() == first.to_dict()
        assert path.read_bytes() == lines


def test_damaged_lines_are_not_shown(whole: list[Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = json.loads(json.dumps(whole))
    records[1]["result"]["segmentation"]["S"] = "1.0"
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records), "utf-8")
    assert main(["show", str(path)]) == 2
    assert "line 2: a damaged line of results" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more", [{}, {"hashes": True}, {"hashes": True, "missing": "zero", "chance": 2, "metrics": "all"}]
)
def test_a_run_is_resumed_and_read_back(more: dict[str, Any], tmp_path: Path) -> None:
    lines = tmp_path / "results.jsonl"
    first = compare_corpora(ANN, BEN, results=lines, **more)
    data = lines.read_bytes()
    lines.write_bytes(b"".join(data.splitlines(keepends=True)[:2]))
    again = compare_corpora(ANN, BEN, results=lines, resume=True, **more)
    assert (str(again), lines.read_bytes()) == (str(first), data)
    assert str(CorpusComparison.load(lines)) == str(first)


MAPS = 1_500


@contextmanager
def _held(most: int) -> Iterator[None]:
    """What is done in here leaves at most so many bytes in memory; what was traced before goes on being so."""
    running = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        yield
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < most
    finally:
        if not running:
            tracemalloc.stop()


def _lines(path: Path, maps: int) -> Path:
    lines = (f'{{"name":"a year/debate{number}","map":{{}}}}\n' for number in range(maps))
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.slow
def test_two_corpora_and_their_pairs(tmp_path: Path) -> None:
    paths = [_lines(tmp_path / f"{side}.jsonl", MAPS + shift) for side, shift in (("one", 0), ("two", 5))]
    few = open_corpus(_lines(tmp_path / "few.jsonl", 2))
    pair(few, few)  # imports are held, too
    with _held(900 * MAPS):  # so that a run of 100 000 pairs stays below 250 MiB
        one, other = map(open_corpus, paths)
        pairing = pair(one, other)
    assert len(pairing) == MAPS
    assert [entry.name for entry in pairing.unpaired_second] == [f"debate{MAPS + each}" for each in range(5)]
    both = pairing.pairs[MAPS // 3]
    assert both.first.name == both.second.name == f"debate{MAPS // 3}"
    assert both.second.source.endswith(f"two.jsonl, line {MAPS // 3 + 1}")


@pytest.mark.slow
@pytest.mark.parametrize("fails", [False, True])
def test_pairs_that_are_done(tmp_path: Path, fails: bool) -> None:
    ann, ben = map(open_corpus, make_corpora(tmp_path / "made", 1))
    pairing = pair(ann, ben)
    [both] = pairing
    outcome = compare_pair(both.names, both.first, both.second, Task(Options(), digests=True), both.text)
    if fails:
        outcome = PairOutcome(outcome.names, error="there is no such map")
    path = tmp_path / "results.jsonl"
    header = RunHeader(
        kind="aifgraph results",
        signature=signature_of(Options()),
        hashes=False,
        pairing=pairing.signature,
        missing="skip",
        pairs=1,
        names=RunHeader.digest_of(pairing),
        details=False,
        measures=(),
        one_corpus=False,
        several={},
        unpaired=((), ()),
    )
    with ResultsFile(tmp_path / "first.jsonl", header, pairing, resume=False) as file:
        file.append(outcome)  # what writes a line is held, too
    with _held(1 << 21), ResultsFile(path, header, pairing, resume=False) as file:
        for _ in range(100):
            file.append(outcome)
        with _held(4_000):
            for _ in range(300):
                file.append(outcome)
    ResultLines(path)
    with _held(200 * 400 if fails else 10_000):  # of a failure its error is held
        lines = ResultLines(path)
    assert (len(lines), len(lines.failed)) == ((0, 400) if fails else (400, 0))
    assert lines.failed[399:] == ([("map0", "there is no such map")] if fails else [])
    if not fails:
        assert lines[277] == next(iter(lines)) == outcome.result


def test_what_is_summed_on_the_way_is_what_the_file_holds(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path / "made", 7)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    (ben / "map5.json").unlink()
    plain = compare_corpora(ann, ben, missing="zero", metrics=["kirschner_graph"])
    path = tmp_path / "results.jsonl"
    found = compare_corpora(ann, ben, missing="zero", metrics=["kirschner_graph"], results=path)
    cut = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(cut[:4]) + cut[4][:20])
    resumed = compare_corpora(ann, ben, missing="zero", metrics=["kirschner_graph"], results=path, resume=True)
    assert path.read_bytes().splitlines(keepends=True) == cut
    for result in (found, resumed):
        assert json.dumps(result.summary_dict()) == json.dumps(plain.summary_dict())
        assert (result.failed, result.unpaired) == (plain.failed, plain.unpaired)
        assert result.warning_count == sum(len(each.warnings) for each in plain.pairs)


def _run(folder: Path, results: Path, **options: Any) -> Any:
    """Two corpora, one as lines; three of the pairs are of one text, one cannot be read, one has no partner."""
    return compare_corpora(
        folder / "ann.jsonl",
        folder / "ben",
        missing="zero",
        metrics=["kirschner_graph"],
        chance=2,
        results=results,
        **options,
    )


def _corpora_with_lines(folder: Path) -> None:
    ann, ben = make_corpora(folder, 9)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    (ben / "map5.json").unlink()
    dump([entry.load().with_name(entry.name) for entry in open_corpus(ann)], folder / "ann.jsonl")


def test_a_run_goes_on_wherever_it_stopped(tmp_path: Path) -> None:
    _corpora_with_lines(tmp_path / "made")
    folder, path = tmp_path / "made", tmp_path / "results.jsonl"
    texts = {f"map{number}": "one" for number in (0, 4, 8)}
    expected = json.dumps(_run(folder, path, texts=texts).to_dict())
    lines = path.read_bytes().splitlines(keepends=True)
    for end in range(1, len(lines) + 1):
        path.write_bytes(b"".join(lines[:end]) + lines[-1][:9] * (end < len(lines)))
        again = _run(folder, path, texts=texts, resume=True)
        assert path.read_bytes() == b"".join(lines)
        assert json.dumps(again.to_dict()) == expected
        assert len(ResultLines(path)) == 7


@pytest.mark.parametrize("changed", ["made/ann.jsonl", "made/ben/map1.json", "made/ben/map1.txt"])
def test_results_of_maps_that_have_changed_are_refused(changed: str, tmp_path: Path) -> None:
    _corpora_with_lines(tmp_path / "made")
    folder, path = tmp_path / "made", tmp_path / "results.jsonl"
    _run(folder, path)
    file = tmp_path / changed
    first, second, *others = [*file.read_bytes().splitlines(keepends=True), b""]
    file.write_bytes(b"".join([first, second.replace(b"masks", b"gloves") or b" ", *others]))
    name = "map0|map1" if changed.endswith("jsonl") else "map1"
    with pytest.raises(InputError, match=f"a map of ({name}) has changed since"):
        _run(folder, path, resume=True)
