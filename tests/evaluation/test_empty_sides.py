"""An empty analysis counts: in place of one whose pair scores above 0 it does not raise the mean over texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import compare_corpora
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.result import PairResult
from aifgraph.evaluation.pooled import CorpusSums, PooledNumber, macro
from evaluation.small_corpora import make_corpora

MAPS = 8
SLACK = 1e-12


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[PairResult], list[PairResult]]:
    """The pairs of two corpora, and those of the first with empty maps on the same texts."""
    folder = tmp_path_factory.mktemp("empty")
    ann, ben = make_corpora(folder, MAPS, size=4)
    for number in range(MAPS):
        (folder / "none").mkdir(exist_ok=True)
        (folder / "none" / f"map{number}.json").write_text('{"nodes": [], "edges": [], "locutions": []}', "utf-8")
        (folder / "none" / f"map{number}.txt").write_bytes((ann / f"map{number}.txt").read_bytes())
    (ann / "map7.txt").unlink()  # of this text S is that of units
    (ben / "map7.txt").unlink()
    (folder / "none" / "map7.txt").unlink()
    found, empty = (compare_corpora(ann, other, chance=2) for other in (ben, folder / "none"))
    return list(found.pairs), list(empty.pairs)


def test_an_empty_map_counts_zero(both: tuple[list[PairResult], list[PairResult]]) -> None:
    sums = CorpusSums(both[1])
    whole, summed = sums.macro.scores(), sums.micro.scores(mean_of_layers=False)
    assert whole.counted[PooledNumber("mean", "all", "kappa")] == (MAPS, MAPS)
    assert whole.mean["kappa"] == whole.cass["f1"] == whole.mean_of_cass["kappa"] == 0
    assert summed.mean["kappa"] == summed.cass["f1"] == 0
    assert whole.chance.cass["kappa"] == 0
    assert summed.calculations["transitions"].matrix.total > 0


@given(data=st.data())
def test_it_raises_no_mean_over_texts(both: tuple[list[PairResult], list[PairResult]], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, MAPS - 1), min_size=1, max_size=MAPS, unique=True))
    texts = data.draw(st.lists(st.sampled_from("abc"), min_size=MAPS, max_size=MAPS))
    place = data.draw(st.sampled_from(chosen))
    found, empty = ([replace(pair, text=text) for pair, text in zip(pairs, texts, strict=True)] for pairs in both)
    pair = found[place]
    before = macro([found[number] for number in chosen])
    after = macro([(empty if number == place else found)[number] for number in chosen])

    def lower(then: float | None, now: float | None) -> bool:
        return now is not None and then is not None and now <= then + SLACK

    # Not of scores such as accuracy, which are above 0 without agreement on a label.
    for score in ("kappa", "f1"):
        for layer, over in pair.over.items():
            if (over.mean[score] or 0) > 0:
                assert lower(before.over[layer].mean[score], after.over[layer].mean[score]), (layer, score)
                if (before.similarity[layer] or 0) >= (after.similarity[layer] or 0):
                    assert lower(before.over[layer].cass[score], after.over[layer].cass[score]), (layer, score)
        if (pair.cass[score] or 0) > 0:
            assert lower(before.mean_of_cass[score], after.mean_of_cass[score]), score
        if pair.explicit and (pair.explicit[score] or 0) > 0:
            assert before.explicit
            assert after.explicit
            assert lower(before.explicit[score], after.explicit[score]), score


@given(data=st.data())
def test_it_raises_no_summed_f1_that_its_pair_did_not_lower(
    both: tuple[list[PairResult], list[PairResult]], data: st.DataObject
) -> None:
    """Micro weighs decisions: only a pair that is worse than all together can be worth less than nothing there."""
    chosen = data.draw(st.lists(st.integers(0, MAPS - 1), min_size=1, max_size=MAPS, unique=True))
    place = data.draw(st.sampled_from(chosen))
    found, empty = both
    before = CorpusSums(found[number] for number in chosen).micro.scores(mean_of_layers=False)
    after = CorpusSums((empty if number == place else found)[number] for number in chosen).micro.scores(
        mean_of_layers=False
    )
    own = {**found[place].calculations, EXPLICIT_RELATIONS.name: found[place].explicit}
    for name, summed in (*before.calculations.items(), (EXPLICIT_RELATIONS.name, before.summed_explicit)):
        now = after.summed_explicit if name == EXPLICIT_RELATIONS.name else after.calculations.get(name)
        mine = own[name]
        if summed and now and mine and (mine["f1"] or 0) >= (summed["f1"] or 0) > 0:
            assert now["f1"] <= summed["f1"] + SLACK, name
