"""Maps and compared maps as pictures: DOT and Mermaid by themselves, SVG, PNG and PDF by Graphviz, if installed."""

from __future__ import annotations

from dataclasses import dataclass

from aifgraph.comparison.compare import Comparison
from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph
from aifgraph.report.graphviz import LEAST, Layout, draw_layout, draw_pages, lay_out, pages_needed
from aifgraph.report.html.merged_map import MapView
from aifgraph.report.pictures import PICTURES
from aifgraph.report.sketch import Sketch, sketch_of
from aifgraph.report.sketch_text import dot_text, mermaid_limits, mermaid_text


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture (text, or bytes for each page) and what there is to say about it."""

    pages: tuple[str | bytes, ...]
    warnings: tuple[str, ...] = ()


def drawing(shown: ArgumentGraph | Comparison, format: str, view: MapView = "argument") -> str | bytes:
    """A map, or two compared maps in one.

    Args:
        shown: A map, or the comparison of two.
        format: ``dot`` or ``mmd`` (text), ``svg``, ``png`` or ``pdf`` (bytes).
        view: ``argument`` for propositions and their relations, ``dialogue`` for everything.

    Returns:
        The picture.

    Raises:
        MissingExtraError: A picture is requested and Graphviz is not installed.
        LimitError: Graphviz takes longer than two minutes.
        OptionError: Another format.
    """
    return draw_map(shown, format, view).pages[0]


def draw_map(
    shown: ArgumentGraph | Comparison,
    format: str,
    view: MapView = "argument",
    *,
    part: int | None = None,
    pages: bool = False,
) -> Drawn:
    """A map, or two compared maps in one, whole, in pages or one part, with what there is to say about it.

    Args:
        shown: A map, or the comparison of two.
        format: ``dot``, ``mmd``, ``svg``, ``png`` or ``pdf``.
        view: ``argument`` for propositions and their relations, ``dialogue`` for everything.
        part: The number of a connected part, from 1 for the largest; None for all.
        pages: Whether to cut the picture into pages on which the text can be read.

    Returns:
        The picture, or the pages of it, and warnings.

    Raises:
        MissingExtraError: A picture is requested and Graphviz is not installed.
        LimitError: Graphviz takes longer than two minutes.
        OptionError: Another format, a part that is not there, or pages of a text.
    """
    if format not in ("dot", "mmd", *PICTURES):
        raise OptionError(f"no picture format {format!r}", remedy="choose from svg, png, pdf, dot, mmd")
    if pages and format not in PICTURES:
        raise OptionError(f"{format} has no pages", remedy="draw svg, png or pdf, or a part (--part)")
    sketch = sketch_of(shown, view)
    if part is not None:
        sketch = _part(sketch, part)
    if format == "dot":
        return Drawn((dot_text(sketch),))
    if format == "mmd":
        text = mermaid_text(sketch)
        return Drawn((text,), tuple(mermaid_limits(sketch, text)))
    layout = lay_out(dot_text(sketch))
    cut = tuple(draw_pages(layout, format)) if pages else ()
    if cut:
        return Drawn(cut, layout.said)
    picture, said = draw_layout(layout, format)
    return Drawn((picture,), (*dict.fromkeys((*layout.said, *said)), *([] if pages else _too_small(layout, sketch))))


def _part(sketch: Sketch, number: int) -> Sketch:
    if 1 <= number <= len(sketch.parts):
        return sketch.parts[number - 1]
    count = len(sketch.parts)
    are = "is 1 part" if count == 1 else f"are {count} parts"
    raise OptionError(f"there is no part {number}: there {are} in this view", remedy="part 1 is the largest")


def _too_small(layout: Layout, sketch: Sketch) -> list[str]:
    height = layout.text_on_page
    if height >= LEAST:
        return []
    ways = [f"--pages writes about {pages_needed(layout)} pages"]
    if len(sketch.parts) > 1:
        ways.append(f"--part 1 to {len(sketch.parts)} draws one of its parts, the largest first")
    size = " × ".join(f"{each / 72 * 2.54:.0f}" for each in layout.size)
    return [f"the picture is {size} cm large: on a page of A4 its text is {height:.1f} points high; {'; '.join(ways)}"]
