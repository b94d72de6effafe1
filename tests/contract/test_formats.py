"""What every format has to keep to, whoever adds it: run over the registry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph
from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.formats.codec import Codec
from aifgraph.formats.files import Input, input_from_path
from aifgraph.formats.registry import RDF, codec, detect, names
from aifgraph.graph import Node
from aifgraph.graph.schemes import is_default
from formats.roundtrip import BOTH, relations, written_input
from sampled import LONG
from strategies import arguments, graphs

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: The formats with a place for every node, edge and id.
WHOLE = {"aif", "xaif", "ova3", "jsonl", "graphml"}
#: The formats of RDF have tests of their own: any of them may hold any graph.
NAMES = [name for name in names() if name not in RDF]
READ = [name for name in NAMES if codec(name).reads]


def files_of(name: str) -> list[Path]:
    """The fixtures of a format: its main files, without the texts beside them."""
    suffixes = codec(name).suffixes
    return sorted(path for path in (FIXTURES / name).iterdir() if path.suffix in suffixes)


@pytest.mark.parametrize("name", NAMES)
def test_a_codec_says_what_it_is(name: str) -> None:
    each = codec(name)
    assert isinstance(each, Codec)
    assert each.name == name
    assert each.title
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in each.suffixes)
    assert each.reads or each.writes


@pytest.mark.parametrize("name", READ)
def test_fixtures_are_read_and_recognised(name: str) -> None:
    files = files_of(name)
    assert files, f"fixtures/{name} is empty"
    for path in files:
        given_ = input_from_path(path)
        assert detect(given_).name == name, path
        graph = codec(name).read(given_)
        assert graph.propositions, path
        assert graph.meta.form == name or name == "jsonl"


@pytest.mark.parametrize("name", READ)
def test_no_fixture_of_another_format_is_taken(name: str) -> None:
    for other in READ:
        if other == name or {name, other} == {"xaif", "ova3"}:
            continue  # the one is a case of the other, which is asked first
        for path in files_of(other):
            assert not codec(name).sniff(input_from_path(path)), path


@pytest.mark.parametrize("name", BOTH)
def test_fixtures_come_back(name: str) -> None:
    each = codec(name)
    for path in files_of(name):
        graph = each.read(input_from_path(path))
        written = each.write(graph)
        back = each.read(written_input(written, each))
        if each.name not in WHOLE:
            assert relations(back) == relations(graph), path
            assert {shape_of(node) for node in back.propositions} == {shape_of(node) for node in graph.propositions}
        else:
            assert shape(back) == shape(graph), path


def shape_of(node: Node) -> tuple[object, ...]:
    return node.id, node.type, node.text, frozenset(each for each in node.schemes if not is_default(each, node.type))


def shape(graph: ArgumentGraph) -> tuple[object, ...]:
    """A graph without the order of its parts."""
    nodes = frozenset(map(shape_of, graph))
    return nodes, frozenset((edge.source, edge.target) for edge in graph.edges), graph.meta.participants


@pytest.mark.parametrize("name", sorted(WHOLE))
@given(graph=graphs())
def test_any_graph_comes_back_from_a_format_for_everything(name: str, graph: ArgumentGraph) -> None:
    back = codec(name).read(written_input(codec(name).write(graph), codec(name)))
    assert {(node.id, node.type, node.text) for node in back} == {(node.id, node.type, node.text) for node in graph}
    assert {edge[:2] for edge in back.edges} == {edge[:2] for edge in graph.edges}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
@given(graph=arguments(), suffix=st.sampled_from(["", ".json", ".xml", ".txt"]))
def test_what_is_written_is_recognised_under_any_suffix(name: str, graph: ArgumentGraph, suffix: str) -> None:
    given_ = written_input(codec(name).write(graph), codec(name))
    assert detect(given_).name == name
    assert detect(Input("map" + suffix, given_.data, suffix, given_.sibling)).name == name


@pytest.mark.parametrize("name", BOTH)
@given(graph=arguments())
def test_arguments_come_back(name: str, graph: ArgumentGraph) -> None:
    each = codec(name)
    back = each.read(written_input(each.write(graph), each))
    assert len(back.propositions) == len(graph.propositions)
    # Trees have no place for an undercut; every other conflict has one.
    undercuts = sum(graph.conclusions_of(node)[0].type != "I" for node in graph.conflicts)
    assert len(back.conflicts) >= len(graph.conflicts) - undercuts
    if name in WHOLE:
        assert relations(back) == relations(graph)


@pytest.mark.parametrize("name", NAMES)
@given(graph=graphs(max_nodes=4), odd=st.text(max_size=10))
def test_odd_characters_crash_no_writer(name: str, graph: ArgumentGraph, odd: str) -> None:
    from aifgraph.graph import make_node

    if not codec(name).writes or not len(graph):
        return
    nodes = [make_node(node.type, node.id, odd, node.schemes, node.record) for node in graph]
    written = codec(name).write(ArgumentGraph(nodes, graph.edges, graph.meta))
    if codec(name).reads and not any("\ud800" <= char <= "\udfff" for char in odd):
        try:
            codec(name).read(written_input(written, codec(name)))
        except InputError as error:
            raise AssertionError(f"{name} does not read what it wrote: {error}") from error


def refused(each: Codec, given_: Input) -> str:
    """What a codec says against an input; empty where it reads it. Any other error goes through."""
    try:
        each.read(given_)
    except (FormatError, LimitError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", READ)
def test_damaged_files_are_errors_of_ours(name: str) -> None:
    each = codec(name)
    for path in files_of(name):
        data = path.read_bytes()
        for cut in range(0, len(data), max(1, len(data) // 40)):
            for broken in (data[:cut], data[cut:], data[:cut] + b"\xff\x00" + data[cut:], data[:cut] + data[cut + 1 :]):
                given_ = Input("broken", broken, path.suffix)
                each.sniff(given_)
                message = refused(each, given_)
                assert "\n" not in message
                assert not message or "broken" in message


@pytest.mark.parametrize("name", READ)
@given(text=st.text(max_size=60))
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    given_ = Input("any", text.encode("utf-8", "replace"))
    codec(name).sniff(given_)
    refused(codec(name), given_)


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize("name", READ)
def test_endless_nesting_is_refused(name: str) -> None:
    for opening in (b"[", b'{"a":', b"<a>", b"{", b"((", b'<?xml version="1.0"?><!DOCTYPE a><a>' + b"<a>"):
        given_ = Input("deep", opening * (50_000 if LONG else 10_000))
        assert not codec(name).sniff(given_)
        assert refused(codec(name), given_)


HOSTILE = sorted(path for path in (FIXTURES / "hostile").iterdir()) if (FIXTURES / "hostile").is_dir() else []


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_hostile_files_are_refused(path: Path) -> None:
    given_ = input_from_path(path)
    with pytest.raises((FormatError, LimitError)):
        detect(given_).read(given_)
