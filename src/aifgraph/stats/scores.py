"""Scores of confusion matrices (docs/measures.md, section 5).

A formula takes the sums of one matrix, which are whole numbers, so that nothing is rounded before its last division, or
of many matrices, which are arrays. In formulas n is the number of items, D the diagonal's sum, r and c a label's row
and column sums, P = Σ rc, Q = Σ(r + c)²; TP, FP, FN and TN take ``none`` as the negative.

>>> matrix = ConfusionMatrix(("RA", "none"), ((0, 0), (0, 9)))
>>> SCORES["kappa"](matrix), SCORES["f1"](matrix)
(1.0, None)
>>> undefined_reason("f1", matrix)
'neither side has a label'
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, nan
from typing import TYPE_CHECKING, Any

from aifgraph.stats.matrix import ConfusionMatrix, Sums

if TYPE_CHECKING:
    from aifgraph.stats.resampling import Array

Formula = Callable[[Sums], Any]


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a confusion matrix; calling it gives the value, or None where it is undefined.

    ``symmetric`` says whether the value stays the same when the two analyses are swapped; ``undefined`` is the reason
    given where a matrix that has items has no value.
    """

    formula: Formula
    symmetric: bool = True
    undefined: str = "a denominator is 0"

    def __call__(self, matrix: ConfusionMatrix) -> float | None:
        return self.of(matrix.sums)

    def of(self, sums: Sums) -> float | None:
        """Return the value of the sums of one matrix."""
        value: float | None = self.formula(sums) if sums.total else None
        return value


# Formulas. What is undefined is None, or NaN in arrays.


def quotient(numerator: Any, denominator: Any, otherwise: float | None = None) -> Any:
    """Divide numbers or arrays; where the denominator is 0, the value is ``otherwise``."""
    if isinstance(denominator, (int, float)):  # a union takes longer
        return numerator / denominator if denominator else otherwise
    return _where(denominator != 0, numerator / denominator, nan if otherwise is None else otherwise)


def _where(condition: Any, value: Any, otherwise: Any) -> Any:
    if isinstance(condition, bool):
        return value if condition else otherwise
    import numpy as np

    return np.where(condition, value, otherwise)


def mean_of(values: Sequence[Any]) -> Any:
    """Return the mean of the numbers or arrays that are defined; None (NaN) where none is."""
    known = [value for value in values if value is not None]
    if known and not isinstance(known[0], float):
        return nan_mean(known)
    return fsum(known) / len(known) if known else None  # fsum: their order must not change the last digit


def _kappa(s: Sums) -> Any:
    """(nD − Σrc) / (n² − Σrc), 1 if chance agreement is 1 (Cohen 1960)."""
    return quotient(s.total * s.agreed - s.products, s.total * s.total - s.products, 1.0)


def _f1(s: Sums) -> Any:
    return quotient(2 * s.true_positives, 2 * s.true_positives + s.false_positives + s.false_negatives)


def _precision(s: Sums) -> Any:
    return quotient(s.true_positives, s.true_positives + s.false_positives)


def _recall(s: Sums) -> Any:
    return quotient(s.true_positives, s.true_positives + s.false_negatives)


def _specificity(s: Sums) -> Any:
    return quotient(s.true_negatives, s.true_negatives + s.false_positives)


def _balanced_accuracy(s: Sums) -> Any:
    """(recall + specificity) / 2."""
    positives, negatives = s.true_positives + s.false_negatives, s.true_negatives + s.false_positives
    return quotient(s.true_positives * negatives + s.true_negatives * positives, 2 * positives * negatives)


def _informedness(s: Sums) -> Any:
    """Recall + specificity − 1 (Powers 2011)."""
    positives, negatives = s.true_positives + s.false_negatives, s.true_negatives + s.false_positives
    both = positives * negatives
    return quotient(s.true_positives * negatives + s.true_negatives * positives - both, both)


def _mcc(s: Sums) -> Any:
    """(nD − Σrc) / √((n² − Σr²)(n² − Σc²)), 1 if all is on the diagonal (Matthews 1975; Gorodkin 2004)."""
    square = s.total * s.total
    spread = ((square - s.row_squares) * (square - s.column_squares)) ** 0.5
    return _where(s.agreed == s.total, 1.0, quotient(s.total * s.agreed - s.products, spread))


def _macro_f1(s: Sums) -> Any:
    """The mean of 2d / (r + c) over the labels that occur, ``none`` left out (Yang and Liu 1999)."""
    labels = len(s.rows) - s.with_none
    sums = zip(s.diagonal[:labels], s.rows, s.columns, strict=False)
    return mean_of([quotient(2 * both, row + column) for both, row, column in sums])


def _pi(s: Sums) -> Any:
    """(4nD − Q) / (4n² − Q), 1 if all is on the diagonal (Scott 1955)."""
    return quotient(4 * s.total * s.agreed - s.pooled_squares, 4 * s.total * s.total - s.pooled_squares, 1.0)


def _alpha(s: Sums) -> Any:
    """1 − 2(n − D)(2n − 1) / (4n² − Q) (Krippendorff 2011)."""
    apart = 4 * s.total * s.total - s.pooled_squares
    return quotient(apart - 2 * (s.total - s.agreed) * (2 * s.total - 1), apart, 1.0)


def _ac1(s: Sums) -> Any:
    """(D/n − e) / (1 − e), e = Σπ(1 − π) / (q − 1), π = (r + c) / 2n, q labels that occur, at least 2 (Gwet 2008)."""
    occurring = sum((row + column > 0) + 0 for row, column in zip(s.rows, s.columns, strict=True))
    free = occurring - 1 + (occurring < 2)  # at least 1
    apart = 4 * s.total * s.total - s.pooled_squares
    return quotient(4 * s.total * s.agreed * free - apart, 4 * s.total * s.total * free - apart)


_NO_LABEL, _NO_RATE = "neither side has a label", "recall or specificity is undefined"

#: Every score by its name, in the order in which reports show them.
SCORES: dict[str, Score] = {
    "kappa": Score(_kappa),
    "f1": Score(_f1, undefined=_NO_LABEL),
    "accuracy": Score(lambda s: quotient(s.agreed, s.total)),
    "precision": Score(_precision, False, "the second side has no label"),
    "recall": Score(_recall, False, "the first side has no label"),
    "specificity": Score(_specificity, False, "no negatives"),
    "balanced_accuracy": Score(_balanced_accuracy, False, _NO_RATE),
    "informedness": Score(_informedness, False, _NO_RATE),
    "mcc": Score(_mcc, undefined="one side uses a single label"),
    "macro_f1": Score(_macro_f1, undefined=_NO_LABEL),
    "pi": Score(_pi),
    "alpha": Score(_alpha),
    "ac1": Score(_ac1),
}


def score_all(matrix: ConfusionMatrix, names: Iterable[str] = SCORES) -> dict[str, float | None]:
    """Return the values of scores by name."""
    return {name: SCORES[name](matrix) for name in names}


#: Scores that are not printed as they are called.
_PRINTED = {"kappa": "κ", "pi": "π", "alpha": "α", "f1": "F1", "macro_f1": "macro F1", "mcc": "MCC", "ac1": "AC1"}
#: Numbers against chance, which formulas write E(M), M′ …
AGAINST_CHANCE = {"E": "M by chance", "M'": "M above chance", "CASS'": "CASS above chance"}
AGAINST_CHANCE |= {"E(ER)": "ER by chance", "ER'": "ER above chance"}


def printed_name(key: str) -> str:
    """Return a score or a number, by its key in JSON, CSV and Python, as it is printed.

    >>> printed_name("kappa"), printed_name("argument M-f1"), printed_name("dialogue CASS'-kappa")
    ('κ', 'argument M-F1', 'dialogue CASS-κ above chance')
    """
    head, dash, score = key.rpartition("-")
    score = _PRINTED.get(score, score.replace("_", " "))
    part, space, what = head.rpartition(" ")
    what, by, chance = AGAINST_CHANCE.get(what, what).partition(" ")
    return f"{part}{space}{what}{dash}{score}{by}{chance}"


def undefined_reason(name: str, matrix: ConfusionMatrix) -> str:
    """Return why a score has no value on a matrix on which it has none."""
    return SCORES[name].undefined if matrix.total else "the matrix has no items"


def matrix_scores(cells: Array, names: Collection[str] = tuple(SCORES)) -> dict[str, Array]:
    """Return scores of many matrices (× labels × labels, ``none`` last) by name; NaN where one is undefined."""
    import numpy as np

    diagonal = np.einsum("rii->ir", cells)
    sums = Sums.of(list(cells.sum(axis=2).T), list(cells.sum(axis=1).T), list(diagonal), with_none=True)
    with np.errstate(all="ignore"):
        return {name: np.where(sums.total > 0, SCORES[name].formula(sums), np.nan) for name in names}


def against_rest(cells: Array, label: int) -> Array:
    """Return the matrices of one label against all the rest."""
    import numpy as np

    both, first, second = cells[:, label, label], cells[:, label].sum(axis=1), cells[:, :, label].sum(axis=1)
    rest = cells.sum(axis=(1, 2)) - first - second + both
    return np.array([[both, first - both], [second - both, rest]]).transpose(2, 0, 1)


def nan_mean(values: Sequence[Array] | Array) -> Array:
    """Return the mean over the first axis of what is defined; NaN where nothing is."""
    import numpy as np

    table = np.asarray(values, dtype=np.float64)
    known = np.isfinite(table)
    with np.errstate(all="ignore"):
        mean: Array = np.where(known, table, 0).sum(axis=0) / known.sum(axis=0)
    return mean
