"""The randomisation test against the exact distribution of all swaps, and the tests of two systems made of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats import randomisation as module
from aifgraph.stats.bootstrap import bootstrap_many
from aifgraph.stats.paired import PairedTest, paired_table, paired_tests
from aifgraph.stats.randomisation import RandomisationTest, holm, randomisation_tests

paired = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9)


def mean(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def rows_of(values: Sequence[float | None]) -> list[tuple[float, float]]:
    return [(0.0, 0.0) if value is None else (value, 1.0) for value in values]


def randomisation_test(
    first: Sequence[float | None], second: Sequence[float | None], *, rounds: int = 10_000, seed: int = 0
) -> RandomisationTest:
    systems = {"first": rows_of(first), "second": rows_of(second)}
    return randomisation_tests(systems, mean, rounds=rounds, seed=seed)["first", "second"]


def exact_p(first: list[float], second: list[float]) -> float:
    apart = [a - b for a, b in zip(first, second, strict=True)]
    signs = list(product((1, -1), repeat=len(apart)))
    bar = abs(sum(apart)) - 1e-9
    extreme = sum(abs(sum(s * d for s, d in zip(row, apart, strict=True))) >= bar for row in signs)
    return extreme / len(signs)


@given(paired, st.integers(0, 1000))
def test_p_comes_close_to_that_of_all_swaps(rows: list[tuple[int, int]], seed: int) -> None:
    # Items in which both are equal change no p, and make too many patterns to count.
    rows = [*rows, *[(0, 0)] * 15]
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    test = randomisation_test(first, second, rounds=20_000, seed=seed)
    assert test.p == pytest.approx(exact_p(first[:-15], second[:-15]), abs=0.025)
    assert test.p == (test.at_least + 1) / 20_001
    assert not test.exact


@given(paired)
def test_few_items_are_tested_exactly(rows: list[tuple[int, int]]) -> None:
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    test = randomisation_test(first, second, rounds=2 ** len(rows))
    assert (test.exact, test.rounds, test.items) == (True, 2 ** len(rows), len(rows))
    assert test.p == exact_p(first, second) == test.at_least / test.rounds
    assert test.smallest_p == 2 / 2 ** len(rows) <= test.p
    # Whatever the seed, and however many rounds more.
    assert randomisation_test(first, second, rounds=1_000_000, seed=7) == test


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=2, max_size=9))
def test_only_items_in_which_both_are_defined_count(rows: list[tuple[int, int, bool]]) -> None:
    first, second = [a / 10 for a, _, _ in rows], [b / 10 for _, b, _ in rows]
    both = [known for _, _, known in rows]
    systems = {"first": rows_of(first), "second": rows_of(second)}
    defined = {"first": np.array(both), "second": np.ones(len(rows), dtype=bool)}
    found = randomisation_tests(systems, mean, defined=defined)["first", "second"]
    if not any(both):
        assert (found.difference, found.p, found.items, found.smallest_p) == (None, None, 0, None)
        assert found.reason == "there is no item in which both are defined"
        return
    kept = [[value for value, known in zip(values, both, strict=True) if known] for values in (first, second)]
    assert found == randomisation_test(*kept)


def test_accuracies_against_the_sign_test() -> None:
    # 12 items differ, 10 of them for the first: of 2¹² ways, those with at most 2 or at least 10.
    first, second = [1] * 10 + [0] * 2 + [1] * 30, [0] * 10 + [1] * 2 + [1] * 30
    expected = 2 * sum(comb(12, k) for k in range(3)) / 2**12
    test = randomisation_test(first, second, rounds=50_000, seed=8)
    assert test.difference == pytest.approx(8 / 42)
    assert test.p == pytest.approx(expected, abs=0.004)


def test_equal_systems_cannot_be_told_apart() -> None:
    assert randomisation_test([0.1, 0.2, 0.7], [0.1, 0.2, 0.7], rounds=5) == RandomisationTest(0.0, 1.0, 5, 5, 3)
    # Equal sums in another order: every swap is at least as large, rounding notwithstanding.
    assert randomisation_test([0.1, 0.2, 0.3], [0.3, 0.1, 0.2], rounds=5).p == 1.0


def test_ties_count_as_at_least_as_large() -> None:
    # One item: both ways give the same size of difference.
    assert randomisation_test([1.0], [0.0], rounds=99).p == 1.0


@given(paired)
def test_the_order_of_the_systems_changes_the_sign_only(rows: list[tuple[int, int]]) -> None:
    first, second = [a / 7 for a, _ in rows], [b / 7 for _, b in rows]
    forth, back = randomisation_test(first, second, rounds=200), randomisation_test(second, first, rounds=200)
    assert (forth.p, forth.at_least) == (back.p, back.at_least)
    assert forth.difference is not None
    assert back.difference is not None
    assert forth.difference == pytest.approx(-back.difference)


def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    first, second = ((random.random(50) < share).astype(int).tolist() for share in (0.5, 0.7))
    test = randomisation_test(first, second, rounds=500, seed=3)
    monkeypatch.setattr(module, "BLOCK", 500)
    assert randomisation_test(first, second, rounds=500, seed=3) == test


def test_seed_decides() -> None:
    first, second = [1, 0, 1, 1, 0, 1, 1, 1], [0, 1, 0, 1, 0, 0, 1, 0]
    test = {randomisation_test(first, second, rounds=200, seed=seed).at_least for seed in range(8)}
    assert len(test) > 1


def test_undefined_statistics() -> None:
    nothing = randomisation_test([None, None], [1.0, 2.0], rounds=10)
    assert (nothing.difference, nothing.p) == (None, None)
    assert nothing.reason
    # Swapping both leaves one side without any value: such rounds count as at least as large.
    thin = randomisation_test([1.0, None], [None, 0.0], rounds=3)
    assert thin.p == 1.0


def test_options_and_values_that_are_refused() -> None:
    first, second = [1.0, 0.0], [0.0, 1.0]
    for rounds in (0, 1_000_001):
        with pytest.raises(OptionError, match="rounds"):
            randomisation_test(first, second, rounds=rounds)
    with pytest.raises(OptionError, match="seed"):
        randomisation_test(first, second, seed=-1)
    with pytest.raises(OptionError, match="shapes"):
        randomisation_test(first, [1.0])
    with pytest.raises(OptionError, match="shapes"):
        randomisation_test([], [])
    with pytest.raises(OptionError, match="finite"):
        randomisation_test(first, [float("nan"), 1.0])


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, then no less than 0.06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, None, 0.9]) == [1.0, None, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_never_lowers(values: list[float]) -> None:
    adjusted = holm(values)
    for p, q in zip(values, adjusted, strict=True):
        assert p <= q <= 1
    assert [q for _, q in sorted(zip(values, adjusted, strict=True))] == sorted(adjusted)


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
    assert "exact, of all 64 ways of exchanging them; it cannot be smaller than 0.03125" in table.note
    assert "an interval over 6 texts is too narrow" in table.note
    assert "the hypothesis that the two systems are equally good: on each text" in table.note
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
