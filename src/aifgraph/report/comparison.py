"""The result of a comparison as text, CSV, markdown or LaTeX."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aifgraph.corpus.comparison import Comparison
from aifgraph.corpus.run import CorpusComparison
from aifgraph.corpus.summary import headline, tables_of
from aifgraph.report.tables import render
from aifgraph.stats.scores import SCORES
from aifgraph.stats.table import Cell, Table


def pair_text(result: Comparison, format: str) -> str:
    """Everything people look at; CSV is one table with every score."""
    if format == "csv":
        return render(score_table(result), format)
    body = render(tables_of(result), format)
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


def corpus_text(result: CorpusComparison, format: str) -> str:
    """Macro and micro, then a row per pair; CSV is the row per pair, with every score."""
    if format == "csv":
        rows = result.rows()
        columns = list(rows[0]) if rows else ["name", "n", "S"]
        return render(Table("Pairs", columns, [list(row.values()) for row in rows]), format)
    body = render(corpus_tables(result), format)
    if format == "latex":
        return f"% {result.signature}\n{body}"
    if format == "markdown":
        return f"`{result.signature}`\n\n{body}"
    return f"{result.signature}\n\n{body}"


def corpus_tables(result: CorpusComparison) -> list[Table]:
    """The whole, the pairs, and what had no partner or failed."""
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
        [each.name, each.n, *_row(each.S, each.means[""], each.cass[""])] for each in result.pairs
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
        Table("Pairs", ("name", "n", *head), pairs),
    ]
    alone = [("first", name) for name in result.unpaired[0]] + [("second", name) for name in result.unpaired[1]]
    if alone:
        tables.append(Table("Without a partner", ("side", "name"), alone))
    if result.failed:
        tables.append(Table("Failed", ("name", "error"), result.failed))
    return tables


def _row(similarity: float | None, mean: Mapping[str, float | None], cass: Mapping[str, Any]) -> list[Cell]:
    return [similarity, mean["kappa"], cass["kappa"], mean["f1"], cass["f1"]]
