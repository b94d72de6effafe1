"""The differences of a comparison as the page lists them: the same rows as ``aifgraph differences``, by group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from aifgraph.comparison.difference import Difference
from aifgraph.comparison.difference_row import Phrase, RowWriter
from aifgraph.comparison.differences import Differences
from aifgraph.comparison.facts import Status
from aifgraph.graph.nodes import shortened
from aifgraph.report.html.group_counts import GroupCount
from aifgraph.report.html.merged_map import MapView, MergedMap

#: A longer text is cut off in the list; the panel and the alignment have it whole.
_LETTERS: Final = 240
#: Differences of a group beyond this many are counted, not listed.
LISTED: Final = 300


@dataclass(frozen=True, slots=True)
class Said:
    """What one side says there."""

    side: Literal["first", "second"]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class ListedDifference:
    """A difference in the list. ``id`` is its row in ``aifgraph differences``, ``number`` its place there from 1.

    ``elements`` are the drawn elements it is about with what they join, ``follows`` those that follow from it.
    """

    id: str
    number: int
    kind: str
    status: Status
    view: MapView
    said: tuple[Said, ...]
    elements: tuple[int, ...]
    follows: tuple[int, ...]
    decisions: int


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """The differences of a group; ``more`` are counted only."""

    count: GroupCount
    view: MapView
    differences: tuple[ListedDifference, ...]
    more: int


def groups_of(differences: Differences, merged: MergedMap, counts: list[GroupCount]) -> list[ListedGroup]:
    """Every group that either side has, with its differences in the order of the text."""
    lister = _Lister(differences, merged)
    groups: list[ListedGroup] = []
    for count in counts:
        rows = [(number, row) for number, row in enumerate(differences, 1) if row.group == count.group]
        listed = tuple(lister.listed(number, row) for number, row in rows[:LISTED])
        view: MapView = "argument" if count.group in ("relations", "propositions") else "dialogue"
        groups.append(ListedGroup(count, view, listed, max(0, len(rows) - LISTED)))
    return groups


class _Lister:
    def __init__(self, differences: Differences, merged: MergedMap) -> None:
        self.writer = RowWriter(differences.alignment)
        self.merged = merged

    def listed(self, number: int, row: Difference) -> ListedDifference:
        of = self.merged.of
        own = [of[node] for node in row.nodes if node in of]
        joined = [of[node] for each in row.nodes for node in self.ends(*each) if node in of]
        elements = tuple(dict.fromkeys((*own, *joined)))
        follows = tuple(dict.fromkeys(of[node] for node in row.follows if node in of and of[node] not in elements))
        kinds = {self.merged.elements[element].kind for element in own}
        view: MapView = "dialogue" if kinds & {"L", "YA", "TA"} else "argument"
        said = tuple(self.said(row))
        return ListedDifference(row.id, number, row.kind, _status(row), view, said, elements, follows, row.decisions)

    def ends(self, side: int, node: int) -> Iterator[tuple[int, int]]:
        """What a relation, a transition or an illocution joins."""
        analysis = self.writer.sides[side]
        if analysis.kinds[node] in ("I", "L"):
            return
        for others in (analysis.predecessors[node], analysis.successors[node]):
            for other in others:
                if analysis.kinds[other] != "YA":
                    yield side, other
                    # An attacked relation is shown with what it joins.
                    if analysis.kinds[other] not in ("I", "L"):
                        ends = (*analysis.predecessors[other], *analysis.successors[other])
                        yield from ((side, end) for end in ends if analysis.kinds[end] in ("I", "L"))

    def said(self, row: Difference) -> Iterator[Said]:
        names: tuple[Literal["first", "second"], ...] = ("first", "second")
        for side, name in enumerate(names):
            phrases: list[Phrase] = []
            for own, node in row.nodes:
                if own == side:
                    phrases += [Phrase("; ")] if phrases else []
                    phrases += self.writer.phrases(side, node)
            if phrases:
                yield Said(
                    name,
                    tuple(
                        Phrase(shortened(phrase.text, _LETTERS), True) if phrase.quoted else phrase
                        for phrase in phrases
                        if phrase.quoted or phrase.text
                    ),
                )


def _status(row: Difference) -> Status:
    if row.sides != "both":
        return row.sides
    return "part" if row.kind == "cut differently" else "agreed" if row.kind == "reworded" else "different"
