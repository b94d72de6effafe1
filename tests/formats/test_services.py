"""What other programs make of our files. xAIF as AMF's services take it: what is written goes through both of the
packages that these are made of, ``xaif`` and ``xaif_eval``, and comes back whole. OVA3, rebuilt from its published
source (arg-tech/OVA3, commit f72b2ad): ``loadOva3Json`` in ``res/js/ova-save.js``, lines 424 to 541, in dialogical
mode, and what it calls in ``ova-model.js`` and ``ova-init.js``. And the JSON Schemas."""

import contextlib
import importlib
import io
import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder, load, to_dict
from aifgraph.formats.documents import AifDocument, XaifDocument
from aifgraph.formats.documents import main as write_schemas
from aifgraph.graph import LocutionRecord, SourceText
from documents import FIXTURES, ROOT
from formats.roundtrip import READ, changed, files_of, shared_files
from reference.read import Markup
from strategies import some_of

SECTIONS = {"nodes", "edges", "schemefulfillments", "descriptorfulfillments", "participants", "locutions"}


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


def check(service: Any, graph: ArgumentGraph) -> None:
    """No exception, every one of ours still there, and the service's change readable as what it is."""
    document = aifgraph.to_dict(graph, format="xaif")
    assert document["AIF"].keys() >= SECTIONS
    assert document.keys() >= {"text", "dialog", "OVA"}
    assert document["dialog"] is bool(graph.locutions) or "dialog" in graph.meta.document
    if graph.meta.source is None or graph.meta.source.origin == "embedded":
        assert aifgraph.from_dict(document) == graph
    for kind, handler in answers(service, document):
        back = aifgraph.from_dict(handler.xaif)
        assert any(node not in graph for node in back), kind
        if kind != "segment":  # which takes what it segments away
            assert set(graph.nodes) <= set(back.nodes), kind
            assert {edge[:2] for edge in graph.edges} <= {edge[:2] for edge in back.edges}, kind
        assert set(graph.participants) <= set(back.participants), kind
        for node in graph.locutions:
            people = back.speaker_of(node.id) if node in back else None, graph.speaker_of(node)
            assert node not in back or len({person and person.name for person in people}) == 1, kind
        assert (back.meta.source is None) == (graph.meta.source is None), kind


@pytest.mark.data
def test_real_maps_go_through_every_change(service: Any, shared_data: Path) -> None:
    for path in some_of(shared_files(shared_data), every=100):
        graph = aifgraph.load(path)
        check(service, graph)
        check(service, changed(graph))


FIXTURES_READ = ["debate/first.json", *(str(path.relative_to(FIXTURES)) for name in READ for path in files_of(name))]


@pytest.mark.parametrize("name", FIXTURES_READ)
def test_fixtures_go_through_every_change(service: Any, name: str) -> None:
    graph = aifgraph.load(FIXTURES / name)
    check(service, graph)
    check(service, changed(graph))


def test_speakers_whom_only_the_texts_name(service: Any) -> None:
    build = GraphBuilder()
    build.locution("Ann Lee: Masks help. They filter.")  # no record says that she spoke
    second = build.locution("Bob : No")
    build.record(LocutionRecord(second, "77"))
    graph = build.graph()
    document = aifgraph.to_dict(graph, format="xaif")
    handler = service(document)
    assert handler.get_speaker(second)[0] == "Bob None"
    assert aifgraph.from_dict(document) == graph
    assert graph.participants == ()


@pytest.mark.slow
@pytest.mark.parametrize("format", ["aif", "xaif", "ova3"])
def test_arguebuf_reads_every_claim_and_relation(format: str, shared_data: Path) -> None:
    reader = pytest.importorskip("arguebuf").load
    files = [path for path in sorted(FIXTURES.rglob("*.json")) if "hostile" not in path.parts]
    for path in [*files, *shared_files(shared_data)]:
        try:
            graph = aifgraph.load(path)
        except aifgraph.AifgraphError:
            continue
        read = (reader.aif if format == "aif" else reader.xaif)(aifgraph.to_dict(graph, format=format))
        assert len(read.atom_nodes) == len(graph.propositions), path
        assert len(read.scheme_nodes) == len(graph.relations), path


def same_text(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


def check_shown(graph: ArgumentGraph) -> str:
    """All that OVA3 has a place for is on its screen; the text there."""
    document = aifgraph.to_dict(graph, format="ova3")
    nodes = {str(node["nodeID"]) for node in document["AIF"]["nodes"]}  # 457-470
    assert nodes == {node.id for node in graph}
    assert document["OVA"]["nodes"]  # 501: reduce fails without any
    assert {str(box["nodeID"]) for box in document["OVA"]["nodes"] if [int(box["x"]), int(box["y"])]} >= nodes
    lines = {(str(line["fromID"]), str(line["toID"])) for line in document["OVA"]["edges"]}  # 525-538
    assert {line for line in lines if {*line} <= nodes} == {edge[:2] for edge in graph.edges}
    schemes = {str(entry["nodeID"]): entry["schemeID"] for entry in document["AIF"]["schemefulfillments"]}  # 476-481
    for node in graph:
        assert not node.schemes or schemes.get(node.id) in {scheme.id for scheme in node.schemes}
    text = document["text"]["txt"] if isinstance(document["text"], dict) else document["text"]  # 437-443
    page = Markup(text.replace("\n", " "))  # to HTML a line break is a blank
    # ova-init.js, 775: document.getElementById finds the first of several.
    marks = {name: page.plain[start:end] for name, start, end in sorted(page.marks, key=lambda mark: -mark[1])}
    spans = graph.meta.source.spans if graph.meta.source else ()
    places = {span.node_id: (span.start, span.end) for span in reversed(spans) if span.node_id in graph}
    assert same_text(page.plain, graph.text)
    assert {id_ for id_ in nodes if f"node{id_}" in marks} == places.keys()
    if not any(a < c < b < d for a, b in places.values() for c, d in places.values()):  # none cross
        for id_, (start, end) in places.items():
            assert same_text(marks[f"node{id_}"], graph.text[start:end])
    return page.plain


@pytest.mark.parametrize("id_", ["1", "12_163"])
@pytest.mark.parametrize("mark", ['<span id="{}">', "<span class=x id='node{}'>", "<span id={} >"])
def test_a_mark_is_where_it_is_looked_up(id_: str, mark: str) -> None:
    build = GraphBuilder()
    build.proposition("Masks help", id=id_)
    build.source(SourceText.from_html(f"Ann:\n{mark.format(id_)}Masks help</span> & more\nline"))
    assert {span.node_id for span in build.graph().meta.source.spans} == {id_}
    assert check_shown(build.graph()) == "Ann:\nMasks help & more\nline"


def test_circles_and_added_nodes_get_places_too() -> None:
    nodes = [{"nodeID": id_, "text": id_, "type": "I" if id_ < "c" else "RA"} for id_ in "abcd"]
    edges = [{"fromID": one, "toID": other} for one, other in ("ac", "cb", "bd", "da")]
    document = {"AIF": {"nodes": nodes, "edges": edges}, "OVA": {"nodes": [{"nodeID": "a", "x": 60, "y": 60}]}}
    ova = aifgraph.to_dict(aifgraph.from_dict(document), format="ova3")["OVA"]
    assert len({(box["x"], box["y"]) for box in ova["nodes"]}) == 4
    assert ova["nodes"][0] == {"nodeID": "a", "x": 60, "y": 60}


def test_schemas_are_current(tmp_path: Path) -> None:
    if tuple(map(int, version("pydantic").split(".")[:2])) < (2, 12):
        pytest.skip("an older pydantic writes the same schema in other words")
    write_schemas(str(tmp_path))
    for file in tmp_path.iterdir():
        assert (ROOT / "schemas" / file.name).read_text("utf-8") == file.read_text("utf-8"), "run make schemas"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.fixture
def schema() -> dict[str, Any]:
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    validator.check_schema(AifDocument.model_json_schema())
    models = {"aif": AifDocument, "xaif": XaifDocument}
    return {name: validator(model.model_json_schema()) for name, model in models.items()}


def test_the_schema_takes_what_is_legal_only(schema: dict[str, Any]) -> None:
    for path in (FIXTURES / "rules").glob("*-legal.json"):
        schema["aif"].validate(json.loads(path.read_text("utf-8")))
    node = {"nodeID": "1", "type": "I", "text": "Masks help"}
    schema["aif"].validate({"nodes": [node, {**node, "type": "EN"}, {**node, "type": "RA", "text": ""}]})
    changed_ones = ({"type": ""}, {"type": "a type"}, {"type": None}, {"text": None}, {"nodeID": None})
    wrong = [{**node, **change} for change in changed_ones]
    wrong += [{key: value for key, value in node.items() if key != missing} for missing in node]
    assert not any(schema["aif"].is_valid({"nodes": [each]}) for each in wrong)


@pytest.mark.parametrize("name", ["aif", "xaif"])
def test_what_services_get_keeps_to_the_schemas(name: str, schema: dict[str, Any]) -> None:
    for path in (path for format in READ for path in files_of(format)):
        schema[name].validate(to_dict(load(path), format=name))


@pytest.mark.data
def test_real_maps_are_shown(shared_data: Path) -> None:
    for path in some_of(shared_files(shared_data), every=25):
        graph = aifgraph.load(path)
        if len(graph):
            check_shown(graph)
