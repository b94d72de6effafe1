from __future__ import annotations

import json
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import GraphBuilder, dumps, load, loads
from aifgraph.errors import FormatError, OptionError
from aifgraph.formats.files import Input
from aifgraph.formats.registry import codec, names
from aifgraph.graph import ArgumentGraph, Scheme, SourceText, Span
from aifgraph.interop.rdf import from_rdf, to_rdf
from aifgraph.interop.rdf.vocabulary import AIF, AIF_OLD, document

ROOT = Path(__file__).parents[2]
SYNTAXES = ("turtle", "rdfxml", "ntriples", "jsonld")


def debate() -> ArgumentGraph:
    """Every type of node and an undercut: I 1..3, L 4, 5, TA 6, YA 7..9, RA 10, CA 11, MA 12."""
    build = GraphBuilder(name="debate")
    ann = build.participant("Ann", "Lee")
    claim, reason, doubt = (build.proposition(text) for text in ("Masks help", "They filter", "Not always"))
    first = build.locution("Ann Lee: Masks help", speaker=ann, start="2024-05-01 10:00:00")
    second = build.locution("Bob: They filter")
    answer = build.transition(first, second)
    build.illocution(first, claim, "Asserting", schemes=[Scheme("74", "Asserting")])
    build.illocution(second, reason, "Asserting")
    act = build.node("YA", "Arguing")
    why = build.inference([reason], claim, "Expert Opinion", schemes=[Scheme("15", "ExpertOpinion")])
    build.edge(answer, act)
    build.edge(act, why)
    build.conflict(doubt, why)
    build.rephrase(reason, claim)
    return build.graph()


def ends(graph: ArgumentGraph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


def test_aifdb_writes_both_sides() -> None:
    rdf = to_rdf(debate(), "aifdb")
    aif, node = rdflib.Namespace(AIF), rdflib.Namespace("http://www.aifdb.org/nodes/")
    assert (node["2"], aif.Premise, node["10"]) in rdf
    assert (node["10"], aif.Premise, node["2"]) in rdf
    assert (node["9"], aif.Anchor, node["6"]) in rdf
    assert (node["6"], aif.Anchor, node["9"]) not in rdf
    assert (node["6"], rdflib.RDF.type, aif.Transition) in rdf
    assert (node["4"], aif.source, rdflib.Literal("Ann Lee: Masks help")) in rdf
    properties = {str(each).removeprefix(AIF) for each in rdf.predicates() if str(each).startswith(AIF)}
    assert properties == {
        "claimText", "source", "Premise", "Conclusion", "IllocutionaryContent",
        "Locution", "Anchor", "StartLocution", "EndLocution",
    }  # fmt: skip


def test_aifdb_loses_what_it_has_no_word_for() -> None:
    graph = debate()
    back = from_rdf(to_rdf(graph, "aifdb"))
    lost = {("11", "10"), ("2", "12"), ("12", "1")}
    assert ends(back) == ends(graph) - lost
    assert {node.id: node.type for node in back} == {node.id: node.type for node in graph}
    assert [node.text for node in back.propositions] == [node.text for node in graph.propositions]


def test_reported_speech_is_not_the_anchor() -> None:
    build = GraphBuilder()
    outer, inner = build.locution("Ann: Bob said: yes"), build.locution("Bob: yes")
    build.illocution(outer, inner, "Asserting")
    assert ends(from_rdf(to_rdf(build.graph(), "aifdb"))) == ends(build.graph())


def test_owl_keeps_undercuts_and_schemes() -> None:
    back = from_rdf(to_rdf(debate(), "owl"))
    assert ends(back) == {("2", "10"), ("10", "1"), ("3", "11"), ("11", "10")}
    assert back["10"].schemes == (Scheme("15", "ExpertOpinion"),)
    assert "12" not in back, "the ontology has no class for a rephrase"


@pytest.mark.parametrize("profile", ["aifdb", "owl"])
def test_the_older_namespace_is_read(profile: str) -> None:
    text = to_rdf(debate(), profile).serialize(format="turtle")  # type: ignore[arg-type]
    old = rdflib.Graph().parse(data=text.replace(AIF, AIF_OLD), format="turtle")
    new = from_rdf(rdflib.Graph().parse(data=text, format="turtle"))
    assert from_rdf(old) == new


def test_as_aifdb_emits_it() -> None:
    # Entities for namespaces, a node per resource, links on both sides.
    graph = load(ROOT / "fixtures" / "rdf" / "nodeset.rdf")
    assert [(node.id, node.type) for node in graph] == [
        ("11", "I"),
        ("12", "I"),
        ("13", "RA"),
        ("14", "L"),
        ("15", "YA"),
    ]
    assert ends(graph) == {("12", "13"), ("13", "11"), ("14", "15"), ("15", "11")}
    assert graph["11"].timestamp == "2012-05-01 10:00:00"


@pytest.mark.parametrize("name", SYNTAXES)
def test_full_in_every_syntax(name: str) -> None:
    graph = debate().with_meta(source=SourceText("a < b\r\n\x0c", spans=(Span("1", 0, 3),)))
    back = loads(dumps(graph, format=name))
    assert back == graph
    assert back.meta == graph.meta


def test_ids_of_any_kind() -> None:
    document_ = {
        "nodes": [
            {"nodeID": 0, "text": "a", "type": "I"},
            {"nodeID": "0", "text": "again", "type": "I"},
            {"nodeID": "1_ä/b#c", "text": None, "type": "EN", "visible": True},
            {"nodeID": "x y", "text": "\ud800", "type": "ra", "scheme": "Own one"},
        ],
        "edges": [{"edgeID": 5, "fromID": "x y", "toID": 0}, {"edgeID": 6, "fromID": 9, "toID": 0}],
        "locutions": [{"nodeID": 0, "personID": None, "start": "at dawn"}],
        "participants": [{"participantID": 3, "firstname": "A", "surname": "B", "more": [1, 2.5]}],
        "unknown": {"a": [None]},
    }
    graph = loads(json.dumps(document_))
    for name in SYNTAXES:
        assert json.loads(dumps(loads(dumps(graph, format=name)), format="aif")) == document_, name


@given(
    st.lists(st.tuples(st.sampled_from(["I", "L", "RA", "MA", "YA", "TA", "EN"]), st.text(max_size=8)), max_size=6),
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=10),
)
def test_full_loses_nothing(nodes: list[tuple[str, str]], edges: set[tuple[int, int]]) -> None:
    build = GraphBuilder()
    for number, (kind, text) in enumerate(nodes):
        build.node(kind, text, id=str(number))
    for source, target in sorted(edges):
        if source != target and max(source, target) < len(nodes):
            build.edge(str(source), str(target))
    graph = build.graph()
    for name in SYNTAXES:
        assert loads(dumps(graph, format=name), format=name) == graph


def test_iris_that_end_alike_stay_apart() -> None:
    text = "@prefix aif: <http://www.arg.tech/aif#> . <http://a/1> a aif:I-node . <http://b/1> a aif:I-node ."
    assert {node.id for node in loads(text, format="turtle")} == {"http://a/1", "http://b/1"}


def test_unknown_profile() -> None:
    with pytest.raises(OptionError, match="owl"):
        to_rdf(debate(), "rdf")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("turtle", "@prefix aif: <http://www.arg.tech/aif#> . <a> aif:"),
        ("turtle", '@prefix x: <http://e.org/> . x:a x:b "no AIF" .'),
        ("ntriples", "<a> <b>"),
        ("ntriples", "\x00\x01"),
        ("rdfxml", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><unclosed>"),
        ("rdfxml", '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rdf:RDF>&x;</rdf:RDF>'),
        ("rdfxml", '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><rdf:RDF>&b;</rdf:RDF>'),
        ("rdfxml", '<!DOCTYPE r SYSTEM "http://example.org/r.dtd"><rdf:RDF/>'),
        ("jsonld", '{"@context": "http://example.org/context", "@id": "x"}'),
        ("jsonld", '{"@id": "x", "k": [{"@context": ["http://example.org/c"]}]}'),
        ("jsonld", "[" * 100_000),
        ("jsonld", '{"@context": 1, "@graph": '),
    ],
)
def test_bad_input(name: str, text: str) -> None:
    with pytest.raises(FormatError) if not text.startswith("[[") else pytest.raises(Exception, match="deep") as caught:
        loads(text, format=name, name="in")
    assert "\n" not in str(caught.value)


def test_damaged_full_document() -> None:
    text = dumps(debate(), format="turtle")
    with pytest.raises(FormatError, match="damaged"):
        loads(text.replace('[\\"1\\"', '[\\"1\\",', 1), format="turtle")


@pytest.mark.parametrize("name", SYNTAXES)
def test_none_is_taken_for_another(name: str) -> None:
    given = Input("x", dumps(debate(), format=name).encode())
    assert [each for each in names() if codec(each).reads and codec(each).sniff(given)] == [name]


def test_the_context_is_current() -> None:
    assert (ROOT / "schemas" / "aif-context.jsonld").read_text("utf-8") == document()


@pytest.mark.slow
@pytest.mark.data
def test_full_round_trips_every_map(shared_data: Path) -> None:
    maps = 0
    for folder in ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria", "xaif"):
        for path in sorted((shared_data / folder).rglob("*.json")):
            graph = load(path)
            back = from_rdf(to_rdf(graph), name=graph.name)
            assert json.loads(dumps(back)) == json.loads(dumps(graph)), path
            assert back.meta == graph.meta, path
            if maps % 40 == 0:
                name = SYNTAXES[maps // 40 % 4]
                assert json.loads(dumps(loads(dumps(graph, format=name)))) == json.loads(dumps(graph)), path
            maps += 1
    assert maps > 700
