"""Pictures of results: a matrix, values with their intervals. matplotlib (an extra) draws them.

SVG unless asked otherwise (``format`` is ``svg``, ``png`` or ``pdf``). The same numbers give the same bytes: no date,
no random ids. The colours differ for colour-blind people, too. ``title`` stands above the picture, ``axis`` says what
the values are. Every function raises ``MissingExtraError`` where matplotlib is not installed (extra ``plots``), and
``OptionError`` for another format.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from aifgraph.errors import FormatError, MissingExtraError, OptionError, choose_from
from aifgraph.evaluation.result import CorpusComparison
from aifgraph.files import parse_json
from aifgraph.printable import pluralize, printable, shortened
from aifgraph.report.html import format_number
from aifgraph.report.pictures import FORMATS
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import NONE, ConfusionMatrix, printed_name

#: What is shown of two corpora.
REPORTED_NUMBERS: Final = ("argument M-kappa", "CASS-kappa", "ER-kappa")
#: Letters of a title for each inch of a picture.
_LETTERS: Final = 10


def new_figure(width: float, height: float = 4.0) -> Any:
    """Return the axes of a figure of so many inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plots") from None
    figure = Figure(figsize=(min(width, 16.0), min(height, 100.0)), layout="constrained")
    axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def drawn(axes: Any, format: str, title: str, across: str = "", up: str = "") -> bytes:
    """Return the picture as bytes, with its title, in as many lines as it needs, and what its axes say."""
    from matplotlib import rc_context

    if format not in FORMATS:
        raise OptionError(f"no picture format {format!r}", remedy=choose_from(FORMATS))
    # Names of files are no formulas.
    axes.set_xlabel(shortened(printable(across), 60), parse_math=False)
    axes.set_ylabel(shortened(printable(up), 60), parse_math=False)
    figure = axes.figure
    lines = fill(shortened(printable(title), 200), int(figure.get_figwidth() * _LETTERS))
    figure.suptitle(lines, x=0.01, ha="left", fontsize=12, parse_math=False)
    # Dates and random ids would make equal pictures differ.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[format]
    out = io.BytesIO()
    # Whoever prints a paper need not have the fonts: outlines in SVG, and TrueType in PDF, which journals ask for.
    with rc_context({"svg.hashsalt": "aifgraph", "svg.fonttype": "path", "pdf.fonttype": 42}):
        figure.savefig(out, format=format, metadata=metadata, dpi=150)
    return out.getvalue()


def heatmap(
    matrix: ConfusionMatrix, *, title: str = "", ends: tuple[str, str] = ("first", "second"), format: str = "svg"
) -> bytes:
    """Draw a confusion matrix with its counts; (none, none), which dwarfs the rest, has a count but no shade.

    ``ends`` say what the rows and the columns are.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format.
    """
    shades: list[list[float]] = [[float(count) for count in row] for row in matrix.rows]
    if matrix.labels[-1] == NONE:
        shades[-1][-1] = 0.0
    most, upright = max(map(max, shades)) or 1.0, len(matrix.labels) <= 4
    axes = new_figure(max(4.0, 1.6 + 0.75 * len(shades)), max(3.2, 1.4 + 0.55 * len(shades)))
    axes.imshow(shades, cmap="Blues", vmin=0, vmax=most, aspect="auto")
    for i, row in enumerate(matrix.rows):
        for j, count in enumerate(row):
            colour = "white" if shades[i][j] > 0.6 * most else "black"
            axes.text(j, i, str(count), ha="center", va="center", color=colour, fontsize=9)
    ticks = range(len(shades))
    labels = [shortened(printable(label), 40) for label in matrix.labels]
    turned: Any = {} if upright else {"rotation": 35, "ha": "right"}
    axes.set_xticks(ticks, labels, parse_math=False, **turned)
    axes.set_yticks(ticks, labels, parse_math=False)
    return drawn(axes, format, title, across=ends[1], up=ends[0])


def intervals(
    values: CorpusComparison | Mapping[str, tuple[float, float | None, float | None]],
    *,
    title: str = "",
    axis: str = "",
    format: str = "svg",
) -> bytes:
    """Draw values with their intervals: of a comparison the three that a paper reports.

    Other values are given by name, each with a lower and an upper bound; without a bound no interval is drawn. The axis
    goes by the values, and says where it begins if that is not at 0.

    Raises:
        MissingExtraError: matplotlib is not installed (extra ``plots``).
        OptionError: there is no such format.
    """
    if not isinstance(values, Mapping):
        title = title or f"Agreement over {pluralize(len(values.texts.texts), 'texts')}, with 95 % intervals"
        axis = axis or "κ, mean over texts"
        macro = values.with_intervals(Bootstrap()).macro
        reported = {
            _with_texts(printed_name(number), macro[number].texts): macro[number] for number in REPORTED_NUMBERS
        }
        values = {name: (of.value, of.low, of.high) for name, of in reported.items() if of.value is not None}
    axes = new_figure(6.0, max(2.2, 1.2 + 0.34 * len(values)))
    for place, (value, low, high) in enumerate(values.values()):
        if low is not None and high is not None:
            axes.plot((low, high), (place, place), color="#0072b2", linewidth=2, solid_capstyle="butt")
        axes.plot((value,), (place,), marker="o", color="#0072b2")
        axes.text(value, place - 0.18, format_number(value), ha="center", va="bottom", fontsize=8)
    axes.set_yticks(range(len(values)), [shortened(printable(name), 40) for name in values], parse_math=False)
    # As much room above the first row as its number needs, and none to spare.
    axes.set_ylim(len(values) - 0.5, -0.9)
    start = axes.get_xlim()[0]
    return drawn(axes, format, title, across=axis if start <= 0 else f"{axis}; the axis begins at {start:.2f}")


def _with_texts(name: str, texts: int) -> str:
    return f"{shortened(name, 26)} ({pluralize(texts, 'texts')})"


@dataclass(frozen=True, slots=True)
class Drawable:
    """What pictures show of the numbers of many pairs: a value with its interval by row, and matrices by calculation
    (of several systems or annotators, ``system: calculation``)."""

    values: Mapping[str, tuple[float, float | None, float | None]]
    matrices: Mapping[str, ConfusionMatrix]
    title: str
    axis: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Drawable:
        """Return what can be drawn of the JSON of two corpora, of systems or of annotators."""
        macro, scores = document["macro"], document.get("scores", REPORTED_NUMBERS)
        if isinstance(macro, list):  # of annotators, none of whom is named for all
            macro = {" – ".join(of["annotators"]) or "all": of["numbers"] for of in macro if len(of["annotators"]) != 1}
        elif "M-kappa" in macro:
            macro = {"": macro}
        several = "" not in macro
        values = {
            _with_texts(row or printed_name(score), of["texts"]): (of["value"], of["low"], of["high"])
            for row, numbers in macro.items()
            for score in (scores[:1] if several else scores)
            if (of := numbers.get(score, {})).get("value") is not None
        }
        matrices = {
            f"{row}: {name}" if len(document["matrices"]) > 1 else name: ConfusionMatrix(
                tuple(of["labels"]), tuple(map(tuple, of["rows"]))
            )
            for row, found in document["matrices"].items()
            for name, of in found.items()
        }
        axis = printed_name(scores[0]) if several else "κ"
        return cls(values, matrices, f"{axis} of {pluralize(len(values), 'rows')}" if several else "", axis)


def drawable(path: Path) -> Drawable | None:
    """Return what can be drawn of the numbers of many pairs in JSON; None if a file has something else."""
    content = path.read_bytes()
    if b'\n "macro": ' not in content:
        return None
    try:
        return Drawable.of(parse_json(content.decode(), str(path)))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise FormatError(f"no result, or a damaged one: {error!r}"[:200], where=str(path)) from None
