"""What people do with a graph: finding, walking, cutting, counting steps."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest
from hypothesis import given

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.errors import NotFoundError
from aifgraph.graph import Edge, Meta, Participant, make_node
from sampled import LONG
from strategies import graphs


def undercut_map() -> tuple[ArgumentGraph, dict[str, str]]:
    """Two linked reasons, one of them supported; the inference is undercut, and all is said by two people."""
    build = GraphBuilder(name="undercut")
    ann = build.participant("Ann", "Lee", id="7")
    said = {
        "claim": "Masks help",
        "one": "They filter",
        "two": "Viruses are in the air",
        "study": "A study says so",
        "doubt": "Not if worn badly",
        "again": "Masks are of use",
    }
    ids = {name: build.proposition(text, id=name) for name, text in said.items()}
    for number, name in enumerate(said):
        speaker = ann if number % 2 == 0 else None
        prefix = "Ann Lee" if speaker else "Bob"
        start = f"2021-11-11 21:{50 + number}:00"
        locution = build.locution(f"{prefix}: {said[name]}", id=f"l-{name}", speaker=speaker, start=start)
        build.illocution(locution, name, "Asserting", id=f"y-{name}")
    build.transition("l-claim", "l-one", id="ta")
    ids["ra"] = build.inference(["one", "two"], "claim", id="ra")
    build.illocution("ta", "ra", "Arguing", id="y-ra")
    build.inference(["study"], "one", id="ra2")
    build.conflict("doubt", "ra", id="ca")
    build.rephrase("again", "claim", id="ma")
    build.proposition("Alone", id="alone")
    return build.graph(), ids


def ids_of(nodes: object) -> list[str]:
    return [node.id for node in nodes]


def test_one_step() -> None:
    graph, _ = undercut_map()
    assert [(step.node.id, step.relation.id) for step in graph.supports("claim")] == [("one", "ra"), ("two", "ra")]
    assert [(step.node.id, step.relation.id) for step in graph.attacks("ra")] == [("doubt", "ca")]
    assert graph.attacks("claim") == graph.supports("alone") == ()
    assert [step.node.text for step in graph.rephrases("claim")] == ["Masks are of use"]
    assert ids_of(graph.rephrasings) == ["ma"]
    with pytest.raises(KeyError):
        graph.supports("nothing")


def test_roots_and_leaves() -> None:
    graph, _ = undercut_map()
    assert ids_of(graph.roots()) == ["claim", "alone"]
    assert ids_of(graph.leaves()) == ["two", "study", "doubt", "again", "alone"]


def test_far_away() -> None:
    graph, _ = undercut_map()
    assert [node.id for node in graph.ancestors("claim") if node.type == "I"] == [
        "one",
        "two",
        "study",
        "doubt",
        "again",
    ]
    assert [node.id for node in graph.descendants("study")] == ["claim", "one", "ra", "ra2"]
    assert [len(part) for part in graph.components()] == [len(graph) - 1, 1]


def test_a_subgraph_has_what_is_between_and_what_anchors_it() -> None:
    graph, _ = undercut_map()
    part = graph.subgraph(["one", graph["two"], "claim", "doubt"])
    assert ids_of(part.relations) == ["ra", "ca"]
    assert ids_of(part.propositions) == ["claim", "one", "two", "doubt"]
    assert ids_of(part.locutions) == ["l-claim", "l-one", "l-two", "l-doubt"]
    assert ids_of(part.transitions) == ["ta"]
    assert {record.node_id for record in part.meta.locutions} == set(ids_of(part.locutions))
    assert [person.name for person in part.participants] == ["Ann Lee"]
    assert aifgraph.compare(part, part).cass["kappa"] == 1
    bare = graph.subgraph(["one", "two", "claim"], anchors=False)
    assert ids_of(bare) == ["claim", "one", "two", "ra"]
    assert bare.participants == ()
    assert graph.subgraph(graph) == graph
    with pytest.raises(NotFoundError, match="nothing"):
        graph.subgraph(["nothing"])


def test_finding() -> None:
    graph, _ = undercut_map()
    assert [node.id for node in graph.find("masks  HELP")] == ["claim", "l-claim"]
    assert graph.find("masks halp") == ()
    assert ids_of(graph.filter("i", speaker="Bob")) == ["one", "study", "again"]
    assert ids_of(graph.filter("L", speaker="7")) == ["l-claim", "l-two", "l-doubt"]


def test_schemes() -> None:
    graph = aifgraph.load("fixtures/debate/first.json")
    named = graph.filter(scheme="Default Inference")
    assert named == graph.filter(scheme="72")
    assert named
    assert named[0].scheme.name == "Default Inference"
    assert graph.propositions[0].scheme is None


def test_speakers_with_and_without_participants() -> None:
    graph, _ = undercut_map()
    assert [(person.id, person.name) for person in graph.speakers] == [("7", "Ann Lee"), ("", "Bob")]
    assert [person.name for person in graph.participants] == ["Ann Lee"]
    assert ids_of(graph.filter("L", speaker="Bob")) == ["l-one", "l-study", "l-again"]
    assert graph.filter(speaker=Participant("7", "Ann", "Lee")) == graph.filter(speaker="Ann Lee")
    assert graph.filter("L", speaker="nobody") == ()


def test_ids_as_people_give_them() -> None:
    graph = ArgumentGraph([make_node("I", "3", "x")], [])
    node = graph["3"]
    assert graph[3] is graph[node] is graph.get(3) is node
    assert graph.get("4") is None
    assert graph.get("4", "none") == "none"
    assert node in graph
    assert 3 in graph
    assert make_node("I", "3", "y") not in graph
    assert None not in graph
    with pytest.raises(KeyError):
        graph[4]
    assert graph.successors(3) == ()


def test_a_repr_is_one_short_line() -> None:
    node = make_node("I", "3", "word\n" * 1000)
    graph = ArgumentGraph([node], [], name="folder/" * 100 + "map.json")
    assert len(repr(node)) < 120
    assert "\n" not in repr(node)
    assert len(repr(graph)) < 120
    assert "map.json" in repr(graph)
    assert repr(make_node("RA", "1", "Default Inference")) == "Inference(id='1', text='Default Inference')"


def test_ids_of_edges_do_not_make_graphs_differ() -> None:
    nodes = [make_node("I", "1"), make_node("RA", "2")]
    one, other = (ArgumentGraph(nodes, [Edge("1", "2", id_)], Meta()) for id_ in (None, "e1"))
    assert one == other
    assert hash(one) == hash(other)
    assert one != ArgumentGraph(nodes, [Edge("2", "1")])


def test_errors_are_those_of_python_too(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        aifgraph.load(tmp_path / "nothing.json")
    assert caught.value.filename == str(tmp_path / "nothing.json")
    with pytest.raises(KeyError, match="there is no node 5"):
        GraphBuilder().graph()["5"]
    (tmp_path / "map.json").write_text('{"nodes": []}')
    with pytest.raises(KeyError):
        aifgraph.open_corpus(tmp_path)["other"]


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize("circle", [False, True])
def test_long_chains_take_no_recursion_and_no_long_time(circle: bool) -> None:
    count = 50_000 if LONG else 12_000
    build = GraphBuilder()
    ids = [build.proposition(str(number)) for number in range(count)]
    for one, other in itertools.pairwise(ids):
        build.inference([one], other)
    if circle:
        build.inference([ids[-1]], ids[0])
    graph = build.graph()
    start = time.process_time()
    assert len(graph.ancestors(ids[-1])) == 2 * count - (1 if circle else 2)
    assert len(graph.components()) == 1
    assert len(graph.subgraph(ids)) == len(graph)
    assert len(graph.roots()) == (0 if circle else 1)
    assert graph.speakers == ()
    assert len(graph.find(str(count - 1))) == 1
    assert time.process_time() - start < count / 500  # a third of that; quadratic, it would take minutes


def test_many_speakers_take_no_long_time() -> None:
    build = GraphBuilder()
    for number in range(20_000):
        build.locution("Yes", speaker=build.participant(f"P{number}", id=str(number)))
    start = time.process_time()
    assert len(build.graph().speakers) == 20_000
    assert time.process_time() - start < 5


@given(graphs())
def test_any_graph_is_walked(graph: ArgumentGraph) -> None:
    order = {node.id: number for number, node in enumerate(graph)}
    assert sum(len(part) for part in graph.components()) == len(graph)
    for node in graph:
        below, above = graph.ancestors(node), graph.descendants(node)
        assert [order[each.id] for each in below] == sorted(order[each.id] for each in below)
        assert all(node in graph.descendants(each) for each in below)
        assert all(node in graph.ancestors(each) for each in above)
        assert {node, *below, *above} <= set(next(part for part in graph.components() if node in part))
        part = graph.subgraph([node])
        assert node in part
        assert all(edge in graph.edges for edge in part.edges)
    assert graph.subgraph(graph).nodes == graph.nodes
