"""How many instances files of SemEval-2018 task 12 hold, with which labels and of how many debates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from aifgraph.datasets.arct import Instance
from aifgraph.tables import Table
from aifgraph.tasks.arct.instances import cue
from aifgraph.tasks.scores import Result, short, signature


@dataclass(frozen=True, slots=True)
class InstanceCounts(Result):
    """How many instances there are, by file.

    Attributes:
        files: the instances of each file (a split), by its name.
    """

    files: Mapping[str, tuple[Instance, ...]]

    @property
    def signature(self) -> str:
        return signature("arct.stats")

    def tables(self) -> list[Table]:
        """The counts as a table.

        Returns:
            One table with a row for each file.
        """
        rows = []
        for name, instances in zip(short(list(self.files)), self.files.values(), strict=True):
            labels = Counter(one.label for one in instances)
            cued = [one for one in instances if cue(one) is not None]
            right = sum(one.label == cue(one) for one in cued) if labels[None] < len(instances) else None
            debates, claims = len({one.title for one in instances}), len({one.claim for one in instances})
            rows.append((name, len(instances), labels[0], labels[1], labels[None], debates, claims, len(cued), right))
        columns = (
            "file",
            "instances",
            "label 0",
            "label 1",
            "no label",
            "debates",
            "claims",
            "one negated",
            "and right",
        )
        note = "one negated: exactly one of the two warrants has a negation; and right: that warrant is the right one"
        return [Table("Instances", columns, rows, note=note)]


def stats(files: Mapping[str, tuple[Instance, ...]]) -> InstanceCounts:
    """How many instances, labels, debates, claims and negated warrants there are.

    Args:
        files: the instances of each file (a split), by its name.

    Returns:
        The counts.

    >>> one = Instance("1", "it is safe", "it is not safe", 0, "Many fly.", "Flying is good", "Air travel")
    >>> stats({"train": (one,)}).tables()[0].rows
    [('train', 1, 1, 0, 0, 1, 1, 1, 0)]
    """
    return InstanceCounts(files)
