"""Values from Python that are no texts, as models' JSON and pandas bring them, and calls that services get wrong."""

import math
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, get_type_hints

import networkx
import numpy as np
import pytest

import aifgraph
from aifgraph import (
    ArgumentGraph,
    FormatError,
    GraphBuilder,
    InputError,
    OptionError,
    Participant,
    Proposition,
    SourceText,
    from_rdf,
    open_corpus,
    to_rdf,
    union,
    write_corpus,
)
from aifgraph.cli import main
from aifgraph.files import is_corpus
from aifgraph.graph import LocutionRecord
from aifgraph.interop import from_networkx
from aifgraph.rdf.terms import AIF
from documents import ANN, BEN, FIRST, SECOND

NO_TEXT: list[Any] = [None, math.nan, 5, ["a"], {"a": 1}, b"a"]
CALLS: dict[str, Callable[[GraphBuilder, Any], object]] = {
    "proposition": lambda build, value: build.proposition(value),
    "locution": lambda build, value: build.locution(value, speaker="Bob"),
    "node": lambda build, value: build.node("I", value),
    "type": lambda build, value: build.node(value, "a"),
    "relation": lambda build, value: build.relation(value, "1", "2"),
    "source": lambda build, value: build.source(value),
    "first name": lambda build, value: build.participant(value, value),
    "rename": lambda build, value: build.rename_participant("Ann", value),
    "record": lambda build, value: build.record(LocutionRecord(value, None, start=value)),
    "notice": lambda build, value: build.notice("code", value),
    "scheme": lambda build, value: build.inference("1", "2", schemes=[value]),
}
#: Where None stands for nothing given.
OPTIONAL: dict[str, Callable[[GraphBuilder, Any], object]] = {
    "update": lambda build, value: build.update("1", text=value, speaker="Bob"),
    "speaker": lambda build, value: build.locution("Ann: a", speaker=value),
    "start": lambda build, value: build.locution("Ann: a", speaker="Bob", start=value),
    "timestamp": lambda build, value: build.node("I", "a", timestamp=value),
    "label": lambda build, value: build.inference("1", "2", value),
    "surname": lambda build, value: build.participant("Ann", value),
    "id": lambda build, value: build.proposition("a", id=value),
}


def builder() -> GraphBuilder:
    build = GraphBuilder(name="map")
    build.inference(build.proposition("a"), build.proposition("b"))
    build.locution("Ann: c", speaker="Ann")
    return build


@pytest.mark.parametrize("value", NO_TEXT, ids=repr)
@pytest.mark.parametrize("name", [*CALLS, *OPTIONAL])
def test_what_is_no_text_is_refused_and_changes_nothing(name: str, value: Any) -> None:
    build = builder()
    before = build.graph()
    if name in OPTIONAL and (value is None or (value == 5 and name in ("id", "speaker"))):
        return
    with pytest.raises(InputError):
        (CALLS | OPTIONAL)[name](build, value)
    assert build.graph() == before


@pytest.mark.parametrize("id_", ["", math.nan, True, 1.5, ()])
def test_ids_are_texts_or_whole_numbers(id_: Any) -> None:
    for call in (builder().proposition, builder().participant):
        with pytest.raises(InputError):
            call("a", id=id_)
    with pytest.raises(InputError):
        builder().edge("1", "2", id=id_)


class Name(StrEnum):
    ONE = "1"


def test_a_member_of_an_enumeration_counts_as_its_value() -> None:
    build = GraphBuilder()
    build.inference([build.proposition(Name.ONE, id=Name.ONE)], build.proposition("x", extra={Name.ONE: Name.ONE}))
    graph = build.graph()
    assert (graph[Name.ONE].id, str(graph[Name.ONE].text)) == ("1", "1")
    for format in ("aif", "turtle", "graphml"):
        assert [*aifgraph.loads(aifgraph.dumps(graph, format=format)).nodes] == [*graph.nodes]
    build.conflict(Name.ONE, "2")
    assert len(build.graph().relations) == 2


def test_two_names_of_a_field_are_not_joined() -> None:
    with pytest.raises(InputError):
        GraphBuilder().proposition("x", extra={"field": {1: 2, "1": 3}})


def test_values_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"text": ["Tea is hot", None], "id": [7, 8], "time": pandas.to_datetime(["2020-01-01", None])}
    )
    build = GraphBuilder()
    rows = list(frame.itertuples())
    assert build.locution(rows[0].text, id=rows[0].id, start=rows[0].time) == "7"
    for bad in ({"text": pandas.NA}, {"text": "a", "start": rows[1].time}, {"text": "a", "extra": {"p": math.nan}}):
        with pytest.raises(InputError):
            build.locution(**bad)
    assert len(build.graph()) == 1


def test_graphs_and_people_hold_texts() -> None:
    for make in (
        lambda: ArgumentGraph((Proposition("1", None),)),  # type: ignore[arg-type]
        lambda: ArgumentGraph((Proposition(5, "a"),)),  # type: ignore[arg-type]
        lambda: Participant("1", math.nan),  # type: ignore[arg-type]
        lambda: SourceText(5),  # type: ignore[arg-type]
        lambda: builder().graph().with_meta(source="a text"),
        lambda: builder().graph().with_name(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError):
            make()
    with pytest.raises(OptionError):
        builder().graph(sauce=SourceText("a"))
    assert set(get_type_hints(SourceText)) == {"text", "spans", "origin"}


@pytest.mark.parametrize(
    ("key", "value"), [("text", 7), *((key, math.nan) for key in ("text", "scheme", "scheme_id", "timestamp", "more"))]
)
def test_networkx_with_numbers_and_nan(key: str, value: float) -> None:
    digraph: Any = networkx.DiGraph()
    digraph.add_node("a", type="I", **{key: value})
    with pytest.raises(InputError):
        from_networkx(digraph)
    digraph.nodes["a"][key] = "" if key == "text" else None
    assert from_networkx(digraph)["a"].text == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda graph: aifgraph.repair(None),
        lambda graph: aifgraph.validate("map.json"),
        lambda graph: GraphBuilder({"nodes": []}),
        lambda graph: aifgraph.dumps({}),
        lambda graph: aifgraph.dump(graph, 3),
        lambda graph: aifgraph.loads({}),
        lambda graph: aifgraph.loads(None),
        lambda graph: to_rdf([None]),
        lambda graph: from_networkx(None),
        lambda graph: aifgraph.query(graph, Path("a.rq")),
        lambda graph: open_corpus(""),
        lambda graph: union(""),
        lambda graph: aifgraph.load({"nodes": [], "edges": []}, fmt="aif"),
        lambda graph: aifgraph.load(next(iter(open_corpus([graph]))), major="x"),
        lambda graph: aifgraph.query(graph, "most attacked"),
        lambda graph: aifgraph.compare(ANN, BEN),
        lambda graph: aifgraph.compare(graph, graph, foo=1),
        lambda graph: aifgraph.load(FIRST, foo=1),
        *(lambda graph, to=to: aifgraph.dumps(graph, format=to, foo=1) for to in ("turtle", "xaif", "brat")),
    ],
)
def test_other_things_than_are_asked_for(call: Any) -> None:
    with pytest.raises((InputError, OptionError, TypeError)):
        call(builder().graph())


def test_one_bad_map_does_not_end_the_writing(tmp_path: Path) -> None:
    broken = ArgumentGraph((Proposition("1", "a", extra={"no JSON": {1, 2}}),), name="broken")
    maps: list[Any] = [builder().graph(), None, broken, builder().graph()]
    done = write_corpus(maps, tmp_path / "maps")
    assert (done.written, [name for name, _ in done.failed]) == (2, ["map 2", "broken"])
    assert len(open_corpus(tmp_path / "maps")) == 2


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("abc", "str"),
        ({"AIF": None}, "AIF"),
        ({"text": "abc"}, "AIF is missing"),
        ({"nodes": {"a": {}}, "edges": {}, "schemaVersion": 1}, "arguebuf"),
    ],
)
def test_documents_of_services_that_are_no_maps(document: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        aifgraph.from_dict(document)


@pytest.mark.parametrize(
    ("call", "there"),
    [
        (lambda: aifgraph.loads("{}", format="no such"), ["aif", "xaif", "sadface"]),
        (lambda: aifgraph.read_dataset("no such", "."), ["iac1", "cdcp"]),
        (lambda: aifgraph.validate(builder().graph(), select="no such"), ["ra-conclusion"]),
        (lambda: aifgraph.validate(builder().graph(), profile="no such"), ["aif", "iat"]),
        (
            lambda: aifgraph.compare(builder().graph(), builder().graph(), calculations=("no such",)),
            ["propositional_relations"],
        ),
        (lambda: aifgraph.compare(builder().graph(), builder().graph(), matching="no such"), ["greedy", "optimal"]),
        (lambda: aifgraph.GraphBuilder().relation("no such", [], "1"), ["RA", "CA"]),
        (
            lambda: aifgraph.evaluate([builder().graph()], {"ben": [builder().graph()]}, baselines=("no such",)),
            ["units", "star"],
        ),
    ],
)
def test_a_name_that_a_table_does_not_have_is_answered_with_those_that_it_has(
    call: Callable[[], Any], there: list[str]
) -> None:
    with pytest.raises((aifgraph.OptionError, aifgraph.NotFoundError), match=r"no such|no_such") as caught:
        call()
    assert [name for name in there if name not in str(caught.value)] == []


def test_pairs_are_counted_and_progress_says_done_of_all(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    corpora = [[builder().graph().with_name(name) for name in ("x", "y")] for _ in range(2)]
    run: Any = {"results": tmp_path / "results.jsonl"}
    assert len(aifgraph.compare_corpora(*corpora, **run).pairs) == 2
    changed = GraphBuilder(corpora[1][1])
    changed.proposition("new")
    corpora[1][1] = changed.graph()
    aifgraph.compare_corpora(*corpora, **run, resume=True, progress=lambda *done: told.append(done))
    assert told == [(2, 2)]


@pytest.mark.parametrize("text", ["a\r b", "a\r\nb", "a\u2028b\x85c"])
def test_graphml_keeps_line_ends(text: str) -> None:
    build = GraphBuilder()
    build.proposition(text, extra={"more": text})
    graph = build.graph()
    assert aifgraph.loads(aifgraph.dumps(graph, format="graphml"), format="graphml") == graph


@pytest.mark.parametrize("odd", ["\v", "\f", "\0", "\ufffe", "\ud800"])
@pytest.mark.parametrize("field", ["text", "id", "value", "key"])
def test_graphml_says_what_xml_cannot_hold(field: str, odd: str) -> None:
    build = GraphBuilder()
    given = {"text": "a", "id": "1", "value": "a", "key": "a"} | {field: f"a{odd}b"}
    build.proposition(given["text"], id=given["id"], extra={given["key"]: given["value"]})
    with pytest.warns(UserWarning, match="XML"):
        text = aifgraph.dumps(build.graph(), format="graphml")
    assert len(aifgraph.loads(text, format="graphml")) == 1


def test_brat_has_a_blank_for_a_tab(tmp_path: Path) -> None:
    build = GraphBuilder()
    build.proposition("a\tb", id="T1")
    build.source("a\tb c")
    aifgraph.dump(build.graph(), tmp_path / "map.ann")
    assert (tmp_path / "map.ann").read_text("utf-8").splitlines()[0].endswith("\ta b")
    assert aifgraph.load(tmp_path / "map.ann")["T1"].text == "a\tb"


def test_differences_list_schemes_in_one_order() -> None:
    build = GraphBuilder()
    a, b = build.proposition("a"), build.proposition("b")
    build.inference(a, b, schemes=["15", "30", "1"])
    other = GraphBuilder(build.graph())
    other.update("3", schemes=["30", "15", "1"])
    assert build.graph() == other.graph()
    other.update("3", schemes=["30", "15"])
    [line] = build.graph().diff(other.graph())
    assert line.index("'15'") < line.index("'30'") < line.index("≠")


# -- many maps in one -------------------------------------------------------------------------------------------------


def shared(second_text: str = "a") -> list[ArgumentGraph]:
    """Return two maps that share a node, a person and a text."""
    first = GraphBuilder(name="first")
    claim = first.proposition("a", id=10)
    first.locution("Ann Lee: a", speaker=first.participant("Ann Lee", id=7), id=11)
    first.source("a text")
    second = GraphBuilder(name="second")
    second.proposition(second_text, id=10)
    second.locution("Ann Lee: b", speaker=second.participant("Ann Lee", id=7), id=13)
    second.inference(second.proposition("b", id=12), claim, id=14)
    second.source(SourceText("b text", (aifgraph.graph.Span("12", 0, 1),)))
    return [first.graph(), second.graph()]


def test_a_union_joins_by_ids() -> None:
    graph = union(shared(), name="all")
    assert [node.id for node in graph] == ["10", "11", "13", "12", "14"]
    assert (graph.name, len(graph.participants), len(graph.meta.locutions), len(graph.edges)) == ("all", 1, 2, 2)
    assert graph.text == "a text\n\nb text"
    span = graph.span_of("12")
    assert span is not None
    assert graph.text[span.start : span.end] == "b"
    assert union([graph, graph]) == graph == union([graph])
    assert union(iter(shared())) == union(shared())


def test_a_union_of_other_texts_names_both_maps() -> None:
    with pytest.raises(InputError, match=r"node 10: .*first.*second"):
        union(shared("something else"))


@pytest.mark.parametrize("fields", [{"timestamp": "2020-01-01 00:00:00"}, {"extra": {"a": 2}}])
def test_what_a_union_leaves_out_is_a_notice(fields: dict[str, Any]) -> None:
    first, second = GraphBuilder(), GraphBuilder()
    first.node("I", "a", id=1, extra={"a": 1})
    second.node("I", "a", id=1, **fields)
    assert [notice.nodes for notice in union([first.graph(), second.graph()]).notices] == [("1",)]


def test_people_of_one_id_in_a_union() -> None:
    """AMF's services give the id 1 to the first person of every map."""
    maps = []
    for number, name in enumerate(("Ann Lee", "Bob", "Ann Lee", "Cy")):
        build = GraphBuilder(name=name)
        build.locution(f"{name}: {number}", id=10 + number, speaker=build.participant(name, id=1))
        maps.append(build.graph(document={"OVA": {"nodes": [{"nodeID": "1", "x": 1}]}}))
    graph = union(maps)
    assert [person.name for person in graph.participants] == ["Ann Lee", "Bob", "Cy"]
    assert [person and person.name for person in map(graph.speaker_of, graph)] == ["Ann Lee", "Bob", "Ann Lee", "Cy"]
    assert [notice.code for notice in graph.notices] == ["layout-left-out"]


@pytest.mark.parametrize("syntax", ["trig", "nquads", "json-ld"])
def test_maps_in_one_file_of_rdf_come_back(tmp_path: Path, syntax: str) -> None:
    graphs = [aifgraph.load(FIRST), aifgraph.load(SECOND)]
    dataset = to_rdf(graphs)
    assert from_rdf(dataset) == graphs
    assert [graph.name for graph in from_rdf(dataset)] == ["first", "second"]
    assert from_rdf(to_rdf(graphs[0]), name="other").name == "other"
    path = tmp_path / {"trig": "all.trig", "nquads": "all.nq", "json-ld": "all.jsonld"}[syntax]
    path.write_text(dataset.serialize(format=syntax), encoding="utf-8")
    corpus = open_corpus(path)
    assert (corpus.names, [entry.load() for entry in corpus]) == (("first", "second"), graphs)
    with pytest.raises(FormatError, match="open_corpus"):
        aifgraph.load(path)
    for words in (["show", path], ["compare", path, path], ["convert", path, tmp_path / "maps"]):
        assert main(list(map(str, words))) == 0
    assert open_corpus(tmp_path / "maps").names == ("first", "second")


@pytest.mark.parametrize(
    ("classes", "several"), [("I-node I-node", True), ("Statement Statement", True), ("I-node S-node", False)]
)
def test_a_file_of_rdf_is_a_corpus_if_two_of_its_graphs_have_nodes(tmp_path: Path, classes: str, several: bool) -> None:
    """The classes of AIF's ontology have two kinds of names."""
    path = tmp_path / "maps.trig"
    graphs = (
        f'<urn:m{number}> {{ <urn:n{number}> a <{AIF}{name}>; <{AIF}claimText> "yes" }}'
        for number, name in enumerate(classes.split())
    )
    path.write_text("\n".join(graphs), encoding="utf-8")
    assert is_corpus(path) == several
    assert len(open_corpus(path)) == (2 if several else 1)


def test_a_document_may_have_numbers_of_numpy() -> None:
    node = {"nodeID": np.int64(7), "type": "I", "text": "a", "weight": np.float32(0.5)}
    graph = aifgraph.from_dict({"nodes": [node], "edges": []})
    assert (graph.nodes[0].id, graph.nodes[0].extra) == ("7", {"weight": 0.5})
