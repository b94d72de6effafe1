"""Pictures of results: histograms, heat maps, intervals, curves. matplotlib (an extra) draws them.

SVG unless asked otherwise (``format`` is ``svg``, ``png`` or ``pdf``). The same numbers give the same bytes: no date,
no random ids. The colours differ for colour-blind people, too. ``title`` stands above the picture, ``axis`` says what
the values are. Every function raises ``MissingExtraError`` where matplotlib is not installed (extra ``plots``), and
``OptionError`` for another format.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill, shorten
from typing import Any, Final, SupportsIndex

from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.intervals import Intervals
from aifgraph.guesses import answering_module
from aifgraph.slips import answering
from aifgraph.stats.matrix import NONE, ConfusionMatrix

FORMATS = ("svg", "png", "pdf")

#: Lines and marks tell apart what colours do, for those who do not see these.
_LINES, _MARKERS = ("-", "--", "-.", ":"), ("o", "s", "^", "D")
#: Letters of a title for each inch of a picture.
_LETTERS: Final = 10
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f")


@answering(called="plots.histogram")
def histogram(counts: Sequence[int], *, title: str = "", across: str = "", up: str = "", format: str = "svg") -> bytes:
    """How often 0, 1, 2, … occurs, a bar for each; ``across`` says what the numbers are, ``up`` what is counted.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format, or something else than counts is given.
    """
    if not hasattr(counts, "__len__") or not all(isinstance(count, SupportsIndex) for count in counts):
        raise OptionError(_instead(counts, "a list of counts"), remedy="give how often each of 0, 1, 2, … occurs")
    axes = new_figure(max(6.0, 1.0 + 0.3 * len(counts)))
    from matplotlib.ticker import MaxNLocator

    axes.bar(range(len(counts)), counts, 0.9, color=_COLOURS[0])
    for place, count in enumerate(counts):
        axes.text(place, count, str(count), ha="center", va="bottom", fontsize=7)
    axes.set_xticks(range(len(counts)))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    return drawn(axes, format, title, across=across, up=up)


def format_of(path: Path) -> str:
    """The picture format that a file's name asks for, ``svg`` where it has no ending.

    Raises:
        OptionError: it ends in no known way.
    """
    suffix = path.suffix.lower().lstrip(".") or "svg"
    if suffix not in FORMATS:
        raise OptionError(f"no picture format {suffix!r}", where=str(path), remedy=f"use .{', .'.join(FORMATS)}")
    return suffix


def new_figure(width: float, height: float = 4.0) -> Any:
    """The axes of a figure of so many inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plots") from None
    figure = Figure(figsize=(min(width, 16.0), height), layout="constrained")
    axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def drawn(axes: Any, format: str, title: str, across: str = "", up: str = "") -> bytes:
    """The picture as bytes, with its title and what its axes say."""
    # Names of files are no formulas.
    axes.set_xlabel(shorten(across, 60, placeholder="…"), parse_math=False)
    axes.set_ylabel(shorten(up, 60, placeholder="…"), parse_math=False)
    return saved(axes.figure, format, title)


def saved(figure: Any, format: str, title: str) -> bytes:
    """A figure as bytes, with its title in as many lines as it needs."""
    from matplotlib import rc_context

    if format not in FORMATS:
        raise OptionError(f"no picture format {format!r}", remedy=f"choose from {', '.join(FORMATS)}")
    # Dates and random ids would make equal pictures differ.
    figure.suptitle(fill(title, int(figure.get_figwidth() * _LETTERS)), x=0.01, ha="left", fontsize=12)
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[format]
    out = io.BytesIO()
    # Whoever prints a paper need not have the fonts: outlines in SVG, and TrueType in PDF, which journals ask for.
    with rc_context({"svg.hashsalt": "aifgraph", "svg.fonttype": "path", "pdf.fonttype": 42}):
        figure.savefig(out, format=format, metadata=metadata, dpi=150)
    return out.getvalue()


@answering(called="plots.heatmap")
def heatmap(
    matrix: ConfusionMatrix, *, title: str = "", ends: tuple[str, str] = ("first", "second"), format: str = "svg"
) -> bytes:
    """A confusion matrix with its counts; (none, none), which dwarfs the rest, has a count but no shade.
    ``ends`` say what the rows and the columns are.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format, or no matrix is given.
    """
    if not isinstance(matrix, ConfusionMatrix):
        raise OptionError(_instead(matrix, "a matrix"), remedy="give result.calculations['PR'].matrix")
    shades: list[list[float]] = [[float(count) for count in row] for row in matrix.rows]
    if matrix.labels[-1] == NONE:
        shades[-1][-1] = 0.0
    texts = [[str(count) for count in row] for row in matrix.rows]
    axes = _shaded(matrix.labels, shades, texts, max(map(max, shades)) or 1.0, upright=len(matrix.labels) <= 4)
    return drawn(axes, format, title, across=ends[1], up=ends[0])


@answering(called="plots.agreement_map")
def agreement_map(
    names: Sequence[str], values: Mapping[tuple[str, str], float | None], *, title: str = "", format: str = "svg"
) -> bytes:
    """A value (0 to 1, or None) for every two names, given in either order and shown in both; a dash where there is
    none.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format.
    """
    rows = [[values.get((a, b), values.get((b, a))) for b in names] for a in names]
    texts = [["–" if value is None else f"{value:z.2f}" for value in row] for row in rows]
    axes = _shaded(names, [[value or 0.0 for value in row] for row in rows], texts, 1)
    return drawn(axes, format, title, across="annotator", up="annotator")


def _shaded(
    names: Sequence[str], shades: list[list[float]], texts: list[list[str]], most: float, *, upright: bool = False
) -> Any:
    """A square of cells, each with its text and a shade from 0 to ``most``; names are slanted unless ``upright``."""
    axes = new_figure(max(4.0, 1.6 + 0.75 * len(names)), max(3.2, 1.4 + 0.55 * len(names)))
    axes.imshow(shades, cmap="Blues", vmin=0, vmax=most, aspect="auto")
    for i, row in enumerate(texts):
        for j, text in enumerate(row):
            colour = "white" if shades[i][j] > 0.6 * most else "black"
            axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=0 if upright else 35, ha="center" if upright else "right")
    axes.set_yticks(range(len(names)), names)
    return axes


@answering(called="plots.intervals")
def intervals(
    values: CorpusComparison | Intervals | Mapping[str, tuple[float, float | None, float | None]],
    *,
    title: str = "",
    axis: str = "",
    details: bool = False,
    format: str = "svg",
) -> bytes:
    """Values with their intervals: of a comparison the three that a paper reports, with ``details`` all, or for each
    name a value with its lower and upper bound; without a bound no interval is drawn. The axis goes by the values, and
    says where it begins if that is not at 0.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format, or something else is given.
    """
    if not isinstance(values, Mapping):
        of = values.with_intervals or values.intervals() if isinstance(values, CorpusComparison) else values
        if not isinstance(of, Intervals):
            remedy = "give compare_corpora(first, second), or {name: (value, low, high)}"
            raise OptionError(_instead(values, "a comparison of two corpora"), remedy=remedy)
        texts = f"{of.texts} text{'s' if of.texts > 1 else ''}"
        title = title or f"Agreement over {texts}, with {of.level * 100:.4g} % intervals"
        axis = axis or ("score" if details else "κ, mean over texts")
        values = _values_of(of, details)
    axes = new_figure(6.0, max(2.2, 1.2 + 0.34 * len(values)))
    for place, (value, low, high) in enumerate(values.values()):
        if low is not None and high is not None:
            axes.plot((low, high), (place, place), color="#0072b2", linewidth=2, solid_capstyle="butt")
        axes.plot((value,), (place,), marker="o", color="#0072b2")
        axes.text(value, place - 0.18, f"{value:z.3f}", ha="center", va="bottom", fontsize=8)
    axes.set_yticks(range(len(values)), list(values))
    # As much room above the first row as its number needs, and none to spare.
    axes.set_ylim(len(values) - 0.5, -0.9)
    start = axes.get_xlim()[0]
    return drawn(axes, format, title, across=axis if start <= 0 else f"{axis}; the axis begins at {start:.2f}")


#: What is shown of a comparison, by the layer and the name of a row of its table.
_REPORTED: Final = {
    "CASS-κ": ("all", "CASS-κ"),
    "argument": ("propositional", "M-κ"),
    "argument among\nwhat was said": ("among what was said", "κ"),
}


def _values_of(of: Intervals, details: bool) -> dict[str, tuple[float, float | None, float | None]]:
    rows: list[Any] = [row for row in of.tables()[0].rows if row[3] is not None]
    if details:
        return {f"{pooled} {what}, {layer}": tuple(ends[:3]) for pooled, layer, what, *ends in rows}
    named = {(layer, what): tuple(ends[:3]) for pooled, layer, what, *ends in rows if pooled == "macro"}
    return {name: named[row] for name, row in _REPORTED.items() if row in named}


def _instead(given: object, wanted: str) -> str:
    return f"of type {type(given).__name__}, where {wanted} is needed"


Points = Sequence[tuple[float, float | None, float | None, float | None]]
"""Of a line: (x, y, low, high)."""


@answering(called="plots.curves")
def curves(
    panels: Mapping[str, Mapping[tuple[str, str], Points]],
    *,
    title: str = "",
    across: str = "",
    up: str = "",
    format: str = "svg",
) -> bytes:
    """Panels of lines, each with a band from low to high, with one legend for all panels.

    ``panels`` are, by the name of the panel, its lines by the names of their style and colour. A line is points of x,
    y, low and high; those whose y is None are left out, and so are lines without any point. ``across`` says what x is,
    ``up`` what y is.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format.
    """
    if not isinstance(panels, Mapping):
        remedy = "give result.panels() of a plan, result.lines() of a noise floor"
        raise OptionError(_instead(panels, "a mapping of lines"), remedy=remedy)
    columns = 2 if len(panels) == 4 else min(max(len(panels), 1), 3)
    rows = -(-max(len(panels), 1) // columns)
    first = new_figure(max(6.4, 3.4 * columns), 1.5 + 2.5 * rows)
    figure = first.figure
    first.remove()
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    used = [key for lines in panels.values() for key, points in lines.items() if _known(points)]
    styles, shades = (list(dict.fromkeys(names)) for names in (zip(*used, strict=True) if used else ((), ())))
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    shown: dict[str, Any] = {}
    for (name, lines), axes in zip(panels.items(), grid.flat, strict=False):
        axes.set_title(name, fontsize=9)
        for (style, shade), points in lines.items():
            if (style, shade) in used:
                label = f"{style}, {shade}"
                shown[label] = _line(axes, _known(points), styles.index(style), shades.index(shade))
    for axes in grid.flat:
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
        axes.set_ylim(0, 1.02)
        axes.tick_params(labelbottom=True)
    for column in range(columns):
        # Below the lowest panel of each column: the last row need not be full.
        grid[(len(panels) - 1 - column) // columns][column].set_xlabel(across)
    figure.supylabel(up, fontsize=10)
    legend: dict[str, Any] = {"loc": "outside lower center", "ncols": max(1, len(shades))}
    names = [name for shade in shades for style in styles if (name := f"{style}, {shade}") in shown]
    figure.legend([shown[name] for name in names], names, fontsize=8, frameon=False, **legend)
    return saved(figure, format, title)


def _known(points: Points) -> list[tuple[float, float, float | None, float | None]]:
    return [(x, y, low, high) for x, y, low, high in points if y is not None]


def _line(axes: Any, points: list[tuple[float, float, float | None, float | None]], style: int, shade: int) -> Any:
    """A line of the style and colour of these numbers, with its band."""
    colour = _COLOURS[shade % len(_COLOURS)]
    places, heights = [x for x, *_ in points], [y for _, y, _, _ in points]
    marks = {"linestyle": _LINES[style % 4], "marker": _MARKERS[shade % 4], "markersize": 4}
    [line] = axes.plot(places, heights, color=colour, **marks)
    banded = [(x, low, high) for x, _, low, high in points if low is not None and high is not None]
    if banded:
        axes.fill_between(*zip(*banded, strict=True), color=colour, alpha=0.15, linewidth=0)
    return line


__getattr__ = answering_module(__name__, ("agreement_map", "curves", "heatmap", "histogram", "intervals"), "plots")
