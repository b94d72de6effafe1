"""AURC: the three scores by hand, the papers' figures as far as one run gives them; subpopulations, agreement, and what
comes in broken."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import read_dataset
from aifgraph.datasets import Log
from aifgraph.datasets.aurc import DATA
from aifgraph.errors import FormatError, InputError, NotFoundError, OptionError
from aifgraph.stats.alpha import unitised_alpha
from aifgraph.tasks import aurc, aurc_corpus
from aifgraph.tasks.aurc import LABELS, Label, Predicted, Run, Tokens
from documents import FIXTURES

NAMES: dict[str, Label] = {"n": "non", "p": "pro", "c": "con"}


def labels(text: str) -> tuple[Label, ...]:
    return tuple(NAMES[char] for char in text)


@pytest.fixture
def run() -> Run:
    return aurc.read_run(FIXTURES / "tasks" / "aurc" / "run.json")


def value(run: Run, measure: str, **options: object) -> float | None:
    found: float | None = aurc.score([run], **options).records("Scores")[0][f"{measure}-F1"]
    return found


def test_scores_by_hand(run: Run) -> None:
    # Tokens, TP/gold/predicted: pro 3/5/4, con 2/6/5, non 6/9/11. (Sentence 0: pro at 2, 3; 1: con 0, 1, pro 4; …)
    classes = aurc.score([run], seed=1).records("Token classes")
    assert [(row["gold"], row["predicted"]) for row in classes] == [(5, 4), (6, 5), (9, 11)]
    assert [row["precision"] for row in classes] == pytest.approx([3 / 4, 2 / 5, 6 / 11])
    assert value(run, "token") == pytest.approx((2 * 3 / 9 + 2 * 2 / 11 + 2 * 6 / 20) / 3)
    # Segments: 0: non 1/2 false, pro 2/3 true, non found: 1/2. 1: con true, non false, pro 1/2 false: 1/3.
    # 2: no argument, first token non: 1 (strict: not all are, but most, so it is left out). 3: con not found: 0.
    assert value(run, "segment") == pytest.approx((1 / 2 + 1 / 3 + 1 + 0) / 4)
    assert value(run, "segment", variant="strict") == pytest.approx((1 / 2 + 1 / 3 + 0) / 3)
    # Sentences: gold pro, (tie), non, con; predicted pro, con, con, non. The tie as pro, then as con:
    pro, con = (value(run, "sentence", ties=ties) for ties in ("pro", "con"))
    assert (pro, con) == (pytest.approx((2 / 3 + 0 + 0) / 3), pytest.approx((1 + 2 * 1 / 4 + 0) / 3))
    assert value(run, "sentence", seed=1) in (pro, con)


def test_a_tie_without_seed_leaves_the_score_undefined(run: Run) -> None:
    with pytest.raises(OptionError, match="sentence 1"):
        aurc.sentence_label(["pro", "con"], key="1")
    result = aurc.score([run])
    mean, deviation = result.records("Scores")[-2:]
    assert (mean["sentence-F1"], deviation["sentence-F1"], deviation["token-F1"]) == (None, None, 0.0)
    assert ["sentence 1" in line for line in result.caveats] == [True]
    # Where nothing is drawn, the seed changes nothing, and is not in the signature.
    same = (aurc.score([run], ties="pro", seed=seed).signature for seed in (1, 2))
    drawn_by = (aurc.score([run], seed=seed).signature for seed in (1, 2))
    assert (len({*same}), len({*drawn_by})) == (1, 2)
    for wrong in ({"variant": "x"}, {"ties": "x"}):
        with pytest.raises(OptionError):
            aurc.score([run], **wrong)
    drawn = [aurc.sentence_label(["pro", "con"], seed=seed, key="7") for seed in range(40)]
    assert {*drawn} == {"pro", "con"}
    assert drawn == [aurc.sentence_label(["pro", "con"], seed=seed, key="7") for seed in range(40)]


@pytest.mark.parametrize(
    ("gold", "predicted", "published", "strict"),
    [
        ("ppc", "pcc", 0.5, 0.5),
        ("np", "nn", 0.0, 0.0),  # exactly half is not found
        ("nn", "pn", 0.0, 0.0),
        ("nnn", "pnn", None, None),
        ("nnn", "ppn", 0.0, 0.0),
        ("nnn", "nnp", 1.0, None),
    ],
)
def test_segments(gold: str, predicted: str, published: float | None, strict: float | None) -> None:
    one, other = labels(gold), labels(predicted)
    assert (aurc.segment_score(one, other), aurc.segment_score(one, other, "strict")) == (published, strict)


def test_a_sentence_model_keeps_its_own_gold_label_of_the_sentence(run: Run) -> None:
    """Tokens say pro (2 of 3), the sentence file con: its sentence-F1 is over its own labels, its token-F1 not."""
    tokens = Run("tokens", (Predicted("0", ("a", "b", "c"), ("pro", "pro", "con"), ("pro", "pro", "con")),))
    model = Run("sentence", (Predicted("0", ("a", "b", "c"), ("con",) * 3, ("con",) * 3),))
    [joined] = aurc.with_token_gold(tokens, model).sentences
    assert (joined.gold, joined.sentence_gold) == (("pro", "pro", "con"), "con")
    result = aurc.score([aurc.with_token_gold(tokens, model)])
    # Of the three classes only con is predicted, of two of the tokens wrongly.
    row = result.records("Scores")[0]
    assert (row["sentence-F1"], row["token-F1"]) == (pytest.approx(1 / 3), pytest.approx(0.5 / 3))
    assert "sentence_gold=file" in result.signature
    assert "sentence_gold=tokens" in aurc.score([run], seed=1).signature
    with pytest.raises(InputError):
        aurc.with_token_gold(model, tokens)


def test_token_gold_must_be_of_the_same_sentences(run: Run) -> None:
    model = Run("s", tuple(Predicted(s.id, s.tokens, s.predicted, s.predicted) for s in run.sentences))
    assert aurc.with_token_gold(run, model).sentences == run.sentences
    one = run.sentences[0]
    shorter = Run("s", (Predicted(one.id, one.tokens[1:], one.gold[1:], one.predicted[1:]), *run.sentences[1:]))
    less = Run("less", run.sentences[:-1])
    for gold, other in ((run, less), (less, run), (run, shorter)):
        with pytest.raises(InputError):
            aurc.with_token_gold(gold, other)
    for runs in ([run, model], []):
        with pytest.raises(InputError):
            aurc.score(runs)


label = st.sampled_from(LABELS)
Rows = list[list[tuple[Label, Label]]]
rows = st.lists(st.lists(st.tuples(label, label), min_size=1, max_size=8), min_size=1, max_size=8)


def as_run(rows: Rows) -> Run:
    sides = (list(zip(*row, strict=True)) for row in rows)
    return Run("run", tuple(Predicted(str(n), ("w",) * len(gold), gold, of) for n, (gold, of) in enumerate(sides)))


@given(rows=rows, seed=st.integers(0, 9))
def test_gold_against_itself_is_one(rows: Rows, seed: int) -> None:
    perfect = as_run([[(gold, gold) for gold, _ in row] for row in rows])
    f1 = aurc.score([perfect], seed=seed, variant="strict").records("Scores")[0]
    classes = {gold for row in rows for gold, _ in row}
    assert (f1["token-F1"], f1["segment-F1"]) == (pytest.approx(len(classes) / 3), 1.0)


@given(rows=rows)
def test_token_f1_as_scikit_learn_has_it(rows: Rows) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = zip(*(pair for row in rows for pair in row), strict=True)
    wanted = metrics.f1_score(gold, predicted, labels=list(LABELS), average="macro", zero_division=0)
    assert value(as_run(rows), "token", seed=0) == pytest.approx(wanted)


ONE = {"sentence": "a b", "y_true": "0 2", "y_pred": "0 0"}


@pytest.mark.parametrize(
    "data",
    [
        {},
        '{"7": {}, "7": {}}',
        {"7": {"sentence": "a", "label": "0"}},
        {"7": {**ONE, "y_pred": "0"}},
        {"7": {**ONE, "y_pred": "0 3"}},
        {"7": {"sentence": "", "y_true": "", "y_pred": ""}},
        '{"7": ',
        "[" * 100_000,
    ],
)
def test_bad_predictions(tmp_path: Path, data: object) -> None:
    path = tmp_path / "bad.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match=str(path)):
        aurc.read_run(path)


def accuracies(before: list[Run], after: list[Run]) -> list[list[object]]:
    return [[*row][1:] for row in aurc.perturbation(before, after).tables()[0].rows]


def test_perturbation_by_hand(run: Run) -> None:
    # Argument or not: sentence 0 and 1 right, 2 taken as argument, 3 missed: 2 of 4. After: 0 and 1 only: 2 of 2.
    first, _, mean, deviation = accuracies([run, run], [Run("after", run.sentences[:2])] * 2)
    assert first == mean == [0.5, 1.0, 0.5, 100.0]
    assert deviation == [0.0] * 4
    # Over runs: from 0.5 and 1 to 1 and 1 is a third more, where the mean of 100 % and 0 % is a half.
    uneven = accuracies([run, Run("b", run.sentences[:2] * 2)], [Run("after", run.sentences[:2])] * 2)
    assert [row[0] for row in uneven[:2]] == [0.5, 1.0]
    assert [row[3] for row in uneven[2:]] == [pytest.approx(100 * (1 - 0.75) / 0.75), 50.0]
    missed = Run("missed", run.sentences[3:])
    assert accuracies([missed], [run])[1][3] is None
    for before, after in (([run, run], [run]), ([run, missed], [run, run]), ([], [])):
        with pytest.raises(InputError):
            aurc.perturbation(before, after)


COLUMNS = "topic\tsentence_hash\tsentence\tlength_in_text\tmerged_segments"


@pytest.mark.parametrize(
    ("cell", "marked"),
    [
        ("('true', None, None)", ()),
        ("('false', '(2,4);', 'pro;')", ((2, 4, "pro"),)),
        # The text of a tuple without white space, and a segment without characters.
        ("('false','(2,4);','pro;')", ((2, 4, "pro"),)),
        ("('false', '(5,0);', 'pro;')", ()),
        ("('false', '(0,3);', 'pro;con;')", None),
        ("false', '(0,3);', 'pro;')", None),
        ("('true', '(0,3);', 'pro;')", None),
        ("('false', '(0,99);', 'pro;')", None),
    ],
)
def test_maps_and_scores_read_a_cell_alike(cell: str, marked: tuple[object, ...] | None, tmp_path: Path) -> None:
    row = f"guns\ts1\tguns save lives\t15\t('true', None, None)\t{cell}"
    (tmp_path / DATA).write_text(f"{COLUMNS}\tANNOTATOR_00\n{row}\n", encoding="utf-8")
    [sentence] = aurc_corpus.read_folder(tmp_path).sentences
    assert sentence.workers.get("ANNOTATOR_00") == marked
    assert sentence.damaged == (set() if marked is not None else {"ANNOTATOR_00"})
    log = Log()
    [graph] = read_dataset("aurc", tmp_path, log=log, annotator="each")
    assert len(graph.locutions) == len(marked or ())
    assert len(log.problems) == len(sentence.damaged)


@pytest.mark.parametrize(
    "content",
    [
        "topic\tsentence\nx\ty\n",
        f"{COLUMNS}\nguns\ts1\tguns save lives\t14\t('true', None, None)\n",
        f"{COLUMNS}\nx\th\ts\tlong\t('true', None, None)\n",
        f"{COLUMNS}\nx\th\ts\t1\tnothing\n",
        f"{COLUMNS}\nx\th\ts\t1\t\n",
        f"{COLUMNS}\nx\th\ts\t1\t('true', None, None)\tmore\n",
        f"{COLUMNS}\nx\th\ts\t1\t('true', None, None)\n" + "x\th\ts\t1\t('true', None, None)\n",
        None,
    ],
)
def test_bad_folders(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / DATA).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=str(tmp_path)):
        aurc_corpus.read_folder(tmp_path)


def test_perturbation_sets(tmp_path: Path) -> None:
    entry = {"tokenized_sentence_spacy": "guns kill", "tokenized_sentence_spacy_labels": "con con"}
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"guns": [{**entry, "sentence_hash": ""}, {**entry, "sentence_hash": "h"}]}), "utf-8")
    assert aurc.read_topics(path) == [Tokens("h", "guns", ("guns", "kill"), ("con", "con"))]
    for broken in ([{"sentence_hash": "h"}], [{**entry, "tokenized_sentence_spacy": "guns"}], ["x"], "x"):
        path.write_text(json.dumps({"guns": broken}), encoding="utf-8")
        with pytest.raises(FormatError):
            aurc.read_topics(path)
    with pytest.raises(NotFoundError):
        aurc.read_topics(tmp_path / "none.json")


def test_subpopulations_by_hand() -> None:
    """Three mixed sentences, of which the first two are found; nearest are a (argument), b (none), and both."""
    gold = [("0", "np", "np"), ("1", "npp", "nnc"), ("2", "nnnp", "nnnn"), ("3", "nn", "pp")]
    run = Run("run", tuple(Predicted(id_, ("w",) * len(one), labels(one), labels(of)) for id_, one, of in gold))
    train = [Tokens("a", "guns", ("x",), ("pro",)), Tokens("b", "guns", ("y",), ("non",))]

    def similarity(tests: Sequence[str], trains: Sequence[str]) -> list[list[float]]:
        assert (list(tests), list(trains)) == (["w w", "w w w", "w w w w"], ["x", "y"])
        return [[0.9, 0.2], [0.3, 0.6], [0.4, 0.4]]

    nearest = aurc.subpopulation([run], train, similarity)
    rows = [(row["test"], row["r"], row["sentences"]) for row in nearest.records("Correlations")]
    # T4: right 1, 0 with .9 and .4; T5: 1, 0 with .6 and .4; T6: right 1 1 0 with shares 1/2, 2/3, 1/4.
    r = 1.0, 1.0, 0.9176629
    assert rows == [*zip(("T4", "T5", "T6"), map(pytest.approx, r), (2, 2, 3), strict=True)]
    any_of = aurc.subpopulation([run], train, similarity, neighbour="any")
    assert [row["sentences"] for row in any_of.records("Correlations")] == [2, 3, 3]
    # Right 1 1 0 with .2, .6, .4: no correlation.
    assert any_of.records("Runs")[0]["T5"] == pytest.approx(0.0, abs=1e-12)
    assert any_of.signature != nearest.signature
    without = aurc.subpopulation([run])
    assert [without.records("Runs")[0][test] is None for test in ("T4", "T5", "T6")] == [True, True, False]
    assert len(without.caveats) == 2
    with pytest.raises(InputError):
        aurc.subpopulation([run], train, lambda tests, trains: [[1.0]])
    for wrong in ({"neighbour": "x"}, {"marks": "x"}):
        with pytest.raises(OptionError):
            aurc.subpopulation([run], **wrong)


def test_agreement_by_hand() -> None:
    [row] = aurc_corpus.agreement(aurc_corpus.read_folder(FIXTURES / "tasks" / "aurc")).records("Agreement")
    assert (row["topic"], row["sentences"], row["left out"]) == ("guns", 4, 1)
    # Pairs 00 and 01 on s1 and s3: all alike. 00 and 02 on s2, "They kill people .": c c c n and c c n n:
    # agreed 3/4; chance (3·2 + 1·2) / 16 = 1/2; kappa 1/2. Weighted by 8 + 6 and 4 tokens.
    assert (row["token kappa"], row["pairs"]) == (pytest.approx((1 * 14 + 0.5 * 4) / 18), 2)
    # con: 16 and 9 characters of 73 from the same place on: 49 of unit against the mean; pro is marked alike.
    con = unitised_alpha([[(18, 33, "pro"), (34, end, "con")] for end in (50, 43)], 73).categories["con"]
    assert (row["alpha pro"], row["alpha con"]) == (1.0, con.value)
    assert con.observed == pytest.approx(2 * 49 / (2 * 73**2))
