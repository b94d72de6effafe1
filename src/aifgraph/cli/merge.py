"""``aifgraph merge``: one map of two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import together
from aifgraph.cli.present import note, warn
from aifgraph.errors import OptionError

#: So many open rows are listed.
_LISTED = 10

rule_options = together(
    click.option(
        "--wording",
        type=click.Choice(["first", "second", "longer"]),
        default="first",
        show_default=True,
        help="Whose words stand where nobody decides about them.",
    ),
    click.option(
        "--prefer",
        type=click.Choice(["first", "second", "agreed", "both"]),
        default=None,
        help="What to do where nobody decides; without it, rows stay open.",
    ),
)
"""What happens to rows that nobody decides."""


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("-o", "--output", required=True, metavar="GOLD", help="Where the merged map goes; - for standard output.")
@click.option(
    "--decisions",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.tsv",
    help="Decisions, as `aifgraph differences --format tsv` writes them.",
)
@rule_options
@click.option("--complete", is_flag=True, help="Refuse to write a map while rows are open.")
@click.option("--to", metavar="FORMAT", help="The format to write.")
@compare_options
def merge(
    first: str, second: str, output: str, decisions: Path | None, complete: bool, to: str | None, **given: Any
) -> int:
    """One map of two analyses of one text, by decisions about their differences.

    \b
    Examples:
      aifgraph merge ann.json ben.json --prefer agreed -o agreed.json
      aifgraph differences ann.json ben.json --format tsv -o decisions.tsv
      aifgraph merge ann.json ben.json --decisions decisions.tsv --complete -o gold.json
    """
    from aifgraph.adjudication.decisions import read_decisions
    from aifgraph.adjudication.merge import merge_compared
    from aifgraph.comparison.compare import compare
    from aifgraph.corpus.names import is_corpus
    from aifgraph.formats import dump, load
    from aifgraph.formats.files import decode_source, read_bytes

    options = options_from(given)
    for name in (first, second):
        if is_corpus(name):
            raise OptionError("is a corpus", where=name, remedy="merge one pair of maps at a time")
    if first == second == "-":
        raise OptionError("standard input can be read only once", remedy="give at least one file")
    if output != "-" and Path(output).is_dir():
        raise OptionError("is a folder", where=output, remedy="name a file")
    comparison = compare(load(first), load(second), options=options)
    warn(comparison.warnings)
    differences = comparison.differences()
    decided = {}
    if decisions:
        text, notice = decode_source(read_bytes(decisions), str(decisions))
        warn([notice] if notice else [])
        decided = read_decisions(text, differences, name=str(decisions))
    merged = merge_compared(comparison, differences, decisions=decided, complete=complete, **given)
    losses = dump(merged.graph, output, format=to)
    warn([losses] if losses else [])
    warn(merged.notices)
    if merged.open:
        warn([f"{len(merged.open)} rows are open; what either has is in the map, marked:"])
        warn(f"{row.id} {row.group} {row}" for row in merged.open[:_LISTED])
        warn([f"and {len(merged.open) - _LISTED} more"] if len(merged.open) > _LISTED else [])
    summary = f"{len(differences)} differences: {len(decided)} decided, {len(merged.open)} open"
    note(f"{summary}; {len(merged.graph)} nodes written to {output}")
    return 0
