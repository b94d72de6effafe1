"""Cards: every row is in one, what belongs to a unit is together, and what a page foretells is what merge does."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import aifgraph
from adjudication.laws import at_random
from aifgraph import Comparison
from aifgraph.adjudication.decisions import parse_decision
from aifgraph.adjudication.merge import merge_compared
from aifgraph.adjudication.selection import Consequences, SchemeEnds, open_sides, sides_kept
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.report.cards import cards_of
from documents import argument, compared_debate


def foretold(comparison: Comparison, chosen: Mapping[str, str]) -> set[NodeNumber]:
    """The nodes that a page shows as gone: as its script works it out."""
    differences = comparison.differences()
    consequences = Consequences(differences)
    sides = open_sides(differences, 0)
    kept = {
        row: sides_kept(parse_decision(chosen[row.id], row).choice, row) if row.id in chosen else sides[row.id]
        for row in differences
    }
    gone = set().union(*(consequences.without({row: sides}) for row, sides in kept.items()))
    chains = consequences.chains()
    while more := {n for n, groups in chains.items() if n not in gone and any(gone.issuperset(of) for of in groups)}:
        gone |= more
    return gone


def kept_by_merge(comparison: Comparison, chosen: Mapping[str, str]) -> set[NodeNumber]:
    """The scheme nodes of which something is in the merged map."""
    differences, merged = comparison.differences(), merge_compared(comparison, chosen).graph
    consequences, names = Consequences(differences), ("first", "second")
    base = merged.meta.aif.get("merge", {}).get("base", "first")
    found: set[NodeNumber] = set()
    for node in merged:
        for side, id_ in node.extra.get("merged", {}).get("from", {base: node.id}).items():
            number = names.index(side), consequences.numbers[names.index(side)][id_]
            found.update(consequences.counterparts(number))
    return {node for node in found if consequences.kind(node) not in ("I", "L", "")}


def foretold_is_merged(comparison: Comparison, chosen: Mapping[str, str]) -> None:
    consequences = Consequences(comparison.differences())
    gone, here = foretold(comparison, chosen), kept_by_merge(comparison, chosen)
    for side, analysis in enumerate(consequences.analyses):
        for number, kind in enumerate(analysis.kinds):
            if kind not in ("I", "L", ""):
                alike = set(consequences.counterparts((side, number)))
                assert alike.issubset(gone) is not bool(alike & here), analysis.ids[number]


def test_every_row_is_in_one_card() -> None:
    differences = compared_debate().differences()
    assert sorted(row.id for card in cards_of(SchemeEnds(differences)) for row in card.rows) == sorted(
        row.id for row in differences
    )


def test_a_relation_is_at_its_premise_or_at_the_conclusion_that_differs() -> None:
    first = argument("reason RA claim", claim="Masks help everyone", reason="They filter the air")
    [card] = cards_of(SchemeEnds(aifgraph.compare(first, argument(claim="Masks help everyone")).differences()))
    assert card.rows[0].group == "propositions"
    second = argument("claim RA reason", claim="Masks do help everyone", reason="They filter the air")
    differences = aifgraph.compare(first, second).differences()
    rows = [[row.kind for row in card.rows] for card in cards_of(SchemeEnds(differences))]
    assert rows == [["reworded", "reversed"]]


@pytest.mark.parametrize(("said", "count"), [("masks help", 1), ("trams help nobody on the hill", 2)])
def test_what_nobody_says_is_with_a_locution_of_the_same_words(said: str, count: int) -> None:
    build = aifgraph.GraphBuilder()
    build.proposition("masks help everybody")
    build.locution(said)
    differences = aifgraph.compare(build.graph(), argument(claim="The sea is deep")).differences()
    cards = [
        card for card in cards_of(SchemeEnds(differences)) if any(n[0] == 0 for row in card.rows for n in row.nodes)
    ]
    assert len(cards) == count


def test_a_locution_without_illocution_is_with_what_it_says(shared_data: Path) -> None:
    maps = [aifgraph.load(shared_data / "qt30" / f"nodeset{n}.json") for n in (25462, 19157)]
    differences = aifgraph.compare(*maps).differences()
    assert len(cards_of(SchemeEnds(differences))) < len(differences)


@pytest.mark.parametrize("seed", range(20))
def test_merge_takes_all_decisions_and_leaves_out_what_a_page_foretells(seed: int) -> None:
    comparison = compared_debate()
    foretold_is_merged(comparison, at_random(comparison, seed))


@pytest.mark.data
@pytest.mark.parametrize("seed", range(5))
def test_so_do_real_pairs_with_all_rows_decided_and_with_half_of_them(shared_data: Path, seed: int) -> None:
    test, araucaria = shared_data / "dialam-2024" / "test", shared_data / "araucaria"
    pairs = [[test / side / f"test_map{n}.json" for side in ("gold", "system")] for n in (1, 2, 3)]
    pairs += [[araucaria / f"nodeset{n}.json" for n in numbers] for numbers in ((95, 198), (79, 106))]
    for comparison in (aifgraph.compare(*map(aifgraph.load, pair)) for pair in pairs):
        chosen = at_random(comparison, seed)
        foretold_is_merged(comparison, chosen)
        foretold_is_merged(comparison, dict([*chosen.items()][::2]))
