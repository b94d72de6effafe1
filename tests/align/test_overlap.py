"""Positions that need not overlap."""

from __future__ import annotations

from aifgraph import ArgumentGraph, GraphBuilder, compare


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
