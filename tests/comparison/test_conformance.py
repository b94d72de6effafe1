"""The pairs of fixtures/conformance: what they say is what both implementations compute."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparison.maps import Implementation, cells, over_both

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "conformance"
FILES = sorted(FOLDER.glob("*.json"))


def close(value: float | None) -> Any:
    return None if value is None else pytest.approx(value, abs=1e-9)


def assert_table(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert (found["items"], cells(found)) == (expected["items"], cells(expected))
    assert [found[score] for score in ("kappa", "f1")] == [close(expected[score]) for score in ("kappa", "f1")]


@over_both
@pytest.mark.parametrize("reference", ["none", "first"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pair(path: Path, reference: str, compare: Implementation) -> None:
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


def test_there_are_twenty() -> None:
    assert len(FILES) == 20
