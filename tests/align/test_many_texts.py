"""Many nodes without source text are matched as few are: bounds and the order of work change nothing."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aifgraph
from aifgraph.graph import ArgumentGraph, Locution, Proposition
from aifgraph.text import similarity

words = st.lists(st.sampled_from(["masks", "mask", "help", "helps", "them", "all", "air", "filter"]), max_size=5)
texts = st.lists(words.map(" ".join), min_size=1, max_size=8)


def graph(texts: list[str]) -> ArgumentGraph:
    """A proposition and a locution of each text."""
    nodes = [Proposition(f"p{number}", text) for number, text in enumerate(texts)]
    spoken = [Locution(f"l{number}", f"Ann: {text}") for number, text in enumerate(texts)]
    return ArgumentGraph([*nodes, *spoken], ())


@settings(max_examples=60)
@given(
    texts,
    texts,
    st.sampled_from([0.0, 0.3, 0.5, 0.8, 0.9, 1.0]),
    st.sampled_from(["greedy", "optimal"]),
    st.sampled_from(["merge", "strict"]),
)
def test_many_texts_are_matched_as_few_are(
    ours: list[str],
    theirs: list[str],
    least: float,
    method: Literal["greedy", "optimal"],
    granularity: Literal["merge", "strict"],
) -> None:
    one, other = graph(ours), graph(theirs)
    plain = aifgraph.compare(one, other, min_similarity=least, matching=method, granularity=granularity)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarity, "MIN_PAIRS", 0)
        patch.setattr(similarity, "_WORD", 8)
        fast = aifgraph.compare(one, other, min_similarity=least, matching=method, granularity=granularity)
    assert fast.to_dict(items=True) == plain.to_dict(items=True)
