"""What a person sees of a comparison: the headline, one row per calculation, the segmentation, the warnings.

Tables are plain values here; how they look is decided by whoever shows them (``aifgraph.tables.render``).
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from aifgraph.tables.table import Cell, Table

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison

#: The scores that fit beside each other; all of them are in the other formats.
_SHOWN = ("kappa", "f1", "accuracy", "macro_f1", "mcc", "alpha", "ac1")


def tables_of(result: Comparison) -> list[Table]:
    """CASS as a whole and per layer, the calculations, the segmentation."""
    alignment, segmentation = result.alignment, result.segmentation
    n = sum(each.applicable for each in result.calculations.values())
    whole: list[list[Cell]] = [
        ["all", n, segmentation.S, result.mean["kappa"], result.cass["kappa"], result.mean["f1"], result.cass["f1"]]
    ]
    for layer, each in result.layers.items():
        counted = sum(calc.applicable for name, calc in result.calculations.items() if name in _names(layer))
        whole.append(
            [layer, counted, segmentation.S, each.mean["kappa"], each.cass["kappa"], each.mean["f1"], each.cass["f1"]]
        )
    rows: list[list[Cell]] = [
        [name.replace("_", " "), each.calculation.items_total, *(each.scores[score] for score in _SHOWN)]
        for name, each in result.calculations.items()
    ]
    left_out = [f"{name.replace('_', ' ')}: {each.reason}" for name, each in result.calculations.items() if each.reason]
    sides: list[list[Cell]] = []
    for name, analysis, side in (
        ("first", alignment.first, alignment.placement.first),
        ("second", alignment.second, alignment.placement.second),
    ):
        units = len(analysis.units)
        sides.append([name, len(analysis.propositions), len(analysis.locutions), units, side.placed, side.text])
    matched: list[list[Cell]] = [
        [layer, len(found.classes), found.matched]
        for layer, found in (("propositions", alignment.propositions), ("locutions", alignment.locutions))
    ]
    cuts: list[Cell] = [segmentation.mode, segmentation.S, segmentation.B, segmentation.Pk, segmentation.WindowDiff]
    return [
        Table("CASS", ("layer", "n", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1"), whole),
        Table("Calculations", ("calculation", "items", *_SHOWN), rows, note="\n".join(left_out)),
        Table("Segmentation", ("mode", "S", "B", "Pk", "WindowDiff"), [cuts]),
        Table("Analyses", ("side", "propositions", "locutions", "units", "placed", "text"), sides),
        Table("Alignment", ("of", "classes", "matched"), matched),
    ]


def _names(layer: str) -> tuple[str, ...]:
    from aifgraph.comparison.calculations.registry import LAYERS

    return LAYERS[layer]


def headline(result: Comparison) -> str:
    """CASS-κ and CASS-F1 in one line."""
    kappa, f1 = (_shown(result.cass[name]) for name in ("kappa", "f1"))
    return f"CASS-κ {kappa}   CASS-F1 {f1}"


def _shown(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def text_of(tables: list[Table], result: Comparison) -> str:
    """A short plain text for ``print(result)``."""
    lines = [headline(result), result.signature]
    for table in tables[:2]:
        lines += ["", *_plain(table)]
    lines += [f"warning: {notice}" for notice in result.warnings]
    return "\n".join(lines)


def _plain(table: Table) -> list[str]:
    rows = [list(table.columns), *([_cell(cell) for cell in row] for row in table.rows)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]
    lines = [
        "  ".join(
            cell.ljust(wide) if index == 0 else cell.rjust(wide)
            for index, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return lines + table.note.splitlines()


def _cell(cell: Cell) -> str:
    return "–" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def html_of(tables: list[Table], result: Comparison) -> str:
    """The same as HTML tables, for a notebook."""
    parts = [f"<p><strong>{escape(headline(result))}</strong><br><code>{escape(result.signature)}</code></p>"]
    for table in tables[:3]:
        head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(cell))}</td>" for cell in row) + "</tr>" for row in table.rows
        )
        parts.append(
            f"<table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )
    parts += [f"<p>warning: {escape(str(notice))}</p>" for notice in result.warnings]
    return "\n".join(parts)
