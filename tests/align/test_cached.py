"""What is computed once for a graph: how it is analysed and where its units stand."""

from __future__ import annotations

import gc
import weakref

import aifgraph
from aifgraph.graph import ArgumentGraph, Meta, Proposition, SourceText

TEXT = "Masks help everyone. They filter the air. Nobody wears them well. We should wear them."
SENTENCES = [sentence.strip() for sentence in TEXT.split(".") if sentence.strip()]


def graph(*texts: str, source: str | None = TEXT) -> ArgumentGraph:
    nodes = [Proposition(str(number), text) for number, text in enumerate(texts)]
    return ArgumentGraph(nodes, (), Meta(source=None if source is None else SourceText(source)))


def test_what_is_kept_belongs_to_the_text_it_was_placed_in() -> None:
    gold, system = graph(*SENTENCES), graph(*SENTENCES)
    whole = aifgraph.compare(gold, system)
    again = aifgraph.compare(gold, system, first_text=SENTENCES[0], second_text=SENTENCES[0])
    assert (whole.alignment.placement.first.placed, again.alignment.placement.first.placed) == (4, 1)
    assert aifgraph.compare(gold, system).to_dict() == whole.to_dict()
    other_name = gold.with_name("other")
    assert aifgraph.compare(other_name, system).first.name == "other"


def test_what_is_cached_does_not_keep_the_comparison() -> None:
    gold = graph(*SENTENCES)
    gc.disable()
    try:
        alignment = weakref.ref(aifgraph.compare(gold, gold).alignment)
        assert alignment() is None
    finally:
        gc.enable()
