"""Pictures: the same bytes for the same numbers, all names in them, undefined values without a bar."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from aifgraph.errors import OptionError
from aifgraph.report import plots

pytest.importorskip("matplotlib")

SERIES = {"for": [0.5, None], "against": [0.25, 1.0]}


def bars(format: str = "svg") -> bytes:
    return plots.bars(["masks", "vaccines"], SERIES, title="F1", axis="F1", format=format)


def texts(picture: bytes) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def test_bars_name_groups_series_and_values() -> None:
    found = texts(bars())
    assert {"masks", "vaccines", "for", "against", "0.50", "0.25", "1.00", "–"} <= set(found)


def test_histogram_has_a_bar_for_each_number() -> None:
    found = texts(plots.histogram([3, 0, 7], title="Right", across="systems", up="instances"))
    assert {"Right", "systems", "instances", "0", "1", "2", "3", "7"} <= set(found)


def test_curves_have_a_panel_a_kind_and_name_each_line_once() -> None:
    line = [(0.0, 1.0, 1.0, 1.0), (20.0, 0.8, 0.7, 0.9), (40.0, None, None, None)]
    panels = {kind: {("CASS-κ", "all"): line, ("CASS-F1", "all"): line} for kind in ("merged", "types", "all", "last")}
    panels["merged"]["CASS-κ", "dialogical"] = [(0.0, None, None, None)]
    found = texts(plots.curves(panels, title="Noise", across="changed, %", up="CASS"))
    assert {"Noise", "CASS", *panels} <= set(found)
    assert found.count("CASS-κ, all") == found.count("CASS-F1, all") == 1
    assert found.count("changed, %") == 2
    assert "CASS-κ, dialogical" not in found
    assert plots.curves({}, title="Noise", across="x", up="y")


def test_slopes_show_both_ends() -> None:
    lines = {"token": (0.875, 0.832), "a sentence model with a rather long name": (0.652, 0.576)}
    found = texts(plots.slopes(lines, title="T1", ends=("before", "after"), axis="accuracy"))
    assert {"before", "after", "0.875", "0.832", "0.652", "0.576", *lines} <= set(found)


@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_same_numbers_same_bytes(format: str, start: bytes) -> None:
    assert bars(format).startswith(start)
    assert bars(format) == bars(format)
    assert not re.search(rb"<dc:date>|CreationDate", bars(format))


def test_format_goes_by_the_name() -> None:
    assert [plots.format_of(Path(name)) for name in ("a.svg", "a.PNG", "a")] == ["svg", "png", "svg"]
    with pytest.raises(OptionError, match=r"use \.svg, \.png, \.pdf"):
        plots.format_of(Path("a.gif"))
    with pytest.raises(OptionError, match="choose from svg"):
        bars("gif")


def test_without_matplotlib_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.figure'] = None\n"
        "from aifgraph.report import plots\n"
        "try: plots.bars(['a'], {'b': [1.0]}, title='', axis='')\n"
        "except ImportError as error: print(error)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'aifgraph[plots]'" in out


def test_many_rows_are_without_blank_margins_and_long_names_do_not_overlap() -> None:
    """26 rows: the first and the last stand within a row of the frame; names at the foot are slanted."""
    names = [f"annotator {number}" for number in range(26)]
    rows = plots.intervals(dict.fromkeys(names, (0.5, 0.4, 0.6)), title="T", axis="CASS").decode()
    heights = [float(at) for at in re.findall(r'<use xlink:href="#m[0-9a-f]+" x="[\d.]+" y="([\d.]+)"', rows)]
    frame = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', rows)[1])
    assert max(heights) - min(heights) > 0.7 * frame
    bars = plots.bars(names, {"kappa": [0.5] * 26}, title="T", axis="F1").decode()
    assert bars.count("rotate(-35)") == 26


def test_numbers_next_to_a_slope_do_not_cover_each_other() -> None:
    values = [0.5, 0.501, 0.502, 0.9]
    heights = plots._apart(values, len(values))
    ordered = sorted(heights)
    assert all(upper - lower >= 0.02 for lower, upper in pairwise(ordered))
    assert sorted(range(4), key=lambda at: heights[at]) == [0, 1, 2, 3]
