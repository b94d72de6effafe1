"""Graphs: equality, walking, selecting, speakers, parts; and that the values are plain Python."""

import copy
import itertools
import pickle
import time
import typing
from dataclasses import replace

import pytest
from hypothesis import given

from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.errors import InputError, NotFoundError
from aifgraph.graph import Edge, Participant, Scheme, SourceText, Span, make_node
from aifgraph.graph.side_data import parse_time, speaker_prefix, without_speaker
from aifgraph.graph.walk import tree_lines
from documents import debate
from strategies import LONG, graphs


def ids(nodes: typing.Iterable[typing.Any]) -> list[str]:
    return [node.id for node in nodes]


def test_premises_and_conclusions() -> None:
    graph = debate()
    # Neither the conflict that attacks the inference nor the illocution that anchors it is a premise.
    assert ids(graph.premises_of("ra")) == ["one", "two"]
    assert ids(graph.conclusions_of("ca")) == ["ra"]
    assert graph.conclusions_of("ra") == (graph["claim"],)
    assert (ids(graph.premises_of("ta")), ids(graph.conclusions_of("ta"))) == (["l-claim"], ["l-one"])
    builder = GraphBuilder(graph)
    from_relation = builder.conflict("ra", "alone")
    assert ids(builder.graph().premises_of(from_relation)) == ["ra"]


def test_steps() -> None:
    graph = debate()
    assert [(step.node.id, step.relation.id) for step in graph.supports("claim")] == [("one", "ra"), ("two", "ra")]
    assert [(step.node.id, step.relation.id) for step in graph.attacks("ra")] == [("doubt", "ca")]
    assert [step.node.id for step in graph.rephrases("claim")] == ["again"]
    assert graph.attacks("claim") == graph.supports("alone") == ()


def test_what_is_said_where() -> None:
    graph = debate()
    assert ids(graph.anchors_of("ra")) == ids(graph.anchors_of("y-ra")) == ["ta"]
    assert ids(graph.anchors_of("claim")) == ["l-claim"]
    assert ids(graph.content_of("ta")) == ["ra"]
    assert ids(graph.content_of("l-one")) == ids(graph.content_of("y-one")) == ["one"]
    assert ids(graph.illocutions_of("claim")) == ["y-claim"]
    assert graph.locution_of("doubt") == graph["l-doubt"]
    assert graph.locution_of("ra") is None


def test_a_subgraph_has_what_is_between_and_what_anchors_it() -> None:
    graph = debate()
    part = graph.subgraph(["one", graph["two"], "claim", "doubt"])
    assert ids(part.relations) == ["ra", "ca"]
    assert ids(part.locutions) == ["l-claim", "l-one", "l-two", "l-doubt"]
    assert ids(part.transitions) == ["ta"]
    assert [record.node_id for record in part.meta.locutions] == ["l-claim", "l-two", "l-doubt"]
    assert part.participants == graph.participants
    bare = graph.subgraph(["one", "two", "claim"], anchors=False)
    assert (ids(bare), bare.participants) == (["claim", "one", "two", "ra"], ())
    assert graph.subgraph(graph) == graph
    with pytest.raises(NotFoundError):
        graph.subgraph(["nothing"])


@given(graphs())
def test_any_graph_is_walked(graph: ArgumentGraph) -> None:
    parts = graph.components()
    assert sum(map(len, parts)) == len(graph)
    assert sum(len(graph.successors(node)) for node in graph) == len(graph.edges)
    for node in graph:
        assert all(node in graph.predecessors(other) for other in graph.successors(node))
        assert all(edge in graph.edges for edge in graph.subgraph([node]).edges)
    assert graph.subgraph(graph).nodes == graph.nodes


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
@pytest.mark.parametrize("circle", [False, True])
def test_long_chains_take_no_recursion_and_no_long_time(circle: bool) -> None:
    count = 50_000 if LONG else 12_000
    builder = GraphBuilder()
    chain = [builder.proposition(str(number)) for number in range(count)]
    for one, other in itertools.pairwise([*chain, chain[0]] if circle else chain):
        builder.inference([one], other)
    graph = builder.graph()
    start = time.process_time()
    assert len(graph.components()) == 1
    assert len(graph.subgraph(chain)) == len(graph)
    assert len(graph.roots()) == (0 if circle else 1)
    assert time.process_time() - start < count / 500


@pytest.mark.parametrize(
    ("text", "speaker", "said"),
    [
        ("Ann Lee: Masks help", "Ann Lee", "Masks help"),
        ("Ann Lee : Masks help ", "Ann Lee", "Masks help"),
        ("Carl: Ann: yes", "Carl", "Ann: yes"),
        ("at 10:30 we left", "", "at 10:30 we left"),  # no white space behind the colon
        ("Ann: ", "", "Ann:"),  # nothing behind it
        (": no", "", ": no"),
        ("a" * 60 + ": x", "a" * 60, "x"),
        ("a" * 61 + ": x", "", "a" * 61 + ": x"),
        ("first line\nAnn: x", "", "first line\nAnn: x"),
        ("Ann:\n x", "Ann", "x"),
        (" Ann: x", "Ann", "x"),
        ("小明：茶很好", "", "小明：茶很好"),  # the wide colon is another character
    ],
)
def test_speaker_prefixes(text: str, speaker: str, said: str) -> None:
    assert (speaker_prefix(text), without_speaker(text)) == (speaker, said)


@pytest.mark.parametrize(
    ("text", "year"),
    [("2019-03-06 14:31:23", 2019), ("2021-11-11T21:50:00+00:00", 2021), ("Thu Nov 11 2021 21:50:00 GMT+0000", 2021),
     (None, None), ("", None), ("after the break", None), ("2019-13-45 10:00:00", None), ("Thu Foo 9 2021", None)],
)  # fmt: skip
def test_times(text: str | None, year: int | None) -> None:
    time = parse_time(text)
    assert (time and time.year) == year


def test_the_place_of_a_node_in_the_text() -> None:
    builder = GraphBuilder()
    said, claim = builder.locution("Ann: Masks help", id="31"), builder.proposition("Masks help", id="32")
    act = builder.illocution(said, claim)
    marked = 'Ann: <span class="highlighted" id="node31">Masks help</span>.'
    builder.source(SourceText.from_html(marked))
    graph = builder.graph()
    assert graph.text == "Ann: Masks help."
    assert graph.span_of(31) == graph.span_of(claim) == graph.span_of(act) == Span("31", 5, 15)
    assert graph.meta.source is not None
    assert graph.meta.source.to_html() == marked
    assert graph.with_meta(source=None).span_of("32") is None


@pytest.mark.parametrize(
    ("nodes", "edges"), [("aa", []), ("ab", [("a", "b"), ("a", "b")]), ("a", [("a", "z")]), ("a", [("a", "a")])]
)
def test_what_no_graph_can_be(nodes: str, edges: list[tuple[str, str]]) -> None:
    with pytest.raises(InputError):
        ArgumentGraph(tuple(make_node("I", id_) for id_ in nodes), tuple(Edge(*ends) for ends in edges))


def test_equality_looks_at_what_files_keep() -> None:
    nodes = (make_node("I", "1"), make_node("RA", "2", "", (Scheme("1", "a"), Scheme("2", "b"))))
    one, other = (ArgumentGraph(nodes, (Edge("1", "2", id_),)) for id_ in (None, "e1"))
    assert one == other
    assert hash(one) == hash(other)
    assert one.diff(other) == ()
    assert one == ArgumentGraph((nodes[0], make_node("RA", "2", "", nodes[1].schemes[::-1])), one.edges)
    assert one != ArgumentGraph(nodes, (Edge("2", "1"),))
    assert one != ArgumentGraph(nodes[::-1], one.edges)
    assert one != ArgumentGraph((replace(nodes[0], extra={"confidence": 0.9}), nodes[1]), one.edges)
    assert one != ArgumentGraph(nodes, (Edge("1", "2", None, {"confidence": 0.9}),))
    assert one != one.with_meta(participants=(Participant("1", "Ann"),))


@given(graphs())
def test_copies_and_pickles(graph: ArgumentGraph) -> None:
    for again in (pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph)):
        assert again == graph
        assert (again.name, again.meta) == (graph.name, graph.meta)
        assert [node.extra for node in again] == [node.extra for node in graph]


def test_differences_are_listed() -> None:
    graph = debate()
    builder = GraphBuilder(graph)
    builder.update("claim", text="Masks do help")
    builder.remove("alone")
    builder.source("A text")
    differences = graph.diff(builder.graph())
    assert [line.split()[0] for line in differences] == ["node", "node", "source"]
    assert "'Masks do help'" in differences[0]
    assert graph.diff(builder.graph(), limit=1) == differences[:1]


def test_an_undercut_is_a_step_below_what_it_is_about() -> None:
    builder = GraphBuilder()
    inference = builder.inference([builder.proposition("reason")], builder.proposition("claim"))
    builder.conflict(builder.proposition("doubt"), inference)
    assert [*tree_lines(builder.graph())] == ["claim", "  + reason", "    −[+] doubt"]
