"""Agreement of annotators of RuArg-2022 (Kotelnikov et al. 2022): Krippendorff's alpha for nominal labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aifgraph.errors import InputError, OptionError
from aifgraph.stats.estimate import Estimate
from aifgraph.stats.krippendorff import nominal_alpha
from aifgraph.tables.table import Table
from aifgraph.tasks.ruarg.data import KINDS, SUBTASKS, RuArg, Subtask
from aifgraph.tasks.signature import signature

Items = list[tuple[str | None, ...]]


@dataclass(frozen=True, slots=True)
class RuArgAgreement:
    """For each claim and subtask the labels of every sentence, one of each annotator, ``None`` where one gave none."""

    items: dict[Subtask, Items]
    annotators: int

    @property
    def signature(self) -> str:
        """Every option that changes a number."""
        return signature("ruarg.agreement", alpha="nominal", annotators=self.annotators)

    def alpha(self, *subtasks: Subtask) -> Estimate:
        """Alpha over the labels of these claims and subtasks together (of all, if none is named)."""
        return nominal_alpha(Counter(item for subtask in subtasks or SUBTASKS for item in self.items[subtask]))

    def undefined(self) -> list[str]:
        """Which alphas are undefined, and why."""
        found = ((subtask.column, self.alpha(subtask)) for subtask in SUBTASKS)
        return [f"{column}: alpha is undefined: {alpha.reason}" for column, alpha in found if alpha.value is None]

    def tables(self) -> list[Table]:
        """Alpha by claim and subtask, of each subtask over the claims, and of everything."""
        groups: list[tuple[str, str, list[Subtask]]] = [(each.claim, each.kind, [each]) for each in SUBTASKS]
        groups += [("all claims", kind, [each for each in SUBTASKS if each.kind == kind]) for kind in KINDS]
        groups.append(("all claims", "both", list(SUBTASKS)))
        rows = []
        for claim, kind, subtasks in groups:
            items = [item for subtask in subtasks for item in self.items[subtask]]
            labelled_twice = sum(len(item) - item.count(None) > 1 for item in items)
            rows.append((claim, kind, nominal_alpha(Counter(items)).value, labelled_twice))
        return [Table("Agreement", ("claim", "subtask", "alpha", "labelled twice"), rows)]


def agreement(files: Sequence[RuArg]) -> RuArgAgreement:
    """Files of one annotator each; sentences are joined by ``text_id``, and one may be missing in some of them.

    Without ids in every file they are joined by position, and then must be equally many.

    Raises:
        OptionError: fewer than two files.
        InputError: without ids the numbers of rows differ.
    """
    if len(files) < 2:
        raise OptionError(f"agreement of {len(files)} file(s)", remedy="give the files of two annotators or more")
    by_id = all(file.has_ids for file in files)
    if not by_id:
        for file in files:
            if len(file.sentences) != len(files[0].sentences):
                raise InputError(
                    f"{len(file.sentences)} rows where {files[0].name} has {len(files[0].sentences)}",
                    where=file.name,
                    remedy="without text_id in every file there must be as many rows, in the same order",
                )
    labels = [{s.id if by_id else str(n): s.labels for n, s in enumerate(file.sentences)} for file in files]
    keys = list(dict.fromkeys(key for each in labels for key in each))
    items = {
        subtask: [tuple(each[key].get(subtask.column) if key in each else None for each in labels) for key in keys]
        for subtask in SUBTASKS
    }
    return RuArgAgreement(items, len(files))
