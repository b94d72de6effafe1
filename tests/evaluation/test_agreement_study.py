"""Agreement with pairs, layers, intervals, batches, label use and confusions."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.agreement import Agreement, agreement
from aifgraph.evaluation.agreement_result import LabelNumber
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.text_agreement import labels_alone
from aifgraph.stats.krippendorff import nominal_alpha

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


def test_the_argument_among_what_was_said_is_a_score_of_two(capsys: pytest.CaptureFixture[str]) -> None:
    result = of_two()
    assert result.between("ann", "ben", "ER-kappa") == compare_corpora(ANN, BEN).macro.explicit["kappa"]
    assert result.alpha["explicit_relations"] is not None
    assert main(["agreement", str(ANN), str(BEN), "--intervals", "--rounds", "20"]) == 0
    shown = capsys.readouterr().out
    assert "ER-κ of every two" in shown
    assert "an interval over 3 texts is too narrow" in shown
    assert "|ci:percentile.0.95.20.0" in shown


def test_a_layer() -> None:
    result = of_two(layer="propositional")
    assert result.mean() == compare_corpora(ANN, BEN).macro.over["propositional"].cass["kappa"] != of_two().mean()
    with pytest.raises(OptionError, match="no layer"):
        of_two(layer="lower")


def test_jobs_change_nothing() -> None:
    assert of_two(n_jobs=2).to_dict() == of_two().to_dict()


def test_batches() -> None:
    result = of_two(batches={"nodeset1": "pilot", "nodeset2": "pilot"})
    assert {name: scores.pairs for name, scores in result.batches.items()} == {"no batch": 1, "pilot": 2}
    assert result.batches["no batch"].cass["kappa"] == 1
    with pytest.raises(InputError, match="nodeset9"):
        of_two(batches={"nodeset9": "pilot"})


def test_dates_of_nodes_make_batches(tmp_path: Path) -> None:
    for folder in (ANN, BEN):
        (tmp_path / folder.name).mkdir()
        for number in (1, 2):
            text = (folder / f"nodeset{number}.json").read_text("utf-8")
            stamped = text.replace('"type": "I"', f'"timestamp": "2024-0{number}-03 10:00:00", "type": "I"')
            assert stamped != text
            (tmp_path / folder.name / f"nodeset{number}.json").write_text(stamped, encoding="utf-8")
    corpora = {name: open_corpus(tmp_path / name) for name in ("ann", "ben")}
    assert list(agreement(corpora, over_time="month").batches) == ["2024-01", "2024-02"]
    assert list(agreement(corpora, over_time="year").batches) == ["2024"]


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text\tbatch\n", "does not name"),
        ("name\tbatch\nnodeset1\n", "too few columns"),
        ("name\tbatch\nnodeset1\ta\nnodeset1\tb\n", "given twice"),
        ("name\tbatch\nnodeset7\ta\n", "nodeset7"),
    ],
)
def test_a_bad_file_of_batches(content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "batches.tsv"
    path.write_text(content, encoding="utf-8")
    assert main(["agreement", str(ANN), str(BEN), "--batches", str(path)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
