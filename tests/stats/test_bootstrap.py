"""Intervals against scipy.stats.bootstrap, which draws the same resamples from the same generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats import bootstrap as module
from aifgraph.stats.bootstrap import Interval, Statistic, bootstrap_many


def interval_of(rows: Any, statistic: Statistic, **options: Any) -> Interval:
    return bootstrap_many(rows, lambda sums: {"": statistic(sums)}, **options)[""]


def mean(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def interval_of_mean(values: Sequence[float | None], **options: Any) -> Interval:
    return interval_of([(0.0, 0.0) if value is None else (value, 1.0) for value in values], mean, **options)


@given(
    st.lists(st.integers(-20, 40), min_size=3, max_size=40).filter(lambda values: len(set(values)) > 1),
    st.integers(0, 2**32 - 1),
)
def test_the_mean_against_scipy(values: list[int], seed: int) -> None:
    from scipy import stats

    interval = interval_of_mean(values, rounds=400, seed=seed, level=0.9)
    expected = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=400,
        confidence_level=0.9,
        method="percentile",
        rng=np.random.default_rng(seed),
        vectorized=True,
    ).confidence_interval
    assert interval.value == pytest.approx(np.mean(values), abs=1e-12)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_skewed_statistic_against_scipy() -> None:
    from scipy import stats

    random = np.random.default_rng(1)
    rows = np.column_stack([random.exponential(2.0, 50), random.exponential(1.0, 50)])

    def ratio(sums: np.ndarray) -> np.ndarray:
        return sums[:, 0] / sums[:, 1]

    interval = interval_of(rows, ratio, rounds=2000, seed=3)
    expected = stats.bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        n_resamples=2000,
        method="percentile",
        rng=np.random.default_rng(3),
    ).confidence_interval
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_seed_decides_and_blocks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [0.125 * value for value in range(20)]  # sums are exact in any order
    once = interval_of_mean(values, rounds=100, seed=4)
    assert once == interval_of_mean(values, rounds=100, seed=4)
    assert once != interval_of_mean(values, rounds=100, seed=5)
    monkeypatch.setattr(module, "BLOCK", 33)
    assert once == interval_of_mean(values, rounds=100, seed=4)


def test_items_without_a_value_are_drawn_but_not_averaged() -> None:
    interval = interval_of_mean([1.0, None, None, 3.0], rounds=300, seed=1)
    assert interval.value == 2.0
    # 1 of 16 resamples holds no value at all.
    assert 0 < interval.undefined < 60
    assert (interval.low, interval.high) == (1.0, 3.0)
    nothing = interval_of_mean([None, None], rounds=10)
    assert (nothing.value, nothing.low, nothing.reason) == (None, None, "the statistic is undefined")


def test_only_items_in_which_a_number_is_defined_are_drawn() -> None:
    rows = [[1.0, 1, 5], [0, 0, 5], [3.0, 1, 6], [0, 0, 7]]
    known = np.array([True, False, True, False])

    def numbers(sums: np.ndarray) -> dict[str, np.ndarray]:
        return {"some": sums[:, 0] / sums[:, 1], "all": sums[:, 2]}

    found = bootstrap_many(rows, numbers, rounds=400, seed=1, defined={"some": known})
    assert (found["some"].items, found["some"].undefined, found["all"].items) == (2, 0, 4)
    assert found["some"] == bootstrap_many([rows[0], rows[2]], numbers, rounds=400, seed=1)["some"]
    one = bootstrap_many(rows, numbers, rounds=9, defined={"some": np.array([True, False, False, False])})["some"]
    assert (one.value, one.low, one.items, one.reason) == (1.0, None, 1, "there are fewer than two to draw from")
    none = bootstrap_many(rows, numbers, rounds=9, defined={"some": np.zeros(4, dtype=bool)})["some"]
    assert (none.value, none.low, none.items) == (None, None, 0)


def test_degenerate_samples() -> None:
    single = interval_of_mean([0.7], rounds=10)
    assert (single.value, single.low, single.reason) == (0.7, None, "there are fewer than two to draw from")
    same = interval_of_mean([0.1] * 9, rounds=50)
    assert same.reason is None
    assert (same.low, same.high) == pytest.approx((0.1, 0.1))


def test_why_an_interval_is_missing() -> None:
    rows = [[1.0], [2.0], [4.0]]

    def only_whole(other: float) -> Statistic:
        # The value itself is asked for in a table of one line, resamples in longer ones.
        return lambda sums: np.where(np.arange(len(sums)) + len(sums) == 1, 7.0, other)

    never = interval_of(rows, only_whole(float("nan")), rounds=20)
    assert (never.value, never.low, never.undefined) == (7.0, None, 20)
    assert never.reason == "the statistic is undefined in every resample"
    assert interval_of(rows, only_whole(9.0), rounds=20).low == 9.0


def test_options_out_of_range() -> None:
    values = [1.0, 2.0, 3.0]
    for rounds in (0, -1, 1_000_001, 2.5, True):
        with pytest.raises(OptionError, match="rounds"):
            interval_of_mean(values, rounds=rounds)
    for seed in (-1, 2**32, 0.5):
        with pytest.raises(OptionError, match="seed"):
            interval_of_mean(values, seed=seed)
    for level in (0.0, 1.0, 95.0):
        with pytest.raises(OptionError, match="level"):
            interval_of_mean(values, level=level)
    for rows in ([], [1.0, 2.0], [[float("nan")]], [["x"]], [[]], [[1.0], [1.0, 2.0]]):
        with pytest.raises(OptionError, match="table"):
            interval_of(rows, mean)


def test_coverage_of_a_known_mean() -> None:
    random = np.random.default_rng(11)
    inside = 0
    for trial in range(100):
        interval = interval_of_mean(random.normal(0.0, 1.0, 40).tolist(), rounds=300, seed=trial)
        inside += interval.low <= 0.0 <= interval.high
    assert 85 <= inside <= 100
