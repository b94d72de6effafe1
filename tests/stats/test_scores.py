"""Matrices, their scores and alpha against numbers worked out by hand, exact fractions and other packages."""

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats.alpha import alpha_of_sums, fleiss_of_sums, label_sums, nominal_alpha, unitised_alpha
from aifgraph.stats.scores import NONE, SCORES, ConfusionMatrix, matrix_scores, score_all, undefined_reason
from reference.calculate import matrix_scores as reference_scores

NAMES = list(SCORES)
SIGNED = {"kappa", "informedness", "mcc", "pi", "alpha", "ac1"}
labels = st.sampled_from(["RA", "CA", "MA", NONE])
pairs = st.lists(st.tuples(labels, labels), max_size=30)


@st.composite
def matrices(draw: st.DrawFn, least: int = 1, none: bool | None = None, most: int = 30) -> ConfusionMatrix:
    size = draw(st.integers(least, 5))
    counts = st.one_of(st.just(0), st.integers(0, most))
    rows = tuple(tuple(draw(counts) for _ in range(size)) for _ in range(size))
    with_none = draw(st.booleans()) if none is None else none
    names = [f"label{i}" for i in range(size)]
    if with_none:
        names[-1] = NONE
    return ConfusionMatrix(tuple(names), rows)


def of_pairs(pairs: list[tuple[str, str]], labels: list[str] | None = None) -> ConfusionMatrix:
    return ConfusionMatrix.counts(Counter(pairs), labels)


def transposed(matrix: ConfusionMatrix) -> ConfusionMatrix:
    return ConfusionMatrix(matrix.labels, tuple(zip(*matrix.rows, strict=True)))


def items_of(matrix: ConfusionMatrix) -> list[tuple[str, str]]:
    return [cell for cell, count in matrix.cells.items() for _ in range(count)]


def test_labels_are_in_order_and_none_is_last() -> None:
    matrix = ConfusionMatrix.counts({("z", NONE): 2, (NONE, "a"): 1})
    assert matrix.labels == ("a", "z", NONE)
    assert matrix.rows == ((0, 0, 0), (0, 0, 2), (1, 0, 0))
    assert ConfusionMatrix.counts({("z", NONE): 2}, ["z", "a", NONE]).labels == ("z", "a", NONE)
    both = ConfusionMatrix(("RA", NONE), ((1, 2), (3, 4))) + ConfusionMatrix(("CA", NONE), ((1, 0), (0, 1)))
    assert both.labels == ("RA", "CA", NONE)
    assert both.rows == ((1, 0, 2), (0, 1, 0), (3, 0, 5))


def test_what_is_refused() -> None:
    square = ((1, 2), (3, 4))
    for labels, rows in (
        (("a", "b"), ((1, 2),)),
        (("a", "b"), ((1, 2), (3,))),
        (("a", "a"), square),
        ((NONE, "a"), square),
        (("a", NONE), ((1, 2), (-3, 4))),
    ):
        with pytest.raises(OptionError):
            ConfusionMatrix(labels, rows)


@given(pairs, pairs, st.sampled_from(["RA", "CA"]))
def test_matrices_add_up_and_collapse(first: list[tuple[str, str]], second: list[tuple[str, str]], label: str) -> None:
    one, other = of_pairs(first), of_pairs(second)
    assert (one + other).cells == (other + one).cells == of_pairs(first + second).cells
    against = [(a if a == label else NONE, b if b == label else NONE) for a, b in first]
    whole = of_pairs(first, ["RA", "CA", "MA", NONE])
    assert whole.collapse(label) == of_pairs(against, [label, NONE])


def test_one_label_by_hand() -> None:
    # TP 20, FN 5, FP 10, TN 15; n = 50, rows 25 and 25, columns 30 and 20.
    values = score_all(ConfusionMatrix(("yes", NONE), ((20, 5), (10, 15))))
    agreed = Fraction(35, 50)
    chance = Fraction(25 * 30 + 25 * 20, 2500)
    pooled = Fraction(55**2 + 45**2, 100**2)
    expected = {
        "kappa": (agreed - chance) / (1 - chance),
        "f1": Fraction(40, 55),
        "accuracy": agreed,
        "precision": Fraction(20, 30),
        "recall": Fraction(20, 25),
        "specificity": Fraction(15, 25),
        "balanced_accuracy": Fraction(7, 10),
        "informedness": Fraction(2, 5),
        "mcc": (20 * 15 - 10 * 5) / math.sqrt(30 * 25 * 25 * 20),
        "macro_f1": Fraction(40, 55),
        "pi": (agreed - pooled) / (1 - pooled),
        # Coincidences: off-diagonal 30 of 100 values; expected off-diagonal 2 · 55 · 45 / 99.
        "alpha": 1 - Fraction(30) / Fraction(2 * 55 * 45, 99),
        # π of yes is 0.55: chance 2 · 0.55 · 0.45.
        "ac1": (agreed - Fraction(2 * 55 * 45, 10_000)) / (1 - Fraction(2 * 55 * 45, 10_000)),
    }
    for name, value in expected.items():
        assert values[name] == pytest.approx(float(value), abs=1e-12), name


def test_undefined_scores_and_their_reasons() -> None:
    negatives = ConfusionMatrix(("RA", NONE), ((0, 0), (0, 9)))
    undefined = {name for name, value in score_all(negatives).items() if value is None}
    assert undefined == {"f1", "precision", "recall", "balanced_accuracy", "informedness", "macro_f1"}
    assert undefined_reason("f1", negatives) == "neither side has a label"
    one_sided = ConfusionMatrix(("RA", NONE), ((2, 3), (0, 0)))
    assert undefined_reason("mcc", one_sided) == "one side uses a single label"
    assert undefined_reason("precision", ConfusionMatrix(("RA", NONE), ((0, 3), (0, 1))))
    assert undefined_reason("specificity", ConfusionMatrix(("RA", NONE), ((1, 0), (0, 0)))) == "no negatives"
    for name in NAMES:
        for empty in (ConfusionMatrix((), ()), ConfusionMatrix(("RA", NONE), ((0, 0), (0, 0)))):
            assert SCORES[name](empty) is None
            assert undefined_reason(name, empty) == "the matrix has no items"


@given(matrices())
def test_values_stay_in_their_range_and_undefined_ones_have_a_reason(matrix: ConfusionMatrix) -> None:
    for name in NAMES:
        value, least = SCORES[name](matrix), -1 if name in SIGNED else 0
        assert undefined_reason(name, matrix) if value is None else least - 1e-12 <= value <= 1 + 1e-12, name


@given(matrices())
def test_symmetric_scores_do_not_mind_which_side_is_first(matrix: ConfusionMatrix) -> None:
    uneven = ConfusionMatrix(("a", NONE), ((3, 1), (2, 4)))
    for name in NAMES:
        assert (SCORES[name](uneven) == SCORES[name](transposed(uneven))) == SCORES[name].symmetric, name
        if SCORES[name].symmetric:
            assert SCORES[name](matrix) == SCORES[name](transposed(matrix)), name
    assert SCORES["precision"](matrix) == SCORES["recall"](transposed(matrix))


@given(matrices(least=2), st.randoms(use_true_random=False))
def test_order_and_labels_without_a_cell_change_nothing(matrix: ConfusionMatrix, random: object) -> None:
    order = [label for label in matrix.labels if label != NONE]
    random.shuffle(order)
    order += [NONE] * (NONE in matrix.labels)
    padded = [*order[:-1], "no cell", *order[-1:]] if NONE in order else [*order, "no cell"]
    assert score_all(ConfusionMatrix.counts(matrix.cells, order)) == score_all(matrix)
    assert score_all(ConfusionMatrix.counts(matrix.cells, padded)) == score_all(matrix)


@given(matrices(none=True, least=2, most=10**12))
def test_huge_counts_keep_their_digits(matrix: ConfusionMatrix) -> None:
    n, agreed = matrix.total, sum(matrix.diagonal)
    assume(n)
    chance = Fraction(sum(r * c for r, c in zip(matrix.row_sums, matrix.column_sums, strict=True)), n * n)
    expected = float((Fraction(agreed, n) - chance) / (1 - chance)) if chance != 1 else 1.0
    assert SCORES["kappa"](matrix) == expected


@given(matrices())
def test_against_the_reference(matrix: ConfusionMatrix) -> None:
    assume(matrix.total)
    cells = {tuple("" if label == NONE else label for label in cell): n for cell, n in matrix.cells.items()}
    assert score_all(matrix) == pytest.approx(reference_scores(cells), abs=1e-12)


@pytest.mark.slow
@given(matrices(least=2, most=6))
def test_against_scikit_learn(matrix: ConfusionMatrix) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    items = items_of(matrix)
    assume(items)
    first, second = zip(*items, strict=True)
    assert SCORES["accuracy"](matrix) == pytest.approx(metrics.accuracy_score(first, second), abs=1e-12)
    used = {*first, *second}
    if len(used) > 1:
        assert SCORES["kappa"](matrix) == pytest.approx(metrics.cohen_kappa_score(first, second), abs=1e-12)
    correlation = SCORES["mcc"](matrix)
    if correlation is not None and len(used) > 1:
        assert correlation == pytest.approx(metrics.matthews_corrcoef(first, second), abs=1e-12)
    labels = sorted(used - {NONE})
    if labels:
        macro = metrics.f1_score(first, second, labels=labels, average="macro", zero_division=0)
        assert SCORES["macro_f1"](matrix) == pytest.approx(macro, abs=1e-12)
        micro = metrics.precision_recall_fscore_support(first, second, labels=labels, average="micro", zero_division=0)
        for name, value in zip(("precision", "recall", "f1"), micro, strict=False):
            assert (SCORES[name](matrix) or 0.0) == pytest.approx(value, abs=1e-12), name


@given(
    st.integers(1, 5).flatmap(lambda size: st.lists(matrices(least=size, most=30, none=True), min_size=1, max_size=6))
)
def test_many_at_once_are_each_alone(given_matrices: list[ConfusionMatrix]) -> None:
    size = max(len(matrix.labels) for matrix in given_matrices)
    cells = np.zeros((len(given_matrices), size, size))
    for place, matrix in enumerate(given_matrices):
        shift = size - len(matrix.labels)  # ``none`` is last
        cells[place, shift:, shift:] = matrix.rows
    for name, values in matrix_scores(cells).items():
        for matrix, value in zip(given_matrices, values.tolist(), strict=True):
            expected = SCORES[name](matrix)
            assert math.isnan(value) if expected is None else value == pytest.approx(expected, abs=1e-12), name


some = st.sampled_from(["a", "b", "c", None])
items = st.integers(2, 4).flatmap(
    lambda coders: st.lists(st.lists(some, min_size=coders, max_size=coders), min_size=1, max_size=12)
)


@given(items)
def test_nominal_alpha_against_the_krippendorff_package(rows: list[list[str | None]]) -> None:
    package = pytest.importorskip("krippendorff")
    pairable = [label for row in rows if sum(label is not None for label in row) > 1 for label in row if label]
    assume(len(set(pairable)) > 1)
    codes = [[float("nan") if label is None else "abc".index(label) for label in row] for row in rows]
    expected = package.alpha(reliability_data=list(zip(*codes, strict=True)), level_of_measurement="nominal")
    assert nominal_alpha(Counter(map(tuple, rows))) == pytest.approx(expected, abs=1e-12)


def fleiss_kappa(counts: Counter[tuple[str, ...]]) -> float:
    return float(fleiss_of_sums(np.array([label_sums(counts)], dtype=float))[0])


@given(st.lists(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), max_size=9), min_size=1, max_size=3))
def test_fleiss_added_up_over_texts_is_that_of_all_items(texts: list[list[tuple[str, str, str]]]) -> None:
    expected = fleiss_kappa(Counter(row for text in texts for row in text))
    sums = np.sum([label_sums(Counter(text), "abc") for text in texts], axis=0)
    found = fleiss_of_sums(np.array([sums], dtype=float))[0]
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


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
def test_of_two_coders_they_are_alpha_and_scotts_pi_of_the_matrix(rows: list[tuple[str, str]]) -> None:
    counts = Counter(rows)
    matrix = ConfusionMatrix.counts(counts)
    assert nominal_alpha(counts) == pytest.approx(SCORES["alpha"](matrix))
    assert fleiss_kappa(counts) == pytest.approx(SCORES["pi"](matrix))


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
    outside, empty = [(5, 11, "x")], [(5, 5, "x")]
    for coders, length in (([[]], 10), ([[], outside], 10), ([[], empty], 10), ([[], []], 0)):
        with pytest.raises(OptionError):
            unitised_alpha(coders, length)


def test_units_of_one_category_that_overlap_are_one() -> None:
    overlapping, touching = [(4, 7, "x"), (3, 5, "y"), (2, 5, "x")], [(2, 5, "x"), (5, 7, "x")]
    found = unitised_alpha([[], overlapping], 10)
    assert found.categories == unitised_alpha([[], [(2, 7, "x"), (3, 5, "y")]], 10).categories
    assert found.categories["x"] != unitised_alpha([[], touching], 10).categories["x"]
