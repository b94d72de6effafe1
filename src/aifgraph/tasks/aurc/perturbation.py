"""Accuracy of argument against non-argument before and after a perturbation (Kamp et al. 2022, table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aifgraph.errors import InputError
from aifgraph.stats.estimate import mean_and_deviation
from aifgraph.tables.table import Table
from aifgraph.tasks.aurc.predictions import Run, is_argument
from aifgraph.tasks.signature import signature
from aifgraph.tasks.tsv import short


@dataclass(frozen=True, slots=True)
class Change:
    """One run: its accuracies, and what lies between; ``relative`` is in per cent, ``None`` where ``before`` is 0."""

    name: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """after − before."""
        return self.after - self.before

    @property
    def relative(self) -> float | None:
        """The difference in per cent of ``before``."""
        return 100 * self.difference / self.before if self.before else None


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What the perturbation did to each run."""

    runs: tuple[Change, ...]
    sentences: tuple[int, int]

    @property
    def signature(self) -> str:
        """Every option that changes a number."""
        return signature("aurc.perturbation", decision="any-token", deviation="population", runs=len(self.runs))

    def mean(self, measure: str) -> tuple[float, float] | None:
        """Mean and population deviation over runs of ``before``, ``after``, ``difference`` or ``relative``."""
        values = [getattr(run, measure) for run in self.runs]
        return None if None in values else mean_and_deviation(values)

    def tables(self) -> list[Table]:
        """The paper's table 2, by run and over all of them."""
        measures = ("before", "after", "difference", "relative")
        means = [self.mean(measure) for measure in measures]
        names = short([run.name for run in self.runs])
        rows: list[tuple[str | float | None, ...]] = [
            *((n, *(getattr(run, measure) for measure in measures)) for n, run in zip(names, self.runs, strict=True)),
            ("mean", *(pair and pair[0] for pair in means)),
            ("deviation", *(pair and pair[1] for pair in means)),
        ]
        note = f"accuracy of argument against none; {self.sentences[0]} sentences before, {self.sentences[1]} after"
        return [Table("Accuracies", ("run", "before", "after", "difference", "relative %"), rows, note=note)]


def accuracy(run: Run) -> float:
    """The share of sentences rightly taken as argument (some token is pro or con) or as none."""
    return sum(is_argument(one.gold) == is_argument(one.predicted) for one in run.sentences) / len(run.sentences)


def perturbation(before: Sequence[Run], after: Sequence[Run]) -> Perturbation:
    """The k-th run before against the k-th run after.

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
