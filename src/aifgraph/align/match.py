"""A pair of nodes that are matched one to one, and what they were matched by."""

from __future__ import annotations

from typing import Literal, NamedTuple

#: What two nodes are matched by: their texts (and positions), what these mean, or their place in the argument.
MatchedBy = Literal["text", "meaning", "role"]


class Role(NamedTuple):
    """What a node does in a relation of some type: it leads ``to`` a conclusion, comes ``from`` a premise, or is a
    premise ``with`` another; ``partner`` is that matched pair of nodes."""

    way: Literal["to", "from", "with"]
    type: str
    partner: tuple[int, int]


class Match(NamedTuple):
    """Two nodes with the similarity of their texts; ``cosine`` of those matched by meaning, the ``roles`` in common of
    those matched by role."""

    first: int
    second: int
    similarity: float
    by: MatchedBy = "text"
    cosine: float | None = None
    roles: tuple[Role, ...] = ()
