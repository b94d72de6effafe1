"""What the results of the tasks have in common: F1 of classes, means, p-values of pairs of systems, the signature.

>>> from aifgraph.stats.matrix import ConfusionMatrix
>>> matrix = ConfusionMatrix(("pro", "con", "non"), ((1, 0, 1), (0, 0, 0), (0, 0, 2)))
>>> [score.f1 for score in class_scores(matrix)], round(macro_f1(matrix, ("pro", "con", "non")), 4)
([0.6666666666666666, None, 0.8], 0.4889)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from aifgraph.errors import InputError, OptionError, choose_from
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.paired import PairedTest, paired_dict, paired_table, paired_tests
from aifgraph.stats.scores import f1 as f1_of
from aifgraph.stats.scores import precision as precision_of
from aifgraph.stats.scores import recall as recall_of
from aifgraph.tables import Cell, Document, Result, Table

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array, Statistic

ZeroDivision = Literal["0", "1", "leave-out"]
ZERO_DIVISION: tuple[ZeroDivision, ...] = ("0", "1", "leave-out")


class TaskResult(Result):
    """A result of a shared task, to print, to store and to cite."""

    __slots__ = ()

    @property
    def signature(self) -> str:
        """The measure, each option that changes a number, and the version, in one line."""
        raise NotImplementedError

    def tables(self) -> list[Table]:
        """The result as tables, as the command line prints them."""
        raise NotImplementedError

    def document(self) -> Document:
        """The tables, and the signature; in CSV it is a table of its own."""
        csv = [*self.tables(), Table("", ("signature",), [(self.signature,)])]
        return Document(tables=self.tables(), csv=csv, signature=self.signature, signature_below=True)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: ``signature``, and the rows of each table under its title in small letters."""
        tables = {table.title.lower().replace(" ", "_"): table.records() for table in self.tables()}
        return {"signature": self.signature, **tables}


@dataclass(frozen=True, slots=True, repr=False)
class Counts(TaskResult):
    """Counts of a data set: nothing but tables."""

    measure: str
    counts: tuple[Table, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        return signature(self.measure, **self.options)

    def tables(self) -> list[Table]:
        return list(self.counts)


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
        raise OptionError(f"{name} {value!r}", remedy=choose_from(allowed))


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
        precision, recall, f1 = precision_of(both), recall_of(both), f1_of(both)
        scores.append(ClassScores(label, precision, recall, f1, gold, predicted))
    return tuple(scores)


def counted_as(zero_division: ZeroDivision) -> str:
    """What becomes of an undefined F1, for a sentence."""
    return "left out" if zero_division == "leave-out" else f"counted as {zero_division}"


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


def ranks(scores: Sequence[float | None]) -> list[int | None]:
    """Ranks from 1 on, the highest score first; equal scores share one, and what has no score has none.

    >>> ranks([0.5, None, 0.7, 0.5])
    [2, None, 1, 2]
    """
    defined = [value for value in scores if value is not None]
    return [None if value is None else 1 + sum(other > value for other in defined) for value in scores]


def mean_and_deviation(values: Sequence[float | None]) -> tuple[float, float] | None:
    """The mean and the population standard deviation (divided by n, not n − 1).

    ``None`` of no values, and where one is undefined.

    >>> mean_and_deviation([1.0, 2.0, 3.0, 4.0]), mean_and_deviation([1.0, None])
    ((2.5, 1.118033988749895), None)
    """
    defined = [value for value in values if value is not None]
    if not defined or len(defined) < len(values):
        return None
    mean = fsum(defined) / len(defined)
    return mean, sqrt(fsum((value - mean) ** 2 for value in defined) / len(defined))


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


def system_names(paths: Sequence[str]) -> list[str]:
    """The names of systems, in order: their files', without folders where that tells them apart.

    Raises:
        InputError: no system, or two of one name.
    """
    names = short(paths)
    if not names or len(set(names)) < len(names):
        twice = some(sorted({name for name in names if names.count(name) > 1}))
        what = f"the file {twice} is given twice" if names else "there is no system"
        raise InputError(what, remedy="give each system's file once")
    return names


def some(ids: Iterable[str], most: int = 3) -> str:
    """Ids for an error's one line: the first few, and how many more.

    >>> some(["7", "8", "9", "10"])
    '7, 8, 9 and 1 more'
    """
    every = list(ids)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


@dataclass(frozen=True, slots=True, repr=False)
class PairTests(TaskResult):
    """The tests of every two systems, by the two-sided approximate randomisation test.

    ``order`` has the systems by their score, best first; ``item`` is what they were run on; ``options`` are further
    ones that change a number.
    """

    order: tuple[str, ...]
    tests: tuple[PairedTest, ...]
    item: str
    measure: str
    rounds: int
    seed: int
    options: Mapping[str, str]

    def of(self, first: str, second: str) -> float | None:
        """The p-value of two systems, None where the score of one is undefined; their order does not matter."""
        return next(test.p for test in self.tests if {test.first, test.second} == {first, second})

    @property
    def signature(self) -> str:
        test = {"test": "approximate-randomisation", "sided": 2, "rounds": self.rounds, "seed": self.seed}
        interval = self.tests[0].interval
        ci = f"{interval.method}.{interval.level:.12g}.{interval.rounds}"
        return signature(self.measure, **test, ci=ci, **self.options)

    def tables(self) -> list[Table]:
        """A row for every two systems: the difference with its interval, p, p after Holm, and which is better."""
        return [paired_table(self.tests, item=self.item, seed=self.seed)]

    def to_dict(self) -> dict[str, Any]:
        return {"signature": self.signature, **paired_dict(self.tests, item=self.item, seed=self.seed)}


def pair_tests(
    rows: Mapping[str, Array],
    statistic: Statistic,
    *,
    item: str,
    measure: str,
    rounds: int,
    seed: int,
    options: Mapping[str, str] | None = None,
) -> PairTests:
    """Test every pair of systems' ``rows`` (items × counts, the same items in the same order) by ``statistic``.

    Raises:
        InputError: fewer than two systems. OptionError: rounds or seed out of range.
    """
    import numpy as np

    if len(rows) < 2:
        raise InputError("there is nothing to compare", remedy="give two systems or more")
    with np.errstate(all="ignore"):
        scores = {name: float(statistic(counts.sum(axis=0)[np.newaxis])[0]) for name, counts in rows.items()}
    order = sorted(rows, key=lambda name: (not np.isfinite(scores[name]), -scores[name], name))
    tests = paired_tests({name: rows[name] for name in order}, statistic, rounds=rounds, seed=seed)
    return PairTests(tuple(order), tests, item, measure, rounds, seed, options or {})


def confusion_row(pairs: Iterable[tuple[str, str]], labels: Sequence[str]) -> list[float]:
    """Confusion counts of (gold, predicted) pairs, row by row: what :func:`macro_f1_of` takes the sum of."""
    row = [0.0] * len(labels) ** 2
    for gold, predicted in pairs:
        row[len(labels) * labels.index(gold) + labels.index(predicted)] += 1
    return row


def check_ids(wanted: Iterable[str], known: Iterable[str], *, answer: str, item: str, gold: str, where: str) -> None:
    """Raise ``InputError`` unless both have the same ids: "no {answer} for the {item} …", or "… is not in {gold}"."""
    expected, answered = dict.fromkeys(wanted), dict.fromkeys(known)
    if missing := [identity for identity in expected if identity not in answered]:
        raise InputError(f"no {answer} for the {item} {some(missing)}", where=where)
    if extra := [identity for identity in answered if identity not in expected]:
        raise InputError(f"the {item} {some(extra)} is not in {gold}", where=where)


def macro_f1_of(counts: Array, labels: int, averaged: Sequence[int], zero_division: ZeroDivision) -> Array:
    """Macro F1 of rows of confusion counts (gold × predicted, ``labels`` squared, one row a sum) over some labels."""
    import numpy as np

    cells = counts.reshape(len(counts), labels, labels)
    gold, predicted = cells.sum(axis=2)[:, averaged], cells.sum(axis=1)[:, averaged]
    both = np.diagonal(cells, axis1=1, axis2=2)[:, averaged]
    absent = gold + predicted == 0
    scores = np.divide(2 * both, gold + predicted, out=np.zeros_like(both), where=~absent)
    if zero_division != "leave-out":
        scores[absent] = float(zero_division)
        mean: Array = scores.mean(axis=1)
        return mean
    with np.errstate(all="ignore"):
        left: Array = scores.sum(axis=1) / (~absent).sum(axis=1)
    return left
