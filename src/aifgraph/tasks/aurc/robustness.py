"""Robustness of AURC models (Kamp et al. 2022): perturbations T1 to T3 (table 2), subpopulations T4 to T6 (table 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import pointbiserialr

from aifgraph.errors import InputError
from aifgraph.tables import Cell, Table
from aifgraph.tasks.aurc.predictions import Predicted, Run, Tokens, check_sentences, is_argument
from aifgraph.tasks.scores import Mean, Score, TaskResult, file_names, mean_of, mean_rows, one_of, signature

# -- perturbations ----------------------------------------------------------------------------------------------------

Column: TypeAlias = Literal["before", "after", "difference", "relative"]


@dataclass(frozen=True, slots=True, repr=False)
class Perturbation(TaskResult):
    """What a perturbation did to the runs of a system.

    ``before`` and ``after`` are the accuracies of each run in telling argument from none, ``difference`` is after −
    before, and ``relative`` the difference in per cent of ``before``.
    """

    before: tuple[float, ...]
    after: tuple[float, ...]
    difference: tuple[float, ...]
    relative: tuple[float | None, ...]
    means: Mapping[Column, Mean | None]

    def mean(self, column: Column) -> Mean | None:
        """Return mean and deviation over the runs.

        As in the paper's table 2, the relative difference is that of the means, not the mean of those of the runs.
        """
        return self.means[column]


def accuracy(run: Run) -> float:
    """Return the share of sentences rightly taken as argument (some token is pro or con) or as none."""
    return sum(is_argument(sentence.gold) == is_argument(sentence.predicted) for sentence in run.sentences) / len(
        run.sentences
    )


def perturbation(before: Sequence[Run], after: Sequence[Run]) -> Perturbation:
    """Return what a perturbation of the test sentences does to accuracy; the runs are in the same order."""
    if not before or len(before) != len(after):
        raise InputError(f"{len(before)} runs before, {len(after)} after")
    sizes = [{len(run.sentences) for run in side} for side in (before, after)]
    if len(sizes[0]) > 1 or len(sizes[1]) > 1:
        raise InputError("the runs have different numbers of sentences")
    sides = tuple(map(accuracy, before)), tuple(map(accuracy, after))
    difference = tuple(second - first for first, second in zip(*sides, strict=True))
    relative = tuple(100 * d / first if first else None for d, first in zip(difference, sides[0], strict=True))
    columns = (*sides, difference, relative)
    means: dict[Column, Mean | None] = dict(
        zip(("before", "after", "difference", "relative"), map(mean_of, columns), strict=True)
    )
    if (mean := means["relative"]) is not None:
        means["relative"] = mean._replace(value=100 * fsum(difference) / fsum(sides[0]))
    names = file_names([run.name for run in before])
    rows: list[Sequence[Cell]] = [*zip(names, *columns, strict=True), *mean_rows([*means.values()])]
    counts = f"{len(before[0].sentences)} sentences before, {len(after[0].sentences)} after"
    note = f"accuracy of argument against none; {counts}"
    table = Table("Accuracies", ("run", "before", "after", "difference", "relative %"), rows, note=note)
    options = {"decision": "any-token", "relative": "ratio-of-means", "deviation": "population", "runs": len(before)}
    return Perturbation(signature("aurc.perturbation", **options), (table,), *columns, means)


# -- subpopulations ---------------------------------------------------------------------------------------------------

Test: TypeAlias = Literal["T4", "T5", "T6"]
TESTS: Final[Mapping[Test, str]] = {
    "T4": "similarity to the nearest, of the same label",
    "T5": "highest similarity to the opposite label",
    "T6": "share of argument tokens",
}
#: The tokens that, where they are non, the authors' script leaves out of T6.
PUNCTUATION: Final = frozenset((".", "..", "...", "....", ".....", "?", "!", ")", "(", "/", "\\", "”", "'", '"'))


#: (texts of test sentences, of training sentences) → a row for each of the first, more for more alike.
Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], ArrayLike]


@dataclass(frozen=True, slots=True, repr=False)
class Subpopulations(TaskResult):
    """Point-biserial correlations of being right with T4, T5 and T6, by run; ``sentences`` says on how many each is."""

    runs: Mapping[str, Mapping[Test, Score]]
    sentences: Mapping[Test, int]

    def mean(self, test: Test) -> Mean | None:
        """Return mean and deviation of a correlation over the runs."""
        return mean_of(run[test].value for run in self.runs.values())


def subpopulation(
    runs: Sequence[Run],
    train: Sequence[Tokens] = (),
    similarity: Similarity | None = None,
    *,
    similarity_name: str = "given",
    neighbour: Literal["opposite", "any"] = "opposite",
    marks: Literal["counted", "left-out"] = "counted",
) -> Subpopulations:
    """Correlate being right with T4, T5 and T6, over the sentences with both argument and non-argument gold tokens.

    A sentence is argument (some token is pro or con) or none, and these are opposites.

    Args:
        train: the training sentences, for T4 and T5.
        similarity: how alike test and training sentences are, for T4 and T5.
        similarity_name: what the signature calls it.
        neighbour: T5 takes only sentences whose nearest training sentence is of the opposite label, as the authors'
            script does, or ``any``.
        marks: T6 counts all tokens, or has non tokens that are punctuation ``left-out``, as the authors' script does.
    """
    one_of("neighbour", neighbour, ("opposite", "any"))
    one_of("marks", marks, ("counted", "left-out"))
    check_sentences(runs)
    mixed = [sentence for sentence in runs[0].sentences if is_argument(sentence.gold) and "non" in sentence.gold]
    values = {"T6": {sentence.id: _share(sentence, marks) for sentence in mixed}, "T4": {}, "T5": {}}
    reason = "" if mixed else "no sentence has mixed segments"
    if mixed and train and similarity is not None:
        values |= _similarities(mixed, train, similarity, neighbour)
    results: dict[str, dict[Test, Score]] = {}
    for run in runs:
        right = {sentence.id: is_argument(sentence.predicted) for sentence in run.sentences}
        results[run.name] = {test: _correlation(right, values[test], reason) for test in TESTS}
        if mixed and not (train and similarity):
            missing = Score(None, "there are no training sentences, or no similarity")
            results[run.name] |= {"T4": missing, "T5": missing}
    sentences: dict[Test, int] = {test: len(values[test]) for test in TESTS}
    means = {test: mean_of(scores[test].value for scores in results.values()) or (None, None) for test in TESTS}
    tables = (
        Table(
            "Correlations",
            ("test", "variable", "r", "deviation", "sentences"),
            [(test, what, *means[test], sentences[test]) for test, what in TESTS.items()],
        ),
        Table(
            "Runs",
            ("run", *TESTS),
            [(name, *(scores[test].value for test in TESTS)) for name, scores in results.items()],
        ),
    )
    undefined = tuple(
        f"{name}: {test} is undefined: {score.reason}"
        for name, scores in results.items()
        for test, score in scores.items()
        if score.value is None
    )
    options = {"similarity": similarity_name if train else "none", "t5_nearest": neighbour, "t6_marks": marks}
    options = {"correlation": "point-biserial", **options, "deviation": "population"}
    made = signature("aurc.subpopulation", **options, runs=len(results))
    return Subpopulations(made, tables, results, sentences, caveats=undefined)


def _share(sentence: Predicted, marks: str) -> float:
    """Return the share of argument tokens."""
    counted = [
        label
        for token, label in zip(sentence.tokens, sentence.gold, strict=True)
        if marks == "counted" or label != "non" or token not in PUNCTUATION
    ]
    return sum(label != "non" for label in counted) / len(counted)


def _similarities(
    mixed: Sequence[Predicted], train: Sequence[Tokens], similarity: Similarity, neighbour: str
) -> dict[str, dict[str, float]]:
    """Return the values of T4 and T5 by sentence; of equally near training sentences one with the label is enough."""
    near = np.asarray(
        similarity(*([" ".join(sentence.tokens) for sentence in side] for side in (mixed, train))), dtype=np.float64
    )
    if near.shape != (len(mixed), len(train)):
        raise InputError(f"the similarity has the shape {near.shape}, not {(len(mixed), len(train))}")
    argument = np.array([is_argument(sentence.labels) for sentence in train])
    values: dict[str, dict[str, float]] = {"T4": {}, "T5": {}}
    for sentence, row in zip(mixed, near, strict=True):  # mixed sentences are argument
        best = row.max()
        if (row[argument] == best).any():
            values["T4"][sentence.id] = float(best)
        if not argument.all() and (neighbour == "any" or row[~argument].max() == best):
            values["T5"][sentence.id] = float(row[~argument].max())
    return values


def _correlation(right: Mapping[str, bool], values: Mapping[str, float], reason: str) -> Score:
    """Return the point-biserial correlation of being right with a value."""
    flags, numbers = [right[id_] for id_ in values], list(values.values())
    if reason or len(numbers) < 2:
        return Score(None, reason or "there are fewer than two sentences")
    if min(flags) == max(flags):
        return Score(None, "the model is right, or wrong, on all sentences")
    if min(numbers) == max(numbers):
        return Score(None, "the values are constant")
    return Score(float(pointbiserialr(flags, numbers).statistic))
