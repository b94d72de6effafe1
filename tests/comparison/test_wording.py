"""Results in words: what the sides and the items are called, how alike matched texts are, and what nobody names."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import compare_corpora
from aifgraph.cli import main
from aifgraph.comparison.sides import told_apart
from aifgraph.comparison.wording import MatchedTexts
from aifgraph.errors import OptionError
from comparison.maps import letter_counts
from documents import RA, aif
from evaluation.small_corpora import make_corpora

TEXT = "dogs bark loud at night. cats do not"


def _compared(first: dict[str, Any], second: dict[str, Any], **given: Any) -> aifgraph.Comparison:
    return aifgraph.compare(*(aifgraph.loads(json.dumps(each)) for each in (first, second)), **given)


def test_matches_by_place_that_share_little_wording() -> None:
    first = aif({"1": ("I", "dogs bark loud at night"), "2": ("I", "cats do not")})
    second = aif({"1": ("I", "at night"), "2": ("I", "cats do not")})
    result = _compared(first, second, first_text=TEXT)
    # 8 of the 23 characters
    assert (result.wording.count, result.wording.of) == (1, 2)
    assert result.wording.pairs == (MatchedTexts("dogs bark loud at night", "at night", 8 / 23),)
    document = result.to_dict()
    assert document["wording"]["pairs"] == [
        {"first": "dogs bark loud at night", "second": "at night", "similarity": 8 / 23}
    ]
    assert aifgraph.Comparison.from_dict(document).wording == result.wording
    assert _compared(first, second, min_similarity=0).wording.of == 0, "no place is known"


def test_every_match_by_meaning_is_listed_with_both_texts_and_the_cosine() -> None:
    first = aif({"1": ("I", "abc"), "2": ("I", "fgh")})
    second = aif({"1": ("I", "cab cab"), "2": ("I", "ghf ghf")})
    result = _compared(first, second, meaning=letter_counts, min_similarity=0.9)
    listed = result.to_dict()["matched_by_meaning"]
    assert {(each["first"], each["second"]) for each in listed} == {("abc", "cab cab"), ("fgh", "ghf ghf")}
    assert [each["cosine"] for each in listed] == sorted((each["cosine"] for each in listed), reverse=True)
    assert all(0.75 <= each["cosine"] <= 1 for each in listed)
    assert aifgraph.Comparison.from_dict(result.to_dict()).matched_by_meaning == result.matched_by_meaning


def test_schemes_and_speakers_that_nobody_names_are_undefined() -> None:
    map_ = aif({"1": ("I", "dogs bark"), "2": ("I", "cats do not"), "s": RA, "l": ("L", "dogs bark")}, "1 s 2")
    breakdown = _compared(map_, map_).to_dict()["breakdown"]
    for names in (breakdown["schemes"]["RA"], breakdown["speakers"]):
        assert (names["decisions"], names["kappa"], names["accuracy"]) == (1, None, None)
        assert names["undefined"] == "neither side names one"


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ANN, BEN = FIXTURES / "debates" / "ann", FIXTURES / "debates" / "ben"


@pytest.mark.parametrize(
    ("first", "second"),
    [("gold/a.json", "system/a.json"), ("x/gold/a.json", "a.json"), ("a", "a"), ("", ""), ("a\\b.json", "c\\b.json")],
)
def test_names_differ_and_swapping_swaps_them(first: str, second: str) -> None:
    one, other = told_apart(first, second)
    assert one != other
    if first != second:
        assert told_apart(second, first) == (other, one)


def test_compare_and_differences_take_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = next(path.name for path in sorted(ANN.glob("*.json")) if (BEN / path.name).is_file())
    pair = [str(ANN / name), str(BEN / name)]
    assert main(["compare", *pair]) == 0
    shown = capsys.readouterr().out
    assert f"ann/{name}" in shown
    assert f"ben/{name}" in shown
    assert main(["compare", *pair, "--names", "Amara", "Boris", "--format", "json"]) == 0
    assert [json.loads(capsys.readouterr().out)[side]["name"] for side in ("first",)] == ["Amara"]
    page = tmp_path / "page.html"
    assert main(["compare", *pair, "--names", "Amara", "Boris", "--format", "html", "-o", str(page)]) == 0
    assert "<title>Amara and Boris –" in page.read_text(encoding="utf-8")
    assert main(["differences", *pair, "--names", "Amara", "Boris"]) == 0
    assert "Amara" in capsys.readouterr().out
    assert main(["compare", *pair, "--names", "Amara", " Amara "]) == 2
    assert "give two different names" in capsys.readouterr().err


def test_names_change_no_number() -> None:
    graph = aifgraph.load(FIXTURES / "debate" / "first.json")
    result = aifgraph.compare(graph, graph)
    named = result.named("Ann", "Ben")
    assert named.names == ("Ann", "Ben")
    assert (named.cass, named.signature) == (result.cass, result.signature)
    with pytest.raises(OptionError):
        result.named("", "Ben")


def test_a_speaker_that_is_a_hash_is_shortened_for_people_and_whole_for_machines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    who = "c5d5c0ab645492b2e1bb677d96555e24"
    build = aifgraph.GraphBuilder()
    for text in ("Masks help everyone", "They filter the air"):
        said = build.locution(f"{who}: {text}")
        build.node("I", text, id=f"i{said}")
        build.node("YA", "Asserting", id=f"y{said}")
        build.edge(said, f"y{said}")
        build.edge(f"y{said}", f"i{said}")
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    aifgraph.dump(build.graph(), path)
    data = json.loads(path.read_text(encoding="utf-8"))
    next(node for node in data["nodes"] if node["type"] == "YA")["text"] = "Challenging"
    other.write_text(json.dumps(data), encoding="utf-8")
    for command in (["stats", str(path)], ["differences", str(path), str(other)]):
        assert main(command) == 0
        shown = capsys.readouterr().out
        assert who not in shown
        assert "c5d5c0…" in shown
    page = aifgraph.compare(aifgraph.load(path), aifgraph.load(other)).to_html()
    visible = page.partition('id="data"')[0]
    assert who not in visible
    assert "c5d5c0…" in visible
    assert main(["stats", str(path), "--format", "json"]) == 0
    assert who in capsys.readouterr().out


def test_show_and_stats_count_the_same_schemes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    relations = [("RA", "Default Inference"), ("RA", "because"), ("CA", "RA"), ("RA", "Argument from Expert Opinion")]
    nodes = [{"nodeID": str(at), "type": kind, "text": text} for at, (kind, text) in enumerate(relations)]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}), encoding="utf-8")
    counts = []
    for command in ("show", "stats"):
        assert main([command, str(path), "--format", "json"]) == 0
        counts.append(json.loads(capsys.readouterr().out))
    in_stats = {(row["type"], row["scheme"]): row["nodes"] for row in counts[1]["schemes"]}
    assert in_stats == {
        ("RA", "Default Inference"): 1,
        ("RA", "none"): 1,
        ("CA", "none"): 1,
        ("RA", "ExpertOpinion"): 1,
    }
    assert main(["show", str(path)]) == 0
    told = capsys.readouterr().out.partition("Schemes")[2].partition("Illocutions")[0]
    for (kind, name), number in in_stats.items():
        assert [kind, *name.split(), str(number)] in [line.split() for line in told.splitlines()]


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
    for texts in (3, 34, 70):  # the first for what is imported and cached
        ann, ben = make_corpora(tmp_path / str(texts), texts, size=5)
        tracemalloc.start()
        result = compare_corpora(ann, ben, items=True)
        written = sum(len(part) for part in result.json_parts())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert written > 10_000 * texts
    # 32 pairs are under way at a time; the second corpus is twice the first.
    assert peaks[2] < 1.6 * peaks[1]
