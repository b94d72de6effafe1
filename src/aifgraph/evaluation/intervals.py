"""Bootstrap intervals of a corpus comparison: every score, macro and micro, whole and by layer.

Texts are drawn with replacement, each with all of its pairs. What a text brings is a row of numbers that are summed
over the texts drawn::

    macro   the means of M, CASS and S over the text's pairs, each with 1 if it is defined, for every layer and score
    micro   the cells of every calculation's matrix that occur anywhere; edits, potential boundaries, 1 if S is defined

so that a round costs a line of a matrix product (``aifgraph.stats.bootstrap``), and the numbers of a round are those
that macro and micro give for the pairs drawn. A score may be negative, and so may the ends of its interval; CASS itself
is never below 0, and an interval of CASS that starts at 0 says that the interval of M reaches 0 or below.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import SCORE_LAYERS, fuse_arrays
from aifgraph.comparison.result import PairResult
from aifgraph.errors import FormatError, OptionError
from aifgraph.evaluation.pooled import MacroSums, MicroScores, PooledNumber, What, micro_scores, text_key
from aifgraph.stats.bootstrap import Interval, Method, bootstrap_many
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table
from aifgraph.text.segmentation import Edits

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array


Pooled = Literal["macro", "micro"]

#: How the numbers that the table shows are written there.
_SHOWN: Mapping[tuple[What, str], str] = {
    ("S", ""): "S",
    ("mean", "kappa"): "M-κ",
    ("cass", "kappa"): "CASS-κ",
    ("mean", "f1"): "M-F1",
    ("cass", "f1"): "CASS-F1",
}


@dataclass(frozen=True)
class Intervals:
    """Intervals of all numbers of macro and micro: ``intervals["macro", PooledNumber("cass", "all", "kappa")].low``.

    ``texts`` is how many were drawn from: fewer than ``pairs`` where a text has several.
    """

    macro: Mapping[PooledNumber, Interval]
    micro: Mapping[PooledNumber, Interval]
    rounds: int
    seed: int
    level: float
    method: str
    pairs: int
    texts: int

    @property
    def signature(self) -> str:
        """How they were made, for the signature of a result."""
        return f"ci:{self.method}.{self.level:.12g}.{self.rounds}.{self.seed}"

    def __getitem__(self, key: tuple[Pooled, PooledNumber]) -> Interval:
        pooled, number = key
        return (self.macro if pooled == "macro" else self.micro)[number]

    def tables(self) -> list[Table]:
        """S, M and CASS for kappa and F1 with their intervals."""
        rows: list[list[Cell]] = [
            [pooled, layer, shown, interval.value, interval.low, interval.high]
            for pooled, intervals in (("macro", self.macro), ("micro", self.micro))
            for layer in SCORE_LAYERS
            for (what, score), shown in _SHOWN.items()
            if (interval := intervals.get(PooledNumber(what, layer, score))) and interval.value is not None
        ]
        how = f"{self.method} bootstrap over {self.texts} texts, {self.rounds} rounds, seed {self.seed}"
        if self.texts < self.pairs:
            how += f"\nthe {self.pairs} pairs are drawn by text"
        columns = ("", "layer", "of", "value", "low", "high")
        return [Table(f"{self.level:.4g} intervals", columns, rows, note=how)]

    def to_dict(self) -> dict[str, Any]:
        """As plain values: ``["macro"]["all"]["cass"]["kappa"]["low"]``."""
        return {
            "rounds": self.rounds,
            "seed": self.seed,
            "level": self.level,
            "method": self.method,
            "pairs": self.pairs,
            "texts": self.texts,
            "macro": _nested(self.macro),
            "micro": _nested(self.micro),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Intervals:
        """The intervals of a stored result. Raises ``FormatError`` where they are damaged."""
        try:
            drawn = {name: kind(data[name]) for name, kind in _DRAWN.items()}
            how = {name: drawn[name] for name in ("level", "method", "rounds")}
            macro, micro = (
                {
                    PooledNumber(what, of, score): Interval(**interval, **how)
                    for of, numbers in data[pooled].items()
                    for what, values in numbers.items()
                    for score, interval in ({"": values} if "low" in values else values).items()
                }
                for pooled in ("macro", "micro")
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"damaged intervals ({type(error).__name__}: {error})"[:200]) from None
        return cls(macro, micro, **drawn)


_DRAWN: dict[str, Any] = {"rounds": int, "seed": int, "level": float, "method": str, "pairs": int, "texts": int}


def _nested(intervals: Mapping[PooledNumber, Interval]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for number, interval in intervals.items():
        values: dict[str, Any] = {"value": interval.value, "low": interval.low, "high": interval.high}
        values |= {"undefined": interval.undefined} if interval.undefined else {}
        values |= {"reason": interval.reason} if interval.reason else {}
        of = data.setdefault(number.of, {})
        if number.score:
            of.setdefault(number.what, {})[number.score] = values
        else:
            of[number.what] = values
    return data


def intervals_of(
    pairs: Iterable[PairResult],
    *,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    method: Method = "percentile",
    mean_of_layers: bool = False,
) -> Intervals:
    """Bootstrap intervals over texts, of every number of macro and micro; ``mean_of_layers`` as in ``fused``.

    The pairs of one text are not independent: they are drawn together.

    Raises:
        OptionError: no pairs; rounds, seed or level out of range; an unknown method.
    """
    rows = _Rows(pairs)
    if not rows.count:
        raise OptionError("there are no pairs to draw from", remedy="give two corpora with texts in common")

    def intervals(table: Array, numbers_of: Callable[[Array], Numbers]) -> dict[PooledNumber, Interval]:
        return bootstrap_many(table, numbers_of, rounds=rounds, seed=seed, level=level, method=method)

    micro_of = partial(rows.micro_of, mean_of_layers=mean_of_layers)
    columns, table = rows.macro()
    macro = intervals(table, partial(_macro_of, columns=columns))
    micro = intervals(rows.micro(), micro_of)
    return Intervals(macro, micro, rounds, seed, level, method, rows.count, rows.texts)


def planned_intervals(
    pairs: Iterable[PairResult],
    sizes: Iterable[int],
    *,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[int, dict[int, dict[PooledNumber, Interval]]]:
    """How many texts there are, and the percentile intervals that the macro numbers would have over ``sizes`` texts:
    so many are drawn with replacement from those that there are.

    Raises:
        OptionError: fewer than two texts, a size below 2, rounds, seed or level out of range.
    """
    rows = _Rows(pairs)
    if rows.texts < 2:
        raise OptionError("the spread of a single text is not known", remedy="give a pilot of two texts or more")
    columns, table = rows.macro()
    macro_of = partial(_macro_of, columns=columns)
    planned = {}
    for size in sizes:
        if size < 2:
            raise OptionError(f"an interval over {size} texts", remedy="give numbers of texts from 2 on")
        planned[size] = bootstrap_many(table, macro_of, rounds=rounds, seed=seed, level=level, draws=size)
    return rows.texts, planned


#: Numbers with a value for every line of sums, NaN where it is undefined.
Numbers = dict[PooledNumber, "Array"]


class _Rows:
    """What each text brings, gathered in one pass; 8 bytes a number and text, for micro a number and pair."""

    def __init__(self, pairs: Iterable[PairResult]) -> None:
        self._macro, self._micro = MacroSums(), array("d")
        self._cells: dict[tuple[str, str, str], int] = {}
        self._applies: dict[str, int] = {}  # the column that counts the pairs to which a calculation applies
        self._places, self._columns, self._values = array("Q"), array("Q"), array("d")
        self.labels: dict[str, tuple[str, ...]] = {}
        self.count = 0
        texts: dict[tuple[str, int], int] = {}
        self._text_of: list[int] = []
        for pair in pairs:
            self._text_of.append(texts.setdefault(text_key(pair, self.count), len(texts)))
            self._macro.add(pair)
            self._micro.extend(
                (pair.segmentation.weight, float(pair.segmentation.potential), float(pair.S is not None))
            )
            for name, matrix in pair.matrices.items():
                known = self.labels.get(name, ())
                if matrix.labels != known:
                    self.labels[name] = tuple(dict.fromkeys((*known, *matrix.labels)))
                self._add(self._applies.setdefault(name, self._new_column()), 1)
                for (first, second), number in matrix.cells.items():
                    self._add(self._cells.setdefault((name, first, second), self._new_column()), number)
            self.count += 1
        self.texts = len(texts)

    def _new_column(self) -> int:
        return len(self._cells) + len(self._applies)

    def _add(self, column: int, number: int) -> None:
        self._places.append(self.count)
        self._columns.append(column)
        self._values.append(number)

    def macro(self) -> tuple[list[PooledNumber], Array]:
        """The numbers of macro, and of each text the mean of each and whether it is defined."""
        import numpy as np

        numbers, rows = self._macro.table()
        return numbers, np.array(rows)

    def _by_text(self, table: Array) -> Array:
        """The rows of the pairs, summed for each text."""
        import numpy as np

        if self.texts == self.count:
            return table
        sums = np.zeros((self.texts, table.shape[1]))
        np.add.at(sums, self._text_of, table)
        return sums

    def micro(self) -> Array:
        import numpy as np

        table = np.zeros((self.count, 3 + self._new_column()))
        table[:, :3] = np.frombuffer(self._micro, dtype=np.float64).reshape(self.count, 3)
        if len(self._values):
            places, columns = (
                np.frombuffer(indices, dtype=np.uint64).astype(int) for indices in (self._places, self._columns)
            )
            table[places, 3 + columns] = np.frombuffer(self._values, dtype=np.float64)
        return self._by_text(table)

    def micro_of(self, sums: Array, *, mean_of_layers: bool) -> Numbers:
        """The numbers of ``micro`` for every line of sums."""
        import numpy as np

        order = [name for names in LAYERS.values() for name in names if name in self.labels]
        labels = {name: tuple(sorted(self.labels[name], key=lambda label: label == "none")) for name in order}
        cells: dict[str, list[tuple[int, int, int]]] = {name: [] for name in order}
        for (name, first, second), column in self._cells.items():
            cells[name].append((labels[name].index(first), labels[name].index(second), 3 + column))
        lines: list[dict[PooledNumber, float]] = []
        for line in sums.tolist():
            edits = Edits(weight=line[0], potential=round(line[1]))
            totals = {}
            for name in order:
                if line[3 + self._applies[name]] > 0.5:
                    rows = [[0] * len(labels[name]) for _ in labels[name]]
                    for one, other, column in cells[name]:
                        rows[one][other] = round(line[column])
                    totals[name] = ConfusionMatrix(labels[name], tuple(map(tuple, rows)))
            scores = micro_scores(totals, edits, line[2] > 0.5, mean_of_layers=mean_of_layers)
            lines.append(dict(_flat(scores, order)))
        return {number: np.array([line[number] for line in lines]) for number in lines[0]}


def _flat(scores: MicroScores, order: Iterable[str]) -> Iterator[tuple[PooledNumber, float]]:
    from math import nan

    def defined(value: float | None) -> float:
        return nan if value is None else value

    yield PooledNumber("S"), defined(scores.S)
    for layer in SCORE_LAYERS:
        over = scores.over[layer]
        for name in SCORES:
            yield PooledNumber("mean", layer, name), defined(over.mean[name])
            yield PooledNumber("cass", layer, name), defined(over.cass[name])
    for calculation in order:
        summed = scores.calculations.get(calculation)
        for name in SCORES:
            yield PooledNumber("score", calculation, name), defined(summed[name] if summed else None)


def _macro_of(sums: Array, columns: Sequence[PooledNumber]) -> Numbers:
    """The numbers of ``macro`` for every line of sums of texts."""
    import numpy as np

    with np.errstate(all="ignore"):
        numbers: Numbers = dict(zip(columns, (sums[:, 0::2] / sums[:, 1::2]).T, strict=True))
    for layer in SCORE_LAYERS:
        for name in SCORES:
            mean = numbers[PooledNumber("mean", layer, name)]
            numbers[PooledNumber("cass", layer, name)] = fuse_arrays(mean, numbers[PooledNumber("S", layer)])
    return numbers
