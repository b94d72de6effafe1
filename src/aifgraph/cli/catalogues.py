"""``aifgraph formats``, ``metrics`` and ``schemes``: what there is to choose from."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put, rendered, say
from aifgraph.graph.nodes import SCHEME_KINDS
from aifgraph.tables import Cell, Table


@click.command()
@output_options()
def formats(format_: str, output: Path | None) -> None:
    """The formats by name: what they are called, read and written, their suffixes, and what is lost in them.

    \b
    Examples:
      aifgraph formats
      aifgraph formats --format json
    """
    from aifgraph.formats.registry import formats_table

    put(rendered(formats_table(), format_), output)


@click.command()
@output_options()
def metrics(format_: str, output: Path | None) -> None:
    """The scores that CASS is made of, and the other measures that `compare --metrics` computes.

    \b
    Examples:
      aifgraph metrics
      aifgraph metrics --format markdown
    """
    from aifgraph.comparison.measures.registry import all_measures
    from aifgraph.stats.scores import SCORES

    scores: list[list[Cell]] = [
        [score.name, f"{score.range[0]:g} … {score.range[1]:g}", score.symmetric, score.formula, score.source]
        for score in SCORES.values()
    ]
    measures: list[list[Cell]] = [
        [each.name, f"{each.range[0]:g} … {each.range[1]:g}", each.symmetric, each.formula, each.source, each.checked]
        for each in all_measures().values()
    ]
    columns = ("name", "range", "symmetric", "formula", "source")
    tables = [
        Table("Scores of a confusion matrix (CASS-NAME is CASS of a score)", columns, scores),
        Table("Measures other than CASS (--metrics)", (*columns, "checked"), measures),
    ]
    if format_ == "csv":
        both = [[*row, ""] for row in scores] + measures
        put(rendered(Table("Metrics", (*columns, "checked"), both), format_), output)
    else:
        put(rendered(tables, format_), output)


@click.command()
@click.argument("word", default="")
@click.option("--kind", type=click.Choice(SCHEME_KINDS, case_sensitive=False), help="Only those of this node type.")
@output_options()
def schemes(word: str, kind: str | None, format_: str, output: Path | None) -> int:
    """AIFdb's schemes: all of them, those whose name contains WORD (letters only), or the one of an id.

    Exit code 1 where there is none.

    \b
    Examples:
      aifgraph schemes "expert opinion"
      aifgraph schemes 74
      aifgraph schemes --kind YA --format csv
    """
    from aifgraph.graph.schemes import find_schemes, named

    rows = find_schemes(word, kind)
    shared = sorted({row.name for row in rows if len(named(row.name)) > 1})
    note = f"more than one scheme has this name: {', '.join(shared)}; give the id" if shared and word else ""
    cells = [(row.id, row.name, row.kind, row.type_id) for row in rows]
    put(rendered(Table("", ("id", "name", "kind", "type"), cells, note=note), format_), output)
    if not rows:
        say(f"aifgraph: no scheme is called {word!r}" + (f" among {kind}" if kind else ""))
    return 0 if rows else 1
