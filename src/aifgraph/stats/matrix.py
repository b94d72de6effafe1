"""The confusion matrix of two analyses, and the sums that every score is made of.

Rows belong to the first analysis, columns to the second. Items to which one side gives no label are counted under
the marker ``none``, which is the negative of detection scores and always the last label. All counts are Python
integers, so that nothing is rounded before a score's last division.

>>> matrix = ConfusionMatrix(("RA", "none"), ((3, 1), (2, 10)))
>>> matrix.total, matrix.diagonal, matrix.row_sums, matrix.column_sums
(16, (3, 10), (4, 12), (5, 11))
>>> (matrix + matrix).rows
((6, 2), (4, 20))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import Any, NamedTuple

from aifgraph.errors import LimitError, OptionError

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
    def of(cls, rows: Sequence[Any], columns: Sequence[Any], diagonal: Sequence[Any], with_none: bool) -> Sums:
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
        place = {label: index for index, label in enumerate(labels)}
        rows = [[0] * len(place) for _ in place]
        for (first, second), count in cells.items():
            rows[place[first]][place[second]] += count
        return cls(tuple(place), tuple(map(tuple, rows)))

    @cached_property
    def sums(self) -> Sums:
        """The sums that scores are made of."""
        rows, columns = tuple(map(sum, self.rows)), tuple(map(sum, zip(*self.rows, strict=True)))
        diagonal = tuple(row[place] for place, row in enumerate(self.rows))
        return Sums.of(rows, columns, diagonal, self.labels[-1:] == (NONE,))

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
