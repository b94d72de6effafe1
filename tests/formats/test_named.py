"""What a format, or JSON, has no place for is kept, read, or named: nothing goes without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph import ArgumentGraph, FormatError, GraphBuilder
from aifgraph.formats.writing import with_places
from aifgraph.graph import SourceText, Span
from formats.roundtrip import round_trip

NODE = '{"nodeID": "1", "text": "a", "type": "I", "weight": %s}'


def codes(graph: ArgumentGraph) -> list[str]:
    return [notice.code for notice in graph.notices]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("around", ["%s", '{"AIF": %s}', '{"name": "m", "map": {"AIF": %s}}'])
def test_what_json_has_no_number_for_is_null_and_named(number: str, around: str) -> None:
    text = around % f'{{"nodes": [{NODE % number}], "edges": []}}'
    graph = aifgraph.loads(text)
    assert codes(graph) == ["number-missing"]
    assert number in graph.notices[0].message
    assert "W109" in aifgraph.validate(graph).codes
    with pytest.raises(FormatError, match="no number"):
        aifgraph.loads(text, strict=True)
    for name in ("aif", "xaif", "jsonl"):
        json.loads(aifgraph.dumps(graph, format=name), parse_constant=pytest.fail)
    assert aifgraph.loads(text.replace(number, "0.5"), strict=True)["1"].extra == {"weight": 0.5}


@pytest.mark.parametrize("order", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_text_in_utf_16_beside_a_map(tmp_path: Path, order: str) -> None:
    (tmp_path / "map.json").write_text(f'{{"nodes": [{NODE % 1}], "edges": []}}')
    mark = {"utf-16": "", "utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}[order]
    (tmp_path / "map.txt").write_bytes(f"{mark}Grüße, 茶".encode(order))
    graph = aifgraph.load(tmp_path / "map.json")
    assert graph.text == "Grüße, 茶"
    assert codes(graph) == []


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (
            '{"nodes": [{"id": "a", "type": "atom", "text": "x"}], "resources": [],'
            ' "edges": [{"id": "e", "source_id": "a", "target_id": "a"}]}',
            "sadface",
        ),
    ],
)
def test_a_step_to_itself_is_named_as_one(text: str, format: str) -> None:
    graph = aifgraph.loads(text, format=format)
    assert "edge-loop" in codes(graph)
    found = aifgraph.validate(graph).codes
    assert "E104" in found
    assert "W105" not in found


@pytest.mark.parametrize("format", ["xaif", "jsonl", "ova3", "sadface", "graphml"])
def test_a_place_without_a_character_is_kept(format: str) -> None:
    build = GraphBuilder()
    one, other, third = (build.proposition(text) for text in ("ab", "c", "d"))
    build.source(SourceText("ab c", spans=(Span(one, 0, 2), Span(other, 2, 2), Span(third, 4, 4))))
    graph = build.graph()
    assert graph.meta.source is not None
    assert graph.meta.source.marked.count("</span>") == 3
    back = with_places(round_trip(format, graph)).meta.source
    assert back is not None
    assert [(span.start, span.end) for span in back.spans or ()] == [(0, 2), (2, 2), (4, 4)]
