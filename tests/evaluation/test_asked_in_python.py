"""What somebody asks of a comparison in Python is done as asked, or refused with the way to it."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import CorpusComparison, OptionError
from aifgraph.cli import main

MAP, OTHER = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
# Type checkers know better than to let these pass.
api: Any = aifgraph


@pytest.fixture(scope="module")
def corpora() -> CorpusComparison:
    return aifgraph.compare_corpora(ANN, BEN, intervals=True, level=0.9, rounds=20, seed=3)


def test_intervals_are_as_they_were_asked_for(corpora: CorpusComparison) -> None:
    again = corpora.intervals()
    assert (again.level, again.rounds, again.method, again.seed) == (0.9, 20, "percentile", 3)
    assert str(again) == str(corpora.with_intervals)
    other = corpora.intervals(level=0.8)
    assert (other.level, other.rounds, other.method, other.seed) == (0.8, 20, "percentile", 3)
    plain = aifgraph.compare_corpora(ANN, BEN).intervals(rounds=9)
    assert (plain.level, plain.rounds, plain.method, plain.seed) == (0.95, 9, "percentile", 0)


def test_the_line_to_publish_says_how_intervals_were_drawn(corpora: CorpusComparison) -> None:
    assert corpora.signature.endswith("|ci:percentile.0.9.20.3")
    assert str(corpora).splitlines()[-1] == corpora.to_dict()["signature"] == corpora.signature
    stored = CorpusComparison.from_dict(corpora.to_dict())
    assert (stored.signature, stored) == (corpora.signature, corpora)
    plain = aifgraph.compare_corpora(ANN, BEN, seed=3)
    assert corpora.signature == f"{plain.signature}|ci:percentile.0.9.20.3"


def test_pairs_are_what_pair_gave(tmp_path: Path) -> None:
    pairing = aifgraph.pair(ANN, BEN, "text")
    by_pairing = aifgraph.compare_corpora(ANN, BEN, pair_by=pairing)
    by_text = aifgraph.compare_corpora(ANN, BEN, pair_by="text")
    assert by_pairing == by_text
    assert "|pair:text.0.7|" in by_pairing.signature
    # What is not all that its way of pairing gives is signed as the table that it could be.
    two = replace(pairing, pairs=pairing.pairs[:2])
    file = tmp_path / "pairs.tsv"
    assert two.to_tsv(file) == file.read_text("utf-8")
    of_two = aifgraph.compare_corpora(ANN, BEN, pair_by=two)
    assert of_two == aifgraph.compare_corpora(ANN, BEN, pair_by=file)
    assert "|pair:file." in of_two.signature
    assert of_two.unpaired == (("nodeset3", "nodeset4"), ("nodeset3", "nodeset5"))


def test_pairs_are_of_the_corpora_that_are_compared() -> None:
    pairing = aifgraph.pair(ANN, BEN)
    with pytest.raises(aifgraph.InputError, match=r"ann/nodeset1.json: the pairs are of other corpora; .*same paths"):
        aifgraph.compare_corpora(BEN, ANN, pair_by=pairing)
    for more in ({"texts": {}}, {"with_itself": True}, {"min_text": 0.5}):
        with pytest.raises(OptionError, match=r"have no effect on pairs that are made; give .* to pair"):
            api.compare_corpora(ANN, BEN, pair_by=pairing, **more)


def test_no_further_baselines_are_none_as_on_the_command_line() -> None:
    boards = [api.evaluate(ANN, [BEN], rounds=9, test_rounds=9, baselines=given) for given in ("none", None, [])]
    assert len({str(board) for board in boards}) == 1
    assert len(boards[0]) == len(boards[0].all)


def test_differences_are_written_to_decide_on(tmp_path: Path) -> None:
    path = tmp_path / "d.tsv"
    text = aifgraph.compare(MAP, OTHER).differences().to_tsv(path)
    assert text == path.read_text("utf-8")
    assert len(aifgraph.merge(MAP, OTHER, decisions=path).open) == len(aifgraph.merge(MAP, OTHER).open)


def test_a_result_is_equal_to_what_is_read_from_its_file(corpora: CorpusComparison, tmp_path: Path) -> None:
    pair = aifgraph.compare(MAP, OTHER, matching="optimal")
    assert pair == aifgraph.Comparison.from_dict(pair.to_dict()) == pair
    assert pair != aifgraph.compare(MAP, MAP, matching="optimal")
    corpora.to_json(tmp_path / "result.json")
    assert corpora == CorpusComparison.load(tmp_path / "result.json")
    assert corpora != aifgraph.compare_corpora(ANN, BEN)
    assert corpora != aifgraph.compare_corpora(BEN, ANN, intervals=True, level=0.9, rounds=20, seed=3)
    assert corpora.intervals() == aifgraph.Intervals.from_dict(corpora.intervals().to_dict())


def test_the_intervals_of_cass_have_its_names(corpora: CorpusComparison) -> None:
    intervals: Any = corpora.intervals()
    assert intervals.kappa.value == corpora.kappa
    assert intervals.f1.low <= corpora.f1 <= intervals.f1.high


def test_calculations_are_found_by_their_codes_everywhere(corpora: CorpusComparison) -> None:
    pair, agreement = aifgraph.compare(MAP, OTHER), aifgraph.agreement([ANN, BEN])
    for calculations in (
        pair.calculations,
        pair.stored().calculations,
        pair.breakdown.calculations,
        corpora.micro.calculations,
        corpora.breakdown.calculations,
        corpora[0].calculations,
        agreement.alpha,
        agreement.fleiss,
    ):
        assert calculations["PR"] is calculations["propositional_relations"]
    assert aifgraph.Comparison.from_dict(pair.to_dict()).calculations["PR"].kappa == pair.calculations["PR"].kappa


@pytest.mark.parametrize("baselines", [False, "chain", ["nothing"]])
def test_baselines_are_a_list(baselines: object) -> None:
    with pytest.raises(OptionError, match=r"give a list of .*, or an empty one"):
        api.evaluate(ANN, [BEN], baselines=baselines)


def test_results_are_walked_and_looked_into() -> None:
    result = aifgraph.compare_corpora(ANN, BEN)
    assert [pair.name for pair in result] == [pair.name for pair in result.pairs]
    assert result["nodeset1"].kappa == result.pairs[0].kappa
    with pytest.raises(KeyError, match="nodeset"):
        result["nodeset"]
    differences = aifgraph.compare(MAP, OTHER).differences()
    assert differences[0] == differences.rows[0]


def test_a_file_of_decisions_decides_a_merge(tmp_path: Path) -> None:
    differences = aifgraph.compare(MAP, OTHER).differences()
    path = tmp_path / "decisions.csv"
    assert main(["differences", MAP, OTHER, "-o", str(path)]) == 0
    first, second = aifgraph.load(MAP), aifgraph.load(OTHER)
    assert aifgraph.merge(first, second, decisions=path).open == aifgraph.merge(first, second).open
    lines = path.read_text("utf-8").splitlines()
    column = lines[0].split(",").index("decision")
    rows = list(csv.reader(lines))
    for row in rows[1:]:
        row[column] = "first" if row[3] == "relabelled" else ""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    merged = aifgraph.merge(first, second, decisions=str(path))
    assert merged.choices == {"first": sum(row.kind == "relabelled" for row in differences)}
    with pytest.raises(aifgraph.InputError, match="no such file"):
        aifgraph.merge(first, second, decisions=tmp_path / "nowhere.tsv")


def test_folders_are_corpora_everywhere() -> None:
    assert aifgraph.agreement([ANN, BEN]).annotators == ("ann", "ben")
    assert list(aifgraph.evaluate(ANN, [BEN], rounds=20, baselines=[]).systems) == ["ben"]
    assert len(aifgraph.pair(ANN, BEN)) == 3


def test_pairs_and_intervals_are_keywords(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("first\tsecond\nnodeset1\tnodeset1\nnodeset2\tnodeset2\n", "utf-8")
    result = aifgraph.compare_corpora(
        ANN,
        BEN,
        pair_by=tmp_path / "pairs.tsv",
        metrics="kirschner_graph",
        intervals=True,
        rounds=30,
        level=0.9,
        jobs=2,
    )
    assert len(result.pairs) == 2
    assert "kirschner_graph" in result.measures
    assert result.with_intervals is not None
    assert (result.with_intervals.rounds, result.with_intervals.level) == (30, 0.9)
    assert result.to_dict()["intervals"]["rounds"] == 30


def test_a_column_of_a_layer_of_the_leaderboard_is_not_called_as_its_mean_is() -> None:
    board = aifgraph.evaluate(ANN, [BEN], rounds=9, test_rounds=9, baselines=[])
    assert {"CASS-κ", "CASS-κ of the argument", "CASS-F1 of the dialogue", "ER-κ"} <= {*board.tables()[0].columns}
