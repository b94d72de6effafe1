"""The randomisation test against the exact distribution of all swaps."""

import time
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats import randomisation as module
from aifgraph.stats.bootstrap import mean_rows, mean_statistic
from aifgraph.stats.randomisation import (
    RandomisationTest,
    accuracy_test,
    holm,
    randomisation_test,
    randomisation_test_of,
    randomisation_tests,
)

paired = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9)


def exact_p(first: list[float], second: list[float]) -> float:
    apart = [a - b for a, b in zip(first, second, strict=True)]
    signs = list(product((1, -1), repeat=len(apart)))
    bar = abs(sum(apart)) - 1e-9
    extreme = sum(abs(sum(s * d for s, d in zip(row, apart, strict=True))) >= bar for row in signs)
    return extreme / len(signs)


@given(paired, st.integers(0, 1000))
def test_p_comes_close_to_that_of_all_swaps(rows: list[tuple[int, int]], seed: int) -> None:
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    found = randomisation_test(first, second, rounds=20_000, seed=seed)
    assert found.p == pytest.approx(exact_p(first, second), abs=0.025)
    assert found.p == (found.at_least + 1) / 20_001


def test_accuracies_against_the_sign_test() -> None:
    # 12 items differ, 10 of them for the first: of 2¹² ways, those with at most 2 or at least 10.
    first, second = [1] * 10 + [0] * 2 + [1] * 30, [0] * 10 + [1] * 2 + [1] * 30
    expected = 2 * sum(comb(12, k) for k in range(3)) / 2**12
    found = accuracy_test(first, second, rounds=50_000, seed=8)
    assert found.difference == pytest.approx(8 / 42)
    assert found.p == pytest.approx(expected, abs=0.004)


def test_equal_systems_cannot_be_told_apart() -> None:
    assert randomisation_test([0.1, 0.2, 0.7], [0.1, 0.2, 0.7], rounds=50) == RandomisationTest(0.0, 1.0, 50, 50)
    # Equal sums in another order: every swap is at least as large, rounding notwithstanding.
    assert randomisation_test([0.1, 0.2, 0.3], [0.3, 0.1, 0.2], rounds=50).p == 1.0


def test_ties_count_as_at_least_as_large() -> None:
    # One item: both ways give the same size of difference.
    assert randomisation_test([1.0], [0.0], rounds=99).p == 1.0


@given(paired)
def test_the_order_of_the_systems_changes_the_sign_only(rows: list[tuple[int, int]]) -> None:
    first, second = [a / 7 for a, _ in rows], [b / 7 for _, b in rows]
    there, back = randomisation_test(first, second, rounds=200), randomisation_test(second, first, rounds=200)
    assert (there.p, there.at_least) == (back.p, back.at_least)
    assert there.difference is not None
    assert back.difference is not None
    assert there.difference == pytest.approx(-back.difference)


def test_a_pair_does_not_depend_on_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    systems = {f"s{place}": (random.random(50) < 0.5 + place / 20).astype(int).tolist() for place in range(6)}
    together = randomisation_tests(systems, rounds=500, seed=3)
    assert len(together) == 15
    for (one, other), found in together.items():
        assert found == randomisation_test(systems[one], systems[other], rounds=500, seed=3)
        assert found == accuracy_test(systems[one], systems[other], rounds=500, seed=3)
    monkeypatch.setattr(module, "_BLOCK", 500)
    assert randomisation_tests(systems, rounds=500, seed=3) == together


def test_seed_decides() -> None:
    first, second = [1, 0, 1, 1, 0, 1, 1, 1], [0, 1, 0, 1, 0, 0, 1, 0]
    found = {randomisation_test(first, second, rounds=300, seed=seed).at_least for seed in range(8)}
    assert len(found) > 1


@given(paired)
def test_a_statistic_of_sums_may_be_the_mean(rows: list[tuple[int, int]]) -> None:
    first, second = [float(a) for a, _ in rows], [float(b) for _, b in rows]
    plain = randomisation_test(first, second, rounds=300, seed=6)
    summed = randomisation_test_of(mean_rows(first), mean_rows(second), mean_statistic, rounds=300, seed=6)
    assert summed.p == plain.p
    assert summed.difference == pytest.approx(plain.difference)


def test_undefined_statistics() -> None:
    nothing = randomisation_test_of(mean_rows([None, None]), mean_rows([1.0, 2.0]), mean_statistic, rounds=10)
    assert (nothing.difference, nothing.p) == (None, None)
    assert nothing.reason
    # Swapping both leaves one side without any value: such rounds count as at least as large.
    thin = randomisation_test_of(mean_rows([1.0, None]), mean_rows([None, 0.0]), mean_statistic, rounds=200)
    assert thin.p == 1.0


def test_options_and_values_that_are_refused() -> None:
    first, second = [1.0, 0.0], [0.0, 1.0]
    for rounds in (0, 1_000_001):
        with pytest.raises(OptionError, match="rounds"):
            randomisation_test(first, second, rounds=rounds)
        with pytest.raises(OptionError, match="rounds"):
            randomisation_test_of([[1.0]], [[1.0]], mean_statistic, rounds=rounds)
    with pytest.raises(OptionError, match="seed"):
        randomisation_test(first, second, seed=-1)
    with pytest.raises(OptionError, match="second"):
        randomisation_test(first, [1.0])
    with pytest.raises(OptionError, match="at least one"):
        randomisation_test([], [])
    with pytest.raises(OptionError, match="finite"):
        randomisation_test(first, [float("nan"), 1.0])
    with pytest.raises(OptionError, match="item 1"):
        accuracy_test([1, 2], [0, 1])
    with pytest.raises(OptionError, match="shapes"):
        randomisation_test_of([[1.0]], [[1.0], [2.0]], mean_statistic)
    with pytest.raises(OptionError, match="finite"):
        randomisation_test_of([[1.0]], [[float("inf")]], mean_statistic)
    assert randomisation_tests({"alone": [1.0]}) == {}


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, then no less than 0.06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, None, 0.9]) == [1.0, None, 1.0]
    assert holm([]) == []
    with pytest.raises(OptionError, match="number 1"):
        holm([0.5, 1.5])


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_never_lowers(values: list[float]) -> None:
    adjusted = holm(values)
    for p, q in zip(values, adjusted, strict=True):
        assert q is not None
        assert p <= q <= 1
    assert [q for _, q in sorted(zip(values, adjusted, strict=True))] == sorted(adjusted)  # type: ignore[type-var]


@pytest.mark.slow
def test_all_pairs_of_23_systems_in_ten_seconds() -> None:
    random = np.random.default_rng(1)
    systems = {f"s{place}": random.integers(0, 2, 444).tolist() for place in range(23)}
    start = time.process_time()
    assert len(randomisation_tests(systems)) == 253
    assert time.process_time() - start < 10
