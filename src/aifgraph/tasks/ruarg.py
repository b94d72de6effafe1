"""RuArg-2022 (Kotelnikov et al. 2022): stance and premise of Russian comments towards three claims.

>>> gold, system = (read(f"fixtures/tasks/ruarg/{name}.tsv") for name in ("gold", "predicted"))
>>> round(score(gold, system).f1("stance"), 3)
0.444
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aifgraph.datasets.dataset import Log
from aifgraph.datasets.ruarg import CLAIMS, KINDS, LABELS, SUBTASKS, Comment, Kind, Subtask, read_comments
from aifgraph.errors import InputError
from aifgraph.stats.alpha import nominal_alpha
from aifgraph.stats.scores import ConfusionMatrix
from aifgraph.tables import Cell, Table
from aifgraph.tasks import scores
from aifgraph.tasks.scores import TaskResult, ZeroDivision, class_rows, class_scores, macro

#: The first three labels are averaged: for, other, against.
AVERAGED: Final = 3
NAMES: Final[Mapping[Kind, tuple[str, ...]]] = {
    "stance": ("for", "other", "against", "irrelevant"),
    "premise": ("for", "no argument", "against", "irrelevant"),
}


@dataclass(frozen=True, slots=True)
class RuArgFile:
    """A file of the task; ``ids`` is whether it has the column ``text_id``."""

    name: str
    comments: tuple[Comment, ...]
    ids: bool = True


def read(path: str | Path, *, labelled: bool = True) -> RuArgFile:
    """Read a file of the task.

    Every row needs all six labels, unless the file is not ``labelled``. Files of predictions may have labels alone; the
    rows are then those of the gold file, in its order.
    """
    comments = tuple(read_comments(Path(path), Log(strict=True), labelled=labelled))
    if not comments:
        raise InputError("the file has no rows", where=str(path))
    return RuArgFile(str(path), comments, all(comment.id for comment in comments))


def paired(gold: RuArgFile, system: RuArgFile) -> list[tuple[Comment, Comment]]:
    """Return each gold comment with its prediction: by id where both files have ids, else by position."""
    if not (gold.ids and system.ids):
        if len(gold.comments) != len(system.comments):
            what = f"{len(system.comments)} rows where {gold.name} has {len(gold.comments)}, and no text_id"
            raise InputError(what, where=system.name)
        return list(zip(gold.comments, system.comments, strict=True))
    predictions = {comment.id: comment for comment in system.comments}
    scores.check_ids((comment.id for comment in gold.comments), predictions, system.name)
    return [(comment, predictions[comment.id]) for comment in gold.comments]


@dataclass(frozen=True, slots=True)
class RuArgScore(TaskResult):
    """Scores of one system; ``cells`` holds for each subtask the gold labels (rows) against the predicted ones."""

    cells: Mapping[Subtask, ConfusionMatrix]
    zero_division: ZeroDivision = "0"

    def claim_f1(self, subtask: Subtask) -> float | None:
        """Return macro F1 over the classes for, other and against (the paper's tables 5 to 10)."""
        return macro(class_scores(self.cells[subtask]).f1[:AVERAGED], self.zero_division)

    def f1(self, kind: Kind) -> float | None:
        """Return ``F1_stance`` or ``F1_premise``, the mean over claims, by which the paper ranks systems."""
        return macro((self.claim_f1(subtask) for subtask in SUBTASKS if subtask.kind == kind), "leave-out")

    @property
    def signature(self) -> str:
        return scores.signature("ruarg.f1", average="macro", classes="2,1,0", zero_division=self.zero_division)

    def undefined(self) -> list[str]:
        """Return a sentence for each averaged class that neither side has."""
        sentences = ((of, scores.absent(cells, NAMES[of.kind][:AVERAGED])) for of, cells in self.cells.items())
        return [f"{subtask.column}: {sentence}" for subtask, listed in sentences for sentence in listed]

    def tables(self) -> list[Table]:
        """Return ``F1_stance`` and ``F1_premise``; then the classes of each claim, and the average of three."""
        heads = Table("Scores", ("score", "value"), [(f"F1_{kind}", self.f1(kind)) for kind in KINDS], digits=4)
        return [heads, *(self._table(kind) for kind in KINDS)]

    def _table(self, kind: Kind) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for claim in CLAIMS:
            cells = self.cells[Subtask(claim, kind)]
            classes = zip(LABELS, class_rows(cells, NAMES[kind]), strict=True)
            rows += [(claim, name, int(label), *numbers) for label, (name, *numbers) in classes]
            of_class = class_scores(cells)
            means = [macro(values[:AVERAGED], self.zero_division) for values in of_class[:3]]
            sums = [sum(counts[:AVERAGED]) for counts in of_class[3:]]
            rows.append((claim, "macro", None, *means, *sums))
        columns = ("claim", "class", "label", "precision", "recall", "F1", "gold", "predicted")
        return Table(kind.capitalize(), columns, rows, digits=4)


def score(gold: RuArgFile, system: RuArgFile, *, zero_division: ZeroDivision = "0") -> RuArgScore:
    """Score the labels of a system (Kotelnikov et al. 2022, section 6).

    The class irrelevant is not averaged, but a wrong prediction of it costs recall of the others. ``zero_division`` is
    what the F1 of a class that neither side has counts as.
    """
    scores.one_of("zero_division", zero_division, scores.ZERO_DIVISION)
    pairs = paired(gold, system)
    labels = {subtask: [(one.labels[subtask], other.labels[subtask]) for one, other in pairs] for subtask in SUBTASKS}
    cells = {subtask: scores.confusion(of, LABELS) for subtask, of in labels.items()}
    return RuArgScore(cells, zero_division)


@dataclass(frozen=True, slots=True)
class RuArgRanking(TaskResult):
    """Several systems by name on one gold file."""

    systems: Mapping[str, RuArgScore]

    @property
    def signature(self) -> str:
        return next(iter(self.systems.values())).signature

    def ranks(self, kind: Kind) -> dict[str, int | None]:
        """Return the rank of each system by ``F1_stance`` or ``F1_premise``."""
        return dict(zip(self.systems, scores.ranks([score.f1(kind) for score in self.systems.values()]), strict=True))

    def tables(self) -> list[Table]:
        """Return the ranking by stance, as in the paper's table 4; then the macro F1 of each claim."""
        stance, premise = self.ranks("stance"), self.ranks("premise")
        names = sorted(self.systems, key=lambda name: (stance[name] or len(stance) + 1, premise[name] or 0, name))
        rows = [(stance[n], n, self.systems[n].f1("stance"), self.systems[n].f1("premise"), premise[n]) for n in names]
        claims = [(name, *(self.systems[name].claim_f1(subtask) for subtask in SUBTASKS)) for name in names]
        columns = [f"{subtask.claim} {subtask.kind}" for subtask in SUBTASKS]
        return [
            Table("Ranking", ("rank", "system", "F1_stance", "F1_premise", "rank by premise"), rows, digits=4),
            Table("Macro F1 by claim", ("system", *columns), claims, digits=4),
        ]


def ranking(gold: RuArgFile, systems: Sequence[RuArgFile], *, zero_division: ZeroDivision = "0") -> RuArgRanking:
    """Score and rank several systems, each called as its file."""
    names = scores.file_names([system.name for system in systems])
    scores.check_names(names)
    results = (score(gold, system, zero_division=zero_division) for system in systems)
    return RuArgRanking(dict(zip(names, results, strict=True)))


@dataclass(frozen=True, slots=True)
class RuArgAgreement(TaskResult):
    """Krippendorff's alpha of several annotators.

    ``items`` has for each subtask the labels of each comment, one by each annotator, ``None`` where one gave none.
    """

    items: Mapping[Subtask, list[tuple[str | None, ...]]]
    annotators: int

    @property
    def signature(self) -> str:
        return scores.signature("ruarg.agreement", alpha="nominal", annotators=self.annotators)

    def alpha(self, *subtasks: Subtask) -> float | None:
        """Return nominal alpha over the labels of some subtasks together, or of all (Krippendorff 2011)."""
        return nominal_alpha(Counter(item for subtask in subtasks or SUBTASKS for item in self.items[subtask]))

    def tables(self) -> list[Table]:
        """Return a row for each claim and subtask, for each subtask over the claims, and for all."""
        groups = {(subtask.claim, str(subtask.kind)): [subtask] for subtask in SUBTASKS}
        groups |= {("all claims", kind): [subtask for subtask in SUBTASKS if subtask.kind == kind] for kind in KINDS}
        groups["all claims", "both"] = list(SUBTASKS)
        twice = {subtask: sum(len(item) - item.count(None) > 1 for item in of) for subtask, of in self.items.items()}
        rows = [
            (*names, self.alpha(*subtasks), sum(twice[subtask] for subtask in subtasks))
            for names, subtasks in groups.items()
        ]
        return [Table("Agreement", ("claim", "subtask", "alpha", "labelled twice"), rows)]


def agreement(files: Sequence[RuArgFile]) -> RuArgAgreement:
    """Return how far annotators agree, one file each; comments are joined by id, and a file may leave some out."""
    if len(files) < 2 or not all(file.ids for file in files):
        raise InputError("agreement needs two files or more, each with the column text_id")
    labels = [{comment.id: comment.labels for comment in file.comments} for file in files]
    ids = dict.fromkeys(id_ for by_id in labels for id_ in by_id)
    items = {
        subtask: [tuple(by_id.get(id_, {}).get(subtask) for by_id in labels) for id_ in ids] for subtask in SUBTASKS
    }
    return RuArgAgreement(items, len(files))
