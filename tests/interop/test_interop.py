"""A graph as one of networkx, as frames, and as RDF: every form holds a whole graph; and the worked queries."""

import gc
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import networkx
import pyoxigraph
import pytest
from hypothesis import given

from aifgraph import GraphBuilder, dumps, load, loads, open_corpus, query
from aifgraph.cli import main
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.formats import FORMATS
from aifgraph.graph import ArgumentGraph, Scheme, SourceText, Span
from aifgraph.interop import edges_frame, from_networkx, nodes_frame, to_networkx
from aifgraph.rdf import from_rdf, to_rdf
from aifgraph.rdf.terms import map_names
from aifgraph.rdf.write import quads
from documents import ANN, FIRST, FIXTURES, debate
from strategies import extras, graphs


def test_graphs_of_others() -> None:
    given = networkx.MultiDiGraph()
    given.add_node(1, type="I", text="a")
    given.add_node("r", type="RA")
    given.add_edge(1, "r")
    assert [(node.id, node.type) for node in from_networkx(given)] == [("1", "I"), ("r", "RA")]
    given.add_edge(1, "r")
    with pytest.raises(InputError, match="twice"):
        from_networkx(given)
    given.add_node("x")
    with pytest.raises(InputError, match="node x"):
        from_networkx(given)
    with pytest.raises(InputError, match="undirected"):
        from_networkx(networkx.Graph())


def test_speakers_of_networkx() -> None:
    graph = debate()
    given = to_networkx(graph)
    given.nodes["l-claim"]["speaker"] = "Eve May"
    given.add_node("new", type="L", text="Bob: No", speaker="Bob")
    given.add_node("17", type="L", text="Yes", speaker="17")
    back = from_networkx(given)
    assert [back.speaker_of(id_).name for id_ in ("l-claim", "l-one", "new", "17")] == ["Eve May", "Bob", "Bob", "17"]
    assert (back["l-claim"].text, back["new"].text) == (graph["l-claim"].text, "Bob: No")
    given.nodes["new"]["text"] = None
    with pytest.raises(InputError, match="node new"):
        from_networkx(given)


def test_frames() -> None:
    pytest.importorskip("pandas")
    graph = debate()
    nodes, edges = nodes_frame(graph).set_index("id"), edges_frame([graph, graph])
    assert [*nodes["speaker"][["l-claim", "l-one", "claim"]]] == ["Ann Lee", "Bob", None]
    assert nodes["scheme_id"]["ra"] == "72"
    assert len(edges) == 2 * len(graph.edges)
    assert edges["source_type"][0] == graph[graph.edges[0].source].type
    assert "map" in nodes_frame(GraphBuilder().graph()).columns


def test_fields_are_attributes_and_columns() -> None:
    build = GraphBuilder()
    claim, reason = build.proposition("A", extra={"confidence": 0.5}), build.proposition("B", extra={"map": [1]})
    build.inference([reason], claim, extra={"confidence": 0.9, "text": "x"})
    build.edge(claim, reason, extra={"weight": 2})
    graph = build.graph()
    given_ = graph.to_networkx()
    assert [data.get("confidence") for _, data in given_.nodes(data=True)] == [0.5, None, 0.9]
    assert given_.nodes[reason]["map"] == "[1]"
    assert given_.edges[claim, reason, 0]["weight"] == 2
    assert given_.nodes["3"]["text"] == "Default Inference"
    given_.nodes[claim]["confidence"] = 0.25
    given_.nodes[reason]["new"] = True
    again = from_networkx(given_)
    assert again[claim].extra == {"confidence": 0.25}
    assert again[reason].extra == {"map": [1], "new": True}
    assert again["3"].extra == graph["3"].extra
    rows = graph.to_frame()
    assert list(rows["confidence"]) == [0.9]
    assert list(rows["target_confidence"]) == [0.5]
    assert list(graph.nodes_frame()["confidence"]) == [0.5, None, 0.9]
    assert list(graph.nodes_frame()["extra_map"]) == [None, [1], None]
    assert list(graph.edges_frame()["weight"]) == [None, None, 2]


@given(graphs())
def test_any_graph_comes_back(graph: ArgumentGraph) -> None:
    back = from_networkx(to_networkx(graph))
    assert back == graph
    assert back.meta.locutions == graph.meta.locutions
    assert [node.extra for node in back] == [node.extra for node in graph]
    assert [edge.id for edge in back.edges] == [edge.id for edge in graph.edges]


@pytest.mark.parametrize("side_data", [True, False])
def test_files_of_networkx(tmp_path: Path, side_data: bool) -> None:
    graph = load(FIRST)
    given_ = graph.to_networkx()
    if not side_data:
        del given_.graph["aif"]
    networkx.write_graphml(given_, tmp_path / "map.graphml")
    networkx.write_gexf(given_, tmp_path / "map.gexf")
    document = json.loads(json.dumps(networkx.node_link_data(given_, edges="links")))
    back = [
        networkx.read_graphml(tmp_path / "map.graphml", force_multigraph=True),
        networkx.node_link_graph(document, edges="links"),
    ]
    for each in back:
        again = from_networkx(each)
        if side_data:
            assert again == graph
        assert {node.id: node.text for node in again} == {node.id: node.text for node in graph}
        assert len(again.edges) == len(graph.edges)
    assert len(networkx.read_gexf(tmp_path / "map.gexf")) == len(graph)
    assert all(isinstance(value, str) for _, data in given_.nodes(data=True) for value in data.values())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"nodes": 5}', '{"meta": [1]}', "[" * 200_000])
def test_damaged_side_data(text: str) -> None:
    given_ = networkx.DiGraph(aif=text)
    with pytest.raises(FormatError, match="damaged"):
        from_networkx(given_)


def test_changes_in_networkx_count() -> None:
    graph = load(FIRST)
    claim, locution = graph.roots()[0].id, graph.locutions[0].id
    given_ = graph.to_networkx()
    given_.nodes[claim]["text"] = "Another claim"
    given_.nodes[graph.inferences[0].id]["scheme"] = "Sign"
    given_.remove_node(locution)
    given_.add_node("new", type="I", text="One more")
    again = from_networkx(given_)
    assert again[claim].text == "Another claim"
    assert [scheme.name for scheme in again[graph.inferences[0].id].schemes] == ["Sign"]
    assert again.nodes[-1].id == "new"
    assert locution not in again
    assert all(record.node_id != locution for record in again.meta.locutions)


SYNTAXES = ("turtle", "rdfxml", "ntriples", "jsonld", "trig", "nquads")


def ends(graph: ArgumentGraph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


def test_as_aifdb_emits_it() -> None:
    # Entities for namespaces, a node per resource, links on both sides.
    graph = load(FIXTURES / "rdf" / "nodeset.rdf")
    assert {node.id: node.type for node in graph} == {"11": "I", "12": "I", "13": "RA", "14": "L", "15": "YA"}
    assert ends(graph) == {("12", "13"), ("13", "11"), ("14", "15"), ("15", "11")}
    assert graph["11"].timestamp == "2012-05-01 10:00:00"


@pytest.mark.parametrize("name", SYNTAXES)
@given(graph=graphs())
def test_any_graph_comes_back_from_rdf(name: str, graph: ArgumentGraph) -> None:
    for each in (graph, debate().with_meta(source=SourceText("a < b\r\n", spans=(Span("claim", 0, 3),)))):
        back = loads(dumps(each, format=name), format=name)
        assert back == each
        assert (back.participants, back.meta.locutions) == (each.participants, each.meta.locutions)


def test_what_is_read_from_rdf_is_not_kept() -> None:
    rdf = to_rdf(debate())
    sizes: list[int] = []
    tracemalloc.start()
    try:
        for _ in range(3):
            from_rdf(rdf)
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[-1] - sizes[0] < 10_000


@given(extras)
def test_fields_of_data_sets_come_back_whatever_they_are(fields: dict[str, Any]) -> None:
    known = {"nodeID", "text", "type", "timestamp", "scheme", "schemeID"}
    fields = {f"_{key}": value for key, value in fields.items()}
    build = GraphBuilder()
    claim = build.proposition("a", extra=fields)
    build.edge(build.node("RA", ""), claim, extra={"of the edge": fields})
    graph = build.graph().with_meta(aif={"more": fields}, document={"around": fields})
    for syntax in ("turtle", "rdfxml", "jsonld"):
        back = loads(dumps(graph, format=syntax), format=syntax)
        assert {key: back["1"].extra[key] for key in back["1"].extra.keys() - known} == fields, syntax
        assert back.edges[0].extra == {"of the edge": fields}
        assert (back.meta.aif, back.meta.document) == ({"more": fields}, {"around": fields})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("turtle", "@prefix aif: <http://www.arg.tech/aif#> . <a> aif:"),
        ("ntriples", "<a> <b>"),
        ("rdfxml", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><unclosed>"),
        ("rdfxml", '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rdf:RDF>&x;</rdf:RDF>'),
        ("rdfxml", '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><rdf:RDF>&b;</rdf:RDF>'),
        ("rdfxml", '<!DOCTYPE r SYSTEM "http://example.org/r.dtd"><rdf:RDF/>'),
        ("jsonld", '{"@context": "http://example.org/context", "@id": "x"}'),
        ("jsonld", "[" * 100_000),
        ("jsonld", '{"@context": 1, "@graph": '),
    ],
)
def test_bad_input(name: str, text: str) -> None:
    with pytest.raises(FormatError) if not text.startswith("[[") else pytest.raises(Exception, match="deep") as caught:
        loads(text, format=name, name="in")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rest", ["<a> aif:", "{ <a>"])
def test_damaged_text_with_prefixes_is_recognised(rest: str) -> None:
    with pytest.raises(FormatError, match="line 2"):
        loads(f"@prefix aif: <http://www.arg.tech/aif#> .\n{rest}", name="in.ttl")


def updated(update: str, graph: ArgumentGraph | None = None) -> ArgumentGraph:
    """A map after a SPARQL UPDATE of its triples, written and read again."""
    rdf = to_rdf(graph or debate())
    rdf.bind("n", map_names(graph or debate()).base, override=True, replace=True)
    rdf.update(update)
    return loads(rdf.serialize(format="turtle"), format="turtle")


def test_an_added_premise_is_there() -> None:
    graph = updated("INSERT DATA { n:ra aif:hasPremise n:20 . n:20 a aif:I-node ; aif:claimText 'New' }")
    assert graph["20"].text == "New"
    assert ends(graph) == ends(debate()) | {("20", "ra")}
    assert graph.notices == ()


def test_a_changed_type_and_scheme_count() -> None:
    graph = updated("DELETE DATA { n:ra a aif:RA-node } ; INSERT DATA { n:ra a aif:CA-node }")
    assert graph["ra"].type == "CA"
    assert [scheme.id for scheme in graph["ra"].schemes] == ["72"]
    assert updated("DELETE WHERE { n:ra aif:fulfils ?s }")["ra"].schemes == ()


def test_a_deleted_node_is_gone_with_its_edges() -> None:
    graph = updated("DELETE WHERE { n:doubt ?p ?o } ; DELETE WHERE { ?s ?p n:doubt }")
    assert "doubt" not in graph
    assert ends(graph) == {pair for pair in ends(debate()) if "doubt" not in pair}
    graph = updated("DELETE WHERE { n:ra ?p n:one } ; DELETE WHERE { n:one ?p n:ra }")
    assert ends(graph) == ends(debate()) - {("one", "ra")}


def test_a_changed_source_text_counts() -> None:
    graph = debate().with_meta(source=SourceText("Masks help", spans=(Span("claim", 0, 10),)))
    back = updated(
        "DELETE { ?m ag:sourceText ?t } INSERT { ?m ag:sourceText 'Masks' } WHERE { ?m ag:sourceText ?t }", graph
    )
    assert back.meta.source == SourceText("Masks", spans=())


def test_blank_nodes_are_nodes() -> None:
    text = """@prefix aif: <http://www.arg.tech/aif#> .
        [] a aif:RA-node ; aif:hasPremise [ a aif:I-node ; aif:claimText "why" ] ; aif:hasConclusion _:c .
        _:c a aif:I-node ; aif:claimText "that" ."""
    graph = loads(text, format="turtle")
    premise, conclusion = (next(node.id for node in graph if node.text == said) for said in ("why", "that"))
    (inference,) = (node.id for node in graph if node.type == "RA")
    assert ends(graph) == {(premise, inference), (inference, conclusion)}
    assert loads(dumps(graph, format="turtle"), format="turtle") == graph
    assert loads(text, format="turtle") == graph, "the same ids every time"


def test_of_two_texts_the_first_counts() -> None:
    text = '@prefix aif: <http://www.arg.tech/aif#> . <http://e.org/a> a aif:I-node ; aif:claimText "A", "B" .'
    graph = loads(text, format="turtle")
    assert ([node.text for node in graph], [notice.code for notice in graph.notices]) == (["A"], ["rdf-entry"])


def test_classes_of_the_files_own_are_what_they_are_below_of() -> None:
    text = """@prefix aif: <http://www.arg.tech/aif#> . @prefix x: <http://e.org/> .
        @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
        x:Far r:subClassOf x:Near . x:Near r:subClassOf aif:CA-node, x:Far . x:1 a x:Far ."""
    assert [node.type for node in loads(text, format="turtle")] == ["CA"]


def test_classes_of_the_ontology_and_links_that_are_not_used() -> None:
    graph = loads(
        """@prefix aif: <http://www.arg.tech/aif#> . @prefix e: <http://e.org/> .
        e:a a aif:Statement ; aif:claimText "A" ; e:likes e:b , e:r ; e:page e:elsewhere .
        e:b a aif:I-node ; aif:claimText "B" .
        e:x a aif:Claim ; aif:claimText "C" .
        e:r a aif:ExpertOpinion_Inference ; aif:hasPremise e:b ; aif:hasConclusion e:a .
        e:c a aif:Bias_Conflict ; aif:hasConflictingElement e:b ; aif:hasConflictedElement e:r ."""
    )
    assert {node.id: node.type for node in graph} == {"a": "I", "b": "I", "c": "CA", "r": "RA"}
    assert graph["r"].scheme == Scheme("15", "ExpertOpinion")
    assert [str(notice)[:7] for notice in graph.notices] == ["1 resou", "2 links", "1 link "]
    assert graph.meta.form == "turtle"
    several = to_rdf([graph, graph.with_name("other")])
    assert len({named for *_, named in several.quads()}) == 2


def test_a_corpus_as_rdf_has_the_names_of_its_query() -> None:
    corpus, asked = open_corpus(ANN), "SELECT ?c ?n { ?m a ag:Map ; ag:corpus ?c ; ag:name ?n }"
    rows = {(str(row[0]), str(row[1])) for row in to_rdf(corpus).query(asked)}
    assert rows == set(query(corpus, asked).rows) == {("ann", name) for name in corpus.names}


def test_maps_of_aifdb_have_its_iris() -> None:
    node = {"nodeID": "17940", "text": "a", "type": "I", "timestamp": "2012-05-01 10:00:00"}
    graph = loads(json.dumps({"nodes": [node], "edges": []}))
    assert map_names(graph, base="http://example.org/").base == "http://www.aifdb.org/nodes/"
    assert map_names(loads(json.dumps({"nodes": [{**node, "timestamp": ""}], "edges": []}))).base.startswith("urn:")


@pytest.mark.parametrize("base", ["http://example.org/maps", "http://example.org/x#"])
def test_a_map_read_from_rdf_keeps_its_iris(base: str) -> None:
    text = dumps(debate(), format="turtle", base=base)
    assert dumps(loads(text, format="turtle", name="debate.ttl"), format="turtle", base=base) == text
    other = dumps(loads(text).with_name("other"), format="ntriples")
    assert f"<{map_names(debate(), base=base).base}claim> " in other


def test_a_base_that_is_no_iri() -> None:
    with pytest.raises(OptionError, match="no IRI"):
        dumps(debate(), format="turtle", base="my maps")


@pytest.fixture
def corpus() -> list[ArgumentGraph]:
    """Two maps: in one Ann contradicts herself, in the other an inference and the conflict that undercuts it are
    undercut, and a question is left open."""
    build = GraphBuilder(name="one")
    ann = build.participant("Ann", id="7")
    claims = []
    for text in ("Masks help", "Masks are useless"):
        claims.append(build.proposition(text))
        build.illocution(build.locution(f"Ann: {text}", speaker=ann), claims[-1], "Asserting")
    build.conflict(claims[1], claims[0])
    other = GraphBuilder(name="two")
    claim, reason, doubt = (other.proposition(text) for text in ("Shops open", "It is May", "May is closed season"))
    undercut = other.conflict(doubt, other.inference([reason], claim))
    other.conflict(other.proposition("It is never closed"), undercut)
    other.illocution(other.locution("Bob: Do they?"), claim, "Pure Questioning")
    return [build.graph(), other.graph()]


EXPECTED = {
    "undercuts": [
        ("graphs", "two", "conflict", "Shops open", "It is never closed"),
        ("graphs", "two", "inference", "Shops open", "May is closed season"),
    ],
    "self-contradiction": [("graphs", "one", "Ann", "Masks are useless", "Masks help")],
    "most-attacked": [("graphs", "one", "Masks help", 1)],
    "unanswered-questions": [("graphs", "two", "Bob: Do they?")],
    "schemes": [("Default Inference", 1, 1.0)],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_worked_queries(name: str, corpus: list[ArgumentGraph]) -> None:
    assert list(map(tuple, query(corpus, name).rows)) == EXPECTED[name]


def test_what_a_data_set_says_is_asked_for_by_name() -> None:
    """Roles are triples of their own, and so is who speaks, whether by a record or by the text."""
    roles = query(FIXTURES / "microtexts", "SELECT DISTINCT ?role { ?n f:role ?role } ORDER BY ?role")
    assert [row["role"] for row in roles.records()] == ["opp", "pro"]
    build = GraphBuilder()
    build.locution("Masks help", speaker=build.participant("Ann", "Lee"))
    build.locution("Bob: No")
    speakers = query(build.graph(), "SELECT DISTINCT ?who { ?l a aif:L-node ; ag:speaker ?who } ORDER BY ?who")
    assert [row["who"] for row in speakers.records()] == ["Ann Lee", "Bob"]


@pytest.mark.parametrize(("number", "datatype"), [(2**53 - 1, "XMLSchema#integer"), (2**53, "rdf-syntax-ns#JSON")])
def test_numbers_that_a_double_does_not_hold_are_json(number: int, datatype: str) -> None:
    build = GraphBuilder()
    build.proposition("a", extra={"number": number})
    written = dumps(build.graph(), format="ntriples")
    assert f"{datatype}>" in written.split(f'"{number}"^^')[1].splitlines()[0]
    assert loads(written, format="ntriples").nodes[0].extra == {"number": number}


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"abc"^^xsd:integer', "abc"),
        ('"1_0"^^xsd:double', "1_0"),
        ('"abc"^^xsd:decimal', "abc"),
        ('"maybe"^^xsd:boolean', "maybe"),
        ('"1"^^xsd:boolean', True),
        ("1e999", "INF"),
        ('"-INF"^^xsd:float', "-INF"),
        ('"NaN"^^xsd:double', "NaN"),
        ("0.1234567890123456789", None),
        ("0.90", 0.9),
        ("7", 7),
    ],
)
def test_what_is_no_number_of_json_is_its_text(literal: str, value: object) -> None:
    answer = query(GraphBuilder().graph(), f"SELECT ?x {{ VALUES ?x {{ {literal} }} }}")
    (row,) = answer.records()
    if value is None:  # digits that a float would lose
        assert isinstance(row["x"], str)
        assert literal.startswith(row["x"])
        assert len(row["x"]) > 17
    else:
        assert (type(row["x"]), row["x"]) == (type(value), value)
    json.loads(answer.to_json(), parse_constant=pytest.fail)


CONFLICTS = "SELECT (COUNT(?ca) AS ?n) WHERE { ?ca a aif:CA-node }"


@pytest.mark.parametrize(
    ("clause", "count"),
    [
        ("FROM <{}>", 2),
        ("from\n<{}>", 2),
        ("FROM <http://nothing/>", 0),
        ("FROM NAMED <{}>", 0),
        ("FROM f:x", 0),
        ("# FROM <{}>\n", 3),
    ],
)
def test_from_asks_the_maps_that_it_names(clause: str, count: int, corpus: list[ArgumentGraph]) -> None:
    iri = query(corpus, "SELECT ?map { GRAPH ?map { ?n aif:claimText 'Shops open' } }").records()[0]["map"]
    where = """{ ?from a aif:CA-node FILTER(?from != "from <x>" && ?from != <x:from>) }"""
    table = query(corpus, f"SELECT (COUNT(*) AS ?n) {clause.format(iri)} {where}")
    assert table.records() == [{"n": count}]


def test_maps_with_the_same_ids_stay_apart() -> None:
    build = GraphBuilder()
    build.conflict(build.proposition("a"), build.proposition("b"))
    maps = [build.graph().with_name(str(number)) for number in range(5)]
    assert query(maps, CONFLICTS).records() == [{"n": 5}]


def test_a_query_is_a_file_a_text_or_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "q.rq").write_text(CONFLICTS)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CONFLICTS.encode()), "utf-8"))
    for asked in (str(tmp_path / "q.rq"), CONFLICTS, "-"):
        assert main(["query", str(ANN), asked, "--format", "csv"]) == 0
        assert int(capsys.readouterr().out.splitlines()[1]) > 1


@pytest.mark.parametrize("writer", ["rdflib", "pyoxigraph"])
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_our_triples_as_other_programs_write_them(syntax: str, writer: str) -> None:
    end = "\n" if (writer, syntax) == ("pyoxigraph", "rdfxml") else "\r\n"  # it writes a carriage return as it is
    source = SourceText(f'a < "b"{end}\té 😀', spans=(Span("claim", 0, 3),))
    graph = debate().with_meta(source=source).with_name("debate")
    row = FORMATS[syntax]
    if writer == "rdflib":
        rdf = to_rdf([graph]) if syntax in ("trig", "nquads") else to_rdf(graph)
        names = {"rdfxml": "xml", "ntriples": "nt", "jsonld": "json-ld"}
        texts = [rdf.serialize(format=names.get(syntax, syntax))]
        texts += [rdf.serialize(format="pretty-xml")] if syntax == "rdfxml" else []
        texts += [rdf.serialize(format="json-ld", auto_compact=True)] if syntax == "jsonld" else []
        texts += [rdf.serialize(format="longturtle"), rdf.serialize(format="n3")] if syntax == "turtle" else []
    else:
        store = pyoxigraph.Store()
        store.extend(quads(graph, map_names(graph)))
        format = pyoxigraph.RdfFormat.from_extension(row.suffixes[0][1:])
        one = None if format.supports_datasets else next(iter(store.named_graphs()))
        texts = [(store.dump(format=format, from_graph=one) or b"").decode()]
    for text in texts:
        back = loads(text, name=f"debate{row.suffixes[0]}")
        assert (back, back.meta.form) == (graph, syntax)


def test_a_root_of_graphml_that_is_a_key_does_not_hang() -> None:
    with pytest.raises(FormatError):
        loads('<key><key id="d0"/><graph><node id="a"/></graph></key>', format="graphml")
