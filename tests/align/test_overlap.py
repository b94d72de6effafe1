"""Positions that overlap, against looking at every pair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, GraphBuilder, compare
from aifgraph.align.candidates import common_places, jaccard_of, overlapping, size
from aifgraph.text.placing import Run, merged

RUNS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), min_size=1, max_size=4).map(
    lambda runs: merged((start, start + length) for start, length in runs)
)
POSITIONS = st.dictionaries(st.integers(0, 20), RUNS, max_size=12)


def places(position: tuple[Run, ...]) -> set[int]:
    return {place for start, stop in position for place in range(start, stop)}


@given(POSITIONS, POSITIONS)
def test_sweep(first: dict[int, tuple[Run, ...]], second: dict[int, tuple[Run, ...]]) -> None:
    expected = {
        (one, other): len(places(a) & places(b))
        for one, a in first.items()
        for other, b in second.items()
        if places(a) & places(b)
    }
    found = list(overlapping(first, second))
    assert {(one, other): common for one, other, common in found} == expected
    assert len(found) == len(expected)


@given(RUNS, RUNS)
def test_common_places_and_jaccard(first: tuple[Run, ...], second: tuple[Run, ...]) -> None:
    ours, theirs = places(first), places(second)
    assert size(first) == len(ours)
    assert common_places(first, second) == len(ours & theirs)
    assert jaccard_of(first, second) == len(ours & theirs) / len(ours | theirs)
    assert jaccard_of(None, second) == 0


def test_without_an_overlap_to_share_unequal_texts_match_as_equal_ones_do() -> None:
    def units(*texts: str) -> ArgumentGraph:
        build = GraphBuilder()
        for text in texts:
            build.proposition(text)
        return build.graph()

    text = "masks help everyone here. masks help everyone there"
    one, other = units("masks help everyone here"), units("masks help everyone there")
    for least, matched in ((0.5, 0), (0.0, 1)):
        result = compare(one, other, first_text=text, second_text=text, min_overlap=least)
        assert result.alignment.propositions.matched == matched
