"""Pictures of maps: what they hold, what a hostile text can do (nothing), what is said without Graphviz."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.report.test_html_page import hostile, small

import aifgraph
from aifgraph.cli import main
from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.report import drawing as module
from aifgraph.report.drawing import drawing
from aifgraph.report.plots import heatmap, intervals

needs_graphviz = pytest.mark.skipif(not shutil.which("dot"), reason="needs Graphviz (apt install graphviz)")


def shown(svg: bytes) -> str:
    return " ".join(
        "".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    )


@needs_graphviz
def test_a_compared_picture_tells_what_only_one_has() -> None:
    build = aifgraph.GraphBuilder()
    build.proposition("Masks help everyone")
    svg = drawing(aifgraph.compare(small("RA"), build.graph()), "svg")
    assert isinstance(svg, bytes)
    assert "They filter the air" in shown(svg)
    assert shown(svg).count("(first only)") == 2
    assert b"stroke-dasharray" in svg


@needs_graphviz
@pytest.mark.parametrize("format", ["svg", "pdf", "png"])
def test_hostile_texts_are_drawn_as_text(format: str) -> None:
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for each in (hostile(), aifgraph.compare(hostile(), hostile())):
        picture = drawing(each, format)
        assert isinstance(picture, bytes)
        assert picture.startswith(starts[format])
        if format == "svg":
            tags = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(picture).iter()}
            assert tags <= {"svg", "g", "title", "polygon", "ellipse", "path", "text", "polyline"}


def test_dot_and_mermaid_need_no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = aifgraph.compare(small("RA"), small("CA"))
    assert "supports / attacks" in str(drawing(result, "dot"))
    assert "labelled differently" in str(drawing(result, "mmd"))
    assert str(drawing(small("RA"), "mmd")).startswith("flowchart")
    with pytest.raises(MissingExtraError, match=r"Graphviz is not installed.*map\.dot"):
        drawing(result, "svg")
    with pytest.raises(OptionError):
        drawing(result, "gif")


def test_the_argument_view_leaves_the_dialogue_out() -> None:
    first = aifgraph.load(Path(__file__).resolve().parents[2] / "fixtures" / "debate" / "first.json")
    kinds = {node.type for node in module.map_in_view(first, "argument")}
    assert "I" in kinds
    assert not kinds & {"L", "YA", "TA"}
    assert module.map_in_view(first, "dialogue") is first


@needs_graphviz
def test_the_command(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (str(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    both = tmp_path / "both.svg"
    assert main(["draw", first, "--compare", second, "-o", str(both)]) == 0
    assert "(second only)" in shown(both.read_bytes())
    assert main(["draw", first, "--view", "dialogue"]) == 0
    assert capsys.readouterr().out.startswith("digraph")
    assert main(["draw", first, "-o", str(tmp_path / "map.gif")]) == 2
    assert main(["draw", first, "--matrix", "transitions", "-o", str(both)]) == 2


def test_agreement_figures() -> None:
    pytest.importorskip("matplotlib")
    result = aifgraph.compare(small("RA"), small("CA"))
    matrix = result.calculations["propositional_relations"].matrix
    picture = heatmap(matrix, title="relations", ends=("Ann", "Ben"))
    assert picture == heatmap(matrix, title="relations", ends=("Ann", "Ben"))
    words = shown(picture)
    assert all(word in words for word in ("relations", "Ann", "Ben", "RA", "CA", "none"))
    below = intervals({"κ": (-0.1, -0.3, 0.05), "F1": (0.5, None, None)}, title="Scores", axis="score")
    assert "-0.100" in shown(below)
    assert "0.500" in shown(below)
