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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any, Final, Literal

from aifgraph.comparison.breakdown import LABEL_SCORES, CalculationBreakdown
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import SCORE_LAYERS, fuse_arrays
from aifgraph.comparison.result import PairResult
from aifgraph.errors import FormatError, OptionError
from aifgraph.evaluation.defaults import SHOWN
from aifgraph.evaluation.pooled import MicroScores, PooledNumber, What
from aifgraph.evaluation.sums import MacroSums, micro_scores, text_key
from aifgraph.stats.bootstrap import Interval, bootstrap_many, coverage_notes
from aifgraph.stats.matrix import NONE, ConfusionMatrix, in_order
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Document, Result, Table
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
    *(("among what was said", shown, PooledNumber("score", ER, score)) for score, shown in SHOWN.items()),
)


@dataclass(frozen=True, repr=False)
class Intervals(Result):
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
    def kappa(self) -> Interval | None:
        """The interval of CASS-κ of the mean over texts: its ``low``, ``high`` and ``value``."""
        return self.macro.get(PooledNumber("cass", "all", "kappa"))

    @property
    def f1(self) -> Interval | None:
        """The interval of CASS-F1 of the mean over texts."""
        return self.macro.get(PooledNumber("cass", "all", "f1"))

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

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables(), signature=self.signature)

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
    mean_of_layers: bool = False,
) -> Intervals:
    """Bootstrap intervals over texts, of every number of macro and micro; ``mean_of_layers`` as in ``fused``.

    The pairs of one text are not independent: they are drawn together.

    Raises:
        OptionError: no pairs; rounds, seed or level out of range.
    """
    rows = _Rows(pairs)
    if not rows.count:
        raise OptionError("there are no pairs to draw from", remedy="give two corpora with texts in common")

    how: dict[str, Any] = {"rounds": rounds, "seed": seed, "level": level}
    columns, table = rows.macro()
    macro = bootstrap_many(table, partial(_macro_of, columns=columns), defined=_macro_defined(columns, table), **how)
    table = rows.micro()
    micro_of = partial(rows.micro_of, mean_of_layers=mean_of_layers)
    micro = bootstrap_many(table, micro_of, defined=rows.micro_defined(table), **how)
    return Intervals(macro, micro, rounds, seed, level, "percentile", rows.count, rows.texts)


#: What S of a corpus is summed from: edits, potential boundaries, and the pairs in which it is defined.
_PAIRS: Final = ("S", "pairs")
_OF_S: Final = (("S", "weight"), ("S", "potential"), _PAIRS)
#: Numbers with a value for every line of sums, NaN where it is undefined.
Numbers = dict[PooledNumber, "Array"]


class _Rows:
    """What each text brings, gathered in one pass: 8 bytes a number and text."""

    def __init__(self, pairs: Iterable[PairResult]) -> None:
        self._macro = MacroSums()
        # What is summed, a number a text: the three of S, the pairs to which a calculation applies, and its cells.
        self._columns: dict[tuple[str, ...], array[float]] = {name: array("d") for name in _OF_S}
        self._in_mean: set[str] = set()  # the calculations that M is of; the argument among what was said is beside
        self.labels: dict[str, tuple[str, ...]] = {}
        self.count = 0
        texts: dict[tuple[str, int], int] = {}
        for pair in pairs:
            text = texts.setdefault(text_key(pair, self.count), len(texts))
            self.count += 1
            self._macro.add(pair)
            if pair.S is not None:
                edits = pair.segmentation
                for column, value in zip(_OF_S, (edits.weight, edits.potential, 1), strict=True):
                    self._add(column, text, value)
            self._in_mean |= pair.matrices.keys()
            for name, matrix in _matrices(pair).items():
                self.labels[name] = tuple(dict.fromkeys((*self.labels.get(name, ()), *matrix.labels)))
                self._add((name,), text, 1)
                for cell, number in matrix.cells.items():
                    self._add((name, *cell), text, number)
        self.texts = len(texts)
        self._places = {column: place for place, column in enumerate(self._columns)}

    def _add(self, column: tuple[str, ...], text: int, number: float) -> None:
        numbers = self._columns.setdefault(column, array("d"))
        numbers.extend([0.0] * (text + 1 - len(numbers)))
        numbers[text] += number

    def macro(self) -> tuple[list[PooledNumber], Array]:
        """The numbers of macro, and of each text the mean of each and whether it is defined."""
        import numpy as np

        numbers, rows = self._macro.table()
        return numbers, np.array(rows)

    def micro(self) -> Array:
        """Of each text the numbers that micro is of."""
        import numpy as np

        table = np.zeros((self.texts, len(self._columns)))
        for place, numbers in enumerate(self._columns.values()):
            table[: len(numbers), place] = numbers
        return table

    def micro_defined(self, table: Array) -> dict[PooledNumber, Mask]:
        """In which texts each number of micro is defined: those to which a calculation of it applies."""
        applies = {name: table[:, self._places[name,]] > 0 for name in self.labels}
        similar = table[:, self._places[_PAIRS]] > 0
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
            defined |= dict.fromkeys(_of_labels(name, self.labels[name], None), texts)
        return defined

    def micro_of(self, sums: Array, *, mean_of_layers: bool) -> Numbers:
        """The numbers of ``micro`` for every line of sums."""
        import numpy as np

        order = [name for names in LAYERS.values() for name in names if name in self.labels]
        labels = {name: in_order(self.labels[name]) for name in order}
        cells: dict[str, dict[tuple[str, str], int]] = {name: {} for name in order}
        for column, place in self._places.items():
            if len(column) > 2 and column[0] in cells:
                cells[column[0]][column[1], column[2]] = place
        lines: list[dict[PooledNumber, float]] = []
        for line in sums.tolist():
            totals = {
                name: ConfusionMatrix.counts({cell: round(line[at]) for cell, at in cells[name].items()}, labels[name])
                for name in order
                if line[self._places[name,]] > 0.5
            }
            weight, potential, similar = (line[self._places[column]] for column in _OF_S)
            scores = micro_scores(
                totals,
                Edits(weight=weight, potential=round(potential)),
                similar > 0.5,
                mean_of_layers=mean_of_layers,
                explicit_in_mean=ER in self._in_mean,
            )
            lines.append({number: nan if value is None else value for number, value in self._flat(scores, order)})
        return {number: np.array([line[number] for line in lines]) for number in lines[0]}

    def _flat(self, scores: MicroScores, order: Iterable[str]) -> Iterator[tuple[PooledNumber, float | None]]:
        """All numbers of ``scores``, those of labels last."""
        yield PooledNumber("S"), scores.S
        for layer, over in scores.over.items():
            for name in SCORES:
                yield PooledNumber("mean", layer, name), over.mean[name]
                yield PooledNumber("cass", layer, name), over.cass[name]
        summed = {**scores.calculations, **({ER: scores.summed_explicit} if scores.summed_explicit else {})}
        for calculation in order:
            of = summed.get(calculation)
            for name in SCORES:
                yield PooledNumber("score", calculation, name), of[name] if of else None
        behind = scores.breakdown.calculations
        for calculation in order:
            yield from _of_labels(calculation, self.labels[calculation], behind.get(calculation)).items()


def _of_labels(
    calculation: str, labels: Iterable[str], behind: CalculationBreakdown | None
) -> dict[PooledNumber, float | None]:
    """What stands behind a calculation with several labels; a label that nobody gives has no score."""
    names = sorted(label for label in labels if label != NONE)
    if len(names) < 2:
        return {}
    folds = {"attachment": behind.attachment, **behind.labels} if behind else {}
    numbers: dict[PooledNumber, float | None] = {}
    for part in ("attachment", *names):
        fold = folds.get(part)
        given = fold and (fold.first or fold.second)
        for score in ("kappa", "f1") if part == "attachment" else LABEL_SCORES:
            numbers[PooledNumber("label", f"{calculation}: {part}", score)] = fold[score] if fold and given else None
    return numbers


def _matrices(pair: PairResult) -> dict[str, ConfusionMatrix]:
    """The matrices that are summed: of the calculations that apply, and of the argument among what was said."""
    return {**({ER: pair.explicit.matrix} if pair.explicit else {}), **pair.matrices}


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
