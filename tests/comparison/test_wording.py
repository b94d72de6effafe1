"""How alike matched texts are, beside the numbers, and names that nobody gives (docs/measures.md, section 10)."""

from __future__ import annotations

import json
from typing import Any

import aifgraph
from aifgraph.comparison.wording import MatchedTexts
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
