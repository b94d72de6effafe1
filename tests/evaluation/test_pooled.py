"""Means over texts and sums over pairs: scores above chance, and empty analyses, which raise no mean."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph.cli import main
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.cass import fuse, mean_of
from aifgraph.comparison.result import PairResult
from aifgraph.errors import InputError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.sums import CorpusSums, macro
from aifgraph.stats.scores import SCORES
from evaluation.small_corpora import make_corpora

ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"


@pytest.fixture(scope="module")
def result() -> CorpusComparison:
    return aifgraph.compare_corpora(ANN, BEN, chance=6, seed=4)


def test_macro_is_the_mean_over_pairs_where_defined(result: CorpusComparison) -> None:
    macro = result.macro
    chances = [pair.chance for pair in result.pairs if pair.chance]
    assert len(chances) == len(result.pairs) > 1
    for layer, against in macro.chance.over.items():
        for name in SCORES:
            means = [chance.over[layer].mean[name] for chance in chances]
            above = [chance.over[layer].above[name] for chance in chances]
            assert against.mean[name] == pytest.approx(mean_of(means))
            assert against.above[name] == pytest.approx(mean_of(above))
            assert against.cass[name] == pytest.approx(fuse(mean_of(above), macro.S))
            assert macro.left_out[layer][name] == above.count(None)
    data = result.to_dict()["macro"]
    assert data["chance"]["above"] == macro.chance.above
    assert data["layers"]["dialogical"]["chance"]["rounds"] == 6


def test_pairs_with_nothing_to_deal_are_left_out_and_counted(tmp_path: Path) -> None:
    lone = {"nodes": [{"nodeID": "1", "type": "I", "text": "Masks help"}], "edges": []}
    for side, source in (("one", ANN), ("two", BEN)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "lone.json").write_text(json.dumps(lone))
        for suffix in ("json", "txt"):
            there = Path(source) / f"nodeset1.{suffix}"
            if there.is_file():
                (tmp_path / side / there.name).write_bytes(there.read_bytes())
    result = aifgraph.compare_corpora(tmp_path / "one", tmp_path / "two", chance=4)
    assert result.macro.left_out["all"]["kappa"] == 1
    table = result.chance_table()
    assert "pairs left out of the means by and above chance, of 2: all kappa 1" in table.note


def test_files_of_results_and_processes_give_the_same(result: CorpusComparison, tmp_path: Path) -> None:
    lines = tmp_path / "pairs.jsonl"
    for resume in (False, True):
        again = aifgraph.compare_corpora(ANN, BEN, chance=6, seed=4, results=lines, resume=resume, jobs=2)
        assert again.macro == result.macro
        assert [pair.chance for pair in again.pairs] == [pair.chance for pair in result.pairs]
    with pytest.raises(InputError, match=r"chance was 6.4 and is 6.5"):
        aifgraph.compare_corpora(ANN, BEN, chance=6, seed=5, results=lines, resume=True)


@pytest.mark.parametrize("format_", ["text", "markdown", "latex", "csv", "json"])
def test_the_command_shows_it(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", ANN, BEN, "--chance", "2", "--seed", "3", "--format", format_]) == 0
    assert "chance" in capsys.readouterr().out


def test_one_seed_serves_intervals_too() -> None:
    signature = aifgraph.compare_corpora(ANN, BEN, chance=2, seed=3, intervals=True, rounds=10).signature
    assert "chance:2.3|" in signature
    assert signature.endswith("ci:percentile.0.95.10.3")


def test_a_map_without_a_partner_is_0_above_chance_and_in_s(fixtures: Path) -> None:
    corpora = fixtures / "debates" / "ann", fixtures / "debates" / "ben"
    skipped = compare_corpora(*corpora, chance=4).macro
    zero = compare_corpora(*corpora, chance=4, missing="zero").macro
    assert (skipped.pairs, zero.pairs) == (3, 5)
    assert pytest.approx(skipped.S * 3 / 5) == zero.S
    for layer in ("all", "propositional", "dialogical"):
        counted = 3 - skipped.left_out[layer]["kappa"]
        before, after = skipped.chance.over[layer].above["kappa"], zero.chance.over[layer].above["kappa"]
        assert after == pytest.approx(before * counted / (counted + 2))
        assert zero.chance.over[layer].cass["kappa"] == pytest.approx(2 * after * zero.S / (after + zero.S))
    # What only one side has was compared by no text: its S is of neither mode.
    assert skipped.modes == zero.modes
    assert sum(zero.modes.values()) == 3


def test_reports_say_how_many_s_are_of_which_mode(fixtures: Path, tmp_path: Path) -> None:
    for side in ("ann", "ben"):
        (tmp_path / side).mkdir()
        for path in (fixtures / "debates" / side).glob("nodeset[12].*"):
            if path.name != "nodeset2.txt":
                (tmp_path / side / path.name).write_bytes(path.read_bytes())
    result = compare_corpora(tmp_path / "ann", tmp_path / "ben")
    assert result.macro.modes == {"positions": 1, "units": 1}
    assert result.summary_dict()["macro"]["pairs"]["modes"] == {"positions": 1, "units": 1}
    assert [row["mode"] for row in result.rows()] == ["positions", "units"]
    assert "S by positions of boundaries: 1 pair; by units in common" in result.tables()[0].note


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
    sums = CorpusSums.of(both[1])
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
    before = CorpusSums.of(found[number] for number in chosen).micro.scores(mean_of_layers=False)
    after = CorpusSums.of((empty if number == place else found)[number] for number in chosen).micro.scores(
        mean_of_layers=False
    )
    own = {**found[place].calculations, EXPLICIT_RELATIONS.name: found[place].explicit}
    for name, summed in (*before.calculations.items(), (EXPLICIT_RELATIONS.name, before.summed_explicit)):
        now = after.summed_explicit if name == EXPLICIT_RELATIONS.name else after.calculations.get(name)
        mine = own[name]
        if summed and now and mine and (mine["f1"] or 0) >= (summed["f1"] or 0) > 0:
            assert now["f1"] <= summed["f1"] + SLACK, name
