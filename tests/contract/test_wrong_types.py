"""Arguments of a wrong type are option errors that say what to give, not errors from deep inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.errors import OptionError

EMPTY = '{"nodes": [], "edges": []}'


@pytest.mark.parametrize("text", [None, 5, [], {}])
def test_loads_takes_text(text: Any) -> None:
    with pytest.raises(OptionError, match="give a string or bytes"):
        aifgraph.loads(text)


@pytest.mark.parametrize("source", [None, 5, [], b"{}"])
def test_load_takes_a_path_or_a_file(source: Any) -> None:
    with pytest.raises(OptionError, match="give a path, an open file"):
        aifgraph.load(source)


@pytest.mark.parametrize("name", ["first_text", "second_text"])
def test_given_texts_are_strings(name: str) -> None:
    graph = aifgraph.loads(EMPTY)
    with pytest.raises(OptionError, match=f"{name} is of type int; give a string or a SourceText"):
        aifgraph.compare(graph, graph, **{name: 5})


def test_one_premise_is_one_id_and_not_its_letters() -> None:
    build = aifgraph.GraphBuilder()
    for id_, text in (("1", "a"), ("2", "b"), ("12", "c"), ("3", "d")):
        build.proposition(text, id=id_)
    inference = build.inference("12", "3")
    assert [node.id for node in build.graph().premises_of(inference)] == ["12"]


@pytest.mark.parametrize("name", ["relations", "calculations"])
def test_several_names_are_a_list(name: str) -> None:
    graph = aifgraph.loads(EMPTY)
    with pytest.raises(OptionError, match=f"{name} is 5; give a name or several"):
        aifgraph.compare(graph, graph, **{name: 5})


@pytest.mark.parametrize("text", [EMPTY, EMPTY + " " * 5000, "<graphml/>"])
def test_load_of_a_text_names_loads(text: str) -> None:
    with pytest.raises(FileNotFoundError, match="use loads") as caught:
        aifgraph.load(text)
    assert len(str(caught.value)) < 150


def test_dump_takes_the_graph_first() -> None:
    wrong: Any = "map.json"
    with pytest.raises(OptionError, match="give the graph first"):
        aifgraph.dump(wrong, aifgraph.loads(EMPTY))


def test_a_part_of_one_node_is_asked_for_as_a_list() -> None:
    build = aifgraph.GraphBuilder()
    ids = [build.proposition("Masks help") for _ in range(12)]
    graph = build.graph()
    node: Any = graph[ids[-1]]
    for one in (ids[-1], node):
        with pytest.raises(OptionError, match=r"give a list of nodes or ids: subgraph\(\[node\]\)"):
            graph.subgraph(one)


def test_a_text_in_place_of_an_id_names_find() -> None:
    build = aifgraph.GraphBuilder()
    build.proposition("Masks help")
    with pytest.raises(KeyError, match=r"find\(text\) looks for a text"):
        build.graph().supports("Masks help")


def test_a_list_is_no_id() -> None:
    build = aifgraph.GraphBuilder()
    claim, attack = build.proposition("Masks help"), build.proposition("They do not")
    listed: Any = [attack]
    with pytest.raises(OptionError, match="an id of type list; give a node or its id"):
        build.conflict(listed, claim)
    with pytest.raises(OptionError, match="an id of type list; give a node or its id"):
        build.remove(listed)
    assert len(build.graph()) == 2


def test_a_layer_has_the_two_main_scores() -> None:
    result = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    layer = result.layers["propositional"]
    assert (layer.kappa, layer.f1) == (layer.cass["kappa"], layer.cass["f1"])


BUILD = GraphBuilder()
BUILD.inference([BUILD.proposition("They filter")], BUILD.proposition("Masks help"))
GRAPH = BUILD.graph()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: aifgraph.compare(GRAPH, GRAPH, options={"gate": False}), "options is of type dict; give Options"),
        (lambda: aifgraph.compare_corpora([GRAPH], [GRAPH], options="gate:off"), "options is of type str"),
        (lambda: GRAPH.find(5), "text is of type int; give a string; graph[…]"),
        (lambda: ArgumentGraph.from_networkx("a"), "a graph of networkx is needed, not str"),
        (lambda: aifgraph.compare(GRAPH, GRAPH).layers["arguments"], "there is no layer 'arguments'"),
    ],
)
def test_the_error_says_what_to_give(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(aifgraph.AifgraphError) as caught:
        call()
    assert said in str(caught.value)


def test_layers_by_the_words_of_the_headline() -> None:
    layers = aifgraph.compare(GRAPH, GRAPH).layers
    assert layers["argument"] is layers["propositional"]
    assert layers["dialogue"] is layers["dialogical"]
