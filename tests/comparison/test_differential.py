"""The library against the oracle (tests/reference), which was written from the specification alone: equal at 1e-9."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.comparison.calculations.registry import CALCULATIONS
from comparison.maps import assert_agree, letter_counts, pair, reconstructed_pair
from reference.perturb import perturb

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

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
]


@pytest.mark.parametrize("block", range(8))
def test_random_pairs(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        assert_agree(pair(seed), f"seed {seed}", **OPTIONS[seed % len(OPTIONS)])


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_reconstructed_pairs(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        for options in OPTIONS[-4:]:
            assert_agree(reconstructed_pair(seed), f"seed {seed} {options}", **options)


def documents(first: Path, second: Path) -> dict[str, Any]:
    """A pair of files with the texts beside them, as the oracle takes them."""
    given: dict[str, Any] = {}
    for side, path in (("first", first), ("second", second)):
        given[side] = json.loads(path.read_text("utf-8"))
        text = path.with_suffix(".txt")
        given[f"{side}_text"] = text.read_text("utf-8") if text.is_file() else None
    return given


PAIRS = [
    *((path, path.with_name("second.json")) for path in sorted(FIXTURES.glob("cass/*/first.json"))),
    (FIXTURES / "debate" / "first.json", FIXTURES / "debate" / "second.json"),
    *(
        (path, FIXTURES / "debates" / "ben" / path.name)
        for path in sorted((FIXTURES / "debates" / "ann").glob("*.json"))
        if (FIXTURES / "debates" / "ben" / path.name).is_file()
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_fixtures(first: Path, second: Path) -> None:
    given = documents(first, second)
    for options in OPTIONS:
        assert_agree(given, f"{first} {options}", **options)


@pytest.mark.slow
@pytest.mark.data
def test_real_maps(shared_data: Path) -> None:
    """Real maps against a plausible second annotator."""
    rng = random.Random(2016)
    paths = [
        path
        for folder in ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria")
        for path in rng.sample(sorted((shared_data / folder).rglob("*.json")), 8)
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
    assert done > 30
