"""Pictures: of maps, what they hold and what a hostile text can do (nothing); of numbers, the same bytes each time."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.report.drawing import displayed_map, draw_map
from aifgraph.report.graphviz import installed, picture
from aifgraph.report.plots import heatmap, intervals
from report.test_html_page import hostile, small

needs_graphviz = pytest.mark.skipif(not installed(), reason="needs pygraphviz")


def shown(svg: bytes) -> str:
    return " ".join(
        "".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    )


@needs_graphviz
def test_a_compared_picture_tells_what_only_one_has() -> None:
    build = aifgraph.GraphBuilder()
    build.proposition("Masks help everyone")
    svg = draw_map(aifgraph.compare(small("RA"), build.graph()), "svg").picture
    assert isinstance(svg, bytes)
    assert "They filter the air" in shown(svg)
    assert shown(svg).count("(first only)") == 2
    assert b"stroke-dasharray" in svg


@needs_graphviz
@pytest.mark.parametrize("format", ["svg", "pdf", "png"])
def test_hostile_texts_are_drawn_as_text(format: str) -> None:
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for each in (hostile(), aifgraph.compare(hostile(), hostile())):
        picture = draw_map(each, format).picture
        assert isinstance(picture, bytes)
        assert picture.startswith(starts[format])
        if format == "svg":
            tags = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(picture).iter()}
            assert tags <= {"svg", "g", "title", "polygon", "ellipse", "path", "text", "polyline"}


def test_dot_and_mermaid_need_no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    result = aifgraph.compare(small("RA"), small("CA"))
    assert "supports / attacks" in str(draw_map(result, "dot").picture)
    assert "not alike" in str(draw_map(result, "mmd").picture).replace("<br>", " ")
    assert str(draw_map(small("RA"), "mmd").picture).startswith("flowchart")
    with pytest.raises(MissingExtraError, match=r"pygraphviz is not installed.*map\.dot"):
        draw_map(result, "svg")
    with pytest.raises(OptionError):
        draw_map(result, "gif")


def test_the_argument_view_leaves_the_dialogue_out() -> None:
    first = aifgraph.load(Path(__file__).resolve().parents[2] / "fixtures" / "debate" / "first.json")
    argument, whole = displayed_map(first, "argument").graph, displayed_map(first, "dialogue").graph
    kinds = {node.type for node in argument}
    assert "I" in kinds
    assert not kinds & {"L", "YA", "TA"}
    assert len(whole) == len(first)


def many(count: int) -> aifgraph.ArgumentGraph:
    """So many propositions, each supported by another one: that many parts."""
    build = aifgraph.GraphBuilder()
    for number in range(count):
        claim = build.proposition(f"Claim {number}, which is long enough for two lines of a box")
        build.inference([build.proposition(f"Reason {number}")], claim)
    return build.graph()


def star(count: int) -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder()
    claim = build.proposition("Claim")
    for number in range(count):
        build.inference([build.proposition(f"Reason {number} for the claim that all speak of")], claim)
    return build.graph()


def size(svg: str | bytes) -> tuple[float, float]:
    root = ElementTree.fromstring(svg)
    width, height = (float(root.attrib[name].removesuffix("pt")) for name in ("width", "height"))
    return width, height


@needs_graphviz
@pytest.mark.parametrize("graph", [many(40), star(40)], ids=["parts", "star"])
def test_a_picture_is_no_strip(graph: aifgraph.ArgumentGraph) -> None:
    """Parts are packed and wide ranks wrapped: before, these were 9 and 11 times as wide as high."""
    width, height = size(draw_map(graph, "svg").picture)
    assert max(width, height) < 4 * min(width, height)


@needs_graphviz
def test_text_too_small_for_paper_is_said_and_parts_help() -> None:
    graph = many(60)
    drawn = draw_map(graph, "svg")
    assert any("points high" in line and "--part 1 to 60" in line for line in drawn.warnings)
    assert draw_map(many(2), "svg").warnings == ()
    assert draw_map(graph, "svg", part=60).warnings == ()
    with pytest.raises(OptionError, match="no part 61: there are 60 parts"):
        draw_map(graph, "svg", part=61)


def test_mermaid_says_where_it_stops() -> None:
    assert draw_map(many(100), "mmd").warnings == ()
    (edges,) = draw_map(many(251), "mmd").warnings[:1]
    assert "at most 500 edges" in edges
    assert "502" in edges


@pytest.mark.parametrize("format", ["dot", "mmd", "svg", "png", "pdf"])
def test_control_characters_are_drawn_as_escapes(format: str) -> None:
    if format in ("svg", "png", "pdf") and not installed():
        pytest.skip("needs Graphviz")
    build = aifgraph.GraphBuilder()
    claim = build.proposition("before\x00after \x1b[31mred \ud800 end")
    build.inference([build.proposition("\x00")], claim)
    graph = build.graph()
    for each in (graph, aifgraph.compare(graph, graph)):
        picture = draw_map(each, format).picture
        if format == "svg":
            assert isinstance(picture, bytes)
            assert "before\\x00after \\x1b[31mred" in shown(picture)
        elif isinstance(picture, str):
            assert "\x00" not in picture
            assert "\x1b" not in picture
            assert "after" in picture


@needs_graphviz
def test_relations_differ_by_colour_and_arrowhead() -> None:
    build = aifgraph.GraphBuilder()
    claim, *others = [build.proposition(f"claim {number}") for number in range(5)]
    build.inference([others[0]], claim)
    build.conflict(others[1], claim)
    build.rephrase(others[2], claim)
    build.preference(others[3], claim)
    arrows = [
        line for line in str(draw_map(build.graph(), "dot").picture).splitlines() if "->" in line and "none" not in line
    ]
    looks = [re.findall(r'(?:color|arrowhead)="([^"]*)"', line) for line in arrows]
    assert len(arrows) == len({colour for colour, _ in looks}) == len({head for _, head in looks}) == 4
    assert len(set(re.findall(r'shape="(\w+)"', str(draw_map(build.graph(), "dot").picture)))) == 4


@needs_graphviz
def test_what_graphviz_says_is_passed_on_but_nothing_of_fonts() -> None:
    _, said = picture("digraph { a [shape=strange] }", "dot", "svg")
    assert len(said) == 1
    assert "unknown shape strange" in said[0]
    with pytest.raises(OptionError, match=r"could not .* this"):
        picture("digraph { a -> ", "dot", "svg")


@needs_graphviz
def test_the_command_writes_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "map.json"
    path.write_text(aifgraph.dumps(many(60)))
    assert main(["draw", str(path), "-o", str(tmp_path / "whole.svg")]) == 0
    assert "points high" in capsys.readouterr().err
    assert main(["draw", str(path), "--part", "2", "-o", str(tmp_path / "part.svg")]) == 0
    assert shown((tmp_path / "part.svg").read_bytes()).count("Claim") == 1
    assert main(["draw", str(path), "--part", "99", "-o", str(tmp_path / "part.svg")]) == 2
    assert main(["draw", str(path), "--matrix", "transitions", "-o", str(tmp_path / "m.svg")]) == 2


@needs_graphviz
@pytest.mark.slow
@pytest.mark.data
def test_a_real_corpus_map_is_no_strip(shared_data: Path) -> None:
    """nodeset10631 was 18 561 × 584 points."""
    drawn = draw_map(aifgraph.load(shared_data / "us2016" / "nodeset10631.json"), "svg")
    width, height = size(drawn.picture)
    assert max(width, height) < 2 * min(width, height) < 6000


def test_agreement_figures() -> None:
    pytest.importorskip("matplotlib")
    result = aifgraph.compare(small("RA"), small("CA"))
    matrix = result.calculations["propositional_relations"].matrix
    picture = heatmap(matrix, title="relations", ends=("Ann", "Ben"))
    assert picture == heatmap(matrix, title="relations", ends=("Ann", "Ben"))
    assert {"relations", "Ann", "Ben", "RA", "CA", "none"} <= set(texts(picture))
    costly = heatmap(matrix, title="relations", ends=("a$_$.json (first)", "second"))
    assert "a$_$.json (first)" in texts(costly)
    below = texts(intervals({"κ": (-0.1, -0.3, 0.05), "F1": (0.5, None, None)}, title="Scores", axis="score"))
    assert {"-0.100", "0.500", "score"} <= set(below)
    above = texts(intervals({"κ": (0.8, 0.7, 0.9)}, title="Scores", axis="score"))
    assert "score; the axis begins at 0.69" in above


def test_a_title_takes_as_many_lines_as_it_needs() -> None:
    title = "Agreement of two annotators on the relations of propositions, of 31 texts, with 95 % intervals"
    lines = [line for line in texts(intervals({"κ": (0.5, 0.4, 0.6)}, title=title, axis="κ")) if line in title]
    assert len(lines) == 2
    assert " ".join(lines) == title


def bars(format: str = "svg") -> bytes:
    return intervals({"κ": (0.8, 0.7, 0.9)}, title="Right", axis="score", format=format)


def test_fonts_are_in_the_picture() -> None:
    """Outlines in SVG, TrueType in PDF (Type 42, which journals ask for)."""
    assert b"<text" not in bars("svg")
    assert b"font-family" not in bars("svg")
    pdf = bars("pdf")
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf


def texts(picture: bytes) -> list[str]:
    """Matplotlib draws letters, and names them in comments."""
    return re.findall("<!-- (.*?) -->", picture.decode())


@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_same_numbers_same_bytes(format: str, start: bytes) -> None:
    assert bars(format).startswith(start)
    assert bars(format) == bars(format)
    assert not re.search(rb"<dc:date>|CreationDate", bars(format))


def test_there_are_three_formats() -> None:
    with pytest.raises(OptionError, match="choose from svg"):
        bars("gif")


def test_many_rows_are_without_blank_margins() -> None:
    """26 rows: the first and the last stand within a row of the frame."""
    names = [f"annotator {number}" for number in range(26)]
    rows = intervals(dict.fromkeys(names, (0.5, 0.4, 0.6)), title="T", axis="CASS").decode()
    heights = [float(at) for at in re.findall(r'<use xlink:href="#m[0-9a-f]+" x="[\d.]+" y="([\d.]+)"', rows)]
    frame = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', rows)[1])
    assert max(heights) - min(heights) > 0.7 * frame
