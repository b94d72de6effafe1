"""``aifgraph draw``: a map, or two compared maps, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.present import put, warn
from aifgraph.errors import OptionError
from aifgraph.report.drawing import PICTURES

_FORMATS = (*PICTURES, "dot", "mmd")


@click.command()
@click.argument("file")
@click.option("--compare", "other", metavar="OTHER", help="A second map of the same text, drawn into the same picture.")
@click.option(
    "--view",
    type=click.Choice(["argument", "dialogue"]),
    default="argument",
    show_default=True,
    help="Propositions and relations, or locutions, illocutions and transitions too.",
)
@click.option("--matrix", metavar="CALCULATION", help="With --compare: a confusion matrix as a heat map instead.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), help="Default: by the name of the output, else dot.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the picture.")
def draw(file: str, other: str | None, view: Any, matrix: str | None, format_: str | None, output: Path | None) -> None:
    """A map as a picture: SVG, PNG and PDF with Graphviz, DOT and Mermaid without.

    What only one of two maps has is dashed and blue (first) or dotted and orange (second); what they label differently
    has a double border.

    \b
    Examples:
      aifgraph draw map.json -o map.svg
      aifgraph draw map.json --view dialogue -o map.mmd
      aifgraph draw ann.json --compare ben.json -o both.pdf
      aifgraph draw ann.json --compare ben.json --matrix propositional_relations -o matrix.svg
    """
    from aifgraph.comparison.compare import compare
    from aifgraph.formats import load
    from aifgraph.report.drawing import drawing

    format_ = format_ or _format_of(output)
    if other is None:
        if matrix:
            raise OptionError("a matrix needs two maps", remedy="name the second with --compare")
        graph = load(file)
        warn(graph.notices)
        put(drawing(graph, format_, view), output)
        return
    result = compare(load(file), load(other))
    warn(result.warnings)
    if matrix is None:
        put(drawing(result, format_, view), output)
        return
    from aifgraph.report.plots import heatmap

    if matrix not in result.calculations:
        raise OptionError(f"no calculation {matrix!r}", remedy=f"choose from {', '.join(result.calculations)}")
    title = matrix.replace("_", " ")
    put(heatmap(result.calculations[matrix].matrix, title=title, ends=("first", "second"), format=format_), output)


def _format_of(output: Path | None) -> str:
    if output is None or str(output) == "-":
        return "dot"
    suffix = output.suffix.lower().lstrip(".")
    if suffix in _FORMATS:
        return suffix
    raise OptionError(
        f"no picture is written as {output.suffix or 'a file without suffix'}",
        where=str(output),
        remedy=f"use .{', .'.join(_FORMATS)}",
    )
