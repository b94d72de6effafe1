"""The order of the pairs of a corpus: by CASS, and where that is cut off at 0, by M."""

from __future__ import annotations

from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.corpus_tables import lowest_pairs
from aifgraph.evaluation.pooled import missing_pair
from evaluation.small_corpora import scored


def pair(name: str, mean: float | None, cass: float | None) -> PairResult:
    return scored(missing_pair(name), name, kappa=(mean, cass))


def test_pairs_of_equal_cass_go_by_m() -> None:
    pairs = [
        pair("a", 0.0, 0.0),
        pair("b", 0.4, 0.5),
        pair("c", -0.3, 0.0),
        pair("d", None, None),
        pair("e", -0.1, 0.0),
    ]
    assert [each.name for each in lowest_pairs(pairs)] == ["c", "e", "a", "b"]
    assert [each.name for each in lowest_pairs(pairs, count=2)] == ["c", "e"]
