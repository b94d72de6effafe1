"""Items in words: cut texts still tell nodes apart, long speakers are shortened, and ``--items`` lists them."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

import aifgraph
from aifgraph import compare_corpora
from aifgraph.cli import main
from evaluation.small_corpora import make_corpora

_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c"
_SAME = "the council of this town has said again and again in every meeting since the spring that "


def _debate() -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder()
    first = build.locution(f"{_HASH}: {_SAME}cars may stay")
    second = build.locution(f"{_HASH}: {_SAME}buses will come")
    build.transition(first, second)
    return build.graph()


def test_a_speaker_is_shortened_and_the_words_that_differ_are_shown() -> None:
    graph = _debate()
    result = aifgraph.compare(graph, graph)
    (item,) = result.calculations["transitions"].items("TA", "TA")
    start, end = item.text.split(" → ")
    assert start != end
    assert "cars" in start
    assert "buses" in end
    assert _HASH not in item.text
    assert start.startswith("“9f86d081884c7d6…: the council")


def test_a_long_text_that_no_other_resembles_is_cut() -> None:
    build = aifgraph.GraphBuilder()
    claim = build.proposition("one " * 200)
    build.inference([build.proposition("two " * 200)], claim)
    graph = build.graph()
    (item,) = aifgraph.compare(graph, graph).calculations["propositional_relations"].items("RA", "RA")
    assert len(item.text) < 140


def test_items_in_json(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = [str(fixtures / "debate" / f"{side}.json") for side in ("first", "second")]
    assert main(["compare", *pair, "--format", "json", "--items"]) == 0
    data = json.loads(capsys.readouterr().out)
    for name, items in data["items"].items():
        calculation = data["explicit"] if name == "explicit_relations" else data["calculations"][name]
        listed = sum(map(sum, calculation["matrix"])) - calculation["matrix"][-1][-1]
        assert len(items) == listed
        for item in items:
            assert set(item["cell"]) <= set(calculation["labels"])
            assert item["text"]
            assert item["first"] or item["second"]
    assert main(["compare", *pair, "--items"]) == 2


@pytest.mark.parametrize("results", [False, True])
def test_items_of_corpora_are_listed_pair_by_pair(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], results: bool
) -> None:
    corpora = [str(fixtures / "debates" / name) for name in ("ann", "ben")]
    output = tmp_path / "out.json"
    more = ["--results", str(tmp_path / "lines.jsonl")] if results else []
    assert main(["compare", *corpora, "--format", "json", "--items", "-o", str(output), *more]) == 0
    data = json.loads(output.read_text("utf-8"))
    for pair in data["pairs"]:
        first, second = (aifgraph.load(f"{folder}/{pair['name']}.json") for folder in corpora)
        assert pair["items"] == json.loads(json.dumps(aifgraph.compare(first, second).items()))
    assert main(["compare", *corpora, "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain.keys() == data.keys()
    assert all("items" not in pair for pair in plain["pairs"])


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
def test_items_of_a_corpus_are_not_held_in_memory(tmp_path: Path) -> None:
    peaks = []
    for texts in (40, 160):
        ann, ben = make_corpora(tmp_path / str(texts), texts, size=12)
        tracemalloc.start()
        result = compare_corpora(ann, ben, items=True)
        written = sum(len(part) for part in result.json_parts({}))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert written > 10_000 * texts
    # 32 pairs are under way at a time; the second corpus is four times the first.
    assert peaks[1] < 2 * peaks[0]
