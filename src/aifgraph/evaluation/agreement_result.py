"""The agreement of several annotators, and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from aifgraph.comparison.breakdown import NameAgreement
from aifgraph.comparison.cass import ScoreLayer, mean_of
from aifgraph.errors import NoSuchNameError, choose_from
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.defaults import DEFAULT_TESTED
from aifgraph.evaluation.intervals import ER, Intervals, intervals_of
from aifgraph.evaluation.pooled import MacroScores, PooledNumber
from aifgraph.evaluation.significance import EXPLICIT, macro_value, shown_score
from aifgraph.evaluation.text_agreement import Example, TextLabels, labels_alone
from aifgraph.graph import Notice
from aifgraph.printable import quantity
from aifgraph.stats.agreement import fleiss_of_sums, label_sums
from aifgraph.stats.bootstrap import Interval, bootstrap_many, coverage_notes
from aifgraph.stats.krippendorff import alpha_of_sums
from aifgraph.stats.matrix import NONE
from aifgraph.tables import Cell, Document, Result, Table

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

#: Rows of the tables of labels, schemes and speakers.
_ROWS = 15


class LabelNumber(NamedTuple):
    """Krippendorff's alpha or Fleiss' kappa of a calculation; with a ``label``, alpha of it against all the rest."""

    what: Literal["alpha", "fleiss"]
    calculation: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two labels of a calculation that annotators give to one item: how often, and some examples."""

    calculation: str
    labels: tuple[str, str]
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class LabelUse:
    """How often each annotator gives a label, in texts that others did too: counts of items, and shares of all labels
    that the annotator gives in the calculation (None where that is none); ``alpha`` is Krippendorff's, of the label
    against all the rest."""

    calculation: str
    label: str
    counts: Mapping[str, int]
    shares: Mapping[str, float | None]
    alpha: float | None

    @property
    def spread(self) -> float:
        """The greatest share less the least."""
        shares = [share for share in self.shares.values() if share is not None]
        return max(shares) - min(shares) if shares else 0.0


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """Agreement of several annotators.

    ``comparisons`` has every two annotators who share a text, by their names; ``alpha`` and ``fleiss`` are by
    calculation, None where undefined, with ``reasons``. ``speakers`` are decisions on illocutions by speaker,
    ``label_rows`` has by calculation how many items of
    each text got which labels.
    """

    annotators: tuple[str, ...]
    texts: Mapping[str, int]
    comparisons: Mapping[tuple[str, str], CorpusComparison]
    alpha: Mapping[str, float | None]
    fleiss: Mapping[str, float | None]
    items: Mapping[str, int]
    reasons: Mapping[str, str]
    failed: tuple[tuple[str, str], ...]
    signature: str
    layer: ScoreLayer = "all"
    label_uses: tuple[LabelUse, ...] = ()
    label_rows: Mapping[str, tuple[TextLabels, ...]] = field(default_factory=dict, repr=False)
    confusions: tuple[Confusion, ...] = ()
    speakers: Mapping[str, NameAgreement] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()

    @cached_property
    def pairs(self) -> dict[tuple[str, str], MacroScores]:
        """The macro numbers of every two annotators who share a text, by their names."""
        return {pair: comparison.macro for pair, comparison in self.comparisons.items()}

    @cached_property
    def schemes(self) -> dict[str, NameAgreement]:
        """The schemes of relations that both of two annotators have, by type of relation, over all pairs."""
        cells: dict[str, Counter[tuple[str, str]]] = {}
        for comparison in self.comparisons.values():
            for type_, names in comparison.breakdown.schemes.items():
                cells.setdefault(type_, Counter()).update(names.counts)
        return {type_: NameAgreement.of(of_type) for type_, of_type in sorted(cells.items())}

    def between(self, first: str, second: str, score: str = "kappa") -> float | None:
        """A macro score of two annotators: CASS in the layer (``kappa``), or the argument among what was said
        (``ER-kappa``); None if they share no text. ``NoSuchNameError`` for a name that no annotator has."""
        for name in (first, second):
            if name not in self.annotators:
                raise NoSuchNameError(f"there is no annotator {name!r}"[:200], remedy=choose_from(self.annotators))
        scores = self.pairs.get((first, second)) or self.pairs.get((second, first))
        return macro_value(scores, score, self.layer) if scores else None

    def mean(self, score: str = "kappa") -> float | None:
        """The mean score (as in :meth:`between`) over all pairs of annotators that have one."""
        return mean_of(macro_value(scores, score, self.layer) for scores in self.pairs.values())

    def against_the_rest(self, name: str, score: str = "kappa") -> float | None:
        """The mean score of one annotator with each of the others."""
        return mean_of(self.between(name, other, score) for other in self.annotators if other != name)

    def intervals(self, *, rounds: int = 1000, seed: int = 0, level: float = 0.95) -> dict[str, Intervals]:
        """Bootstrap intervals over texts: of every two annotators, of each against the rest, and of all pairs.

        The last two pool the pairs of annotators of a text, which are drawn together.
        """
        how: dict[str, Any] = {"rounds": rounds, "seed": seed, "level": level}
        result = {" – ".join(pair): comparison.intervals(**how) for pair, comparison in self.comparisons.items()}
        if len(self.annotators) > 2:
            for name in (*self.annotators, ""):
                chosen = [pair for pair in self.comparisons if not name or name in pair]
                summaries = list(chain.from_iterable(self.comparisons[pair].pairs for pair in chosen))
                if summaries:
                    result[f"{name} – the rest" if name else "all"] = intervals_of(
                        summaries,
                        mean_of_layers=next(iter(self.comparisons.values())).options.mean == "layers",
                        **how,
                    )
        return result

    def label_intervals(self, *, rounds: int = 1000, seed: int = 0, level: float = 0.95) -> dict[LabelNumber, Interval]:
        """Bootstrap intervals over texts of alpha and Fleiss' kappa of each calculation, and of alpha of each label."""
        how: dict[str, Any] = {"rounds": rounds, "seed": seed, "level": level}
        texts: dict[LabelNumber, Sequence[TextLabels]] = {}
        for name, rows in self.label_rows.items():
            texts[LabelNumber("alpha", name)] = rows
            of_all = [{labels: count for labels, count in text.items() if None not in labels} for text in rows]
            texts[LabelNumber("fleiss", name)] = of_all
        for use in self._of_several():
            alone = [labels_alone(text, use.label) for text in self.label_rows[use.calculation]]
            texts[LabelNumber("alpha", use.calculation, use.label)] = alone
        return {number: _label_interval(number, rows, how) for number, rows in texts.items()}

    def _of_several(self) -> list[LabelUse]:
        """The labels of calculations that have several."""
        labels = Counter(use.calculation for use in self.label_uses)
        return [use for use in self.label_uses if labels[use.calculation] > 1]

    def tables(
        self,
        intervals: Mapping[str, Intervals] | None = None,
        of_labels: Mapping[LabelNumber, Interval] | None = None,
    ) -> list[Table]:
        """The matrices of CASS, the agreement of all at once, and what stands behind it; no table without rows."""
        tables = [
            *_of_every_two(self),
            _intervals_table(self, intervals or {}),
            _together(self, of_labels or {}),
            _label_uses(self),
            _label_intervals(self, of_labels or {}),
            _confusions(self),
            _schemes(self),
            _speakers(self),
            Table("Texts done by two or more", ("annotator", "texts"), [[*row] for row in self.texts.items()]),
            Table("Failed", ("name", "error"), self.failed),
        ]
        return [table for table in tables if table.rows]

    def score_table(self) -> Table:
        """The score tables of every two annotators below one another, for CSV."""
        rows: list[dict[str, Cell]] = [
            {"first_annotator": first, "second_annotator": second, **row}
            for (first, second), comparison in self.comparisons.items()
            for row in comparison.score_table().records()
        ]
        columns = tuple(dict.fromkeys(column for row in rows for column in row))
        return Table("Scores", columns, [[row.get(column) for column in columns] for row in rows])

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables(), csv=[self.score_table()], signature=self.signature)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "layer": self.layer,
            "annotators": list(self.annotators),
            "texts": dict(self.texts),
            "pairs": [
                {"first": a, "second": b, **scores.to_dict(), "texts": scores.pairs}
                for (a, b), scores in self.pairs.items()
            ],
            "mean": {score: self.mean(score) for score in DEFAULT_TESTED},
            "against_the_rest": {
                name: {score: self.against_the_rest(name, score) for score in DEFAULT_TESTED}
                for name in self.annotators
            },
            "alpha": dict(self.alpha),
            "fleiss_kappa": dict(self.fleiss),
            "items": dict(self.items),
            "undefined": dict(self.reasons),
            "label_uses": [asdict(use) for use in self.label_uses],
            "confusions": [
                {**asdict(confusion), "examples": [str(example) for example in confusion.examples]}
                for confusion in self.confusions
            ],
            "schemes": {type_: names.to_dict() for type_, names in self.schemes.items()},
            "speakers": {name: names.to_dict() for name, names in self.speakers.items()},
            "failed": [{"name": name, "error": error} for name, error in self.failed],
        }


def _label_interval(number: LabelNumber, texts: Sequence[TextLabels], how: Mapping[str, Any]) -> Interval:
    """The interval of a number over its texts that have items that count."""
    import numpy as np

    known = sorted({label for text in texts for row in text for label in row if label is not None})
    given = [place for place, label in enumerate(known, 1) if label != NONE]
    table = np.array([label_sums(text, known) for text in texts], dtype=np.float64)
    of_sums = fleiss_of_sums if number.what == "fleiss" else alpha_of_sums

    def statistic(sums: Array) -> dict[LabelNumber, Array]:
        # Where nobody gives a label there is nothing to agree on, as in the whole.
        return {number: np.where(sums[:, given].sum(axis=1) > 0, of_sums(sums), np.nan)}

    counted = {number: table[:, 1:].sum(axis=1) > 0}
    return bootstrap_many(table, statistic, defined=counted, **how)[number]


def _of_every_two(result: Agreement) -> list[Table]:
    tables = []
    for score in DEFAULT_TESTED:
        mean = result.mean(score)
        if mean is None and score.startswith(EXPLICIT):
            continue
        rows: list[list[Cell]] = [
            [
                name,
                *(None if name == other else result.between(name, other, score) for other in result.annotators),
                result.against_the_rest(name, score),
            ]
            for name in result.annotators
        ]
        note = f"mean over pairs {mean:z.3f}" if mean is not None else ""
        of = "among what was said" if score.startswith(EXPLICIT) else result.layer
        title = f"{shown_score(score)} of every two{'' if of == 'all' else f' ({of})'}"
        tables.append(Table(title, ("", *result.annotators, "the rest"), rows, note=note))
    return tables


def _intervals_table(result: Agreement, intervals: Mapping[str, Intervals]) -> Table:
    rows: list[list[Cell]] = []
    shown: list[Interval] = []
    for name, of_pair in intervals.items():
        for score in DEFAULT_TESTED:
            bare = score.removeprefix(EXPLICIT)
            number = PooledNumber("cass", result.layer, score) if bare == score else PooledNumber("score", ER, bare)
            interval = of_pair["macro", number]
            if interval.value is not None:
                ends = (interval.value, interval.low, interval.high, interval.items, interval.undefined)
                rows.append([name, shown_score(score), *ends])
                shown.append(interval)
    return Table("Intervals", ("macro", "score", *_ENDS), rows, note=_interval_note(shown, "the rest and all: by text"))


#: The columns of an interval; ``without``: resamples that had no value and were left out.
_ENDS = ("value", "low", "high", "texts", "without")


def _interval_note(intervals: Sequence[Interval], more: str = "") -> str:
    if not intervals:
        return ""
    first = intervals[0]
    notes = [f"{first.level:.4g} intervals, {first.method} bootstrap over texts, {first.rounds} rounds", more]
    if any(interval.undefined for interval in intervals):
        notes.append("without: resamples that had no value and were left out")
    notes += dict.fromkeys(f"no interval: {interval.reason}" for interval in intervals if interval.reason)
    return "\n".join(filter(None, (*notes, *coverage_notes(intervals))))


def _together(result: Agreement, intervals: Mapping[LabelNumber, Interval]) -> Table:
    rows: list[list[Cell]] = []
    shown: list[Interval] = []
    for name in result.alpha:
        row: list[Cell] = [name.replace("_", " "), result.items[name]]
        numbers = (LabelNumber("alpha", name), result.alpha[name]), (LabelNumber("fleiss", name), result.fleiss[name])
        for number, value in numbers:
            row.append(value)
            interval = intervals.get(number)
            if interval is not None and value is not None:
                row += [interval.low, interval.high]
                shown.append(interval)
            elif intervals:
                row += [None, None]
        rows.append(row)
    ends = ("low", "high") if intervals else ()
    columns = ("calculation", "items", "Krippendorff's α", *ends, "Fleiss' κ", *(f"{end} (κ)" for end in ends))
    notes = [f"{name.replace('_', ' ')}: {reason}" for name, reason in result.reasons.items()]
    return Table("All at once", columns, rows, note="\n".join(filter(None, (*notes, _interval_note(shown)))))


def _label_intervals(result: Agreement, intervals: Mapping[LabelNumber, Interval]) -> Table:
    rows: list[list[Cell]] = []
    shown: list[Interval] = []
    for use in result._of_several() if intervals else ():
        interval = intervals[LabelNumber("alpha", use.calculation, use.label)]
        ends = (interval.value, interval.low, interval.high, interval.items, interval.undefined)
        rows.append([use.calculation.replace("_", " "), use.label, *ends])
        shown.append(interval)
    note = _interval_note(shown, "Krippendorff's α of all annotators: one label against all the rest")
    return Table("Each label", ("calculation", "label", *_ENDS), rows, note=note)


def _label_uses(result: Agreement) -> Table:
    ranked = sorted(result._of_several(), key=lambda use: -use.spread)
    rows: list[list[Cell]] = [
        [
            use.calculation.replace("_", " "),
            use.label,
            *use.counts.values(),
            *(None if share is None else 100 * share for share in use.shares.values()),
        ]
        for use in ranked[:_ROWS]
    ]
    note = "items with the label, and % of all labels that the annotator gives there; the most unequal first"
    columns = ("calculation", "label", *result.annotators, *(f"{name} %" for name in result.annotators))
    return Table("Who uses which label", columns, rows, digits=1, note=_more(note, len(ranked)))


def _confusions(result: Agreement) -> Table:
    rows: list[list[Cell]] = [
        [
            confusion.calculation.replace("_", " "),
            *confusion.labels,
            confusion.count,
            str(confusion.examples[0]) if confusion.examples else None,
        ]
        for confusion in result.confusions[:_ROWS]
    ]
    note = _more("", len(result.confusions))
    return Table("Labels taken for one another", ("calculation", "label", "other", "times", "example"), rows, note=note)


def _schemes(result: Agreement) -> Table:
    rows: list[list[Cell]] = []
    for type_, names in result.schemes.items():
        for name, (ours, theirs) in names.support.items():
            if name != NONE:
                both = names.counts[name, name]
                rows.append([type_, name, ours, theirs, both, 2 * both / (ours + theirs)])
    rows.sort(key=lambda row: -int(row[2] or 0) - int(row[3] or 0))
    note = _more("of relations that both of two annotators have", len(rows))
    return Table("By scheme", ("type", "scheme", "first", "second", "both", "F1"), rows[:_ROWS], note=note)


def _speakers(result: Agreement) -> Table:
    ranked = sorted(result.speakers.items(), key=lambda entry: -entry[1].decisions)
    rows: list[list[Cell]] = [[name, names.decisions, names.accuracy, names.kappa] for name, names in ranked[:_ROWS]]
    note = _more("decisions on illocutions that one of two annotators labels at least", len(ranked))
    return Table("By speaker", ("speaker", "decisions", "accuracy", "kappa"), rows, note=note)


def _more(note: str, rows: int) -> str:
    """The note, and how many rows are not shown."""
    hidden = f"{quantity(rows - _ROWS, 'more rows')} (--format json lists all)" if rows > _ROWS else ""
    return "\n".join(filter(None, (note, hidden)))
