"""Bootstrap intervals of a corpus comparison: every score, macro and micro, whole and by layer, and of every label.

Texts are drawn with replacement, each with all of its pairs, and of each number only texts in which it is defined. What
a text brings is a row of numbers that are summed over the texts drawn::

    macro   the means over the pairs of a text of M, for every layer and score, S, CASS and ER, each with 1 if defined
    micro   the cells of every calculation's matrix that occur anywhere; edits, potential boundaries, 1 if S is defined

so that a round costs a line of a matrix product (``aifgraph.stats.bootstrap``), and the numbers of a round are those
that macro and micro give for the pairs drawn. A score may be negative, and so may the ends of its interval; CASS itself
is never below 0, and an interval of CASS that starts at 0 says that the interval of M reaches 0 or below.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import SCORE_LAYERS, Scores, fuse_arrays
from aifgraph.comparison.result import PairResult
from aifgraph.errors import FormatError, OptionError
from aifgraph.evaluation.pooled import MacroSums, MicroScores, PooledNumber, What, micro_scores, text_key
from aifgraph.stats.bootstrap import Interval, Method, bootstrap_many, coverage_notes
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.tables import Cell, Table
from aifgraph.text.segmentation import Edits

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array, Mask


Pooled = Literal["macro", "micro"]

#: The argument among what was said, as a calculation is called.
ER = EXPLICIT_RELATIONS.name

#: How the numbers that the table shows are written there.
_SHOWN: Mapping[tuple[What, str], str] = {
    ("S", ""): "S",
    ("mean", "kappa"): "M-κ",
    ("cass", "kappa"): "CASS-κ",
    ("mean", "f1"): "M-F1",
    ("cass", "f1"): "CASS-F1",
}
#: The rows of the table: a layer, or the argument among what was said.
_ROWS: tuple[tuple[str, str, PooledNumber], ...] = (
    *(
        (layer, shown, PooledNumber(what, layer, score))
        for layer in SCORE_LAYERS
        for (what, score), shown in _SHOWN.items()
    ),
    *(
        ("among what was said", shown, PooledNumber("score", ER, score))
        for score, shown in (("kappa", "κ"), ("f1", "F1"))
    ),
)


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
        """S, M and CASS for kappa and F1 with their intervals, then F1 and kappa of every label."""
        rows: list[list[Cell]] = []
        notes = [f"{self.method} bootstrap over {self.texts} texts, {self.rounds} rounds, seed {self.seed}"]
        if self.texts < self.pairs:
            notes.append(f"the {self.pairs} pairs are drawn by text")
        for pooled, intervals in (("macro", self.macro), ("micro", self.micro)):
            for layer, name, interval in _shown(intervals):
                rows.append([pooled, layer, name, interval.value, interval.low, interval.high, interval.items])
        notes += self.remarks
        columns = ("", "layer", "of", "value", "low", "high", "texts")
        table = Table(f"{self.level:.4g} intervals", columns, rows, note="\n".join(notes))
        labels = self._labels()
        return [table, labels] if labels.rows else [table]

    def _labels(self) -> Table:
        rows: list[list[Cell]] = []
        for number, interval in self.micro.items():
            if number.what == "label" and number.score in ("f1", "kappa") and interval.value is not None:
                of, _, part = number.of.partition(": ")
                ends = (interval.value, interval.low, interval.high, interval.items, interval.undefined)
                rows.append([of.replace("_", " "), part, number.score, *ends])
        note = "of the summed counts, as behind the scores; without: resamples without the label, which are left out"
        columns = ("of", "part", "score", "value", "low", "high", "texts", "without")
        return Table(f"{self.level:.4g} intervals of labels", columns, rows, note=note)

    @property
    def remarks(self) -> list[str]:
        """What is to be said of the intervals that tables show: why there is none, how many resamples had no value, and
        how often such intervals hold the true value where they are over few texts."""
        shown = [
            (f"{pooled} {name} ({layer})", interval)
            for pooled, intervals in (("macro", self.macro), ("micro", self.micro))
            for layer, name, interval in _shown(intervals)
        ]
        reasons: dict[str, list[str]] = {}
        for name, interval in shown:
            if interval.reason:
                reasons.setdefault(interval.reason, []).append(name)
        remarks = []
        for reason, names in reasons.items():
            of = "" if len(names) == len(shown) else f" of {', '.join(names)}"
            remarks.append(f"no interval{of}: {reason}")
        undefined = [f"{name} {interval.undefined}" for name, interval in shown if interval.undefined]
        if undefined:
            remarks.append(f"resamples that had no value and were left out, of {self.rounds}: {', '.join(undefined)}")
        return remarks + coverage_notes(interval for _, interval in shown)

    def to_dict(self) -> dict[str, Any]:
        """As plain values: ``["macro"]["all"]["cass"]["kappa"]["low"]``."""
        return {
            "rounds": self.rounds,
            "seed": self.seed,
            "level": self.level,
            "method": self.method,
            "pairs": self.pairs,
            "texts": self.texts,
            **({"remarks": remarks} if (remarks := self.remarks) else {}),
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
                    PooledNumber(what, of, score): _interval(interval, how)
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


def _interval(stored: Mapping[str, Any], how: Mapping[str, Any]) -> Interval:
    return Interval(**{"items" if key == "texts" else key: value for key, value in stored.items()}, **how)


def _shown(intervals: Mapping[PooledNumber, Interval]) -> Iterator[tuple[str, str, Interval]]:
    """The rows of the table that have a value: layer, number, interval."""
    for layer, name, number in _ROWS:
        interval = intervals.get(number)
        if interval is not None and interval.value is not None:
            yield layer, name, interval


def _nested(intervals: Mapping[PooledNumber, Interval]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for number, interval in intervals.items():
        values = interval.to_dict()
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

    how: dict[str, Any] = {"rounds": rounds, "seed": seed, "level": level, "method": method}
    columns, table = rows.macro()
    macro = bootstrap_many(table, partial(_macro_of, columns=columns), defined=_macro_defined(columns, table), **how)
    table = rows.micro()
    micro_of = partial(rows.micro_of, mean_of_layers=mean_of_layers)
    micro = bootstrap_many(table, micro_of, defined=rows.micro_defined(table), **how)
    return Intervals(macro, micro, rounds, seed, level, method, rows.count, rows.texts)


#: Numbers with a value for every line of sums, NaN where it is undefined.
Numbers = dict[PooledNumber, "Array"]


class _Rows:
    """What each text brings, gathered in one pass; 8 bytes a number and text, for micro a number and pair."""

    def __init__(self, pairs: Iterable[PairResult]) -> None:
        self._macro, self._micro = MacroSums(), array("d")
        self._cells: dict[tuple[str, str, str], int] = {}
        self._applies: dict[str, int] = {}  # the column that counts the pairs to which a calculation applies
        self._places, self._columns, self._values = array("Q"), array("Q"), array("d")
        self._in_mean: set[str] = set()  # the calculations that M is of; the argument among what was said is beside
        self.labels: dict[str, tuple[str, ...]] = {}
        self.count = 0
        texts: dict[tuple[str, int], int] = {}
        self._text_of: list[int] = []
        for pair in pairs:
            self._text_of.append(texts.setdefault(text_key(pair, self.count), len(texts)))
            self._macro.add(pair)
            edits = pair.segmentation
            self._micro.extend((0.0, 0.0, 0.0) if pair.S is None else (edits.weight, float(edits.potential), 1.0))
            self._in_mean |= pair.matrices.keys()
            for name, matrix in _matrices(pair).items():
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

    def micro_defined(self, table: Array) -> dict[PooledNumber, Mask]:
        """In which texts each number of micro is defined: those to which a calculation of it applies."""
        applies = {name: table[:, 3 + column] > 0 for name, column in self._applies.items()}
        similar = table[:, 2] > 0
        defined = {PooledNumber("S"): similar}
        for layer in SCORE_LAYERS:
            in_layer = [
                applies[name] for name in self._in_mean if name in applies and (layer == "all" or name in LAYERS[layer])
            ]
            some = sum(in_layer, similar & False)
            for score in SCORES:
                defined[PooledNumber("mean", layer, score)] = some
                defined[PooledNumber("cass", layer, score)] = some & similar
        for name, texts in applies.items():
            defined |= {PooledNumber("score", name, score): texts for score in SCORES}
            defined |= dict.fromkeys(self._folds(name, table), texts)
        return defined

    def micro_of(self, sums: Array, *, mean_of_layers: bool) -> Numbers:
        """The numbers of ``micro`` for every line of sums."""
        import numpy as np

        order = [name for names in LAYERS.values() for name in names if name in self.labels]
        labels = {name: tuple(sorted(self.labels[name], key=lambda label: label == NONE)) for name in order}
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
            in_mean = {name: matrix for name, matrix in totals.items() if name in self._in_mean}
            scores = micro_scores(in_mean, edits, line[2] > 0.5, mean_of_layers=mean_of_layers)
            beside = {name: score_all(matrix) for name, matrix in totals.items() if name not in in_mean}
            lines.append(dict(_flat(scores, beside, order)))
        numbers: Numbers = {number: np.array([line[number] for line in lines]) for number in lines[0]}
        for name in order:
            numbers |= self._folds(name, sums)
        return numbers

    def _folds(self, calculation: str, sums: Array) -> Numbers:
        """What stands behind a calculation with several labels (``comparison.breakdown``), for every line of sums."""
        names = [label for label in self.labels[calculation] if label != NONE]
        if len(names) < 2:
            return {}
        cells = {
            (first, second): sums[:, 3 + column]
            for (name, first, second), column in self._cells.items()
            if name == calculation
        }
        zero = sums[:, 0] * 0
        total = sum(cells.values(), zero)

        def folded(ours: Collection[str], theirs: Collection[str]) -> Array:
            return sum((counts for (one, other), counts in cells.items() if one in ours and other in theirs), zero)

        every = (*names, NONE)
        parts = {label: (label,) for label in sorted(names)}
        numbers: Numbers = {}
        for part, labels in {"attachment": tuple(names), **parts}.items():
            both, first, second = folded(labels, labels), folded(labels, every), folded(every, labels)
            scores = _one_against_rest(both, first, second, total)
            wanted = ("kappa", "f1") if part == "attachment" else tuple(scores)
            numbers |= {PooledNumber("label", f"{calculation}: {part}", score): scores[score] for score in wanted}
        return numbers


def _one_against_rest(both: Array, first: Array, second: Array, total: Array) -> dict[str, Array]:
    """Scores of one label, or several taken together, against the rest: how many decisions have it on both sides, on
    the first, on the second, and all; as ``stats.scores`` defines them."""
    import numpy as np

    agreed = total - first - second + 2 * both
    chance = first * second + (total - first) * (total - second)
    with np.errstate(all="ignore"):
        kappa = np.where(total**2 > chance, (total * agreed - chance) / (total**2 - chance), 1.0)
        return {
            "precision": both / second,
            "recall": both / first,
            "f1": 2 * both / (first + second),
            "kappa": np.where(first + second > 0, kappa, np.nan),  # a label that nobody gives has none
        }


def _matrices(pair: PairResult) -> dict[str, ConfusionMatrix]:
    """The matrices that are summed: of the calculations that apply, and of the argument among what was said."""
    return {**({ER: pair.explicit.matrix} if pair.explicit else {}), **pair.matrices}


def _flat(
    scores: MicroScores, beside: Mapping[str, Scores], order: Iterable[str]
) -> Iterator[tuple[PooledNumber, float]]:
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
        values = summed.scores if summed else beside.get(calculation, {})
        for name in SCORES:
            yield PooledNumber("score", calculation, name), defined(values.get(name))


def _macro_defined(columns: Sequence[PooledNumber], table: Array) -> dict[PooledNumber, Mask]:
    """In which texts each number of macro is defined."""
    defined: dict[PooledNumber, Mask] = dict(zip(columns, (table[:, 1::2] > 0).T, strict=True))
    for layer in SCORE_LAYERS:
        # M and S are of the same texts; of a score that is undefined in some of them, M has fewer.
        defined |= {PooledNumber("cass", layer, name): defined[PooledNumber("S", layer)] for name in SCORES}
    return defined


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
