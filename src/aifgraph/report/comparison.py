"""A comparison of two maps as text, CSV, markdown or LaTeX."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.summary import headline, tables_of
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


def _measures(found: Mapping[str, float | None], column: str) -> list[Table]:
    rows: list[list[Cell]] = [[name, value] for name, value in found.items()]
    return [Table("Measures beside CASS", ("measure", column), rows)] if rows else []
