"""Small pairs of maps of which every number here was worked out on paper from the specification."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from comparison.implementations import library_compare
from documents import CA, DIALOGUE, PATHS, RA, aif, ya


def only(*texts: str) -> dict[str, Any]:
    return aif({str(k): ("I", text) for k, text in enumerate(texts)})


def joined(result: dict[str, Any], layer: str = "propositions") -> set[tuple[str, str]]:
    """The classes, as the ids of each side."""
    return {(" ".join(pair["first"]), " ".join(pair["second"])) for pair in result["alignment"][layer]["pairs"]}


# -- section 0: labels


@pytest.mark.parametrize(
    ("text", "scheme", "label"),
    [
        ("YA_1f3", "Arguing", "Arguing"),
        ("ya_0A", "Arguing", "Arguing"),
        ("YA_1f3", None, "YA"),
        ("YA_", "Arguing", "YA_"),
        ("YA_1g", "Arguing", "YA_1g"),
        ("YA_1 2", "Arguing", "YA_1 2"),
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


def test_made_up_labels_do_not_part_identical_analyses() -> None:
    first, second = (aif({**DIALOGUE, "y": ya(f"YA_{k}"), "z": ya(f"YA_{k}{k}")}, *PATHS) for k in "ab")
    result = library_compare(first, second)
    assert result["cass"]["kappa"] == 1


# -- section 1: fit


def test_a_text_fits_if_a_quarter_of_the_units_is_found() -> None:
    text = "one two three. four five six"
    quarter = only("one two three", "un deux", "trois quatre", "cinq six sept")
    fifth = only("one two three", "un deux", "trois quatre", "cinq six sept", "huit neuf")
    assert library_compare(quarter, quarter, text)["segmentation"]["mode"] == "positions"
    result = library_compare(quarter, fifth, text)
    assert (result["segmentation"]["mode"], result["second"]["placed"]) == ("units", 1)


# -- section 3: granularity, surroundings


WHOLE = "a b c d e f g h"


@pytest.mark.parametrize(("late", "joins"), [("c d e f g x y z", False), ("c d e f g h y z", True)])
def test_what_is_loosely_placed_does_not_join(late: str, joins: bool) -> None:
    # 5 of 8 words found is less than three quarters, 6 of 8 is not
    result = library_compare(only(WHOLE), only(WHOLE, late), WHOLE + " i j")
    assert joined(result) == ({("0", "0 1")} if joins else {("0", "0"), ("", "1")})


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


def test_nothing_is_loose_without_positions() -> None:
    # "c d e f" is within the words of the other, and there is no text to place anything in
    result = library_compare(only(WHOLE), only(WHOLE, "c d e f"))
    assert joined(result) == {("0", "0 1")}


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


def test_surroundings_decide_which_host_a_part_joins() -> None:
    for twins in (TWINS, dict(reversed(TWINS.items()))):
        part = aif({**twins, "u": ("I", "good")}, *TWIN_PATHS)
        assert ("q", "q u") in joined(library_compare(aif(twins, *TWIN_PATHS), part))


# -- section 6: units


def test_segmentation_without_positions_is_the_share_of_units_in_common() -> None:
    def of(first: list[str], second: list[str]) -> float | None:
        found: float | None = library_compare(only(*first), only(*second))["segmentation"]["S"]
        return found

    assert of(["tea is good", "no"], ["tea is good", "no"]) == 1
    # Two in common, one more on each side: 1 − 2/6
    assert of(["tea", "cake", "xx"], ["tea", "cake", "yyy"]) == float(Fraction(2, 3))
    # A part that joins is a unit more on one side: 1 − 1/3
    assert of(["tea is good"], ["tea is good", "good"]) == float(Fraction(2, 3))
    assert of(["tea"], ["cake"]) == 0
    assert of(["tea"], []) == 0
    assert of(["?!"], ["?!"]) is None
    assert of([], []) is None


# -- section 3: meaning

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
    ("other", "by"),
    [("forbid driving", "meaning"), ("nearly it", "meaning"), ("not it", None), ("?", None)],
)
def test_by_meaning_at_the_threshold(other: str, by: str | None) -> None:
    pairs = library_compare(only("ban cars"), only(other), meaning=toy)["alignment"]["propositions"]["pairs"]
    assert pairs[0]["by"] == by
    assert not by or "by meaning, 0.75" in pairs[0]["because"]
    assert joined(library_compare(only("ban cars"), only(other))) == {("0", ""), ("", "0")}


def test_the_nearest_in_meaning_goes_first() -> None:
    result = library_compare(only("ban cars"), only("forbid driving", "outlaw autos"), meaning=toy)
    assert joined(result) == {("0", "1"), ("", "0")}
    result = library_compare(only("ban cars"), only("outlaw autos"), meaning=toy, min_meaning=0.81)
    assert joined(result) == {("0", ""), ("", "0")}


def test_two_known_places_are_never_matched_by_meaning() -> None:
    result = library_compare(only("ban cars"), only("outlaw autos"), "ban cars, outlaw autos", meaning=toy)
    assert result["segmentation"]["mode"] == "positions"
    assert joined(result) == {("0", ""), ("", "0")}


# -- section 7: the mean


def test_the_mean_over_layers() -> None:
    second = aif({**DIALOGUE, "s": CA}, *PATHS)
    first = aif(DIALOGUE, *PATHS)
    plain = library_compare(first, second)
    kappas = {n: c["kappa"] for n, c in plain["calculations"].items() if c["applicable"]}
    # Of two pairs, one RA against CA: agreement 1/2, by chance 1/4
    assert kappas["propositional_relations"] == pytest.approx(1 / 3)
    dialogical = [k for n, k in kappas.items() if n != "propositional_relations"]
    assert plain["mean"]["kappa"] == pytest.approx((1 / 3 + sum(dialogical)) / (1 + len(dialogical)))
    layers = library_compare(first, second, mean="layers")
    assert layers["mean"]["kappa"] == pytest.approx((1 / 3 + sum(dialogical) / len(dialogical)) / 2)
    assert layers["layers"] == plain["layers"]


def test_a_layer_in_which_nothing_applies_does_not_count() -> None:
    first, second = (aif({"a": ("I", "tea"), "s": s, "b": ("I", "cake")}, "a s b") for s in (RA, CA))
    assert library_compare(first, second, mean="layers")["mean"]["kappa"] == pytest.approx(1 / 3)


# -- section 9: chance

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


def test_chance_is_never_below_zero() -> None:
    seed = seed_of([2], [TURNED])
    chance = library_compare(SUPPORT, SUPPORT, chance=2, seed=seed)["chance"]
    assert (chance["mean"]["kappa"], chance["above"]["kappa"], chance["cass"]["kappa"]) == (0, 1, 1)


def test_above_a_chance_of_one_nothing_is_defined() -> None:
    seed = seed_of([2], [KEPT])
    chance = library_compare(SUPPORT, SUPPORT, chance=1, seed=seed)["chance"]
    assert (chance["mean"]["kappa"], chance["above"]["kappa"], chance["cass"]["kappa"]) == (1, None, None)
    assert chance["undefined"]["kappa"] == "chance alone gives 1"


def test_propositions_are_dealt_before_locutions() -> None:
    nodes = {**SUPPORT_NODES, "l": ("L", "Ann: yes"), "t": ("TA", ""), "m": ("L", "Bob: no, no")}
    document = aif(nodes, "a s b", "l t m")
    # Kappa is 1 as it is and −1 turned round, in either layer
    seed = seed_of([2, 2, 2, 2], [KEPT, TURNED, KEPT, KEPT])
    result = library_compare(document, document, chance=4, seed=seed)
    assert result["layers"]["propositional"]["chance"]["mean"]["kappa"] == 1
    assert result["layers"]["dialogical"]["chance"]["mean"]["kappa"] == 0
    assert result["chance"]["mean"]["kappa"] == pytest.approx(0.5)  # (1 − 1)/2, then (1 + 1)/2


SUPPORT_NODES = {"a": ("I", "cake"), "s": RA, "b": ("I", "tea")}


def test_nodes_are_dealt_in_order_of_place_then_text() -> None:
    # cake and tea support each other: if these two change places nothing changes; if "nothing" takes the place of one,
    # two of the six pairs are left in common
    nodes = {"c": ("I", "nothing"), **SUPPORT_NODES, "t": RA}
    document = aif(nodes, "a s b", "b t a")

    def accuracy(numbers: list[int], text: str | None) -> float:
        options = {"chance": 2, "seed": seed_of([3], [numbers])}
        found: float = library_compare(document, document, text, **options)["chance"]["mean"]["accuracy"]
        return found

    # By place: tea, cake, nothing. By text: cake, nothing, tea. In the file: nothing, cake, tea
    assert accuracy([1, 0, 2], "tea, cake, nothing") == 1
    assert accuracy([1, 0, 2], None) == pytest.approx(2 / 6)
    assert accuracy([2, 1, 0], None) == 1
    assert accuracy([2, 1, 0], "tea, cake, nothing") == pytest.approx(2 / 6)


def test_the_node_takes_what_the_node_of_that_number_had() -> None:
    # By text: aa, bb, cc, and aa supports bb. P = (1, 2, 0): aa's node says bb, bb's says cc: bb→cc, as the first side
    # has it. Dealt the other way round it would be cc→aa. The first side has a node more: dealt, it agrees neither way
    first = aif({"p": ("I", "bb"), "s": RA, "q": ("I", "cc"), "r": ("I", "aa"), "d": ("I", "dd")}, "p s q")
    second = aif({"a": ("I", "aa"), "s": RA, "b": ("I", "bb"), "c": ("I", "cc")}, "a s b")

    def dealt(seed: int, k: int) -> list[int]:
        return list(np.random.default_rng(seed).permutation(k))

    # (1, 3, 2, 0) makes dd→cc of bb→cc, and the other way round aa→cc
    seed = next(k for k in range(10_000) if dealt(k, 3) == [1, 2, 0] and dealt(k, 4) == [1, 3, 2, 0])
    assert library_compare(first, second, chance=1, seed=seed)["chance"]["mean"]["f1"] == pytest.approx(1 / 2)


def test_chance_needs_something_to_deal() -> None:
    one = aif({"i": ("I", "tea"), "l": ("L", "Ann: tea"), "y": ya("Asserting")}, "l y i")
    chance = library_compare(one, one, chance=3)["chance"]
    assert (chance["mean"]["kappa"], chance["above"]["kappa"], chance["cass"]["kappa"]) == (None, None, None)
    assert "nothing to permute" in chance["undefined"]["kappa"]
    # A side without units is 0 as ever
    chance = library_compare(only("tea"), only(), chance=3)["chance"]
    assert (chance["mean"]["kappa"], chance["cass"]["kappa"]) == (None, 0)
    chance = library_compare(SUPPORT, only(), chance=3)["chance"]
    assert (chance["mean"]["kappa"], chance["above"]["kappa"], chance["cass"]["kappa"]) == (0, 0, 0)
