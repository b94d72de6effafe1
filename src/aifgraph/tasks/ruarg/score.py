"""RuArg-2022's score: macro F1 over for, other and against, averaged over the three claims (Kotelnikov et al. 2022).

The class irrelevant is predicted, and a wrong prediction of it costs recall, but its own F1 is not averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.rows import not_empty, table_name
from aifgraph.datasets.ruarg import (
    KINDS,
    LABEL_COLUMNS,
    LABELS,
    SUBTASKS,
    Kind,
    Sentence,
    Subtask,
    read_sentences,
)
from aifgraph.errors import InputError
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.tables import Cell, Table
from aifgraph.tasks.scores import (
    ZERO_DIVISION,
    ClassScores,
    PairTests,
    TaskResult,
    ZeroDivision,
    check_ids,
    class_scores,
    confusion_row,
    counted_as,
    macro_f1,
    macro_f1_of,
    mean_of,
    one_of,
    pair_tests,
    ranks,
    signature,
    system_names,
)

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

RELEVANT = ("2", "1", "0")
NAMES: dict[Kind, dict[str, str]] = {
    "stance": {"2": "for", "1": "other", "0": "against", "-1": "irrelevant"},
    "premise": {"2": "for", "1": "no argument", "0": "against", "-1": "irrelevant"},
}


@dataclass(frozen=True, slots=True)
class RuArgFile:
    """A file of the task: its rows in order, and whether it has the column ``text_id``."""

    name: str
    sentences: tuple[Sentence, ...]
    has_ids: bool = True


def read(path: str | Path) -> RuArgFile:
    """Read a file of the task, a table with tabs between its cells; ``-`` is standard input.

    Every row needs all six labels.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file is empty.
        FormatError: a column is missing, or a row, an id or a label is damaged.
    """
    name = table_name(path)
    pairs = not_empty(read_sentences(Path(path), Problems.refused(), LABEL_COLUMNS, labelled=True, name=name), path)
    has_ids = "text_id" in pairs[0][0].cells
    return RuArgFile(name, tuple(sentence for _, sentence in pairs), has_ids)


def paired(gold: RuArgFile, predicted: RuArgFile) -> list[tuple[Sentence, Sentence]]:
    """Each gold sentence with its prediction: by id where both files have ids, else by position.

    Raises:
        InputError: ids are missing or extra (named), or without ids the numbers of rows differ.
    """
    if not (gold.has_ids and predicted.has_ids):
        same_rows(gold, predicted)
        return list(zip(gold.sentences, predicted.sentences, strict=True))
    predictions = {sentence.id: sentence for sentence in predicted.sentences}
    ids = [sentence.id for sentence in gold.sentences]
    check_ids(ids, predictions, answer="prediction", item="id", gold="the gold file", where=predicted.name)
    return [(sentence, predictions[sentence.id]) for sentence in gold.sentences]


def same_rows(first: RuArgFile, other: RuArgFile) -> None:
    """Raise ``InputError`` unless both files have as many rows: without ids they are joined by position."""
    if len(first.sentences) != len(other.sentences):
        raise InputError(
            f"{len(other.sentences)} rows where {first.name} has {len(first.sentences)}",
            where=other.name,
            remedy="without text_id in every file there must be as many rows, in the same order",
        )


@dataclass(frozen=True, slots=True, repr=False)
class RuArgScore(TaskResult):
    """The scores of one system (Kotelnikov et al. 2022).

    ``matrices`` hold for each of the six subtasks the gold labels (rows) against the predicted ones (columns).
    """

    matrices: dict[Subtask, ConfusionMatrix]
    zero_division: ZeroDivision = "0"

    def macro(self, subtask: Subtask) -> float | None:
        """Macro F1 over the classes 2, 1 and 0 (the paper's tables 5 to 10); None where every class is left out."""
        return macro_f1(self.matrices[subtask], RELEVANT, self.zero_division)

    def f1(self, kind: Kind) -> float | None:
        """``F1_stance`` or ``F1_premise``: the mean of the macro F1 of the claims where it is defined."""
        values = [self.macro(subtask) for subtask in self.matrices if subtask.kind == kind]
        return mean_of(values, "leave-out")

    @property
    def signature(self) -> str:
        return signature("ruarg.f1", average="macro", classes="2,1,0", zero_division=self.zero_division)

    def undefined(self) -> list[str]:
        """The classes of a macro average that neither side has, and that therefore have no F1: a sentence for each."""
        return [
            f"{subtask.column}: neither gold nor prediction has the class {NAMES[subtask.kind][score.label]!r}; "
            f"its F1 is undefined and {counted_as(self.zero_division)}"
            for subtask, matrix in self.matrices.items()
            for score in class_scores(matrix)
            if score.f1 is None and score.label in RELEVANT
        ]

    def tables(self) -> list[Table]:
        """``F1_stance`` and ``F1_premise``; for each, four classes a claim and the macro average of three of them."""
        head = Table("Scores", ("score", "value"), [(f"F1_{kind}", self.f1(kind)) for kind in KINDS], digits=4)
        return [head, *(self._table(kind) for kind in KINDS)]

    def _table(self, kind: Kind) -> Table:
        columns = ("claim", "class", "label", "precision", "recall", "F1", "gold", "predicted")
        rows: list[tuple[Cell, ...]] = []
        for subtask, matrix in self.matrices.items():
            if subtask.kind == kind:
                scores = class_scores(matrix)
                rows += [_row(subtask, score) for score in scores]
                averaged = [score for score in scores if score.label in RELEVANT]
                precision = mean_of([score.precision for score in averaged], self.zero_division)
                recall = mean_of([score.recall for score in averaged], self.zero_division)
                gold, predicted = sum(s.gold for s in averaged), sum(s.predicted for s in averaged)
                rows.append((subtask.claim, "macro", None, precision, recall, self.macro(subtask), gold, predicted))
        return Table(kind.capitalize(), columns, rows, digits=4)


def _row(subtask: Subtask, score: ClassScores) -> tuple[Cell, ...]:
    name = NAMES[subtask.kind][score.label]
    return (subtask.claim, name, int(score.label), score.precision, score.recall, score.f1, score.gold, score.predicted)


def score(gold: RuArgFile, predicted: RuArgFile, *, zero_division: ZeroDivision = "0") -> RuArgScore:
    """Score the labels of a system, as Kotelnikov et al. (2022) do.

    ``F1_stance`` and ``F1_premise`` are the means of the three claims' macro F1 over the classes 2, 1 and 0. The class
    irrelevant (−1) is not averaged, but a wrong prediction of it costs recall of the others.

    Args:
        zero_division: what the F1 of a class that neither side has counts as: ``0``, ``1``, or ``leave-out``.

    Raises:
        InputError: the two files do not have the same sentences.
        OptionError: there is no such ``zero_division``; raised when a score is asked for.

    >>> from aifgraph.tasks import ruarg
    >>> gold, predicted = (ruarg.read(f"fixtures/tasks/ruarg/{name}.tsv") for name in ("gold", "predicted"))
    >>> round(ruarg.score(gold, predicted).f1("stance"), 3)
    0.444
    """
    pairs = paired(gold, predicted)
    matrices = {
        subtask: ConfusionMatrix.of_pairs(
            ((ours.labels[subtask.column], theirs.labels[subtask.column]) for ours, theirs in pairs), LABELS
        )
        for subtask in SUBTASKS
    }
    return RuArgScore(matrices, zero_division)


@dataclass(frozen=True, slots=True, repr=False)
class RuArgRanking(TaskResult):
    """Several systems on one gold file."""

    systems: dict[str, RuArgScore]

    @property
    def signature(self) -> str:
        return next(iter(self.systems.values())).signature

    def ranks(self, kind: Kind) -> dict[str, int | None]:
        """The rank of each system by ``F1_stance`` or ``F1_premise``; None where that is undefined."""
        scores = {name: result.f1(kind) for name, result in self.systems.items()}
        return dict(zip(scores, ranks(list(scores.values())), strict=True))

    def tables(self) -> list[Table]:
        """The systems by stance, as in the paper, with their rank by premise; then the macro F1 of each claim."""
        stance, premise = self.ranks("stance"), self.ranks("premise")
        names = sorted(self.systems, key=lambda name: (stance[name] or len(stance) + 1, premise[name] or 0, name))
        rows = [(stance[n], n, self.systems[n].f1("stance"), self.systems[n].f1("premise"), premise[n]) for n in names]
        claims = [(n, *(self.systems[n].macro(subtask) for subtask in SUBTASKS)) for n in names]
        columns = [f"{subtask.claim} {subtask.kind}" for subtask in SUBTASKS]
        return [
            Table("Ranking", ("rank", "system", "F1_stance", "F1_premise", "rank by premise"), rows, digits=4),
            Table("Macro F1 by claim", ("system", *columns), claims, digits=4),
        ]


def ranking(gold: RuArgFile, systems: Sequence[RuArgFile], *, zero_division: ZeroDivision = "0") -> RuArgRanking:
    """Score and rank several systems, each called as its file; options and errors as of :func:`score`.

    Raises:
        InputError: no system, or two of one name.
    """
    return RuArgRanking(
        {
            name: score(gold, system, zero_division=zero_division)
            for name, system in zip(system_names([system.name for system in systems]), systems, strict=True)
        }
    )


_AVERAGED = [LABELS.index(label) for label in RELEVANT]


def significance(
    gold: RuArgFile,
    systems: Sequence[RuArgFile],
    kind: Kind = "stance",
    *,
    zero_division: ZeroDivision = "0",
    rounds: int = 10_000,
    seed: int = 0,
) -> PairTests:
    """Whether systems differ: the approximate randomisation test of all pairs, over sentences.

    In each round the two systems' labels of a sentence, of all claims together, are swapped with probability ½. What is
    tested is ``F1_stance`` or ``F1_premise``, as ``kind`` says.

    Raises:
        InputError: fewer than two systems, two of one name, or not the sentences of the gold file.
        OptionError: an option out of its range.
    """
    import numpy as np

    one_of("kind", kind, KINDS)
    one_of("zero_division", zero_division, ZERO_DIVISION)
    subtasks = [subtask for subtask in SUBTASKS if subtask.kind == kind]

    def row(ours: Sentence, theirs: Sentence) -> list[float]:
        labels = [(ours.labels[subtask.column], theirs.labels[subtask.column]) for subtask in subtasks]
        return [cell for pair in labels for cell in confusion_row([pair], LABELS)]

    def statistic(counts: Array) -> Array:
        claims = np.stack(
            [
                macro_f1_of(block, len(LABELS), _AVERAGED, zero_division)
                for block in np.split(counts, len(subtasks), axis=1)
            ]
        )
        with np.errstate(all="ignore"):
            defined = np.isfinite(claims)
            mean: Array = np.where(defined, claims, 0).sum(axis=0) / defined.sum(axis=0)
        return mean

    def rows(system: RuArgFile) -> Array:
        pairs = paired(gold, system)
        if gold.has_ids:
            # Sorted ids: the draws must not depend on the order of the gold file's rows.
            pairs = sorted(pairs, key=lambda pair: pair[0].id)
        return np.array([row(ours, theirs) for ours, theirs in pairs])

    names = system_names([system.name for system in systems])
    return pair_tests(
        {name: rows(system) for name, system in zip(names, systems, strict=True)},
        statistic,
        item="sentence",
        measure=f"ruarg.significance.f1_{kind}",
        rounds=rounds,
        seed=seed,
        options={"zero_division": zero_division},
    )
