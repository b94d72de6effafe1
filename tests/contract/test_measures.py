"""What every registered score and calculation promises. A new one is picked up here without another line."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

import aifgraph
from aifgraph.comparison.calculations.registry import CALCULATIONS, DEFAULT, LAYERS
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, Score, undefined_reason

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def matrices() -> list[ConfusionMatrix]:
    rng = random.Random(1)
    found = [
        ConfusionMatrix(("RA", "none"), (cells[:2], cells[2:]))  # type: ignore[arg-type]
        for cells in itertools.product((0, 1, 3), repeat=4)
    ]
    labels = ("CA", "MA", "RA", "none")
    rows = [tuple(tuple(rng.choice((0, 0, 1, 5)) for _ in labels) for _ in labels) for _ in range(80)]
    return [*found, *(ConfusionMatrix(labels, each) for each in rows)]


MATRICES = matrices()


@pytest.mark.parametrize("score", SCORES.values(), ids=str)
def test_scores(score: Score) -> None:
    low, high = score.range
    defined = 0
    for matrix in MATRICES:
        value = score(matrix)
        if value is None:
            assert undefined_reason(score.name, matrix)
            continue
        defined += 1
        assert isinstance(value, float)
        assert low - 1e-12 <= value <= high + 1e-12
        assert undefined_reason(score.name, matrix) is None
        turned = ConfusionMatrix(matrix.labels, tuple(zip(*matrix.rows, strict=True)))
        if score.symmetric:
            assert score(turned) == pytest.approx(value, abs=1e-12)
        size = len(matrix.labels) - 1
        if all(n == 0 or i == j for i, row in enumerate(matrix.rows) for j, n in enumerate(row)) and size:
            assert value == high or score.name == "informedness"
    assert defined > 40
    assert score.formula
    assert score.source
    assert SCORES[score.name] is score


@pytest.mark.parametrize("score", [score for score in SCORES.values() if not score.symmetric], ids=str)
def test_what_is_called_asymmetric_is(score: Score) -> None:
    def differs(matrix: ConfusionMatrix) -> bool:
        turned = ConfusionMatrix(matrix.labels, tuple(zip(*matrix.rows, strict=True)))
        return score(matrix) != score(turned)

    assert any(map(differs, MATRICES))


def test_kappa_in_exact_numbers() -> None:
    # 20 + 15 of 50 on the diagonal; rows 25, 25; columns 30, 20.
    matrix = ConfusionMatrix(("RA", "none"), ((20, 5), (10, 15)))
    po, pe = Fraction(35, 50), Fraction(25 * 30 + 25 * 20, 2500)
    assert SCORES["kappa"](matrix) == pytest.approx(float((po - pe) / (1 - pe)))


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
        assert data["items"] == each.calculation.items_total
        assert each.matrix.total >= each.calculation.items_total
        labelled = set().union(*each.calculation.sides)
        assert len(labelled) <= each.calculation.items_total
        assert each.applicable == bool(labelled)
        if each.applicable:
            applied += 1
            assert each.reason == ""
            first, second = (bool(side.units) for side in result.sides)
            assert result.mean["accuracy"] == (each["accuracy"] if first == second else 0)
        else:
            assert each.reason
            assert set(each.scores.values()) == {None}
    assert applied


def test_every_calculation_has_a_layer_and_a_short_name() -> None:
    assert {name for names in LAYERS.values() for name in names} == set(CALCULATIONS)
    assert len({definition.code for definition in CALCULATIONS.values()}) == len(CALCULATIONS)
    assert set(CALCULATIONS) - set(DEFAULT) == {"argument_structure", "explicit_relations"}
