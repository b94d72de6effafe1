"""A pair of nodes that are matched one to one, and what they were matched by."""

from __future__ import annotations

from typing import Literal, NamedTuple

#: What two nodes are matched by: their texts (and positions), or what these mean.
MatchedBy = Literal["text", "meaning"]


class Match(NamedTuple):
    """Two nodes with the similarity of their texts; ``cosine`` of those matched by meaning."""

    first: int
    second: int
    similarity: float
    by: MatchedBy = "text"
    cosine: float | None = None
