"""The points where other converters go wrong: one test each, on the hand-made fixtures."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, GraphBuilder, dumps, load, loads
from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.files import Input
from aifgraph.formats.registry import codec
from aifgraph.graph import SourceText, Span
from formats.roundtrip import shared_files
from sampled import LONG, at_night, some_of


def ends(graph: ArgumentGraph, type_: str) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Premises and conclusions of the relations of a type, by id."""
    return {
        (tuple(node.id for node in graph.premises_of(each)), tuple(node.id for node in graph.conclusions_of(each)))
        for each in graph.relations
        if each.type == type_
    }


def test_aml_ca_is_convergent_la_is_linked(fixtures: Path) -> None:
    graph = load(fixtures / "aml" / "masks.aml")
    assert ends(graph, "RA") == {(("B",), ("A",)), (("F",), ("A",)), (("C", "D"), ("B",))}
    assert ends(graph, "CA") == {(("E",), ("A",))}


def test_aml_scheme_belongs_to_the_inference_whose_ends_share_its_number(fixtures: Path) -> None:
    graph = load(fixtures / "aml" / "masks.aml")
    named = {tuple(p.id for p in graph.premises_of(ra)): [s.id for s in ra.schemes] for ra in graph.inferences}
    assert named == {("B",): [], ("F",): [], ("C", "D"): ["15"]}
    assert graph["F"].record["missing"] is True
    assert graph["B"].record["owners"] == ["Ann"]


def test_aml_places_are_those_of_the_text(fixtures: Path) -> None:
    source = load(fixtures / "aml" / "masks.aml").meta.source
    assert source.spans is not None
    assert {span.node_id: source.text[span.start : span.end] for span in source.spans}["E"] == "glasses fog"


def test_brat_discontinuous_places_and_quotes(fixtures: Path) -> None:
    graph = load(fixtures / "brat" / "essay.ann")
    assert graph["T2"].text == "They filter what we breathe"
    assert graph["T3"].text == 'as experts "say"'
    source = graph.meta.source
    assert source.spans is not None
    places = [source.text[span.start : span.end] for span in source.spans if span.node_id == "T2"]
    assert places == ["They filter", "what we breathe"]


@pytest.mark.parametrize(
    ("major", "supports", "attacks", "rephrases"),
    [
        (
            "each",
            {("T3", "T2"), ("T2", "T1"), ("T2", "T5")},
            {("T4", "T2"), ("T4", "T1"), ("T4", "T5")},
            {("T5", "T1")},
        ),
        ("merge", {("T3", "T2"), ("T2", "T1")}, {("T4", "T2"), ("T4", "T1")}, set()),
        ("rephrase", {("T3", "T2"), ("T2", "T1")}, {("T4", "T2"), ("T4", "T1")}, {("T5", "T1")}),
        ("none", {("T3", "T2")}, {("T4", "T2")}, {("T5", "T1")}),
    ],
)
def test_brat_stances(
    fixtures: Path,
    major: str,
    supports: set[tuple[str, str]],
    attacks: set[tuple[str, str]],
    rephrases: set[tuple[str, str]],
) -> None:
    graph = load(fixtures / "brat" / "essay.ann", major=major)
    for type_, wanted in (("RA", supports), ("CA", attacks), ("MA", rephrases)):
        assert ends(graph, type_) == {((a,), (b,)) for a, b in wanted}


def test_kialo_see_is_an_edge_and_no_claim(fixtures: Path) -> None:
    graph = load(fixtures / "kialo" / "masks.txt")
    assert ends(graph, "CA") == {(("1.1.1",), ("1.1",)), (("1.2",), ("1",)), (("1.1.1",), ("1.2",))}
    assert (("1.2",), ("2",)) in ends(graph, "RA")
    assert graph["1.1.1"].text == "Only *good* masks (FFP2) do.\nThey are not the rule."
    assert graph["1.1"].text == "They filter what we breathe (a study says so)."
    assert graph["1.1"].record["links"] == ["https://example.org/a_(1)"]
    assert graph["1.3"].text == "3.5. of people agree."
    assert [notice.code for notice in graph.notices] == ["stance-missing"]


def test_argdown_json_entails_is_strict_support(fixtures: Path) -> None:
    graph = load(fixtures / "argdown-json" / "masks.json")
    strict = [ra for ra in graph.inferences if ra.record.get("strict")]
    assert [(graph.premises_of(ra)[0].id, graph.conclusions_of(ra)[0].id) for ra in strict] == [("Lee", "Knows")]
    assert {(("Masks",), ("Free",)), (("Free",), ("Masks",))} <= ends(graph, "CA")
    assert (("Paid",), ("Experts",)) in ends(graph, "CA")


def test_sadface_conflict_is_a_conflict_and_the_text_keeps_its_places(fixtures: Path) -> None:
    old, new = (load(fixtures / "sadface" / f"{version}.json") for version in ("v02", "v05"))
    assert [node.type for node in old.relations] == ["RA", "CA", "RA"]
    assert [node.type for node in new.relations] == ["RA", "CA"]
    assert new.inferences[0].schemes[0].id == "30"
    assert len(old.meta.source.spans or ()) == 2
    top = loads(
        '{"analyst_name": "A", "nodes": [{"id": "1", "type": "atom", "text": "x"}], "edges": [], "resources": []}'
    )
    assert (top.meta.form, top.meta.aif["sadface"]["analyst_name"]) == ("sadface", "A")


def test_aifdb_drawings_are_read_by_colour_and_label(fixtures: Path) -> None:
    drawn = load(fixtures / "graphml" / "aifdb.graphml")
    assert {node.id: node.type for node in drawn} == {"21": "I", "22": "CA", "23": "I", "24": "YA", "25": "L"}
    assert drawn["21"].text == "Masks help & protect"


def test_ova_keeps_layout_descriptors_and_people(fixtures: Path) -> None:
    new = load(fixtures / "ova3" / "masks.json")
    assert new.others[0].type == "EN"
    assert loads(dumps(new, format="ova3")) == new


def test_ova3_gets_a_place_for_every_node(fixtures: Path) -> None:
    graph = load(fixtures / "aif" / "masks.json")
    written = codec("ova3").write(graph)
    ova = json.loads(written.text)["OVA"]
    place = {node["nodeID"]: (node["x"], node["y"]) for node in ova["nodes"]}
    assert len(set(place.values())) == len(place) == len(graph)
    for edge in graph.edges:  # what supports is below what it supports
        assert place[edge.source][1] > place[edge.target][1]
    assert len(ova["edges"]) == len(graph.edges)


def test_circles_and_added_nodes_get_places_too(fixtures: Path) -> None:
    nodes = [{"nodeID": id_, "text": id_, "type": "I" if id_ < "c" else "RA"} for id_ in "abcd"]
    edges = [{"fromID": one, "toID": other} for one, other in ("ac", "cb", "bd", "da")]
    document = {"AIF": {"nodes": nodes, "edges": edges}, "OVA": {"nodes": [{"nodeID": "a", "x": 60, "y": 60}]}}
    graph = loads(json.dumps(document))
    written = codec("ova3").write(graph)
    ova = json.loads(written.text)["OVA"]
    assert len({(node["x"], node["y"]) for node in ova["nodes"]}) == 4
    assert ova["nodes"][0] == {"nodeID": "a", "x": 60, "y": 60}


def test_a_marked_text_gives_brat_its_places() -> None:
    build = GraphBuilder()
    build.proposition("Masks help", id="7")
    build.source(SourceText('Ann: <span id="node7">Masks help</span> &amp; so on'))
    written = codec("brat").write(build.graph())
    assert written.text.splitlines()[0] == "T1\tProposition 5 15\tMasks help"
    assert written.siblings[".txt"] == "Ann: Masks help & so on"


def test_brat_keeps_a_text_that_is_not_that_of_its_place() -> None:
    build = GraphBuilder()
    build.proposition("Masks help people", id="T1")
    build.source(SourceText("They do help.", spans=(Span("T1", 0, 12),)))
    written = codec("brat").write(build.graph())
    siblings = {suffix: text.encode() for suffix, text in written.siblings.items()}
    back = codec("brat").read(Input("a.ann", written.text.encode(), ".ann", siblings.get))
    assert back["T1"].text == "Masks help people"


SADFACES: list[dict[str, Any]] = [
    {"metadata": {"core": {"title": "t", "version": 5}, "x": 1, "mine": {"a": 1}}, "resources": [5]},
    {"analyst_name": "A", "resources": []},
    {"metadata": ["x"], "resources": []},
    {"resources": []},
]


@pytest.mark.parametrize("rest", SADFACES)
def test_sadface_finds_what_is_written_valid(rest: dict[str, Any]) -> None:
    validation = pytest.importorskip("sadface").validation
    nodes = [
        {"id": "a", "type": "atom", "text": "Masks help", "sources": [], "metadata": {"colour": {"is": "red"}}},
        {"id": "b", "type": "inference", "name": "Argument from Sign", "metadata": {"core": {}}},
    ]
    edges = [{"id": "e", "source_id": "a", "target_id": "b", "metadata": {}}]
    graph = loads(json.dumps({"nodes": nodes, "edges": edges, **rest}), format="sadface")
    text = dumps(graph)
    assert validation.verify(json.loads(text)) == (True, [])
    back = loads(text, format="sadface")
    assert back == graph
    assert [edge.id for edge in back.edges] == ["e"]
    assert {**rest, "resources": back.meta.aif["sadface"]["resources"]} == back.meta.aif["sadface"]
    assert back["b"].record == graph["b"].record


@pytest.mark.data
def test_sadface_takes_real_maps(shared_data: Path) -> None:
    sadface = pytest.importorskip("sadface")
    for path in some_of(shared_files(shared_data), every=25):
        graph = load(path)
        document = json.loads(dumps(graph, format="sadface"))
        assert sadface.validation.verify(document) == (True, []), path
        sadface.sadface.sd = document
        atoms = {atom["text"] for atom in sadface.sadface.list_atoms()}
        assert atoms == {node.text for node in graph.propositions}, path


def test_entities_are_refused_and_nothing_is_fetched(fixtures: Path) -> None:
    for name in ("bomb.aml", "external.xml", "parameter.graphml"):
        with pytest.raises(LimitError, match="entities"):
            load(fixtures / "hostile" / name)


def test_errors_of_xml_name_the_line(fixtures: Path) -> None:
    with pytest.raises(FormatError, match=r"truncated\.xml, line \d+"):
        load(fixtures / "hostile" / "truncated.xml")


@pytest.mark.parametrize(
    ("file", "real", "promised"), [("json-inside.xml", "aif", "microtexts"), ("xml-inside.jsonl", "aml", "jsonl")]
)
def test_content_counts_more_than_the_suffix(fixtures: Path, file: str, real: str, promised: str) -> None:
    path = fixtures / "mislabelled" / file
    assert load(path).meta.form == real
    with pytest.raises(FormatError, match=file):
        load(path, format=promised)


@pytest.mark.slow
@at_night
@pytest.mark.parametrize(("opening", "name"), [(b"<AU>", "aml"), (b'{"a":', "xaif"), (b"[", "aif")])
def test_a_hundred_megabytes_of_nesting(opening: bytes, name: str) -> None:
    start = {"aml": b"<ARG>"}.get(name, b"")
    data = start + opening * (100_000_000 // len(opening))
    with pytest.raises((LimitError, FormatError)):
        codec(name).read(Input("deep", data))


ENDLESS = [
    b" ",
    b"\n",
    b"<!--x-->",
    b"<!--",
    b"/*",
    b"//\n",
    b"-",
    b"#(",
    b"{",
    b"<span ",
    b"\t",
    b"(1) ",
    b"[a]\n\n",
    b"\\",
    b"::",
]


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize("piece", ENDLESS, ids=repr)
def test_long_repetitions_take_no_long_time(piece: bytes) -> None:
    import time

    length = 60_000 if LONG else 20_000
    start = time.process_time()
    for name in ("microtexts", "aml", "graphml", "brat", "kialo", "sadface", "argdown-json"):
        for head in (b"", b"A1\tStance T1 ", b"[a]: ", b"(1) [a]\n-", b"Discussion Title: x\n1. y "):
            data = head + piece * (length // len(piece)) + b"x"
            codec(name).sniff(Input("long", data, codec(name).suffixes[0]))
            try:
                codec(name).read(Input("long", data))
            except (FormatError, LimitError):
                continue
    assert time.process_time() - start < length / 3000


def test_half_surrogates_are_kept_in_json_and_replaced_elsewhere(tmp_path: Path) -> None:
    from aifgraph import dump

    graph = loads('{"nodes": [{"nodeID": "1", "text": "half \\ud83d", "type": "I"}], "edges": []}')
    dump(graph, tmp_path / "map.mmd")
    assert "half \ufffd" in (tmp_path / "map.mmd").read_text("utf-8")
    for name in ("aif", "xaif", "sadface"):
        dump(graph, tmp_path / "map.json", format=name)
        assert load(tmp_path / "map.json")["1"].text == graph["1"].text


def test_numbers_of_thousands_of_digits() -> None:
    digits = "9" * 6000
    with contextlib.suppress(FormatError, LimitError):
        loads(f"T1\tClaim {digits} {digits}\ta", format="brat")
