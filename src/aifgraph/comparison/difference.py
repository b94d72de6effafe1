"""A difference between two analyses: one disagreement, with everything that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

#: The ways to differ, the gravest first.
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
    ``second_follows`` of those that follow from it (the illocutions of a relation that only one side has). ``costs`` is
    the number of decisions off the diagonal by calculation. ``place`` is the words of the common axis it is about, from
    the first (counted from 0) to after the last; None where that is unknown.
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
    place: tuple[int, int] | None
    costs: Mapping[str, int] = field(hash=False)
    #: The nodes by number: those it is about, and those that follow.
    nodes: tuple[NodeNumber, ...] = field(repr=False)
    follows: tuple[NodeNumber, ...] = field(repr=False)

    @property
    def decisions(self) -> int:
        """How many decisions it costs, over all calculations that apply."""
        return sum(self.costs.values())

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
            "place": list(self.place) if self.place else None,
            "calculations": dict(self.costs),
            "decisions": self.decisions,
        }

    def __str__(self) -> str:
        if self.sides == "both":
            return f"{self.kind}: {self.first_wording} (first) / {self.second_wording} (second)"
        return f"{self.kind}: {self.first_wording or self.second_wording} (only the {self.sides})"
