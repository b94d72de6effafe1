"""Precision, recall and F1 of each class of a confusion matrix, and their macro average.

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("pro", "con", "non"), ((1, 0, 1), (0, 0, 0), (0, 0, 2)))
>>> [score.f1 for score in class_scores(matrix)], round(macro_f1(matrix, ("pro", "con", "non")), 4)
([0.6666666666666666, None, 0.8], 0.4889)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from aifgraph.errors import OptionError
from aifgraph.stats import detection
from aifgraph.stats.matrix import ConfusionMatrix

ZeroDivision = Literal["0", "1", "leave-out"]
ZERO_DIVISION: tuple[ZeroDivision, ...] = ("0", "1", "leave-out")


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Of one class against the rest; ``gold`` and ``predicted`` are counts, a score without instances is ``None``."""

    label: str
    precision: float | None
    recall: float | None
    f1: float | None
    gold: int
    predicted: int


def class_scores(matrix: ConfusionMatrix) -> tuple[ClassScores, ...]:
    """The scores of every label of ``matrix`` (rows are gold, columns predicted), in its order."""
    found = []
    for label, gold, predicted in zip(matrix.labels, matrix.row_sums, matrix.column_sums, strict=True):
        both = matrix.collapse(label)
        precision, recall, f1 = detection.precision(both), detection.recall(both), detection.f1(both)
        found.append(ClassScores(label, precision, recall, f1, gold, predicted))
    return tuple(found)


def macro_f1(matrix: ConfusionMatrix, labels: Sequence[str], zero_division: ZeroDivision = "0") -> float | None:
    """The unweighted mean of the F1 of ``labels``.

    A label absent from both sides has no F1: it counts as 0 or 1, or is left out, as ``zero_division`` says; ``None``
    if all are left out.

    Raises:
        OptionError: another ``zero_division``.
    """
    if zero_division not in ZERO_DIVISION:
        raise OptionError(f"zero_division {zero_division!r}", remedy=f"choose from {', '.join(ZERO_DIVISION)}")
    return mean_of([score.f1 for score in class_scores(matrix) if score.label in labels], zero_division)


def mean_of(values: Sequence[float | None], zero_division: ZeroDivision = "0") -> float | None:
    """The mean of values that may be undefined, those counted as ``zero_division`` says."""
    if zero_division == "leave-out":
        counted = [value for value in values if value is not None]
    else:
        counted = [float(zero_division) if value is None else value for value in values]
    return fsum(counted) / len(counted) if counted else None
