"""What every format has to keep to, whoever adds it: run over the table of formats."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, GraphBuilder, dumps, from_dict, load, loads, to_dict
from aifgraph.errors import FormatError, InputError, LimitError, OptionError
from aifgraph.files import Input
from aifgraph.formats import FORMATS, read_input
from aifgraph.graph import SourceText, Span
from documents import FIXTURES
from formats.roundtrip import BOTH, READ, file_of, files_of, places, relations, round_trip
from strategies import LONG, arguments, built_graphs, graphs

#: The formats with a place for every node, edge and id; and for everything.
WHOLE = ("aif", "graphml", "ova3", "xaif")
ALL = ("ova3", "xaif")


@pytest.mark.parametrize("name", READ)
def test_fixtures_are_recognised_and_come_back(name: str) -> None:
    assert files_of(name), f"fixtures/{name} is empty"
    for path in files_of(name):
        graph = load(path)
        assert graph.meta.form == name, path
        assert graph.propositions, path
        assert loads(dumps(graph)) == graph, path
        if name in BOTH:
            back = round_trip(name, graph)
            assert relations(back) == relations(graph), path
            assert [node.text for node in back.propositions] == [node.text for node in graph.propositions], path
        else:
            with pytest.raises(OptionError):
                dumps(graph, format=name)


@pytest.mark.parametrize("name", BOTH)
@given(graph=arguments(), suffix=st.sampled_from(["", ".json", ".xml", ".txt"]))
def test_what_is_written_is_recognised_under_any_suffix(name: str, graph: ArgumentGraph, suffix: str) -> None:
    assert read_input(file_of(FORMATS[name].serialize(graph), suffix)).meta.form == name


@pytest.mark.parametrize("name", ALL)
@given(graph=graphs())
def test_any_graph_comes_back_equal(name: str, graph: ArgumentGraph) -> None:
    assert round_trip(name, graph) == graph
    assert loads(dumps(graph)) == graph


@given(graph=built_graphs())
def test_any_built_graph_comes_back_equal(graph: ArgumentGraph) -> None:
    assert loads(dumps(graph)) == graph == from_dict(to_dict(graph))
    assert json.loads(dumps(graph)) == to_dict(graph)


@pytest.mark.parametrize("name", ["aif", "graphml"])
@given(graph=graphs(beside=False))
def test_nodes_and_edges_come_back_equal(name: str, graph: ArgumentGraph) -> None:
    back = round_trip(name, graph)
    first = slice(1 if name == "graphml" else None)
    assert [(node.id, node.type, node.text, {*node.schemes[first]}) for node in back] == [
        (node.id, node.type, node.text, {*node.schemes[first]}) for node in graph
    ]
    assert {edge[:2] for edge in back.edges} == {edge[:2] for edge in graph.edges}


@pytest.mark.parametrize("name", BOTH)
@given(graph=arguments())
def test_arguments_come_back(name: str, graph: ArgumentGraph) -> None:
    back = round_trip(name, graph)
    assert len(back.propositions) == len(graph.propositions)
    # Trees have no place for an undercut; every other conflict has one.
    undercuts = sum(graph.conclusions_of(node)[0].type != "I" for node in graph.conflicts)
    assert len(back.conflicts) >= len(graph.conflicts) - undercuts
    if name in WHOLE:
        assert relations(back) == relations(graph)


@pytest.mark.parametrize("name", FORMATS)
@given(graph=graphs(max_nodes=4), odd=st.text(max_size=10))
def test_odd_characters_crash_no_writer(name: str, graph: ArgumentGraph, odd: str) -> None:
    if not FORMATS[name].writer or not len(graph) or any("\ud800" <= char <= "\udfff" for char in odd):
        return
    nodes = [replace(node, text=odd) for node in graph]
    written = FORMATS[name].serialize(ArgumentGraph(nodes, graph.edges, graph.meta))
    if FORMATS[name].reads:
        read_input(file_of(written), name)


@st.composite
def texts_with_places(draw: st.DrawFn) -> ArgumentGraph:
    """Propositions at places of a text of several lines; places may touch, hold each other or cross."""
    text = draw(st.text(st.sampled_from("ab c.<>&;\r\"'\n\té\u2028😀"), min_size=1, max_size=30))
    build = GraphBuilder(name="map")
    spans = []
    for number in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        id_ = build.proposition(text[start:end], id=f"{draw(st.sampled_from(['', 'node', 'T']))}{number + 1}")
        spans.append(Span(id_, start, end))
    build.source(SourceText(text, tuple(spans), draw(st.sampled_from(["given", "embedded"]))))
    return build.graph()


@pytest.mark.parametrize("name", ["aif", "xaif", "ova3", "brat"])
@given(graph=texts_with_places())
def test_text_and_places_come_back(name: str, graph: ArgumentGraph) -> None:
    back = round_trip(name, graph)
    if name == "brat" and not any(node.text.isspace() for node in graph):  # has no place over a line break
        assert places(back)[0] == places(graph)[0]
        assert _marked(back) == _marked(graph)
    elif name not in ("brat", "microtexts"):
        assert places(back) == places(graph)


def _marked(graph: ArgumentGraph) -> set[tuple[int, int]]:
    """The characters, without blanks, that are marked for each node."""
    text, spans = places(graph)
    return {(number, at) for number, start, end in spans for at in range(start, end) if not text[at].isspace()}


@given(graph=texts_with_places())
def test_marked_texts_lose_nothing(graph: ArgumentGraph) -> None:
    assert places(graph.with_meta(source=SourceText.from_html(graph.meta.source.to_html()))) == places(graph)


@pytest.mark.parametrize("name", READ)
def test_damaged_files_are_errors_of_ours(name: str) -> None:
    for path in files_of(name):
        data = path.read_bytes()
        for cut in range(0, len(data), max(1, len(data) // 40)):
            for broken in (data[:cut], data[cut:], data[:cut] + b"\xff\x00" + data[cut:], data[:cut] + data[cut + 1 :]):
                for format in (name, None):
                    message = refused(Input("broken", broken, path.suffix), format)
                    assert "\n" not in message
                    assert not message or "broken" in message


@pytest.mark.parametrize("name", READ)
@given(text=st.text(max_size=60))
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    refused(Input("any", text.encode("utf-8", "replace"), FORMATS[name].suffixes[0]), name)
    refused(Input("any", text.encode("utf-8", "replace"), FORMATS[name].suffixes[0]), None)


def refused(given_: Input, format: str | None) -> str:
    """What a format says against an input; empty where it reads it. Any other error goes through."""
    try:
        read_input(given_, format)
    except (FormatError, LimitError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", READ)
def test_endless_nesting_is_refused(name: str) -> None:
    for opening in (b"[", b'{"a":', b"<a>", b"{", b"((", b'<?xml version="1.0"?><!DOCTYPE a><a>' + b"<a>"):
        given_ = Input("deep", opening * (50_000 if LONG else 10_000))
        assert refused(given_, name)
        assert refused(given_, None)


@pytest.mark.parametrize("path", sorted((FIXTURES / "hostile").iterdir()), ids=lambda path: path.name)
def test_hostile_files_are_refused(path: Path) -> None:
    with pytest.raises(LimitError if path.name in ("bomb.aml", "external.xml", "parameter.graphml") else InputError):
        load(path)


@pytest.mark.parametrize(
    ("file", "real", "promised"), [("json-inside.xml", "aif", "microtexts"), ("xml-inside.jsonl", "aml", "aif")]
)
def test_content_counts_more_than_the_suffix(file: str, real: str, promised: str) -> None:
    path = FIXTURES / "mislabelled" / file
    assert load(path).meta.form == real
    with pytest.raises(FormatError):
        load(path, format=promised)
