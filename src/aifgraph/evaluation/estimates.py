"""Numbers of many texts: values, intervals and paired tests.

A *text table* has a row for each text and columns that add up over texts. A number is a function of the summed columns,
so all of this is one expression, ``table.pool(weights)``: every text once for the value, random multiplicities for a
bootstrap interval, the rows of two tables exchanged at random for a paired test.

>>> table = mean_table(["a", "b", "c"], {MetricName("M", "kappa"): [0.25, 0.75, float("nan")]})
>>> pooled = pool(table)
>>> pooled["M-kappa"].value, pooled["M-kappa"].texts
(0.5, 2)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aifgraph.stats.resampling import Array, Bootstrap, exchanges, holm
from aifgraph.tables import Cell


class MetricName(NamedTuple):
    """The name of a number, which is written as in a paper: ``argument CASS-kappa``, ``ER-f1``, ``S``.

    ``part`` is a layer (empty for the whole) or a label.

    >>> str(MetricName("CASS", "kappa", "dialogue")), MetricName.parse("ER-f1")
    ('dialogue CASS-kappa', MetricName(what='ER', score='f1', part=''))
    """

    what: str
    score: str = ""
    part: str = ""

    def __str__(self) -> str:
        return f"{self.part} {self.what}{'-' if self.score else ''}{self.score}".strip()

    @classmethod
    def parse(cls, text: str) -> MetricName:
        """Read a number as ``str`` writes it."""
        head, dash, score = text.rpartition("-")
        part, _, what = (head if dash else text).rpartition(" ")
        return cls(what, score if dash else "", part)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The value of a number over ``texts``, which have ``pairs`` of maps in which it is defined; None if undefined.

    ``low`` and ``high`` are the ends of its interval, None without one. ``undefined`` resamples had no value.
    """

    value: float | None = None
    texts: int = 0
    pairs: int = 0
    low: float | None = None
    high: float | None = None
    undefined: int = 0

    @property
    def interval(self) -> str:
        """The interval in brackets, empty without one."""
        return "" if self.low is None else f"[{self.low:z.3f}, {self.high:z.3f}]"

    def __str__(self) -> str:
        return "–" if self.value is None else f"{self.value:z.3f} {self.interval}".strip()


#: The levels of significance that a p is held against.
THRESHOLDS = (0.05, 0.01)
#: The columns of a table of systems or annotators; argument and dialogue are the layers of M.
COLUMNS = ("argument M-kappa", "dialogue M-kappa", "M-kappa", "S", "CASS-kappa")


def columns_of(rows: Iterable[Estimates], further: Iterable[MetricName] = ()) -> list[MetricName]:
    """Return the ``COLUMNS`` that some row has, and further ones; not M where it is M of one layer."""
    rows = [*rows]
    known = [name for name in COLUMNS if any(of[name].value is not None for of in rows)]
    again = "M-kappa" if sum(name in known for name in COLUMNS[:2]) == 1 else ""
    return [*dict.fromkeys([*(MetricName.parse(name) for name in known if name != again), *further])]


def fused_in(number: MetricName) -> tuple[MetricName, MetricName] | None:
    """Return the mean M and the mean S that a CASS is made of; None for what is a mean over texts itself."""
    if number.part == "mean" or number.what not in ("CASS", "CASS'"):
        return None
    mean = number._replace(what=number.what.replace("CASS", "M"))
    return mean, MetricName("S", "", number.part) if number.what == "CASS" else number._replace(what="S'")


def cell(estimate: Estimate) -> Cell:
    """Return an estimate for a table: a number, or a text with its interval."""
    return estimate.value if estimate.low is None else str(estimate)


class Estimates(dict[MetricName, Estimate]):
    """Estimates by number, or by its name: ``pooled["CASS-kappa"]``. A number that is not there is undefined."""

    def __getitem__(self, number: MetricName | str) -> Estimate:
        return self.get(MetricName.parse(number) if isinstance(number, str) else number, Estimate())

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain values by the names of the numbers."""
        return {str(number): asdict(estimate) for number, estimate in self.items()}


@dataclass(frozen=True)
class TextTable:
    """Texts by columns that add up; ``numbers`` works out numbers from sums (rounds × columns), NaN for undefined.

    ``pairs`` counts for each number the pairs of maps of each text in which it is defined.
    """

    texts: tuple[str, ...]
    columns: Array
    numbers: Callable[[Array], Mapping[MetricName, Array]]
    pairs: Mapping[MetricName, Array]

    def pool(self, weights: Array) -> Mapping[MetricName, Array]:
        """Return the numbers of texts with these weights (rounds × texts), a value for each round."""
        with np.errstate(all="ignore"):
            return self.numbers(weights @ self.columns)

    def by_text(self, numbers: Iterable[MetricName]) -> dict[str, dict[str, float | None]]:
        """Return numbers of each text by their names."""
        values = self.pool(np.eye(len(self.texts)))
        columns = {str(number): values[number].tolist() for number in numbers}
        return {
            text: {name: of[row] if isfinite(of[row]) else None for name, of in columns.items()}
            for row, text in enumerate(self.texts)
        }

    def only(self, rows: NDArray[Any] | Sequence[int]) -> TextTable:
        """Return the table of some of the texts, by a mask or by their rows."""
        names = tuple(np.array(self.texts, dtype=object)[rows])
        pairs = {number: counts[rows] for number, counts in self.pairs.items()}
        return replace(self, texts=names, columns=self.columns[rows], pairs=pairs)


def mean_table(
    texts: Sequence[str],
    means: Mapping[MetricName, Sequence[float] | Array],
    pairs: Mapping[MetricName, Array] | None = None,
    numbers: Callable[[Mapping[MetricName, Array]], Mapping[MetricName, Array]] = dict,
) -> TextTable:
    """Return the table of numbers that are means over texts; NaN where a text has none.

    ``numbers`` makes the numbers of the table of the means. ``pairs`` are one a text where they are not given.
    """
    values = np.array(list(means.values()), dtype=np.float64).T.reshape(len(texts), len(means))
    defined = np.isfinite(values)

    def numbers_of(sums: Array) -> Mapping[MetricName, Array]:
        quotients = sums[:, : len(means)] / sums[:, len(means) :]
        return numbers(dict(zip(means, quotients.T, strict=True)))

    counts = pairs or dict(zip(means, defined.T.astype(np.float64), strict=True))
    return TextTable(tuple(texts), np.hstack([np.where(defined, values, 0), defined]), numbers_of, counts)


def pool(*tables: TextTable, bootstrap: Bootstrap | None = None) -> Estimates:
    """Return the numbers of tables, with intervals over texts if there is a bootstrap.

    Only texts in which a number is defined are drawn. Below two there is no interval.
    """
    return Estimates(item for table in tables for item in _estimates(table, bootstrap).items())


def _estimates(table: TextTable, bootstrap: Bootstrap | None) -> dict[MetricName, Estimate]:
    same_texts: dict[bytes, list[MetricName]] = defaultdict(list)
    for number, counts in table.pairs.items():
        same_texts[(counts > 0).tobytes()].append(number)
    estimates: dict[MetricName, Estimate] = {}
    for numbers in same_texts.values():
        defined = table.only(table.pairs[numbers[0]] > 0)
        size = len(defined.texts)
        values = defined.pool(np.ones((1, size)))
        drawn: dict[MetricName, list[Array]] = defaultdict(list)
        for weights in bootstrap.weights(size) if bootstrap else ():
            resampled = defined.pool(weights)
            for number in numbers:
                drawn[number].append(resampled[number])
        for number in numbers:
            value = float(values[number][0])
            pairs = int(defined.pairs[number].sum())
            if bootstrap and isfinite(value):
                estimates[number] = Estimate(value, size, pairs, *bootstrap.interval(drawn[number]))
            else:
                estimates[number] = Estimate(value if isfinite(value) else None, size, pairs)
    return {number: estimates[number] for number in table.pairs}


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The difference of a number between two systems, with its interval, and how probable one so large is.

    It is over ``texts`` texts, in which both are defined; ``left_out`` names the others. An ``exact`` test counts every
    pattern of exchange; else ``p_error`` is the Monte Carlo error of p. ``p_least`` is the least p that so many texts
    and rounds can give. ``p_holm`` is adjusted over all tests that were made together.
    """

    first: str
    second: str
    number: MetricName
    texts: int
    left_out: tuple[str, ...] = ()
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    exact: bool = False
    p_error: float | None = None
    p_least: float | None = None
    p_holm: float | None = None

    @property
    def printed_p(self) -> tuple[str, str]:
        """``p`` and ``p_holm`` as they are printed, with a Monte Carlo error of which two reach .05 or .01."""
        if not self.p or self.p_holm is None or self.p_holm == 1:
            return print_p(self.p, self.p_error), print_p(self.p_holm)
        return print_p(self.p, self.p_error), print_p(self.p_holm, (self.p_error or 0) * self.p_holm / self.p)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "number": str(self.number)}


def print_p(p: float | None, error: float | None = None) -> str:
    """Return p as it is printed, with its error where that is near a threshold.

    >>> print_p(0.03125, 0.002), print_p(0.049, 0.002), print_p(0.00001)
    ('0.0312', '0.0490 ± 0.0020', '< 0.0001')
    """
    if p is None:
        return "–"
    near = error and any(abs(p - threshold) <= 2 * error for threshold in THRESHOLDS)
    return (f"{p:.4f}" if p >= 0.00005 else "< 0.0001") + (f" ± {error:.4f}" if near else "")


def paired_test(
    tables: Mapping[str, TextTable],
    number: MetricName,
    *,
    rounds: int = 10_000,
    bootstrap: Bootstrap | None = None,
) -> PairedTest:
    """Test whether two tables differ in a number, by approximate randomisation over the texts in which both have it.

    In each round the values of a text change tables with probability ½; p is the share of rounds (with the data as one
    more) whose difference is at least as large, two-sided. CASS is no mean over texts: what changes tables are the
    texts' contributions, whose mean it is.

    >>> better = mean_table("abcdefgh", {MetricName("M"): [0.9] * 8})
    >>> worse = mean_table("abcdefgh", {MetricName("M"): [0.5] * 8})
    >>> paired_test({"ours": better, "theirs": worse}, MetricName("M")).p
    0.0078125
    """
    bootstrap = bootstrap or Bootstrap()
    first, second = tables
    fused = fused_in(number)
    defined_by = fused[0] if fused else number  # a text has a CASS where it has an M, for which it needs an S
    row_of = [
        {text: row for row, text in enumerate(table.texts) if table.pairs[defined_by][row]} for table in tables.values()
    ]
    texts = dict.fromkeys(text for table in tables.values() for text in table.texts)
    common = [text for text in texts if all(text in rows for rows in row_of)]
    size = len(common)
    test = PairedTest(first, second, number, size, tuple(text for text in texts if text not in set(common)))
    if not size:
        return test
    sides = [table.only([rows[text] for text in common]) for table, rows in zip(tables.values(), row_of, strict=True)]
    ours, theirs = (_contributions(side, number) for side in sides)
    apart = (ours - theirs) / size
    observed = float(apart.sum())
    bar = abs(observed) - 1e-12 * max(1.0, abs(observed))  # rounding must not break a tie
    patterns, exact = exchanges(size, rounds, bootstrap.seed)
    at_least = np.concatenate([np.abs(observed - 2 * (block @ apart)) >= bar for block in patterns])
    p = at_least.mean() if exact else (at_least.sum() + 1) / (len(at_least) + 1)
    least = min(1.0, 2.0 ** (1 - size)) if exact else 1 / (len(at_least) + 1)
    error = None if exact else float(p * (1 - p) / len(at_least)) ** 0.5
    drawn = [sides[0].pool(weights)[number] - sides[1].pool(weights)[number] for weights in bootstrap.weights(size)]
    low, high, _ = bootstrap.interval(drawn)
    tested = replace(test, difference=observed, low=low, high=high, p=float(p), exact=exact)
    return replace(tested, p_error=error, p_least=least)


def _contributions(table: TextTable, number: MetricName) -> Array:
    """Return what each text contributes to a number, which is the mean of these: its own value, or, to CASS, M and S by
    their derivatives (CASS of twice M and S is twice as large, so they add up to it)."""
    values = table.pool(np.eye(len(table.texts)))
    if not (fused := fused_in(number)):
        return values[number]
    means, similarities = (values[part] for part in fused)
    mean, similarity = means.mean(), similarities.mean()
    if mean <= 0 or similarity <= 0:
        return np.zeros(len(table.texts))
    own: Array = 2 * (similarity**2 * means + mean**2 * similarities) / (mean + similarity) ** 2
    return own


def with_holm(tests: Iterable[PairedTest]) -> tuple[PairedTest, ...]:
    """Return the tests with p-values adjusted after Holm over all of them."""
    listed = tuple(tests)
    adjusted = holm([test.p for test in listed])
    return tuple(replace(test, p_holm=p) for test, p in zip(listed, adjusted, strict=True))
