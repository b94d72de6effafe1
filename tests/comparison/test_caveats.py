"""Caveats printed with scores: which of them a pair and a corpus have, and with which numbers."""

from __future__ import annotations

from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"
TEXT = "Lions walk in circles all day. Zoos should close."

def caveats(result: aifgraph.Comparison) -> dict[str, str]:
    """The caveats of a pair by their kind, each at most once."""
    found = {caveat.kind: caveat.text for caveat in result.caveats}
    assert len(found) == len(result.caveats)
    return found  # type: ignore[return-value]


def monologue(middle: str) -> ArgumentGraph:
    """A reason for a claim that nobody said, which is a reason for another that was said."""
    build = GraphBuilder()
    claim, unsaid, reason = map(build.proposition, ("Zoos should close", middle, "Lions walk in circles all day"))
    build.inference([reason], unsaid)
    build.inference([unsaid], claim)
    return build.graph()


def monologues(**options: Any) -> aifgraph.Comparison:
    first, second = monologue("Animals suffer in cages there"), monologue("What is caged is not happy")
    return aifgraph.compare(first, second, first_text=TEXT, second_text=TEXT, **options)


def test_the_same_map_on_both_sides() -> None:
    assert "same map" in caveats(aifgraph.compare(FIRST, FIRST))
    assert "same map" not in caveats(aifgraph.compare(FIRST, SECOND))


def test_empty_sides() -> None:
    empty = GraphBuilder().graph()
    assert "one empty" in caveats(aifgraph.compare(FIRST, empty))
    assert "both empty" in caveats(aifgraph.compare(empty, empty))
    assert not {"one empty", "both empty"} & caveats(aifgraph.compare(FIRST, SECOND)).keys()


def test_nothing_that_matches() -> None:
    one, other = GraphBuilder(), GraphBuilder()
    one.proposition("Zoos should close")
    other.proposition("Trams are late again")
    assert "no match" in caveats(aifgraph.compare(one.graph(), other.graph()))


def test_few_decisions() -> None:
    found = caveats(aifgraph.compare("fixtures/zoo/ann.json", "fixtures/zoo/ben.json", relations="CA"))
    assert list(found) == ["few"]
    assert "propositional relations (2)" in found["few"]


def test_matches_of_other_wording() -> None:
    one, other = GraphBuilder(), GraphBuilder()
    for build, text in ((one, "masks help"), (other, "help a lot of people")):
        build.inference([build.proposition(text)], build.proposition("wear one"))
    found = caveats(aifgraph.compare(one.graph(), other.graph(), first_text="masks help a lot of people, so wear one"))
    for value in ("1 of 2", "“masks help”", "“help a lot of people”"):
        assert value in found["wording"]


def test_reconstructed_propositions() -> None:
    result = monologues()
    assert [side.reconstructed for side in result.sides] == [1, 1]
    assert result.explicit is not None
    assert result.explicit.matrix.count("RA", "RA") == 1
    line = caveats(result)["reconstructed"]
    assert "first adds 1" in line
    assert "second" in line


def test_matches_by_meaning() -> None:
    result = monologues(meaning=lambda texts: [[1.0, 0.1 * ("not" in text)] for text in texts])
    (match,) = result.result.matched_by_meaning
    assert {match.first, match.second} == {"Animals suffer in cages there", "What is caged is not happy"}
    assert match.cosine == pytest.approx(0.995, abs=1e-3)
    assert caveats(result)["meaning"].startswith("1 ")


def test_printed_with_the_scores() -> None:
    result = aifgraph.compare(FIRST, FIRST)
    line = caveats(result)["same map"]
    for output in (result.to_text(), result.to_markdown(), result.to_latex(), result.to_html(), result.to_json()):
        assert line in output
