"""Pairs small enough to work out by hand from docs/measures.md, beside those of fixtures/cass."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aifgraph
from aifgraph.comparison.calculations import CALCULATIONS
from comparison.maps import Implementation, cells, documents, library_compare, over_both
from documents import CA, FIXTURES, MA, PA, RA, aif, ya


def only(*texts: str) -> dict[str, Any]:
    return aif({str(k): ("I", text) for k, text in enumerate(texts)})


def joined(result: dict[str, Any], layer: str = "propositions") -> set[tuple[str, str]]:
    """The classes, as the ids of each side."""
    return {(" ".join(pair["first"]), " ".join(pair["second"])) for pair in result["alignment"][layer]["pairs"]}


@pytest.mark.parametrize(
    ("text", "scheme", "label"),
    [
        ("ya_0A", "Arguing", "Arguing"),
        ("YA_1f3", None, "YA"),
        ("YA_", "Arguing", "YA_"),
        ("YA_1g", "Arguing", "YA_1g"),
        ("YA1", "Arguing", "YA1"),
        ("ya", "Arguing", "Arguing"),
        ("", None, "YA"),
    ],
)
def test_a_label_that_a_tool_made_up_is_none(text: str, scheme: str | None, label: str) -> None:
    document = aif({"l": ("L", "A: x"), "y": ("YA", text), "i": ("I", "x")}, "l y i")
    if scheme:
        document["nodes"][1]["scheme"] = scheme
    assert library_compare(document, document)["calculations"]["illocutions"]["labels"] == [label, "none"]


WHOLE = "a b c d e f g h"


@pytest.mark.parametrize(("late", "joins"), [("c d e f g x y z", False), ("c d e f g h y z", True)])
def test_a_proposition_is_as_loose_as_its_locutions(late: str, joins: bool) -> None:
    def said(*texts: str) -> dict[str, Any]:
        nodes = {}
        for k, text in enumerate(texts):
            nodes |= {f"l{k}": ("L", text), f"y{k}": ya("Asserting"), f"i{k}": ("I", text)}
        return aif(nodes, *(f"l{k} y{k} i{k}" for k in range(len(texts))))

    result = library_compare(said(WHOLE), said(WHOLE, late), WHOLE + " i j")
    assert joined(result) == ({("i0", "i0 i1")} if joins else {("i0", "i0"), ("", "i1")})
    assert joined(result, "locutions") == ({("l0", "l0 l1")} if joins else {("l0", "l0"), ("", "l1")})


TWINS = {"p": ("I", "tea is good"), "q": ("I", "tea is good"), "s": RA, "t": RA, "m": ("I", "m"), "k": ("I", "k")}
TWIN_PATHS = ("p s m", "q t k")


def test_surroundings_decide_before_file_order() -> None:
    # p and q differ in round 2 only: p supports "m", q supports "k", and "k" sorts first
    backwards = dict(reversed(TWINS.items()))
    for twins in (TWINS, backwards):
        result = library_compare(aif(twins, *TWIN_PATHS), only("tea is good"), granularity="strict")
        assert ("q", "0") in joined(result)
        result = library_compare(only("tea is good"), aif(twins, *TWIN_PATHS), granularity="strict")
        assert ("0", "q") in joined(result)
        # and which host a part joins
        part = aif({**twins, "u": ("I", "good")}, *TWIN_PATHS)
        assert ("q", "q u") in joined(library_compare(aif(twins, *TWIN_PATHS), part))


def test_segmentation_without_positions_is_the_share_of_units_in_common() -> None:
    for first, second, expected in (
        (["tea", "cake", "xx"], ["tea", "cake", "yyy"], 2 / 3),  # two in common, one more on each side: 1 − 2/6
        (["tea is good"], ["tea is good", "good"], 2 / 3),  # a part that joins is a unit more on one side: 1 − 1/3
        (["tea"], ["cake"], 0),
        (["tea"], [], 0),
        (["?!"], ["?!"], None),
    ):
        assert library_compare(only(*first), only(*second))["segmentation"]["S"] == expected


VECTORS = {
    "ban cars": (1.0, 0.0),
    "forbid driving": (0.75, 0.6614378277661477),
    "outlaw autos": (0.8, 0.6),
    "nearly it": (0.7499996, 0.66143828),
    "not it": (0.7499994, 0.66143851),
    "?": (1.0, 0.0),
}


def toy(texts: list[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([VECTORS[text] for text in texts])


@pytest.mark.parametrize(
    ("other", "by"), [("forbid driving", "meaning"), ("nearly it", "meaning"), ("not it", None), ("?", None)]
)
def test_by_meaning_at_the_threshold(other: str, by: str | None) -> None:
    pairs = library_compare(only("ban cars"), only(other), meaning=toy)["alignment"]["propositions"]["pairs"]
    assert pairs[0]["by"] == by
    assert not by or "by meaning, 0.75" in pairs[0]["because"]
    assert joined(library_compare(only("ban cars"), only(other))) == {("0", ""), ("", "0")}


def test_the_nearest_in_meaning_goes_first_and_two_known_places_never_match() -> None:
    result = library_compare(only("ban cars"), only("forbid driving", "outlaw autos"), meaning=toy)
    assert joined(result) == {("0", "1"), ("", "0")}
    for more in ({"min_meaning": 0.81}, {"first_text": "ban cars, outlaw autos"}):
        result = library_compare(only("ban cars"), only("outlaw autos"), meaning=toy, **more)
        assert joined(result) == {("0", ""), ("", "0")}


SUPPORT, ATTACK = (aif({"a": ("I", "cake"), "s": s, "b": ("I", "tea")}, "a s b") for s in (RA, CA))


def seed_of(sizes: list[int], wanted: list[list[int]]) -> int:
    """The first seed whose generator deals so."""
    for seed in range(10_000):
        rng = np.random.default_rng(seed)
        if [list(rng.permutation(k)) for k in sizes] == wanted:
            return seed
    raise AssertionError(wanted)


KEPT, TURNED = [0, 1], [1, 0]


def test_chance_by_hand() -> None:
    # M = 1/3 (above). Turned round, B attacks from the other end: no agreement, by chance 1/4, so −1/3.
    # Five rounds: three a side, two of them as they are. E = (2 · 1/3 − 1/3) / 3 = 1/9
    seed = seed_of([2, 2, 2], [KEPT, TURNED, KEPT])
    result = library_compare(SUPPORT, ATTACK, chance=5, seed=seed)
    chance = result["chance"]
    assert (chance["rounds"], chance["seed"], chance["undefined"].get("kappa")) == (5, seed, None)
    assert chance["mean"]["kappa"] == pytest.approx(1 / 9)
    assert chance["above"]["kappa"] == pytest.approx(1 / 4)
    assert result["segmentation"]["S"] == 1
    assert chance["cass"]["kappa"] == pytest.approx(0.4)
    assert result["layers"]["propositional"]["chance"] == chance
    # Nothing applies in the other layer
    assert result["layers"]["dialogical"]["chance"]["mean"]["kappa"] is None
    assert result["layers"]["dialogical"]["chance"]["undefined"]["kappa"]


def test_above_a_chance_of_one_nothing_is_defined() -> None:
    seed = seed_of([2], [KEPT])
    chance = library_compare(SUPPORT, SUPPORT, chance=1, seed=seed)["chance"]
    assert (chance["mean"]["kappa"], chance["above"]["kappa"], chance["cass"]["kappa"]) == (1, None, None)
    assert chance["undefined"]["kappa"] == "chance alone gives 1"


def test_chance_needs_something_to_deal() -> None:
    one = aif({"i": ("I", "tea"), "l": ("L", "Ann: tea"), "y": ya("Asserting")}, "l y i")
    chance = library_compare(one, one, chance=3)["chance"]
    assert (chance["mean"]["kappa"], chance["above"]["kappa"], chance["cass"]["kappa"]) == (None, None, None)
    assert "nothing to permute" in chance["undefined"]["kappa"]


#: The argument among what was said (docs/measures.md, section 4): paths over claims that nobody said.
TEXT = "alfa bravo. charlie delta. echo foxtrot. golf hotel."
SAID = {"a": ("I", "alfa bravo"), "b": ("I", "charlie delta"), "c": ("I", "echo foxtrot"), "d": ("I", "golf hotel")}
UNSAID = {"u": ("I", "india"), "v": ("I", "juliett kilo")}
TYPES = {"RA": RA, "CA": CA, "MA": MA, "PA": PA}


def analysis(*relations: str) -> dict[str, Any]:
    """What the text says and two claims that it does not say, with relations such as ``a RA u``."""
    nodes = {**SAID, **UNSAID}
    paths = []
    for number, relation in enumerate(relations):
        premise, kind, conclusion = relation.split()
        nodes[f"s{number}"] = TYPES[kind]
        paths.append(f"{premise} s{number} {conclusion}")
    return aif(nodes, *paths)


def found(compare: Implementation, *relations: str, **options: Any) -> dict[str, Any]:
    """What comes of these relations against none but a → b, which says nothing of them."""
    result = compare(analysis(*relations), analysis("a RA b"), TEXT, **options)
    explicit: dict[str, Any] = result["explicit"]
    return explicit


COMPOSED = [
    ("RA", "RA", "RA"),
    ("RA", "CA", "CA"),
    ("CA", "RA", "CA"),
    ("CA", "CA", "RA"),
    ("MA", "MA", "MA"),
    *((one, two, one if two == "MA" else two) for kind in ("RA", "CA") for one, two in (("MA", kind), (kind, "MA"))),
]


@over_both
@pytest.mark.parametrize(("one", "two", "whole"), COMPOSED)
def test_the_type_of_a_path(compare: Implementation, one: str, two: str, whole: str) -> None:
    explicit = found(compare, f"c {one} u", f"u {two} d")
    assert explicit["items"] == 12
    assert explicit["labels"] == [*sorted({"RA", whole}), "none"]
    assert sum(explicit["matrix"][explicit["labels"].index(whole)]) == 1
    assert {side: list(of) for side, of in explicit["coverage"].items()} == {"first": [2, 2], "second": [1, 1]}


@over_both
@pytest.mark.parametrize(
    ("relations", "labelled", "coverage"),
    [
        (("c PA d",), ["PA"], [1, 1]),  # a PA between what was said is a path of its own
        (("c PA u", "u RA d"), [], [0, 2]),  # and goes on nowhere
        (("c RA u", "u PA d"), [], [0, 2]),
        (("c RA u",), [], [0, 1]),  # leads nowhere
        (("c RA u", "u RA c"), [], [2, 2]),  # leads back to where it came from: no path, but both take part
        (("c RA u", "u RA v", "v RA u", "v RA d"), ["RA"], [4, 4]),  # round and round
        (("c RA u", "u CA u", "u RA d"), ["RA"], [2, 2]),  # no node is related to itself
        (("c RA u", "u CA v", "v CA u", "u RA d"), ["RA"], [4, 4]),
        (("c RA u", "u CA v", "v RA u", "u RA d"), ["CA", "RA"], [4, 4]),  # passed a second time, it is an attack
        (("c RA d", "d RA b"), ["RA", "RA"], [2, 2]),  # what was said is not passed through
        (("c RA u", "c RA u", "u RA d"), ["RA"], [2, 2]),  # the same twice
    ],
)
def test_paths_and_coverage(
    compare: Implementation, relations: tuple[str, ...], labelled: list[str], coverage: list[int]
) -> None:
    explicit = found(compare, *relations)
    rows = {label: sum(row) for label, row in zip(explicit["labels"], explicit["matrix"], strict=True)}
    assert sorted(label for label, count in rows.items() for _ in range(count) if label != "none") == labelled
    assert list(explicit["coverage"]["first"]) == coverage


@over_both
def test_where_it_applies(compare: Implementation) -> None:
    none, some = aif({}), analysis("a RA u", "u RA b")
    assert "explicit" not in compare(some, some), "positions are not known"
    assert "explicit" not in compare(analysis("a RA u"), analysis("u RA b"), TEXT), "no path"
    explicit = compare(some, none, TEXT)["explicit"]
    assert (explicit["kappa"], explicit["f1"]) == (0, 0)
    assert compare(analysis("c RA u"), some, TEXT)["explicit"]["kappa"] == 0


CASES = {path.parent: json.loads(path.read_text("utf-8")) for path in sorted(FIXTURES.glob("cass/*/expected.json"))}
of_each_case = pytest.mark.parametrize(("folder", "expected"), CASES.items(), ids=[path.name for path in CASES])


def number(value: str | None) -> Any:
    """A fraction as expected.json writes it, close to which a float must be."""
    return None if value is None else pytest.approx(float(Fraction(value)), abs=1e-12)


@over_both
@of_each_case
def test_case(folder: Path, expected: dict[str, Any], compare: Implementation) -> None:
    if compare.known(expected["options"]) != expected["options"]:
        pytest.skip(f"the {compare.name} does not offer {expected['options']}")
    data = compare(**documents(folder / "first.json", folder / "second.json"), **expected["options"])
    for layer, classes in expected["classes"].items():
        pairs = {(frozenset(pair["first"]), frozenset(pair["second"])) for pair in data["alignment"][layer]["pairs"]}
        assert pairs == {(frozenset(ours), frozenset(theirs)) for ours, theirs in classes}, layer
    for of, wanted in expected["calculations"].items():
        got = data["calculations"][of]
        assert got["applicable"], of
        assert (got["items"], got["labels"], got["matrix"]) == (wanted["items"], wanted["labels"], wanted["matrix"])
        assert (got["kappa"], got["f1"]) == (number(wanted["kappa"]), number(wanted["f1"])), of
    applicable = {each for each, got in data["calculations"].items() if got["applicable"]}
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


@of_each_case
def test_warnings(folder: Path, expected: dict[str, Any]) -> None:
    """Only the library warns. Here it reads the files itself, the texts beside them too."""
    found = aifgraph.compare(folder / "first.json", folder / "second.json", **expected["options"])
    for warning, wanted in zip(found.notices, expected["warnings"], strict=True):
        assert wanted in str(warning)
    assert found.cass["kappa"] == number(expected["cass"]["kappa"])


def test_every_calculation_has_a_case() -> None:
    assert {name for expected in CASES.values() for name in expected["calculations"]} == {*CALCULATIONS}


#: Pairs of which both implementations have to compute what stands in the file.
CONFORMANCE = sorted(FIXTURES.glob("conformance/*.json"))


def close(value: float | None) -> Any:
    return None if value is None else pytest.approx(value, abs=1e-9)


def assert_table(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert (found["items"], cells(found)) == (expected["items"], cells(expected))
    assert [found[score] for score in ("kappa", "f1")] == [close(expected[score]) for score in ("kappa", "f1")]


@over_both
@pytest.mark.parametrize("reference", ["none", "first"])
@pytest.mark.parametrize("path", CONFORMANCE, ids=lambda path: path.stem)
def test_conformance(path: Path, reference: str, compare: Implementation) -> None:
    assert len(CONFORMANCE) == 20
    document = json.loads(path.read_text("utf-8"))
    expected = document[f"reference={reference}"]
    sides = {key: document[key] for key in ("first", "second", "first_text", "second_text")}
    found = compare(**sides, reference=reference)
    assert (found["segmentation"]["mode"], found["segmentation"]["S"]) == (expected["mode"], close(expected["S"]))
    applicable = {name: table for name, table in found["calculations"].items() if table["applicable"]}
    assert applicable.keys() == expected["calculations"].keys()
    for name, table in applicable.items():
        assert_table(table, expected["calculations"][name])
    assert ("explicit" in found) == (expected["explicit_relations"] is not None)
    if "explicit" in found:
        assert_table(found["explicit"], expected["explicit_relations"])
        coverage = {side: list(counts) for side, counts in found["explicit"]["coverage"].items()}
        assert coverage == expected["explicit_relations"]["coverage"]
    for score in ("kappa", "f1"):
        assert found["mean"][score] == close(expected["M"][score])
        assert found["cass"][score] == close(expected["CASS"][score])
        for layer, means in expected["layers"].items():
            assert found["layers"][layer]["mean"][score] == close(means["M"][score])
            assert found["layers"][layer][score] == close(means["CASS"][score])
