"""RuArg-2022's score: macro F1 over for, other and against, averaged over the three claims (Kotelnikov et al. 2022).

The class irrelevant is predicted, and a wrong prediction of it costs recall, but its own F1 is not averaged.
"""

from __future__ import annotations

from dataclasses import dataclass

from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.tables.table import Table
from aifgraph.tasks.classes import ClassScores, ZeroDivision, class_scores, macro_f1, mean_of
from aifgraph.tasks.ruarg.data import KINDS, LABELS, NAMES, RELEVANT, SUBTASKS, Kind, RuArg, Subtask, paired
from aifgraph.tasks.signature import signature


@dataclass(frozen=True, slots=True)
class RuArgScore:
    """``matrices``: for each of the six subtasks, gold labels (rows) against predicted ones (columns)."""

    matrices: dict[Subtask, ConfusionMatrix]
    zero_division: ZeroDivision = "0"

    def macro(self, subtask: Subtask) -> float | None:
        """Macro F1 over the classes 2, 1, 0 of one claim and subtask (the paper's tables 5 to 10)."""
        return macro_f1(self.matrices[subtask], RELEVANT, self.zero_division)

    def f1(self, kind: Kind) -> float | None:
        """``F1_stance`` or ``F1_premise``: the mean of the three claims' macro F1."""
        values = [self.macro(subtask) for subtask in self.matrices if subtask.kind == kind]
        return mean_of(values, "leave-out")

    @property
    def signature(self) -> str:
        """Every option that changes a number."""
        return signature("ruarg.f1", average="macro", classes="2,1,0", zero_division=self.zero_division)

    def undefined(self) -> list[str]:
        """A sentence for every class of a macro average that neither side has, and that so has no F1."""
        counted = "left out" if self.zero_division == "leave-out" else f"counted as {self.zero_division}"
        return [
            f"{subtask.column}: neither gold nor prediction has the class {NAMES[subtask.kind][score.label]!r}; "
            f"its F1 is undefined and {counted}"
            for subtask, matrix in self.matrices.items()
            for score in class_scores(matrix)
            if score.f1 is None and score.label in RELEVANT
        ]

    def tables(self) -> list[Table]:
        """The two main scores; then, for each kind and claim, four classes and the macro average of three."""
        head = Table("Scores", ("score", "value"), [(f"F1_{kind}", self.f1(kind)) for kind in KINDS], digits=4)
        return [head, *(self._table(kind) for kind in KINDS)]

    def _table(self, kind: Kind) -> Table:
        columns = ("claim", "class", "label", "precision", "recall", "F1", "gold", "predicted")
        rows: list[tuple[str | int | float | None, ...]] = []
        for subtask, matrix in self.matrices.items():
            if subtask.kind == kind:
                scores = class_scores(matrix)
                rows += [_row(subtask, score) for score in scores]
                kept = [score for score in scores if score.label in RELEVANT]
                precision = mean_of([score.precision for score in kept], self.zero_division)
                recall = mean_of([score.recall for score in kept], self.zero_division)
                gold, predicted = sum(s.gold for s in kept), sum(s.predicted for s in kept)
                rows.append((subtask.claim, "macro", None, precision, recall, self.macro(subtask), gold, predicted))
        return Table(kind.capitalize(), columns, rows, digits=4)


def _row(subtask: Subtask, score: ClassScores) -> tuple[str | int | float | None, ...]:
    name = NAMES[subtask.kind][score.label]
    return (subtask.claim, name, int(score.label), score.precision, score.recall, score.f1, score.gold, score.predicted)


def score(gold: RuArg, predicted: RuArg, *, zero_division: ZeroDivision = "0") -> RuArgScore:
    """Score a system's labels.

    Raises:
        InputError: the two files do not have the same sentences.
    """
    pairs = paired(gold, predicted)
    matrices = {
        subtask: ConfusionMatrix.of_pairs(
            ((ours.labels[subtask.column], theirs.labels[subtask.column]) for ours, theirs in pairs), LABELS
        )
        for subtask in SUBTASKS
    }
    return RuArgScore(matrices, zero_division)
