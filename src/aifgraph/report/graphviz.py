"""Graphviz: a sketch laid out and drawn by ``dot``, whole or cut into pages, and what it says about it."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from aifgraph.errors import LimitError, MissingExtraError, OptionError
from aifgraph.printable import printable
from aifgraph.report.sketch_text import POINTS

#: Seconds that Graphviz may take.
PATIENCE: Final = 120
#: Text smaller than this, in points, is not read on paper.
LEAST: Final = 6.0

#: What A4 and Letter both hold inside margins of a centimetre, in points.
_PAGE = (538.0, 732.0)


@dataclass(frozen=True, slots=True)
class Layout:
    """A graph with places (DOT with positions), its size in points, its boxes as (left, bottom, right, top), and what
    Graphviz said."""

    dot: str
    size: tuple[float, float]
    boxes: tuple[tuple[float, float, float, float], ...]
    said: tuple[str, ...]

    @property
    def text_on_page(self) -> float:
        """How high the text is, in points, where the whole picture is made to fit a page, upright or across.

        >>> Layout("", (538, 732), (), ()).text_on_page, Layout("", (7320, 5380), (), ()).text_on_page
        (11.0, 1.1)
        """
        width, height = (max(1.0, each) for each in self.size)
        fits = (min(_PAGE[0] / width, _PAGE[1] / height), min(_PAGE[1] / width, _PAGE[0] / height))
        return min(1.0, max(fits)) * POINTS


def lay_out(dot: str) -> Layout:
    """Places for all nodes and lines of a graph in DOT.

    Args:
        dot: The graph; it goes to Graphviz through its standard input only.

    Returns:
        The layout.

    Raises:
        MissingExtraError: Graphviz is not installed.
        LimitError: Graphviz takes longer than two minutes.
        OptionError: Graphviz cannot lay it out.
    """
    placed, said = _run("dot", ["-Tdot"], dot)
    text = placed.decode("utf-8", "replace")
    known = json.loads(_run("neato", ["-n2", "-Tjson0"], text)[0])
    left, bottom, right, top = (float(each) for each in known["bb"].split(","))
    boxes = []
    for node in known.get("objects", ()):
        if "pos" in node:
            x, y = (float(each) for each in node["pos"].split(","))
            w, h = 36 * float(node["width"]), 36 * float(node["height"])
            boxes.append((x - w, y - h, x + w, y + h))
    return Layout(text, (right - left, top - bottom), tuple(boxes), said)


def draw_layout(layout: Layout, format: str) -> tuple[bytes, tuple[str, ...]]:
    """The picture of a layout, and what Graphviz said when it drew it.

    Args:
        layout: What :func:`lay_out` returns.
        format: ``svg``, ``png`` or ``pdf``.

    Returns:
        The picture, and lines without ``Warning:``.
    """
    return _run("neato", ["-n2", f"-T{format}"], layout.dot)


def draw_pages(layout: Layout, format: str) -> list[bytes]:
    """The picture in pages, from the top left to the bottom right, with every box whole on one of them.

    The text is as large as fits, between six points and its own size; a page without a box is left out.

    Args:
        layout: What :func:`lay_out` returns.
        format: ``svg``, ``png`` or ``pdf``.

    Returns:
        A picture for each page.
    """
    zoom = min(1.0, max((LEAST + 0.5) / POINTS, layout.text_on_page / POINTS))
    width, height = layout.size
    columns = spans([(box[0], box[2]) for box in layout.boxes], -4, width + 4, _PAGE[0] / zoom)
    rows = spans([(height - box[3], height - box[1]) for box in layout.boxes], -4, height + 4, _PAGE[1] / zoom)
    pages = []
    for top, bottom in rows:
        for left, right in columns:
            if not any(_meets(box, left, height - bottom, right, height - top) for box in layout.boxes):
                continue
            w, h = (right - left) * zoom, (bottom - top) * zoom
            view = f"{w:.1f},{h:.1f},{zoom:.4f},{(left + right) / 2:.1f},{height - (top + bottom) / 2:.1f}"
            pages.append(_run("neato", ["-n2", f"-T{format}", f"-Gviewport={view}"], layout.dot)[0])
    return pages


def _meets(box: tuple[float, float, float, float], left: float, bottom: float, right: float, top: float) -> bool:
    return box[0] < right and box[2] > left and box[1] < top and box[3] > bottom


def spans(intervals: Sequence[tuple[float, float]], start: float, end: float, most: float) -> list[tuple[float, float]]:
    """A length in pieces, none longer than ``most``: cut between the intervals if that can be; else an interval that is
    cut is in the next piece again, whole.

    Args:
        intervals: What should stay whole.
        start: Where the length begins.
        end: Where it ends.
        most: The greatest length of a piece, above 0.

    Returns:
        The pieces, which touch or overlap.

    >>> spans([(0, 40), (50, 90), (95, 130)], 0, 130, 100)
    [(0, 92.5), (92.5, 130)]
    >>> spans([(0, 60), (50, 110)], 0, 110, 100)
    [(0, 100), (50, 110)]
    """
    free = []
    reach = start
    for low, high in sorted(intervals):
        if low > reach:
            free.append((reach + low) / 2)
        reach = max(reach, high)
    found: list[tuple[float, float]] = []
    at = start
    while end - at > most:
        fitting = [each for each in free if at + most / 4 < each <= at + most]
        stop = fitting[-1] if fitting else at + most
        found.append((at, stop))
        at = min((low for low, high in intervals if low < stop < high and low > at + most / 4), default=stop)
    return [*found, (at, end)]


def pages_needed(layout: Layout) -> int:
    """About how many pages hold the picture with text that can be read."""
    zoom = (LEAST + 0.5) / POINTS
    return math.ceil(layout.size[0] * zoom / _PAGE[0]) * math.ceil(layout.size[1] * zoom / _PAGE[1])


def _run(name: str, arguments: list[str], given: str) -> tuple[bytes, tuple[str, ...]]:
    program = shutil.which(name)
    if program is None:
        raise MissingExtraError(
            "Graphviz is not installed, and without it only .dot and .mmd are drawn",
            remedy="install it (apt install graphviz, brew install graphviz), or write map.dot or map.mmd",
        )
    try:
        done = subprocess.run(
            [program, *arguments, "-Gcharset=utf8"],
            input=given.encode("utf-8", "replace"),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LimitError(
            f"Graphviz took longer than {PATIENCE} seconds",
            remedy="draw the argument view, or a part of the map (--part)",
        ) from None
    lines = [printable(line).strip() for line in done.stderr.decode("utf-8", "replace").splitlines()]
    said = tuple(dict.fromkeys(line.removeprefix("Warning: ") for line in lines if line))
    if done.returncode or not done.stdout:
        message = "; ".join(said) or f"exit code {done.returncode}"
        raise OptionError(f"Graphviz could not draw this: {message}", remedy="write map.dot and look at it")
    return done.stdout, said
