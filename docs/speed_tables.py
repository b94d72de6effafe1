"""The tables of speed on the page on large corpora, made of ``docs/speed.json``: ``python docs/speed_tables.py``.

``make bench`` measures, writes that file and runs this.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aifgraph.tables import Cell, Table, render

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "corpora-at-scale.md"
FIGURES = ROOT / "docs" / "speed.json"

#: Seconds that comparing two maps of so many propositions without their texts may take.
_WITHOUT_TEXT = {3_000: 0.3, 30_000: 10}
_FILES = {"aif": "AIF, text beside", "xaif": "xAIF, text in it"}


def pairs_table(found: dict[str, Any]) -> Table:
    """A row for each size and kind of file: times, ratio and memory."""
    rows: list[list[Cell]] = [
        [
            f"{row['size']:,}".replace(",", " "),
            _FILES[row["kind"]],
            _milliseconds(row["json"]["wall_ms"]),
            _milliseconds(row["whole"]["wall_ms"]),
            f"{row['whole']['ratio']:.1f}",
            f"{row['MiB']:.0f}",
        ]
        for row in found["pairs"]
    ]
    columns = ("n", "files", "json.load, ms", "comparison, ms", "ratio", "peak memory, MiB")
    return Table("Pairs", columns, rows)


def goals_table(found: dict[str, Any]) -> Table:
    """What was aimed at, what was measured, and whether that is enough."""
    rows: list[list[Cell]] = []

    def goal(what: str, aim: str, measured: float, most: float, unit: str, digits: int = 2) -> None:
        rows.append([what, aim, f"{measured:.{digits}f}{unit}", "yes" if measured <= most else "no"])

    if found.get("growth"):
        goal("growth from n = 1 000 on", "n^1.1", found["growth"], 1.1, "")
    for row in found["pairs"]:
        if row["size"] == 100_000:
            goal("peak memory, n = 100 000", "1 536 MiB", row["MiB"], 1536, " MiB", 0)
    for size, row in found.get("systems", {}).items():
        goal(f"20 systems against one gold map, n = {size}", "60 %", 100 * row["share"], 60, " %", 0)
    for row in found.get("without_text", ()):
        most = _WITHOUT_TEXT[row["size"]]
        goal(f"without text, n = {row['size']}", f"{most} s", row["compare"], most, " s")
    if row := found.get("validation"):
        aim = f"less than loading, {row['load']:.2f} s"
        goal(f"validate, profile iat, {row['nodes']} nodes", aim, row["validate"], row["load"], " s")
    return Table("Goals", ("what", "goal", "measured", "met"), rows)


def waits_table(found: dict[str, Any]) -> Table:
    """A row for each thing that people wait for, before and now (``benchmarks/waits.py``)."""
    rows: list[list[Cell]] = []
    for row in found.get("waits", {}).values():
        before, now = (f"{row[when]:.{_digits(row['unit'])}f}" if when in row else "" for when in ("before", "now"))
        aim = f"{row['aim']:g} {row['unit']}" if row["aim"] else ""
        met = ("yes" if row["now"] <= row["aim"] else "no") if aim and "now" in row else ""
        rows.append([f"{row['what']}, {row['unit']}", before, now, aim, met])
    return Table("Waits", ("what", "before", "now", "aim", "met"), rows)


def _digits(unit: str) -> int:
    return 0 if unit == "ms" else 1


def _milliseconds(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}".replace(",", " ")


def page(text: str, found: dict[str, Any]) -> str:
    """The page with its tables made anew."""
    tables = {"speed of a pair": pairs_table(found), "goals": goals_table(found), "waits": waits_table(found)}
    for name, table in tables.items():
        mark = f"<!-- {name} -->"
        before, rest = text.split(f"{mark}\n", 1)
        _, after = rest.split("<!-- end of table -->", 1)
        made = render(table, "markdown").split("\n\n", 1)[1].rstrip("\n")
        text = f"{before}{mark}\n\n{made}\n\n<!-- end of table -->{after}"
    return text


if __name__ == "__main__":
    figures = json.loads(FIGURES.read_text("utf-8"))
    PAGE.write_text(page(PAGE.read_text("utf-8"), figures), "utf-8")
