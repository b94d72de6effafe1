"""How alike matched texts are (docs/measures.md, sections 3 and 10): place decides where it is known, and meaning where
it is asked for, so words are shown beside what was matched, and count nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from aifgraph.align.alignment import Alignment
from aifgraph.align.matching import Match
from aifgraph.comparison.sides import Count

#: Matched texts below this similarity share less than half of their wording.
LOW_SIMILARITY: Final = 0.5
#: So many of the least similar are kept.
_KEPT: Final = 3


@dataclass(frozen=True, slots=True)
class MatchedTexts:
    """What two matched nodes say, how similar the texts are, and for a match by meaning the cosine."""

    first: str
    second: str
    similarity: float
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """How many matches by place have texts with a similarity below one half, of how many; and the least similar ones
    of these, each text once (``pairs``)."""

    count: Count = 0
    of: Count = 0
    pairs: tuple[MatchedTexts, ...] = ()


def wording_of(alignment: Alignment) -> Wording:
    """The wording of what was matched one to one, both places being known.

    >>> import aifgraph
    >>> one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    >>> _ = one.proposition("masks help"), other.proposition("help a lot")
    >>> wording_of(aifgraph.compare(one.graph(), other.graph(), first_text="masks help a lot").alignment)
    Wording(count=1, of=1, pairs=(MatchedTexts(first='masks help', second='help a lot', similarity=0.1, cosine=None),))
    """
    places = alignment.first_positions, alignment.second_positions
    placed = [
        texts
        for match, texts in _matches(alignment)
        if match.by == "text" and match.first in places[0] and match.second in places[1]
    ]
    low = [texts for texts in placed if texts.similarity < LOW_SIMILARITY]
    different = sorted(set(low), key=lambda pair: (pair.similarity, pair.first, pair.second))
    return Wording(len(low), len(placed), tuple(different[:_KEPT]))


def matched_by_meaning(alignment: Alignment) -> tuple[MatchedTexts, ...]:
    """What was matched by meaning, the nearest first."""
    texts = [texts for match, texts in _matches(alignment) if match.by == "meaning"]
    return tuple(sorted(texts, key=lambda pair: (-(pair.cosine or 0), pair.first, pair.second)))


def _matches(alignment: Alignment) -> list[tuple[Match, MatchedTexts]]:
    first, second = alignment.first.said, alignment.second.said
    return [
        (match, MatchedTexts(first[match.first], second[match.second], match.similarity, match.cosine))
        for layer in (alignment.propositions, alignment.locutions)
        for node_class in layer.classes
        if (match := node_class.match)
    ]
