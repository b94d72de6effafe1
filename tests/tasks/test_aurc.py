"""AURC: the three scores by hand, the papers' figures as far as one run gives them, and broken predictions."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.tasks import aurc
from aifgraph.tasks.aurc.predictions import LABELS, Label, Predicted, Run
from aifgraph.tasks.aurc.score import MEASURES


@pytest.fixture
def run(fixtures: Path) -> Run:
    return aurc.read_run(fixtures / "tasks" / "aurc" / "run.json")


def test_scores_by_hand(run: Run) -> None:
    [result] = aurc.score([run], seed=1).runs
    # Tokens, TP/gold/predicted: pro 3/5/4, con 2/6/5, non 6/9/11. (Sentence 0: pro at 2, 3; 1: con 0, 1, pro 4; …)
    assert dict(zip(result.tokens.labels, result.tokens.row_sums, strict=True)) == {"pro": 5, "con": 6, "non": 9}
    assert dict(zip(result.tokens.labels, result.tokens.column_sums, strict=True)) == {"pro": 4, "con": 5, "non": 11}
    assert result.tokens.diagonal == (3, 2, 6)
    assert result.token_f1.value == pytest.approx((2 * 3 / 9 + 2 * 2 / 11 + 2 * 6 / 20) / 3)
    # Segments: 0: non 1/2 false, pro 2/3 true, non found: 1/2. 1: con true, non false, pro 1/2 false: 1/3.
    # 2: no argument, first token non: 1 (strict: not all are, but most, so it is left out). 3: con not found: 0.
    assert result.segment_f1.value == pytest.approx((1 / 2 + 1 / 3 + 1 + 0) / 4)
    strict = aurc.score([run], seed=1, variant="strict").runs[0]
    assert strict.segment_f1.value == pytest.approx((1 / 2 + 1 / 3 + 0) / 3)
    # Sentences: gold pro, (tie), non, con; predicted pro, con, con, non. The tie as pro, then as con:
    pro, con = (aurc.score([run], ties=ties).runs[0].sentence_f1.value for ties in ("pro", "con"))
    assert pro == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert con == pytest.approx((1 + 2 * 1 / 4 + 0) / 3)
    assert result.sentence_f1.value in (pro, con)


def test_a_tie_without_seed_leaves_the_score_undefined(run: Run) -> None:
    with pytest.raises(OptionError, match="sentence 1: as many pro as con tokens, and no seed"):
        aurc.sentence_label(["pro", "con"], key="1")
    result = aurc.score([run])
    assert result.runs[0].sentence_f1.value is None
    assert result.runs[0].token_f1.value is not None
    assert ["sentence 1: as many pro as con" in line for line in result.undefined()] == [True]


def test_seeds_draw_both_ways_and_the_same_each_time() -> None:
    drawn = [aurc.sentence_label(["pro", "con"], seed=seed, key="7") for seed in range(40)]
    assert {"pro", "con"} == set(drawn)
    assert drawn == [aurc.sentence_label(["pro", "con"], seed=seed, key="7") for seed in range(40)]


def test_segments_of_exactly_half_are_not_found() -> None:
    assert aurc.segment_score(("pro", "pro", "con"), ("pro", "con", "con")) == 0.5
    assert aurc.segment_score(("non", "pro"), ("non", "non")) == 0.0
    assert aurc.segment_score(("non", "non"), ("pro", "non")) == 0.0


def test_a_sentence_without_argument_that_is_not_all_right_is_counted_like_any_other() -> None:
    for variant in ("published", "strict"):
        assert aurc.segment_score(("non",) * 3, ("pro", "non", "non"), variant) is None
        assert aurc.segment_score(("non",) * 3, ("pro", "pro", "non"), variant) == 0.0
    assert aurc.segment_score(("non",) * 3, ("non", "non", "pro"), "strict") is None
    assert aurc.segment_score(("non",) * 3, ("non", "non", "pro")) == 1.0


def test_a_sentence_model_keeps_its_own_gold_label_of_the_sentence(run: Run) -> None:
    """Tokens say pro (2 of 3), the sentence file con: its sentence-F1 is over its own labels, its token-F1 not."""
    tokens = Run("tokens", (Predicted("0", ("a", "b", "c"), ("pro", "pro", "con"), ("pro", "pro", "con")),))
    model = Run("sentence", (Predicted("0", ("a", "b", "c"), ("con",) * 3, ("con",) * 3),))
    [joined] = aurc.with_token_gold(tokens, model).sentences
    with pytest.raises(InputError, match=r"sentence: has one gold label a sentence.*give tokens as the token gold"):
        aurc.with_token_gold(model, tokens)
    assert (joined.gold, joined.sentence_gold) == (("pro", "pro", "con"), "con")
    result = aurc.score([aurc.with_token_gold(tokens, model)], zero_division="leave-out")
    assert result.runs[0].sentence_f1.value == 1.0
    assert result.runs[0].token_f1.value == pytest.approx(0.25)
    assert "sentence_gold:file" in result.signature
    assert "sentence_gold:tokens" in aurc.score([run], seed=1).signature


def test_significance_by_f1_over_sentences(run: Run) -> None:
    perfect = Run("perfect", tuple(Predicted(s.id, s.tokens, s.gold, s.gold) for s in run.sentences))
    for measure in MEASURES:
        result = aurc.significance([run, perfect], measure, ties="pro", rounds=2000, seed=1)
        assert result.order == ("perfect", "run.json")
        assert result.of("perfect", "run.json") == pytest.approx(exact_p(run, perfect, measure), abs=0.05)
        turned = Run(run.name, run.sentences[::-1])
        assert result == aurc.significance([perfect, turned], measure, ties="pro", rounds=2000, seed=1)


def exact_p(first: Run, second: Run, measure: str) -> float:
    """The share of all ways to swap sentences whose difference of scores is at least the observed one."""

    def difference(swapped: tuple[bool, ...]) -> float:
        pairs = [
            (b, a) if swap else (a, b) for a, b, swap in zip(first.sentences, second.sentences, swapped, strict=True)
        ]
        sides = (aurc.score([Run("r", side)], ties="pro").runs[0] for side in zip(*pairs, strict=True))
        one, two = (getattr(side, f"{measure}_f1").value for side in sides)
        return abs(one - two)

    ways = list(product((False, True), repeat=len(first.sentences)))
    return sum(difference(way) >= difference(ways[0]) - 1e-12 for way in ways) / len(ways)


def test_signature_tells_options_apart(run: Run) -> None:
    signatures = {
        aurc.score([run], **options).signature
        for options in (
            {"seed": 1},
            {"seed": 2},
            {"ties": "pro"},
            {"ties": "con"},
            {"seed": 1, "variant": "strict"},
            {"seed": 1, "zero_division": "1"},
        )
    }
    assert len(signatures) == 6
    # Where nothing is drawn, the seed changes nothing, and is not in the signature.
    assert aurc.score([run], ties="pro", seed=1).signature == aurc.score([run], ties="pro", seed=2).signature
    with pytest.raises(OptionError, match="choose from published, strict"):
        aurc.score([run], variant="x")


def test_mean_and_population_deviation_over_runs(run: Run) -> None:
    perfect = Run("perfect", tuple(Predicted(s.id, s.tokens, s.gold, s.gold) for s in run.sentences))
    result = aurc.score([run, perfect], seed=1)
    value = result.runs[0].token_f1.value or 0.0
    assert result.mean("token_f1") == pytest.approx(((value + 1) / 2, (1 - value) / 2))
    assert [row[0] for row in result.tables()[0].rows] == ["run.json", "perfect", "mean", "deviation"]


label = st.sampled_from(LABELS)
sentences = st.lists(st.lists(st.tuples(label, label), min_size=1, max_size=8), min_size=1, max_size=8)


def as_run(rows: list[list[tuple[Label, Label]]]) -> Run:
    return Run(
        "run",
        tuple(
            Predicted(str(n), ("w",) * len(row), tuple(g for g, _ in row), tuple(p for _, p in row))
            for n, row in enumerate(rows)
        ),
    )


@given(sentences, st.integers(0, 9))
def test_gold_against_itself_is_one(rows: list[list[tuple[Label, Label]]], seed: int) -> None:
    perfect = as_run([[(gold, gold) for gold, _ in row] for row in rows])
    [result] = aurc.score([perfect], seed=seed, variant="strict", zero_division="1").runs
    assert (result.token_f1.value, result.segment_f1.value, result.sentence_f1.value) == (1.0, 1.0, 1.0)


@given(sentences)
def test_token_f1_as_scikit_learn_has_it(rows: list[list[tuple[Label, Label]]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = zip(*(pair for row in rows for pair in row), strict=True)
    wanted = metrics.f1_score(gold, predicted, labels=list(LABELS), average="macro", zero_division=0)
    assert aurc.score([as_run(rows)], seed=0).runs[0].token_f1.value == pytest.approx(wanted)


def test_a_class_without_tokens_is_said(run: Run) -> None:
    lines = aurc.score([Run("r", run.sentences[3:])], ties="pro").undefined()
    assert lines == ["r: no token has the class 'pro'; its F1 is undefined and counted as 0"]


ONE = {"sentence": "a b", "y_true": "0 2", "y_pred": "0 0"}


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ("", InputError, "empty"),
        ({}, InputError, "no sentence"),
        ('{"7": {}, "7": {}}', InputError, "the id 7 is repeated"),
        ([ONE], FormatError, "not a JSON object"),
        (
            {"7": {"sentence": "a", "label": "0"}},
            FormatError,
            "sentence 7: expected the texts sentence, y_true, y_pred",
        ),
        ({"7": {**ONE, "y_pred": "0"}}, FormatError, "sentence 7: 2 tokens in gold.*1 in the prediction"),
        ({"7": {**ONE, "sentence": "a"}}, FormatError, "sentence 7: 1 words for 2 labels"),
        ({"7": {**ONE, "y_pred": "0 3"}}, FormatError, "sentence 7: the label '3' is out of range"),
        ({"7": {"sentence": "", "y_true": "", "y_pred": ""}}, FormatError, "sentence 7: the sentence has no tokens"),
        ('{"7": ', FormatError, "bad.json"),
    ],
)
def test_bad_predictions(tmp_path: Path, data: object, error: type[Exception], words: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    with pytest.raises(error, match=words):
        aurc.read_run(path)


def test_runs_of_a_system_are_told_from_systems() -> None:
    def run(name: str, *labels: Label) -> Run:
        sentences = (Predicted(str(number), ("a", "b"), ("non", "pro"), labels) for number in range(6))
        return Run(f"{name}.json", tuple(sentences))

    good, bad = ("non", "pro"), ("pro", "non")
    named = {"crf_001": good, "crf_002": good, "bert_seed1": bad, "bert_seed2": good, "other": bad}
    runs = [run(name, *labels) for name, labels in named.items()]
    tests = aurc.significance(runs, rounds=100, seed=1).tests
    assert {name for test in tests for name in (test.first, test.second)} == {"crf", "bert", "other.json"}
    with pytest.raises(InputError, match=r"runs of one system \(crf\)"):
        aurc.significance(runs[:2], rounds=100, seed=1)


def test_token_gold_must_be_of_the_same_sentences(run: Run) -> None:
    sentence_model = Run("s", tuple(Predicted(s.id, s.tokens, s.predicted, s.predicted) for s in run.sentences))
    assert aurc.with_token_gold(run, sentence_model).sentences == run.sentences
    with pytest.raises(InputError, match="not the sentences and gold labels"):
        aurc.score([run, sentence_model])
    with pytest.raises(InputError, match="no prediction for the sentence 3"):
        aurc.with_token_gold(run, Run("s", run.sentences[:-1]))
    with pytest.raises(InputError, match="the sentence 3 is not in"):
        aurc.with_token_gold(Run("gold", run.sentences[:-1]), run)
    one = run.sentences[0]
    shorter = Run("s", (Predicted(one.id, one.tokens[1:], one.gold[1:], one.predicted[1:]), *run.sentences[1:]))
    with pytest.raises(InputError, match="s, sentence 0: 5 tokens, but 6 in the token gold"):
        aurc.with_token_gold(run, shorter)
    with pytest.raises(InputError, match="no run"):
        aurc.score([])


def test_perturbation_by_hand(run: Run) -> None:
    # Argument or not: sentence 0 and 1 right, 2 taken as argument, 3 missed: 2 of 4. After: 0 and 1 only: 2 of 2.
    result = aurc.perturbation([run, run], [Run("after", run.sentences[:2])] * 2)
    change = result.runs[0]
    assert (change.before, change.after, change.difference, change.relative) == (0.5, 1.0, 0.5, 100.0)
    assert result.mean("relative") == (100.0, 0.0)
    # Over runs: from 0.5 and 1 to 1 and 1 is a third more, where the mean of 100 % and 0 % is a half.
    uneven = aurc.perturbation([run, Run("b", run.sentences[:2] * 2)], [Run("after", run.sentences[:2])] * 2)
    assert [change.before for change in uneven.runs] == [0.5, 1.0]
    relative = uneven.mean("relative")
    assert relative[0] == pytest.approx(100 * (1 - 0.75) / 0.75)
    assert relative[1] == 50.0
    missed = Run("missed", run.sentences[3:])
    nothing = aurc.perturbation([missed], [run])
    assert nothing.runs[0].relative is None
    assert nothing.mean("relative") is None
    with pytest.raises(InputError, match=r"2 run\(s\) before, 1 after"):
        aurc.perturbation([run, run], [run])
    with pytest.raises(InputError, match="1 sentences, where"):
        aurc.perturbation([run, missed], [run, run])


@pytest.mark.data
def test_scores_of_the_first_run(shared_data: Path) -> None:
    folder = shared_data / "rob-token-aur" / "predictions"
    found = {}
    for split in ("in", "cr"):
        gold = aurc.read_run(folder / f"aurc_{split}_predictions_test_001.json")
        for model in ("predictions_test", "crf_predictions_test", "predictions_test_sentence"):
            run = aurc.with_token_gold(gold, aurc.read_run(folder / f"aurc_{split}_{model}_001.json"))
            [result] = aurc.score([run], ties="pro").runs
            values = (result.token_f1.value, result.segment_f1.value)
            found[split, model] = tuple(round(value or 0, 4) for value in values)
    assert found == {
        ("in", "predictions_test"): (0.6958, 0.7466),
        ("in", "crf_predictions_test"): (0.6903, 0.7336),
        ("in", "predictions_test_sentence"): (0.6239, 0.5049),
        ("cr", "predictions_test"): (0.5762, 0.5835),
        ("cr", "crf_predictions_test"): (0.5764, 0.5921),
        ("cr", "predictions_test_sentence"): (0.5301, 0.4319),
    }


@pytest.mark.data
@pytest.mark.parametrize(
    ("test", "model", "before", "after"),
    [
        ("per1", "token", 0.870, 0.885),
        ("per1", "crf_token", 0.905, 0.830),
        ("per1", "sentence", 0.870, 0.800),
        ("per2", "token", 0.790, 0.800),
        ("per2", "crf_token", 0.820, 0.790),
        ("per2", "sentence", 0.620, 0.710),
        ("per3", "token", 0.760, 0.675),
        ("per3", "crf_token", 0.790, 0.690),
        ("per3", "sentence", 0.705, 0.635),
    ],
)
def test_perturbations_of_the_first_run(shared_data: Path, test: str, model: str, before: float, after: float) -> None:
    """Published, as means over five runs: T1 token .875 → .832, T3 sentence .652 → .576."""
    folder = shared_data / "rob-token-aur" / "predictions"
    sides = [f"AURC_DATA_dict_{test}_{side}.json___TEST___aurc_cr_{model}_001.pt.json" for side in ("before", "after")]
    first, second = (aurc.read_run(folder / side) for side in sides)
    change = aurc.perturbation([first], [second]).runs[0]
    assert (change.before, change.after) == pytest.approx((before, after))


def test_text_in_front_of_predictions_is_passed_over_as_in_maps(fixtures: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "run.json"
    path.write_text("a warning\n" + (fixtures / "tasks" / "aurc" / "run.json").read_text("utf-8"), "utf-8")
    assert aurc.read_run(path).sentences == run.sentences
    path.write_text('a warning {"0": {}, "0": {}}', "utf-8")
    with pytest.raises(InputError, match="the id 0 is repeated"):
        aurc.read_run(path)
