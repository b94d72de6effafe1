"""``aifgraph metrics``: every score and measure, with formula, range and source."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put
from aifgraph.comparison.measures.registry import MEASURES
from aifgraph.stats.scores import SCORES
from aifgraph.tables.render import render
from aifgraph.tables.table import Cell, Table


@click.command()
@output_options()
def metrics(format_: str, output: Path | None) -> None:
    """The scores that CASS is made of, and the measures that `compare --metrics` computes beside it.

    \b
    Examples:
      aifgraph metrics
      aifgraph metrics --format markdown
    """
    scores: list[list[Cell]] = [
        [each.name, f"{each.range[0]:g} … {each.range[1]:g}", each.symmetric, each.formula, each.source]
        for each in SCORES.values()
    ]
    measures: list[list[Cell]] = [
        [each.name, f"{each.range[0]:g} … {each.range[1]:g}", each.symmetric, each.formula, each.source, each.checked]
        for each in MEASURES.values()
    ]
    columns = ("name", "range", "symmetric", "formula", "source")
    tables = [
        Table("Scores of a confusion matrix (CASS-NAME is CASS of a score)", columns, scores),
        Table("Measures beside CASS (--metrics)", (*columns, "checked"), measures),
    ]
    if format_ == "csv":
        both = [[*row, ""] for row in scores] + measures
        put(render(Table("Metrics", (*columns, "checked"), both), format_), output)
    else:
        put(render(tables, format_), output)
