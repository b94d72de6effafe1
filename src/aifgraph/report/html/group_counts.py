"""How much of each group (relations, propositions, …) both analyses have alike, counted in nodes, as in a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.differences import GROUPS, DifferenceGroup, Differences
from aifgraph.graph.nodes import RELATIONS
from aifgraph.report.html.texts import counted

_GROUP_OF: Final[Mapping[str, DifferenceGroup]] = {
    **dict.fromkeys(RELATIONS, "relations"),
    "I": "propositions",
    "L": "locutions",
    "YA": "illocutions",
    "TA": "transitions",
}


@dataclass(frozen=True, slots=True)
class GroupCount:
    """A group in nodes: how many each side has, how many are ``same`` on both, and how the others differ.

    ``kinds`` counts differences, not nodes: ``("missing", "first")`` is what only the first has; the side is empty
    for what both have, each in its own way. ``follow`` is how many nodes of each side follow from another difference.
    """

    group: DifferenceGroup
    first: int
    second: int
    same: int
    kinds: Mapping[tuple[str, str], int]
    follow: tuple[int, int]

    @property
    def differences(self) -> int:
        """How many differences are about this group."""
        return sum(self.kinds.values())

    @property
    def said(self) -> str:
        """The differences by kind: "1 reversed, 3 only the first has"."""
        told = [
            f"{number} only the {side} has" if side else f"{number} {kind}"
            for (kind, side), number in self.kinds.items()
        ]
        return ", ".join(told)

    def __str__(self) -> str:
        if self.first == self.second == self.same:
            return f"{self.group.capitalize()}: all {self.same} are the same."
        have = f"{self.first} in each" if self.first == self.second else f"{self.first} and {self.second}"
        parts = [f"{self.same} the same ({have})", self.said]
        if follow := max(self.follow):
            parts.append("1 follows from another difference" if follow == 1 else f"{follow} follow from others")
        return f"{self.group.capitalize()}: {'; '.join(filter(None, parts))}."


def group_counts(differences: Differences) -> list[GroupCount]:
    """The groups that either side has, relations first.

    >>> import aifgraph
    >>> first = aifgraph.load("fixtures/debate/first.json")
    >>> result = aifgraph.compare(first, aifgraph.load("fixtures/debate/second.json"))
    >>> print(group_counts(result.differences())[0])
    Relations: 7 the same (10 and 9); 2 re-attached; 1 follows from another difference.
    """
    sides = (differences.alignment.first, differences.alignment.second)
    about = {node for row in differences for node in row.nodes}
    follows = {node for row in differences for node in row.follows} - about
    totals: tuple[Counter[DifferenceGroup], ...] = (Counter(), Counter())
    same: Counter[DifferenceGroup] = Counter()
    follow: tuple[Counter[DifferenceGroup], ...] = (Counter(), Counter())
    for side, analysis in enumerate(sides):
        for node, kind in enumerate(analysis.kinds):
            if (group := _GROUP_OF.get(kind)) is None:
                continue
            totals[side][group] += 1
            follow[side][group] += (side, node) in follows
            same[group] += not side and (side, node) not in about and (side, node) not in follows
    kinds: dict[DifferenceGroup, Counter[tuple[str, str]]] = {group: Counter() for group in GROUPS}
    for row in differences:
        kinds[row.group][row.kind, "" if row.sides == "both" else row.sides] += 1
    return [
        GroupCount(
            group,
            totals[0][group],
            totals[1][group],
            same[group],
            dict(kinds[group].most_common()),
            (follow[0][group], follow[1][group]),
        )
        for group in GROUPS
        if totals[0][group] or totals[1][group]
    ]


def sentences(result: Comparison, counts: list[GroupCount]) -> list[str]:
    """What the two have in common and what not: the boundaries, the matches by other means, each group."""
    lines: list[str] = []
    if result.segmentation.mode == "positions":
        cuts = counted(result.alignment)
        total = cuts.agreed + cuts.near + cuts.first + cuts.second
        if total:
            near = f", {cuts.near} one word apart" if cuts.near else ""
            share = f"all {total}" if cuts.agreed == total else f"{cuts.agreed} of {total}"
            lines.append(
                f"Cutting the text: {share} boundaries are the same{near}; "
                f"{cuts.first} only the first has, {cuts.second} only the second."
            )
    propositions = result.alignment.propositions
    if number := propositions.matched_by("meaning"):
        lines.append(f"Propositions: {number} of {propositions.matched} matches are by meaning, not by their words.")
    return [*lines, *map(str, counts)]
