"""The result of a comparison as text, CSV, markdown or LaTeX."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.summary import headline, tables_of
from aifgraph.evaluation.compare_corpora import CorpusComparison, pair_row
from aifgraph.evaluation.distribution import worst
from aifgraph.evaluation.intervals import Intervals
from aifgraph.evaluation.pooled import PairSummary
from aifgraph.stats.scores import SCORES
from aifgraph.tables.render import render
from aifgraph.tables.table import Cell, Table


def pair_text(result: Comparison, format: str, measures: Mapping[str, float | None] | None = None) -> str:
    """Everything people look at; CSV is one table with every score."""
    if format == "csv":
        return render(score_table(result), format)
    body = render([*tables_of(result), *_measures(measures or {}, "value")], format)
    if format == "latex":
        return f"% {result.signature}\n{body}"
    if format == "markdown":
        return f"## {headline(result)}\n\n`{result.signature}`\n\n{body}"
    return f"{headline(result)}\n{result.signature}\n\n{body}"


def score_table(result: Comparison) -> Table:
    """One row per calculation, then M and CASS of the whole and of each layer, every score a column."""
    rows: list[list[Cell]] = [
        [name, each.calculation.items_total, *each.scores.values()] for name, each in result.calculations.items()
    ]
    for layer, mean, cass in (
        ("all", result.mean, result.cass),
        *((layer, each.mean, each.cass) for layer, each in result.layers.items()),
    ):
        rows.append([f"M ({layer})", None, *mean.values()])
        rows.append([f"CASS ({layer})", None, *cass.values()])
    rows.append(["S", None, result.segmentation.S, *[None] * (len(SCORES) - 1)])
    return Table("Scores", ("row", "items", *SCORES), rows)


def only_cass(
    cass: Mapping[str, float | None], layers: Mapping[str, Mapping[str, Any]], signature: str, format: str
) -> str:
    """The CASS scores alone, of the whole and of each layer."""
    if format == "json":
        return json.dumps({"signature": signature, "cass": cass, "layers": layers}, ensure_ascii=False, indent=1)
    rows: list[list[Cell]] = [[name, cass[name], *(layers[layer][name] for layer in layers)] for name in SCORES]
    table = Table("CASS", ("score", "all", *layers), rows, note=signature if format in ("text", "markdown") else "")
    return render(table, format)


@dataclass(frozen=True, slots=True)
class View:
    """How a corpus is shown: pairs sorted by CASS of a score, the worst first, or as they come (``none``); at most
    ``top`` of them; with intervals."""

    sort: str = "none"
    top: int | None = None
    intervals: Intervals | None = None

    def pairs(self, result: CorpusComparison) -> Iterable[PairSummary]:
        """The pairs to show, in their order."""
        count = len(result.pairs) if self.top is None else self.top
        if self.sort == "none":
            return islice(result.pairs, count)
        sorted_ = worst(result.pairs, self.sort, count)
        rest = (pair for pair in result.pairs if pair.cass[""][self.sort] is None)
        return islice(chain(sorted_, rest), count)


def corpus_text(result: CorpusComparison, format: str, view: View | None = None) -> str:
    """Macro and micro, then a row per pair; CSV is the row per pair, with every score."""
    view = view or View()
    if format == "csv":
        rows = [pair_row(pair) for pair in view.pairs(result)]
        columns = list(rows[0]) if rows else ["name", "n", "S"]
        return render(Table("Pairs", columns, [list(row.values()) for row in rows]), format)
    body = render(corpus_tables(result, view), format)
    line = result.signature + (f"|{view.intervals.signature}" if view.intervals else "")
    if format == "latex":
        return f"% {line}\n{body}"
    if format == "markdown":
        return f"`{line}`\n\n{body}"
    return f"{line}\n\n{body}"


def corpus_tables(result: CorpusComparison, view: View | None = None) -> list[Table]:
    """The whole, its intervals, the spread, the pairs, and what had no partner or failed."""
    view = view or View()
    macro, micro = result.macro, result.micro
    whole: list[list[Cell]] = []
    for name, pooled in (("macro", macro), ("micro", micro)):
        whole.append([name, "all", *_row(pooled["S"], pooled["mean"], pooled["cass"])])
        for layer, scores in pooled["layers"].items():
            whole.append([name, layer, *_row(pooled["S"], scores["mean"], scores)])
    count = len(result.pairs)
    means = macro["mean_of_cass"]
    kappa, f1 = (f"{value:.3f}" if value is not None else "–" for value in (means["kappa"], means["f1"]))
    pairs: list[list[Cell]] = [
        [each.name, each.n, *_row(each.S, each.means[""], each.cass[""])] for each in view.pairs(result)
    ]
    head = ("S", "M-κ", "CASS-κ", "M-F1", "CASS-F1")
    tables = [
        Table(
            f"CASS over {count} pairs", ("", "layer", *head), whole, note=f"mean of the pairs' CASS: κ {kappa}, F1 {f1}"
        ),
        Table(
            "Summed calculations",
            ("calculation", "items", *SCORES),
            [
                [name.replace("_", " "), each["items"], *(each[score] for score in SCORES)]
                for name, each in micro["calculations"].items()
            ],
        ),
    ]
    if view.intervals:
        tables.insert(1, interval_table(view.intervals))
    tables += _measures(result.measures, "mean over pairs")
    if spread := _spread(result):
        tables.append(spread)
    hidden = count - len(pairs)
    tables.append(Table("Pairs", ("name", "n", *head), pairs, note=f"{hidden} more pairs" if hidden else ""))
    alone = [("first", name) for name in result.unpaired[0]] + [("second", name) for name in result.unpaired[1]]
    if alone:
        tables.append(Table("Without a partner", ("side", "name"), alone))
    if result.failed:
        tables.append(Table("Failed", ("name", "error"), result.failed))
    return tables


def _measures(found: Mapping[str, float | None], column: str) -> list[Table]:
    rows: list[list[Cell]] = [[name, value] for name, value in found.items()]
    return [Table("Measures beside CASS", ("measure", column), rows)] if rows else []


def interval_table(intervals: Intervals) -> Table:
    """S, M and CASS for kappa and F1 with their intervals."""
    rows: list[list[Cell]] = []
    for (pooled, layer, what), each in intervals.found.items():
        kind, _, score = what.partition(".")
        if each.value is not None and (what == "S" or (kind in ("mean", "cass") and score in ("kappa", "f1"))):
            shown = {"S": "S", "mean": "M", "cass": "CASS"}[kind] + {"kappa": "-κ", "f1": "-F1", "": ""}[score]
            rows.append([pooled, layer or "all", shown, each.value, each.low, each.high])
    how = f"{intervals.method} bootstrap over texts, {intervals.rounds} rounds, seed {intervals.seed}"
    return Table(f"{intervals.level:.4g} intervals", ("", "layer", "of", "value", "low", "high"), rows, note=how)


def _spread(result: CorpusComparison) -> Table | None:
    rows: list[list[Cell]] = []
    notes: list[str] = []
    for shown, score in (("CASS-κ", "kappa"), ("CASS-F1", "f1")):
        found = result.distribution(score)
        if found is None:
            continue
        rows.append([shown, found.count, found.mean, found.deviation, found.least, *found.quartiles, found.greatest])
        if found.outliers:
            names = ", ".join(f"{name} {value:.3f}" for name, value in found.outliers[:10])
            notes.append(f"outliers of {shown}: {names}{' …' if found.outliers[10:] else ''}")
    columns = ("", "pairs", "mean", "sd", "least", "quartile", "median", "quartile 3", "greatest")
    return Table("Spread over pairs", columns, rows, note="\n".join(notes)) if rows else None


def _row(similarity: float | None, mean: Mapping[str, float | None], cass: Mapping[str, Any]) -> list[Cell]:
    return [similarity, mean["kappa"], cass["kappa"], mean["f1"], cass["f1"]]
