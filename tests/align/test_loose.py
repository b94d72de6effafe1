"""Loosely placed nodes do not join, and a text fits at a quarter of the units."""

from __future__ import annotations

import pytest

import aifgraph
from aifgraph.align.alignment import Alignment, align, placed_sides
from aifgraph.graph import SourceText

TEXT = "Masks protect all the people around you from harm every day. Tea is good. Rain is wet."


def graph(*texts: str) -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder()
    for text in texts:
        build.proposition(text)
    return build.graph()


def aligned(first: aifgraph.ArgumentGraph, second: aifgraph.ArgumentGraph) -> Alignment:
    return align(first, second, first_text=SourceText(TEXT, "given"))


WHOLE = "Masks protect all the people around you from harm every day"


@pytest.mark.parametrize(
    ("part", "joins"),
    [
        ("masks protect all the people nearby", True),  # 5 of 6 words: the score is 5
        ("masks protect all the x y z w", False),  # 4 of 8: nearly found, loosely
        ("masks protect all x", True),  # 3 of 4 is three quarters
        ("people around you v w", False),  # 3 of 5
    ],
)
def test_a_loosely_placed_part_joins_nothing(part: str, joins: bool) -> None:
    classes = aligned(graph(WHOLE, "Tea is good"), graph(WHOLE, part, "Tea is good")).propositions.classes
    assert (classes[0].first, classes[0].second) == ((0,), (0, 1)) if joins else classes[0].second == (0,)


@pytest.mark.parametrize(("others", "fits"), [(3, True), (4, False)])
def test_a_quarter_of_the_units_is_enough(others: int, fits: bool) -> None:
    map_ = graph("Tea is good", *(f"qqq{n} zzz{n}" for n in range(others)))
    found = aligned(map_, graph("Tea is good"))
    assert found.placement.fits is fits
    first, second = placed_sides(found.first, found.second, found.placement)
    assert first.reconstructed == (frozenset(range(1, others + 1)) if fits else frozenset())
    assert not second.reconstructed


def test_a_proposition_is_as_loose_as_the_locutions_that_say_it() -> None:
    build = aifgraph.GraphBuilder()
    ann = build.participant("Ann", "Lee")
    for text in ("masks protect all the x y z w", "Tea is good"):
        build.illocution(build.locution(text, speaker=ann), build.proposition(text), "Asserting")
    map_ = build.graph()
    found = aligned(map_, map_).placement.first.loose
    assert {map_.nodes[node].kind for node in found} == {"L", "I"}
    assert len(found) == 2


def test_made_up_labels_are_no_labels() -> None:
    def map_(label: str) -> aifgraph.ArgumentGraph:
        return aifgraph.loads(
            f"""{{"nodes": [{{"nodeID": 1, "type": "L", "text": "Ann: tea is good"}},
            {{"nodeID": 2, "type": "YA", "text": "{label}", "scheme": "Asserting"}},
            {{"nodeID": 3, "type": "I", "text": "tea is good"}}],
            "edges": [{{"fromID": 1, "toID": 2}}, {{"fromID": 2, "toID": 3}}]}}"""
        )

    for label in ("YA_3f9C", "ya_0", "YA", ""):
        assert aifgraph.compare(map_(label), map_("Asserting")).cass["kappa"] == 1, label
    for label in ("YA_", "YA_3g", "YA_3f x"):
        assert aifgraph.compare(map_(label), map_("Asserting")).cass["kappa"] != 1, label
