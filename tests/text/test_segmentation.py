"""Segmentation measures against segeval where it is right, and against counting every word and window elsewhere."""

import math
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.text.segmentation import (
    Edits,
    Segmentation,
    edits,
    measures,
    window_size,
    with_segeval,
)


@st.composite
def pairs(draw: st.DrawFn, least: int = 1, most: int = 60) -> tuple[Segmentation, Segmentation]:
    length = draw(st.integers(least, most))
    places = st.sets(st.integers(1, max(1, length - 1)))
    return Segmentation.of(length, draw(places)), Segmentation.of(length, draw(places))


def naive_windows(reference: Segmentation, hypothesis: Segmentation, window: int) -> tuple[int, int, int]:
    """Windows, those where one side alone has a boundary, those with different numbers: word by word."""
    windows = range(reference.length - window)
    far = different = 0
    for start in windows:
        inside = range(start + 1, start + window + 1)
        ours = sum(place in reference.boundaries for place in inside)
        theirs = sum(place in hypothesis.boundaries for place in inside)
        far += (ours == 0) != (theirs == 0)
        different += ours != theirs
    return len(windows), far, different


def of_masses(*masses: int) -> Segmentation:
    ends = list(accumulate(masses))
    return Segmentation(ends[-1], tuple(ends[:-1]))


def test_the_examples_of_the_literature() -> None:
    # A miss, an extra boundary, a near miss over ten potential boundaries (Fournier and Inkpen 2012, section 3).
    reference = of_masses(2, 3, 6)
    assert measures(reference, of_masses(5, 6)).S == 0.9
    assert measures(reference, of_masses(2, 3, 3, 3)).S == 0.9
    near = of_masses(2, 2, 7)
    assert measures(reference, near).S == 0.95
    assert measures(reference, near).B == 0.75
    assert edits(reference, near) == Edits(0, 1, 1)


def test_transpositions_do_not_share_a_place() -> None:
    # 3 | 4 | 5: the first side has 3 and 5, the second 4: one move, one addition.
    assert edits(Segmentation(9, (3, 5)), Segmentation(9, (4,))) == Edits(1, 1, 0)


def test_texts_without_an_inner_boundary_or_a_window_that_fits() -> None:
    for length in (1, 2, 10):
        found = measures(Segmentation(length), Segmentation(length))
        assert (found.S, found.B) == (1, 1)
        assert (found.Pk is None) == (found.WindowDiff is None) == (length < 3)
    assert set(measures(Segmentation(0), Segmentation(0))) == {None}
    assert with_segeval(Segmentation(0), Segmentation(0)) == measures(Segmentation(0), Segmentation(0))
    assert measures(Segmentation(2, (1,)), Segmentation(2)).Pk is None
    assert measures(Segmentation(3, (1,)), Segmentation(3)).Pk == 1


@pytest.mark.parametrize(
    ("length", "marks", "size"),
    # Mean masses 1, 5, 7, 9: halves 0.5 (at least 2), 2.5 → 2, 3.5 → 4, 4.5 → 4; 25 / 3 / 2 = 4.17.
    [(3, (1, 2), 2), (10, (5,), 2), (14, (7,), 4), (18, (9,), 4), (25, (5, 9), 4), (0, (), 2)],
)
def test_half_the_mean_mass_rounded_half_to_even(length: int, marks: tuple[int, ...], size: int) -> None:
    assert window_size(Segmentation(length, marks)) == size


@given(pairs())
def test_against_segeval(pair: tuple[Segmentation, Segmentation]) -> None:
    ours, theirs = measures(*pair), with_segeval(*pair)
    if pair[0].boundaries or pair[1].boundaries:
        assert pytest.approx(theirs.S, abs=1e-12) == ours.S
        assert pytest.approx(theirs.B, abs=1e-12) == ours.B
    if pair[0].length > 2:
        assert ours.Pk == pytest.approx(theirs.Pk, abs=1e-12)
        assert ours.WindowDiff == pytest.approx(theirs.WindowDiff, abs=1e-12)
    else:
        assert theirs.Pk is None
        assert ours.Pk is None


@given(pairs())
def test_windows_against_counting_word_by_word(pair: tuple[Segmentation, Segmentation]) -> None:
    count, far, different = naive_windows(*pair, window_size(pair[0]))
    if count:
        assert measures(*pair).Pk == far / count
        assert measures(*pair).WindowDiff == different / count
    else:
        assert measures(*pair).Pk is None


def test_where_segeval_fails_the_windows_are_still_counted() -> None:
    # Windows of 300 words: segeval's window_diff stops at an assertion.
    first, second = Segmentation(1200, (600,)), Segmentation(1200, (500, 620, 1100))
    count, far, different = naive_windows(first, second, 300)
    assert (measures(first, second).Pk, measures(first, second).WindowDiff) == (far / count, different / count)
    theirs = with_segeval(first, second)
    assert theirs.WindowDiff is None
    assert theirs.Pk == pytest.approx(far / count)


@given(pairs())
def test_edits_are_symmetric_and_within_bounds(pair: tuple[Segmentation, Segmentation]) -> None:
    first, second = pair
    there, back = edits(first, second), edits(second, first)
    assert there == back
    assert (there.weight == 0) == (first == second)
    assert there.additions + 2 * there.transpositions + 2 * there.matches == len(first.boundaries + second.boundaries)
    for value in measures(first, second):
        assert value is None or 0.0 <= value <= 1.0


def test_a_long_text_costs_no_more_than_its_boundaries() -> None:
    length = 10**12
    first, second = Segmentation(length, (7, length // 2)), Segmentation(length, (8, length // 2))
    found = measures(first, second)
    assert 1 - 0.5 / (length - 1) == found.S
    assert found.Pk is not None
    assert math.isclose(found.Pk, 1 / (length - window_size(first)), rel_tol=1e-12)
