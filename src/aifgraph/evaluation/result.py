"""What comes of many pairs: the tables of the result of a run, and the result of comparing two corpora."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from heapq import nsmallest
from itertools import chain, zip_longest
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

from aifgraph.comparison.breakdown import attachment, label_given_attachment
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.comparison.cass import LAYER_NAMES, counts_in
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.tables import DETAILED, pair_row
from aifgraph.errors import FormatError
from aifgraph.evaluation.caveats import corpus_caveats, few_texts, left_out
from aifgraph.evaluation.estimates import Estimate, Estimates, MetricName, TextTable, cell, columns_of, fused_in, pool
from aifgraph.evaluation.record import Header, Outcome, read_record
from aifgraph.evaluation.text_tables import macro_table, micro_tables, summed_matrices, zero_row
from aifgraph.graph import Notice
from aifgraph.options import Options, Signature
from aifgraph.printable import enumerated, pluralize
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import NONE, ConfusionMatrix, printed_name, score_all
from aifgraph.tables import Cell, Result, Table, captioned
from aifgraph.version import __version__

#: The rows of the short table, by their numbers without a score.
ROWS = ("argument M", "dialogue M", "M", "S", "CASS", "ER")
#: The rows below them: by chance and above it.
AGAINST = {"M": ("E", "M'"), "CASS": ("CASS'",), "ER": ("E(ER)", "ER'")}
#: What a mean above chance is: it does not follow from the two means beside it.
ABOVE_CHANCE = "Above chance: a mean of the ratios (score − chance) / (1 − chance) of the pairs."
#: How many pairs the short tables list.
LOWEST = 5


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
    how: Signature
    bootstrap: Bootstrap | None
    tables_of_texts: Mapping[str, TextTable] = field(default_factory=dict)
    matrices: Mapping[str, Mapping[str, ConfusionMatrix]] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The options and the version, in one line."""
        return str(self.how)

    @property
    def pooled(self) -> Mapping[str, Estimates]:
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
            numbers = columns_of(of for name, of in self.pooled.items() if name != "micro")
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
        """Return a row for each number, with its name in tables."""
        rows = [
            (name, number, f"{'pooled ' if name == 'micro' else ''}{_long_name(number)}", *estimate.values())
            for name, numbers in self.pooled.items()
            for number, estimate in numbers.to_dict().items()
        ]
        return Table("Numbers", ("of", "number", "name", *(field.name for field in fields(Estimate))), rows)

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the short tables, in LaTeX with captions, in CSV every number, and the signature."""
        if format == "latex":
            return captioned(self.paper(), self.subject, self.how.short), self.signature
        return [self.numbers_table()] if format == "csv" else self.tables(), self.how.short

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: of the fields, the numbers of each text, and the matrices."""
        own = {of.name: getattr(self, of.name) for of in fields(self) if of.name not in _UNWRITTEN}
        matrices = {row: {name: asdict(of) for name, of in found.items()} for row, found in self.matrices.items()}
        texts = self.texts_table().records()
        whole = {"aifgraph": __version__, "caveats": self.caveats, "signature": self.signature}
        return {**whole, **_plain(own), "matrices": matrices, "by_text": texts}

    def ranking(self, title: str, rows: Mapping[str, Estimates], drawn: Sequence[MetricName], note: str) -> Table:
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
        number_of = {column: max((of[column].texts for of in rows.values()), default=0) for column in columns}
        most = max(number_of.values())
        fewer = enumerated([printed_name(str(column)) for column, number in number_of.items() if number < most])
        means = self._means(columns) + (f" Of fewer than {most} texts: {fewer}." if fewer else "")
        return Table(title, heads, cells, note="\n".join(filter(None, (means, note))))

    def _means(self, numbers: Iterable[MetricName]) -> str:
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
        return lines + _calculations_of(self.how.options)

    def _note(self, *lines: str) -> str:
        return "\n".join([*lines, *(f"Caveat: {caveat}." for caveat in self.caveats)])


#: The fields of a result that JSON has in another form, or not.
_UNWRITTEN = {"subject", "caveats", "notices", "how", "bootstrap", "tables_of_texts", "matrices", "outcomes", "header"}


def _plain(value: Any) -> Any:
    if isinstance(value, MetricName):
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
            parts = {"all labels": matrix}
            if len(labels) > 1:
                parts = {label: matrix.collapse(label) for label in labels} | parts
                parts |= {"attachment": attachment(matrix), "label given attachment": label_given_attachment(matrix)}
            rows: list[list[Cell]] = []
            for label, part in parts.items():
                none = NONE in part.labels
                support = (part.total - (sums[-1] if none else 0) for sums in (part.row_sums, part.column_sums))
                # Of labels that both give there is only kappa: no item is without a label.
                found = score_all(part, REPORTED if none else ["kappa"])
                rows.append([label, *support, *map(found.get, REPORTED)])
            yield Table(title, columns, rows)
            counts: list[list[Cell]] = [
                [label, *of_row] for label, of_row in zip(matrix.labels, matrix.rows, strict=True)
            ]
            yield Table(f"{title}, labels of the first by those of the second", ("", *matrix.labels), counts)


#: The scores of a label in a report.
REPORTED = ("precision", "recall", "specificity", "balanced_accuracy", "informedness", "f1", "kappa")
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


def _long_name(number: str) -> str:
    """Return a number as it is printed; of a calculation, with its whole name.

    >>> _long_name("argument M-alpha"), _long_name("RA PR-alpha")
    ('argument M: α', 'propositional relations: RA: α')
    """
    head, dash, score = number.rpartition("-")
    return f"{printed_quantity(head)}: {printed_name(score)}" if dash else printed_name(number)


def _calculations_of(options: Options) -> str:
    """Return which calculations M of a layer is of, where they are not the default ones."""
    sentences = ""
    for layer, name in LAYER_NAMES.items():
        chosen = [calculation for calculation in options.calculations if counts_in(calculation, layer)]
        if name and chosen != [calculation for calculation in Options().calculations if counts_in(calculation, layer)]:
            of = [_CALCULATIONS[CALCULATIONS[calculation].code] for calculation in chosen]
            sentences += f" {name}M is of {enumerated(of)}." if of else ""
    return sentences


def quantity_tables(pooled: Mapping[str, Estimates]) -> Iterator[Table]:
    """Yield tables with a row for each quantity and a column for each of the ``DETAILED`` scores."""
    for name, numbers in pooled.items():
        quantities: dict[MetricName, dict[str, Estimate]] = defaultdict(dict)
        for number, estimate in numbers.items():
            # The reports have the labels.
            if estimate.value is not None and number.what != "S'" and not (number.what in BY_LABEL and number.part):
                quantities[number._replace(score="")][number.score] = estimate
        rows: list[list[Cell]] = []
        for measured, scores in sorted(quantities.items(), key=lambda item: _order(item[0])):
            layers = [of for of in ("argument", "dialogue") if measured._replace(part=of) in quantities]
            once = layers[0] if measured.what == "M" and layers else ""
            if measured.part != "mean" and len(layers) == 1 and measured.part != once:
                continue  # what all is of one layer stands once: as M of the layer, and as S and CASS
            if measured.what == "S" and measured.part and scores == quantities[measured._replace(part="")]:
                continue
            first = next(iter(scores.values()))
            # What has one value has it below κ, as S in the short table.
            values = [scores[of] if of in scores else scores.get("") if of == "kappa" else None for of in DETAILED]
            cells = ["" if of is None else cell(of) if at < 2 else of.value for at, of in enumerate(values)]
            rows.append([printed_quantity(str(measured)), *cells, first.texts, first.pairs])
        note = ABOVE_CHANCE if any("above chance" in str(row[0]) for row in rows) else ""
        yield Table(name, ["", *map(printed_name, DETAILED), "texts", "pairs"], rows, note=note)


def _order(quantity: MetricName) -> tuple[int, int]:
    """Return the place of a quantity in tables: argument, dialogue, whole; M, S, CASS, all else as it comes."""
    whats, parts = ("M", "S", "CASS"), ("argument", "dialogue", "", "mean")
    part = parts.index(quantity.part) if quantity.part in parts else 0
    return (whats.index(quantity.what), part) if quantity.what in whats else (len(whats), 0)


@dataclass(frozen=True, repr=False, kw_only=True)
class CorpusComparison(PooledResult):
    """How two corpora agree.

    ``macro`` and ``micro`` have every number by its name: ``result.macro["argument CASS-kappa"].value``.

    >>> from aifgraph.evaluation.run import compare_corpora
    >>> result = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
    >>> print(result.macro["CASS-kappa"], result.caveats[0])
    0.951 in 1 of 3 pairs both sides are copies of one map, with the same ids; argument M-κ is 0.867 without them
    """

    one_row = True

    outcomes: Sequence[Outcome]
    header: Header
    macro: Estimates
    micro: Estimates

    @classmethod
    def from_outcomes(
        cls,
        outcomes: Sequence[Outcome],
        header: Header,
        notices: tuple[Notice, ...] = (),
        bootstrap: Bootstrap | None = None,
    ) -> CorpusComparison:
        """Return the result of a run."""
        outcomes = [*outcomes]
        texts = macro_table(outcomes)
        macro = pool(texts, bootstrap=bootstrap)
        how = header.signature
        micro = pool(*micro_tables(outcomes, mean_of_layers=how.options.mean == "layers"), bootstrap=bootstrap)
        results = (of.result for of in outcomes if of.result and not of.missing)
        axis = {"axis": "anchors"} if any("axis" in of.how.further for of in results) else {}
        few = few_texts(len(texts.texts)) if bootstrap else []
        return cls(
            outcomes=outcomes,
            header=header,
            macro=macro,
            micro=micro,
            subject=f"Agreement of {' and '.join(header.names)}",
            caveats=[*few, *corpus_caveats(outcomes, macro, micro, header.names)],
            tables_of_texts={" – ".join(header.names): texts},
            matrices={" – ".join(header.names): summed_matrices(outcomes)},
            notices=notices,
            how=how.extend(**axis, **(bootstrap.parts if bootstrap else {})),
            bootstrap=bootstrap,
        )

    @staticmethod
    def load(path: str | PathLike[str]) -> CorpusComparison:
        """Read the result of a run from its file."""
        header, outcomes, _ = read_record(Path(path))
        return CorpusComparison.from_outcomes([*outcomes.values()], header)

    def with_intervals(self, bootstrap: Bootstrap | None) -> CorpusComparison:
        """Return the same result, with bootstrap intervals over texts in ``macro`` and ``micro``; None for none."""
        return CorpusComparison.from_outcomes(self.outcomes, self.header, self.notices, bootstrap)

    @property
    def texts(self) -> TextTable:
        """The macro numbers of each text."""
        return next(iter(self.tables_of_texts.values()))

    @property
    def pairs(self) -> tuple[PairResult, ...]:
        """The results of the pairs that could be compared."""
        return tuple(outcome.result for outcome in self.outcomes if outcome.result and not outcome.missing)

    @property
    def failed(self) -> dict[str, str]:
        """The errors of the pairs that could not be compared."""
        return {str(outcome.key): outcome.error for outcome in self.outcomes if outcome.error}

    @property
    def pooled(self) -> Mapping[str, Estimates]:
        """Both, by their names."""
        return {"macro": self.macro, "micro": self.micro}

    @property
    def coverage(self) -> str:
        """A sentence: how many texts and pairs there are, and what becomes of the texts that only one corpus has."""
        texts = Counter(outcome.text for outcome in self.outcomes if outcome.result and not outcome.missing)
        unpaired = zip(self.header.names, (self.header.unpaired_first, self.header.unpaired_second), strict=True)
        alone = left_out(dict(unpaired), missing=self.header.missing)
        kind = "compared pairs" if any(outcome.missing for outcome in self.outcomes) else "pairs"
        return f"{pluralize(len(texts), 'texts')} in {pluralize(texts.total(), kind)}{alone}."

    def table(self) -> Table:
        """Return the short table."""
        rows: list[list[Cell]] = []
        layers = [of for of in ("argument", "dialogue") if self.macro[f"{of} M-kappa"].texts]
        once = ["M"] if len(layers) == 1 else []  # M of one layer is M of that layer
        unsaid = any(side.reconstructed for pair in self.pairs for side in pair.sides)
        if not unsaid and self.macro["ER-kappa"] == self.macro["argument M-kappa"]:
            once.append("ER")  # which is argument M where nothing is reconstructed, and nothing undercut
        for name in ROWS:
            if name in once:
                continue
            part, space, what = name.rpartition(" ")
            for row in (name, *(f"{part}{space}{of}" for of in AGAINST.get(what, ()))):
                kappa, f1 = "S" if row == "S" else f"{row}-kappa", f"{row}-f1"
                estimate = self.macro[kappa]
                if estimate.value is not None:
                    micro = (self.micro[number].value for number in (kappa, f1))
                    counts = estimate.texts, estimate.pairs
                    rows.append([printed_quantity(row), *map(cell, (estimate, self.macro[f1])), *micro, *counts])
        drawn = [
            MetricName.parse(name) for name in ROWS if name not in once and name not in ("dialogue M", "argument M")
        ]
        drawn = [number for number in drawn if self.macro[number._replace(score="kappa" * (number.what != "S"))].texts]
        means = self._means([*(MetricName("M", "", of) for of in layers), *drawn])
        if any("above chance" in str(row[0]) for row in rows):
            means += f" {ABOVE_CHANCE}"
        if any(outcome.missing for outcome in self.outcomes):
            means += f" Micro sums the {pluralize(sum(1 for _ in self.pairs), 'compared pairs')}."
        return Table(
            self.coverage, ("", "κ", "F1", "micro κ", "micro F1", "texts", "pairs"), rows, note=self._note(means)
        )

    def paper(self) -> list[Table]:
        """Return the short table, and measures other than CASS if there are any."""
        measures = [(name, self.macro[name].value, self.macro[name].texts) for name in self.header.measures]
        others = [Table("Other measures", ("measure", "mean over texts", "texts"), measures)] if measures else []
        return [self.table(), *others]

    def tables(self) -> list[Table]:
        """Return the same, and the pairs that agree least."""
        lowest = nsmallest(LOWEST, self.pairs, key=_agreement)
        pairs = [short_pairs_table("Pairs with the lowest CASS-κ", lowest)] if len(lowest) > 1 else []
        return [*self.paper(), *pairs]

    def details(self) -> list[Table]:
        """Return the short tables, all pairs and texts, every label, and a row for each quantity."""
        short, *others = super().details()
        return [short, short_pairs_table("Pairs", [*self.pairs]), *others]

    def pairs_table(self) -> Table:
        """Return a row for each pair, with every score; of those with a map that is missing, the zeros that count."""
        rows: list[dict[str, Cell]] = []
        for outcome in self.outcomes:
            if pair := outcome.result:
                row = {**pair_row(pair), "missing": outcome.missing}
                zeros = zero_row(pair) if outcome.missing else {}
                rows.append({**row, "n": 0, "mode": "", **zeros} if zeros else row)
        columns = [*dict.fromkeys(chain.from_iterable(rows))]
        return Table("Pairs", columns, [[row.get(column) for column in columns] for row in rows])

    def finest_table(self) -> Table:
        """Return the pairs."""
        return self.pairs_table()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: the numbers of the whole and of each text, and the pairs."""
        document = super().to_dict()
        return document | {
            "names": list(self.header.names),
            "unpaired": {"first": self.header.unpaired_first, "second": self.header.unpaired_second},
            "failed": self.failed,
            "texts": document.pop("by_text"),
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def _agreement(pair: PairResult) -> tuple[float, float, str]:
    """Return what pairs are ordered by: CASS-κ, then argument M-κ, each last where it is undefined; then the name."""
    cass, argument = (inf if of is None else of for of in (pair.kappa, pair.layers["propositional"].mean["kappa"]))
    return cass, argument, pair.name


def short_pairs_table(title: str, pairs: Sequence[PairResult]) -> Table:
    """Return a row for each pair."""
    layers = [layer for layer in LAYER_NAMES if any(pair.layers[layer].n for pair in pairs)]
    layers = layers[:1] if len(layers) == 2 else layers  # M is M of one layer
    rows = [
        (pair.name, *(pair.layers[layer].mean["kappa"] for layer in layers), pair.S, pair.kappa, pair.f1)
        for pair in pairs
    ]
    return Table(title, ("", *(f"{LAYER_NAMES[layer]}M-κ" for layer in layers), "S", "CASS-κ", "CASS-F1"), rows)


def read_stored(path: Path) -> PairResult | CorpusComparison:
    """Return the result in a file: of two maps as JSON, of two corpora as the lines of a run."""
    content = path.read_bytes()
    if b'\n "macro": ' in content:
        what = "the numbers of many pairs in JSON, which cannot be read back"
        raise FormatError(what, where=str(path), remedy="give the lines that compare --resume RUN.jsonl writes")
    is_run = content.startswith(b'{"kind":"aifgraph results"')
    return CorpusComparison.load(path) if is_run else PairResult.load(path)
