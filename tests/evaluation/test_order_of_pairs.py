"""The order of the pairs of a corpus: by CASS, and where that is cut off at 0, by M."""

from __future__ import annotations

from dataclasses import replace

from aifgraph.evaluation.corpus_comparison import lowest_pairs
from aifgraph.evaluation.pooled import PairSummary, missing_summary


def pair(name: str, mean: float | None, cass: float | None) -> PairSummary:
    zero = missing_summary(name)
    return replace(
        zero,
        means=zero.means | {"all": zero.means["all"] | {"kappa": mean}},
        cass=zero.cass | {"all": zero.cass["all"] | {"kappa": cass}},
    )


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
