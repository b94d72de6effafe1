"""The perturbations T1 to T3 (Kamp et al. 2022): accuracies before and after (table 2).

T1: after a segment that announces an argument, the argument is replaced by a non-argument segment of the topic.
T2: to a sentence that is one argument segment, "and besides," and a non-argument sentence of the topic are appended.
T3: a non-argument segment next to an argument segment is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from aifgraph.errors import InputError
from aifgraph.tables import Cell, Table
from aifgraph.tasks.aurc.predictions import Run, is_argument
from aifgraph.tasks.scores import TaskResult, mean_and_deviation, mean_rows, short, signature


@dataclass(frozen=True, slots=True)
class Change:
    """The accuracy of one run in telling argument from none, before and after a perturbation."""

    name: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """after − before."""
        return self.after - self.before

    @property
    def relative(self) -> float | None:
        """The difference of this run in per cent of its ``before``; None where that is 0."""
        return 100 * self.difference / self.before if self.before else None


@dataclass(frozen=True, slots=True, repr=False)
class Perturbation(TaskResult):
    """What a perturbation did to the runs of a system, and how many sentences there are before and after."""

    runs: tuple[Change, ...]
    sentences: tuple[int, int]

    @property
    def signature(self) -> str:
        options = {"relative": "ratio-of-means", "deviation": "population"}
        return signature("aurc.perturbation", decision="any-token", **options, runs=len(self.runs))

    def mean(self, measure: str) -> tuple[float | None, float | None] | None:
        """Mean and population deviation of a measure over the runs; ``relative`` is in per cent.

        As in the paper's table 2, the relative difference of all runs is that of their means, not the mean of theirs.
        """
        mean = mean_and_deviation([getattr(run, measure) for run in self.runs])
        if measure != "relative":
            return mean
        before, difference = (fsum(getattr(run, name) for run in self.runs) for name in ("before", "difference"))
        return (100 * difference / before, mean and mean[1]) if before else None

    def tables(self) -> list[Table]:
        """The paper's table 2, by run and over all runs."""
        measures = ("before", "after", "difference", "relative")
        means = [self.mean(measure) for measure in measures]
        names = short([run.name for run in self.runs])
        rows: list[tuple[Cell, ...]] = [
            (name, *(getattr(run, measure) for measure in measures)) for name, run in zip(names, self.runs, strict=True)
        ]
        rows += mean_rows(means)
        note = f"accuracy of argument against none; {self.sentences[0]} sentences before, {self.sentences[1]} after"
        return [Table("Accuracies", ("run", "before", "after", "difference", "relative %"), rows, note=note)]


def accuracy(run: Run) -> float:
    """The share of sentences rightly taken as argument (some token is pro or con) or as none."""
    return sum(is_argument(one.gold) == is_argument(one.predicted) for one in run.sentences) / len(run.sentences)


def perturbation(before: Sequence[Run], after: Sequence[Run]) -> Perturbation:
    """What a perturbation of the test sentences does to accuracy (Kamp et al. 2022, table 2).

    A sentence counts as argument where a token is pro or con.

    Raises:
        InputError: no runs, not as many before as after, or one side's runs have different numbers of sentences.
    """
    if not before or len(before) != len(after):
        raise InputError(f"{len(before)} run(s) before, {len(after)} after", remedy="give as many, in the same order")
    for side in (before, after):
        for run in side:
            if len(run.sentences) != len(side[0].sentences):
                what = f"{len(run.sentences)} sentences, where {side[0].name} has {len(side[0].sentences)}"
                raise InputError(what, where=run.name)
    changes = tuple(
        Change(first.name, accuracy(first), accuracy(second)) for first, second in zip(before, after, strict=True)
    )
    return Perturbation(changes, (len(before[0].sentences), len(after[0].sentences)))
