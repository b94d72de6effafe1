"""The annotation of a RuArg-2022 file: counts (the paper's table 3) and agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aifgraph.datasets.ruarg import CLAIMS, KINDS, SUBTASKS, Subtask
from aifgraph.errors import OptionError
from aifgraph.stats import Estimate
from aifgraph.stats.krippendorff import nominal_alpha
from aifgraph.tables import Cell, Table
from aifgraph.tasks.ruarg.score import NAMES, RELEVANT, RuArgFile, same_rows
from aifgraph.tasks.scores import Counts, TaskResult, short, signature

Items = list[tuple[str | None, ...]]


def stats(files: Sequence[RuArgFile]) -> Counts:
    """How many sentences of each split have each label, by claim (Kotelnikov et al. 2022, table 3).

    >>> from aifgraph.tasks import ruarg
    >>> counts = ruarg.stats([ruarg.read("fixtures/tasks/ruarg/gold.tsv")])
    >>> counts.tables()[0].records()[0]["stance: for"]
    1
    """
    columns = (
        "file",
        "claim",
        *(f"{kind}: {NAMES[kind][label]}" for kind in KINDS for label in RELEVANT),
        "irrelevant",
        "sentences",
    )
    rows: list[tuple[Cell, ...]] = []
    mixed = 0
    for name, file in zip(short([file.name for file in files]), files, strict=True):
        for claim in CLAIMS:
            stance, premise = (Counter(s.labels[Subtask(claim, kind).column] for s in file.sentences) for kind in KINDS)
            mixed += stance["-1"] != premise["-1"]
            labels = [counts[label] for counts in (stance, premise) for label in RELEVANT]
            rows.append((name, claim, *labels, stance["-1"], len(file.sentences)))
    note = "irrelevant is counted by stance; the premise labels differ in it" if mixed else ""
    return Counts("ruarg.stats", (Table("Sentences by label", columns, rows, note=note),))


@dataclass(frozen=True, slots=True, repr=False)
class RuArgAgreement(TaskResult):
    """Krippendorff's alpha of several annotators, for nominal labels.

    ``items`` are the labels of each sentence by subtask: one of each annotator, None where an annotator gave none.
    """

    items: dict[Subtask, Items]
    annotators: int

    @property
    def signature(self) -> str:
        return signature("ruarg.agreement", alpha="nominal", annotators=self.annotators)

    def alpha(self, *subtasks: Subtask) -> Estimate:
        """Alpha over the labels of some subtasks together, or of all if none is named (Krippendorff 2011)."""
        return nominal_alpha(Counter(item for subtask in subtasks or SUBTASKS for item in self.items[subtask]))

    def undefined(self) -> list[str]:
        """Which alphas are undefined, and why: a sentence for each."""
        alphas = ((subtask.column, self.alpha(subtask)) for subtask in SUBTASKS)
        return [f"{column}: alpha is undefined: {alpha.reason}" for column, alpha in alphas if alpha.value is None]

    def tables(self) -> list[Table]:
        """A row for each claim and subtask, for each subtask over the claims, and for everything."""
        groups: list[tuple[str, str, list[Subtask]]] = [
            (subtask.claim, subtask.kind, [subtask]) for subtask in SUBTASKS
        ]
        groups += [("all claims", kind, [subtask for subtask in SUBTASKS if subtask.kind == kind]) for kind in KINDS]
        groups.append(("all claims", "both", list(SUBTASKS)))
        rows = []
        for claim, kind, subtasks in groups:
            items = [item for subtask in subtasks for item in self.items[subtask]]
            labelled_twice = sum(len(item) - item.count(None) > 1 for item in items)
            rows.append((claim, kind, nominal_alpha(Counter(items)).value, labelled_twice))
        return [Table("Agreement", ("claim", "subtask", "alpha", "labelled twice"), rows)]


def agreement(files: Sequence[RuArgFile]) -> RuArgAgreement:
    """How far annotators agree: Krippendorff's alpha for nominal labels (Krippendorff 2011).

    Sentences are joined by ``text_id``, and a file may leave some out. Where a file has no ids, they are joined by
    position, and the files need the same number of rows.

    Raises:
        OptionError: fewer than two files.
        InputError: a file has no ids, and the numbers of rows differ.

    >>> from aifgraph.tasks import ruarg
    >>> files = [ruarg.read(f"fixtures/tasks/ruarg/{name}.tsv") for name in ("gold", "predicted")]
    >>> round(ruarg.agreement(files).alpha().value, 3)
    0.785
    """
    if len(files) < 2:
        raise OptionError(f"agreement of {len(files)} file(s)", remedy="give the files of two annotators or more")
    by_id = all(file.has_ids for file in files)
    if not by_id:
        for file in files:
            same_rows(files[0], file)
    labels = [{s.id if by_id else str(n): s.labels for n, s in enumerate(file.sentences)} for file in files]
    keys = list(dict.fromkeys(key for by_key in labels for key in by_key))
    items = {
        subtask: [tuple(by_key.get(key, {}).get(subtask.column) for by_key in labels) for key in keys]
        for subtask in SUBTASKS
    }
    return RuArgAgreement(items, len(files))
