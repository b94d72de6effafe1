"""Confusion matrices and their scores against numbers worked out by hand, exact fractions and scikit-learn."""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.stats.scores import SCORES, matrix_scores, score_all, undefined_reason
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


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ConfusionMatrix(("a", "b"), ((1, 2),)),
        lambda: ConfusionMatrix(("a", "b"), ((1, 2), (3,))),
        lambda: ConfusionMatrix(("a", "a"), ((1, 2), (3, 4))),
        lambda: ConfusionMatrix((NONE, "a"), ((1, 2), (3, 4))),
        lambda: ConfusionMatrix(("a", NONE), ((1, 2), (-3, 4))),
    ],
)
def test_what_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(OptionError):
        wrong()


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
