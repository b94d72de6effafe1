"""AIF JSON and xAIF: every quirk that tools emit is read; what is written other programs can count on."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph import ArgumentGraph, FormatError, GraphBuilder, LimitError, dumps, loads
from aifgraph.errors import InputError
from aifgraph.formats import FORMATS
from aifgraph.graph import Scheme, SourceText, Span
from formats.roundtrip import READ, changed, codes, files_of

I1 = {"nodeID": "1", "text": "Masks help", "type": "I"}
I2 = {"nodeID": "2", "text": "They filter", "type": "I"}
RA = {"nodeID": "3", "text": "Default Inference", "type": "RA"}
IN = {"edgeID": "10", "fromID": "2", "toID": "3"}
OUT = {"edgeID": "11", "fromID": "3", "toID": "1"}


def aif(nodes: list[Any], edges: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"nodes": nodes, "edges": edges or [], "locutions": [], **more}


def sections(nodes: list[Any], **more: Any) -> dict[str, Any]:
    return aif(nodes, schemefulfillments=[], descriptorfulfillments=[], participants=[], **more)


def read(document: Any) -> ArgumentGraph:
    return loads(document if isinstance(document, str | bytes) else json.dumps(document))


#: What is written as it was read.
QUIRKS: dict[str, dict[str, Any]] = {
    "plain": aif([I1, I2, RA], [IN, OUT]),
    "integer ids from 0": aif(
        [{**I1, "nodeID": 0}, {**RA, "nodeID": 1}], [{**IN, "edgeID": 0, "fromID": 0, "toID": 1}]
    ),
    "ids of a session": aif([{**I1, "nodeID": "7_1633958932447622334"}]),
    "mojibake": aif([{**I1, "text": "donâ€™t"}]),
    "scheme on the node": aif([{**RA, "scheme": "Expert Opinion", "schemeID": "15"}]),
    "unknown fields": aif([{**I1, "x": 3, "visible": True, "note": {"by": ["me"]}}], extra={"a": [1]}),
    "type of OVA3": aif([I1, {"nodeID": "9", "text": "hidden", "type": "EN"}]),
    "records": aif(
        [{"nodeID": "5", "text": "Ann: no", "type": "L"}],
        locutions=[
            {"nodeID": "5", "personID": "3", "start": "1633958932", "source": "x"},
            {"nodeID": "5", "timestamp": "2021-11-11", "end": "y"},
        ],
        participants=[{"participantID": "3", "firstname": "Ann", "surname": "Lee", "mood": "good"}],
    ),
    "empty": aif([]),
    "xaif": {"AIF": sections([I1]), "text": "Masks help.", "dialog": True, "OVA": {}},
    "xaif, text an object": {"AIF": sections([I1]), "text": {"txt": "Masks.", "url": "x"}, "dialog": {}, "OVA": {}},
}


@pytest.mark.parametrize("name", QUIRKS)
def test_what_is_read_is_written_back(name: str) -> None:
    assert json.loads(dumps(read(QUIRKS[name]))) == QUIRKS[name]


EXAMPLE, EXPERT = {"scheme": "Example", "schemeID": "14"}, {"schemeID": "15"}
#: What is read otherwise than it stands; as what it is read; and the notices with the node that they name.
MENDED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "entities": (
        aif([{**I1, "text": "a &amp; b &lt;i&gt; &#8217;s & c"}]),
        aif([{**I1, "text": "a & b <i> ’s & c"}]),
        "references-decoded 1",
    ),
    "lower case, and the ontology's names": (
        aif([{**I1, "type": "i"}, {**I2, "type": "I-node"}, {**RA, "type": "RA-node"}], [IN, OUT]),
        aif([I1, I2, RA], [IN, OUT]),
        "",
    ),
    "a node once per scheme": (
        aif([{**RA, **EXAMPLE}, {**RA, **EXPERT}, I1]),
        aif([RA, I1], schemefulfillments=[{"nodeID": "3", **EXAMPLE}, {"nodeID": "3", **EXPERT}]),
        "",
    ),
    "upload form": (
        aif([RA], schemefulfillments=[{"nodeID": "3", "schemeID": "72"}], participants=[]),
        aif([{**RA, "schemeID": "72"}]),
        "",
    ),
    "null sections": ({"nodes": [I1], "edges": None, "locutions": None, "schemefulfillments": None}, aif([I1]), ""),
    "repeated node": (aif([I1, {**I1, "text": "other"}, I2]), aif([I1, I2]), "node-repeated 1"),
    "repeated edge": (aif([I1, I2, RA], [IN, IN, OUT]), aif([I1, I2, RA], [IN, OUT]), "edge-repeated 2"),
    "dangling edge": (aif([I1], [{"edgeID": "5", "fromID": "1", "toID": "99"}]), aif([I1]), "edge-dangling 99"),
    "edges without ends": (aif([I1, RA], [{"source": "1", "target": "3"}]), aif([I1, RA]), "edge-dangling "),
    "loop": (aif([I1], [{"fromID": "1", "toID": "1"}]), aif([I1]), "edge-loop 1"),
    "null text": (aif([{**I1, "text": None}]), aif([{**I1, "text": ""}]), "text-missing 1"),
    "no number of JSON": (aif([{**I1, "w": float("nan")}]), aif([{**I1, "w": None}]), "number-missing "),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_is_mended_and_what_is_said_of_it(name: str) -> None:
    document, meant, said = MENDED[name]
    graph = read(document)
    assert graph == read(meant)
    code, _, node = said.partition(" ")
    assert codes(graph) == [code] * bool(said)
    assert all(not node or node in notice.nodes for notice in graph.notices)
    again = read(dumps(graph))
    assert again == graph
    assert again.notices == ()  # broken entries are not written again
    if said and name != "entities":
        with pytest.raises(FormatError):
            loads(json.dumps(document), strict=True)


def test_no_two_nodes_or_edges_have_one_id() -> None:
    schemes = [Scheme("15", "ExpertOpinion"), Scheme("14", "Example"), Scheme(None, "mine"), Scheme("15", "renamed")]
    build = GraphBuilder()
    why = build.node("RA", "", schemes=schemes)
    for text in ("A", "B"):
        build.edge(build.proposition(text), why, id="e")
    for format in ("aif", "xaif"):
        document = aifgraph.to_dict(build.graph(), format=format)
        map_ = document.get("AIF", document)
        for section, key in (("nodes", "nodeID"), ("edges", "edgeID")):
            ids = [entry[key] for entry in map_[section]]
            assert len({*ids}) == len(ids)
        assert aifgraph.from_dict(document) == build.graph()


def test_fields_that_are_called_as_those_of_aif_do_not_replace_them() -> None:
    extra = {"nodeID": 7, "text": "x", "fromID": "q", "aifgraphID": "z", "confidence": 0.9}
    build = GraphBuilder()
    claim, reason = (build.proposition(text, extra=extra) for text in ("A", "B"))
    build.edge(reason, claim, extra=extra)
    build.participant("None", "Lee", extra=extra)
    graph = build.graph()
    for format in ("aif", "xaif", "ova3", "turtle"):
        assert loads(dumps(graph, format=format)) == graph
    assert aifgraph.to_dict(graph)["AIF"]["nodes"][0]["confidence"] == 0.9
    assert aifgraph.to_dict(graph)["AIF"]["nodes"][0]["nodeID"] == claim


BAD: dict[str, tuple[str | bytes, type[InputError]]] = {
    "not JSON": ("nodes: []", FormatError),
    "a list": ("[1, 2]", FormatError),
    "another object": ('{"a": 1}', FormatError),
    "edges not a list": ('{"nodes": [], "edges": 3}', FormatError),
    "a node that is a string": ('{"nodes": ["1"], "edges": []}', FormatError),
    "a node without id": (json.dumps(aif([I1, {"type": "I", "text": "a"}])), FormatError),
    "a node without type": (json.dumps(aif([{"nodeID": "7", "text": "a"}])), FormatError),
    "an id that is a list": (json.dumps(aif([{**I1, "nodeID": []}])), FormatError),
    "a text that is a number": (json.dumps(aif([{**I1, "text": 5}])), FormatError),
    "nested too deeply": ('{"nodes": ' + "[" * 100_000, LimitError),
    "nested in xAIF": ('{"AIF": {"nodes": [], "x": ' + "[" * 100_000 + "]" * 100_000 + "}}", LimitError),
    "empty": ("", FormatError),
    "binary": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", FormatError),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_one_line_with_the_file(name: str, tmp_path: Path) -> None:
    content, kind = BAD[name]
    path = tmp_path / "map.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    for format in (None, "aif", "xaif"):
        with pytest.raises(kind) as caught:
            aifgraph.load(path, format=format)
        message = str(caught.value)
        assert "\n" not in message
        assert len(message) < 400
        assert message.startswith(str(path))


def test_text_in_front_of_the_brace_and_byte_order_marks() -> None:
    text = json.dumps(QUIRKS["plain"])
    for spelling in (f"\n Warning: mysql_connect() in x.php\n{text}", f"\ufeff{text}", text.encode("utf-8-sig")):
        assert read(spelling) == read(text)
    assert loads(f"<br />\n<b>Warning</b>: x.php\n{text}", name="map.json") == read(text)


MAP = {"nodes": [{"nodeID": 1, "type": "I", "text": "Masks help"}], "edges": []}


@pytest.mark.parametrize(
    ("document", "code", "nodes"),
    [
        ({"aif": MAP, "text": "Masks help"}, "xaif-key", 1),
        ({"AIF": {"edges": [], "locutions": []}, "text": "Masks help"}, "xaif-nodes", 0),
        ({"AIF": {"nodes": None, "edges": []}, "text": "Masks help"}, "xaif-nodes", 0),
        ({"AIF": json.dumps(MAP), "text": "Masks help"}, "xaif-string", 1),
        (json.dumps({"AIF": MAP, "text": "Masks help"}), "xaif-string", 1),
    ],
)
def test_shapes_that_services_emit_are_read_with_a_notice(document: Any, code: str, nodes: int) -> None:
    graph = loads(json.dumps(document))
    assert (graph.meta.form, len(graph), graph.text) == ("xaif", nodes, "Masks help")
    assert code in codes(graph)
    assert aifgraph.to_dict(graph)["AIF"].keys() >= {"nodes", "edges", "locutions", "participants"}
    assert len(loads(json.dumps({"aif": MAP}))) == 1


def check(graph: ArgumentGraph) -> None:
    """Lists are there, ids of one type in a file, and ends of edges exactly as the nodes have them."""
    for writer in ("aif", "ova3", "xaif"):
        document = json.loads(FORMATS[writer].serialize(graph).text)
        aif = document.get("AIF", document)
        assert all(isinstance(aif[section], list) for section in ("nodes", "edges", "locutions"))
        ids = {
            section: [entry[field] for entry in aif.get(section, ())]
            for section, field in (("nodes", "nodeID"), ("edges", "edgeID"), ("participants", "participantID"))
        }
        assert all(len(set(map(type, listed))) <= 1 for listed in ids.values()), writer
        nodes = set(ids["nodes"])
        ova = document.get("OVA") or {}
        assert all({edge["fromID"], edge["toID"]} <= nodes for edge in aif["edges"]), writer
        assert {box["nodeID"] for box in ova.get("nodes", [])} <= nodes or writer != "ova3"
        spelt = {str(id_): id_ for id_ in nodes}
        for entry in (*aif["locutions"], *aif.get("schemefulfillments", ())):  # others are of nodes that are not there
            assert entry["nodeID"] == spelt.get(str(entry["nodeID"]), entry["nodeID"]), writer
        if writer == "xaif":  # a service finds a free id by counting
            counted = [str(id_).partition("_") for id_ in nodes]
            assert all(number.isdigit() for number, *_ in counted), nodes
            assert len({session for _, _, session in counted}) <= 1


@pytest.mark.parametrize("name", READ)
def test_fixtures_are_written_so(name: str) -> None:
    for path in files_of(name):
        check(aifgraph.load(path))
        check(changed(aifgraph.load(path)))


IDS = st.sampled_from([0, 1, 7, 12, -3, 5.0, "1", "7", "08", "12", "a1", "4_163", "é"])


@given(st.lists(IDS, min_size=1, max_size=6), st.lists(st.tuples(IDS, IDS, IDS | st.none()), max_size=5), st.data())
def test_mixed_ids(nodes: list[Any], edges: list[tuple[Any, Any, Any]], data: st.DataObject) -> None:
    document = {
        "nodes": [{"nodeID": id_, "type": data.draw(st.sampled_from(["I", "L", "RA"])), "text": "a"} for id_ in nodes],
        "edges": [{"fromID": source, "toID": target, "edgeID": id_} for source, target, id_ in edges],
        "locutions": [{"nodeID": data.draw(IDS), "personID": data.draw(IDS)} for _ in range(2)],
        "participants": [{"participantID": data.draw(IDS), "firstname": "Ann", "surname": "Lee"}],
    }
    graph = aifgraph.from_dict(document)
    check(graph)
    check(changed(graph))
    for name in ("aif", "xaif", "ova3"):
        assert loads(dumps(graph, format=name)) == graph, name


@pytest.mark.parametrize(
    ("ids", "written"),
    [
        (["1", "2", "x"], ["1", "2", "3"]),
        (["007", "7"], ["8", "7"]),
        (["5_12", "x", "6_13"], ["5_12", "7_12", "6_13"]),
        (["9" * 6000, "1"], ["2", "1"]),
    ],
)
def test_ids_that_cannot_be_counted_get_another_and_are_kept(ids: list[str], written: list[str]) -> None:
    graph = aifgraph.from_dict({"nodes": [{**I1, "nodeID": id_} for id_ in ids], "edges": []})
    document = aifgraph.to_dict(graph, format="xaif")
    assert [node["nodeID"] for node in document["AIF"]["nodes"]] == written
    assert aifgraph.from_dict(document) == graph


def test_marks_and_other_lists_follow_their_nodes() -> None:
    build = GraphBuilder()
    build.node("RA", "Expert Opinion", id="c1", schemes="expert opinion")
    build.proposition("Masks", id="a1")
    build.source(SourceText("Masks!", spans=(Span("a1", 0, 5),)))
    graph = build.graph(
        aif={"descriptorfulfillments": [{"nodeID": "c1", "descriptorID": "45", "selectedID": "a1"}]},
        document={"OVA": {"nodes": [{"nodeID": "a1", "x": 1, "y": 2}], "edges": []}, "hypotheses": {"nodes": []}},
    )
    document = aifgraph.to_dict(graph)
    assert [node["nodeID"] for node in document["AIF"]["nodes"]] == ["1", "2"]
    assert document["AIF"]["descriptorfulfillments"] == [{"nodeID": "1", "descriptorID": "45", "selectedID": "2"}]
    assert document["AIF"]["schemefulfillments"] == [{"nodeID": "1", "schemeID": "15"}]
    assert document["OVA"]["nodes"][0]["nodeID"] == "2"
    assert document["text"] == '<span class="highlighted" id="node2">Masks</span>!'
    back = aifgraph.from_dict(document)
    assert back == graph
    assert back.meta.document["OVA"] == graph.meta.document["OVA"]


def test_claims_to_ids_that_clash_are_not_believed() -> None:
    nodes = [{"nodeID": number, "type": "I", "text": "a", "aifgraphID": "x"} for number in (1, 2)]
    graph = aifgraph.from_dict({"AIF": {"nodes": nodes, "edges": []}, "text": ""})
    assert [node.id for node in graph] == ["1", "2"]
    assert codes(graph) == ["ids-unclear"]
    nodes[1] = {"nodeID": "x", "type": "I", "text": "b"}
    assert [node.id for node in aifgraph.from_dict({"AIF": {"nodes": nodes}, "text": ""})] == ["1", "x"]
