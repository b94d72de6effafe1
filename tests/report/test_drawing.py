"""Pictures: of maps, what they hold and what a hostile text can do (nothing); of numbers, the same bytes each time."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

import aifgraph
from aifgraph.adjudication.selection import Consequences
from aifgraph.align.analysis import analyse
from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.report.drawing import draw_graph, draw_pair
from aifgraph.report.page import Page, drawn_map
from aifgraph.report.pictures import dot, draw
from aifgraph.report.plots import heatmap, intervals
from aifgraph.report.sentences import Pair
from aifgraph.stats.scores import ConfusionMatrix
from documents import FIRST, argument, compared_debate
from report.hostile_pages import STEERS, hostile

needs_graphviz = pytest.mark.skipif(not find_spec("pygraphviz"), reason="needs pygraphviz")


def shown(svg: str | bytes) -> str:
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return " ".join("".join(node.itertext()) for node in texts)


@needs_graphviz
def test_a_compared_picture_tells_what_only_one_has() -> None:
    maps = argument("reason RA claim"), argument(claim="Masks help everyone")
    svg = str(draw(aifgraph.compare(*maps), format="svg"))
    assert "They filter the air" in shown(svg)
    assert shown(svg).count("only first") == 1
    assert shown(svg).count("first: supports") == 1
    assert len(re.findall(r'class="\w+ (?:RA )?one"', svg)) == 4


@needs_graphviz
@pytest.mark.parametrize("format", ["svg", "pdf", "png"])
def test_hostile_texts_are_drawn_as_text(format: str) -> None:
    for drawn in (hostile(), aifgraph.compare(hostile(), hostile(other=True))):
        picture = draw(drawn, format=format)
        if isinstance(picture, bytes):
            assert picture.startswith({"pdf": b"%PDF", "png": b"\x89PNG"}[format])
            continue
        tags = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(picture).iter()}
        assert tags <= {"svg", "style", "marker", "g", "path", "rect", "circle", "text", "tspan"}
        assert "window.hits" in shown(picture).replace(" ", "")
        assert not set(STEERS) & set(picture)
        assert r"\x1b\x00" in shown(picture).replace(" ", "")


@pytest.mark.parametrize("text", ['"];b[label="', "\\", 'a\\" ]', "\\N \\l"])
def test_no_text_ends_a_label(text: str) -> None:
    build = aifgraph.GraphBuilder()
    build.inference([build.proposition(text)], build.proposition(text), text)
    pygraphviz = pytest.importorskip("pygraphviz")
    drawn = pygraphviz.AGraph(string=dot(draw_graph(build.graph()), texts=True))
    assert (sorted(drawn.nodes()), len(drawn.edges())) == (["p0", "p1"], 1)
    build.node(text, "of another type")
    written = pygraphviz.AGraph(string=aifgraph.dumps(build.graph().with_name(text), format="dot"))
    assert (sorted(written.nodes()), len(written.edges())) == (["n1", "n2", "n3", "n4"], 2)


def test_pictures_need_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(MissingExtraError):
        draw(argument("reason RA claim"), format="svg")
    with pytest.raises(OptionError):
        draw(argument("reason RA claim"), format="gif")


def test_every_relation_and_every_node_of_a_view_is_drawn() -> None:
    graph = aifgraph.load(FIRST)
    argument, dialogue = draw_graph(graph), draw_graph(graph, "dialogue")
    assert len(argument.boxes) == len(graph.propositions)
    kinds = analyse(graph).kinds  # without what the analyst did
    assert len(dialogue.boxes) == len(graph.propositions) + kinds.count("L")
    relations = {node for arrow in dialogue.arrows.values() for _, node in arrow.nodes}
    assert relations == {n for n, kind in enumerate(kinds) if kind not in ("I", "L", "")}
    assert {arrow.kind for arrow in argument.arrows.values()} <= {"RA", "CA", "MA", "PA"}


def test_the_page_has_the_arrows_of_the_picture() -> None:
    result = compared_debate()
    page = Page(result)
    picture, map_of_page = draw_pair(Pair(result)), draw_pair(page, cards=page.number_of_node)
    assert picture.arrows.keys() == map_of_page.arrows.keys()
    assert map_of_page.boxes.keys() <= picture.boxes.keys()
    differ = {key for key, arrow in picture.arrows.items() if len(arrow.sides) == 1}
    assert {key for key, arrow in map_of_page.arrows.items() if arrow.label} <= differ


def test_the_map_of_a_page_marks_illocutions_that_differ() -> None:
    result = compared_debate()
    page = Page(result)
    drawing = draw_pair(page, cards=page.number_of_node)
    [row] = [row for row in page.differences if row.group == "illocutions"]
    number = page.number_of_node[row.nodes[0]]
    marks = [arrow.label for arrow in drawing.arrows.values()] + [box.note for box in drawing.boxes.values()]
    assert marks.count(f"{number} illocution") == 1


def test_agreement_figures() -> None:
    pytest.importorskip("matplotlib")
    result = aifgraph.compare(argument("reason RA claim"), argument("reason CA claim"))
    matrix = result.calculations["propositional_relations"].matrix
    picture = heatmap(matrix, title="relations", ends=("a$_$.json (first)", "Ben"))
    assert {"relations", "a$_$.json (first)", "Ben", "RA", "CA", "none"} <= set(texts(picture))
    shades = [heatmap(ConfusionMatrix(("RA", "none"), ((1, 2), (3, none)))) for none in (0, 9000)]
    assert len({re.findall('"data:image/png;base64,([^"]+)"', picture.decode())[0] for picture in shades}) == 1
    for label in ("$\\foo$", "\ud800", "x" * 500):
        heatmap(ConfusionMatrix((label, "none"), ((1, 2), (3, 4))), title=label, ends=(label, label))
        intervals({label: (0.5, 0.4, 0.6)}, title=label, axis=label)
    below = texts(intervals({"κ": (-0.1, -0.3, 0.05), "F1": (0.5, None, None)}, title="Scores", axis="score"))
    assert {"−0.100", "0.500", "score"} <= set(below)
    above = texts(intervals({"κ": (0.8, 0.7, 0.9)}, title="Scores", axis="score"))
    assert "score; the axis begins at 0.69" in above
    high = intervals({str(row): (0.5, None, None) for row in range(300)})
    assert max(map(float, re.findall(rb'height="([\d.]+)pt"', high))) <= 7200  # points: 100 inches


def texts(picture: bytes) -> list[str]:
    """Matplotlib draws letters, and names them in comments."""
    return re.findall("<!-- (.*?) -->", picture.decode())


SLOW = [pytest.param(*each, marks=pytest.mark.slow) for each in (("png", b"\x89PNG"), ("pdf", b"%PDF"))]


@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), *SLOW])
def test_same_numbers_same_bytes(format: str, start: bytes) -> None:
    """Without a date, and with letters as outlines in SVG, as TrueType in PDF (Type 42, which journals ask for)."""
    one, two = (intervals({"κ": (0.8, 0.7, 0.9)}, title="Right", axis="score", format=format) for _ in range(2))
    assert one == two
    assert one.startswith(start)
    assert not re.search(rb"<dc:date>|CreationDate|<text|font-family|/Type3", one)
    with pytest.raises(OptionError):
        intervals({}, title="", axis="", format="gif")


@needs_graphviz
def test_draw_writes_the_picture_that_the_ending_says(tmp_path: Path) -> None:
    graph = argument("reason RA claim")
    picture = aifgraph.draw(graph, tmp_path / "map.svg")
    assert (type(picture), picture) == (str, (tmp_path / "map.svg").read_text("utf-8"))
    aifgraph.draw(aifgraph.compare(graph, argument("reason CA claim")), tmp_path / "both.png")
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError):
        aifgraph.draw(graph, tmp_path / "map.txt")
    assert not (tmp_path / "map.txt").exists()


@needs_graphviz
def test_two_maps_drawn_in_one_mark_reworded_claims_and_the_page_does_not() -> None:
    wordings = ("Masks help everyone in a tram", "Masks do help everyone in a tram")
    result = aifgraph.compare(*(argument("r RA c", r="They filter the air", c=wording) for wording in wordings))
    assert [row.kind for row in result.differences()] == ["reworded"]
    picture = shown(str(aifgraph.draw(result)))
    assert "reworded" in picture
    assert "do help" in picture
    assert "reworded" not in drawn_map(Page(result))[0]


def test_an_arrow_between_two_parts_of_a_unit_is_gone_with_their_cut() -> None:
    """It follows from the premise that only the first has; the choice of the other cut takes its node."""
    text = "Masks help everyone in a tram and masks are cheap for a city."
    parts = {"a": "Masks help everyone in a tram", "b": "masks are cheap for a city", "c": "Nobody minds them"}
    maps = argument("a c RA b", text=text, **parts), argument(text=text, a=text[:-1])
    page = Page(aifgraph.compare(*maps))
    arrows = draw_pair(page, cards=page.number_of_node).arrows.values()
    assert len(arrows) == 3
    [cut] = [row for row in page.differences if row.kind == "cut differently"]
    gone = Consequences(page.differences).without({cut: frozenset((1,))})
    assert all(arrow.nodes <= gone for arrow in arrows)


def test_boxes_are_as_wide_as_their_words() -> None:
    build = aifgraph.GraphBuilder()
    for text in ("MMMMMMMMMM WWWWWWWWWW", "illicit fill till"):
        build.proposition(text)
    wide, narrow = (box.size[0] for box in draw_graph(build.graph()).boxes.values())
    assert wide > 21 * 10
    assert narrow < 17 * 6
