"""Normalised Levenshtein, and the similar pairs of two lists of texts: bounds leave out none of them."""

import math
import random
import unicodedata
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.comparison.cass import Edits, Segmentation, edits, measures, window_size, with_segeval
from aifgraph.text.similarity import normalised, similar_pairs, similarity
from reference.calculate import by_positions
from reference.match import levenshtein

SHORT = st.text(alphabet="abé ", max_size=8).map(normalised)


@given(st.text(alphabet="aB \t\n\x1c\x00é", max_size=8))
def test_white_space_is_collapsed_however_a_text_is_read(text: str) -> None:
    assert normalised(text) == " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def test_normalised() -> None:
    assert normalised(" A\u00a0 B\n\tＦＵＬＬ ﬁ ß ") == "a b full fi ss"


@given(SHORT, SHORT)
def test_by_definition(first: str, second: str) -> None:
    longer = max(len(first), len(second))
    expected = 1 - levenshtein(first, second) / longer if longer else 1.0
    assert similarity(first, second) == pytest.approx(expected, abs=1e-12)
    assert similarity(first, second) == similarity(second, first)


def by_definition(first: list[str], second: list[str], least: float) -> list[tuple[int, int, float]]:
    every = ((i, j, similarity(a, b)) for i, a in enumerate(first) for j, b in enumerate(second))
    return [pair for pair in every if pair[2] >= least]


@pytest.mark.parametrize("least", [0.0, 0.01, 0.3, 0.45, 0.5, 0.6, 0.8, 0.9, 1.0])
def test_bounds_leave_out_no_similar_pair(least: float) -> None:
    """Of texts of every length: a few words, changed here and there, so that many are similar just so."""
    rng = random.Random(7)
    words = ["mask", "air", "schools", "the", "of", "is", "filter", "parliament", "we", "é \U0001f600", "ought to", "?"]

    def texts(count: int) -> list[str]:
        made = [" ".join(rng.choices(words, k=rng.choice((0, 1, 2, 3, 9, 20)))) for _ in range(count)]
        return made + [text[: round(len(text) * rng.uniform(0.4, 1.1))] + rng.choice(words) for text in made]

    first, second = texts(30), texts(20)
    second += [text[len(text) // 2 :] for text in first] + [text.replace("a", "o") for text in first]
    assert sorted(similar_pairs(first, second, least)) == by_definition(first, second, least)


def test_no_text_is_fine() -> None:
    assert list(similar_pairs([], [], 0.5)) == list(similar_pairs(["a"], [], 0.5)) == []
    assert list(similar_pairs(["", "a"], ["", "b"], 0.5)) == [(0, 0, 1.0)]
    assert sorted(similar_pairs(["\ud800", "x" * 70], ["\ud800", "x" * 7_000], 0.01)) == [(0, 0, 1.0), (1, 1, 0.01)]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Segmentation, Segmentation]:
    length = draw(st.integers(1, 60))
    places = st.sets(st.integers(1, max(1, length - 1)))
    return Segmentation.from_boundaries(length, draw(places)), Segmentation.from_boundaries(length, draw(places))


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


def by_definition_of(pair: tuple[Segmentation, Segmentation]) -> dict[str, float | None]:
    return by_positions(*(list(side.masses) for side in pair))


@given(pairs())
def test_against_the_reference_and_segeval(pair: tuple[Segmentation, Segmentation]) -> None:
    ours, theirs, wanted = measures(*pair), with_segeval(*pair), by_definition_of(pair)
    assert ours._asdict() == pytest.approx({**wanted, "B": 1 if wanted["B"] is None else wanted["B"]}, abs=1e-12)
    if pair[0].boundaries or pair[1].boundaries:
        assert theirs[:2] == pytest.approx(ours[:2], abs=1e-12)
    assert (theirs.Pk, theirs.WindowDiff) == pytest.approx((ours.Pk, ours.WindowDiff), abs=1e-12)


def test_where_segeval_fails_the_windows_are_still_counted() -> None:
    # Windows of 300 words: segeval's window_diff stops at an assertion.
    pair = Segmentation(1200, (600,)), Segmentation(1200, (500, 620, 1100))
    wanted = by_definition_of(pair)
    assert measures(*pair)._asdict() == pytest.approx(wanted)
    assert with_segeval(*pair).WindowDiff is None
    assert with_segeval(*pair).Pk == pytest.approx(wanted["Pk"])


def test_a_long_text_costs_no_more_than_its_boundaries() -> None:
    length = 10**12
    first, second = Segmentation(length, (7, length // 2)), Segmentation(length, (8, length // 2))
    found = measures(first, second)
    assert 1 - 0.5 / (length - 1) == found.S
    assert found.Pk is not None
    assert math.isclose(found.Pk, 1 / (length - window_size(first)), rel_tol=1e-12)
