"""The programs in ``examples/`` run on the fixtures; what counts as agreement on "Published and recomputed"."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aifgraph.datasets.aurc import GOLD, Segment, Sentence
from aifgraph.datasets.ruarg import SUBTASKS
from aifgraph.tasks import arct, ruarg

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "files", "shown"),
    [
        ("arct_negation.py", ["arct/instances.txt"] * 2 + ["arct/first.txt", "arct/second.txt"], "solved by no system"),
        ("ruarg_tfidf.py", ["ruarg/gold.tsv"] * 3, "TF-IDF"),
        ("aurc_token_or_sentence.py", ["aurc/run.json"] * 2, "sentence model"),
    ],
)
def test_examples_run(program: str, files: list[str], shown: str) -> None:
    pytest.importorskip("sklearn")
    paths = [str(ROOT / "fixtures" / "tasks" / file) for file in files]
    command = [sys.executable, "-B", str(ROOT / "examples" / program), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown in done.stdout


def program(path: str) -> Any:
    """Load a program as a module."""
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    assert spec
    assert spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # dataclasses look it up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("labels", "kept"), [("221", "2"), ("210", None), ("2221", "2"), ("2211", None), ("22", "2")])
def test_gold_is_what_two_of_three_or_three_of_four_annotators_say(labels: str, kept: str | None) -> None:
    pytest.importorskip("sklearn")
    one = ruarg.read(ROOT / "fixtures/tasks/ruarg/gold.tsv").comments[0]
    files = [ruarg.RuArgFile("a", (replace(one, labels=dict.fromkeys(SUBTASKS, label)),)) for label in labels]
    gold = program("examples/ruarg_tfidf.py").majority(files)
    assert [comment.labels[SUBTASKS[0]] for comment in gold] == ([kept] if kept else [])


def test_twins_of_the_doubled_set_get_the_other_answer() -> None:
    negation = program("examples/arct_negation.py")
    test = arct.read_instances(ROOT / "fixtures/tasks/arct/instances.txt")
    labels = negation.answer(test, [*test, *map(negation.twin, test)]).labels
    assert all(labels[one.id] != labels[f"{one.id}_twin"] for one in test)


@pytest.mark.parametrize(
    ("segments", "kind"),
    [
        ([], "non"),
        ([(0, 20, "pro")], "all pro"),
        ([(1, 17, "con")], "all con"),  # a mark before and two behind
        ([(0, 9, "con"), (11, 8, "con")], "all con"),  # a comma and a space between
        ([(0, 17, "pro")], "mixed"),
        ([(0, 9, "pro"), (9, 11, "con")], "mixed"),
    ],
)
def test_sentences_of_one_label_but_for_punctuation(segments: list[tuple[int, int, Any]], kind: str) -> None:
    gold = tuple(Segment(*segment) for segment in segments)
    sentence = Sentence("1", "topic", 20, None, {GOLD: gold}, frozenset(), 1, {})
    assert program("benchmarks/reproduce.py").kind_of(sentence) == kind


def test_agreement_is_equality_as_published() -> None:
    reproduce = program("benchmarks/reproduce.py")

    def figure(published: float | None, recomputed: float | None, within: float = 0) -> tuple[str, bool]:
        one = reproduce.Figure("a", "value", published, recomputed, within=within)
        return one.cell(), one.lost

    assert figure(0.749, 0.7494) == ("0.749 ✓", False)
    assert figure(0.749, 0.7496) == ("0.750 (0.749)", True)
    assert figure(0.749, 0.7506, within=0.002) == ("0.751 (0.749)", False)
    assert figure(0.749, None) == ("undefined", True)
    assert figure(None, 0.76) == ("0.760", False)
