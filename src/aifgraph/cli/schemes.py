"""``aifgraph schemes``: AIFdb's catalogue."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put
from aifgraph.graph.kinds import SCHEME_KINDS
from aifgraph.graph.schemes import find_schemes, named
from aifgraph.tables.render import render
from aifgraph.tables.table import Table


@click.command()
@click.argument("word", default="")
@click.option("--kind", type=click.Choice(SCHEME_KINDS, case_sensitive=False), help="Only those of this node type.")
@output_options()
def schemes(word: str, kind: str | None, format_: str, output: Path | None) -> int:
    """AIFdb's schemes: all of them, those whose name holds WORD (letters only), or the one of an id.

    Exit code 1 where there is none.

    \b
    Examples:
      aifgraph schemes "expert opinion"
      aifgraph schemes 74
      aifgraph schemes --kind YA --format csv
    """
    rows = find_schemes(word, kind)
    shared = sorted({row.name for row in rows if len(named(row.name)) > 1})
    note = f"more than one scheme is called so: {', '.join(shared)}; give the id" if shared and word else ""
    table = Table("", ("id", "name", "kind", "type"), [(row.id, row.name, row.kind, row.type_id) for row in rows])
    put(render(Table("", table.columns, table.rows, note=note), format_), output)
    return 0 if rows else 1
