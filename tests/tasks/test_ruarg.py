"""RuArg-2022: the score by hand, the counts, and what comes in broken."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.datasets.ruarg import LABEL_COLUMNS as COLUMNS
from aifgraph.datasets.ruarg import LABELS, SUBTASKS, Sentence, Subtask
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.tasks import ruarg
from aifgraph.tasks.ruarg.score import RuArgFile
from aifgraph.tasks.ruarg.score import paired as ruarg_pairs

HEAD = "\t".join(("text_id", "text", *COLUMNS))


@pytest.fixture
def gold(fixtures: Path) -> RuArgFile:
    return ruarg.read(fixtures / "tasks" / "ruarg" / "gold.tsv")


@pytest.fixture
def predicted(fixtures: Path) -> RuArgFile:
    return ruarg.read(fixtures / "tasks" / "ruarg" / "predicted.tsv")


def test_score_by_hand(gold: RuArgFile, predicted: RuArgFile) -> None:
    result = ruarg.score(gold, predicted)
    # masks stance, gold 2 0 · · 0, predicted 2 2 · · 0: for 2/3, other undefined (0), against 2/3.
    assert result.macro(Subtask("masks", "stance")) == pytest.approx(4 / 9)
    # quarantine stance: for 1, other undefined, against 1. vaccines stance: 4 is missed, so for 2/3.
    assert result.macro(Subtask("quarantine", "stance")) == pytest.approx(2 / 3)
    assert result.macro(Subtask("vaccines", "stance")) == pytest.approx(2 / 9)
    assert result.f1("stance") == pytest.approx((4 / 9 + 2 / 3 + 2 / 9) / 3)
    # premises: masks 1, 1, 1; quarantine: other 2/3, against 0 (predicted as other), for undefined;
    # vaccines: for 1, other 0 (4 is predicted irrelevant), against undefined.
    assert result.f1("premise") == pytest.approx((1 + 2 / 9 + 1 / 3) / 3)


def test_absent_class_is_said_and_counted_as_asked(gold: RuArgFile, predicted: RuArgFile) -> None:
    masks = Subtask("masks", "stance")
    assert any("masks_stance" in line and "'other'" in line for line in ruarg.score(gold, predicted).undefined())
    assert ruarg.score(gold, predicted, zero_division="1").macro(masks) == pytest.approx(7 / 9)
    left_out = ruarg.score(gold, predicted, zero_division="leave-out")
    assert left_out.macro(masks) == pytest.approx(2 / 3)
    assert len({left_out.signature, ruarg.score(gold, predicted).signature}) == 2
    with pytest.raises(OptionError, match="zero_division"):
        ruarg.score(gold, predicted, zero_division="nan").f1("stance")


def test_tables_show_four_classes_and_the_macro_average(gold: RuArgFile, predicted: RuArgFile) -> None:
    head, stance, premise = ruarg.score(gold, predicted).tables()
    assert [row[0] for row in head.rows] == ["F1_stance", "F1_premise"]
    assert len(stance.rows) == len(premise.rows) == 15
    assert list(stance.rows[0]) == ["masks", "for", 2, 0.5, 1.0, pytest.approx(2 / 3), 1, 2]
    assert stance.rows[1][5] is None  # other: undefined, not 0


labels = st.lists(st.tuples(*[st.sampled_from(LABELS)] * 12), min_size=1, max_size=30)


def corpora(rows: list[tuple[str, ...]]) -> tuple[RuArgFile, RuArgFile]:
    first = [Sentence(str(n), "", dict(zip(COLUMNS, row[:6], strict=True))) for n, row in enumerate(rows)]
    second = [Sentence(str(n), "", dict(zip(COLUMNS, row[6:], strict=True))) for n, row in enumerate(rows)]
    return RuArgFile("gold", tuple(first)), RuArgFile("predicted", tuple(second))


@given(labels, st.integers(0, 99))
def test_order_of_rows_does_not_matter(rows: list[tuple[str, ...]], seed: int) -> None:
    gold, predicted = corpora(rows)
    shuffled = list(predicted.sentences)
    random.Random(seed).shuffle(shuffled)
    assert ruarg.score(gold, RuArgFile("p", tuple(shuffled))).tables() == ruarg.score(gold, predicted).tables()


@given(labels)
def test_gold_against_itself_is_one(rows: list[tuple[str, ...]]) -> None:
    gold, _ = corpora(rows)
    result = ruarg.score(gold, gold, zero_division="1")
    assert result.f1("stance") == result.f1("premise") == 1.0


def test_reading_keeps_quotes(gold: RuArgFile) -> None:
    assert '"капли"' in gold.sentences[0].text


def test_stats(gold: RuArgFile) -> None:
    [table] = ruarg.stats([gold]).tables()
    assert list(table.rows[0][1:]) == ["masks", 1, 0, 2, 1, 1, 1, 2, 5]
    result = ruarg.stats([gold]).to_dict()
    assert result["signature"].startswith("ruarg.stats|version:")
    assert result["sentences_by_label"] == table.records()


ROW = "\t2\t1\t-1\t-1\t-1\t-1"


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        ("", InputError, "empty"),
        (HEAD + "\n", InputError, "no row"),
        ("id\ttext\n1\tx\n", FormatError, "expected the columns masks_stance.*found id, text"),
        (f"{HEAD}\n1\tx{ROW}\n1\ty{ROW}\n", InputError, "line 3: the text_id 1 is given twice"),
        (f"{HEAD}\n1\tx\t3\t1\t-1\t-1\t-1\t-1\n", FormatError, "line 2: the label '3' in the column masks_stance"),
        (f"{HEAD}\n1\tx\t\t1\t-1\t-1\t-1\t-1\n", FormatError, "the label ''"),
        (f"{HEAD}\n1\tx\t2\n", FormatError, "3 cells where the header has 8"),
        (f"{HEAD}\n\tx{ROW}\n", FormatError, "text_id is empty"),
    ],
)
def test_bad_files(tmp_path: Path, content: str, error: type[Exception], words: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(error, match=words):
        ruarg.read(path)


def test_missing_and_extra_ids_are_named(tmp_path: Path, gold: RuArgFile) -> None:
    less = RuArgFile("less", gold.sentences[:-1])
    with pytest.raises(InputError, match="no prediction for the id 5"):
        ruarg.score(gold, less)
    with pytest.raises(InputError, match="id 5 is not in the gold"):
        ruarg.score(less, gold)
    with pytest.raises(InputError, match=r"4 rows where .* has 5"):
        ruarg.score(gold, RuArgFile("less", gold.sentences[:-1], has_ids=False))


@pytest.mark.data
def test_counts_of_the_training_excerpt(shared_data: Path) -> None:
    file = ruarg.read(shared_data / "ruarg2022" / "train_excerpt.tsv")
    [table] = ruarg.stats([file]).tables()
    assert [list(row[1:]) for row in table.rows] == [
        ["masks", 3, 10, 3, 0, 16, 0, 1184, 1200],
        ["quarantine", 327, 785, 88, 133, 991, 76, 0, 1200],
        ["vaccines", 1, 4, 1, 0, 6, 0, 1194, 1200],
    ]
    with pytest.raises(FormatError, match="is none of 2, 1, 0, -1"):
        ruarg.read(shared_data / "ruarg2022" / "test-no_labels.tsv")


def annotated(name: str, labels: str, has_ids: bool = True) -> RuArgFile:
    """One sentence a character, f(or) or a(gainst) in every column; a dot is a sentence left out."""
    codes = {"f": "2", "a": "0"}
    rows = [Sentence(str(n), "", dict.fromkeys(COLUMNS, codes[each])) for n, each in enumerate(labels) if each in codes]
    return RuArgFile(name, tuple(rows), has_ids)


def test_agreement_by_hand() -> None:
    result = ruarg.agreement([annotated("one", "ffaa."), annotated("two", "ffafa")])
    # The fifth sentence has one label and does not count: n = 8, f 5, a 3; observed disagreement 2/8,
    # expected 2·5·3/(8·7) = 30/56: 1 − 14/30.
    assert result.alpha(Subtask("masks", "stance")).value == pytest.approx(1 - 14 / 30)
    assert result.alpha(*SUBTASKS[:1]) == result.alpha(Subtask("masks", "stance"))
    # Six equal columns together: n = 48, f 30, a 18; 1 − (12/48) / (2·30·18/(48·47)).
    assert result.alpha().value == pytest.approx(1 - 0.25 / (2 * 30 * 18 / (48 * 47)))
    assert result.tables()[0].rows[-1][-1] == 24


def test_agreement_of_everybody_and_of_nobody() -> None:
    one = annotated("one", "faf")
    assert ruarg.agreement([one, one, one]).alpha().value == 1.0
    apart = ruarg.agreement([annotated("one", "f."), annotated("two", ".f")])
    assert apart.alpha().value is None
    assert len(apart.undefined()) == len(COLUMNS)


def test_agreement_needs_two_and_the_same_rows() -> None:
    with pytest.raises(OptionError, match="two annotators or more"):
        ruarg.agreement([annotated("one", "f")])
    with pytest.raises(InputError, match="2 rows where one has 1"):
        ruarg.agreement([annotated("one", "f", has_ids=False), annotated("two", "ff", has_ids=False)])


def test_several_systems_are_ranked(gold: RuArgFile, predicted: RuArgFile) -> None:
    best = RuArgFile("x/best.tsv", gold.sentences)
    again = RuArgFile("x/again.tsv", gold.sentences)
    result = ruarg.ranking(gold, [predicted, best, again])
    head, claims = result.tables()
    assert [(row[0], row[1], row[4]) for row in head.rows] == [
        (1, "again.tsv", 1),
        (1, "best.tsv", 1),
        (3, "predicted.tsv", 3),
    ]
    assert head.rows[2][2] == pytest.approx((4 / 9 + 2 / 3 + 2 / 9) / 3)
    assert len(claims.columns) == 7
    with pytest.raises(InputError, match="given twice"):
        ruarg.ranking(gold, [best, best])


def test_significance_of_f1(gold: RuArgFile, predicted: RuArgFile) -> None:
    best = RuArgFile("best.tsv", gold.sentences)
    result = ruarg.significance(gold, [predicted, best], rounds=2000, seed=1)
    assert result.order[0] == "best.tsv"
    p = result.of("best.tsv", result.order[1])
    # Not significant with five sentences; the same for another order of rows, and 1 for a system and its copy.
    assert 1 / 32 < p < 1
    with_ids = [replace(ours, labels=theirs.labels) for ours, theirs in ruarg_pairs(gold, predicted)]
    turned = [RuArgFile(result.order[1], tuple(with_ids[::-1])), RuArgFile("best.tsv", gold.sentences[::-1])]
    back = ruarg.significance(RuArgFile("gold", gold.sentences[::-1]), turned, rounds=2000, seed=1)
    assert back.of(*result.order) == p
    copy = RuArgFile("copy.tsv", gold.sentences)
    assert ruarg.significance(gold, [best, copy], "premise", rounds=99).of("best.tsv", "copy.tsv") == 1.0
    with pytest.raises(InputError, match="nothing to compare"):
        ruarg.significance(gold, [best])
