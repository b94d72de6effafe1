"""Scores against chance (docs/measures.md, section 9): by hand, against the oracle, and what must not change them."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aifgraph
from aifgraph.comparison.comparison import Comparison
from aifgraph.errors import OptionError
from aifgraph.stats.scores import SCORES
from comparison.maps import assert_agree, pair
from comparison.test_differential import OPTIONS, PAIRS, documents
from sampled import LONG, some_of

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


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
def test_the_mean_of_all_deals_comes_out() -> None:
    """Of three propositions there are six deals: many rounds come near to their mean, worked out here by counting."""
    texts = {id_: TEXTS[id_] for id_ in "abc"}
    first, second = document(texts, [("b", "a")]), document(texts, [("c", "b"), ("b", "a")])
    kappas = []
    for order in permutations("abc"):
        name = dict(zip("abc", order, strict=True))
        ours, theirs = {("b", "a")}, {(name["c"], name["b"]), (name["b"], name["a"])}
        both, total = len(ours & theirs), 6
        agreed = (total - len(ours | theirs) + both) / total
        by_chance = (len(ours) * len(theirs) + (total - len(ours)) * (total - len(theirs))) / total**2
        kappas.append((agreed - by_chance) / (1 - by_chance))
    result = compared(first, second, chance=20_000 if LONG else 2_000, seed=3)
    exact = max(0.0, sum(kappas) / len(kappas))
    assert result.chance.mean["kappa"] == pytest.approx(exact, abs=0.01 if LONG else 0.03)
    f1 = sum(2 * len({("b", "a")} & {(p[2], p[1]), (p[1], p[0])}) / 3 for p in permutations("abc")) / 6
    assert result.chance.mean["f1"] == pytest.approx(f1, abs=0.01 if LONG else 0.03)


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


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize(
    ("first", "second"), some_of(PAIRS, every=4), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_fixtures_agree_with_the_oracle(first: Path, second: Path) -> None:
    given = documents(first, second)
    for options in ({}, {"mean": "layers", "layers": "all"}):
        assert_agree(given, f"{first} {options}", chance=5, seed=11, **options)


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


def test_what_does_not_apply_is_undefined_with_its_reason() -> None:
    lone = document(TEXTS, [])
    chance = compared(lone, lone, chance=4).chance
    assert chance.above["kappa"] is None
    assert chance.layers["all"].undefined["kappa"] == "no calculation applies"


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


def test_without_the_option_nothing_is_said() -> None:
    result = compared(CHAIN, STAR)
    assert result.chance is None
    assert "chance" not in result.to_dict()
    assert "|chance:off|" in result.signature
    assert "|chance:7.3|" in compared(CHAIN, STAR, chance=7, seed=3).signature
    assert "|chance:off|" in compared(CHAIN, STAR, seed=3).signature


def test_every_score_has_its_row_and_column() -> None:
    result = compared(CHAIN, STAR, chance=4)
    (table,) = [table for table in result.tables() if table.title == "Against chance"]
    assert [row[0] for row in table.rows] == list(SCORES)
    rows = [line.split(",")[0] for line in result.to_csv().splitlines()]
    assert {"M by chance (all)", "M above chance (propositional)", "CASS above chance (dialogical)"} <= set(rows)
    assert "chance κ" in str(result)
    assert "Against chance" not in compared(CHAIN, STAR).to_html()
