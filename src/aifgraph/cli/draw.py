"""``aifgraph draw``: a map, or two compared maps, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.present import put, warn
from aifgraph.errors import OptionError
from aifgraph.report.pictures import PICTURES

if TYPE_CHECKING:
    from aifgraph.report.drawing import Drawn

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
@click.option("--part", type=click.IntRange(min=1), metavar="N", help="One connected part; 1 is the largest.")
@click.option("--pages", is_flag=True, help="A file a page (map-1.svg, …), cut so that the text can be read on paper.")
@click.option("--matrix", metavar="CALCULATION", help="With --compare: a confusion matrix as a heat map instead.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), help="Default: by the name of the output, else dot.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the picture.")
def draw(
    file: str,
    other: str | None,
    view: Any,
    part: int | None,
    pages: bool,
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
      aifgraph draw debate.json --pages -o debate.pdf
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
    if matrix and (pages or part):
        raise OptionError("a matrix has neither parts nor pages", remedy="leave --part and --pages out")
    if pages and (output is None or str(output) == "-"):
        raise OptionError("pages are written to files", remedy="name the first part of their names with -o map.svg")
    drawn: Drawn | None = None
    if other is None:
        graph = load(file)
        warn(graph.notices)
        drawn = draw_map(graph, format_, view, part=part, pages=pages)
    else:
        result = compare(load(file), load(other))
        warn(result.warnings)
        if matrix is None:
            drawn = draw_map(result, format_, view, part=part, pages=pages)
    if drawn is not None:
        warn(drawn.warnings)
        if pages and output is not None:
            _put_pages(drawn.pages, output)
        else:
            put(drawn.pages[0], output)
        return
    from aifgraph.report.plots import heatmap

    assert matrix is not None
    if matrix not in result.calculations:
        raise OptionError(f"no calculation {matrix!r}", remedy=f"choose from {', '.join(result.calculations)}")
    title = matrix.replace("_", " ")
    put(heatmap(result.calculations[matrix].matrix, title=title, ends=("first", "second"), format=format_), output)


def _put_pages(pages: Sequence[str | bytes], output: Path) -> None:
    """A file a page, numbered so that they sort: ``map-01.svg``."""
    digits = len(str(len(pages)))
    for number, page in enumerate(pages, 1):
        path = output.with_name(f"{output.stem}-{number:0{digits}}{output.suffix}")
        put(page, path)
        click.echo(path)


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
