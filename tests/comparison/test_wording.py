"""Results in words: what the sides and the items are called, how alike matched texts are, and what nobody names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.comparison.breakdown import MatchedTexts
from aifgraph.comparison.sides import short_names
from aifgraph.errors import OptionError
from comparison.maps import letter_counts
from documents import RA, aif

TEXT = "dogs bark loud at night. cats do not"


def _compared(first: dict[str, Any], second: dict[str, Any], **given: Any) -> aifgraph.Comparison:
    return aifgraph.compare(*(aifgraph.loads(json.dumps(each)) for each in (first, second)), **given)


def test_matches_by_place_that_share_little_wording() -> None:
    first = aif({"1": ("I", "dogs bark loud at night"), "2": ("I", "cats do not")})
    second = aif({"1": ("I", "at night"), "2": ("I", "cats do not")})
    result = _compared(first, second, first_text=TEXT)
    # 8 of the 23 characters
    assert (result.result.wording.count, result.result.wording.of) == (1, 2)
    assert result.result.wording.pairs == (MatchedTexts("dogs bark loud at night", "at night", 8 / 23),)
    document = result.to_dict()
    assert document["wording"]["pairs"] == [
        {"first": "dogs bark loud at night", "second": "at night", "similarity": 8 / 23}
    ]
    assert aifgraph.PairResult.from_dict(document).wording == result.result.wording
    assert _compared(first, second, min_similarity=0).result.wording.of == 0, "no place is known"


def test_every_match_by_meaning_is_listed_with_both_texts_and_the_cosine() -> None:
    first = aif({"1": ("I", "abc"), "2": ("I", "fgh")})
    second = aif({"1": ("I", "cab cab"), "2": ("I", "ghf ghf")})
    result = _compared(first, second, meaning=letter_counts, min_similarity=0.9)
    listed = result.to_dict()["matched_by_meaning"]
    assert {(each["first"], each["second"]) for each in listed} == {("abc", "cab cab"), ("fgh", "ghf ghf")}
    assert [each["cosine"] for each in listed] == sorted((each["cosine"] for each in listed), reverse=True)
    assert all(0.75 <= each["cosine"] <= 1 for each in listed)
    assert aifgraph.PairResult.from_dict(result.to_dict()).matched_by_meaning == result.result.matched_by_meaning


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
    one, other = short_names(first, second)
    assert one != other
    if first != second:
        assert short_names(second, first) == (other, one)


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
    assert main(["show", str(path), "--details"]) == 0
    shown = capsys.readouterr().out
    assert who not in shown
    assert "c5d5c0…" in shown
    page = aifgraph.compare(aifgraph.load(path), aifgraph.load(other)).to_html()
    visible = page.partition('id="data"')[0]
    assert who not in visible
    assert "c5d5c0…" in visible
    assert main(["show", str(path), "--format", "json"]) == 0
    assert who in capsys.readouterr().out


def test_a_long_text_is_cut() -> None:
    build = aifgraph.GraphBuilder()
    claim = build.proposition("one " * 200)
    build.inference([build.proposition("two " * 200)], claim)
    graph = build.graph()
    (item,) = aifgraph.compare(graph, graph).items()["propositional_relations"]
    assert len(item["text"]) < 140


def test_what_matches_and_what_differs_is_counted() -> None:
    first, second = (aifgraph.load(FIXTURES / "debate" / f"{side}.json") for side in ("first", "second"))
    summary = aifgraph.compare(first, second).result.summary
    assert summary.startswith("12 of 13 and 13 propositions")
    assert "16 of 79 decisions" in summary
    assert "0 of 76 decisions" in aifgraph.compare(first, first).result.summary


def test_items_in_plain_values(fixtures: Path) -> None:
    result = aifgraph.compare(*(fixtures / "debate" / f"{side}.json" for side in ("first", "second")))
    for name, items in result.items().items():
        matrix = result.result.counted[name].matrix
        assert len(items) == matrix.total - matrix.rows[-1][-1]
        for item in items:
            assert set(item["cell"]) <= set(matrix.labels)
            assert item["text"]
            assert item["first"] or item["second"]
