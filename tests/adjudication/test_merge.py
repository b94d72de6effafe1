"""Merging: the laws, over random pairs, fixtures and real data; decisions, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

import aifgraph
from aifgraph import ArgumentGraph
from aifgraph.adjudication.merge import Merged, merge_compared
from aifgraph.graph.rules import PROFILES
from strategies import arguments, graphs

DATA = Path("../shared/data")
DEBATE = Path("fixtures/debate")


def folder_pairs() -> Iterator[tuple[Path, Path]]:
    folders = ("debate", "debates/ann", "debates/ben")
    paths = [path for folder in folders for path in sorted(Path("fixtures", folder).glob("*.json"))]
    yield from ((first, second) for first in paths for second in paths)


def data_pairs() -> Iterator[tuple[Path, Path]]:
    """Every pair of maps of the shared data that is of one text."""
    araucaria, dialam = DATA / "araucaria", DATA / "dialam-2024" / "test"
    for line in (araucaria / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:]:
        first, second, _ = line.split("\t")
        yield araucaria / first, araucaria / second
    for path in sorted((dialam / "gold").glob("*.json")):
        yield path, dialam / "system" / path.name
    yield DATA / "xaif" / "28111.json", DATA / "xaif" / "28111_mistake.json"


def perfect(first: ArgumentGraph, second: ArgumentGraph) -> None:
    """Two maps that compare at 1.0, or with nothing to compare."""
    result = aifgraph.compare(first, second)
    assert not [row for row in result.differences() if row.costs]
    assert result.cass["kappa"] in (1.0, None)
    assert result.cass["f1"] in (1.0, None)


def check_laws(first: ArgumentGraph, second: ArgumentGraph) -> None:
    comparison = aifgraph.compare(first, second)
    rows = comparison.differences().rows
    for side, graph in (("first", first), ("second", second)):
        decided = aifgraph.merge(first, second, decisions=dict.fromkeys([row.id for row in rows], side), wording=side)
        perfect(decided.graph, graph)
        preferred = aifgraph.merge(first, second, prefer=side, wording=side)
        perfect(preferred.graph, graph)
    profiles = [name for name in PROFILES if all(aifgraph.validate(each, profile=name).ok for each in (first, second))]
    for prefer in (None, "agreed", "both"):
        merged = aifgraph.merge(first, second, prefer=prefer, wording="longer").graph
        for profile in profiles:
            assert not aifgraph.validate(merged, profile=profile).errors
    assert aifgraph.merge(first, first).graph == first


def swapped(first: ArgumentGraph, second: ArgumentGraph) -> None:
    other_way = {"first": "second", "second": "first"}
    choices = ("first", "second", "neither")
    rows = aifgraph.compare(first, second).differences().rows
    back = {row.id for row in aifgraph.compare(second, first).differences()}
    if {row.id for row in rows} != back or any("-" in id_ for id_ in back):
        # Nodes (and rows) that nothing tells apart are paired and numbered in file order: not the same ones.
        return
    decisions = {row.id: choices[number % 3] for number, row in enumerate(rows)}
    turned = {id_: other_way.get(choice, choice) for id_, choice in decisions.items()}
    here = attempt(first, second, decisions, "first")
    there = attempt(second, first, turned, "second")
    assert (here is None) == (there is None)
    if here and there:
        assert here.graph == there.graph


def attempt(first: ArgumentGraph, second: ArgumentGraph, decisions: dict[str, str], wording: str) -> Merged | None:
    try:
        return aifgraph.merge(first, second, decisions=decisions, wording=wording)
    except aifgraph.errors.InputError:
        return None


@given(arguments(), arguments())
@settings(max_examples=60, deadline=None)
def test_laws_over_arguments(first: ArgumentGraph, second: ArgumentGraph) -> None:
    check_laws(first, second)
    swapped(first, second)


@given(graphs(beside=False), graphs(beside=False))
@settings(max_examples=60, deadline=None)
def test_laws_over_random_graphs(first: ArgumentGraph, second: ArgumentGraph) -> None:
    check_laws(first, second)
    swapped(first, second)


@pytest.mark.slow
def test_laws_over_fixtures() -> None:
    for first, second in folder_pairs():
        check_laws(aifgraph.load(first), aifgraph.load(second))
        swapped(aifgraph.load(first), aifgraph.load(second))


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="../shared/data is missing")
def test_laws_over_real_pairs() -> None:
    pairs = list(data_pairs())
    assert len(pairs) > 20
    for one, other in pairs:
        first, second = aifgraph.load(one), aifgraph.load(other)
        check_laws(first, second)
        swapped(first, second)


@pytest.fixture(scope="module")
def debate() -> tuple[ArgumentGraph, ArgumentGraph]:
    return aifgraph.load(DEBATE / "first.json"), aifgraph.load(DEBATE / "second.json")


def test_open_rows_are_marked_and_complete_refuses_them(debate: tuple[ArgumentGraph, ArgumentGraph]) -> None:
    merged = aifgraph.merge(*debate)
    assert merged.open
    assert any(node.extra.get("merged", {}).get("open") for node in merged.graph)
    assert merged.graph.meta.aif["merge"]["open"] == [row.id for row in merged.open]
    with pytest.raises(aifgraph.errors.InputError, match=merged.open[0].id):
        aifgraph.merge(*debate, complete=True)


def test_the_record_survives_a_file(debate: tuple[ArgumentGraph, ArgumentGraph], tmp_path: Path) -> None:
    comparison = aifgraph.compare(*debate)
    row = next(row for row in comparison.differences() if row.group == "relations")
    merged = merge_compared(comparison, decisions={row.id: "second"}, prefer="first")
    aifgraph.dump(merged.graph, tmp_path / "gold.json")
    back = aifgraph.load(tmp_path / "gold.json")
    assert back == merged.graph
    marked = [node for node in back if node.extra.get("merged", {}).get("row") == row.id]
    assert marked
    assert marked[0].extra["merged"]["decision"] == "second"
    assert back.meta.aif["merge"]["decisions"] == {row.id: {"choice": "second"}}


def test_a_new_wording_and_a_new_label(debate: tuple[ArgumentGraph, ArgumentGraph]) -> None:
    rows = aifgraph.compare(*debate).differences().rows
    worded = next(row for row in rows if row.kind == "reworded")
    act = next(row for row in rows if row.group == "illocutions")
    relation = next(row for row in rows if row.group == "relations")
    decisions = {worded.id: "Any measurement shows it", act.id: "Rhetorical Questioning", relation.id: "MA"}
    merged = aifgraph.merge(*debate, decisions=decisions, prefer="first").graph
    assert any(node.text == "Any measurement shows it" for node in merged.propositions)
    assert any(node.text.replace(" ", "") == "RhetoricalQuestioning" for node in merged)
    assert merged[relation.first[0]].type == "MA"


def test_decisions_that_cannot_stand_together_name_their_rows() -> None:
    one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    for build, text in ((one, "Masks help everyone"), (other, "Masks help everybody")):
        claim, reason = build.proposition(text), build.proposition("They filter the air")
        build.inference([reason], claim) if build is one else None
    first, second = one.graph(), other.graph()
    rows = {row.kind: row.id for row in aifgraph.compare(first, second).differences()}
    with pytest.raises(aifgraph.errors.InputError, match="cannot stand together") as caught:
        aifgraph.merge(first, second, decisions={rows["missing"]: "first", rows["reworded"]: "neither"})
    assert all(id_ in str(caught.value) for id_ in rows.values())
