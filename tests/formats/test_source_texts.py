"""Source texts with places come back from every format that carries them: the same characters, the same spans."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.formats.registry import codec
from aifgraph.formats.writing import with_places
from aifgraph.graph import SourceText, Span
from formats.roundtrip import round_trip, written_input

CARRIERS = ("aif", "xaif", "jsonl", "ova3", "graphml", "brat", "sadface", "microtexts")

TEXTS = st.text(st.sampled_from("ab c.<>&;\r\"'\n\té\u2028😀"), min_size=1, max_size=30)


@st.composite
def texts_with_places(draw: st.DrawFn) -> ArgumentGraph:
    """Propositions at places of a text of several lines; places may touch, hold each other or cross."""
    text = draw(TEXTS)
    build = GraphBuilder(name="map")
    spans = []
    for number in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        id_ = build.proposition(text[start:end], id=f"{draw(st.sampled_from(['', 'node', 'T']))}{number + 1}")
        spans.append(Span(id_, start, end))
    build.source(SourceText(text, draw(st.sampled_from(["given", "embedded"])), tuple(spans)))
    return build.graph()


def places(graph: ArgumentGraph) -> Any:
    """The plain text, and each place with the number of its node: ids may change."""
    source = with_places(graph).meta.source
    numbers = {node.id: number for number, node in enumerate(graph.propositions)}
    return source.text, sorted((numbers[span.node_id], span.start, span.end) for span in source.spans or ())


def places_without_blanks(graph: ArgumentGraph) -> set[tuple[int, int]]:
    """The characters, without blanks, that are marked for each node."""
    text, spans = places(graph)
    return {(number, at) for number, start, end in spans for at in range(start, end) if not text[at].isspace()}


@pytest.mark.parametrize("name", CARRIERS)
@given(graph=texts_with_places())
def test_text_and_places_come_back(name: str, graph: ArgumentGraph) -> None:
    back = round_trip(name, graph)
    if name == "brat" and not any(node.text.isspace() for node in graph):  # has no place over a line break
        assert places(back)[0] == places(graph)[0]
        assert places_without_blanks(back) == places_without_blanks(graph)
    elif name in ("aif", "xaif", "jsonl", "graphml", "sadface"):
        assert places(back) == places(graph)


@given(graph=texts_with_places())
def test_marked_texts_lose_nothing(graph: ArgumentGraph) -> None:
    source = graph.meta.source
    marked = graph.with_meta(source=SourceText(source.marked))
    assert places(marked) == places(graph)


def test_a_line_break_is_not_doubled() -> None:
    build = GraphBuilder()
    build.proposition("Masks\nhelp", id="1")
    build.source(SourceText("Ann:\nMasks\nhelp", spans=(Span("1", 5, 15),)))
    graph = build.graph()
    for name in ("aif", "xaif"):
        each = codec(name)
        back = each.read(written_input(each.write(graph), each))
        brat = codec("brat").write(back)
        assert brat.siblings[".txt"] == "Ann:\nMasks\nhelp"
        assert brat.text.splitlines()[0].split("\t")[1] == "Proposition 5 10;11 15"


def test_places_that_cross_come_back_whole() -> None:
    build = GraphBuilder()
    build.proposition("abc", id="1")
    build.proposition("bcd", id="node2")
    build.source(SourceText("abcd", spans=(Span("1", 0, 3), Span("node2", 1, 4))))
    source = build.graph().meta.source
    back = with_places(build.graph().with_meta(source=SourceText(source.marked))).meta.source
    assert back == source
