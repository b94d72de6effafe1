"""Built, written and loaded is equal; parsed documents are loaded; repairs are errors where somebody asks for that."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from roundtrip import round_trip

import aifgraph
from aifgraph import ArgumentGraph, FormatError, OptionError
from aifgraph.graph import SourceText, Span
from strategies import graphs

BROKEN = {
    "nodes": [{"nodeID": 1, "type": "I", "text": "a"}, {"nodeID": 2, "type": "RA", "text": ""}],
    "edges": [{"fromID": 1, "toID": 2}, {"fromID": 1, "toID": 2}, {"fromID": 1, "toID": 9}],
}


@pytest.mark.parametrize("name", ["xaif", "jsonl"])
@given(graph=graphs())
def test_what_loses_nothing_is_equal(name: str, graph: ArgumentGraph) -> None:
    assert round_trip(name, graph) == graph


def test_a_text_of_several_lines_comes_back_from_ova3(tmp_path: Path) -> None:
    marked = '<span id="1">Masks</span> help.\nThey do.'
    document = {"AIF": {"nodes": [{"nodeID": "1", "type": "I", "text": "Masks"}]}, "text": marked}
    graph = aifgraph.from_dict({**document, "OVA": {"nodes": [], "edges": []}})
    aifgraph.dump(graph, tmp_path / "map.json")
    again = aifgraph.load(tmp_path / "map.json")
    assert again.meta.form == graph.meta.form == "ova3"
    assert again == graph
    assert again != graph.with_meta(source=SourceText("They do not."))


def test_what_says_nothing_of_people_edges_and_text_is_named() -> None:
    nodes = [{"nodeID": 1, "type": "I", "text": "a"}, {"nodeID": 2, "type": "I", "text": "b"}]
    edges = [{"source": 1, "target": 2}, {"fromID": 1, "to": 2}]
    graph = aifgraph.from_dict({"AIF": {"nodes": nodes, "edges": edges, "participants": [{"name": "Z"}]}, "text": 12})
    assert [(notice.code, notice.message) for notice in graph.notices] == [
        ("text-unclear", "text is neither a string nor an object with one under txt: no text"),
        ("edge-dangling", "edges[0] has no fromID and no toID (it has source, target) and is left out"),
        ("edge-dangling", "edges[1] has no toID (it has fromID, to) and is left out"),
        ("participant-unclear", "participants[0] has no participantID, firstname or surname: nobody in particular"),
    ]


def test_a_built_map_with_everything() -> None:
    build = aifgraph.GraphBuilder()
    ann = build.participant("Ann", "Lee")
    said = build.locution("Ann Lee: Masks & more", speaker=ann, start="2021-11-11 21:50:00")
    claim = build.proposition("Masks & more")
    build.illocution(said, claim, "Asserting", schemes=["Asserting"])
    build.source(SourceText("Masks & more, she said.", spans=(Span(claim, 0, 12),)))
    graph = build.graph()
    for name in ("xaif", "jsonl", "ova3"):
        assert aifgraph.loads(aifgraph.dumps(graph, format=name)) == graph, name
    assert aifgraph.from_dict(aifgraph.to_dict(graph)) == graph
    build.source("Another text")
    assert build.graph() != graph


def test_documents() -> None:
    with open("fixtures/debate/first.json", encoding="utf-8") as file:
        document = json.load(file)
    before = json.dumps(document)
    graph = aifgraph.load(document)
    assert graph == aifgraph.from_dict(document)
    assert graph.nodes == aifgraph.load("fixtures/debate/first.json").nodes
    assert json.dumps(document) == before
    written = aifgraph.to_dict(graph)
    jsonschema.validate(written, aifgraph.json_schema())
    jsonschema.validate(aifgraph.to_dict(graph, format="aif"), aifgraph.json_schema("aif"))
    for bad in ({}, {"nodes": 5}, {"a": 1}):
        with pytest.raises(FormatError):
            aifgraph.load(bad)
    with pytest.raises(OptionError, match="no JSON"):
        aifgraph.from_dict({"nodes": {1, 2}})
    with pytest.raises(OptionError, match="no JSON object"):
        aifgraph.to_dict(graph, format="dot")
    with pytest.raises(OptionError, match="xaif"):
        aifgraph.json_schema("xiaf")
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(FormatError, match="deep"):
        aifgraph.from_dict(deep)
    del deep


def test_references_in_an_openapi_document() -> None:
    text = json.dumps(aifgraph.json_schema(ref_template="#/components/schemas/{model}"))
    assert "#/components/schemas/AifNode" in text
    assert "#/$defs/" not in text


def test_strict_loading(tmp_path: Path) -> None:
    assert len(aifgraph.load(BROKEN).notices) == 2
    with pytest.raises(FormatError, match=r"1 → 2 is given twice.*\(and 1 more\); repair"):
        aifgraph.load(BROKEN, strict=True)
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(BROKEN))
    for load in (lambda: aifgraph.load(path, strict=True), lambda: aifgraph.loads(path.read_text(), strict=True)):
        with pytest.raises(FormatError, match="given twice"):
            load()
    assert aifgraph.load("fixtures/debate/first.json", strict=True)
