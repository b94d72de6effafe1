"""Without positions, a node joins a class whose words hold its own as one run."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from aifgraph.align.analysis import analyse
from aifgraph.align.candidates import Group
from aifgraph.align.granularity import _contained
from aifgraph.graph import ArgumentGraph, Proposition
from aifgraph.text.words import words_of

# The last one is one word whose normal form has spaces in it.
WORD = st.sampled_from(["a", "A", "ab", "b", "é", "صلى", "الله", "\ufdfa"])
TEXTS = st.lists(st.lists(WORD, max_size=5).map(", ".join), max_size=6)


def group(texts: list[str]) -> Group:
    nodes = [Proposition(str(number), text) for number, text in enumerate(texts)]
    return Group(analyse(ArgumentGraph(nodes, ())), range(len(texts)), {}, 0)


@given(TEXTS, TEXTS)
@example(["صلى, الله"], ["الله, \ufdfa, صلى"])
def test_contained_by_definition(texts: list[str], hosts: list[str]) -> None:
    expected = [
        (node, host)
        for node, run in enumerate(map(words_of, texts))
        for host, words in enumerate(map(words_of, hosts))
        if run and any(words[start : start + len(run)] == run for start in range(len(words)))
    ]
    found = _contained(group(texts), list(range(len(texts))), group(hosts), list(range(len(hosts))))
    assert sorted(found) == expected
