"""``aifgraph draw``: a map, or two compared maps, as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import click

from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.messages import warn
from aifgraph.cli.output import Destination, Output, output_file
from aifgraph.errors import OptionError

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison

#: What Graphviz draws, and what needs no Graphviz.
_FORMATS = ("svg", "png", "pdf", "dot", "mmd")


@dataclass(frozen=True, kw_only=True)
class Draw(Command):
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

    file: str = argument()
    compare: str | None = option(metavar="OTHER", help="A second map of the same text, drawn into the same picture.")
    view: Literal["argument", "dialogue"] = option(
        "argument",
        choices=("argument", "dialogue"),
        help="Propositions and relations, or also locutions, illocutions and transitions.",
    )
    part: int | None = option(
        type=click.IntRange(min=1), metavar="N", help="Only the N-th largest connected part; 1 is the largest."
    )
    matrix: str | None = option(
        metavar="CALCULATION", help="With --compare: draw the confusion matrix of a calculation instead, as a heat map."
    )
    format_: str | None = option(
        choices=_FORMATS, help="Format of the picture.  [default: by the name of the output, else dot]"
    )
    destination: Destination = output_file("Write the picture to this file.")

    def run(self) -> Output:
        from aifgraph.comparison.compare import compare
        from aifgraph.formats import load
        from aifgraph.report.drawing import draw_map

        format = self.format_ or self._format_by_name()
        if self.compare is None:
            graph = load(self.file)
            warn(graph.notices)
            drawn = draw_map(graph, format, self.view, part=self.part)
        else:
            result = compare(load(self.file), load(self.compare))
            warn(result.warnings)
            if self.matrix is not None:
                return Output(content=_heatmap(result, self.matrix, format))
            drawn = draw_map(result, format, self.view, part=self.part)
        warn(drawn.warnings)
        return Output(content=drawn.picture)

    def _format_by_name(self) -> str:
        file = self.destination.file
        if file is None:
            return "dot"
        suffix = file.suffix.lower().lstrip(".")
        if suffix in _FORMATS:
            return suffix
        raise OptionError(
            f"no picture is written as {file.suffix or 'a file without suffix'}",
            where=str(file),
            remedy=f"use .{', .'.join(_FORMATS)}",
        )


def _heatmap(result: Comparison, calculation: str, format: str) -> str | bytes:
    from aifgraph.report.plots import heatmap

    if calculation not in result.calculations:
        raise OptionError(f"no calculation {calculation!r}", remedy=f"choose from {', '.join(result.calculations)}")
    matrix, title = result.calculations[calculation].matrix, calculation.replace("_", " ")
    return heatmap(matrix, title=title, ends=("first", "second"), format=format)
