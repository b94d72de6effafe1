"""Figures of agreement for a paper: a confusion matrix as a heat map, scores with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aifgraph.report.plots import drawn, new_figure
from aifgraph.stats.matrix import NONE, ConfusionMatrix


def heatmap(matrix: ConfusionMatrix, *, title: str, ends: tuple[str, str], format: str = "svg") -> bytes:
    """A matrix with its counts; (none, none), which dwarfs the rest, has a count but no shade."""
    size = len(matrix.labels)
    figure, axes = new_figure(max(4.0, 1.6 + 0.75 * size))
    figure.set_figheight(max(3.2, 1.4 + 0.55 * size))
    shades: list[list[float]] = [[float(count) for count in row] for row in matrix.rows]
    if matrix.labels[-1] == NONE:
        shades[-1][-1] = 0.0
    most = max(map(max, shades)) or 1.0
    axes.imshow(shades, cmap="Blues", vmin=0, vmax=most, aspect="auto")
    for i, row in enumerate(matrix.rows):
        for j, count in enumerate(row):
            colour = "white" if shades[i][j] > 0.6 * most else "black"
            axes.text(j, i, str(count), ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(size), matrix.labels, rotation=35 if size > 4 else 0, ha="right" if size > 4 else "center")
    axes.set_yticks(range(size), matrix.labels)
    axes.set_ylabel(ends[0])
    axes.set_xlabel(ends[1])
    axes.set_title(title, loc="left")
    return drawn(figure, format)


def agreement_map(
    names: Sequence[str], values: Mapping[tuple[str, str], float | None], *, title: str, format: str = "svg"
) -> bytes:
    """A value from 0 to 1 for every two names, in both directions; a dash where there is none."""
    figure, axes = new_figure(max(4.0, 1.6 + 0.75 * len(names)))
    figure.set_figheight(max(3.2, 1.4 + 0.55 * len(names)))
    rows = [[values.get((a, b), values.get((b, a))) for b in names] for a in names]
    axes.imshow([[value or 0.0 for value in row] for row in rows], cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            shown = "–" if value is None else f"{value:.2f}"
            colour = "white" if (value or 0.0) > 0.6 else "black"
            axes.text(j, i, shown, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_title(title, loc="left")
    return drawn(figure, format)


def amounts(numbers: Mapping[str, int], *, title: str, axis: str, format: str = "svg") -> bytes:
    """A horizontal bar with its number for each name, in the order given."""
    figure, axes = new_figure(6.0)
    figure.set_figheight(max(2.2, 1.0 + 0.28 * len(numbers)))
    axes.barh(range(len(numbers)), list(numbers.values()), color="#0072b2")
    for place, number in enumerate(numbers.values()):
        axes.text(number, place, f" {number}", ha="left", va="center", fontsize=8)
    axes.set_yticks(range(len(numbers)), list(numbers))
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel(axis)
    axes.set_title(title, loc="left")
    return drawn(figure, format)


def intervals(
    values: Mapping[str, tuple[float, float | None, float | None]], *, title: str, axis: str, format: str = "svg"
) -> bytes:
    """A value with its lower and upper bound for each name; a bound that is None is not drawn."""
    figure, axes = new_figure(6.0)
    figure.set_figheight(max(2.2, 1.2 + 0.34 * len(values)))
    for place, (value, low, high) in enumerate(values.values()):
        if low is not None and high is not None:
            axes.plot((low, high), (place, place), color="#0072b2", linewidth=2, solid_capstyle="butt")
        axes.plot((value,), (place,), marker="o", color="#0072b2")
        axes.text(value, place - 0.18, f"{value:.3f}", ha="center", va="bottom", fontsize=8)
    axes.set_yticks(range(len(values)), list(values))
    axes.invert_yaxis()
    axes.margins(y=0.2)
    axes.set_xlabel(axis)
    axes.set_title(title, loc="left")
    return drawn(figure, format)


def curves(
    lines: Mapping[str, Sequence[tuple[float, float | None]]], *, title: str, across: str, up: str, format: str = "svg"
) -> bytes:
    """A line per name through its (x, y); where y is None the line stops."""
    figure, axes = new_figure(6.4)
    figure.set_figheight(3.8)
    styles = ("-", "--", "-.", ":")
    for number, (name, points) in enumerate(lines.items()):
        known = [(x, y) for x, y in points if y is not None]
        axes.plot(
            [x for x, _ in known], [y for _, y in known], styles[number % 4], marker="o", markersize=4, label=name
        )
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title, loc="left")
    axes.legend(frameon=False, fontsize=8)
    return drawn(figure, format)
