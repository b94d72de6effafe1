"""Pictures: the same bytes for the same numbers, all names in them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from aifgraph.errors import OptionError
from aifgraph.report import plots

pytest.importorskip("matplotlib")


def histogram(format: str = "svg") -> bytes:
    return plots.histogram([3, 0, 7], title="Right", across="systems", up="instances", format=format)


def texts(picture: bytes) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def test_histogram_has_a_bar_for_each_number() -> None:
    found = texts(histogram())
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


@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_same_numbers_same_bytes(format: str, start: bytes) -> None:
    assert histogram(format).startswith(start)
    assert histogram(format) == histogram(format)
    assert not re.search(rb"<dc:date>|CreationDate", histogram(format))


def test_format_goes_by_the_name() -> None:
    assert [plots.format_of(Path(name)) for name in ("a.svg", "a.PNG", "a")] == ["svg", "png", "svg"]
    with pytest.raises(OptionError, match=r"use \.svg, \.png, \.pdf"):
        plots.format_of(Path("a.gif"))
    with pytest.raises(OptionError, match="choose from svg"):
        histogram("gif")


def test_without_matplotlib_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.figure'] = None\n"
        "from aifgraph.report import plots\n"
        "try: plots.histogram([1], title='', across='', up='')\n"
        "except ImportError as error: print(error)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'aifgraph[plots]'" in out


def test_many_rows_are_without_blank_margins() -> None:
    """26 rows: the first and the last stand within a row of the frame."""
    names = [f"annotator {number}" for number in range(26)]
    rows = plots.intervals(dict.fromkeys(names, (0.5, 0.4, 0.6)), title="T", axis="CASS").decode()
    heights = [float(at) for at in re.findall(r'<use xlink:href="#m[0-9a-f]+" x="[\d.]+" y="([\d.]+)"', rows)]
    frame = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', rows)[1])
    assert max(heights) - min(heights) > 0.7 * frame
