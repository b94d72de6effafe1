"""Alignments: by meaning, where positions need not overlap, texts that fit, and what is computed once for a graph."""

from __future__ import annotations

import gc
import weakref

import pytest

import aifgraph
from aifgraph import compare
from aifgraph.align.alignment import align
from aifgraph.graph import ArgumentGraph, Meta, Proposition, SourceText


def units(*texts: str) -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder()
    for text in texts:
        build.proposition(text)
    return build.graph()


def same(texts: list[str]) -> list[list[float]]:
    return [[1.0, 0.5]] * len(texts)


def test_without_an_overlap_to_share_unequal_texts_match_as_equal_ones_do() -> None:
    text = "masks help everyone here. masks help everyone there"
    one, other = units("masks help everyone here"), units("masks help everyone there")
    for least, matched in ((0.5, 0), (0.0, 1)):
        result = compare(one, other, first_text=text, second_text=text, min_overlap=least)
        assert result.alignment.propositions.matched == matched


@pytest.mark.parametrize(("others", "fits"), [(3, True), (4, False)])
def test_a_quarter_of_the_units_is_enough(others: int, fits: bool) -> None:
    map_ = units("Tea is good", *(f"qqq{n} zzz{n}" for n in range(others)))
    found = align(map_, units("Tea is good"), first_text=SourceText.from_html("Tea is good. Rain is wet.", "given"))
    assert found.placement.fits is fits
    assert found.reconstructed == ((frozenset(range(1, others + 1)), frozenset()) if fits else (None, None))


MASKS = "Masks help everyone. They filter the air. Nobody wears them well. We should wear them."
SENTENCES = [sentence.strip() for sentence in MASKS.split(".") if sentence.strip()]


def masks(*texts: str, source: str | None = MASKS) -> ArgumentGraph:
    nodes = [Proposition(str(number), text) for number, text in enumerate(texts)]
    return ArgumentGraph(nodes, (), Meta(source=None if source is None else SourceText(source)))


def test_what_is_kept_belongs_to_the_text_it_was_placed_in() -> None:
    gold, system = masks(*SENTENCES), masks(*SENTENCES)
    whole = aifgraph.compare(gold, system)
    again = aifgraph.compare(gold, system, first_text=SENTENCES[0], second_text=SENTENCES[0])
    assert (whole.alignment.placement.first.placed, again.alignment.placement.first.placed) == (4, 1)
    assert aifgraph.compare(gold, system).to_dict() == whole.to_dict()
    other_name = gold.with_name("other")
    assert aifgraph.compare(other_name, system).first.name == "other"


def test_what_is_cached_does_not_keep_the_comparison() -> None:
    gold = masks(*SENTENCES)
    gc.disable()
    try:
        alignment = weakref.ref(aifgraph.compare(gold, gold).alignment)
        assert alignment() is None
    finally:
        gc.enable()
