"""An argument of the wrong kind is one clear error of ours, and says what to give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder

BUILD = GraphBuilder()
BUILD.inference([BUILD.proposition("They filter")], BUILD.proposition("Masks help"))
GRAPH = BUILD.graph()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: aifgraph.compare(GRAPH, GRAPH, options={"gate": False}), "options is of type dict; give Options"),  # type: ignore[arg-type]
        (lambda: aifgraph.compare_corpora([GRAPH], [GRAPH], options="gate:off"), "options is of type str"),  # type: ignore[arg-type]
        (lambda: GRAPH.find(5), "text is of type int; give a string; graph[…]"),  # type: ignore[arg-type]
        (lambda: ArgumentGraph.from_networkx("a"), "a graph of networkx is needed, not str"),  # type: ignore[arg-type]
        (lambda: aifgraph.compare(GRAPH, GRAPH).layers["arguments"], "there is no layer 'arguments'"),  # type: ignore[index]
    ],
)
def test_the_error_says_what_to_give(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(aifgraph.AifgraphError) as caught:
        call()
    assert said in str(caught.value)


def test_layers_by_the_words_of_the_headline() -> None:
    layers = aifgraph.compare(GRAPH, GRAPH).layers
    assert layers["argument"] is layers["propositional"]  # type: ignore[index]
    assert layers["dialogue"] is layers["dialogical"]  # type: ignore[index]
