"""The differences of a comparison as the page lists them: the same rows as ``aifgraph differences``, by group, and how
much of each group both analyses have alike, counted in nodes, as in a map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import (
    GROUPS,
    Difference,
    DifferenceGroup,
    Differences,
    Phrase,
    RowWriter,
    Status,
)
from aifgraph.comparison.differences.words import cost, cut, title
from aifgraph.graph.nodes import RELATIONS, shortened
from aifgraph.report.html.merged_map import MapView, MergedMap
from aifgraph.text.segmentation import transposed

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
        parts = [f"{have}, of which {self.same or 'none'} are the same", self.said]
        if follow := max(self.follow):
            parts.append(f"{follow} {'is' if follow == 1 else 'are'} decided with other differences")
        return f"{self.group.capitalize()}: {'; '.join(filter(None, parts))}."


def group_counts(differences: Differences) -> list[GroupCount]:
    """The groups that either side has, relations first.

    >>> import aifgraph
    >>> first = aifgraph.load("fixtures/debate/first.json")
    >>> result = aifgraph.compare(first, aifgraph.load("fixtures/debate/second.json"))
    >>> print(group_counts(result.differences())[0])
    Relations: 10 and 9, of which 7 are the same; 2 re-attached; 1 is decided with other differences.
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
                f"{cuts.first} are only in the first, {cuts.second} only in the second."
            )
    propositions = result.alignment.propositions
    if number := propositions.matched_by("meaning"):
        lines.append(f"Propositions: {number} of {propositions.matched} were matched by meaning, not by their words.")
    return [*lines, *map(str, counts)]


#: A longer text is cut off in the list; the panel and the alignment have it whole.
_LETTERS: Final = 240
#: Texts up to this length are compared word by word.
_COMPARED: Final = 1200
#: Differences of a group beyond this many are counted, not listed.
LISTED: Final = 300


class Words(NamedTuple):
    """Words of a quotation; ``changed``: the other side has others there."""

    text: str
    changed: bool = False


class ListedPhrase(NamedTuple):
    """A phrase of ours, or one that is ``quoted``, in pieces."""

    pieces: tuple[Words, ...]
    quoted: bool

    def __str__(self) -> str:
        text = " ".join(piece.text for piece in self.pieces)
        return f"“{text}”" if self.quoted else text


@dataclass(frozen=True, slots=True)
class Said:
    """What one side says there."""

    side: Literal["first", "second"]
    phrases: tuple[ListedPhrase, ...]


@dataclass(frozen=True, slots=True)
class ListedDifference:
    """A row of ``aifgraph differences`` in the list, ``number`` its place there from 1.

    ``cost`` is what it costs, in words; ``elements`` are the drawn elements it is about with what they join,
    ``follows`` those that follow from it; ``marked`` are the propositions and locutions beside which the text names it.
    """

    row: Difference
    number: int
    view: MapView
    said: tuple[Said, ...]
    cost: str
    elements: tuple[int, ...]
    follows: tuple[int, ...]
    marked: tuple[int, ...]

    @property
    def status(self) -> Status:
        """How the elements look that it is about."""
        if self.row.sides != "both":
            return self.row.sides
        how: dict[str, Status] = {"cut differently": "part", "reworded": "agreed"}
        return how.get(self.row.kind, "different")

    @property
    def relations(self) -> list[str]:
        """The relations that it is part of, short."""
        return [cut(relation) for relation in self.row.relations]

    @property
    def title(self) -> str:
        """How it differs, in a few words."""
        return title(self.row)


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
        self.rows = differences.by_id
        self.merged = merged

    def listed(self, number: int, row: Difference) -> ListedDifference:
        of = self.merged.of
        own = [of[node] for node in row.nodes if node in of]
        joined = [of[node] for each in row.nodes for node in self.ends(*each) if node in of]
        elements = tuple(dict.fromkeys((*own, *joined)))
        follows = tuple(dict.fromkeys(of[node] for node in row.follows if node in of and of[node] not in elements))
        marked = [of[node] for each in row.nodes for node in self.beside(*each) if node in of]
        kinds = {self.merged.elements[element].kind for element in own}
        view: MapView = "dialogue" if kinds & {"L", "YA", "TA"} else "argument"
        said = tuple(self.said(row))
        costs = cost(row, self.rows)
        return ListedDifference(row, number, view, said, costs, elements, follows, tuple(dict.fromkeys(marked)))

    def beside(self, side: int, node: int) -> Iterator[tuple[int, int]]:
        """A unit itself, or where a relation or a transition starts, or what an illocution is about does."""
        analysis = self.writer.sides[side]
        if analysis.kinds[node] in ("I", "L"):
            yield side, node
            return
        others = analysis.successors if analysis.kinds[node] == "YA" else analysis.predecessors
        found = [other for other in others[node] if analysis.kinds[other] in ("I", "L")]
        if not found:  # an illocution of a relation, an undercut
            found = [
                start
                for other in others[node]
                for start in analysis.predecessors[other]
                if analysis.kinds[start] in ("I", "L")
            ]
        if not found:
            found = [other for each in (analysis.predecessors, analysis.successors) for other in each[node]]
        yield from ((side, other) for other in found)

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
        phrases = [self.phrases(row, side) for side in (0, 1)]
        quoted = [[phrase.text for phrase in side if phrase.quoted] for side in phrases]
        changed: list[list[Words]] = [[], []]
        if all(len(side) == 1 and len(side[0]) <= _COMPARED for side in quoted):
            changed = list(differing_words(quoted[0][0], quoted[1][0]))
        for name, side, words in zip(names, phrases, changed, strict=True):
            if side:
                yield Said(
                    name,
                    tuple(
                        ListedPhrase(tuple(words), True)
                        if phrase.quoted and words
                        else ListedPhrase(
                            (Words(shortened(phrase.text, _LETTERS) if phrase.quoted else phrase.text),), phrase.quoted
                        )
                        for phrase in side
                        if phrase.quoted or phrase.text
                    ),
                )

    def phrases(self, row: Difference, side: int) -> list[Phrase]:
        phrases: list[Phrase] = []
        for own, node in row.nodes:
            if own == side:
                phrases += [Phrase("; ")] if phrases else []
                phrases += self.writer.phrases(side, node)
        return phrases


def differing_words(first: str, second: str) -> tuple[list[Words], list[Words]]:
    """Both texts in pieces, with the words that only one of them has told apart.

    >>> differing_words("Masks help a lot", "Masks help everyone a lot")[1]
    [Words(text='Masks help', changed=False), Words(text='everyone', changed=True), Words(text='a lot', changed=False)]
    """
    one, other = first.split(), second.split()
    pieces: tuple[list[Words], list[Words]] = ([], [])
    for what, start, end, other_start, other_end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for side, words in ((0, one[start:end]), (1, other[other_start:other_end])):
            if words:
                pieces[side].append(Words(" ".join(words), what != "equal"))
    return pieces


@dataclass(frozen=True, slots=True)
class Counted:
    """How many boundaries are agreed, near (pairs of them), and on one side only."""

    agreed: int
    near: int
    first: int
    second: int


def counted(alignment: Alignment) -> Counted:
    """The boundaries of both sides against each other."""
    first, second = alignment.placement.first.boundaries, alignment.placement.second.boundaries
    near = transposed(first, second)
    return Counted(len(first & second), len(near), len(first - second) - len(near), len(second - first) - len(near))
