"""What every registered calculation promises. A new one is picked up here without another line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph.comparison.calculations import CALCULATIONS, DEFAULT, LAYERS

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.mark.parametrize("name", CALCULATIONS)
def test_calculations(name: str) -> None:
    """On every fixture: the matrix adds up, the universe is at least what is labelled, JSON says the same."""
    applied = 0
    for path in sorted(FIXTURES.glob("cass/*/first.json")):
        result = aifgraph.compare(
            aifgraph.load(path), aifgraph.load(path.with_name("second.json")), calculations=(name,), layers="all"
        )
        assert list(result.calculations) == [name]
        each = result.calculations[name]
        data = result.to_dict()["calculations"][name]
        json.dumps(data, allow_nan=False)
        assert data["items"] == each.items
        assert each.matrix.total >= each.items
        labelled = set().union(*result.counts[name].labels)
        assert len(labelled) <= each.items
        assert each.applicable == bool(labelled)
        if each.applicable:
            applied += 1
            assert each.reason == ""
            first, second = (bool(side.units) for side in result.result.sides)
            assert result.mean["accuracy"] == (each.scores["accuracy"] if first == second else 0)
        else:
            assert each.reason
            assert set(each.scores.values()) == {None}
    assert applied


def test_every_calculation_has_a_layer_and_a_short_name() -> None:
    assert {calculation.layer for calculation in CALCULATIONS.values()} == set(LAYERS)
    assert len({definition.code for definition in CALCULATIONS.values()}) == len(CALCULATIONS)
    assert set(CALCULATIONS) - set(DEFAULT) == {"argument_structure", "explicit_relations"}
