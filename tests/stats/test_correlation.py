import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats.correlation import point_biserial
from aifgraph.tasks.scores import mean_and_deviation


def test_by_hand() -> None:
    # Means 2.5 and 0.5 of two each, deviation √1.25: (2.5 − 0.5) / √1.25 · √(½ · ½).
    assert point_biserial([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0]).value == pytest.approx(1 / 1.25**0.5)


@given(
    st.lists(st.tuples(st.booleans(), st.floats(-1e3, 1e3)), min_size=2, max_size=30),
    st.sampled_from([1.0, 1e-170, 1e100]),
)
def test_against_scipy(rows: list[tuple[bool, float]], unit: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    flags, values = [flag for flag, _ in rows], [round(value, 3) * unit for _, value in rows]
    found = point_biserial(flags, values)
    if found.value is None:
        assert len(set(flags)) == 1 or len(set(values)) == 1
        assert found.reason in ("the yes/no variable is constant", "the values are constant")
    else:
        expected = stats.pointbiserialr(flags, [value / unit for value in values])
        assert found.value == pytest.approx(expected.statistic, abs=1e-9)


def test_constant_and_malformed_variables() -> None:
    assert point_biserial([1, 1], [1.0, 2.0]).reason == "the yes/no variable is constant"
    assert point_biserial([0, 1], [0.1, 0.1]).reason == "the values are constant"
    assert point_biserial([1], [1.0]).reason == "there are fewer than two items"
    with pytest.raises(OptionError):
        point_biserial([1, 0], [1.0])
    with pytest.raises(OptionError, match="item 1"):
        point_biserial([1, 2], [1.0, 2.0])
    with pytest.raises(OptionError, match="item 0"):
        point_biserial([1, 0], [float("nan"), 2.0])


def test_mean_and_population_deviation() -> None:
    assert mean_and_deviation([2, 4, 4, 4, 5, 5, 7, 9]) == (5.0, 2.0)
    assert mean_and_deviation([3.0]) == (3.0, 0.0)
    assert mean_and_deviation([]) is None
