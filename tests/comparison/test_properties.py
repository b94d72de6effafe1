"""What must hold for any two maps, and the numbers of the oracle, written from the specification alone, at 1e-9."""

import json
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.stats.scores import SCORES
from comparison.maps import (
    Implementation,
    assert_agree,
    assert_close,
    cells,
    document,
    documents,
    has_words,
    letter_counts,
    over_both,
    pair,
    perturb,
    reconstructed_pair,
    rename,
    source,
    told_apart,
)
from documents import FIXTURES
from strategies import LONG

SEEDS = st.integers(0, 2**32)
PAIRS = st.one_of(SEEDS.map(pair), SEEDS.map(reconstructed_pair))
SYMMETRIC = [name for name, score in SCORES.items() if score.symmetric]
#: Each option with values other than the default.
CHOICES: dict[str, list[Any]] = {
    "matching": ["optimal"],
    "granularity": ["strict"],
    "gate": [False],
    "min_overlap": [0.0, 0.6, 1.0],
    "min_similarity": [0.0, 0.3, 0.9],
    "meaning": [letter_counts],
    "min_meaning": [0.9],
    "layers": ["all"],
    "mean": ["layers"],
    "relations": [("RA",), ("CA", "MA"), ("RA", "CA")],
    "calculations": [tuple(CALCULATIONS), ("propositional_relations",), ("illocutions", "transitions")],
    "segmentation": ["segeval"],
    "chance": [1, 4],
}
ALL = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in CHOICES.items() if name != "segmentation"}
)


def assert_perfect(data: dict[str, Any], has_words: bool) -> None:
    for name, calculation in data["calculations"].items():
        if calculation["applicable"]:
            cells_off = [n for i, row in enumerate(calculation["matrix"]) for j, n in enumerate(row) if i != j and n]
            assert not cells_off, name
            assert all(calculation[score] in (1.0, None) for score in SCORES if score != "informedness"), name
            assert calculation["kappa"] == 1
    assert data["segmentation"]["S"] == 1 or (not has_words and data["segmentation"]["S"] is None)
    if not has_words or not any(calculation["applicable"] for calculation in data["calculations"].values()):
        assert data["cass"]["kappa"] is None
    else:
        assert data["cass"]["kappa"] == 1
        assert data["cass"]["f1"] == 1
    above = data.get("chance", {}).get("above", {})
    assert all(value is None or value == pytest.approx(1) for value in above.values())


def numbers(data: dict[str, Any]) -> dict[str, Any]:
    """Everything that is a number, without ids and their order."""
    kept = {
        key: data[key]
        for key in ("text_overlap", "segmentation", "n", "mean", "cass", "layers", "wording")
        if key in data
    }
    counted = {**data["calculations"], **({"": data["explicit"]} if "explicit" in data else {})}
    kept["calculations"] = {
        name: {**each, "matrix": cells(each), "labels": sorted(each["labels"])} for name, each in counted.items()
    }
    for side in ("first", "second"):
        kept[side] = {key: value for key, value in data[side].items() if key != "source"}
    return kept


@over_both
@given(SEEDS, PAIRS, ALL)
def test_a_map_agrees_with_itself_and_with_a_shuffled_and_renamed_copy(
    compare: Implementation, seed: int, drawn: dict[str, Any], options: dict[str, Any]
) -> None:
    map_: dict[str, Any] = {"AIF": drawn["first"], "text": drawn["first_text"] or ""}
    assert_perfect(compare(map_, map_, **compare.known(options)), has_words(map_))
    assert_perfect(compare(map_, rename(map_, seed)), has_words(map_))


@over_both
@given(PAIRS, ALL, st.sampled_from(["first", "second"]))
def test_an_empty_map_is_worth_0_whatever_the_other_says(
    compare: Implementation, drawn: dict[str, Any], options: dict[str, Any], side: str
) -> None:
    """An empty map in place of one whose pair scores above 0 raises nothing, and its pair counts."""
    options = compare.known(options)
    before = compare(**drawn, **options)
    other = {"first": "second", "second": "first"}[side]
    after = compare(**{**drawn, side: {"nodes": [], "edges": []}}, **options)
    if not after[other]["units"]:
        assert after["cass"]["kappa"] is None
        return
    assert after["mean"] == dict.fromkeys(SCORES, 0) == after["cass"]
    for layer, of in after["layers"].items():
        applies = any(
            of["applicable"] for name, of in after["calculations"].items() if CALCULATIONS[name].layer == layer
        )
        assert [of[score] for score in SCORES] == [0 if applies else None] * len(SCORES)
    if "chance" in after:
        assert after["chance"]["cass"] == dict.fromkeys(SCORES, 0)
        assert set(after["chance"]["above"].values()) <= {0, None}
    for score in ("kappa", "f1"):
        if before.get("explicit") and after.get("explicit"):
            assert after["explicit"][score] <= max(0, before["explicit"][score])


@over_both
@given(PAIRS, ALL)
def test_swapping_transposes(compare: Implementation, drawn: dict[str, Any], options: dict[str, Any]) -> None:
    options = compare.known(options)
    swapped = {"first": drawn["second"], "second": drawn["first"]}
    swapped |= {"first_text": drawn["second_text"], "second_text": drawn["first_text"]}
    one, other = compare(**drawn, **options), compare(**swapped, **options)
    for name, calculation in one["calculations"].items():
        mirrored = other["calculations"][name]
        assert calculation["applicable"] == mirrored["applicable"]
        assert calculation["labels"] == mirrored["labels"]
        assert calculation["matrix"] == [list(column) for column in zip(*mirrored["matrix"], strict=True)]
        for score in SYMMETRIC:
            assert_close(calculation[score], mirrored[score], f"{name} {score}")
    assert ("explicit" in one) == ("explicit" in other)
    if "explicit" in one:
        assert list(one["explicit"]["coverage"].values()) == list(other["explicit"]["coverage"].values())[::-1]
        for score in SYMMETRIC:
            assert_close(one["explicit"][score], other["explicit"][score], f"explicit {score}")
    for measure in ("S", "B"):
        assert_close(one["segmentation"][measure], other["segmentation"][measure], measure)
    for here, there in ((one, other), (one.get("chance", {}), other.get("chance", {}))):
        for part, score in product({"mean", "above", "cass"} & {*here}, SYMMETRIC):
            assert_close(here[part][score], there[part][score], f"{part} {score}")
    for layer in one["layers"]:
        assert_close(one["layers"][layer]["kappa"], other["layers"][layer]["kappa"], layer)


@over_both
@given(SEEDS, PAIRS, ALL)
def test_order_and_ids_do_not_matter(
    compare: Implementation, seed: int, drawn: dict[str, Any], options: dict[str, Any]
) -> None:
    drawn, options = told_apart(drawn), compare.known(options)
    documents = [{"AIF": drawn[side], "text": drawn[f"{side}_text"] or ""} for side in ("first", "second")]
    copies = [rename(document, seed + turn) for turn, document in enumerate(documents)]
    assert numbers(compare(*documents, **options)) == numbers(compare(*copies, **options))


FOLDERS = ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria")
OPTIONS: list[dict[str, Any]] = [
    {},
    {"granularity": "strict"},
    {"gate": False},
    {"min_overlap": 0.8, "min_similarity": 0.3},
    {"min_overlap": 0.1, "min_similarity": 0.9},
    {"layers": "all"},
    {"layers": "all", "calculations": tuple(CALCULATIONS), "gate": False, "granularity": "strict"},
    {"calculations": tuple(CALCULATIONS)},
    {"relations": ("RA", "MA")},
    {"meaning": letter_counts, "min_meaning": 0.8},
    {"meaning": letter_counts, "min_meaning": 0.9, "mean": "layers"},
    {"granularity": "strict", "gate": False, "min_overlap": 0.2, "layers": "all"},
    {"calculations": ("propositional_relations", "explicit_relations"), "mean": "layers"},
    {"calculations": ("explicit_relations",), "gate": False, "layers": "all"},
    {"relations": ("MA", "PA"), "granularity": "strict"},
    {"reference": "first"},
    {"reference": "first", "layers": "all", "calculations": tuple(CALCULATIONS), "granularity": "strict"},
]


@pytest.mark.parametrize("seeds", [range(16), pytest.param(range(16, 320 if LONG else 120), marks=pytest.mark.slow)])
@pytest.mark.parametrize("draw", [pair, reconstructed_pair])
def test_random_pairs(draw: Callable[[int], dict[str, Any]], seeds: range) -> None:
    for seed in seeds:
        chance = {"chance": 1 + seed % 6, "seed": seed} if seed % 5 == 0 else {}
        assert_agree(draw(seed), f"seed {seed}", **OPTIONS[seed % len(OPTIONS)], **chance)


def test_few_words_said_often_without_a_text() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        clauses = source(rng)[:2]
        sides = {side: document(clauses * rng.randint(1, 3), rng, side[0]) for side in ("first", "second")}
        given = {**sides, "first_text": None, "second_text": rng.choice((None, clauses[0]))}
        assert_agree(given, f"seed {seed}", **OPTIONS[seed % len(OPTIONS)])


FILES = [(path, path.with_name("second.json")) for path in sorted(FIXTURES.rglob("first.json"))]
FILES += [(path, path.parents[1] / "ben" / path.name) for path in FIXTURES.glob("debates/ann/nodeset[1-3].json")]


@pytest.mark.slow
def test_fixtures() -> None:
    """Each pair with some of the options, and at night with all."""
    for number, (first, second) in enumerate(FILES):
        for options in OPTIONS if LONG else OPTIONS[number % 4 :: 4]:
            assert_agree(documents(first, second), f"{first} {options}", **options)


@pytest.mark.slow
@pytest.mark.data
def test_real_maps(shared_data: Path) -> None:
    """Real maps against a plausible second annotator."""
    rng = random.Random(2016)
    paths = [
        path
        for folder in FOLDERS
        for path in rng.sample(sorted((shared_data / folder).rglob("*.json")), 8 if LONG else 4)
        if path.stat().st_size < 40_000
    ]
    done = 0
    for seed, path in enumerate(paths):
        try:
            document = json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError:
            continue
        source = aifgraph.load(path).meta.source
        given: dict[str, Any] = {"first": document, "second": perturb(document, seed, 0.2)}
        if source is not None and "AIF" not in document:
            given |= {"first_text": source.text, "second_text": source.text}
        if isinstance(document.get("AIF", document), dict):
            assert_agree(given, str(path), **OPTIONS[seed % len(OPTIONS)])
            done += 1
    assert done > (30 if LONG else 15)
