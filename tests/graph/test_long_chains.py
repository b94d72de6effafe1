"""A chain of tens of thousands of steps is shown in the time that its length takes."""

from __future__ import annotations

import time

import pytest

from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.graph.traverse import longest_chain, tree_lines

STEPS = 30_000


@pytest.fixture(scope="module")
def chain() -> ArgumentGraph:
    build = GraphBuilder()
    ids = [build.proposition(f"step {number}") for number in range(STEPS)]
    for reason, claim in zip(ids[1:], ids, strict=False):
        build.inference([reason], claim)
    return build.graph()


@pytest.mark.slow
def test_the_longest_chain_takes_linear_time(chain: ArgumentGraph) -> None:
    start = time.perf_counter()
    assert len(longest_chain(chain, "RA")) == STEPS
    assert time.perf_counter() - start < 4


@pytest.mark.slow
def test_the_tree_takes_linear_room(chain: ArgumentGraph) -> None:
    lines = list(tree_lines(chain))
    assert len(lines) == STEPS
    assert lines[2] == "    + step 2"
    assert lines[-1].strip() == f"({STEPS - 1}) + step {STEPS - 1}"
    assert max(map(len, lines)) < 120
