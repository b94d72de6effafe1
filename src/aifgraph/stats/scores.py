"""The confusion matrix of two analyses, and its scores (docs/measures.md, section 5).

Rows belong to the first analysis, columns to the second. Items to which one side gives no label are counted under
the marker ``none``, which is the negative of detection scores and always the last label. All counts are Python
integers, so that nothing is rounded before a score's last division.

A formula takes the sums of one matrix, which are whole numbers, or of many matrices, which are arrays. In formulas n is
the number of items, D the diagonal's sum, r and c a label's row and column sums, P = Σ rc, Q = Σ(r + c)²; TP, FP, FN
and TN take ``none`` as the negative.

>>> matrix = ConfusionMatrix(("RA", "none"), ((3, 1), (2, 10)))
>>> matrix.total, matrix.diagonal, matrix.row_sums, matrix.column_sums
(16, (3, 10), (4, 12), (5, 11))
>>> (matrix + matrix).rows
((6, 2), (4, 20))
>>> empty = ConfusionMatrix(("RA", "none"), ((0, 0), (0, 9)))
>>> SCORES["kappa"](empty), SCORES["f1"](empty), undefined_reason("f1", empty)
(1.0, None, 'neither side has a label')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, nan
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

from aifgraph.errors import LimitError, OptionError

if TYPE_CHECKING:
    from aifgraph.stats.resampling import Array

NONE = "none"
"""The marker of "no label on this side"; the negative label, and the last one of a matrix that has it."""

#: The most labels of a matrix that is counted; the largest corpora have 20 illocutionary labels.
MAX_LABELS = 200


class Sums(NamedTuple):
    """What scores are made of: whole numbers of one matrix, or arrays with a number for each of many matrices.

    ``rows``, ``columns`` and ``diagonal`` have an entry for each label, ``none`` last if ``with_none``; ``agreed`` is
    the diagonal's sum, ``products`` the sum of each row's times the same column's. True and false
    positives and negatives take ``none`` as the negative; a clash of two labels is a false positive and a false
    negative.
    """

    rows: Sequence[Any]
    columns: Sequence[Any]
    diagonal: Sequence[Any]
    with_none: bool
    total: Any
    agreed: Any
    products: Any
    row_squares: Any
    column_squares: Any
    pooled_squares: Any
    true_positives: Any
    false_positives: Any
    false_negatives: Any
    true_negatives: Any

    @classmethod
    def from_margins(
        cls, rows: Sequence[Any], columns: Sequence[Any], diagonal: Sequence[Any], with_none: bool
    ) -> Sums:
        """Return the sums of the row sums, the column sums and the diagonal."""
        total, agreed, products = sum(rows), sum(diagonal), sum(map(mul, rows, columns))
        row_squares, column_squares = sum(map(mul, rows, rows)), sum(map(mul, columns, columns))
        row_none, column_none, negatives = (rows[-1], columns[-1], diagonal[-1]) if with_none else (0, 0, 0)
        positives = agreed - negatives
        pooled_squares = row_squares + column_squares + 2 * products
        squares = row_squares, column_squares, pooled_squares
        cells = positives, total - column_none - positives, total - row_none - positives, negatives
        return cls(rows, columns, diagonal, with_none, total, agreed, products, *squares, *cells)


@dataclass(frozen=True)
class ConfusionMatrix:
    """Counts of items by the label of the first analysis (rows) and of the second analysis (columns).

    ``labels`` are unique, in the owner's order, ``none`` last where it occurs; ``rows`` is square, of the size of
    ``labels``, and holds counts of 0 or more.
    """

    labels: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        labels, size = self.labels, len(self.labels)
        if len(self.rows) != size or any(len(row) != size for row in self.rows):
            raise OptionError("a confusion matrix needs one row and one column per label", where=f"labels {labels}")
        if len(set(labels)) != size:
            raise OptionError("a label of the confusion matrix is repeated", where=f"labels {labels}")
        if NONE in labels and labels[-1] != NONE:
            raise OptionError("the label 'none' must be the last one", where=f"labels {labels}")
        for row in self.rows:
            if min(row) < 0:
                raise OptionError("a count of the confusion matrix is negative", where=f"row {row}")

    @classmethod
    def counts(cls, cells: Mapping[tuple[str, str], int], labels: Sequence[str] | None = None) -> ConfusionMatrix:
        """Make the matrix of ``cells`` (first label, second label) → count.

        ``labels`` fixes their order (and may hold some that do not occur); without it they are sorted, ``none`` last.
        """
        if labels is None:
            labels = in_order(sorted({label for cell in cells for label in cell}))
        check_labels(labels)
        index = {label: number for number, label in enumerate(labels)}
        rows = [[0] * len(index) for _ in index]
        for (first, second), count in cells.items():
            rows[index[first]][index[second]] += count
        return cls(tuple(index), tuple(map(tuple, rows)))

    @cached_property
    def sums(self) -> Sums:
        """The sums that scores are made of."""
        rows, columns = tuple(map(sum, self.rows)), tuple(map(sum, zip(*self.rows, strict=True)))
        diagonal = tuple(row[index] for index, row in enumerate(self.rows))
        return Sums.from_margins(rows, columns, diagonal, self.labels[-1:] == (NONE,))

    @property
    def total(self) -> int:
        """The number of items."""
        total: int = self.sums.total
        return total

    @property
    def diagonal(self) -> tuple[int, ...]:
        """For each label, the number of items to which both analyses give it."""
        return tuple(self.sums.diagonal)

    @property
    def row_sums(self) -> tuple[int, ...]:
        """For each label, the number of items to which the first analysis gives it."""
        return tuple(self.sums.rows)

    @property
    def column_sums(self) -> tuple[int, ...]:
        """For each label, the number of items to which the second analysis gives it."""
        return tuple(self.sums.columns)

    @property
    def cells(self) -> dict[tuple[str, str], int]:
        """The cells that are not 0, row by row: (first label, second label) → count."""
        pairs = zip(self.labels, self.rows, strict=True)
        return {(a, b): n for a, row in pairs for b, n in zip(self.labels, row, strict=True) if n}

    def count(self, first: str, second: str) -> int:
        """Return the number of items called ``first`` by the first analysis and ``second`` by the second."""
        if first not in self.labels or second not in self.labels:
            return 0
        return self.rows[self.labels.index(first)][self.labels.index(second)]

    def collapse(self, label: str) -> ConfusionMatrix:
        """Set ``label`` against the rest: return a matrix with the labels ``(label, none)``.

        >>> ConfusionMatrix(("RA", "CA", "none"), ((3, 1, 0), (0, 2, 0), (1, 0, 5))).collapse("RA").rows
        ((3, 1), (1, 7))
        """
        sums, index = self.sums, self.labels.index(label)
        both, first, second = sums.diagonal[index], sums.rows[index], sums.columns[index]
        rest = sums.total - first - second + both
        return ConfusionMatrix((label, NONE), ((both, first - both), (second - both, rest)))

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Add cell by cell, over the labels of both (the second's new ones after the first's, ``none`` last)."""
        labels = in_order(dict.fromkeys(self.labels + other.labels))
        return ConfusionMatrix.counts(Counter(self.cells) + Counter(other.cells), labels)


def check_labels(labels: Sequence[str]) -> None:
    """Raise ``LimitError`` if labels are too many for a matrix."""
    if len(labels) > MAX_LABELS:
        raise LimitError(f"more than {MAX_LABELS} labels in one matrix", where=f"label {labels[0]!r}"[:100])


def in_order(labels: Iterable[str]) -> list[str]:
    """Return labels in their order, ``none`` last."""
    return sorted(labels, key=lambda label: label == NONE)


# -- scores -----------------------------------------------------------------------------------------------------------

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
        return self.from_sums(matrix.sums)

    def from_sums(self, sums: Sums) -> float | None:
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
    sums = Sums.from_margins(list(cells.sum(axis=2).T), list(cells.sum(axis=1).T), list(diagonal), with_none=True)
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
