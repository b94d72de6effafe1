"""What the three tasks share: F1 of classes, means over runs, names and ids of systems, results.

A score without instances is None.

>>> cells = confusion([("pro", "pro"), ("pro", "non"), ("non", "non")], ("pro", "con", "non"))
>>> class_scores(cells).f1[1:], round(macro(class_scores(cells).f1), 3)
((None, 0.6666666666666666), 0.444)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from aifgraph.errors import InputError, OptionError, choose_from
from aifgraph.stats.scores import ConfusionMatrix, quotient
from aifgraph.stats.scores import mean_of as mean_score
from aifgraph.tables import Cell, Result, Table, captioned
from aifgraph.version import __version__

#: What an F1 without instances counts as in a mean.
ZeroDivision: TypeAlias = Literal["0", "1", "leave-out"]
ZERO_DIVISION: Final[tuple[ZeroDivision, ...]] = ("0", "1", "leave-out")


@dataclass(frozen=True, slots=True, repr=False)
class TaskResult(Result):
    """A result of a shared task, to print, to store and to cite.

    ``signature`` has the measure, each option that changes a number, and the version, in one line; ``caveats`` are
    said with the result.
    """

    signature: str
    listed: tuple[Table, ...]
    caveats: tuple[str, ...] = field(default=(), kw_only=True)

    def tables(self) -> list[Table]:
        """Return the result as tables."""
        return list(self.listed)

    def records(self, title: str) -> list[dict[str, Cell]]:
        """Return the rows of a table, each a value by column.

        >>> TaskResult("", (Table("Scores", ("score", "value"), [("F1", 0.5)]),)).records("Scores")
        [{'score': 'F1', 'value': 0.5}]
        """
        return next(table.records() for table in self.listed if table.title == title)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: ``signature``, and the rows of each table under its title in small letters."""
        tables = {table.title.lower().replace(" ", "_"): table.records() for table in self.listed}
        return {"signature": self.signature, **tables}

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the tables, in LaTeX with captions, and the signature."""
        tables = self.tables()
        subject = f"Task {self.signature.partition('|')[0].replace('.', ' ')}"
        return captioned(tables, subject, self.signature) if format == "latex" else tables, self.signature


def signature(measure: str, **options: object) -> str:
    """Return the line from which the numbers can be had again.

    >>> signature("arct.significance", rounds=10000, seed=None).rpartition("|")[0]
    'arct.significance|rounds=10000|seed=none'
    """
    parts = [f"{name}={'none' if value is None else value}" for name, value in options.items()]
    return "|".join([measure, *parts, f"v={__version__}"])


def one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise ``OptionError`` unless an option has one of the allowed values."""
    if value not in allowed:
        raise OptionError(f"{name} cannot be {value!r}", remedy=choose_from(allowed))


# -- F1 ---------------------------------------------------------------------------------------------------------------


class Score(NamedTuple):
    """A number, or None and the ``reason`` why it is undefined."""

    value: float | None
    reason: str | None = None


class ClassScores(NamedTuple):
    """The scores of each label against the rest, None where undefined; ``gold`` and ``predicted`` are counts."""

    precision: tuple[float | None, ...]
    recall: tuple[float | None, ...]
    f1: tuple[float | None, ...]
    gold: tuple[int, ...]
    predicted: tuple[int, ...]


def confusion(pairs: Iterable[tuple[str, str]], labels: Sequence[str]) -> ConfusionMatrix:
    """Return the counts of pairs of gold and predicted labels."""
    return ConfusionMatrix.counts(Counter(pairs), labels)


def class_scores(cells: ConfusionMatrix) -> ClassScores:
    """Return precision, recall and F1 of every label."""
    counts = zip(cells.diagonal, cells.row_sums, cells.column_sums, strict=True)
    rows = [
        (quotient(d, predicted), quotient(d, gold), quotient(2 * d, gold + predicted), gold, predicted)
        for d, gold, predicted in counts
    ]
    return ClassScores(*zip(*rows, strict=True))


def macro(values: Iterable[float | None], zero_division: ZeroDivision = "0") -> float | None:
    """Return the mean, None without values; undefined ones count as ``zero_division`` says."""
    if zero_division != "leave-out":
        values = [float(zero_division) if value is None else value for value in values]
    mean: float | None = mean_score([value for value in values if value is not None])
    return mean


def class_rows(cells: ConfusionMatrix, names: Sequence[str]) -> list[tuple[Cell, ...]]:
    """Return a row for each label: name, precision, recall, F1, gold, predicted."""
    return list(zip(names, *class_scores(cells), strict=False))


def absent(cells: ConfusionMatrix, names: Sequence[str]) -> list[str]:
    """Return a sentence for each label that neither side has."""
    missing = (name for name, f1 in zip(names, class_scores(cells).f1, strict=False) if f1 is None)
    return [f"neither gold nor prediction has the class {name!r}, so its F1 is undefined" for name in missing]


# -- systems and runs -------------------------------------------------------------------------------------------------


class Mean(NamedTuple):
    """Mean and population standard deviation over runs."""

    value: float
    deviation: float


def mean_of(values: Iterable[float | None]) -> Mean | None:
    """Return the mean over runs, ``None`` without runs and where one is undefined.

    >>> mean_of([1.0, 2.0, 3.0, 4.0]), mean_of([1.0, None])
    (Mean(value=2.5, deviation=1.118033988749895), None)
    """
    listed = list(values)
    numbers = [value for value in listed if value is not None]
    if not numbers or len(numbers) < len(listed):
        return None
    mean = fsum(numbers) / len(numbers)
    return Mean(mean, sqrt(fsum((value - mean) ** 2 for value in numbers) / len(numbers)))


def mean_rows(means: Sequence[Mean | None]) -> list[tuple[Cell, ...]]:
    """Return two rows for the end of a table of runs: the means of its columns, and their deviations."""
    return [(name, *(mean and mean[place] for mean in means)) for place, name in enumerate(("mean", "deviation"))]


def ranks(scores: Sequence[float | None]) -> list[int | None]:
    """Return ranks from 1, the highest score first; equal scores share one.

    >>> ranks([0.5, None, 0.7, 0.5])
    [2, None, 1, 2]
    """
    numbers = [score for score in scores if score is not None]
    return [None if score is None else 1 + sum(other > score for other in numbers) for score in scores]


def file_names(paths: Sequence[str]) -> list[str]:
    """Return file names without their folders, unless two would then be the same.

    >>> file_names(["a/x.json", "b/y.json"]), file_names(["a/x.json", "b/x.json"])
    (['x.json', 'y.json'], ['a/x.json', 'b/x.json'])
    """
    bare = [Path(path).name for path in paths]
    return bare if len({*bare}) == len(bare) else list(paths)


def check_names(names: Sequence[str]) -> None:
    """Raise ``InputError`` where there is no system, or two of one name."""
    if not names:
        raise InputError("give at least one system")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"two systems are called {twice[0]}")


def check_ids(gold: Iterable[str], answered: Iterable[str], where: str) -> None:
    """Raise ``InputError`` unless a system answers the ids of the gold file, each once, and no others."""
    gold, answered = dict.fromkeys(gold), dict.fromkeys(answered)
    if missing := [id_ for id_ in gold if id_ not in answered]:
        raise InputError(f"no answer for the id {missing[0]} ({len(missing)} are missing)", where=where)
    if extra := [id_ for id_ in answered if id_ not in gold]:
        raise InputError(f"the id {extra[0]} is not in the gold file ({len(extra)} are not)", where=where)
