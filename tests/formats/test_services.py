"""xAIF as AMF's services take it: what is written goes through both of the packages that these are made of, ``xaif``
and ``xaif_eval``, and comes back whole."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from formats.roundtrip import changed, shared_files
from sampled import some_of

SECTIONS = {"nodes", "edges", "schemefulfillments", "descriptorfulfillments", "participants", "locutions"}
MICROTEXTS = sorted((Path(__file__).parents[2] / "fixtures" / "microtexts").glob("*.xml"))


@pytest.fixture(scope="module", params=["xaif", "xaif_eval"])
def service(request: pytest.FixtureRequest) -> Any:
    pytest.importorskip(request.param)
    pytest.importorskip("pandas")
    with contextlib.redirect_stdout(io.StringIO()):  # xaif_eval runs an example when it is imported
        return importlib.import_module(request.param).AIF


def answers(service: Any, document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a service makes of a map by each of its four changes, as far as the map has nodes for them."""
    nodes = document["AIF"]["nodes"]
    said = [node["nodeID"] for node in nodes if node["type"] == "L"]
    claims = [node["nodeID"] for node in nodes if node["type"] == "I"]
    changes: dict[str, dict[str, Any]] = {"locution": {"text": "Well", "speaker": "New Person"}}
    if said:
        changes["segment"] = {"Lnode_ID": said[-1], "segments": ["one", "two"]}
        changes["proposition"] = {"Lnode_ID": said[0], "proposition": "A new claim"}
    if len(claims) > 1:
        changes["argument_relation"] = {"relation_type": "RA", "iNode_ID1": claims[0], "iNode_ID2": claims[1]}
    for kind, given in changes.items():
        handler = service(json.loads(json.dumps(document)))
        if service.__module__.startswith("xaif_eval"):
            handler.add_component(kind, *given.values())
        else:
            handler.add_component(kind, **given)
        yield kind, handler


def ends(graph: ArgumentGraph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


def name_of(graph: ArgumentGraph, node: str) -> str | None:
    person = graph.speaker_of(node)
    return person and person.name


def check(service: Any, graph: ArgumentGraph) -> None:
    """No exception, every one of ours still there, and the service's change readable as what it is."""
    document = aifgraph.to_dict(graph)
    assert document["AIF"].keys() >= SECTIONS
    assert document.keys() >= {"text", "dialog", "OVA"}
    assert document["dialog"] is bool(graph.locutions) or "dialog" in graph.meta.document
    for section, field in (("nodes", "nodeID"), ("edges", "edgeID"), ("participants", "participantID")):
        assert len({type(entry[field]) for entry in document["AIF"][section]}) <= 1, section
    spelt = {node["nodeID"] for node in document["AIF"]["nodes"]}
    for edge in document["AIF"]["edges"]:
        assert {edge["fromID"], edge["toID"]} <= spelt
    assert aifgraph.from_dict(document) == aifgraph.from_dict(aifgraph.to_dict(graph))
    if graph.meta.source is None or graph.meta.source.origin == "embedded":
        assert aifgraph.from_dict(document) == graph
    for kind, handler in answers(service, document):
        back = aifgraph.from_dict(handler.xaif)
        assert any(node not in graph for node in back), kind
        if kind != "segment":  # which takes what it segments away
            assert set(graph.nodes) <= set(back.nodes), kind
            assert ends(graph) <= ends(back), kind
        assert set(graph.participants) <= set(back.participants), kind
        for node in graph.locutions:
            if node in back:
                assert name_of(back, node.id) == name_of(graph, node.id), kind
        assert (back.meta.source is None) == (graph.meta.source is None), kind


@pytest.mark.data
def test_real_maps_go_through_every_change(service: Any, shared_data: Path) -> None:
    for path in some_of(shared_files(shared_data), every=100):
        graph = aifgraph.load(path)
        check(service, graph)
        check(service, changed(graph))


@pytest.mark.parametrize("path", MICROTEXTS, ids=lambda path: path.name)
def test_ids_that_cannot_be_counted_are_numbered(service: Any, path: Path) -> None:
    graph = aifgraph.load(path)
    text = aifgraph.dumps(graph, format="xaif")
    assert aifgraph.loads(text) == graph
    assert all(node["nodeID"].isdigit() for node in json.loads(text)["AIF"]["nodes"])
    check(service, graph)
    check(service, changed(graph))


@pytest.mark.parametrize("name", ["aif/masks.json", "xaif/masks.json", "ova3/masks.json", "debate/first.json"])
def test_fixtures_go_through_every_change(service: Any, fixtures: Path, name: str) -> None:
    graph = aifgraph.load(fixtures / name)
    check(service, graph)
    check(service, changed(graph))


def test_the_service_of_the_docs(service: Any, fixtures: Path) -> None:
    page = (fixtures.parent / "docs" / "python.md").read_text("utf-8")
    (source,) = (each.source for each in doctest.DocTestParser().get_examples(page) if "def rephrasings" in each.source)
    names: dict[str, Any] = {"aifgraph": aifgraph}
    exec(source, names)
    for name in ("aif/masks.json", "xaif/masks.json", "debate/first.json", "debate/second.json"):
        document = json.loads((fixtures / name).read_text("utf-8"))
        (document.get("AIF") or document)["nodes"] += [
            {"nodeID": number, "type": "I", "text": "Said twice"} for number in (9001, 9002)
        ]
        graph = aifgraph.from_dict(names["rephrasings"](document))
        (rephrase,) = (node for node in graph.rephrasings if graph.premises_of(node)[0].id == "9002")
        assert [node.id for node in graph.conclusions_of(rephrase)] == ["9001"]
        check(service, graph)


def test_speakers_whom_only_the_texts_name(service: Any) -> None:
    build = GraphBuilder()
    build.locution("Ann Lee: Masks help. They filter.")  # no record says that she spoke
    second = build.locution("Bob : No")
    build.record(aifgraph.graph.LocutionRecord(second, "77"))
    graph = build.graph()
    document = aifgraph.to_dict(graph)
    handler = service(document)
    assert handler.get_speaker(second)[0] == "Bob None"
    assert aifgraph.from_dict(document) == graph
    assert graph.participants == ()


def test_relations_and_speakers_as_the_package_sees_them(service: Any, fixtures: Path) -> None:
    graph = aifgraph.load(fixtures / "debate" / "first.json")
    handler = service(aifgraph.to_dict(graph))
    table = handler.get_csv("argument-relation")
    seen = {(row.proposition1_text, row.proposition2_text) for row in table.itertuples() if row.relation != "None"}
    direct = [
        (premise.text, conclusion.text)
        for node in graph.relations
        for premise in graph.premises_of(node)
        for conclusion in graph.conclusions_of(node)
        if {premise.type, conclusion.type} == {"I"} and node.type != "PA"
    ]
    assert direct
    if service.__module__.startswith("xaif_eval"):  # joins every premise with the last conclusion of all
        assert {premise for premise, _ in direct} <= {premise for premise, _ in seen}
    else:
        assert set(direct) <= seen
    for node in graph.locutions:
        if graph.records_of(node):
            assert handler.get_speaker(node.id)[0].removesuffix(" None") == graph.speaker_of(node).name
