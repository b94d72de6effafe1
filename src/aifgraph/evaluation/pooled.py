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
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import zip_longest
from math import isfinite
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.comparison.tables import DETAILED
from aifgraph.graph import Notice
from aifgraph.options import short_signature
from aifgraph.printable import enumerated
from aifgraph.stats.resampling import Array, Bootstrap, exchanges, holm
from aifgraph.stats.scores import NONE, ConfusionMatrix, printed_name, score_all
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


def columns_of(rows: Iterable[Pooled], further: Iterable[Number] = ()) -> list[Number]:
    """Return the ``COLUMNS`` that some row has, and further ones; not M where it is M of one layer."""
    rows = [*rows]
    known = [name for name in COLUMNS if any(of[name].value is not None for of in rows)]
    again = "M-kappa" if sum(name in known for name in COLUMNS[:2]) == 1 else ""
    return [*dict.fromkeys([*(Number.parse(name) for name in known if name != again), *further])]


def fused_in(number: Number) -> tuple[Number, Number] | None:
    """Return the mean M and the mean S that a CASS is made of; None for what is a mean over texts itself."""
    if number.part == "mean" or number.what not in ("CASS", "CASS'"):
        return None
    mean = number._replace(what=number.what.replace("CASS", "M"))
    return mean, Number("S", "", number.part) if number.what == "CASS" else number._replace(what="S'")


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

    ``subject`` is what they are of, ``bootstrap`` how intervals were made. By row (of corpora, systems, annotators):
    the macro numbers of every text, and the ``matrices`` of the calculations, summed over pairs.
    """

    #: Whether there is one row of texts, which needs no name.
    one_row: ClassVar = False

    subject: str
    caveats: list[str]
    notices: tuple[Notice, ...]
    signature: str
    bootstrap: Bootstrap | None
    tables_of_texts: Mapping[str, TextTable] = field(default_factory=dict)
    matrices: Mapping[str, Mapping[str, ConfusionMatrix]] = field(default_factory=dict)

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
        """Return the short tables, a row for each quantity and for each text, and every label with its matrix."""
        numbers = quantity_tables(self.pooled)
        return [*self.paper(), *numbers, self.texts_table(short=True), *report_tables(self.matrices)]

    def finest_table(self) -> Table:
        """Return the rows that the numbers are made of."""
        return self.texts_table()

    def texts_table(self, *, short: bool = False) -> Table:
        """Return a row for each text (of each system or annotator), with its macro numbers, or the short ones."""
        numbers = [*dict.fromkeys(number for table in self.tables_of_texts.values() for number in table.pairs)]
        if short:
            rows = [Pooled({n: Estimate(0.0 if of.pairs[n].any() else None) for n in of.pairs})
                    for of in self.tables_of_texts.values()]  # fmt: skip
            numbers = columns_of(rows)
        several = not self.one_row
        cells: list[list[Cell]] = []
        for name, table in self.tables_of_texts.items():
            for text, of in table.by_text([n for n in numbers if n in table.pairs]).items():
                row = [name, text] if several else [text]
                cells.append([*([": ".join(row)] if short else row), *(of.get(str(n)) for n in numbers)])
        if short:
            return Table("Texts", ["", *(printed_name(str(n)) for n in numbers)], cells)
        return Table("Texts", [*(["of"] if several else []), "text", *map(str, numbers)], cells)

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
        """Return plain values: of the fields, the numbers of each text, and the matrices."""
        own = {of.name: getattr(self, of.name) for of in fields(self) if of.name not in _UNWRITTEN}
        matrices = {row: {name: asdict(of) for name, of in found.items()} for row, found in self.matrices.items()}
        texts = self.texts_table().records()
        return {"aifgraph": __version__, **_plain(own), "matrices": matrices, "by_text": texts}

    def ranking(self, title: str, rows: Mapping[str, Pooled], drawn: Sequence[Number], note: str) -> Table:
        """Return a row for each system or annotator; the first of the ``drawn`` numbers, which have intervals, has F1
        beside it, and numbers of equally many texts have one column for these."""
        columns = columns_of(rows.values(), drawn)
        if drawn[0].score == "kappa" and drawn[0] in columns:
            columns.insert(columns.index(drawn[0]) + 1, drawn[0]._replace(score="f1"))
        heads, cells = [""], [list[Cell]([name]) for name in rows]
        for column, after in zip_longest(columns, columns[1:]):
            of_main = column == drawn[0]._replace(score="f1") and column not in drawn
            heads.append("F1" if of_main else printed_name(str(column)))
            texts = [of[column].texts for of in rows.values()]
            for row, of in zip(cells, rows.values(), strict=True):
                row.append(cell(of[column]) if column in drawn else of[column].value)
            if after is None or texts != [of[after].texts for of in rows.values()]:
                heads.append("texts")
                for row, number in zip(cells, texts, strict=True):
                    row.append(number)
        return Table(title, heads, cells, note="\n".join(filter(None, (self._means(columns), note))))

    def _means(self, numbers: Iterable[Number]) -> str:
        """Return what the numbers of a short table are."""
        listed = [*dict.fromkeys(number for number in numbers if not fused_in(number))]
        intervals = f", with {100 * self.bootstrap.level:.4g} % bootstrap intervals" if self.bootstrap else ""
        lines = f"{enumerated([printed_name(str(number)) for number in listed])} are means over texts{intervals}."
        for number in numbers:
            if of := fused_in(number):
                mean, similarity = (printed_name(str(part._replace(part=""))) for part in of)
                if not any(one.what == "M" and not one.part for one in listed):  # M is M of the only layer
                    mean = next((printed_name(str(one)) for one in listed if one.what == "M"), mean)
                lines += f" {printed_name(str(number))} is the harmonic mean of mean {mean} and mean {similarity}."
        return lines

    def _note(self, *lines: str) -> str:
        """Return lines for below a table, and all caveats."""
        return "\n".join([*lines, *(f"Caveat: {caveat}." for caveat in self.caveats)])


#: The fields of a result that JSON has in another form, or not.
_UNWRITTEN = {"subject", "notices", "bootstrap", "tables_of_texts", "matrices", "outcomes", "header"}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Number):
        return str(value)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(of) for key, of in value.items()}
    return [_plain(of) for of in value] if isinstance(value, list | tuple) else value


def report_tables(matrices: Mapping[str, Mapping[str, ConfusionMatrix]]) -> Iterator[Table]:
    """Yield for each calculation its labels, with support and scores against the rest, and its summed matrix."""
    columns = ("", "first", "second", *map(printed_name, REPORTED))
    for row, of in matrices.items():
        for name, matrix in of.items():
            title = f"{row}, {name.replace('_', ' ')}"
            labels = [label for label in matrix.labels if label != NONE]
            parts = {label: matrix.collapse(label) for label in labels} | {"all labels": matrix}
            rows: list[list[Cell]] = []
            for label, part in parts.items():
                if part.labels[-1:] == (NONE,):
                    support = part.total - part.row_sums[-1], part.total - part.column_sums[-1]
                    rows.append([label, *support, *score_all(part, REPORTED).values()])
            yield Table(title, columns, rows if len(labels) > 1 else rows[-1:])
            counts: list[list[Cell]] = [
                [label, *of_row] for label, of_row in zip(matrix.labels, matrix.rows, strict=True)
            ]
            yield Table(f"{title}, labels of the first by those of the second", ("", *matrix.labels), counts)


#: The scores of a label in a report, as scikit-learn has them, and kappa.
REPORTED = ("precision", "recall", "f1", "kappa")
#: The numbers that may be of one label.
BY_LABEL = frozenset(of.code for of in CALCULATIONS.values())
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


def quantity_tables(pooled: Mapping[str, Pooled]) -> Iterator[Table]:
    """Yield tables with a row for each quantity and a column for each of the ``DETAILED`` scores."""
    for name, numbers in pooled.items():
        quantities: dict[Number, dict[str, Estimate]] = defaultdict(dict)
        for number, estimate in numbers.items():
            # The reports have the labels.
            if estimate.value is not None and number.what != "S'" and not (number.what in BY_LABEL and number.part):
                quantities[number._replace(score="")][number.score] = estimate
        rows: list[list[Cell]] = []
        for quantity, scores in sorted(quantities.items(), key=lambda item: _order(item[0])):
            layers = [of for of in ("argument", "dialogue") if quantity._replace(part=of) in quantities]
            once = layers[0] if quantity.what == "M" and layers else ""
            if quantity.part != "mean" and len(layers) == 1 and quantity.part != once:
                continue  # what all is of one layer stands once: as M of the layer, and as S and CASS
            first = next(iter(scores.values()))
            values = [scores.get(of, Estimate()) if of in scores else None for of in ("", *DETAILED)]
            cells = ["" if of is None else cell(of) if at < 3 else of.value for at, of in enumerate(values)]
            rows.append([printed_quantity(str(quantity)), *cells, first.texts, first.pairs])
        yield Table(name, ["", "value", *map(printed_name, DETAILED), "texts", "pairs"], rows)


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

    @staticmethod
    def printed_p(p: float | None) -> str:
        """Return ``p`` or ``p_holm`` as it is printed.

        >>> PairedTest.printed_p(0.03125), PairedTest.printed_p(0.00001)
        ('0.0312', '< 0.0001')
        """
        return "–" if p is None else f"{p:.4f}" if p >= 0.00005 else "< 0.0001"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "number": str(self.number)}


def paired_test(
    tables: Mapping[str, TextTable],
    number: Number,
    *,
    rounds: int = 10_000,
    bootstrap: Bootstrap | None = None,
) -> PairedTest:
    """Test whether two tables differ in a number, by approximate randomisation over the texts in which both have it.

    In each round the values of a text change tables with probability ½; p is the share of rounds (with the data as one
    more) whose difference is at least as large, two-sided. CASS is no mean over texts: what changes tables are the
    texts' contributions, whose mean it is.

    >>> better = mean_table("abcdefgh", {Number("M"): [0.9] * 8})
    >>> worse = mean_table("abcdefgh", {Number("M"): [0.5] * 8})
    >>> paired_test({"ours": better, "theirs": worse}, Number("M")).p
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
    drawn = [sides[0].pool(weights)[number] - sides[1].pool(weights)[number] for weights in bootstrap.weights(size)]
    low, high, _ = bootstrap.interval(drawn)
    return replace(test, difference=observed, low=low, high=high, p=float(p), exact=exact, p_least=least)


def _contributions(table: TextTable, number: Number) -> Array:
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
