"""Pictures of results: bars, a histogram, slopes. matplotlib (an extra) draws them, SVG unless asked otherwise.

The same numbers give the same bytes: no date, no random ids. Colours are told apart by colour-blind people, too.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aifgraph.errors import MissingExtraError, OptionError

FORMATS = ("svg", "png", "pdf")

_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f")


def bars(
    groups: Sequence[str], series: Mapping[str, Sequence[float | None]], *, title: str, axis: str, format: str = "svg"
) -> bytes:
    """For each group one bar per series, from 0 to 1; an undefined value has no bar but a dash in its place."""
    figure, axes = new_figure(max(6.0, 1.0 + 0.34 * len(groups) * (len(series) + 1)))
    wide = 0.8 / max(len(series), 1)
    for number, (name, values) in enumerate(series.items()):
        places = [index - 0.4 + wide * (number + 0.5) for index in range(len(groups))]
        heights = [value or 0.0 for value in values]
        axes.bar(places, heights, wide * 0.92, label=name, color=_COLOURS[number % len(_COLOURS)])
        for place, value in zip(places, values, strict=True):
            label = "–" if value is None else f"{value:.2f}"
            axes.text(place, (value or 0.0) + 0.01, label, ha="center", va="bottom", fontsize=7, rotation=90)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_ylim(0, 1.1)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.set_ylabel(axis)
    axes.set_title(title, loc="left")
    _legend(figure, list(series))
    return drawn(figure, format)


def histogram(counts: Sequence[int], *, title: str, across: str, up: str, format: str = "svg") -> bytes:
    """One bar for each whole number from 0 on, of that count's height."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_figure(max(6.0, 1.0 + 0.3 * len(counts)))
    axes.bar(range(len(counts)), counts, 0.9, color=_COLOURS[0])
    for place, count in enumerate(counts):
        axes.text(place, count, str(count), ha="center", va="bottom", fontsize=7)
    axes.set_xticks(range(len(counts)))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title, loc="left")
    return drawn(figure, format)


def slopes(
    lines: Mapping[str, tuple[float, float]], *, title: str, ends: tuple[str, str], axis: str, format: str = "svg"
) -> bytes:
    """A line from a value before to a value after for each name, with both values beside it."""
    figure, axes = new_figure(6.0)
    for number, (name, (before, after)) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot((0, 1), (before, after), marker="o", color=colour, label=name)
        axes.text(-0.03, before, f"{before:.3f}", ha="right", va="center", fontsize=8, color=colour)
        axes.text(1.03, after, f"{after:.3f}", ha="left", va="center", fontsize=8, color=colour)
    axes.set_xticks((0, 1), ends)
    axes.set_xlim(-0.25, 1.25)
    axes.margins(y=0.15)
    axes.set_ylabel(axis)
    axes.set_title(title, loc="left")
    _legend(figure, list(lines))
    return drawn(figure, format)


def format_of(path: Path) -> str:
    """The picture format that a file's name asks for.

    Raises:
        OptionError: it ends in no known way.
    """
    suffix = path.suffix.lower().lstrip(".") or "svg"
    if suffix not in FORMATS:
        raise OptionError(f"no picture format {suffix!r}", where=str(path), remedy=f"use .{', .'.join(FORMATS)}")
    return suffix


def _legend(figure: Any, names: Sequence[str]) -> None:
    """Under the picture, which grows by it: many or long names must not squeeze the axes."""
    if len(names) < 2:
        return
    columns = max(1, min(len(names), int(figure.get_figwidth() * 11 / (max(map(len, names)) + 6))))
    figure.set_figheight(figure.get_figheight() + 0.22 * -(-len(names) // columns))
    figure.legend(loc="outside lower left", ncols=columns, frameon=False, fontsize=8)


def new_figure(width: float) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plots") from None
    figure = Figure(figsize=(min(width, 16.0), 4.0), layout="constrained")
    axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def drawn(figure: Any, format: str) -> bytes:
    from matplotlib import rc_context

    if format not in FORMATS:
        raise OptionError(f"no picture format {format!r}", remedy=f"choose from {', '.join(FORMATS)}")
    # Dates and random ids would make equal pictures differ.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[format]
    out = io.BytesIO()
    with rc_context({"svg.hashsalt": "aifgraph", "svg.fonttype": "none"}):
        figure.savefig(out, format=format, metadata=metadata, dpi=150)
    return out.getvalue()
