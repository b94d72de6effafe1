"""Tests of two systems: differences, their intervals, p and Holm, as every command prints them."""

from __future__ import annotations

import numpy as np
import pytest

from aifgraph.stats.bootstrap import bootstrap_many
from aifgraph.stats.paired import PairedTest, paired_table, paired_tests
from aifgraph.stats.randomisation import holm


def accuracy(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def systems(items: int, *shares: float) -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {
        f"s{share}": np.stack([random.random(items) < share, np.ones(items)], axis=1).astype(float) for share in shares
    }


def test_every_two_with_an_interval_of_the_difference_and_holm() -> None:
    given = systems(60, 0.4, 0.6, 0.9)
    tests = paired_tests(given, accuracy, rounds=500, seed=3)
    assert [(test.first, test.second) for test in tests] == [("s0.4", "s0.6"), ("s0.4", "s0.9"), ("s0.6", "s0.9")]
    assert [test.adjusted for test in tests] == holm([test.p for test in tests])
    for test in tests:
        first, second = given[test.first], given[test.second]
        assert test.difference == pytest.approx(first[:, 0].mean() - second[:, 0].mean())
        assert test.higher == test.second
        # The interval is that of the mean of the differences, item by item.
        apart = np.stack([first[:, 0] - second[:, 0], np.ones(60)], axis=1)
        alone = bootstrap_many(apart, lambda sums: {"": accuracy(sums)}, seed=3)[""]
        assert (test.interval.low, test.interval.high) == pytest.approx((alone.low, alone.high))


def test_few_items_say_how_small_p_can_be_and_how_far_an_interval_goes() -> None:
    table = paired_table(paired_tests(systems(6, 0.2, 0.9), accuracy), item="text", seed=0)
    assert "exact, all 64 patterns of exchange; the smallest that they can give is 0.03125" in table.note
    assert "an interval over 6 texts is too narrow" in table.note
    assert "null hypothesis: on every text it is chance" in table.note
    many = paired_table(paired_tests(systems(30, 0.2, 0.9), accuracy, rounds=50), item="text", seed=0)
    assert "exact" not in many.note
    assert "too narrow" not in many.note
    assert "30 texts" not in many.note


def test_json_has_direction_interval_and_both_p() -> None:
    (test,) = paired_tests(systems(4, 0.1, 1.0), accuracy)
    data = test.to_dict("text")
    assert {"difference", "higher", "low", "high", "p", "p_holm", "exact", "smallest_p", "texts"} <= set(data)
    assert (data["higher"], data["texts"], data["smallest_p"]) == ("s1.0", 4, 0.125)


def test_a_single_item_has_no_interval_and_says_why() -> None:
    (test,) = paired_tests({"a": [[1.0, 1]], "b": [[0.0, 1]]}, accuracy)
    assert isinstance(test, PairedTest)
    assert (test.interval.low, test.p, test.test.smallest_p) == (None, 1.0, 1.0)
    assert "there are fewer than two to draw from" in paired_table([test], item="text", seed=0).note
