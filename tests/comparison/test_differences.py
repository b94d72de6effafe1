"""Differences: one disagreement a row, and the rows add up to the matrices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

import aifgraph
from adjudication.laws import rows_add_up
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.cli import main
from strategies import graphs

DEBATE = Path("fixtures/debate")


CLAIMS = ("Masks help everyone", "They filter the air", "Vaccines are safe", "Trams are quick")


def pair() -> tuple[GraphBuilder, GraphBuilder, list[str]]:
    one, other = GraphBuilder(), GraphBuilder()
    for build in (one, other):
        ids = [build.proposition(text) for text in CLAIMS]
    return one, other, ids


def rows(one: GraphBuilder, other: GraphBuilder) -> list[tuple[str, str, int]]:
    differences = aifgraph.compare(one.graph(), other.graph()).differences()
    return [(row.group, row.kind, row.decisions) for row in differences]


@pytest.mark.parametrize(
    ("ours", "theirs", "row"),
    [
        ("RA 0 1", "RA 1 0", ("relations", "reversed", 2)),
        ("RA 0 1", "CA 0 1", ("relations", "relabelled", 1)),
        ("RA 0 1", "RA 0 2", ("relations", "re-attached", 2)),
        ("RA 0 1", "RA 3 1", ("relations", "re-attached", 2)),
        ("RA 0", "", ("relations", "missing", 0)),
    ],
)
def test_one_disagreement_is_one_row(ours: str, theirs: str, row: tuple[str, str, int]) -> None:
    one, other, ids = pair()
    for build, relation in ((one, ours), (other, theirs)):
        if relation:
            kind, start, *end = relation.split()
            node = build.node(kind, "Default Inference")
            build.edge(ids[int(start)], node)
            for place in end:
                build.edge(node, ids[int(place)])
    assert rows(one, other) == [row]


def test_a_relation_of_one_side_takes_its_illocution_with_it() -> None:
    one, other, ids = pair()
    for build in (one, other):
        said = [build.locution(f"Ann: {build.graph()[id_].text}") for id_ in ids[:2]]
        for locution, id_ in zip(said, ids, strict=False):
            build.illocution(locution, id_, "Asserting")
        answer = build.transition(*said)
    relation = one.inference([ids[1]], ids[0])
    act = one.illocution(answer, relation, "Arguing")
    (row,) = aifgraph.compare(one.graph(), other.graph()).differences()
    assert (row.group, row.kind, row.first, row.first_follows) == ("relations", "missing", (relation,), (act,))
    assert set(row.costs) == {"propositional_relations", "illocutions", "illocutionary_anchors", "transition_relations"}


def test_schemes_wordings_and_speakers() -> None:
    one, other = GraphBuilder(), GraphBuilder()
    for build, text, name in ((one, "Masks help everyone", "Ann"), (other, "masks help everybody", "Bob")):
        who = build.participant(name)
        build.locution("They filter the air", speaker=who)
        claim, reason = build.proposition(text), build.proposition("They filter")
        build.inference(
            [reason], claim, schemes=[aifgraph.graph.Scheme("15", "ExpertOpinion")] if name == "Ann" else []
        )
    assert sorted(rows(one, other)) == [
        ("locutions", "spoken by another", 0),
        ("propositions", "reworded", 0),
        ("relations", "scheme", 0),
    ]


@given(graphs(), graphs())
def test_rows_of_random_maps_add_up(first: ArgumentGraph, second: ArgumentGraph) -> None:
    rows_add_up(first, second)


def test_the_costliest_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["differences", str(DEBATE / "first.json"), str(DEBATE / "second.json")]) == 0
    costs = [int(cost) for cost in re.findall(r"^\w.*, cost (\d+)$", capsys.readouterr().out, re.MULTILINE)][1:]
    assert len(costs) == 8
    assert costs == sorted(costs, reverse=True)
