"""Detection scores: how well the second analysis finds what the first one has, ``none`` being the negative.

TP = the diagonal without (none, none); FN = off the diagonal with a first label that is not none; FP = off the
diagonal with a second label that is not none, so that a clash of two labels counts in both; TN = the cell (none, none).
Each is one division of integers, and ``None`` where that would be by 0.

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("RA", "CA", "none"), ((3, 1, 0), (0, 2, 1), (1, 0, 2)))
>>> f1(matrix), precision(matrix), specificity(matrix)
(0.7142857142857143, 0.7142857142857143, 0.5)
"""

from __future__ import annotations

from math import fsum

from aifgraph.stats.matrix import NONE, ConfusionMatrix


def f1(matrix: ConfusionMatrix) -> float | None:
    """2TP / (2TP + FP + FN)."""
    sums = matrix.sums
    double = 2 * sums.true_positives
    rest = double + sums.false_positives + sums.false_negatives
    return double / rest if rest else None


def accuracy(matrix: ConfusionMatrix) -> float | None:
    """The diagonal's share of all items."""
    sums = matrix.sums
    return sums.agreed / sums.total if sums.total else None


def precision(matrix: ConfusionMatrix) -> float | None:
    """TP / (TP + FP)."""
    sums = matrix.sums
    found = sums.true_positives + sums.false_positives
    return sums.true_positives / found if found else None


def recall(matrix: ConfusionMatrix) -> float | None:
    """TP / (TP + FN)."""
    sums = matrix.sums
    sought = sums.true_positives + sums.false_negatives
    return sums.true_positives / sought if sought else None


def specificity(matrix: ConfusionMatrix) -> float | None:
    """TN / (TN + FP)."""
    sums = matrix.sums
    clear = sums.true_negatives + sums.false_positives
    return sums.true_negatives / clear if clear else None


def balanced_accuracy(matrix: ConfusionMatrix) -> float | None:
    """(recall + specificity) / 2; ``None`` if either is."""
    sums = matrix.sums
    sought = sums.true_positives + sums.false_negatives
    clear = sums.true_negatives + sums.false_positives
    both = sought * clear
    return (sums.true_positives * clear + sums.true_negatives * sought) / (2 * both) if both else None


def informedness(matrix: ConfusionMatrix) -> float | None:
    """recall + specificity − 1; ``None`` if either is undefined."""
    sums = matrix.sums
    sought = sums.true_positives + sums.false_negatives
    clear = sums.true_negatives + sums.false_positives
    both = sought * clear
    return (sums.true_positives * clear + sums.true_negatives * sought - both) / both if both else None


def macro_f1(matrix: ConfusionMatrix) -> float | None:
    """The mean, over the labels other than none that occur, of each one's F1 against the rest."""
    sums = matrix.sums
    each = [
        2 * both / (row + column)
        for label, both, row, column in zip(matrix.labels, sums.diagonal, sums.rows, sums.columns, strict=True)
        if label != NONE and row + column
    ]
    # fsum: the order of the labels must not change the last digit.
    return fsum(each) / len(each) if each else None
