"""The sentences at the top of a comparison, as a reader reads them."""

from __future__ import annotations

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder

CLAIM, REASON, OTHER = "Masks help everyone", "They filter the air", "They are cheap"


def argued(*relations: tuple[str, str, str], extra: tuple[str, ...] = (OTHER,)) -> ArgumentGraph:
    """Three claims and relations (kind, start, end)."""
    build = GraphBuilder()
    nodes = {text: build.proposition(text) for text in (CLAIM, REASON, *extra)}
    for kind, start, end in relations:
        build.relation(kind, [nodes[start]], nodes[end], "")
    return build.graph()


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (
            argued(("RA", REASON, CLAIM)),
            argued(("CA", REASON, CLAIM)),
            "Both find the same 3 claims. They disagree about whether “They filter the air” supports or attacks “Masks "
            "help everyone”.",
        ),
        (
            argued(("RA", REASON, CLAIM)),
            argued(("RA", CLAIM, REASON)),
            "Both find the same 3 claims. They disagree about whether “They filter the air” supports “Masks help "
            "everyone”, or the other way round.",
        ),
        (
            argued(("RA", REASON, CLAIM)),
            argued(),
            "Both find the same 3 claims. They disagree about whether “They filter the air” supports “Masks help "
            "everyone”: only the first says so.",
        ),
        (
            argued(("RA", REASON, CLAIM)),
            argued(("RA", REASON, OTHER)),
            "Both find the same 3 claims. They disagree about what “They filter the air” is joined to.",
        ),
        (
            argued(("RA", REASON, CLAIM), ("RA", OTHER, CLAIM)),
            argued(("RA", REASON, CLAIM), extra=()),
            "Both find 2 claims; 1 more is only in the first. They disagree about “They are cheap”, which only the "
            "first has.",
        ),
        (argued(extra=()), argued(extra=()), "Both find the same 2 claims. They agree on everything."),
        (
            argued(extra=()),
            argued(extra=("They are cheap", "They are warm")),
            "Both find 2 claims; 2 more are only in the second. They differ in 2 points that no score counts: 2 "
            "propositions that only one of them has.",
        ),
    ],
)
def test_the_summary_is_plain_english(first: ArgumentGraph, second: ArgumentGraph, said: str) -> None:
    assert aifgraph.compare(first, second).summary == said


def test_kinds_beyond_the_most_frequent_are_counted() -> None:
    first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    assert aifgraph.compare(first, second).summary.endswith(
        "7 more differences: 3 reworded propositions, 2 propositions cut differently, 1 relabelled illocution, "
        "1 re-attached relation."
    )
