"""Scores against chance (docs/measures.md, section 9): by hand, against the oracle, and what must not change them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aifgraph
from aifgraph.comparison.comparison import Comparison
from aifgraph.errors import OptionError
from aifgraph.stats.scores import SCORES
from comparison.maps import assert_agree, library_compare, pair
from comparison.test_by_hand import only
from comparison.test_differential import OPTIONS
from documents import CA, RA, aif, ya
from sampled import LONG

Edges = list[tuple[str, str]]


def document(texts: dict[str, str], inferences: Edges, order: list[str] | None = None) -> dict[str, Any]:
    """Propositions by id, and an inference from each premise to each conclusion."""
    nodes = [{"nodeID": id_, "type": "I", "text": texts[id_]} for id_ in order or texts]
    edges = []
    for number, (premise, conclusion) in enumerate(inferences):
        nodes.append({"nodeID": f"s{number}", "type": "RA", "text": "Default Inference"})
        edges += [{"fromID": premise, "toID": f"s{number}"}, {"fromID": f"s{number}", "toID": conclusion}]
    return {"nodes": nodes, "edges": edges}


def compared(first: dict[str, Any], second: dict[str, Any], **options: Any) -> Comparison:
    return aifgraph.compare(aifgraph.loads(json.dumps(first)), aifgraph.loads(json.dumps(second)), **options)


TEXTS = {"a": "Masks help everyone", "b": "They filter the air", "c": "Doctors wear them", "d": "Nobody likes it"}
CHAIN = document(TEXTS, [("b", "a"), ("c", "b")])
STAR = document(TEXTS, [("b", "a"), ("c", "a"), ("d", "a")])


def test_the_draws_are_those_of_the_definition() -> None:
    """Ten rounds, five a side, redone here with numpy and a table of texts: order by text, permutation, count."""
    result = compared(CHAIN, STAR, chance=10, seed=5)
    order = sorted(TEXTS, key=TEXTS.__getitem__)
    own = {0: {("b", "a"), ("c", "b")}, 1: {("b", "a"), ("c", "a"), ("d", "a")}}
    scores = []
    for side in (1, 0):
        rng = np.random.default_rng(5)
        for _ in range(5):
            draw = rng.permutation(4).tolist()
            rng.permutation(0)
            has = {order[i]: order[draw[i]] for i in range(4)}
            moved = {(has[a], has[b]) for a, b in own[side]}
            other = own[1 - side]
            scores.append(2 * len(moved & other) / (len(moved) + len(other)))
    expected = sum(scores) / 10
    assert result.chance.mean["f1"] == pytest.approx(expected, abs=1e-12)
    mean = result.mean["f1"]
    above = (mean - expected) / (1 - expected)
    assert result.chance.above["f1"] == pytest.approx(above, abs=1e-12)
    assert result.chance.cass["f1"] == pytest.approx(max(0.0, 2 * above / (above + 1)), abs=1e-12)


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_an_odd_number_of_rounds_gives_both_sides_as_many(rounds: int) -> None:
    one, other = (compared(CHAIN, STAR, chance=number).chance for number in (rounds, rounds + rounds % 2))
    assert (one.layers, one.rounds) == (other.layers, rounds)


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize("number", range(12 if LONG else 3))
def test_random_pairs_agree_with_the_oracle(number: int) -> None:
    for seed in range(number * 10, number * 10 + 10):
        options = {**OPTIONS[seed % len(OPTIONS)], "chance": 1 + seed % 6, "seed": seed}
        assert_agree(pair(seed), f"seed {seed}", **options)


@pytest.mark.parametrize("seed", range(30 if LONG else 8))
def test_swapping_the_sides_leaves_chance_of_symmetric_scores(seed: int) -> None:
    given = pair(seed)
    texts = given.get("first_text"), given.get("second_text")
    one = compared(given["first"], given["second"], chance=8, first_text=texts[0], second_text=texts[1])
    other = compared(given["second"], given["first"], chance=8, first_text=texts[1], second_text=texts[0])
    for layer, against in one.chance.layers.items():
        for name, score in SCORES.items():
            if score.symmetric:
                swapped = other.chance.layers[layer]
                assert against.mean[name] == pytest.approx(swapped.mean[name], abs=1e-9), (layer, name)
                assert against.above[name] == pytest.approx(swapped.above[name], abs=1e-9), (layer, name)
                assert against.cass[name] == pytest.approx(swapped.cass[name], abs=1e-9), (layer, name)


def test_full_agreement_stays_full_agreement(fixtures: Path) -> None:
    graph = aifgraph.load(fixtures / "debate" / "first.json")
    chance = aifgraph.compare(graph, graph, chance=10).chance
    for name in SCORES:
        assert chance.above[name] == pytest.approx(1), name
        assert chance.cass[name] == pytest.approx(1), name
        assert 0 <= (chance.mean[name] or 0) < 1, name


def test_the_seed_decides_and_nothing_else() -> None:
    one, again, other = (compared(CHAIN, STAR, chance=6, seed=seed) for seed in (1, 1, 2))
    assert one.chance == again.chance
    assert one.chance != other.chance
    renamed = {id_: f"n{9 - place}" for place, id_ in enumerate(TEXTS)}
    shuffled = document(
        {renamed[id_]: text for id_, text in TEXTS.items()},
        [(renamed["d"], renamed["a"]), (renamed["c"], renamed["a"]), (renamed["b"], renamed["a"])],
        [renamed[id_] for id_ in "dbca"],
    )
    assert compared(CHAIN, shuffled, chance=6, seed=1).to_dict()["chance"] == one.to_dict()["chance"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"chance": 0}, "chance is 0; give a whole number from 1 to 1000000"),
        ({"chance": -3}, "chance is -3"),
        ({"chance": 2.5}, "chance is 2.5"),
        ({"chance": True}, "chance is True"),
        ({"chance": "100"}, "chance is '100'"),
        ({"chance": 10**9}, "chance is 1000000000"),
        ({"seed": -1}, "seed is -1; give a whole number from 0 to 4294967295"),
        ({"seed": 2**32}, "seed is 4294967296"),
        ({"seed": 1.0}, "seed is 1.0"),
    ],
)
def test_rounds_and_seed_are_whole_numbers_in_bounds(options: dict[str, Any], what: str) -> None:
    with pytest.raises(OptionError) as caught:
        compared(CHAIN, STAR, **options)
    assert what in str(caught.value)


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
