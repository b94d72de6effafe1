"""What the main process of a run holds does not grow with the pairs."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import compare_corpora, open_corpus
from aifgraph.comparison.options import Options, signature_of
from aifgraph.corpus.pairing import pair
from aifgraph.evaluation.pair_task import PairOutcome, Task, compare_pair
from aifgraph.evaluation.pooled import CorpusSums
from aifgraph.evaluation.record import ResultLines, ResultsFile, RunHeader
from aifgraph.stats.matrix import ConfusionMatrix, MatrixSum
from evaluation.small_corpora import make_corpora

MAPS = 1_500
LABELS = st.sampled_from(["Arguing", "Asserting", "Restating", "none"])


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


@pytest.mark.parametrize("fails", [False, True])
def test_pairs_that_are_done(tmp_path: Path, fails: bool) -> None:
    ann, ben = map(open_corpus, make_corpora(tmp_path / "made", 1))
    pairing = pair(ann, ben)
    [both] = pairing
    outcome = compare_pair(both.names, both.first, both.second, Task(Options(), digests=True), both.text)
    if fails:
        outcome = PairOutcome(outcome.names, error="there is no such map")
    path, sums = tmp_path / "results.jsonl", CorpusSums(several={})
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
    with ResultsFile(tmp_path / "first.jsonl", header, pairing, resume=False, on_result=lambda _: None) as file:
        file.append(outcome)  # what writes a line is held, too
    with _held(1 << 21), ResultsFile(path, header, pairing, resume=False, on_result=sums.add) as file:
        for _ in range(100):
            file.append(outcome)
        file._flush()
        with _held(4_000):
            for _ in range(300):
                file.append(outcome)
            file._flush()
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
    plain = compare_corpora(ann, ben, missing="zero", measures=["smatch"])
    path = tmp_path / "results.jsonl"
    found = compare_corpora(ann, ben, missing="zero", measures=["smatch"], results=path)
    cut = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(cut[:4]) + cut[4][:20])
    resumed = compare_corpora(ann, ben, missing="zero", measures=["smatch"], results=path, resume=True)
    assert path.read_bytes().splitlines(keepends=True) == cut
    for result in (found, resumed):
        assert json.dumps(result.summary_dict()) == json.dumps(plain.summary_dict())
        assert (result.failed, result.unpaired) == (plain.failed, plain.unpaired)
        assert result.warning_count == sum(len(each.warnings) for each in plain.pairs)


@given(
    matrices=st.lists(
        st.dictionaries(st.tuples(LABELS, LABELS), st.integers(0, 9), max_size=5).map(ConfusionMatrix.counts),
        min_size=1,
        max_size=7,
    )
)
def test_matrices_are_summed_as_by_adding_them(matrices: list[ConfusionMatrix]) -> None:
    summed = MatrixSum(matrices[0])
    for matrix in matrices[1:]:
        summed.add(matrix)
    assert summed.total == reduce(add, matrices)
