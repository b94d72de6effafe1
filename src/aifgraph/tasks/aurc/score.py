"""Token-, segment- and sentence-F1 of AURC (Trautmann et al. 2020, section 5; Kamp et al. 2022, table 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Final, Literal, TypeAlias

import numpy as np

from aifgraph.errors import OptionError
from aifgraph.tables import Table
from aifgraph.tasks import scores
from aifgraph.tasks.aurc.predictions import LABELS, Label, Run, Ties, check_sentences, is_argument, sentence_label
from aifgraph.tasks.scores import Array, Mean, Score, TaskResult, ZeroDivision, class_scores, confusion

Variant: TypeAlias = Literal["published", "strict"]
Measure: TypeAlias = Literal["token", "segment", "sentence"]
MEASURES: Final[tuple[Measure, ...]] = ("token", "segment", "sentence")


@dataclass(frozen=True, slots=True)
class RunScore:
    """The F1 of one run by measure; ``tokens`` are the gold labels of all tokens (rows) against the predicted ones."""

    name: str
    tokens: Array
    f1: Mapping[Measure, Score]


@dataclass(frozen=True, slots=True)
class AurcScore(TaskResult):
    """The scores of several runs of one system."""

    runs: tuple[RunScore, ...]
    zero_division: ZeroDivision
    options: Mapping[str, object]

    @property
    def signature(self) -> str:
        return scores.signature("aurc.f1", **self.options, deviation="population", runs=len(self.runs))

    def mean(self, measure: Measure) -> Mean | None:
        """Return mean and deviation over the runs, ``None`` if a run has no such score."""
        return scores.mean_of(run.f1[measure].value for run in self.runs)

    def undefined(self) -> list[str]:
        """Return a sentence for each score that is undefined, and for each class that no token has."""
        lines = [f"{run.name}: {line}" for run in self.runs for line in scores.absent(run.tokens, LABELS)]
        missing = ((run, measure, f1) for run in self.runs for measure, f1 in run.f1.items() if f1.value is None)
        return lines + [f"{run.name}: {measure}-F1 is undefined: {f1.reason}" for run, measure, f1 in missing]

    def tables(self) -> list[Table]:
        """Return the scores by run with mean and deviation; then the classes, over the tokens of all runs."""
        names = scores.file_names([run.name for run in self.runs])
        rows = [(name, *(run.f1[m].value for m in MEASURES)) for name, run in zip(names, self.runs, strict=True)]
        rows += scores.mean_rows([self.mean(measure) for measure in MEASURES])
        classes = scores.class_rows(np.sum([run.tokens for run in self.runs], axis=0), LABELS)
        columns = ("class", "precision", "recall", "F1", "gold", "predicted")
        return [
            Table("Scores", ("run", *(f"{measure}-F1" for measure in MEASURES)), rows),
            Table("Token classes", columns, classes, note="tokens of all runs pooled"),
        ]


def score(
    runs: Sequence[Run],
    *,
    ties: Ties = "random",
    seed: int | None = None,
    variant: Variant = "published",
    zero_division: ZeroDivision = "0",
) -> AurcScore:
    """Score the runs of one system.

    The gold label of a sentence is its own where it has one (``with_token_gold``), else that of its gold tokens.

    Args:
        runs: predictions on the same sentences.
        ties: what as many pro as con tokens make a sentence.
        seed: draws random ties; without it they make sentence-F1 undefined.
        variant: how sentences without a gold argument count in segment-F1 (``segment_score``).
        zero_division: what the F1 of a class that neither side has counts as.

    >>> from aifgraph.tasks.aurc import read_run
    >>> run = score([read_run("fixtures/tasks/aurc/run.json")], seed=1).runs[0]
    >>> [round(f1.value, 3) for f1 in run.f1.values()]
    [0.543, 0.458, 0.222]
    """
    scores.one_of("ties", ties, ("random", "pro", "con"))
    scores.one_of("variant", variant, ("published", "strict"))
    scores.one_of("zero_division", zero_division, scores.ZERO_DIVISION)
    check_sentences(runs)
    results = []
    for run in runs:
        tokens = confusion(
            (pair for one in run.sentences for pair in zip(one.gold, one.predicted, strict=True)), LABELS
        )
        f1: dict[Measure, Score] = {
            "token": _macro(tokens, zero_division),
            "segment": _segment_f1(run, variant),
            "sentence": _sentence_f1(run, ties, seed, zero_division),
        }
        results.append(RunScore(run.name, tokens, f1))
    own_gold = all(one.sentence_gold is not None for run in runs for one in run.sentences)
    options = {
        "ties": ties,
        "seed": seed if ties == "random" else None,
        "segments": variant,
        "zero_division": zero_division,
        "sentence_gold": "file" if own_gold else "tokens",
    }
    return AurcScore(tuple(results), zero_division, options)


def _macro(cells: Array, zero_division: ZeroDivision) -> Score:
    value = scores.macro(class_scores(cells).f1, zero_division)
    return Score(value, None if value is not None else "no class has an F1")


def _sentence_f1(run: Run, ties: Ties, seed: int | None, zero_division: ZeroDivision) -> Score:
    try:
        gold = [one.sentence_gold or sentence_label(one.gold, ties, seed, one.id) for one in run.sentences]
        predicted = [sentence_label(one.predicted, ties, seed, one.id) for one in run.sentences]
    except OptionError as error:
        return Score(None, str(error))
    return _macro(confusion(zip(gold, predicted, strict=True), LABELS), zero_division)


def _segment_f1(run: Run, variant: Variant) -> Score:
    found = (segment_score(one.gold, one.predicted, variant) for one in run.sentences)
    values = [value for value in found if value is not None]
    return Score(fsum(values) / len(values)) if values else Score(None, "no segment is true or false")


def segment_score(gold: Sequence[Label], predicted: Sequence[Label], variant: Variant = "published") -> float | None:
    """Return how much of the gold segments of one sentence was found: true / (true + false).

    A run of equal gold labels is true if more than half of its tokens are predicted with its label and that is pro or
    con, false if at most half are. A sentence without gold argument scores 1 if its first token is predicted non
    (``published``) or if all are (``strict``); otherwise its one run counts like any other.

    >>> segment_score(("non", "pro", "pro", "pro"), ("non", "pro", "pro", "con"))
    1.0
    >>> segment_score(("non", "non"), ("non", "pro")), segment_score(("non", "non"), ("non", "pro"), "strict")
    (1.0, 0.0)
    >>> segment_score(("non", "non", "non"), ("pro", "non", "non")) is None
    True
    """
    looked_at = predicted[:1] if variant == "published" else predicted
    if not is_argument(gold) and not is_argument(looked_at):
        return 1.0
    true = false = start = 0
    for label, run in groupby(gold):
        end = start + len(list(run))
        if 2 * list(predicted[start:end]).count(label) > end - start:
            true += label != "non"
        else:
            false += 1
        start = end
    return true / (true + false) if true + false else None
