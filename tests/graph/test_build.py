"""What a builder refuses at once, and how it changes a graph."""

from __future__ import annotations

from pathlib import Path

import pytest

import aifgraph
from aifgraph import GraphBuilder, InputError, NotFoundError, OptionError
from aifgraph.graph import Scheme, SourceText, Span


def test_a_speaker_that_nobody_made() -> None:
    build = GraphBuilder()
    with pytest.raises(InputError, match="no participant 'Ann'"):
        build.locution("Ann: Masks help", speaker="Ann")
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
    for given in ("Expert Opinion", "15", ["ExpertOpinion"], expert, "Argument from Expert Opinion"):
        relation = build.inference([one], other, schemes=given)
        assert build.graph()[relation].schemes == (expert,)
    own = build.inference([one], other, schemes=Scheme(None, "My own"))
    assert build.graph()[own].schemes == (Scheme(None, "My own"),)
    with pytest.raises(NotFoundError, match="did you mean 'ExpertOpinion'"):
        build.inference([one], other, schemes="ExpertOpinon")
    with pytest.raises(NotFoundError, match=r"give Scheme\(None, name\)"):
        build.inference([one], other, schemes="zzzzz")
    with pytest.raises(OptionError, match="type int"):
        build.inference([one], other, schemes=[15])


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
    build = GraphBuilder.from_graph(graph)
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
