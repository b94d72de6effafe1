"""Baselines: what they hold, and that they are maps like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph import GraphBuilder, compare, open_corpus, validate
from aifgraph.align.analysis import analyse
from aifgraph.evaluation.baselines import BASELINES, Baseline, baseline, reading_order
from aifgraph.graph import ArgumentGraph
from evaluation.small_corpora import make_corpora

TEXT = "Masks help. They filter the air. They cost money."


def monologue() -> ArgumentGraph:
    """Nodes in another order than the text: the first premise is read second, the attack third."""
    build = GraphBuilder()
    build.source(TEXT)
    cost = build.proposition("They cost money", id="1")
    filters = build.proposition("They filter the air", id="2")
    claim = build.proposition("Masks help", id="3")
    build.inference([filters], claim)
    build.conflict(cost, claim)
    return build.graph()


def links(graph: ArgumentGraph) -> list[tuple[str, str, str]]:
    return [
        (relation.type, premise.id, conclusion.id)
        for relation in graph.relations
        for premise in graph.premises_of(relation)
        for conclusion in graph.conclusions_of(relation)
    ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("units", []), ("chain", [("RA", "2", "3"), ("RA", "1", "2")]), ("star", [("RA", "2", "3"), ("RA", "1", "3")])],
)
def test_relations_follow_the_order_of_the_text(kind: Baseline, expected: list[tuple[str, str, str]]) -> None:
    graph = monologue()
    analysis = baseline(graph, kind)
    assert links(analysis) == expected
    assert {node.id: node.text for node in analysis.propositions} == {node.id: node.text for node in graph.propositions}
    assert analysis.meta.source == graph.meta.source


def in_order(build: GraphBuilder) -> list[str]:
    analysis = analyse(build.graph())
    return [analysis.nodes[number].text for number in reading_order(analysis)]


def test_a_text_that_does_not_fit_decides_no_order() -> None:
    build = GraphBuilder()
    build.source("Nothing of this was ever analysed by anybody here.")
    for text, when in (("Ann: later words", "2020-01-01 10:00:02"), ("Ann: early talk", "2020-01-01 10:00:01")):
        build.illocution(build.locution(text, start=when), build.proposition(text[5:]), "Asserting")
    assert in_order(build) == ["Ann: early talk", "Ann: later words"]


def test_units_that_are_not_found_follow_the_one_before_them() -> None:
    build = GraphBuilder()
    build.source("One two. Three four.")
    texts = ("nobody wrote that", "three four", "unheard of", "one two")
    for text in texts:
        build.proposition(text)
    assert in_order(build) == [texts[3], texts[1], texts[2], texts[0]]


@pytest.mark.parametrize("kind", BASELINES)
def test_a_dialogue_is_asserted_in_a_chain_of_transitions(tmp_path: Path, kind: Baseline) -> None:
    gold = make_corpora(tmp_path, 1)[0]
    graph = open_corpus(gold)["map0"].load()
    analysis = baseline(graph, kind)
    assert [node.id for node in analysis.locutions] == [node.id for node in graph.locutions]
    assert len(analysis.transitions) == len(graph.locutions) - 1
    for locution in analysis.locutions:
        assert [act.text for act in analysis.successors(locution) if act.type == "YA"] == ["Asserting"]
        assert analysis.content_of(locution) == tuple(
            analysis[node.id] for node in graph.content_of(locution) if node.type == "I"
        )
    for relation in analysis.relations:
        assert [act.text for act in analysis.illocutions_of(relation)] == ["Arguing"]
    for profile in ("aif", "iat"):
        assert not [each for each in validate(analysis, profile=profile) if each.level == "error"]
    result = compare(graph, analysis)
    assert result.segmentation.S == 1
    assert result.alignment.propositions
    if kind == "units":
        assert result.calculations["propositional_relations"].scores["f1"] == 0


def test_what_the_analyst_added_is_left_out_and_what_is_only_said_is_asserted() -> None:
    build = GraphBuilder()
    first, second = build.locution("Ann: Masks help"), build.locution("Bob: Yes")
    claim = build.proposition("Masks help")
    step = build.transition(first, second)
    build.illocution(first, claim, "Asserting")
    build.illocution(step, claim, "Agreeing")
    build.illocution(build.locution("Coder: Ann: Masks help"), claim, "Analysing")
    analysis = baseline(build.graph(), "units")
    assert [node.text for node in analysis.locutions] == ["Ann: Masks help", "Bob: Yes"]
    assert [node.text for node in analysis.propositions] == ["Masks help", "Yes"]
    assert {act.text for act in analysis.illocutions} == {"Asserting"}
