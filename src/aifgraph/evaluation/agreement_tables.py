"""The tables of an agreement study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from aifgraph.evaluation.intervals import Intervals, PooledNumber
from aifgraph.stats.matrix import NONE
from aifgraph.tables import Cell, Table

if TYPE_CHECKING:
    from aifgraph.evaluation.agreement import Agreement

#: Rows of the tables of labels, schemes and speakers.
_ROWS = 15


def agreement_tables(result: Agreement, intervals: Mapping[str, Intervals]) -> list[Table]:
    """All tables, those without a row left out."""
    tables = [
        *_of_every_two(result),
        _intervals_table(result, intervals),
        _together(result),
        _batches(result),
        _label_uses(result),
        _confusions(result),
        _schemes(result),
        _speakers(result),
        Table("Texts done by two or more", ("annotator", "texts"), [[*row] for row in result.texts.items()]),
        Table("Failed", ("name", "error"), result.failed),
    ]
    return [table for table in tables if table.rows]


def score_table(result: Agreement) -> Table:
    """The score tables of every two annotators below one another."""
    records: list[dict[str, Cell]] = []
    for (first, second), comparison in result.comparisons.items():
        records += [
            {"first_annotator": first, "second_annotator": second, **row} for row in comparison.score_table().records()
        ]
    columns = tuple(dict.fromkeys(column for record in records for column in record))
    return Table("Scores", columns, [[record.get(column) for column in columns] for record in records])


def _of_every_two(result: Agreement) -> list[Table]:
    tables = []
    layer = "" if result.layer == "all" else f" ({result.layer})"
    for shown, score in (("CASS-κ", "kappa"), ("CASS-F1", "f1")):
        rows: list[list[Cell]] = [
            [
                name,
                *(None if name == other else result.between(name, other, score) for other in result.annotators),
                result.against_the_rest(name, score),
            ]
            for name in result.annotators
        ]
        mean = result.mean(score)
        note = f"mean over pairs {mean:.3f}" if mean is not None else ""
        columns = ("", *result.annotators, "the rest")
        tables.append(Table(f"{shown} of every two{layer}", columns, rows, note=note))
    return tables


def _intervals_table(result: Agreement, intervals: Mapping[str, Intervals]) -> Table:
    rows: list[list[Cell]] = []
    note = ""
    for name, of_pair in intervals.items():
        row: list[Cell] = [name, of_pair.texts, of_pair.pairs]
        for score in ("kappa", "f1"):
            interval = of_pair["macro", PooledNumber("cass", result.layer, score)]
            row += [interval.value, interval.low, interval.high]
        rows.append(row)
        note = f"{of_pair.level:.4g} intervals, {of_pair.method} bootstrap over texts, {of_pair.rounds} rounds, "
        note += f"seed {of_pair.seed}; the rest and all: the mean over pairs of maps, then fused"
    columns = ("macro", "texts", "pairs", "CASS-κ", "low", "high", "CASS-F1", "low F1", "high F1")
    return Table("Intervals", columns, rows, note=note)


def _together(result: Agreement) -> Table:
    together: list[list[Cell]] = [
        [name.replace("_", " "), result.items[name], result.alpha[name], result.fleiss[name]] for name in result.alpha
    ]
    notes = [f"{name.replace('_', ' ')}: {reason}" for name, reason in result.reasons.items()]
    columns = ("calculation", "items", "Krippendorff's α", "Fleiss' κ")
    return Table("All at once", columns, together, note="\n".join(notes))


def _batches(result: Agreement) -> Table:
    rows: list[list[Cell]] = [
        [
            name,
            scores.pairs,
            scores.S,
            *(
                value
                for score in ("kappa", "f1")
                for value in (scores.over[result.layer].mean[score], scores.over[result.layer].cass[score])
            ),
        ]
        for name, scores in result.batches.items()
    ]
    return Table("Over time", ("batch", "pairs", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1"), rows)


def _label_uses(result: Agreement) -> Table:
    labels = Counter(use.calculation for use in result.label_uses)
    several = (use for use in result.label_uses if labels[use.calculation] > 1)
    ranked = sorted(several, key=lambda use: -use.spread)
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
                both = names.cells.get((name, name), 0)
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
    hidden = f"{rows - _ROWS} more rows (--format json lists all)" if rows > _ROWS else ""
    return "\n".join(filter(None, (note, hidden)))
