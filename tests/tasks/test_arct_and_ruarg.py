"""SemEval-2018 task 12 and RuArg-2022: scores by hand, rankings, and what comes in broken."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.datasets.ruarg import COLUMNS, LABELS, SUBTASKS, Comment
from aifgraph.errors import FormatError, InputError, LimitError, OptionError
from aifgraph.tasks import arct, ruarg
from aifgraph.tasks.arct import Answers, read_metadata
from aifgraph.tasks.ruarg import RuArgFile
from aifgraph.tasks.scores import TaskResult
from documents import FIXTURES

ARCT = FIXTURES / "tasks" / "arct"


def test_ranking_by_hand() -> None:
    gold = arct.read_answers(ARCT / "instances.txt")
    assert gold.labels == {"a1": 0, "a2": 1, "a3": 1}
    systems = arct.read_systems([ARCT / "second.txt", ARCT / "first.txt"])
    [table] = arct.ranking(gold, systems).tables()
    accuracy = pytest.approx(2 / 3)
    assert table.rows == [(1, "Ann", accuracy, 2, 3, ""), (None, "bob", accuracy, 2, 3, "withdrawn")]


@pytest.mark.parametrize("content", ["", "# nothing\n", "a1 0\na1 1\n", "a1 2\n", "a1\n", "a1 0 1\n", "\xff 0\n"])
def test_bad_answers(tmp_path: Path, content: str) -> None:
    path = tmp_path / "answers.txt"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(InputError, match="answers"):
        arct.read_answers(path)


def test_missing_and_extra_ids_are_named() -> None:
    gold = Answers("gold", {"1": 0, "2": 1})
    with pytest.raises(InputError, match="id 2"):
        arct.ranking(gold, [Answers("s", {"1": 0})])
    with pytest.raises(InputError, match="id 3"):
        arct.significance(gold, [Answers("s", {"1": 0, "2": 0, "3": 0}), Answers("t", {"1": 0, "2": 0})])
    with pytest.raises(InputError):
        arct.significance(gold, [Answers("s", {"1": 0, "2": 0})])


def test_bad_metadata(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text('<!DOCTYPE x [<!ENTITY a "b">]><metadata>&a;</metadata>', encoding="utf-8")
    with pytest.raises(LimitError):
        read_metadata(path)
    path.write_text("<metadata>", encoding="utf-8")
    with pytest.raises(FormatError):
        read_metadata(path)
    with pytest.raises(InputError):
        arct.read_systems([ARCT / "first.txt"], tmp_path / "none.xml")
    path.write_text('<m><participant submissionID="other" username="ann"/></m>', encoding="utf-8")
    with pytest.raises(InputError):
        arct.read_systems([ARCT / "first.txt"], path)


def test_each_folder_of_systems_has_its_metadata(tmp_path: Path) -> None:
    for folder, names, withdrawn in (("a", ("Ann", "Amy"), "True"), ("b", ("Bob", "Ben"), "0")):
        (tmp_path / folder).mkdir()
        systems = (
            f'<participant submissionID="{n}" shownName="{name}" withdrawn="{withdrawn}"/>'
            for n, name in enumerate(names)
        )
        (tmp_path / folder / "metadata-public.xml").write_text(f"<m>{''.join(systems)}</m>", encoding="utf-8")
    for place in ("a/0.txt", "b/1.txt"):
        (tmp_path / place).write_text("a1 0\n", encoding="utf-8")
    systems = arct.read_systems([tmp_path / "a/0.txt", tmp_path / "b/1.txt"])
    assert [(system.name, *system.status) for system in systems] == [("Ann", "withdrawn"), ("Ben",)]


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=1, max_size=40), st.integers(0, 99))
def test_p_values_do_not_depend_on_order(rows: list[tuple[int, ...]], seed: int) -> None:
    names = ("gold", "a", "b", "c")
    columns = [{str(n): row[k] for n, row in enumerate(rows)} for k in range(4)]
    gold, *systems = (Answers(name, labels) for name, labels in zip(names, columns, strict=True))
    first = arct.significance(gold, systems, rounds=99, seed=seed)
    ids = list(gold.labels)
    random.Random(seed).shuffle(ids)
    mixed = [Answers(s.name, {i: s.labels[i] for i in ids}) for s in (gold, *reversed(systems))]
    assert arct.significance(mixed[0], mixed[1:], rounds=99, seed=seed) == first
    assert all(0 < test["p"] <= 1 for test in first.records("Paired tests"))
    how = f"arct.significance|test=approximate-randomisation|sided=2|rounds=99|seed={seed}|v="
    assert first.signature.startswith(how)
    itself = arct.significance(gold, [systems[0], Answers("twin", systems[0].labels)], rounds=9)
    assert [test["p"] for test in itself.records("Paired tests")] == [1.0]


def test_systems_are_left_out_by_status_or_name() -> None:
    systems = arct.read_systems([ARCT / "first.txt", ARCT / "second.txt"])
    assert [one.name for one in arct.without(systems, ["withdrawn"])] == ["Ann"]
    assert [one.name for one in arct.without(systems, ["Ann"])] == [systems[1].name]
    assert arct.without(systems, []) == systems
    with pytest.raises(OptionError, match="Zoe"):
        arct.without(systems, ["Zoe"])
    assert arct.without(systems, ["Ann", "withdrawn"]) == []


HEAD = "\t".join(COLUMNS)


@pytest.fixture
def gold() -> RuArgFile:
    return ruarg.read(FIXTURES / "tasks" / "ruarg" / "gold.tsv")


@pytest.fixture
def predicted() -> RuArgFile:
    return ruarg.read(FIXTURES / "tasks" / "ruarg" / "predicted.tsv")


def claim_f1(result: TaskResult, claim: str, kind: str = "Stance") -> Any:
    """Return the macro F1 of a claim."""
    return next(row["F1"] for row in result.records(kind) if (row["claim"], row["class"]) == (claim, "macro"))


def test_score_by_hand(gold: RuArgFile, predicted: RuArgFile) -> None:
    result = ruarg.score(gold, predicted)
    # masks stance, gold 2 0 · · 0, predicted 2 2 · · 0: for 2/3, other undefined (0), against 2/3.
    assert claim_f1(result, "masks") == pytest.approx(4 / 9)
    # quarantine stance: for 1, other undefined, against 1. vaccines stance: 4 is missed, so for 2/3.
    assert claim_f1(result, "quarantine") == pytest.approx(2 / 3)
    assert claim_f1(result, "vaccines") == pytest.approx(2 / 9)
    # premises: masks 1, 1, 1; quarantine: other 2/3, against 0 (predicted as other), for undefined;
    # vaccines: for 1, other 0 (4 is predicted irrelevant), against undefined.
    means = [(4 / 9 + 2 / 3 + 2 / 9) / 3, (1 + 2 / 9 + 1 / 3) / 3]
    assert [row["value"] for row in result.records("Scores")] == pytest.approx(means)


def test_an_absent_class_is_said_and_counted_as_asked(gold: RuArgFile, predicted: RuArgFile) -> None:
    assert any("masks_stance" in line and "'other'" in line for line in ruarg.score(gold, predicted).caveats)
    assert claim_f1(ruarg.score(gold, predicted, zero_division="1"), "masks") == pytest.approx(7 / 9)
    left_out = ruarg.score(gold, predicted, zero_division="leave-out")
    assert claim_f1(left_out, "masks") == pytest.approx(2 / 3)
    assert left_out.signature != ruarg.score(gold, predicted).signature
    with pytest.raises(OptionError):
        ruarg.score(gold, predicted, zero_division="nan")


def file_of(name: str, rows: list[tuple[str, ...]], ids: bool = True) -> RuArgFile:
    labels = (dict(zip(SUBTASKS, row, strict=True)) for row in rows)
    return RuArgFile(name, tuple(Comment(str(n), "", of, n, {}) for n, of in enumerate(labels)), ids)


six_labels = st.tuples(*[st.sampled_from(LABELS)] * 6)


@given(rows=st.lists(st.tuples(six_labels, six_labels), min_size=1, max_size=30), seed=st.integers(0, 99))
def test_order_of_rows_does_not_matter(rows: list[tuple[tuple[str, ...], ...]], seed: int) -> None:
    gold, system = (file_of(name, [row[n] for row in rows]) for n, name in enumerate(("gold", "system")))
    shuffled = list(system.comments)
    random.Random(seed).shuffle(shuffled)
    result = ruarg.score(gold, system)
    assert ruarg.score(gold, RuArgFile("system", tuple(shuffled))).tables() == result.tables()
    itself = ruarg.score(gold, gold, zero_division="1")
    assert [row["value"] for row in itself.records("Scores")] == [1.0, 1.0]


@given(rows=st.lists(st.tuples(six_labels, six_labels), min_size=1, max_size=30))
def test_f1_as_scikit_learn_has_it(rows: list[tuple[tuple[str, ...], ...]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, system = (file_of(name, [row[n] for row in rows]) for n, name in enumerate(("gold", "system")))
    result = ruarg.score(gold, system)
    for column, subtask in enumerate(SUBTASKS):
        labels = ([row[side][column] for row in rows] for side in (0, 1))
        wanted = metrics.f1_score(*labels, labels=list(LABELS[:3]), average="macro", zero_division=0)
        assert claim_f1(result, subtask.claim, subtask.kind.capitalize()) == pytest.approx(wanted)


ROW = "\t2\t1\t-1\t-1\t-1\t-1"


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", InputError),
        (f"{HEAD}\n", InputError),
        ("id\ttext\n1\tx\n", FormatError),
        (f"{HEAD}\n1\tx{ROW}\n1\ty{ROW}\n", FormatError),
        (f"{HEAD}\n1\tx\t3\t1\t-1\t-1\t-1\t-1\n", FormatError),
        (f"{HEAD}\n1\tx\t\t1\t-1\t-1\t-1\t-1\n", FormatError),
        (f"{HEAD}\n1\tx\t2\n", FormatError),
        (f"{HEAD}\n\tx{ROW}\n", FormatError),
    ],
)
def test_bad_files(tmp_path: Path, content: str, error: type[Exception]) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(error, match=str(path)):
        ruarg.read(path)


def test_predictions_may_be_labels_alone(tmp_path: Path, gold: RuArgFile) -> None:
    path = tmp_path / "labels.tsv"
    lines = ["\t".join(subtask.column for subtask in SUBTASKS)]
    lines += ["\t".join(f"__class__{label}" for label in one.labels.values()) for one in gold.comments]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert ruarg.score(gold, ruarg.read(path)).tables() == ruarg.score(gold, gold).tables()
    with pytest.raises(InputError):
        ruarg.score(RuArgFile("less", gold.comments[:-1]), ruarg.read(path))
    assert '"капли"' in gold.comments[0].text


def rewritten(path: Path, file: RuArgFile, cells: dict[str, str]) -> Path:
    """Write the labels of a file alone, each as ``cells`` has it."""
    lines = [[subtask.column for subtask in SUBTASKS]]
    lines += [[cells[comment.labels[subtask]] for subtask in SUBTASKS] for comment in file.comments]
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    return path


NUMBERED = {"-1": "__class__0", "0": "__class__1", "1": "__class__2", "2": "__class__3"}


def test_numbered_classes_are_the_labels_in_order(tmp_path: Path, gold: RuArgFile) -> None:
    read = ruarg.read(rewritten(tmp_path / "numbered.tsv", gold, NUMBERED), labelled=False)
    assert [comment.labels for comment in read.comments] == [comment.labels for comment in gold.comments]
    result = ruarg.score(gold, read, zero_division="1")
    assert [row["value"] for row in result.records("Scores")] == [1.0, 1.0]
    assert any("__class__0" in caveat for caveat in result.caveats)


def test_marked_labels_are_what_they_say_unless_there_is_a_class_3(tmp_path: Path) -> None:
    file = file_of("system", [("2", "1", "0", "0", "1", "2")])
    path = rewritten(tmp_path / "marked.tsv", file, {label: f"__class__{label}" for label in LABELS})
    read = ruarg.read(path, labelled=False)
    assert [comment.labels for comment in read.comments] == [comment.labels for comment in file.comments]
    assert len(read.caveats) == 1


def test_rows_with_other_texts_are_a_caveat(gold: RuArgFile) -> None:
    turned = RuArgFile("turned", gold.comments[::-1], ids=False)
    same = RuArgFile("same", tuple(replace(comment, text=f"{comment.text} ") for comment in gold.comments))
    caveats = [ruarg.score(gold, system).caveats for system in (gold, same, turned)]
    assert [len(lines) for lines in caveats] == [len(caveats[0]), len(caveats[0]), len(caveats[0]) + 1]
    assert caveats[2][0].startswith(f"turned, line {gold.comments[-1].line}:")


@pytest.mark.parametrize("foreign", ["-1", "2", "__class__-1"])
def test_a_file_that_mixes_ways_to_write_labels_is_refused(tmp_path: Path, gold: RuArgFile, foreign: str) -> None:
    path = rewritten(tmp_path / "mixed.tsv", gold, NUMBERED)
    path.write_text(path.read_text("utf-8").replace("__class__0", foreign, 1), encoding="utf-8")
    with pytest.raises(FormatError, match=r"mixed.tsv, line [2-6]: \w+_(stance|argument) is"):
        ruarg.read(path, labelled=False)


def test_a_prediction_that_is_no_label_is_wrong(tmp_path: Path, gold: RuArgFile) -> None:
    path = rewritten(tmp_path / "predicted.tsv", gold, {"2": "2", "1": "1", "0": "7", "-1": "-1"})
    with pytest.raises(FormatError):
        ruarg.read(path)
    result = ruarg.score(gold, ruarg.read(path, labelled=False))
    # masks stance, gold 2 0 · · 0: the class against is never found.
    assert claim_f1(result, "masks") == pytest.approx(1 / 3)
    assert any("predicted.tsv, line" in caveat for caveat in result.caveats)
    row = next(row for row in result.records("Stance") if row["class"] == "no label")
    assert (row["claim"], row["gold"], row["predicted"]) == ("masks", 0, 2)


def test_stance_against_premise_by_hand() -> None:
    rows = [("2", "0"), ("0", "2"), ("2", "2"), ("1", "0"), ("-1", "1"), ("-1", "-1")]
    counts, opposed = ruarg.check(file_of("gold", [(*row, *["-1"] * 4) for row in rows])).tables()
    assert [row[1] for row in opposed.rows] == ["0", "1", "4"]
    assert [row[2:] for row in counts.rows[:4]] == [(1, 0, 1, 0), (0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 1)]


def test_missing_and_extra_ids_of_comments_are_named(gold: RuArgFile) -> None:
    less = RuArgFile("less", gold.comments[:-1])
    for pair in ((gold, less), (less, gold)):
        with pytest.raises(InputError, match="id 5"):
            ruarg.score(*pair)


def test_several_systems_are_ranked(gold: RuArgFile, predicted: RuArgFile) -> None:
    best, again = RuArgFile("x/best.tsv", gold.comments), RuArgFile("x/again.tsv", gold.comments)
    result = ruarg.ranking(gold, [predicted, best, again])
    head, claims = result.tables()
    places = [(row[0], row[1], row[4]) for row in head.rows]
    assert places == [(1, "again.tsv", 1), (1, "best.tsv", 1), (3, "predicted.tsv", 3)]
    assert head.rows[2][2] == pytest.approx((4 / 9 + 2 / 3 + 2 / 9) / 3)
    assert len(claims.columns) == 7
    for systems in ([best, best], []):
        with pytest.raises(InputError):
            ruarg.ranking(gold, systems)


def annotated(name: str, labels: str) -> RuArgFile:
    """Make a file of a comment for each character, f(or) or a(gainst) in every column; a dot is left out."""
    file = file_of(name, [({"f": "2", "a": "0"}.get(each, ""),) * 6 for each in labels])
    return RuArgFile(name, tuple(one for one in file.comments if "" not in one.labels.values()))


def test_agreement_by_hand() -> None:
    result = ruarg.agreement([annotated("one", "ffaa."), annotated("two", "ffafa")])
    # The fifth comment has one label and does not count: n = 8, f 5, a 3; observed disagreement 2/8,
    # expected 2·5·3/(8·7) = 30/56: 1 − 14/30.
    first, *_, last = result.tables()[0].rows
    assert first == ("masks", "stance", pytest.approx(1 - 14 / 30), 4)
    # Six equal columns together: n = 48, f 30, a 18; 1 − (12/48) / (2·30·18/(48·47)).
    assert last == ("all claims", "both", pytest.approx(1 - 0.25 / (2 * 30 * 18 / (48 * 47))), 24)


def test_agreement_of_everybody_and_of_nobody() -> None:
    one = annotated("one", "faf")
    pairs = [annotated("one", "f."), annotated("two", ".f")]
    assert [ruarg.agreement(files).tables()[0].rows[-1][2] for files in ([one] * 3, pairs)] == [1.0, None]
    for files in ([one], [one, RuArgFile("no ids", one.comments, ids=False)]):
        with pytest.raises(InputError):
            ruarg.agreement(files)
