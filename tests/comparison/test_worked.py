"""Cases worked out by hand, one folder each: fixtures/cass/<case>/worked.md shows how expected.json came about."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.comparison.calculations import CALCULATIONS
from comparison.maps import LIBRARY, Implementation, over_both

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "cass"
CASES = sorted(path.parent.name for path in FOLDER.glob("*/expected.json"))


def number(value: str | None) -> Any:
    """A fraction as expected.json writes it, close to which a float must be."""
    return None if value is None else pytest.approx(float(Fraction(value)), abs=1e-12)


def load_case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The pair, and what must come of it."""
    folder = FOLDER / name
    given: dict[str, Any] = {}
    for side in ("first", "second"):
        given[side] = json.loads((folder / f"{side}.json").read_text("utf-8"))
        text = folder / f"{side}.txt"
        given[f"{side}_text"] = text.read_text("utf-8") if text.is_file() else None
    return given, json.loads((folder / "expected.json").read_text("utf-8"))


@over_both
@pytest.mark.parametrize("name", CASES)
def test_case(name: str, compare: Implementation) -> None:
    given, expected = load_case(name)
    if compare.known(expected["options"]) != expected["options"]:
        pytest.skip(f"the {compare.name} does not offer {expected['options']}")
    data = compare(**given, **expected["options"])
    for layer, classes in expected["classes"].items():
        pairs = {(frozenset(pair["first"]), frozenset(pair["second"])) for pair in data["alignment"][layer]["pairs"]}
        assert pairs == {(frozenset(ours), frozenset(theirs)) for ours, theirs in classes}, layer
    for calculation, wanted in expected["calculations"].items():
        got = data["calculations"][calculation]
        assert got["applicable"], calculation
        assert (got["items"], got["labels"], got["matrix"]) == (wanted["items"], wanted["labels"], wanted["matrix"])
        assert (got["kappa"], got["f1"]) == (number(wanted["kappa"]), number(wanted["f1"])), calculation
    applicable = {calculation for calculation, got in data["calculations"].items() if got["applicable"]}
    assert applicable == set(expected["calculations"])
    for key, value in expected["segmentation"].items():
        plain = key in ("mode", "masses")
        assert data["segmentation"][key] == (value if plain else number(value)), key
    for key in ("mean", "cass"):
        for score, value in expected[key].items():
            assert data[key][score] == number(value), (key, score)
    for key, value in expected.get("explicit", {}).items():
        got = data["explicit"][key]
        assert {side: list(of) for side, of in got.items()} == value if key == "coverage" else got == number(value), key
    if "text" in expected:
        assert [data["first"]["text"], data["second"]["text"]] == expected["text"]
    if "text_overlap" in expected:
        assert data["text_overlap"] == number(expected["text_overlap"])


@pytest.mark.parametrize("name", CASES)
def test_warnings(name: str) -> None:
    """Only the library warns. Here it reads the files itself, the texts beside them too."""
    folder = FOLDER / name
    given, expected = load_case(name)
    first, second = (aifgraph.load(folder / f"{side}.json") for side in ("first", "second"))
    data = aifgraph.compare(first, second, **expected["options"]).to_dict()
    for warning, wanted in zip(data["notices"], expected["warnings"], strict=True):
        assert wanted in warning
    read_by_hand = LIBRARY(**given, **expected["options"])
    assert data["cass"] == read_by_hand["cass"]
    assert data["segmentation"] == read_by_hand["segmentation"]


def test_every_calculation_has_a_case() -> None:
    seen = set()
    for name in CASES:
        seen |= set(json.loads((FOLDER / name / "expected.json").read_text("utf-8"))["calculations"])
    assert seen == set(CALCULATIONS)
