"""The library against the reference in what the revised definition added: equal at 1e-9, in all combinations."""

from __future__ import annotations

import csv
import dataclasses
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from aifgraph import Options
from comparison.implementations import LIBRARY, REFERENCE
from comparison.maps import assert_agree, assert_close, pair
from sampled import some_of

from .encode import encoder
from .perturb import reworded
from .score import SCORES
from .unsaid import by_letters, unsaid

OFFERED = {field.name for field in dataclasses.fields(Options)}
BASIC: list[dict[str, Any]] = [
    {},
    {"mean": "layers"},
    {"granularity": "strict"},
    {"gate": False},
    {"layers": "all", "mean": "layers"},
    {"relations": ("RA", "MA")},
]
MATCHING: list[dict[str, Any]] = [
    {},
    {"meaning": by_letters, "min_meaning": 0.8},
    {"meaning": by_letters, "min_meaning": 0.9},
]
CASES = [{**basic, **more} for basic, more in product(BASIC, MATCHING) if set(more) <= OFFERED]


def assert_all_agree(given: dict[str, Any], where: str, **options: Any) -> None:
    """What the other tests compare, and then chance and what lies behind a score."""
    assert_agree(given, where, **options)
    if "chance" in OFFERED:
        assert_chance_agrees(given, where, **options)
    found, wanted = LIBRARY(**given, **options), REFERENCE(**given, **options)
    if "breakdown" in found:
        assert_breakdown_agrees(found["breakdown"], wanted["breakdown"], where)


def assert_chance_agrees(given: dict[str, Any], where: str, **options: Any) -> None:
    rounds = {"chance": 1 + len(where) % 5, "seed": len(where)}
    found, wanted = (compare(**given, **options, **rounds) for compare in (LIBRARY, REFERENCE))
    for part in ("mean", "above", "cass"):
        for score in SCORES:
            at = f"{where} chance {part} {score}"
            assert_close(found["chance"][part][score], wanted["chance"][part][score], at)
            for layer, of in wanted["layers"].items():
                ours = found["layers"][layer]["chance"][part][score]
                assert_close(ours, of["chance"][part][score], f"{at} {layer}")


def assert_breakdown_agrees(found: dict[str, Any], wanted: dict[str, Any], where: str) -> None:
    assert set(found["calculations"]) == set(wanted["calculations"]), where
    for name, behind in wanted["calculations"].items():
        ours = found["calculations"][name]
        assert (ours["items"], ours["decisions"]) == (behind["items"], behind["decisions"]), (where, name)
        assert set(ours["labels"]) == set(behind["labels"]), (where, name)
        for part in ("attachment", "label_given_attachment"):
            for score, value in behind[part].items():
                assert_close(ours[part][score], value, f"{where} {name} {part} {score}")
        for label, scores in behind["labels"].items():
            assert ours["labels"][label]["support"] == scores["support"], (where, name, label)
            for score in ("precision", "recall", "f1", "kappa"):
                assert_close(ours["labels"][label][score], scores[score], f"{where} {name} {label} {score}")
    assert set(found["schemes"]) == set(wanted["schemes"]), where
    tables = [(f"schemes {kind}", found["schemes"][kind], table) for kind, table in wanted["schemes"].items()]
    if wanted["speakers"] is None:
        assert not found["speakers"] or found["speakers"]["decisions"] == 0, where
    else:
        tables.append(("speakers", found["speakers"], wanted["speakers"]))
    for name, ours, table in tables:
        assert ours["decisions"] == table["decisions"], (where, name)
        for score in ("kappa", "accuracy"):
            assert_close(ours[score], table[score], f"{where} {name} {score}")


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_what_was_added(block: int) -> None:
    for seed in range(block * 24, block * 24 + 24):
        given = unsaid(seed) if seed % 2 else pair(seed)
        if seed % 4 == 2:
            given |= {"first": reworded(given["first"], seed + 1, 0.4), "second": reworded(given["second"], seed, 0.6)}
        assert_all_agree(given, f"seed {seed}", **CASES[seed * 7 % len(CASES)])


def _read(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("windows-1252")


def same_text_pairs(shared_data: Path) -> list[dict[str, Any]]:
    """The pairs of two people who analysed one text differently."""
    folder = shared_data / "araucaria"
    out = []
    with (folder / "same_text_pairs.tsv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["relation"] != "identical":
                given: dict[str, Any] = {}
                for side in ("first", "second"):
                    path = folder / row[side]
                    text = path.with_suffix(".txt")
                    given[side] = json.loads(_read(path))
                    given[f"{side}_text"] = _read(text) if text.is_file() else None
                out.append(given)
    return out


PUBLISHED = [
    ({}, 0.119, 0.067, 23, (0.448, 0.507)),
    ({"meaning": True, "min_meaning": 0.6}, 0.168, 0.115, 20, (0.432, 0.491)),
]


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.data
@pytest.mark.parametrize(("options", "mean", "median", "none", "explicit"), PUBLISHED, ids=["none", "meaning"])
def test_two_people_on_one_text(
    shared_data: Path, options: dict[str, Any], mean: float, median: float, none: int, explicit: tuple[float, float]
) -> None:
    model = shared_data.parent / "models" / "all-minilm-l6-v2-int8"
    options = dict(options)
    if "meaning" in options:
        pytest.importorskip("onnxruntime")
        pytest.importorskip("tokenizers")
        if not model.is_dir():
            pytest.skip(f"needs {model}")
        options["meaning"] = encoder(model)
    pairs = same_text_pairs(shared_data)
    results = [LIBRARY(**given, **options) for given in pairs]
    kappas = [result["calculations"]["propositional_relations"]["kappa"] for result in results]
    for number, given in some_of(enumerate(pairs), every=4):
        assert_all_agree(given, f"pair {number} {sorted(options)}", **options)
    kappas.sort()
    assert round(sum(kappas) / 51, 3) == mean
    assert round(kappas[25], 3) == median
    assert sum(kappa <= 0 for kappa in kappas) == none
    wording = [result.get("wording", {}) for result in results]
    assert [sum(each.get(key, 0) for each in wording) for key in ("count", "of")] == [25, 137]
    said = [result["explicit"] for result in results if "explicit" in result]
    assert len(said) == 49
    assert tuple(round(sum(each[score] for each in said) / 49, 3) for score in ("kappa", "f1")) == explicit
