import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats.matrix import NONE, ConfusionMatrix

labels = st.sampled_from(["RA", "CA", "MA", NONE])
pairs = st.lists(st.tuples(labels, labels), max_size=30)


def test_sums_by_hand() -> None:
    matrix = ConfusionMatrix(("RA", "CA", "none"), ((3, 1, 2), (0, 4, 1), (5, 0, 6)))
    assert matrix.total == 22
    assert matrix.diagonal == (3, 4, 6)
    assert matrix.row_sums == (6, 5, 11)
    assert matrix.column_sums == (8, 5, 9)
    sums = matrix.sums
    assert (sums.agreed, sums.chance) == (13, 6 * 8 + 5 * 5 + 11 * 9)
    assert (sums.row_squares, sums.column_squares) == (36 + 25 + 121, 64 + 25 + 81)
    assert sums.pooled_squares == 14**2 + 10**2 + 20**2
    # A clash (RA, CA) is one false negative and one false positive.
    assert (sums.true_positives, sums.false_negatives) == (7, 1 + 2 + 0 + 1)
    assert (sums.false_positives, sums.true_negatives) == (1 + 0 + 5 + 0, 6)


def test_without_none_there_are_no_negatives() -> None:
    sums = ConfusionMatrix(("a", "b"), ((3, 1), (2, 4))).sums
    assert (sums.true_positives, sums.false_negatives, sums.false_positives, sums.true_negatives) == (7, 3, 3, 0)


def test_the_empty_matrix_sums_to_zero() -> None:
    matrix = ConfusionMatrix((), ())
    assert matrix.total == 0
    assert matrix.transposed() == matrix


def test_counts_orders_labels_and_puts_none_last() -> None:
    matrix = ConfusionMatrix.counts({("z", NONE): 2, (NONE, "a"): 1})
    assert matrix.labels == ("a", "z", NONE)
    assert matrix.rows == ((0, 0, 0), (0, 0, 2), (1, 0, 0))
    assert ConfusionMatrix.counts({("z", NONE): 2}, ["z", "a", NONE]).labels == ("z", "a", NONE)


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (("a", "b"), ((1, 2),)),
        (("a", "b"), ((1, 2), (3,))),
        (("a", "a"), ((1, 2), (3, 4))),
        ((NONE, "a"), ((1, 2), (3, 4))),
        (("a", NONE), ((1, 2), (-3, 4))),
    ],
)
def test_malformed_matrices_are_refused(names: tuple[str, ...], rows: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(OptionError):
        ConfusionMatrix(names, rows)


def test_a_label_outside_the_given_ones_is_refused() -> None:
    with pytest.raises(OptionError, match="'b'"):
        ConfusionMatrix.counts({("a", "b"): 1}, ["a"])


def test_adding_takes_the_union_of_labels() -> None:
    first = ConfusionMatrix(("RA", NONE), ((1, 2), (3, 4)))
    second = ConfusionMatrix(("CA", "RA", NONE), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    both = first + second
    assert both.labels == ("RA", "CA", NONE)
    assert both.rows == ((2, 0, 2), (0, 1, 0), (3, 0, 5))


@given(pairs, pairs)
def test_adding_is_counting_together(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
    both = ConfusionMatrix.of_pairs(first) + ConfusionMatrix.of_pairs(second)
    assert both.cells == ConfusionMatrix.of_pairs(first + second).cells
    assert both.cells == (ConfusionMatrix.of_pairs(second) + ConfusionMatrix.of_pairs(first)).cells


@given(pairs)
def test_transposing_swaps_the_sides(items: list[tuple[str, str]]) -> None:
    matrix = ConfusionMatrix.of_pairs(items)
    swapped = ConfusionMatrix.of_pairs([(b, a) for a, b in items])
    assert matrix.transposed() == swapped
    assert matrix.transposed().transposed() == matrix


@given(pairs, st.sampled_from(["RA", "CA"]))
def test_collapse_sets_one_label_against_the_rest(items: list[tuple[str, str]], label: str) -> None:
    matrix = ConfusionMatrix.of_pairs(items, ["RA", "CA", "MA", NONE])
    expected = ConfusionMatrix.of_pairs(
        [(a if a == label else NONE, b if b == label else NONE) for a, b in items], [label, NONE]
    )
    assert matrix.collapse(label) == expected


def test_collapse_needs_a_label_of_the_matrix() -> None:
    for name in ("XX", NONE):
        with pytest.raises(OptionError):
            ConfusionMatrix(("RA", NONE), ((1, 0), (0, 1))).collapse(name)


def test_count_of_a_cell() -> None:
    matrix = ConfusionMatrix(("RA", NONE), ((1, 2), (3, 4)))
    assert matrix.count("RA", NONE) == 2
    assert matrix.count("RA", "XX") == 0
