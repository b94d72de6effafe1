"""``aifgraph repair``: write a repaired map, and list every change."""

from __future__ import annotations

import json
from pathlib import Path

import click

from aifgraph.cli.present import note, put, warn

SWITCHES = {
    "dangling": "edges with an unknown end",
    "duplicate_edges": "edges given twice",
    "loops": "edges from a node to itself",
    "repeated_nodes": "nodes given twice",
    "duplicates": "propositions of the same text",
    "analysts": "analysts' nodes",
    "orphans": "scheme nodes that join nothing",
    "schemes": "missing schemes",
}


@click.command()
@click.argument("file", metavar="IN")
@click.option("-o", "--output", required=True, help="Where the repaired map goes; - for standard output.")
@click.option("--report", is_flag=False, flag_value="-", metavar="[FILE]", help="The changes as JSON, to a file.")
@click.option("--direct", type=click.Choice(["join", "drop", "keep"]), default="join", show_default=True)
@click.option("--keep", multiple=True, type=click.Choice(list(SWITCHES)), help="What not to repair.")
@click.option("--only", multiple=True, type=click.Choice([*SWITCHES, "direct"]), help="Repair only this.")
@click.option("--from", "from_", metavar="FORMAT", help="The format of IN, where it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The format to write.")
def repair(
    file: str,
    output: str,
    report: str | None,
    direct: str,
    keep: tuple[str, ...],
    only: tuple[str, ...],
    from_: str | None,
    to: str | None,
) -> int:
    """Repair a map: every change is listed, on standard error or with --report as JSON.

    \b
    Examples:
      aifgraph repair map.json -o repaired.json
      aifgraph repair map.json -o repaired.json --report changes.json --keep analysts
      aifgraph repair map.json -o - --only duplicates
    """
    from aifgraph.formats import dump, load
    from aifgraph.graph.repair import repair as repair_graph

    graph = load(file, format=from_)
    chosen = {name: name not in keep and (not only or name in only) for name in SWITCHES}
    how = direct if not only or "direct" in only else "keep"
    repaired, repairs = repair_graph(graph, direct=how, **chosen)  # type: ignore[arg-type]
    losses = dump(repaired, output, format=to)
    if losses:
        warn([losses])
    if report is None or (report == "-" and output == "-"):
        for change in repairs:
            note(str(change))
    else:
        put(json.dumps(repairs.to_dict(), ensure_ascii=False, indent=2), Path(report))
    return 0
