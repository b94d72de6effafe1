"""What the results of the tasks have in common: F1 of classes, means, the signature and the plain values.

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("pro", "con", "non"), ((1, 0, 1), (0, 0, 0), (0, 0, 2)))
>>> [score.f1 for score in class_scores(matrix)], round(macro_f1(matrix, ("pro", "con", "non")), 4)
([0.6666666666666666, None, 0.8], 0.4889)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from pathlib import Path
from typing import Any, Literal

from aifgraph.errors import OptionError
from aifgraph.stats import detection
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.tables import Cell, Table

ZeroDivision = Literal["0", "1", "leave-out"]
ZERO_DIVISION: tuple[ZeroDivision, ...] = ("0", "1", "leave-out")


class Result:
    """A result of a shared task, to print, to store and to cite."""

    __slots__ = ()

    @property
    def signature(self) -> str:
        """The measure, each option that changes a number, and the version, in one line."""
        raise NotImplementedError

    def tables(self) -> list[Table]:
        """The result as tables.

        Returns:
            The tables that the command line prints.
        """
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """For JSON.

        Returns:
            Plain values, with ``signature`` and the rows of each table under its title in small letters.
        """
        tables = {table.title.lower().replace(" ", "_"): table.records() for table in self.tables()}
        return {"signature": self.signature, **tables}


def signature(measure: str, **options: object) -> str:
    """``measure|option:value|…|version:…``: the line from which the numbers can be had again; ``None`` is "none".

    >>> signature("arct.significance", rounds=10000, seed=1).rpartition("|version:")[0]
    'arct.significance|rounds:10000|seed:1'
    """
    from aifgraph.version import __version__

    parts = [f"{name}:{'none' if value is None else value}" for name, value in options.items()]
    return "|".join([measure, *parts, f"version:{__version__}"])


def one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise ``OptionError`` unless the option ``name`` has one of the ``allowed`` values."""
    if value not in allowed:
        raise OptionError(f"{name} {value!r}", remedy=f"choose from {', '.join(allowed)}")


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
    scores = []
    for label, gold, predicted in zip(matrix.labels, matrix.row_sums, matrix.column_sums, strict=True):
        both = matrix.collapse(label)
        precision, recall, f1 = detection.precision(both), detection.recall(both), detection.f1(both)
        scores.append(ClassScores(label, precision, recall, f1, gold, predicted))
    return tuple(scores)


def macro_f1(matrix: ConfusionMatrix, labels: Sequence[str], zero_division: ZeroDivision = "0") -> float | None:
    """The unweighted mean of the F1 of ``labels``.

    A label absent from both sides has no F1: it counts as 0 or 1, or is left out, as ``zero_division`` says; ``None``
    if all are left out.

    Raises:
        OptionError: another ``zero_division``.
    """
    one_of("zero_division", zero_division, ZERO_DIVISION)
    return mean_of([score.f1 for score in class_scores(matrix) if score.label in labels], zero_division)


def mean_of(values: Sequence[float | None], zero_division: ZeroDivision = "0") -> float | None:
    """The mean of values that may be undefined, those counted as ``zero_division`` says."""
    if zero_division == "leave-out":
        counted = [value for value in values if value is not None]
    else:
        counted = [float(zero_division) if value is None else value for value in values]
    return fsum(counted) / len(counted) if counted else None


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float] | None:
    """The mean and the population standard deviation (divided by n, not n − 1); ``None`` of no values.

    >>> mean_and_deviation([1.0, 2.0, 3.0, 4.0])
    (2.5, 1.118033988749895)
    """
    if not values:
        return None
    mean = fsum(values) / len(values)
    return mean, sqrt(fsum((value - mean) ** 2 for value in values) / len(values))


def mean_rows(means: Sequence[tuple[float | None, float | None] | None]) -> list[tuple[Cell, ...]]:
    """Two rows for the end of a table of runs: the mean of each column, and its deviation.

    >>> mean_rows([(0.5, 0.1), None])
    [('mean', 0.5, None), ('deviation', 0.1, None)]
    """
    return [(name, *(pair and pair[place] for pair in means)) for place, name in enumerate(("mean", "deviation"))]


def short(names: Sequence[str]) -> list[str]:
    """File names without their folders, unless two would then be the same.

    >>> short(["a/x.json", "b/y.json"]), short(["a/x.json", "b/x.json"])
    (['x.json', 'y.json'], ['a/x.json', 'b/x.json'])
    """
    bare = [Path(name).name for name in names]
    return bare if len(set(bare)) == len(bare) else list(names)


def some(ids: Iterable[str], most: int = 3) -> str:
    """Ids for an error's one line: the first few, and how many more.

    >>> some(["7", "8", "9", "10"])
    '7, 8, 9 and 1 more'
    """
    every = list(ids)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
