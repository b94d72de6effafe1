"""``aifgraph draw``: a map, or two compared maps, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.present import put, warn
from aifgraph.errors import OptionError

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison
    from aifgraph.report.html.merged_map import MapView

#: What Graphviz draws, and what needs no Graphviz; ``report.drawing`` is imported only when something is drawn.
_FORMATS = ("svg", "png", "pdf", "dot", "mmd")


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
@click.option("--part", type=click.IntRange(min=1), metavar="N", help="One connected part; 1 is the largest.")
@click.option("--matrix", metavar="CALCULATION", help="With --compare: a confusion matrix as a heat map instead.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), help="Default: by the name of the output, else dot.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the picture.")
def draw(
    file: str,
    other: str | None,
    view: MapView,
    part: int | None,
    matrix: str | None,
    format_: str | None,
    output: Path | None,
) -> None:
    """A map as a picture: SVG, PNG and PDF with Graphviz, DOT and Mermaid without.

    What only one of two maps has is dashed and blue (first) or dotted and orange (second); what they label differently
    has a double border. Support ends in an arrow, attack in a crossed line, rephrase is a double line, preference ends
    in a diamond. Parts that no relation joins are packed side by side.

    \b
    Examples:
      aifgraph draw map.json -o map.svg
      aifgraph draw map.json --view dialogue -o map.mmd
      aifgraph draw debate.json --part 1 -o largest.svg
      aifgraph draw ann.json --compare ben.json -o both.pdf
      aifgraph draw ann.json --compare ben.json --matrix propositional_relations -o matrix.svg
    """
    from aifgraph.comparison.compare import compare
    from aifgraph.formats import load
    from aifgraph.report.drawing import draw_map

    format_ = format_ or _format_of(output)
    if matrix and other is None:
        raise OptionError("a matrix needs two maps", remedy="name the second with --compare")
    if matrix and part:
        raise OptionError("a matrix has no parts", remedy="leave --part out")
    first = load(file)
    if other is None:
        warn(first.notices)
        drawn = draw_map(first, format_, view, part=part)
    else:
        result = compare(first, load(other))
        warn(result.warnings)
        if matrix is not None:
            put(_matrix(result, matrix, format_), output)
            return
        drawn = draw_map(result, format_, view, part=part)
    warn(drawn.warnings)
    put(drawn.picture, output)


def _matrix(result: Comparison, name: str, format_: str) -> str | bytes:
    from aifgraph.report.plots import heatmap

    if name not in result.calculations:
        raise OptionError(f"no calculation {name!r}", remedy=f"choose from {', '.join(result.calculations)}")
    matrix = result.calculations[name].matrix
    return heatmap(matrix, title=name.replace("_", " "), ends=("first", "second"), format=format_)


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
