"""Pairs small enough to work out by hand from docs/measures.md, beside those of fixtures/cass."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from comparison.maps import Implementation, library_compare, over_both
from documents import CA, DIALOGUE, ONE, PATHS, RA, TWO, aif, calculation, ya


def only(*texts: str) -> dict[str, Any]:
    return aif({str(k): ("I", text) for k, text in enumerate(texts)})


def joined(result: dict[str, Any], layer: str = "propositions") -> set[tuple[str, str]]:
    """The classes, as the ids of each side."""
    return {(" ".join(pair["first"]), " ".join(pair["second"])) for pair in result["alignment"][layer]["pairs"]}


@over_both
def test_a_relation_has_a_direction(compare: Implementation) -> None:
    # Pairs (1,2): RA against none; (2,1): none against RA. po 0, pe (1·1 + 1·1)/4 = 1/2, kappa −1; M ≤ 0, so CASS 0
    a = aif({"1": ONE, "2": TWO, "s": RA}, "1 s 2")
    b = aif({"1": ONE, "2": TWO, "s": RA}, "2 s 1")
    result = compare(a, b)
    assert calculation(result, "propositional_relations") == (2, ["RA", "none"], [[0, 1], [1, 0]])
    assert result["calculations"]["propositional_relations"]["kappa"] == -1
    assert result["segmentation"]["S"] == 1
    assert result["cass"]["kappa"] == 0


@over_both
def test_a_clash_of_two_types_counts_in_both_errors(compare: Implementation) -> None:
    # (1,2): RA against CA; (2,1): none. po 1/2, pe (none·none) 1/4, kappa (1/2−1/4)/(3/4) = 1/3; TP 0, FP = FN
    # = 1, TN 1
    a = aif({"1": ONE, "2": TWO, "s": RA}, "1 s 2")
    b = aif({"1": ONE, "2": TWO, "s": CA}, "1 s 2")
    result = compare(a, b)
    assert calculation(result, "propositional_relations") == (
        2,
        ["CA", "RA", "none"],
        [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    )
    found = result["calculations"]["propositional_relations"]
    assert found["kappa"] == pytest.approx(1 / 3)
    assert (found["f1"], found["specificity"], found["informedness"]) == (0, 0.5, -0.5)
    assert found["macro_f1"] == 0


@over_both
def test_five_calculations_and_the_fusion(compare: Implementation) -> None:
    # B lacks the Arguing. Anchors: 2 locutions and 1 transition: Asserting twice, Arguing against none.
    #   N 3, po 2/3, pe Asserting 2·2/9, kappa (6−4)/(9−4) = 2/5
    # (content, anchor): (2 propositions + 1 relation)·3 = 9: Asserting 2, Arguing against none 1, none 6.
    #   po 8/9, pe (2·2 + 6·7)/81 = 46/81, kappa (72−46)/(81−46) = 26/35
    # Transitions: 2 pairs, TA once: 1. Transition-proposition: no label. Transition-relation: 1 item, anchored
    # against none: 0
    # M = (1 + 2/5 + 26/35 + 1 + 0)/5 = 22/35, S = 1, CASS = 44/57
    b = aif({k: v for k, v in DIALOGUE.items() if k != "x"}, *PATHS[:-1])
    result = compare(aif(DIALOGUE, *PATHS), b)
    names = ["Arguing", "Asserting", "none"]
    assert calculation(result, "illocutions") == (3, names, [[0, 0, 1], [0, 2, 0], [0, 0, 0]])
    assert calculation(result, "illocutionary_anchors") == (9, names, [[0, 0, 1], [0, 2, 0], [0, 0, 6]])
    assert calculation(result, "transitions") == (2, ["TA", "none"], [[1, 0], [0, 1]])
    assert not result["calculations"]["transition_propositions"]["applicable"]
    assert calculation(result, "transition_relations") == (1, ["anchored", "none"], [[0, 1], [0, 0]])
    assert result["mean"]["kappa"] == pytest.approx(22 / 35)
    assert result["cass"]["kappa"] == pytest.approx(44 / 57)
    assert result["layers"]["propositional"]["kappa"] == 1
    # Dialogical: M = (2/5 + 26/35 + 1 + 0)/4 = 15/28
    assert result["layers"]["dialogical"]["kappa"] == pytest.approx(2 * 15 / 43)


@over_both
def test_one_side_without_units_is_0_and_nothing_at_all_is_undefined(compare: Implementation) -> None:
    one, nothing = aif({"1": ONE}), aif({})
    assert set(compare(one, nothing)["cass"].values()) == {0}
    assert set(compare(nothing, nothing)["cass"].values()) == {None}
    assert set(compare(one, one)["cass"].values()) == {None}
    assert compare(one, one)["mean"]["kappa"] is None


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


# -- section 1: fit


# -- section 3: granularity, surroundings


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
        # and which host a part joins
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
