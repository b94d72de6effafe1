"""The graph itself: order, immutability, walking, speakers, chains, travelling; what a builder refuses, and changes."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import pytest
from hypothesis import given

import aifgraph
from aifgraph import GraphBuilder
from aifgraph.errors import InputError, NotFoundError
from aifgraph.graph import ArgumentGraph, Edge, Scheme, SourceText, Span, make_node
from aifgraph.graph.meta import speaker_prefix, without_speaker
from aifgraph.graph.traverse import tree_lines
from strategies import graphs


def debate() -> tuple[ArgumentGraph, dict[str, str]]:
    """Ann claims, Bob gives a reason, Ann attacks the step; ids by name."""
    build = aifgraph.GraphBuilder(name="debate")
    ann, bob = build.participant("Ann", "Lee"), build.participant("Bob")
    ids = {
        "l1": build.locution("Ann Lee: Masks help", speaker=ann, start="2021-11-11 21:50:00"),
        "l2": build.locution("Bob: They filter", speaker=bob),
        "l3": build.locution("Cy: Not all of them"),
        "claim": build.proposition("Masks help"),
        "reason": build.proposition("They filter"),
        "doubt": build.proposition("Not all of them"),
    }
    for number, content in (("1", "claim"), ("2", "reason"), ("3", "doubt")):
        ids[f"y{number}"] = build.illocution(ids[f"l{number}"], ids[content], "Asserting")
    ids["t1"] = build.transition(ids["l1"], ids["l2"])
    ids["t2"] = build.transition(ids["l2"], ids["l3"])
    ids["ra"] = build.inference([ids["reason"]], ids["claim"])
    ids["ca"] = build.conflict(ids["doubt"], ids["ra"])
    ids["arguing"] = build.illocution(ids["t1"], ids["ra"], "Arguing")
    return build.graph(), ids


def names(ids: dict[str, str], nodes: tuple[object, ...]) -> list[str]:
    back = {id_: name for name, id_ in ids.items()}
    return [back[node.id] for node in nodes]


def test_walking() -> None:
    graph, ids = debate()
    assert names(ids, graph.propositions) == ["claim", "reason", "doubt"]
    assert names(ids, graph.locutions) == ["l1", "l2", "l3"]
    assert names(ids, graph.inferences) == ["ra"]
    assert names(ids, graph.conflicts) == ["ca"]
    assert names(ids, graph.relations) == ["ra", "ca"]
    assert names(ids, graph.transitions) == ["t1", "t2"]
    assert names(ids, graph.illocutions) == ["y1", "y2", "y3", "arguing"]
    assert graph.rephrasings == graph.preferences == graph.others == ()
    # Neither the conflict that attacks the inference nor the illocution that anchors it is a premise.
    assert names(ids, graph.premises_of(ids["ra"])) == ["reason"]
    assert names(ids, graph.conclusions_of(ids["ca"])) == ["ra"]
    assert names(ids, graph.anchors_of(ids["ra"])) == ["t1"]
    assert names(ids, graph.anchors_of(ids["claim"])) == ["l1"]
    assert names(ids, graph.anchors_of(ids["arguing"])) == ["t1"]
    assert names(ids, graph.content_of(ids["t1"])) == ["ra"]
    assert names(ids, graph.content_of(ids["y2"])) == ["reason"]
    assert names(ids, graph.premises_of(ids["t2"])) == ["l2"]
    assert names(ids, graph.conclusions_of(ids["t2"])) == ["l3"]
    assert graph.locution_of(ids["ra"]) is None
    assert graph.locution_of(ids["doubt"]) == graph[ids["l3"]]


def test_speakers() -> None:
    graph, ids = debate()
    people = [graph.speaker_of(ids[name]) for name in ("l1", "reason", "doubt", "ra")]
    assert [person and (person.id, person.name) for person in people] == [
        ("1", "Ann Lee"),
        ("2", "Bob"),
        ("", "Cy"),
        None,
    ]
    assert graph.records_of(ids["l1"])[0].start == "2021-11-11 21:50:00"


@pytest.mark.parametrize(
    ("text", "speaker", "said"),
    [
        ("Ann Lee: Masks help", "Ann Lee", "Masks help"),
        ("Ann Lee : Masks help ", "Ann Lee", "Masks help"),
        ("Carl: Ann: yes", "Carl", "Ann: yes"),
        ("at 10:30 we left", "", "at 10:30 we left"),  # no white space behind the colon
        ("Ann:", "", "Ann:"),
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


def test_chains_end_in_circles() -> None:
    build = aifgraph.GraphBuilder()
    a, b, c = (build.proposition(text) for text in "abc")
    build.inference([a], b)
    build.inference([b], c)
    build.inference([c], a)
    graph = build.graph()
    lines = list(tree_lines(graph))
    assert any(line.endswith("…") for line in lines)
    assert {line.strip("+ …") for line in lines} == {"a", "b", "c"}


def test_a_long_chain_needs_no_recursion() -> None:
    build = aifgraph.GraphBuilder()
    ids = [build.proposition(str(n)) for n in range(3000)]
    for one, other in itertools.pairwise(ids):
        build.inference([one], other)
    graph = build.graph()
    lines = list(tree_lines(graph))
    assert len(lines) == 3000
    assert lines[2] == "    + 2997"
    assert lines[-1].strip() == "(2999) + 0"
    assert max(map(len, lines)) < 120


def test_tree() -> None:
    graph, _ = debate()
    lines = list(tree_lines(graph))
    assert lines[0] == "Masks help"
    assert lines[1].startswith("  + They filter")
    assert any("Not all of them" in line and "−" in line for line in lines)


def test_the_graph_does_not_change() -> None:
    graph, ids = debate()
    for name in ("name", "edges", "meta", "other"):
        with pytest.raises(AttributeError):
            setattr(graph, name, "other")
    with pytest.raises(AttributeError):
        del graph.edges
    with pytest.raises(TypeError):
        graph[ids["claim"]] = graph[ids["claim"]]
    with pytest.raises(TypeError):
        graph + graph
    with pytest.raises(AttributeError):
        graph[ids["claim"]].text = "other"
    for sequence in (graph.nodes, graph.edges, graph.propositions, graph.speakers):
        assert type(sequence) is tuple
        assert not callable(sequence)


def test_what_no_graph_can_be() -> None:
    a, b = make_node("I", "a"), make_node("I", "b")
    for nodes, edges in (
        ([a, a], []),
        ([a, b], [Edge("a", "b"), Edge("a", "b")]),
        ([a], [Edge("a", "z")]),
        ([a], [Edge("a", "a")]),
    ):
        with pytest.raises(InputError):
            ArgumentGraph(nodes, edges)
    graph = ArgumentGraph([a, b], [Edge("a", "b")])
    with pytest.raises(NotFoundError):
        graph["z"]


def test_the_builder_checks_what_comes() -> None:
    build = aifgraph.GraphBuilder()
    a = build.proposition("a", id="7")
    assert a == "7"
    with pytest.raises(InputError, match="given twice"):
        build.proposition("b", id="7")
    with pytest.raises(InputError, match="unknown end"):
        build.inference(["8"], a)
    assert "8" not in build
    with pytest.raises(InputError, match="itself"):
        build.edge(a, a)
    b = build.proposition("b")
    build.edge(a, b)
    assert build.has_edge(a, b)
    with pytest.raises(InputError, match="twice"):
        build.edge(a, b)


def test_going_on_with_a_graph() -> None:
    graph, ids = debate()
    build = aifgraph.GraphBuilder(graph)
    assert build.graph() == graph
    new = build.proposition("One thing more")
    assert new not in graph
    again = build.graph()
    assert again != graph
    assert [node.id for node in again.nodes[:-1]] == [node.id for node in graph.nodes]
    assert again[new].text == "One thing more"
    assert ids["claim"] in again


def test_node_classes() -> None:
    assert make_node("ra", "1").type == "RA"
    other = make_node("en", "1", "x")
    assert (other.type, other.kind) == ("EN", "")
    node = make_node("I", "1", "x", (), {"nodeID": "1", "text": "x", "type": "I", "timestamp": 5, "mood": "good"})
    assert node.timestamp == "5"
    assert node.extra == {"mood": "good"}
    assert hash(make_node("I", "1", "x")) == hash(node)


@given(graphs())
def test_pickling_and_equality(graph: ArgumentGraph) -> None:
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph
    assert again.name == graph.name
    assert [node.record for node in again] == [node.record for node in graph]
    assert again.meta == graph.meta
    for node in graph:
        assert node.id in graph
        assert all(node in graph.predecessors(other) for other in graph.successors(node))
    assert sum(len(graph.successors(node)) for node in graph) == len(graph.edges)


@given(graphs())
def test_every_tree_shows_every_proposition(graph: ArgumentGraph) -> None:
    lines = list(tree_lines(graph))
    for node in graph.propositions:
        assert any(" ".join(node.text.split()) in line for line in lines)


def test_an_undercut_is_no_premise() -> None:
    build = aifgraph.GraphBuilder()
    claim, reason, doubt = build.proposition("a"), build.proposition("b"), build.proposition("c")
    inference = build.inference([reason], claim)
    undercut = build.conflict(doubt, inference)
    from_inference = build.conflict(inference, doubt)
    graph = build.graph()
    assert [node.id for node in graph.premises_of(inference)] == [reason]
    assert [node.id for node in graph.conclusions_of(undercut)] == [inference]
    assert [node.id for node in graph.premises_of(from_inference)] == [inference]


def test_a_speaker_that_nobody_made() -> None:
    build = GraphBuilder()
    with pytest.raises(InputError, match="no participant '7'"):
        build.locution("Ann: Masks help", speaker="7")
    assert len(build.graph()) == 0


def test_two_participants_of_one_id() -> None:
    build = GraphBuilder()
    build.participant("Ann", id="7")
    with pytest.raises(InputError, match="participant 7: a participant id is given twice"):
        build.participant("Bob", id="7")
    assert [build.participant("Cy"), build.participant("Di")] == ["1", "2"]


def test_schemes_by_name_and_id() -> None:
    build = GraphBuilder()
    one, other = build.proposition("a"), build.proposition("b")
    expert = Scheme("15", "ExpertOpinion")
    for scheme in ("Expert Opinion", "15", ["ExpertOpinion"], expert, "Argument from Expert Opinion"):
        relation = build.inference([one], other, schemes=scheme)
        assert build.graph()[relation].schemes == (expert,)
    own = build.inference([one], other, schemes=Scheme(None, "My own"))
    assert build.graph()[own].schemes == (Scheme(None, "My own"),)
    with pytest.raises(NotFoundError, match="there is no scheme 'ExpertOpinon' for RA"):
        build.inference([one], other, schemes="ExpertOpinon")


@pytest.mark.parametrize(
    ("verb", "ends"),
    [
        ("inference", (["l"], "i")),
        ("inference", (["i"], "l")),
        ("conflict", ("ta", "i")),
        ("rephrase", ("i", "ya")),
        ("transition", ("i", "l")),
        ("transition", ("l", "ra")),
        ("illocution", ("i", "i2", "Asserting")),
    ],
)
def test_ends_of_the_wrong_type(verb: str, ends: tuple[object, ...]) -> None:
    build = GraphBuilder()
    for type_, id_ in (("I", "i"), ("I", "i2"), ("L", "l"), ("TA", "ta"), ("YA", "ya"), ("RA", "ra")):
        build.node(type_, id=id_)
    before = build.graph()
    with pytest.raises(InputError, match="cannot be an end of"):
        getattr(build, verb)(*ends)
    assert build.graph() == before
    build.conflict("i", "ra")
    build.inference(["ra"], "i")
    build.illocution("ta", "ra", "Arguing")


def test_changing_a_graph(tmp_path: Path) -> None:
    graph = aifgraph.load("fixtures/debate/first.json")
    build = GraphBuilder(graph)
    assert build.graph() == graph
    claim = graph.roots()[0]
    build.update(claim.id, text="Another claim")
    changed = build.graph()
    assert changed[claim.id].text == "Another claim"
    assert graph[claim.id].text == claim.text
    assert aifgraph.from_dict(aifgraph.to_dict(changed)) == changed
    locution = graph.locutions[0]
    build.remove(locution.id, *(act.id for act in graph.successors(locution)))
    less = build.graph()
    assert locution not in less
    assert all(record.node_id != locution.id for record in less.meta.locutions)
    assert all(locution.id not in (edge.source, edge.target) for edge in less.edges)
    assert aifgraph.from_dict(aifgraph.to_dict(less)) == less
    with pytest.raises(NotFoundError, match=locution.id):
        build.remove(claim.id, locution.id)
    assert claim.id in build
    with pytest.raises(NotFoundError):
        build.update("nothing", text="x")
    edge = less.edges[0]
    build.remove_edge(edge.source, edge.target)
    assert len(build.graph().edges) == len(less.edges) - 1
    with pytest.raises(NotFoundError):
        build.remove_edge(edge.source, edge.target)


def test_places_in_the_text_go_with_their_node() -> None:
    build = GraphBuilder()
    one, other = build.proposition("Masks"), build.proposition("help")
    build.source(SourceText("Masks help", spans=(Span(one, 0, 5), Span(other, 6, 10))))
    build.remove(one)
    assert build.graph().meta.source == SourceText("Masks help", spans=(Span(other, 6, 10),))
    assert build.proposition("Masks", id=one) == one
