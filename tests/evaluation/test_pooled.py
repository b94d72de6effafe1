"""Tables of texts: means, intervals against plain loops and scipy, and paired tests against every exchange."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.evaluation.pooled import Number, PairedTest, TextTable, mean_table, paired_test, pool, with_holm
from aifgraph.stats import resampling
from aifgraph.stats.resampling import Bootstrap

M = Number("M", "kappa")
paired = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9)


def table_of(values: Sequence[float | None]) -> TextTable:
    return mean_table([f"t{place}" for place in range(len(values))], {M: [nan if v is None else v for v in values]})


def run_test(first: Sequence[float | None], second: Sequence[float | None], **how: int) -> PairedTest:
    return paired_test({"first": table_of(first), "second": table_of(second)}, M, **how)


@given(st.builds(Number, st.sampled_from(["CASS", "M'", "ER", "S"]), st.sampled_from(["", "kappa", "f1"]), st.text()))
def test_numbers_are_read_as_they_are_written(number: Number) -> None:
    if number.part == " ".join(number.part.split()) and "-" not in number.part:
        assert Number.parse(str(number)) == number


@pytest.mark.slow
@given(
    st.lists(st.integers(-20, 40), min_size=3, max_size=40).filter(lambda values: len(set(values)) > 1),
    st.integers(0, 2**32 - 1),
)
def test_the_interval_of_a_mean_is_that_of_scipy(values: list[int], seed: int) -> None:
    from scipy import stats

    estimate = pool(table_of(values), bootstrap=Bootstrap(400, 0.9, seed))[M]
    expected = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=400,
        confidence_level=0.9,
        method="percentile",
        rng=np.random.default_rng(seed),
        vectorized=True,
    ).confidence_interval
    assert estimate.value == pytest.approx(np.mean(values), abs=1e-12)
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_only_texts_in_which_a_number_is_defined_are_drawn() -> None:
    known = pool(table_of([1.0, None, None, 3.0]), bootstrap=Bootstrap(400, seed=1))[M]
    assert known == pool(table_of([1.0, 3.0]), bootstrap=Bootstrap(400, seed=1))[M]
    assert (known.value, known.texts, known.undefined) == (2.0, 2, 0)
    alone = pool(table_of([0.7, None]), bootstrap=Bootstrap(9))[M]
    assert (alone.value, alone.texts, alone.low, alone.high) == (0.7, 1, None, None)
    nothing = pool(table_of([None, None]), bootstrap=Bootstrap(9))[M]
    assert (nothing.value, nothing.low) == (None, None)
    assert pool(table_of([1.0]))["no such-number"].value is None


def test_rounds_without_a_value_are_counted() -> None:
    counts = np.ones(2)
    quotient = TextTable(
        ("a", "b"), np.array([[1.0, 1.0], [1.0, 0.0]]), lambda sums: {M: sums[:, 0] / sums[:, 1]}, {M: counts}
    )
    found = pool(quotient, bootstrap=Bootstrap(400))[M]
    assert found.value == 2
    assert 60 < found.undefined < 140  # a quarter of the draws has only the second text, whose quotient is infinite


def test_the_seed_decides_and_the_size_of_blocks_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [0.125 * value for value in range(20)]  # sums are exact in any order
    others = [*reversed(values[:10]), *values[10:]]

    def drawn(seed: int) -> list[object]:
        return [pool(table_of(values), bootstrap=Bootstrap(100, seed=seed)), run_test(values, others, rounds=500)]

    once = drawn(4)
    assert once == drawn(4) != drawn(5)
    monkeypatch.setattr(resampling, "BLOCK", 33)
    assert once == drawn(4)


def exact_p(first: Sequence[float], second: Sequence[float]) -> float:
    apart = [a - b for a, b in zip(first, second, strict=True)]
    signs = list(product((1, -1), repeat=len(apart)))
    bar = abs(sum(apart)) - 1e-9
    return sum(abs(sum(s * d for s, d in zip(row, apart, strict=True))) >= bar for row in signs) / len(signs)


@given(paired)
def test_few_texts_are_tested_exactly(rows: list[tuple[int, int]]) -> None:
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    test = run_test(first, second, rounds=2 ** len(rows))
    assert (test.exact, test.texts, test.p) == (True, len(rows), exact_p(first, second))
    assert test.p_least == 2 / 2 ** len(rows) <= test.p
    back = run_test(second, first, rounds=2 ** len(rows))
    assert back.p == test.p
    assert back.difference == pytest.approx(-test.difference)


@given(paired, st.integers(0, 1000))
def test_random_exchanges_come_close_to_all(rows: list[tuple[int, int]], seed: int) -> None:
    # Texts in which both are equal change no p, and make too many patterns to count.
    rows = [*rows, *[(0, 0)] * 15]
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    test = run_test(first, second, rounds=20_000, bootstrap=Bootstrap(9, seed=seed))
    assert not test.exact
    assert test.p == pytest.approx(exact_p(first[:-15], second[:-15]), abs=0.025)


def test_equal_systems_cannot_be_told_apart() -> None:
    assert run_test([0.1, 0.2, 0.7], [0.1, 0.2, 0.7], rounds=5).p == 1
    # Equal sums in another order: every exchange is at least as large, rounding notwithstanding.
    assert run_test([0.1, 0.2, 0.3], [0.3, 0.1, 0.2], rounds=5).p == 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=2, max_size=9))
def test_only_texts_that_both_have_are_tested(rows: list[tuple[int, int, bool]]) -> None:
    first, second = [a / 10 if known else None for a, _, known in rows], [b / 10 for _, b, _ in rows]
    test = run_test(first, second)
    names = tuple(f"t{place}" for place, row in enumerate(rows) if not row[2])
    assert test.left_out == names
    if len(names) == len(rows):
        assert (test.difference, test.p, test.texts, test.p_least) == (None, None, 0, None)
        return
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None]
    alone = run_test([a for a, _ in both], [b for _, b in both])
    assert (test.difference, test.p, test.low) == (alone.difference, alone.p, alone.low)


@pytest.mark.parametrize(
    "bad", [{"rounds": 0}, {"rounds": 1_000_001}, {"rounds": 2.5}, {"seed": -1}, {"seed": 2**32}, {"level": 1.0}]
)
def test_options_out_of_range(bad: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        Bootstrap(**bad)


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12))
def test_holm_keeps_the_order_and_never_lowers(values: list[float | None]) -> None:
    adjusted = [test.p_holm for test in with_holm(PairedTest("a", "b", M, 9, p=p) for p in values)]
    assert [p is None for p in values] == [q is None for q in adjusted]
    both = sorted((p, q) for p, q in zip(values, adjusted, strict=True) if p is not None)
    assert all(p <= q <= 1 for p, q in both)
    assert [q for _, q in both] == sorted(q for _, q in both)


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, then no less than 0.06.
    tests = with_holm(PairedTest("a", "b", M, 9, p=p) for p in (0.01, 0.04, 0.03, 0.005))
    assert [test.p_holm for test in tests] == pytest.approx([0.03, 0.06, 0.06, 0.02])
