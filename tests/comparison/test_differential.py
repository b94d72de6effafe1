"""The library against the oracle, written from the specification alone, at 1e-9; real maps against themselves."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.comparison.calculations import CALCULATIONS
from comparison.maps import assert_agree, document, documents, letter_counts, pair, reconstructed_pair, source
from comparison.second_annotator import perturb
from strategies import LONG

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

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


PAIRS = [(path, path.with_name("second.json")) for path in sorted(FIXTURES.rglob("first.json"))]
PAIRS += [(path, path.parents[1] / "ben" / path.name) for path in FIXTURES.glob("debates/ann/nodeset[1-3].json")]


@pytest.mark.slow
def test_fixtures() -> None:
    """Each pair with some of the options, and at night with all."""
    for number, (first, second) in enumerate(PAIRS):
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
