"""A difference between two analyses, as people read it: one disagreement with everything that follows from it; ids,
wordings, the place in the text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.breakdown import scheme_names
from aifgraph.graph.nodes import RELATIONS
from aifgraph.tables import Cell

#: The ways to differ, the most serious first.
Kind = Literal[
    "missing", "reversed", "relabelled", "re-attached", "cut differently", "spoken by another", "scheme", "reworded"
]
KINDS: Final[tuple[Kind, ...]] = (
    "missing",
    "reversed",
    "relabelled",
    "re-attached",
    "cut differently",
    "spoken by another",
    "scheme",
    "reworded",
)
#: What differs.
DifferenceGroup = Literal["relations", "propositions", "illocutions", "transitions", "locutions"]
GROUPS: Final[tuple[DifferenceGroup, ...]] = ("relations", "propositions", "illocutions", "transitions", "locutions")
#: A node: its side (0 or 1) and its number there.
NodeNumber = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement.

    ``id`` goes by what the nodes are and say, so that it stays the same in another run and under swapped sides.
    ``first`` and ``second`` are the ids of the nodes it is about on the two sides, ``first_follows`` and
    ``second_follows`` of those that follow from it (the illocutions of a relation that only one side has).
    ``relations`` are the relations, in words, that lose an end where a proposition is left out. ``costs`` is the number
    of decisions off the diagonal by calculation, each counted in one row; ``counted_with`` says of those that hang on
    this row and on others, too, how many are counted there, by the id of the row. ``place`` is the words of the common
    axis it is about, from the first (counted from 0) to after the last; None where that is unknown.
    """

    id: str
    group: DifferenceGroup
    kind: Kind
    first: tuple[str, ...]
    second: tuple[str, ...]
    first_follows: tuple[str, ...]
    second_follows: tuple[str, ...]
    first_wording: str
    second_wording: str
    relations: tuple[str, ...]
    place: tuple[int, int] | None
    costs: Mapping[str, int] = field(hash=False)
    counted_with: Mapping[str, int] = field(hash=False)
    #: The nodes by number: those it is about, and those that follow.
    nodes: tuple[NodeNumber, ...] = field(repr=False)
    follows: tuple[NodeNumber, ...] = field(repr=False)

    @property
    def decisions(self) -> int:
        """How many decisions it costs, over all calculations that apply."""
        return sum(self.costs.values())

    @property
    def at_stake(self) -> int:
        """How many decisions hang on it: those that it costs, and those that are counted in other rows."""
        return self.decisions + sum(self.counted_with.values())

    @property
    def sides(self) -> Literal["first", "second", "both"]:
        """Which side has something that the other has not, or not so."""
        if self.first and self.second:
            return "both"
        return "first" if self.first else "second"

    @property
    def calculation(self) -> str:
        """The calculations that it lowers, with how many decisions each."""
        return ", ".join(f"{name.replace('_', ' ')} {cost}" for name, cost in self.costs.items())

    @property
    def cells(self) -> dict[str, Cell]:
        """What tables and files say of it, by column."""
        place = self.place
        return {
            "row": self.id,
            "group": self.group,
            "kind": self.kind,
            "first": " ".join(self.first),
            "second": " ".join(self.second),
            "first follows": " ".join(self.first_follows),
            "second follows": " ".join(self.second_follows),
            "first wording": self.first_wording,
            "second wording": self.second_wording,
            "relations": "; ".join(self.relations),
            "place": f"{place[0] + 1}-{place[1]}" if place else "",
            "calculation": self.calculation,
            "decisions": self.decisions,
            "counted with": ", ".join(f"{row} ({count})" for row, count in self.counted_with.items()),
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "row": self.id,
            "group": self.group,
            "kind": self.kind,
            "first": list(self.first),
            "second": list(self.second),
            "first_follows": list(self.first_follows),
            "second_follows": list(self.second_follows),
            "first_wording": self.first_wording,
            "second_wording": self.second_wording,
            "relations": list(self.relations),
            "place": list(self.place) if self.place else None,
            "calculations": dict(self.costs),
            "decisions": self.decisions,
            "counted_with": dict(self.counted_with),
            "at_stake": self.at_stake,
        }

    def __str__(self) -> str:
        if self.sides == "both":
            return f"{self.kind}: {self.first_wording} (first) / {self.second_wording} (second)"
        return f"{self.kind}: {self.first_wording or self.second_wording} (only the {self.sides})"


@dataclass(slots=True, eq=False)
class Row:
    """A disagreement while it is being put together: the nodes it is about, and those that follow from it."""

    group: DifferenceGroup
    kind: Kind
    nodes: list[NodeNumber] = field(default_factory=list)
    follows: list[NodeNumber] = field(default_factory=list)


def id_order(id_: str) -> tuple[int, str]:
    """The key that puts ids in order, numbers as numbers.

    >>> sorted(["10", "9", "b"], key=id_order)
    ['9', 'b', '10']
    """
    return len(id_), id_


#: What a relation of each type does, and a transition.
VERBS = {"RA": "supports", "CA": "attacks", "MA": "rephrases", "PA": "is preferred to", "TA": "is followed by"}


def content_hash(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Phrase(NamedTuple):
    """A piece of a wording: words of our own, or a text of a map that is ``quoted``."""

    text: str
    quoted: bool = False

    def __str__(self) -> str:
        return f"“{self.text}”" if self.quoted else self.text


class RowWriter:
    """Makes rows that people read of rows of node numbers."""

    def __init__(self, alignment: Alignment) -> None:
        self.sides = (alignment.first, alignment.second)
        self.positions = (alignment.first_positions, alignment.second_positions)

    def difference(self, row: Row, costs: Mapping[str, int]) -> Difference:
        nodes, follows = self.in_reading_order(row.nodes), self.in_reading_order(row.follows)

        def ids(nodes: list[NodeNumber], side: int) -> tuple[str, ...]:
            own = self.sides[side].ids
            return tuple([own[node] for of_side, node in nodes if of_side == side]) if nodes else ()

        first, second = ids(nodes, 0), ids(nodes, 1)
        wordings = ["; ".join([self.words(*node) for node in nodes if node[0] == side]) for side in (0, 1)]
        spans = [span for node in nodes if (span := self.span(*node))]
        place = (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None
        return Difference(
            _row_id(first, second, *wordings),
            row.group,
            row.kind,
            first,
            second,
            ids(follows, 0),
            ids(follows, 1),
            wordings[0],
            wordings[1],
            tuple(self.relations_of(nodes)) if row.kind == "missing" and row.group == "propositions" else (),
            place,
            dict(costs),
            {},
            tuple(nodes),
            tuple(follows),
        )

    def relations_of(self, nodes: Sequence[NodeNumber]) -> Iterator[str]:
        """The first relations of some propositions, in words."""
        found: dict[NodeNumber, None] = {}
        for side, node in nodes:
            analysis = self.sides[side]
            around = (*analysis.predecessors[node], *analysis.successors[node])
            found.update(((side, other), None) for other in around if analysis.kinds[other] in RELATIONS)
        for relation in self.in_reading_order([*found])[:_MAX_RELATIONS]:
            yield self.words(*relation)

    def in_reading_order(self, nodes: list[NodeNumber]) -> list[NodeNumber]:
        """The nodes of the first side, then those of the second, each as they stand in the text; by id where two stand
        in one place or nowhere."""
        if len(nodes) < 2 or (len(nodes) == 2 and nodes[0][0] < nodes[1][0]):
            return nodes

        def place(node: NodeNumber) -> tuple[object, ...]:
            return node[0], self.span(*node) or _NOWHERE, id_order(self.sides[node[0]].nodes[node[1]].id)

        return sorted(nodes, key=place)

    def order(self, row: Row, difference: Difference) -> tuple[int, int, int]:
        """In the order of the text; what stands nowhere, last, in the order of the files."""
        start = difference.place[0] if difference.place else _NOWHERE[0]
        return start, GROUPS.index(row.group), min(node for _, node in row.nodes)

    def span(self, side: int, node: int) -> tuple[int, int] | None:
        """The first and the last word of what a node is about."""
        if runs := self.positions[side].get(node):
            return runs[0][0], runs[-1][1]
        analysis = self.sides[side]
        if analysis.kinds[node] in ("I", "L"):
            return None
        # A relation stands where its premises are, an illocution where its content is said.
        for others in (analysis.predecessors[node], analysis.successors[node]):
            spans = [self.positions[side][other] for other in others if other in self.positions[side]]
            if spans:
                return min(runs[0][0] for runs in spans), max(runs[-1][1] for runs in spans)
        return None

    def words(self, side: int, node: int, depth: int = 0) -> str:
        """A node in words; at a ``depth`` of 1 a relation stands in brackets."""
        return "".join([f"“{text}”" if quoted else text for text, quoted in self.phrases(side, node, depth)])

    def phrases(self, side: int, node: int, depth: int = 0) -> Iterator[Phrase]:
        """The same in pieces, so that what is quoted can be told from what is not."""
        analysis = self.sides[side]
        kind = analysis.kinds[node]
        if kind in ("I", "L"):
            yield Phrase(" ".join(analysis.nodes[node].text.split()), quoted=True)
            return
        label = analysis.label_names[node] if kind == "YA" else VERBS.get(kind, kind)
        if depth > 1:
            yield Phrase(label)
            return
        starts = [other for other in analysis.predecessors[node] if analysis.kinds[other] in _STARTS[kind]]
        ends = [other for other in analysis.successors[node] if kind == "YA" or analysis.kinds[other] != "YA"]
        if kind == "YA":
            yield Phrase(f"{label}: ")
            yield from self._several(side, ends, depth)
            yield Phrase(" in ")
            yield from self._several(side, starts, depth)
            return
        yield Phrase("[" if depth else "")
        yield from self._several(side, starts, depth)
        yield Phrase(f" {label if len(starts) < 2 else _PLURAL.get(label, label)} ")
        yield from self._several(side, ends, depth)
        names = [] if depth or kind == "TA" else list(scheme_names(analysis.nodes[node], kind))
        yield Phrase((f" ({', '.join(names)})" if names else "") + ("]" if depth else ""))

    def _several(self, side: int, nodes: Sequence[int], depth: int) -> Iterator[Phrase]:
        if not nodes:
            yield Phrase("nothing")
        if len(nodes) == 1:  # as nearly always
            yield from self.phrases(side, nodes[0], depth + 1)
            return
        for number, node in enumerate(self.in_reading_order([(side, node) for node in nodes])):
            if number:
                yield Phrase(" and ")
            yield from self.phrases(*node, depth + 1)


#: So many relations of a proposition are named.
_MAX_RELATIONS: Final = 10
#: After every word of a text.
_NOWHERE = (1 << 60, 1 << 60)
#: The same of several premises together.
_PLURAL = {"supports": "support", "attacks": "attack", "rephrases": "rephrase", "is preferred to": "are preferred to"}
#: What a scheme node starts from in words: not the illocutions that anchor it, nor the conflicts that attack it.
_STARTS = {"YA": ("L", "TA"), "TA": ("L",), **dict.fromkeys(RELATIONS, ("I",))}


def _row_id(first: tuple[str, ...], second: tuple[str, ...], first_wording: str, second_wording: str) -> str:
    sides = (repr((sorted(first), first_wording)), repr((sorted(second), second_wording)))
    return content_hash("".join(sorted(sides)))[:8]
