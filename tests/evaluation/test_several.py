"""Significance, and agreement of several: pairs, layers, intervals, batches, label use, confusions."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from aifgraph import GraphBuilder
from aifgraph.cli import main
from aifgraph.comparison.options import Options
from aifgraph.comparison.result import PairResult
from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.agreement import Agreement, agreement
from aifgraph.evaluation.agreement_result import LabelNumber
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.significance import significance
from aifgraph.evaluation.sums import macro
from aifgraph.evaluation.text_agreement import labels_alone
from aifgraph.formats import dumps
from aifgraph.stats.krippendorff import nominal_alpha
from aifgraph.stats.randomisation import holm
from aifgraph.tables import render
from comparison.second_annotator import changed
from evaluation.small_corpora import make_corpora


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """ann, ben, and cleo, who did the last four of eight texts, as ann with a tenth changed."""
    folder = tmp_path_factory.mktemp("three")
    ann, ben = make_corpora(folder, 8)
    cleo = folder / "cleo"
    cleo.mkdir()
    for number in range(4, 8):
        graph = changed(open_corpus(ann)[f"map{number}"].load(), 0.3, seed=number)
        (cleo / f"map{number}.json").write_text(dumps(graph, format="aif"), encoding="utf-8")
        shutil.copy(ann / f"map{number}.txt", cleo)
    return {"ann": ann, "ben": ben, "cleo": cleo}


def test_a_test_is_over_the_texts_that_both_have(three: dict[str, Path]) -> None:
    results = {name: compare_corpora(three["ann"], three[name], with_itself=True) for name in ("ben", "cleo", "ann")}
    found = significance(results, rounds=500)
    assert found.texts == {"ben": 8, "cleo": 4, "ann": 8}
    assert found.macro["ann"]["kappa"] == 1
    by_pair = {(each.first, each.second): each for each in found.tests if each.score == "kappa"}
    assert len(by_pair) == 3
    # ben and ann have eight texts, of which cleo lacks four: these are listed
    whole, part = by_pair["ben", "ann"], by_pair["ben", "cleo"]
    assert (whole.test.items, part.test.items) == (8, 4)
    assert (whole.left_out, part.left_out) == ((), ("map0", "map1", "map2", "map3"))
    assert whole.difference == pytest.approx(found.macro["ben"]["kappa"] - 1)
    assert (whole.higher, whole.test.exact, whole.p) == ("ann", True, 2 / 2**8)
    assert whole.interval.low <= whole.difference <= whole.interval.high < 0
    assert [by_pair[pair].adjusted for pair in by_pair] == holm([by_pair[pair].p for pair in by_pair])
    same = significance({"a": results["ben"], "b": results["ben"]}, rounds=50)
    assert same.tests[0].p == 1
    data = found.to_dict()
    assert data["tests"][0]["left_out"] == ["map0", "map1", "map2", "map3"]
    assert "the two systems are equally good" in data["null_hypothesis"]


def test_exact_over_all_patterns_of_exchange(three: dict[str, Path]) -> None:
    """Against macro CASS of every way to exchange the two results of a text, pair by pair."""
    results = [compare_corpora(three["ann"], three[name]) for name in ("ben", "cleo")]
    ben, cleo = ({pair.names.first: pair for pair in result.pairs} for result in results)
    texts = sorted(ben.keys() & cleo.keys())
    apart = []
    for pattern in product((False, True), repeat=len(texts)):
        sides: tuple[list[PairResult], list[PairResult]] = ([], [])
        for text, exchanged in zip(texts, pattern, strict=True):
            for side, pair in zip(
                sides, (cleo[text], ben[text]) if exchanged else (ben[text], cleo[text]), strict=True
            ):
                side.append(pair)
        apart.append(macro(sides[0]).cass["f1"] - macro(sides[1]).cass["f1"])
    (test,) = significance(dict(zip(("ben", "cleo"), results, strict=True)), ["f1"]).tests
    assert test.difference == pytest.approx(apart[0])
    assert test.p == sum(abs(value) >= abs(apart[0]) - 1e-12 for value in apart) / len(apart)
    assert test.test.smallest_p == 2 / len(apart)


def test_the_argument_among_what_was_said_is_tested(three: dict[str, Path]) -> None:
    results = {name: compare_corpora(three["ann"], three[name], with_itself=True) for name in ("ben", "ann")}
    (test,) = significance(results, ["ER-f1"]).tests
    values = [result.macro.explicit["f1"] for result in results.values() if result.macro.explicit]
    assert test.difference == pytest.approx(values[0] - values[1])
    assert test.higher == "ann"
    with pytest.raises(OptionError, match="there is no score 'ER-magic'"):
        significance(results, ["ER-magic"])


def test_what_a_system_lacks_counts_zero_if_asked(three: dict[str, Path]) -> None:
    results = {name: compare_corpora(three["ann"], three[name], missing="zero") for name in ("ben", "cleo")}
    found = significance(results, ["f1"], rounds=100)
    assert set(found.texts.values()) == {8}
    assert found.tests[0].test.items == 8
    skipped = {name: compare_corpora(three["ann"], three[name]) for name in ("ben", "cleo")}
    assert found.macro["cleo"]["f1"] < 0.7 < significance(skipped, ["f1"], rounds=10).macro["cleo"]["f1"]


def test_names_of_maps_are_not_taken_apart(three: dict[str, Path], tmp_path: Path) -> None:
    """Maps named ``debate ~ part 1`` and ``debate ~ part 2`` are two texts."""
    for name in ("ann", "ben"):
        (tmp_path / name).mkdir()
        for number in (1, 2):
            shutil.copy(three[name] / f"map{number}.json", tmp_path / name / f"debate ~ part {number}.json")
    ann, ben = tmp_path / "ann", tmp_path / "ben"
    systems = {name: compare_corpora(ann, path, with_itself=True) for name, path in (("a", ben), ("b", ann))}
    tested = significance(systems, rounds=10)
    assert tested.texts == {"a": 2, "b": 2}
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\ndebate ~ part 1\tdebate ~ part 2\ndebate ~ part 2\tdebate ~ part 1\n")
    result = compare_corpora(ann, ben, pair_by=pairs, results=tmp_path / "results.jsonl")
    assert [pair.names.first for pair in result.pairs] == ["debate ~ part 1", "debate ~ part 2"]
    assert significance({"a": result, "b": result}, rounds=10).texts == {"a": 2, "b": 2}


def test_pairs_of_one_gold_map_are_one_text(three: dict[str, Path], tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nmap1\tmap1\nmap1\tmap2\nmap3\tmap3\n")
    twice = compare_corpora(three["ann"], three["ben"], pair_by=pairs)
    once = compare_corpora(three["ann"], three["ben"])
    (test,) = significance({"twice": twice, "once": once}, ["f1"]).tests
    assert (test.test.items, len(test.left_out)) == (2, 6)


def test_significance_refuses(three: dict[str, Path]) -> None:
    one = compare_corpora(three["ann"], three["ben"], classes=False)
    with pytest.raises(OptionError, match="two or more"):
        significance({"ben": one})
    for bad in ({"rounds": 0}, {"seed": -1}, {"scores": ["magic"]}):
        with pytest.raises(OptionError):
            significance({"a": one, "b": one}, **bad)
    other = compare_corpora(three["ann"], three["ben"], classes=False, granularity="strict")
    with pytest.raises(OptionError, match="different options"):
        significance({"a": one, "b": other})


def test_agreement_of_two_is_that_of_the_summed_matrices(tmp_path: Path) -> None:
    ann, _ = make_corpora(tmp_path, 6)
    ben = tmp_path / "ben"
    for entry in open_corpus(ann):
        copy = changed(entry.load(), 0.3, seed=3, units=False)
        (ben / f"{entry.name}.json").write_text(dumps(copy, format="aif"), encoding="utf-8")
    found = agreement({"ann": open_corpus(ann), "ben": open_corpus(ben)})
    micro = compare_corpora(ann, ben).micro.calculations
    for name in ("transitions", "illocutions"):  # one label an item
        assert found.alpha[name] == pytest.approx(micro[name]["alpha"])
        assert found.items[name] == micro[name].matrix.total
    assert found.alpha["propositional_relations"] == pytest.approx(micro["propositional_relations"]["alpha"], abs=0.02)
    assert found.between("ben", "ann") == compare_corpora(ann, ben).macro.cass["kappa"]


def test_agreement_on_structure_is_that_of_the_summed_matrices(tmp_path: Path) -> None:
    """Two annotators, three premises each, linked by one of them in part: inner items must not be taken for these."""
    for name, together in (("ann", [[0, 1], [2]]), ("ben", [[0], [1, 2]])):
        build = GraphBuilder()
        claim, *premises = (build.proposition(text) for text in ("masks help", "they filter", "rain falls", "air cost"))
        for group in together:
            build.inference([premises[number] for number in group], claim)
        (tmp_path / name).mkdir()
        (tmp_path / name / "map.json").write_text(dumps(build.graph(), format="aif"), encoding="utf-8")
    options = Options(calculations=("propositional_relations", "argument_structure"))
    corpora = {name: open_corpus(tmp_path / name) for name in ("ann", "ben")}
    found = agreement(corpora, options=options)
    micro = compare_corpora(tmp_path / "ann", tmp_path / "ben", options=options).micro.calculations
    for name in options.calculations:
        assert found.items[name] == micro[name].matrix.total
        assert found.alpha[name] == pytest.approx(micro[name]["alpha"])
    assert found.items["argument_structure"] == 3


def test_agreement_of_three_with_a_gap(three: dict[str, Path]) -> None:
    found = agreement({name: open_corpus(path) for name, path in three.items()})
    assert found.texts == {"ann": 8, "ben": 8, "cleo": 4}
    assert found.pairs["ann", "ben"].pairs == 8
    assert found.pairs["ann", "cleo"].pairs == 4
    values = [found.between(a, b) for a, b in combinations(three, 2)]
    assert found.mean() == pytest.approx(sum(values) / 3)
    assert found.against_the_rest("cleo") == pytest.approx((values[1] + values[2]) / 2)
    for name, value in found.alpha.items():
        if value is not None:
            assert -1 <= value <= 1, name
    assert found.to_dict()["mean"]["kappa"] == found.mean()


def test_the_same_annotator_thrice_agrees(three: dict[str, Path]) -> None:
    found = agreement({name: open_corpus(three["ann"]) for name in ("a", "b", "c")})
    assert found.mean() == 1
    assert {value for value in found.alpha.values() if value is not None} == {1.0}
    assert {value for value in found.fleiss.values() if value is not None} == {1.0}


def test_agreement_refuses(three: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        agreement({"ann": open_corpus(three["ann"])})
    (tmp_path / "else.json").write_text('{"nodes": [], "edges": []}')
    with pytest.raises(InputError, match="no text"):
        agreement({"ann": open_corpus(three["ann"]), "other": open_corpus(tmp_path)})


def test_the_command(three: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben, cleo = map(str, three.values())
    assert main(["agreement", ann, ben, cleo]) == 0
    assert "Krippendorff" in capsys.readouterr().out


DEBATES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"
ANN, BEN = DEBATES / "ann", DEBATES / "ben"


def of_two(**options: object) -> Agreement:
    return agreement({"ann": open_corpus(ANN), "ben": open_corpus(BEN)}, **options)


@pytest.fixture
def renamed(tmp_path: Path) -> Path:
    """Ben's maps under other names, in a folder of their own."""
    folder = tmp_path / "ben"
    folder.mkdir()
    for number in (1, 2, 3):
        for suffix in (".json", ".txt"):
            shutil.copy(BEN / f"nodeset{number}{suffix}", folder / f"b{number}{suffix}")
    return folder


def test_two_annotators_have_the_numbers_of_compare() -> None:
    result = of_two()
    assert result.comparisons["ann", "ben"].macro == compare_corpora(ANN, BEN).macro


@pytest.mark.parametrize("how", ["text", "file"])
def test_pairs_by_text_and_by_a_file(renamed: Path, tmp_path: Path, how: str) -> None:
    by: str | Path = how
    if how == "file":
        by = tmp_path / "pairs.tsv"
        by.write_text("first\tsecond\n" + "".join(f"nodeset{n}\tb{n}\n" for n in (1, 2, 3)), encoding="utf-8")
    result = agreement({"ann": open_corpus(ANN), "ben": open_corpus(renamed)}, pair_by=by)
    assert result.mean() == of_two().mean()
    assert f"|pair:{how}" in result.signature


def test_three_annotators_by_text(renamed: Path) -> None:
    corpora = {"ann": open_corpus(ANN), "ben": open_corpus(renamed), "again": open_corpus(ANN)}
    result = agreement(corpora, pair_by="text")
    assert result.between("ann", "again") == 1
    assert result.between("ann", "ben") == result.between("again", "ben") == of_two().mean()
    with pytest.raises(OptionError, match="for two annotators"):
        agreement(corpora, pair_by=renamed / "b1.txt")


def test_intervals_are_over_texts() -> None:
    corpora = {"ann": open_corpus(ANN), "ben": open_corpus(BEN), "again": open_corpus(ANN)}
    intervals = agreement(corpora).intervals(rounds=50)
    assert set(intervals) == {
        *("ann – ben", "ann – again", "ben – again"),
        *("ann – the rest", "ben – the rest", "again – the rest", "all"),
    }
    # nodeset4 is only ann's, who is in the study twice
    assert (intervals["all"].texts, intervals["all"].pairs) == (4, 10)
    alone = compare_corpora(ANN, BEN).intervals(rounds=50)
    number = PooledNumber("cass", "all", "kappa")
    assert intervals["ann – ben"]["macro", number] == alone["macro", number]


def test_intervals_of_alpha_fleiss_and_every_label() -> None:
    corpora = {"ann": open_corpus(ANN), "ben": open_corpus(BEN), "again": open_corpus(ANN)}
    result = agreement(corpora)
    found = result.label_intervals(rounds=80, seed=4)
    for calculation in result.label_rows:
        assert found[LabelNumber("alpha", calculation)].value == pytest.approx(result.alpha[calculation])
        assert found[LabelNumber("fleiss", calculation)].value == pytest.approx(result.fleiss[calculation])
    items = {each.what: found[each].items for each in found if each[1:] == ("propositional_relations", "")}
    assert items == {"alpha": 4, "fleiss": 3}  # three texts are what all did
    for use in result.label_uses:
        if number := next((each for each in found if each[1:] == (use.calculation, use.label)), None):
            assert found[number].value == pytest.approx(use.alpha)
    # The percentiles are those of alpha of texts drawn one by one; where a label is not drawn it has none.
    number = LabelNumber("alpha", "propositional_relations", "RA")
    texts = [labels_alone(text, "RA") for text in result.label_rows["propositional_relations"]]
    draws = np.random.default_rng(4).integers(0, 4, size=(80, 4))
    drawn = [sum((Counter(texts[place]) for place in draw), Counter()) for draw in draws]
    values = [nominal_alpha(rows).value for rows in drawn if any("RA" in row for row in rows)]
    assert found[number].undefined == 80 - len(values)
    assert (found[number].low, found[number].high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


def test_pairs_of_one_text_are_drawn_together_for_alpha_too(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nnodeset1\tnodeset1\nnodeset1\tnodeset2\nnodeset3\tnodeset3\n")
    result = agreement({"ann": open_corpus(ANN), "ben": open_corpus(BEN)}, pair_by=pairs)
    assert {len(texts) for texts in result.label_rows.values()} == {2}
    assert {interval.items for interval in result.label_intervals(rounds=9).values()} <= {1, 2}


def test_the_argument_among_what_was_said_is_a_score_of_two() -> None:
    result = of_two()
    assert result.between("ann", "ben", "ER-kappa") == compare_corpora(ANN, BEN).macro.explicit["kappa"]
    assert result.alpha["explicit_relations"] is not None
    shown = render(result.tables(result.intervals(rounds=20)))
    assert "ER-κ of every two" in shown
    assert "an interval over 3 texts is too narrow" in shown


def test_a_layer() -> None:
    result = of_two(layer="propositional")
    assert result.mean() == compare_corpora(ANN, BEN).macro.over["propositional"].cass["kappa"] != of_two().mean()
    with pytest.raises(OptionError, match="no layer"):
        of_two(layer="lower")


def test_jobs_change_nothing() -> None:
    assert of_two(jobs=2).to_dict() == of_two().to_dict()


def test_confusions_have_examples() -> None:
    confusion = of_two().confusions[0]
    assert (confusion.calculation, confusion.labels, confusion.count) == (
        "illocutions",
        ("Challenging", "Pure Questioning"),
        1,
    )
    assert "Who would pay the staff?" in str(confusion.examples[0])


def test_who_uses_which_label() -> None:
    uses = {(use.calculation, use.label): use for use in of_two().label_uses}
    assert uses["propositional_relations", "RA"].counts == {"ann": 2, "ben": 1}
    assert uses["propositional_relations", "RA"].shares["ben"] == pytest.approx(1 / 5)


def test_speakers() -> None:
    speakers = of_two().speakers
    assert set(speakers) == {"Ida", "Jon"}
    assert sum(names.decisions for names in speakers.values()) == 16


def test_csv_has_every_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(ANN), str(BEN), "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["of"] for row in rows} == {"pair", "text", "macro", "micro", "calculation", "breakdown"}
    assert {"first_annotator", "cass_mcc", "M_pi"} <= rows[0].keys()
