"""AIF JSON and xAIF: every quirk that tools emit is read and written back; what is broken gets one clear line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.errors import FormatError, InputError, LimitError, NotFoundError

I1 = {"nodeID": "1", "text": "Masks help", "type": "I"}
I2 = {"nodeID": "2", "text": "They filter", "type": "I"}
RA = {"nodeID": "3", "text": "Default Inference", "type": "RA"}
IN = {"edgeID": "10", "fromID": "2", "toID": "3", "formEdgeID": None}
OUT = {"edgeID": "11", "fromID": "3", "toID": "1", "formEdgeID": None}


def aif(nodes: list[Any], edges: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"nodes": nodes, "edges": edges or [], "locutions": [], **more}


def sections(nodes: list[Any], **more: Any) -> dict[str, Any]:
    others = ("schemefulfillments", "descriptorfulfillments", "participants")
    return aif(nodes, **{section: [] for section in others}, **more)


def read(document: Any) -> aifgraph.ArgumentGraph:
    return aifgraph.loads(document if isinstance(document, str | bytes) else json.dumps(document))


def codes(graph: aifgraph.ArgumentGraph) -> list[str]:
    return [notice.code for notice in graph.notices]


QUIRKS: dict[str, dict[str, Any]] = {
    "plain": aif([I1, I2, RA], [IN, OUT]),
    "integer ids from 0": aif(
        [{"nodeID": 0, "text": "a", "type": "I"}, {"nodeID": 1, "text": "b", "type": "RA"}],
        [{"edgeID": 0, "fromID": 0, "toID": 1}],
    ),
    "ids of a session": aif([{**I1, "nodeID": "7_1633958932447622334"}]),
    "entities": aif([{**I1, "text": "a &amp; b &lt;i&gt; &#8217;s & c"}]),
    "mojibake": aif([{**I1, "text": "donâ€™t"}]),
    "scheme on the node": aif([{**RA, "scheme": "Expert Opinion", "schemeID": "15"}]),
    "a node once per scheme": aif([{**RA, "scheme": "Example", "schemeID": "14"}, {**RA, "schemeID": "15"}, I1]),
    "unknown fields": aif([{**I1, "x": 3, "visible": True, "note": {"by": ["me"]}}], extra={"a": [1]}),
    "times": aif([{**I1, "timestamp": "2019-03-06 14:31:23"}]),
    "lower case type": aif([{**I1, "type": "i"}]),
    "type of OVA3": aif([I1, {"nodeID": "9", "text": "hidden", "type": "EN"}]),
    "records": aif(
        [{"nodeID": "5", "text": "Ann: no", "type": "L"}],
        locutions=[
            {"nodeID": "5", "personID": 3, "start": 1633958932, "end": None},
            {"nodeID": "5", "personID": 3, "timestamp": "2021-11-11T21:50:00", "source": "x"},
        ],
        participants=[{"participantID": 3, "firstname": "Ann", "surname": None}],
    ),
    "null sections": {"nodes": [I1], "edges": None, "locutions": None, "schemefulfillments": None},
    "upload form": aif([RA], schemefulfillments=[{"nodeID": "3", "schemeID": "72"}], participants=[]),
    "repeated node": aif([I1, {**I1, "text": "other"}, I2]),
    "repeated edge": aif([I1, I2, RA], [IN, IN, OUT]),
    "dangling edge": aif([I1, I2, RA], [IN, {"edgeID": "5", "fromID": "1", "toID": "99"}, OUT]),
    "loop": aif([I1], [{"edgeID": "5", "fromID": "1", "toID": "1"}]),
    "null text": aif([{**I1, "text": None}]),
    "missing text": aif([{"nodeID": "1", "type": "I"}]),
    "no edges key": {"nodes": [I1]},
    "empty": aif([]),
    "xaif": {"AIF": sections([I1]), "text": "Masks help.", "dialog": True, "OVA": []},
    "xaif, text an object": {
        "AIF": sections([I1]),
        "text": {"txt": "Masks help.", "url": "x"},
        "dialog": {},
        "OVA": {},
    },
    "ova3": {
        "AIF": sections([I1], cqdescriptorfulfillments=[]),
        "OVA": {"nodes": [{"nodeID": "1", "x": 1, "y": 2}], "edges": []},
        "text": "<br>Masks",
    },
}


#: Entries that are no part of a graph, which is not written with them again; and a scheme that gets its name.
LEFT_OUT = ("a node once per scheme", "repeated node", "repeated edge", "dangling edge", "loop")


@pytest.mark.parametrize("name", [name for name in QUIRKS if name not in LEFT_OUT])
def test_what_is_read_is_written_back(name: str) -> None:
    assert json.loads(aifgraph.dumps(read(QUIRKS[name]))) == QUIRKS[name]


def test_broken_entries_are_not_written_again() -> None:
    for name in LEFT_OUT[1:]:
        graph = read(QUIRKS[name])
        assert graph.notices
        again = read(aifgraph.dumps(graph))
        assert not again.notices
        assert again == graph
    written = json.loads(aifgraph.dumps(read(QUIRKS["dangling edge"])))
    assert written == aif([I1, I2, RA], [IN, OUT])
    once_each = json.loads(aifgraph.dumps(read(QUIRKS["a node once per scheme"])))["nodes"]
    assert [node["nodeID"] for node in once_each] == ["3", "3", "1"]


@pytest.mark.parametrize("name", QUIRKS)
def test_reading_twice_gives_the_same(name: str) -> None:
    graph = read(QUIRKS[name])
    assert read(aifgraph.dumps(graph)) == graph


def test_ids_are_strings() -> None:
    graph = read(QUIRKS["integer ids from 0"])
    assert [node.id for node in graph] == ["0", "1"]
    assert graph["0"].text == "a"
    assert [(edge.source, edge.target) for edge in graph.edges] == [("0", "1")]


def test_entities_are_decoded_and_mojibake_is_not() -> None:
    assert read(QUIRKS["entities"])["1"].text == "a & b <i> ’s & c"
    assert read(QUIRKS["mojibake"])["1"].text == "donâ€™t"


def test_schemes_are_collected() -> None:
    graph = read(QUIRKS["a node once per scheme"])
    assert [scheme.id for scheme in graph["3"].schemes] == ["14", "15"]
    assert graph["3"].schemes[1].name == "ExpertOpinion"  # from AIFdb's catalogue
    assert codes(graph) == []
    assert read(QUIRKS["upload form"])["3"].schemes[0].name


def test_source_texts() -> None:
    for name, text in [("xaif", "Masks help."), ("xaif, text an object", "Masks help."), ("ova3", "<br>Masks")]:
        source = read(QUIRKS[name]).meta.source
        assert (source.text, source.origin) == (text, "embedded")


@pytest.mark.parametrize(
    ("name", "code", "node"),
    [
        ("repeated node", "node-repeated", "1"),
        ("repeated edge", "edge-repeated", "2"),
        ("dangling edge", "edge-dangling", "99"),
        ("loop", "edge-loop", "1"),
        ("null text", "text-missing", "1"),
        ("missing text", "text-missing", "1"),
        ("type of OVA3", "type-unknown", "9"),
    ],
)
def test_each_mend_is_one_warning_that_names_the_id(name: str, code: str, node: str) -> None:
    graph = read(QUIRKS[name])
    assert codes(graph) == [code]
    assert node in graph.notices[0].message
    assert node in graph.notices[0].nodes


def test_what_mending_gives() -> None:
    assert read(QUIRKS["repeated node"])["1"].text == "Masks help"
    assert len(read(QUIRKS["repeated edge"]).edges) == 2
    assert len(read(QUIRKS["dangling edge"]).edges) == 2
    assert read(QUIRKS["loop"]).edges == ()
    assert read(QUIRKS["null text"])["1"].text == ""


def test_text_in_front_of_the_brace_and_byte_order_marks() -> None:
    text = json.dumps(QUIRKS["plain"])
    plain = read(text)
    for spelling in (f"\n Warning: mysql_connect() in x.php\n{text}", f"\ufeff{text}", text.encode("utf-8-sig")):
        assert read(spelling) == plain


def test_all_the_ways_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nodeset1.json"
    path.write_text(json.dumps(QUIRKS["plain"]), encoding="utf-8")
    plain = aifgraph.load(path)
    assert aifgraph.load(str(path)) == plain
    with path.open() as text, path.open("rb") as binary:
        assert aifgraph.load(text) == aifgraph.load(binary) == plain
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes()), "utf-8"))
    assert aifgraph.load("-") == plain


def test_the_text_beside(tmp_path: Path) -> None:
    path = tmp_path / "nodeset1.json"
    path.write_text(json.dumps(QUIRKS["plain"]), encoding="utf-8")
    path.with_suffix(".txt").write_text("Masks <b>help</b>", encoding="utf-8")
    graph = aifgraph.load(path)
    assert (graph.meta.source.text, graph.meta.source.origin) == ("Masks <b>help</b>", "given")
    copy = tmp_path / "copy.json"
    aifgraph.dump(graph, copy)
    assert copy.with_suffix(".txt").read_text("utf-8") == "Masks <b>help</b>"
    assert aifgraph.load(copy) == graph
    path.with_suffix(".txt").write_bytes("Café".encode("cp1252"))
    graph = aifgraph.load(path)
    assert graph.meta.source.text == "Café"
    assert codes(graph) == ["text-encoding"]


BAD: dict[str, tuple[str | bytes, type[InputError], str]] = {
    "not JSON": ("nodes: []", FormatError, "line 1"),
    "truncated": ('{"nodes": [\n{"nodeID": "1", "ty', FormatError, "line 2"),
    "a list": ("[1, 2]", FormatError, "a list"),
    "a number": ("17", FormatError, "a number"),
    "a string": ('"nodes"', FormatError, "a string"),
    "another object": ('{"a": 1}', FormatError, "nodes"),
    "nodes not a list": ('{"nodes": {"1": "I"}, "edges": []}', FormatError, "an object"),
    "edges not a list": ('{"nodes": [], "edges": 3}', FormatError, "edges"),
    "a node that is a string": ('{"nodes": ["1"], "edges": []}', FormatError, "nodes[0]"),
    "a node without id": (json.dumps(aif([I1, {"type": "I", "text": "a"}])), FormatError, "nodes[1]"),
    "a node without type": (json.dumps(aif([{"nodeID": "7", "text": "a"}])), FormatError, "node 7"),
    "an id that is a list": (json.dumps(aif([{**I1, "nodeID": []}])), FormatError, "nodes[0]"),
    "a type that is a number": (json.dumps(aif([{**I1, "type": 3}])), FormatError, "node 1"),
    "a text that is a number": (json.dumps(aif([{**I1, "text": 5}])), FormatError, "node 1"),
    "an edge that is a number": ('{"nodes": [], "edges": [3]}', FormatError, "edges[0]"),
    "nested too deeply": ('{"nodes": ' + "[" * 100_000, LimitError, "deep"),
    "nested in xAIF": ('{"AIF": {"nodes": [], "x": ' + "[" * 100_000 + "]" * 100_000 + "}}", LimitError, "deep"),
    "empty": ("", FormatError, "empty"),
    "only white space": (" \n\n", FormatError, "empty"),
    "a web page": ("<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>", FormatError, "HTML"),
    "the server's answer": ("No such nodeset", FormatError, "No such nodeset"),
    "binary": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", FormatError, "binary"),
    "other encoding": ('{"nodes": [{"text": "é"}]}'.encode("latin-1"), FormatError, "UTF-8"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_one_line_with_file_and_place(name: str, tmp_path: Path) -> None:
    content, kind, place = BAD[name]
    path = tmp_path / "map.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(kind) as caught:
        aifgraph.load(path)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    assert message.startswith(str(path))
    assert place in message


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"nothing\.json: no such file"):
        aifgraph.load(tmp_path / "nothing.json")
    with pytest.raises(InputError, match="a folder where a file is needed"):
        aifgraph.load(tmp_path)
    with pytest.raises(InputError):
        aifgraph.dump(read(QUIRKS["plain"]), tmp_path / "no" / "such" / "folder.json")


def test_a_section_that_is_emptied_stays() -> None:
    """Other programs look all of them up."""
    build = aifgraph.GraphBuilder(read(QUIRKS["records"]))
    build.remove("5")
    written = json.loads(aifgraph.dumps(build.graph()))
    assert written["nodes"] == written["edges"] == written["locutions"] == []
    build = aifgraph.GraphBuilder(read(aif([I1, I2, RA], [IN, OUT])))
    build.remove("3")
    assert json.loads(aifgraph.dumps(build.graph()))["edges"] == []
