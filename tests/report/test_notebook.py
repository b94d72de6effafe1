"""Maps and comparisons in a notebook."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import aifgraph
from aifgraph.graph import SourceText
from aifgraph.report.display import comparison_html, graph_html
from aifgraph.report.graphviz import installed
from report.test_html_page import hostile, small

#: Moves the cursor, colours, rings, turns the direction, breaks lines of scripts.
STEERS = "\x1b\x00\x07\x9b\u202e\u200e\u061c\u2028\u2029"
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("graphviz", [True, False])
def test_nothing_hostile_gets_through(graphviz: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not graphviz:
        monkeypatch.setitem(sys.modules, "pygraphviz", None)
    elif not installed():
        pytest.skip("needs Graphviz")
    graph = hostile()
    for shown in (graph._repr_html_(), aifgraph.compare(graph, graph)._repr_html_()):
        assert "<script" not in shown
        assert "<img" not in shown
        assert ("<svg" in shown) is graphviz


class _Tags(HTMLParser):
    """What of a fragment could run, load or lead anywhere."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.feed(shown)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "object", "embed", "link", "meta", "base", "form", "foreignobject"):
            self.wrong.append(tag)
        for name, value in attrs:
            if name.startswith("on") or (name in ("href", "xlink:href", "src") and not (value or "").startswith("#")):
                self.wrong.append(f"{name}={value}"[:80])


def steered(extra: str = "") -> aifgraph.ArgumentGraph:
    """A map whose people, nodes and text want to run and to steer, one of them long."""
    text = "<script>x()</script><img src=x onerror=x()></svg></style>]]>-->" + STEERS + "javascript:x()"
    build = aifgraph.GraphBuilder()
    person, claim = build.participant(text, text), build.proposition(text + extra + "y" * 100_000)
    build.inference([build.proposition(f'"><svg onload=x()>{text}')], claim)
    build.illocution(build.locution(f"{text}: {text}", speaker=person), claim, "Asserting")
    build.source(SourceText(text))
    return build.graph().with_name(text)


@pytest.mark.parametrize("graphviz", [True, False])
def test_nothing_that_a_cell_shows_runs_or_steers(
    graphviz: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not graphviz:
        monkeypatch.setitem(sys.modules, "pygraphviz", None)
    elif not installed():
        pytest.skip("needs Graphviz")
    graph, other = steered(), steered(" other")
    for name, each in (("ann", graph), ("ben", other)):
        (tmp_path / name).mkdir()
        aifgraph.dump(each, tmp_path / name / "a\x1b]0;x\x07.json", format="xaif")
    compared = aifgraph.compare(graph, other)
    differences = compared.differences()
    stats, findings = aifgraph.open_corpus(tmp_path / "ann").counts(), aifgraph.validate(graph)
    shown = (graph, compared, graph.nodes[0], differences, *differences, findings, *findings, stats)
    for each in shown:
        for method in (name for name in dir(each) if name.startswith("_repr_")):
            html = getattr(each, method)()
            assert _Tags(html).wrong == [], (type(each), method)
            assert not set(STEERS) & set(html), (type(each), method)
            assert len(html) < 200_000, (type(each), method)
        assert not set(STEERS) & set(repr(each)), type(each)


def test_a_map_tells_what_it_holds() -> None:
    assert "2 I, 1 RA" in graph_html(small("RA"))
    assert "empty" in graph_html(aifgraph.GraphBuilder().graph())


def test_a_comparison_tells_what_differs() -> None:
    shown = comparison_html(aifgraph.compare(small("RA"), small("CA")))
    assert "CASS-κ" in shown
    assert "disagree most about whether “They filter the air” supports or attacks" in shown


def test_a_picture_is_as_wide_as_its_cell() -> None:
    if not installed():
        pytest.skip("needs Graphviz")
    svg = comparison_html(aifgraph.compare(small("RA"), small("CA"))).split("<svg")[1].split(">")[0]
    assert "width:100%" in svg
    assert "viewBox" in svg
    assert ' height="' not in svg
