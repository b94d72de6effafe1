"""Alpha against the krippendorff package and Krippendorff's examples; Fleiss' kappa by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats.alpha import alpha_of_sums, fleiss_of_sums, label_sums, nominal_alpha, unitised_alpha
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES

labels = st.sampled_from(["a", "b", "c", None])
items = st.integers(2, 4).flatmap(
    lambda coders: st.lists(st.lists(labels, min_size=coders, max_size=coders), min_size=1, max_size=12)
)


@given(items)
def test_nominal_alpha_against_the_krippendorff_package(rows: list[list[str | None]]) -> None:
    package = pytest.importorskip("krippendorff")
    pairable = [label for row in rows if sum(label is not None for label in row) > 1 for label in row if label]
    assume(len(set(pairable)) > 1)
    codes = [[float("nan") if label is None else "abc".index(label) for label in row] for row in rows]
    expected = package.alpha(reliability_data=list(zip(*codes, strict=True)), level_of_measurement="nominal")
    assert nominal_alpha(Counter(map(tuple, rows))) == pytest.approx(expected, abs=1e-12)


@given(st.lists(items, min_size=1, max_size=3))
def test_added_up_over_texts_it_is_that_of_all_items(texts: list[list[list[str | None]]]) -> None:
    coders = max(len(row) for text in texts for row in text)
    rows = [Counter((*row, *[None] * (coders - len(row))) for row in text) for text in texts]
    expected = nominal_alpha(sum(rows, Counter()))
    found = alpha_of_sums(np.array([np.sum([label_sums(text, "abc") for text in rows], axis=0)], dtype=float))[0]
    assert found == pytest.approx(expected, abs=1e-9) if expected is not None else np.isnan(found)


def test_the_examples_that_textbooks_print() -> None:
    # Of three coders and fifteen units, most without a label from one of them: 0.691.
    units = zip("*****34121133*3", "1*213343*******", "**21344*21133*4", strict=True)
    found = nominal_alpha(Counter(tuple(None if label == "*" else label for label in unit) for unit in units))
    assert found == pytest.approx(0.691, abs=0.0005)
    assert nominal_alpha({("a", "a"): 2}) == 1.0
    assert nominal_alpha({("a", None): 1, (None, "b"): 1}) is None
    assert nominal_alpha({}) is None
    # Ten items, fourteen coders, five labels: P = 0.378, Pe = 0.213.
    table = ("0000e", "02642", "00356", "03920", "22811", "77000", "32630", "25322", "65210", "02237")
    counts = [[int(count, 16) for count in row] for row in table]
    items = Counter(tuple(label for label, count in enumerate(row) for _ in range(count)) for row in counts)
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=0.0005)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_of_two_coders_it_is_the_alpha_of_their_matrix(rows: list[tuple[str, str]]) -> None:
    assert nominal_alpha(Counter(rows)) == pytest.approx(SCORES["alpha"](ConfusionMatrix.counts(Counter(rows))))


# Krippendorff 1995, page 57: four pairs of observers on a continuum of 24.
PAIRS: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {
    "A": ([(2, 10), (14, 20)], [(4, 8), (15, 17)]),
    "B": ([(0, 18)], [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 9), (9, 10)]),
    "C": ([(2, 8), (10, 12), (14, 18), (20, 22)], [(0, 2), (4, 8), (10, 14), (16, 18), (20, 22)]),
    "D": ([(0, 2), (2, 10), (10, 14), (14, 20), (20, 24)], [(0, 4), (4, 8), (8, 15), (15, 17), (17, 24)]),
}


@pytest.mark.parametrize(
    ("name", "observed", "value"), [("A", 18, 0.553), ("B", 1306, -0.926), ("C", 16, 0.679), ("D", 223, 0.066)]
)
def test_the_examples_of_krippendorff_1995(name: str, observed: int, value: float) -> None:
    first, second = PAIRS[name]
    # His values are those of a continuum of very many places.
    stretch = 10_000
    coders = [[(a * stretch, b * stretch, name) for a, b in spans] for spans in (first, second)]
    found = unitised_alpha(coders, 24 * stretch).categories[name]
    assert found.observed == pytest.approx(observed / 24**2, abs=1e-12)
    assert found.value == pytest.approx(value, abs=0.02)


def distance(u: tuple[int, int, bool], v: tuple[int, int, bool]) -> int:
    """Krippendorff's squared difference of two sections (start, end, whether it is a unit), as in the book."""
    (b, e, unit), (c, f, other) = u, v
    if unit and other and b < f and c < e:
        return (b - c) ** 2 + (e - f) ** 2
    if unit and not other and c <= b and e <= f:
        return (e - b) ** 2
    if other and not unit and b <= c and f <= e:
        return (f - c) ** 2
    return 0


@st.composite
def sections(draw: st.DrawFn, length: int) -> list[tuple[int, int, bool]]:
    edges = [0, *sorted(draw(st.sets(st.integers(1, length - 1)))), length]
    found: list[tuple[int, int, bool]] = []
    for start, end in pairwise(edges):
        unit = draw(st.booleans())
        if found and not unit and not found[-1][2]:
            found[-1] = (found[-1][0], end, False)
        else:
            found.append((start, end, unit))
    return found


@given(st.integers(2, 14).flatmap(lambda n: st.tuples(st.just(n), st.lists(sections(n), min_size=2, max_size=4))))
def test_unitised_alpha_from_its_definition(case: tuple[int, list[list[tuple[int, int, bool]]]]) -> None:
    length, coders = case
    marked = [[(b, e, "x") for b, e, unit in coder if unit] for coder in coders]
    assume(any(marked))
    count = len(coders)
    observed = Fraction(
        sum(distance(u, v) for i, j in product(range(count), repeat=2) if i != j for u in coders[i] for v in coders[j]),
        count * (count - 1) * length**2,
    )
    # Expected: every two sections, at least one of them a unit, slid over each other place by place.
    flat = [section for coder in coders for section in coder]
    total = 0
    for one, other in product(range(len(flat)), repeat=2):
        (b, e, unit), (c, f, second) = flat[one], flat[other]
        if one == other or not (unit or second):
            continue
        total += sum(distance((shift, shift + e - b, unit), (0, f - c, second)) for shift in range(-length, length + 1))
    places = count * length
    own = sum((e - b) * (e - b - 1) for b, e, unit in flat if unit)
    expected = Fraction(total, length * (places * (places - 1) - own))
    found = unitised_alpha(marked, length).all
    assert found.observed == pytest.approx(float(observed), abs=1e-12)
    assert found.expected == pytest.approx(float(expected), abs=1e-12)
    if expected:
        assert found.value == pytest.approx(float(1 - observed / expected), abs=1e-9)
    else:
        assert found.value is None


def test_nothing_marked_or_nothing_possible_is_undefined() -> None:
    nothing = unitised_alpha([[], []], 10)
    assert nothing.all.value is None
    assert nothing.categories == {}
    assert unitised_alpha([[(0, 1, "x")], [(0, 1, "x")]], 1).all.value is None


def test_units_that_are_refused() -> None:
    outside, empty, overlap = [(5, 11, "x")], [(5, 5, "x")], [(4, 7, "x"), (3, 5, "x")]
    for coders, length in (([[]], 10), ([[], outside], 10), ([[], empty], 10), ([[], overlap], 10), ([[], []], 0)):
        with pytest.raises(OptionError):
            unitised_alpha(coders, length)
    assert unitised_alpha([[], [(4, 7, "x"), (3, 5, "y")]], 10).categories.keys() == {"x", "y"}


def fleiss_kappa(counts: Counter[tuple[str, ...]]) -> float:
    return float(fleiss_of_sums(np.array([label_sums(counts)], dtype=float))[0])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_of_two_coders_it_is_scotts_pi(rows: list[tuple[str, str]]) -> None:
    assert fleiss_kappa(Counter(rows)) == pytest.approx(SCORES["pi"](ConfusionMatrix.counts(Counter(rows))))


@given(st.lists(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), max_size=9), min_size=1, max_size=3))
def test_fleiss_added_up_over_texts_is_that_of_all_items(texts: list[list[tuple[str, str, str]]]) -> None:
    expected = fleiss_kappa(Counter(row for text in texts for row in text))
    sums = np.sum([label_sums(Counter(text), "abc") for text in texts], axis=0)
    found = fleiss_of_sums(np.array([sums], dtype=float))[0]
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)
