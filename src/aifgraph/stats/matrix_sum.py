"""A sum of many confusion matrices."""

from __future__ import annotations

from operator import add

from aifgraph.stats.matrix import ConfusionMatrix


class MatrixSum:
    """A sum of matrices. Those whose labels it knows, as most do, are added without a matrix for every step.

    >>> total = MatrixSum(ConfusionMatrix(("RA", "none"), ((3, 1), (2, 10))))
    >>> total.add(ConfusionMatrix(("none",), ((5,),)))
    >>> total.total.rows
    ((3, 1), (2, 15))
    """

    def __init__(self, first: ConfusionMatrix) -> None:
        self._begin(first)

    def _begin(self, first: ConfusionMatrix) -> None:
        self._sum = first
        self._further = [[0] * len(first.labels) for _ in first.labels]  # what is not in the sum yet
        self._places = {label: place for place, label in enumerate(first.labels)}

    def add(self, matrix: ConfusionMatrix) -> None:
        """Add a matrix."""
        further, labels = self._further, matrix.labels
        if labels == self._sum.labels:
            for row, more in zip(further, matrix.rows, strict=True):
                row[:] = map(add, row, more)
        elif self._places.keys() >= set(labels):
            places = [self._places[label] for label in labels]
            for place, more in zip(places, matrix.rows, strict=True):
                row = further[place]
                for other, number in zip(places, more, strict=True):
                    row[other] += number
        else:
            self._begin(self.total + matrix)

    @property
    def total(self) -> ConfusionMatrix:
        """The sum."""
        return self._sum + ConfusionMatrix(self._sum.labels, tuple(map(tuple, self._further)))
