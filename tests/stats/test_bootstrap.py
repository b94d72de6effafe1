"""Intervals against scipy.stats.bootstrap, which draws the same resamples from the same generator."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats import bootstrap as module
from aifgraph.stats.bootstrap import (
    Statistic,
    bootstrap,
    bootstrap_mean,
    bootstrap_scores,
    matrix_rows,
    matrix_statistic,
    mean_rows,
    mean_statistic,
    resampled_sums,
)
from aifgraph.stats.matrix import NONE, ConfusionMatrix, summed
from aifgraph.stats.scores import SCORES, score


def drawn_matrices(count: int, seed: int = 5) -> list[ConfusionMatrix]:
    random = np.random.default_rng(seed)
    return [
        ConfusionMatrix(("CA", "RA", NONE), tuple(tuple(map(int, row)) for row in random.integers(0, 6, (3, 3))))
        for _ in range(count)
    ]


@given(
    st.lists(st.integers(-20, 40), min_size=3, max_size=40).filter(lambda values: len(set(values)) > 1),
    st.sampled_from(["percentile", "bca"]),
    st.integers(0, 2**32 - 1),
)
def test_the_mean_against_scipy(values: list[int], method: str, seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    found = bootstrap_mean(values, rounds=400, seed=seed, method=method, level=0.9)  # type: ignore[arg-type]
    expected = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=400,
        confidence_level=0.9,
        method=method,
        rng=np.random.default_rng(seed),
        vectorized=True,
    ).confidence_interval
    assert found.value == pytest.approx(np.mean(values), abs=1e-12)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_skewed_statistic_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(1)
    rows = np.column_stack([random.exponential(2.0, 50), random.exponential(1.0, 50)])

    def ratio(sums: np.ndarray) -> np.ndarray:
        return sums[:, 0] / sums[:, 1]

    found = bootstrap(rows, ratio, rounds=2000, seed=3, method="bca")
    expected = stats.bootstrap(
        (rows[:, 0], rows[:, 1]),
        lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        n_resamples=2000,
        method="bca",
        rng=np.random.default_rng(3),
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_negative_value_has_an_interval_too() -> None:
    matrices = [ConfusionMatrix(("RA", NONE), ((0, 3), (2, 1))) for _ in range(5)]
    matrices += [ConfusionMatrix(("RA", NONE), ((1, 3), (4, 2))) for _ in range(5)]
    for method in ("percentile", "bca"):
        found = bootstrap_scores(matrices, ["kappa"], rounds=200, method=method)["kappa"]  # type: ignore[arg-type]
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high < 0


def test_scores_are_those_of_the_summed_matrices() -> None:
    matrices = drawn_matrices(12)
    found = bootstrap_scores(matrices, rounds=50)
    assert list(found) == list(SCORES)
    for name, interval in found.items():
        assert interval.value == score(name)(summed(matrices)), name
        assert interval.rounds == 50


def test_resamples_are_sums_of_drawn_rows() -> None:
    matrices = drawn_matrices(7)
    labels, rows = matrix_rows(matrices)
    sums = resampled_sums(rows, rounds=30, seed=2)
    random = np.random.default_rng(2)
    for line in sums:
        drawn = summed([matrices[place] for place in random.integers(0, 7, 7)])
        assert line.tolist() == [count for row in drawn.rows for count in row]
    kappa = matrix_statistic(labels, score("kappa").function)
    assert kappa(sums[:1])[0] == score("kappa")(ConfusionMatrix(labels, tuple(map(tuple, sums[0].reshape(3, 3)))))


def test_matrices_with_different_labels_are_brought_together() -> None:
    labels, rows = matrix_rows(
        [ConfusionMatrix(("RA", NONE), ((1, 2), (3, 4))), ConfusionMatrix(("CA", NONE), ((5, 6), (7, 8)))]
    )
    assert labels == ("RA", "CA", NONE)
    assert rows == [[1, 0, 2, 0, 0, 0, 3, 0, 4], [0, 0, 0, 0, 5, 6, 0, 7, 8]]


def test_seed_decides_and_blocks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [0.125 * value for value in range(20)]  # sums are exact in any order
    once = bootstrap_mean(values, rounds=100, seed=4)
    assert once == bootstrap_mean(values, rounds=100, seed=4)
    assert once != bootstrap_mean(values, rounds=100, seed=5)
    monkeypatch.setattr(module, "_BLOCK", 33)
    assert once == bootstrap_mean(values, rounds=100, seed=4)


def test_items_without_a_value_are_drawn_but_not_averaged() -> None:
    found = bootstrap_mean([1.0, None, None, 3.0], rounds=300, seed=1)
    assert found.value == 2.0
    # 1 of 16 resamples holds no value at all.
    assert 0 < found.undefined < 60
    assert (found.low, found.high) == (1.0, 3.0)
    nothing = bootstrap_mean([None, None], rounds=10)
    assert (nothing.value, nothing.low, nothing.reason) == (None, None, "the statistic is undefined")


def test_degenerate_samples() -> None:
    single = bootstrap_mean([0.7], rounds=10)
    assert (single.value, single.low, single.reason) == (0.7, None, "there are fewer than two items")
    for method in ("percentile", "bca"):
        same = bootstrap_mean([0.1] * 9, rounds=50, method=method)  # type: ignore[arg-type]
        assert same.reason is None
        assert (same.low, same.high) == pytest.approx((0.1, 0.1))


def test_why_an_interval_is_missing() -> None:
    rows = [[1.0], [2.0], [4.0]]

    def only_whole(other: float) -> Statistic:
        # The value itself is asked for in a table of one line, resamples and leave-one-outs in longer ones.
        return lambda sums: np.where(np.arange(len(sums)) + len(sums) == 1, 7.0, other)

    never = bootstrap(rows, only_whole(float("nan")), rounds=20)
    assert (never.value, never.low, never.undefined) == (7.0, None, 20)
    assert never.reason == "the statistic is undefined in every resample"
    beside = bootstrap(rows, only_whole(9.0), rounds=20, method="bca")
    assert (beside.low, beside.reason) == (None, "all resamples lie on one side of the value")
    assert bootstrap(rows, only_whole(9.0), rounds=20).low == 9.0
    uneven = [[0.0]] * 200 + [[1.0]]
    found = bootstrap(uneven, lambda sums: sums[:, 0], rounds=500, level=1 - 1e-9, method="bca")
    assert (found.low, found.reason) == (None, "the items are too uneven for BCa")


def test_options_out_of_range() -> None:
    values = [1.0, 2.0, 3.0]
    for rounds in (0, -1, 1_000_001, 2.5, True):
        with pytest.raises(OptionError, match="rounds"):
            bootstrap_mean(values, rounds=rounds)  # type: ignore[arg-type]
    for seed in (-1, 2**32, 0.5):
        with pytest.raises(OptionError, match="seed"):
            bootstrap_mean(values, seed=seed)  # type: ignore[arg-type]
    for level in (0.0, 1.0, 95.0):
        with pytest.raises(OptionError, match="level"):
            bootstrap_mean(values, level=level)
    with pytest.raises(OptionError, match="method"):
        bootstrap_mean(values, method="basic")  # type: ignore[arg-type]
    for rows in ([], [1.0, 2.0], [[float("nan")]], [["x"]], [[]], [[1.0], [1.0, 2.0]]):
        with pytest.raises(OptionError, match="table"):
            bootstrap(rows, mean_statistic)
    with pytest.raises(OptionError):
        bootstrap_scores([], ["kappa"])


def test_coverage_of_a_known_mean() -> None:
    random = np.random.default_rng(11)
    inside = 0
    for trial in range(100):
        found = bootstrap(mean_rows(random.normal(0.0, 1.0, 40).tolist()), mean_statistic, rounds=300, seed=trial)
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= 0.0 <= found.high
    assert 85 <= inside <= 100


@pytest.mark.slow
def test_a_thousand_items_a_thousand_rounds_thirteen_scores_in_two_seconds() -> None:
    matrices = drawn_matrices(1000)
    start = time.process_time()
    bootstrap_scores(matrices, rounds=1000)
    assert time.process_time() - start < 2
