"""A comparison of two maps as text, CSV, markdown or LaTeX."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aifgraph.comparison.compare import Comparison
from aifgraph.stats.scores import SCORES
from aifgraph.tables.render import render
from aifgraph.tables.table import Cell, Table


def pair_text(result: Comparison, format: str, measures: Mapping[str, float | None] | None = None) -> str:
    """Everything people look at; CSV is one table with every score."""
    if format == "csv":
        return render(result.score_table(), format)
    body = render([*result.tables(), *_measures(measures or {}, "value")], format)
    if format == "latex":
        return f"% {result.signature}\n{body}"
    if format == "markdown":
        return f"## {result.headline}\n\n`{result.signature}`\n\n{body}"
    return f"{result.headline}\n{result.signature}\n\n{body}"


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
    return [Table("Other measures", ("measure", column), rows)] if rows else []
