"""Scores against chance (docs/measures.md, section 9): by hand, against the oracle, and what must not change them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aifgraph
from aifgraph.stats.scores import SCORES
from comparison.maps import library_compare
from comparison.test_by_hand import only
from documents import CA, RA, aif, ya


def test_full_agreement_stays_full_agreement(fixtures: Path) -> None:
    graph = aifgraph.load(fixtures / "debate" / "first.json")
    chance = aifgraph.compare(graph, graph, chance=10).result.chance
    for name in SCORES:
        assert chance.above[name] == pytest.approx(1), name
        assert chance.cass[name] == pytest.approx(1), name
        assert 0 <= (chance.mean[name] or 0) < 1, name


def test_the_seed_decides() -> None:
    one, again, other = (library_compare(SUPPORT, ATTACK, chance=6, seed=seed)["chance"] for seed in (1, 1, 2))
    assert one == again != {**other, "seed": 1}


# -- by hand

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
