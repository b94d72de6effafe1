"""Differences: one disagreement a row, and the rows add up to the matrices."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

import aifgraph
from aifgraph import ArgumentGraph, Comparison, GraphBuilder
from aifgraph.comparison.calculations.registry import CALCULATIONS
from strategies import arguments, graphs

DATA = Path("../shared/data")
DEBATE = Path("fixtures/debate")


def off_diagonal(result: Comparison) -> Counter[str]:
    """The decisions off the diagonal by calculation, without those of none."""
    return +Counter(
        {
            name: scored.matrix.total - sum(row[place] for place, row in enumerate(scored.matrix.rows))
            for name, scored in result.calculations.items()
            if scored.applicable
        }
    )


def check(first: ArgumentGraph, second: ArgumentGraph) -> None:
    result = aifgraph.compare(first, second, calculations=tuple(CALCULATIONS))
    differences = result.differences()
    assert differences.decisions == off_diagonal(result)
    nodes = [node for row in differences for node in (*row.nodes, *row.follows)]
    assert len(nodes) == len(set(nodes))
    assert len({row.id for row in differences}) == len(differences)
    assert differences.lead.endswith(".")


def pair() -> tuple[GraphBuilder, GraphBuilder, list[str]]:
    one, other = GraphBuilder(), GraphBuilder()
    claims = ["Masks help everyone", "They filter the air", "Vaccines are safe", "Trams are quick"]
    for build in (one, other):
        ids = [build.proposition(text) for text in claims]
    return one, other, ids


def rows(one: GraphBuilder, other: GraphBuilder) -> list[tuple[str, str, int]]:
    differences = aifgraph.compare(one.graph(), other.graph()).differences()
    return [(row.group, row.kind, row.decisions) for row in differences]


def test_reversed_is_one_row() -> None:
    one, other, ids = pair()
    one.inference([ids[0]], ids[1])
    other.inference([ids[1]], ids[0])
    assert rows(one, other) == [("relations", "reversed", 2)]


def test_relabelled_is_one_row() -> None:
    one, other, ids = pair()
    one.inference([ids[0]], ids[1])
    other.conflict(ids[0], ids[1])
    assert rows(one, other) == [("relations", "relabelled", 1)]


def test_reattached_is_one_row_either_way() -> None:
    one, other, ids = pair()
    one.inference([ids[0]], ids[1])
    other.inference([ids[0]], ids[2])
    assert rows(one, other) == [("relations", "re-attached", 2)]
    one, other, ids = pair()
    one.inference([ids[0]], ids[1])
    other.inference([ids[3]], ids[1])
    assert rows(one, other) == [("relations", "re-attached", 2)]


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


def test_a_relation_without_conclusion_is_listed() -> None:
    one, other, ids = pair()
    one.edge(ids[0], one.node("RA", "Default Inference"))
    assert rows(one, other) == [("relations", "missing", 0)]


def test_rows_keep_their_ids_when_sides_are_swapped() -> None:
    first, second = aifgraph.load(DEBATE / "first.json"), aifgraph.load(DEBATE / "second.json")
    here, there = aifgraph.compare(first, second).differences(), aifgraph.compare(second, first).differences()
    assert {row.id for row in here} == {row.id for row in there}


@given(graphs(), graphs())
@settings(max_examples=150, deadline=None)
def test_rows_of_random_graphs_add_up(first: ArgumentGraph, second: ArgumentGraph) -> None:
    check(first, second)


@given(arguments(), arguments())
@settings(max_examples=100, deadline=None)
def test_rows_of_random_arguments_add_up(first: ArgumentGraph, second: ArgumentGraph) -> None:
    check(first, second)


def test_rows_of_fixtures_add_up() -> None:
    maps = [
        aifgraph.load(path)
        for folder in ("debate", "debates/ann", "debates/ben")
        for path in sorted(Path("fixtures", folder).glob("*.json"))
    ]
    for first in maps:
        for second in maps:
            check(first, second)


def data_pairs() -> list[tuple[Path, Path]]:
    """Every pair of maps of the shared data that is of one text."""
    araucaria, dialam = DATA / "araucaria", DATA / "dialam-2024" / "test"
    found = [(DATA / "xaif" / "28111.json", DATA / "xaif" / "28111_mistake.json")]
    for line in (araucaria / "same_text_pairs.tsv").read_text("utf-8").splitlines() if araucaria.exists() else ():
        names = [name if name.endswith(".json") else f"{name}.json" for name in line.split("\t")[:2]]
        found.append((araucaria / names[0], araucaria / names[1]))
    found += [(path, dialam / "system" / path.name) for path in sorted((dialam / "gold").glob("*.json"))]
    return [pair for pair in found if all(path.exists() for path in pair)]


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="../shared/data is missing")
def test_rows_of_real_pairs_add_up() -> None:
    pairs = data_pairs()
    assert len(pairs) > 20
    for first, second in pairs:
        check(aifgraph.load(first), aifgraph.load(second))
