"""Comparisons as people ask for them: of paths, documents and lists, by codes, each pair again when it is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

import aifgraph
from aifgraph import compare, compare_corpora
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"


def test_paths_and_documents() -> None:
    result = compare(aifgraph.load(FIRST), aifgraph.load(SECOND))
    assert compare(FIRST, Path(SECOND)).to_dict() == result.to_dict()
    assert compare(FIRST, aifgraph.to_dict(aifgraph.load(SECOND))).cass == result.cass
    assert (result.kappa, result.f1) == (result.cass["kappa"], result.cass["f1"])
    with pytest.raises(FileNotFoundError):
        compare(FIRST, "nothing.json")


def test_codes() -> None:
    result = compare(FIRST, SECOND, calculations="PR", relations="RA+CA")
    assert result.options == Options(calculations=["propositional_relations"], relations=["RA", "CA"])
    assert result.calculations["PR"] is result.calculations["propositional_relations"]
    assert list(result.calculations) == ["propositional_relations"]
    assert Options(calculations=["PR", "transitions"]).calculations == ("propositional_relations", "transitions")
    assert Options(relations="CA").relations == ("CA",)


def test_comparisons_of_a_corpus_are_made_when_asked_for(tmp_path: Path) -> None:
    result = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
    comparisons = list(result.comparisons)
    assert len(comparisons) == len(result.pairs)
    for pair, comparison in zip(result.pairs, comparisons, strict=True):
        assert isinstance(comparison, Comparison)
        assert comparison.cass == pair.cass
        assert result.comparison(pair.name).cass == comparison.cass
    assert result.kappa == result.macro.cass["kappa"]
    with pytest.raises(KeyError, match="there is no pair"):
        result.comparison("nothing")
    again = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben", results=tmp_path / "results.jsonl")
    assert [comparison.cass for comparison in again.comparisons] == [comparison.cass for comparison in comparisons]
