"""Numbers of many texts: values, intervals and paired tests.

A *text table* has a row for each text and columns that add up over texts. A number is a function of the summed columns,
so all of this is one expression, ``table.pool(weights)``: every text once for the value, random multiplicities for a
bootstrap interval, the rows of two tables exchanged at random for a paired test.

>>> table = mean_table(["a", "b", "c"], {Number("M", "kappa"): [0.25, 0.75, float("nan")]})
>>> pooled = pool(table)
>>> pooled["M-kappa"].value, pooled["M-kappa"].texts
(0.5, 2)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.comparison.options import short_signature
from aifgraph.comparison.tables import DETAILED
from aifgraph.graph import Notice
from aifgraph.stats.resampling import Array, Bootstrap, exchanges, holm
from aifgraph.stats.scores import printed_name
from aifgraph.tables import Cell, Result, Table, captioned
from aifgraph.version import __version__


class Number(NamedTuple):
    """The name of a number, which is written as in a paper: ``argument CASS-kappa``, ``ER-f1``, ``S``.

    ``part`` is a layer (empty for the whole) or a label.

    >>> str(Number("CASS", "kappa", "dialogue")), Number.parse("ER-f1")
    ('dialogue CASS-kappa', Number(what='ER', score='f1', part=''))
    """

    what: str
    score: str = ""
    part: str = ""

    def __str__(self) -> str:
        return f"{self.part} {self.what}{'-' if self.score else ''}{self.score}".strip()

    @classmethod
    def parse(cls, text: str) -> Number:
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


#: The columns of a table of systems or annotators; argument and dialogue are the layers of M.
COLUMNS = ("argument M-kappa", "dialogue M-kappa", "M-kappa", "S", "CASS-kappa")


def columns_of(rows: Iterable[Pooled]) -> Sequence[Number]:
    """Return the ``COLUMNS`` that some row has; not M where it is M of one layer."""
    rows = [*rows]
    known = [name for name in COLUMNS if any(of[name].value is not None for of in rows)]
    again = "M-kappa" if sum(name in known for name in COLUMNS[:2]) == 1 else ""
    return [Number.parse(name) for name in known if name != again]


def cell(estimate: Estimate) -> Cell:
    """Return an estimate for a table: a number, or a text with its interval."""
    return estimate.value if estimate.low is None else str(estimate)


class Pooled(dict[Number, Estimate]):
    """Estimates by number, or by its name: ``pooled["CASS-kappa"]``. A number that is not there is undefined."""

    def __getitem__(self, number: Number | str) -> Estimate:
        return self.get(Number.parse(number) if isinstance(number, str) else number, Estimate())

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain values by the names of the numbers."""
        return {str(number): asdict(estimate) for number, estimate in self.items()}


@dataclass(frozen=True, repr=False, kw_only=True)
class PooledResult(Result):
    """The numbers of many pairs: short tables, more tables with ``details``, every number in CSV and JSON.

    ``subject`` is what they are of, ``bootstrap`` how intervals were made.
    """

    subject: str
    caveats: list[str]
    notices: tuple[Notice, ...]
    signature: str
    bootstrap: Bootstrap | None

    @property
    def pooled(self) -> Mapping[str, Pooled]:
        """All numbers: macro and micro, of systems, of annotators."""
        raise NotImplementedError

    def tables(self) -> list[Table]:
        """Return the short tables."""
        raise NotImplementedError

    def paper(self) -> list[Table]:
        """Return the tables that a paper needs."""
        return self.tables()

    def details(self) -> list[Table]:
        """Return the short tables, and tables with a row for each quantity."""
        return [*self.tables(), *quantity_tables(self.pooled)]

    def numbers_table(self) -> Table:
        """Return a row for each number."""
        rows = [
            (name, number, *estimate.values())
            for name, numbers in self.pooled.items()
            for number, estimate in numbers.to_dict().items()
        ]
        return Table("Numbers", ("of", "number", *(field.name for field in fields(Estimate))), rows)

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the short tables, in LaTeX with captions, in CSV every number, and the signature."""
        short = short_signature(self.signature)
        if format == "latex":
            return captioned(self.paper(), self.subject, short), self.signature
        return [self.numbers_table()] if format == "csv" else self.tables(), short

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"aifgraph": __version__, "signature": self.signature, "caveats": self.caveats}

    def _means(self) -> str:
        """Return what the numbers of the short table are."""
        intervals = f", with {100 * self.bootstrap.level:.4g} % bootstrap intervals" if self.bootstrap else ""
        return f"means over texts{intervals}"

    def _note(self, *lines: str) -> str:
        """Return lines for below a table, and all caveats."""
        return "\n".join([*lines, *(f"Caveat: {caveat}." for caveat in self.caveats)])


_CALCULATIONS = {of.code: of.name.replace("_", " ") for of in CALCULATIONS.values()} | {"ER": "explicit relations (ER)"}


def printed_quantity(name: str) -> str:
    """Return a quantity, by the name of its numbers without a score, as it is printed.

    >>> printed_quantity("argument M'"), printed_quantity("RA PR")
    ('argument M above chance', 'propositional relations: RA')
    """
    part, _, what = name.rpartition(" ")
    if what in _CALCULATIONS:
        return f"{_CALCULATIONS[what]}{': ' if part else ''}{part}"
    return printed_name(f"{name}-kappa").replace("-κ", "")


def quantity_tables(pooled: Mapping[str, Pooled]) -> list[Table]:
    """Return tables with a row for each quantity and a column for each of the ``DETAILED`` scores."""
    return [table for name, numbers in pooled.items() for table in _quantity_tables(name, numbers)]


def _quantity_tables(name: str, numbers: Pooled) -> Iterator[Table]:
    """Yield the table of some numbers, and one of their intervals if there are any."""
    quantities: dict[Number, dict[str, Estimate]] = defaultdict(dict)
    for number, estimate in numbers.items():
        if estimate.value is not None and number.what != "S'":
            quantities[number._replace(score="")][number.score] = estimate
    values: list[list[Cell]] = []
    intervals: list[list[Cell]] = []
    for quantity, scores in sorted(quantities.items(), key=lambda item: _order(item[0])):
        others = ("argument", "dialogue") if quantity.what == "M" else ("",)
        if quantity.part not in others and scores in [quantities.get(quantity._replace(part=of)) for of in others]:
            continue  # what all is of one layer stands once: as M of the layer, and as S and CASS
        first = next(iter(scores.values()))
        row = printed_quantity(str(quantity))
        cells = (scores[of].value if of in scores else "" for of in ("", *DETAILED))
        values.append([row, *cells, first.texts, first.pairs])
        intervals.append([row, *(scores[of].interval if of in scores else "" for of in ("", *DETAILED[:2]))])
    columns = ["", "value", *map(printed_name, DETAILED)]
    yield Table(name, [*columns, "texts", "pairs"], values)
    if any(cell for _, *cells in intervals for cell in cells):
        yield Table(f"{name}, intervals", columns[:4], intervals)


def _order(quantity: Number) -> tuple[int, int]:
    """Return the place of a quantity in tables: argument, dialogue, whole; M, S, CASS, all else as it comes."""
    whats, parts = ("M", "S", "CASS"), ("argument", "dialogue", "", "mean")
    part = parts.index(quantity.part) if quantity.part in parts else 0
    return (whats.index(quantity.what), part) if quantity.what in whats else (len(whats), 0)


@dataclass(frozen=True)
class TextTable:
    """Texts by columns that add up; ``numbers`` works out numbers from sums (rounds × columns), NaN for undefined.

    ``pairs`` counts for each number the pairs of maps of each text in which it is defined.
    """

    texts: tuple[str, ...]
    columns: Array
    numbers: Callable[[Array], Mapping[Number, Array]]
    pairs: Mapping[Number, Array]

    def pool(self, weights: Array) -> Mapping[Number, Array]:
        """Return the numbers of texts with these weights (rounds × texts), a value for each round."""
        with np.errstate(all="ignore"):
            return self.numbers(weights @ self.columns)

    def by_text(self, numbers: Iterable[Number]) -> dict[str, dict[str, float | None]]:
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
    means: Mapping[Number, Sequence[float] | Array],
    pairs: Mapping[Number, Array] | None = None,
    numbers: Callable[[Mapping[Number, Array]], Mapping[Number, Array]] = dict,
) -> TextTable:
    """Return the table of numbers that are means over texts; NaN where a text has none.

    ``numbers`` makes the numbers of the table of the means. ``pairs`` are one a text where they are not given.
    """
    values = np.array(list(means.values()), dtype=np.float64).T.reshape(len(texts), len(means))
    defined = np.isfinite(values)

    def numbers_of(sums: Array) -> Mapping[Number, Array]:
        quotients = sums[:, : len(means)] / sums[:, len(means) :]
        return numbers(dict(zip(means, quotients.T, strict=True)))

    counts = pairs or dict(zip(means, defined.T.astype(np.float64), strict=True))
    return TextTable(tuple(texts), np.hstack([np.where(defined, values, 0), defined]), numbers_of, counts)


def pool(*tables: TextTable, bootstrap: Bootstrap | None = None) -> Pooled:
    """Return the numbers of tables, with intervals over texts if there is a bootstrap.

    Only texts in which a number is defined are drawn. Below two there is no interval.
    """
    return Pooled(item for table in tables for item in _estimates(table, bootstrap).items())


def _estimates(table: TextTable, bootstrap: Bootstrap | None) -> dict[Number, Estimate]:
    same_texts: dict[bytes, list[Number]] = defaultdict(list)
    for number, counts in table.pairs.items():
        same_texts[(counts > 0).tobytes()].append(number)
    estimates: dict[Number, Estimate] = {}
    for numbers in same_texts.values():
        defined = table.only(table.pairs[numbers[0]] > 0)
        size = len(defined.texts)
        values = defined.pool(np.ones((1, size)))
        drawn: dict[Number, list[Array]] = defaultdict(list)
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
    pattern of exchange. ``p_least`` is the least p that so many texts and rounds can give. ``p_holm`` is adjusted over
    all tests that were made together.
    """

    first: str
    second: str
    number: Number
    texts: int
    left_out: tuple[str, ...] = ()
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    exact: bool = False
    p_least: float | None = None
    p_holm: float | None = None

    def printed_p(self, p: float | None) -> str:
        """Return ``p`` or ``p_holm`` as it is printed: with ≤ where more rounds could give less.

        >>> PairedTest("ours", "theirs", Number("M"), 60, p=0.0001, p_least=0.0001).printed_p(0.0006)
        '≤ 0.0006'
        """
        if p is None:
            return "–"
        return f"{'≤ ' if self.p == self.p_least and not self.exact else ''}{p:.3g}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "number": str(self.number)}


def paired_test(
    tables: Mapping[str, TextTable],
    number: Number,
    *,
    defined_by: Number | None = None,
    rounds: int = 10_000,
    bootstrap: Bootstrap | None = None,
) -> PairedTest:
    """Test whether two tables differ in a number, by approximate randomisation over their common texts.

    In each round the rows of a text change tables with probability ½; p is the share of rounds (with the data as one
    more) whose difference is at least as large, two-sided. A round without a value counts as one of these. The texts
    are those of both in which ``defined_by`` (by default the number) is defined.

    >>> better = mean_table("abcdefgh", {Number("M"): [0.9] * 8})
    >>> worse = mean_table("abcdefgh", {Number("M"): [0.5] * 8})
    >>> paired_test({"ours": better, "theirs": worse}, Number("M")).p
    0.0078125
    """
    bootstrap = bootstrap or Bootstrap()
    first, second = tables
    row_of = [
        {text: row for row, text in enumerate(table.texts) if table.pairs[defined_by or number][row]}
        for table in tables.values()
    ]
    texts = dict.fromkeys(text for table in tables.values() for text in table.texts)
    common = [text for text in texts if all(text in rows for rows in row_of)]
    size = len(common)
    test = PairedTest(first, second, number, size, tuple(text for text in texts if text not in set(common)))
    if not size:
        return test
    sides = [table.only([rows[text] for text in common]) for table, rows in zip(tables.values(), row_of, strict=True)]
    ours, theirs = (side.columns for side in sides)
    moves = (ours != theirs).any(axis=1)  # an exchange of equal rows moves nothing

    def difference(first_sums: Array, second_sums: Array) -> Array:
        with np.errstate(all="ignore"):
            return sides[0].numbers(first_sums)[number] - sides[1].numbers(second_sums)[number]

    def exchanged(patterns: NDArray[np.uint8]) -> Array:
        moved = patterns[:, moves].astype(np.float64) @ (theirs - ours)[moves]
        return difference(ours.sum(axis=0) + moved, theirs.sum(axis=0) - moved)

    observed = float(exchanged(np.zeros((1, size), dtype=np.uint8))[0])
    if not isfinite(observed):
        return test
    bar = abs(observed) - 1e-12 * max(1.0, abs(observed))  # rounding must not break a tie
    patterns, exact = exchanges(size, rounds, bootstrap.seed)
    at_least = np.concatenate([~(np.abs(exchanged(block)) < bar) for block in patterns])
    p = at_least.mean() if exact else (at_least.sum() + 1) / (len(at_least) + 1)
    least = min(1.0, 2.0 ** (1 - size)) if exact else 1 / (len(at_least) + 1)
    drawn = [difference(weights @ ours, weights @ theirs) for weights in bootstrap.weights(size)]
    low, high, _ = bootstrap.interval(drawn)
    return replace(test, difference=observed, low=low, high=high, p=float(p), exact=exact, p_least=least)


def with_holm(tests: Iterable[PairedTest]) -> tuple[PairedTest, ...]:
    """Return the tests with p-values adjusted after Holm over all of them."""
    listed = tuple(tests)
    adjusted = holm([test.p for test in listed])
    return tuple(replace(test, p_holm=p) for test, p in zip(listed, adjusted, strict=True))
