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
COLUMNS: Final[tuple[Column, ...]] = ("before", "after", "difference", "relative")


@dataclass(frozen=True, slots=True)
class Perturbation(TaskResult):
    """What a perturbation did to the runs of a system.

    ``before`` and ``after`` are the accuracies of each run in telling argument from none; ``sentences`` their numbers.
    """

    runs: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    sentences: tuple[int, int]

    @property
    def difference(self) -> list[float]:
        """after − before."""
        return [after - before for before, after in zip(self.before, self.after, strict=True)]

    @property
    def relative(self) -> list[float | None]:
        """The differences in per cent of ``before``."""
        return [100 * of / before if before else None for of, before in zip(self.difference, self.before, strict=True)]

    @property
    def signature(self) -> str:
        options = {"relative": "ratio-of-means", "deviation": "population"}
        return signature("aurc.perturbation", decision="any-token", **options, runs=len(self.runs))

    def mean(self, column: Column) -> Mean | None:
        """Return mean and deviation over the runs.

        As in the paper's table 2, the relative difference is that of the means, not the mean of those of the runs.
        """
        mean = mean_of(getattr(self, column))
        if column == "relative" and mean is not None:
            return Mean(100 * fsum(self.difference) / fsum(self.before), mean.deviation)
        return mean

    def tables(self) -> list[Table]:
        """Return accuracies by run, with mean and deviation."""
        columns = [file_names(self.runs), *(getattr(self, column) for column in COLUMNS)]
        rows: list[Sequence[Cell]] = [*zip(*columns, strict=True), *mean_rows([self.mean(of) for of in COLUMNS])]
        note = f"accuracy of argument against none; {self.sentences[0]} sentences before, {self.sentences[1]} after"
        return [Table("Accuracies", ("run", "before", "after", "difference", "relative %"), rows, note=note)]


def accuracy(run: Run) -> float:
    """Return the share of sentences rightly taken as argument (some token is pro or con) or as none."""
    return sum(is_argument(one.gold) == is_argument(one.predicted) for one in run.sentences) / len(run.sentences)


def perturbation(before: Sequence[Run], after: Sequence[Run]) -> Perturbation:
    """Return what a perturbation of the test sentences does to accuracy; the runs are in the same order."""
    if not before or len(before) != len(after):
        raise InputError(f"{len(before)} runs before, {len(after)} after")
    sizes = [{len(run.sentences) for run in side} for side in (before, after)]
    if len(sizes[0]) > 1 or len(sizes[1]) > 1:
        raise InputError("the runs have different numbers of sentences")
    names = tuple(run.name for run in before)
    accuracies = tuple(map(accuracy, before)), tuple(map(accuracy, after))
    return Perturbation(names, *accuracies, (len(before[0].sentences), len(after[0].sentences)))


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


@dataclass(frozen=True, slots=True)
class Subpopulations(TaskResult):
    """Point-biserial correlations of being right with T4, T5 and T6, by run; ``sentences`` says on how many each is."""

    runs: Mapping[str, Mapping[Test, Score]]
    sentences: Mapping[Test, int]
    options: Mapping[str, object]

    @property
    def signature(self) -> str:
        options = {"correlation": "point-biserial", **self.options, "deviation": "population"}
        return signature("aurc.subpopulation", **options, runs=len(self.runs))

    def mean(self, test: Test) -> Mean | None:
        """Return mean and deviation of a correlation over the runs."""
        return mean_of(run[test].value for run in self.runs.values())

    def undefined(self) -> list[str]:
        """Return a sentence for each correlation that is undefined."""
        return [
            f"{name}: {test} is undefined: {result.reason}"
            for name, run in self.runs.items()
            for test, result in run.items()
            if result.value is None
        ]

    def tables(self) -> list[Table]:
        """Return a row for each test; then each run."""
        rows = [(test, what, *(self.mean(test) or (None, None)), self.sentences[test]) for test, what in TESTS.items()]
        by_run = [(name, *(run[test].value for test in TESTS)) for name, run in self.runs.items()]
        columns = ("test", "variable", "r", "deviation", "sentences")
        return [Table("Correlations", columns, rows), Table("Runs", ("run", *TESTS), by_run)]


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
    mixed = [one for one in runs[0].sentences if is_argument(one.gold) and "non" in one.gold]
    values = {"T6": {one.id: _share(one, marks) for one in mixed}, "T4": {}, "T5": {}}
    reason = "" if mixed else "no sentence has mixed segments"
    if mixed and train and similarity is not None:
        values |= _similarities(mixed, train, similarity, neighbour)
    results: dict[str, dict[Test, Score]] = {}
    for run in runs:
        right = {one.id: is_argument(one.predicted) for one in run.sentences}
        results[run.name] = {test: _correlation(right, values[test], reason) for test in TESTS}
        if mixed and not (train and similarity):
            missing = Score(None, "there are no training sentences, or no similarity")
            results[run.name] |= {"T4": missing, "T5": missing}
    options = {"similarity": similarity_name if train else "none", "t5_nearest": neighbour, "t6_marks": marks}
    return Subpopulations(results, {test: len(values[test]) for test in TESTS}, options)


def _share(one: Predicted, marks: str) -> float:
    """Return the share of argument tokens."""
    counted = [
        label
        for token, label in zip(one.tokens, one.gold, strict=True)
        if marks == "counted" or label != "non" or token not in PUNCTUATION
    ]
    return sum(label != "non" for label in counted) / len(counted)


def _similarities(
    mixed: Sequence[Predicted], train: Sequence[Tokens], similarity: Similarity, neighbour: str
) -> dict[str, dict[str, float]]:
    """Return the values of T4 and T5 by sentence; of equally near training sentences one with the label is enough."""
    near = np.asarray(similarity(*([" ".join(one.tokens) for one in of] for of in (mixed, train))), dtype=np.float64)
    if near.shape != (len(mixed), len(train)):
        raise InputError(f"the similarity has the shape {near.shape}, not {(len(mixed), len(train))}")
    argument = np.array([is_argument(one.labels) for one in train])
    values: dict[str, dict[str, float]] = {"T4": {}, "T5": {}}
    for one, row in zip(mixed, near, strict=True):  # mixed sentences are argument
        best = row.max()
        if (row[argument] == best).any():
            values["T4"][one.id] = float(best)
        if not argument.all() and (neighbour == "any" or row[~argument].max() == best):
            values["T5"][one.id] = float(row[~argument].max())
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
