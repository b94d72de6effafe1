"""Why two analyses disagree, in words: a reason for each difference, the one that costs most first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.difference import GROUPS, KINDS, Difference
from aifgraph.comparison.difference_row import RowWriter
from aifgraph.comparison.differences import Differences
from aifgraph.graph.nodes import RELATIONS, shortened

_NOUNS: Final = {"RA": "support", "CA": "attack", "MA": "rephrase", "PA": "preference", "TA": "transition"}
_SINGULAR: Final = {
    "relations": "relation",
    "propositions": "proposition",
    "illocutions": "illocution",
    "transitions": "transition",
    "locutions": "locution",
}
_QUOTED = re.compile("“([^”]*)”")


def gravest(differences: Differences) -> list[Difference]:
    """The differences that a score counts, those that cost most decisions first; then relations before the rest."""
    counted = [difference for difference in differences if difference.costs]
    return sorted(counted, key=lambda row: (-row.decisions, GROUPS.index(row.group), KINDS.index(row.kind)))


def reason(difference: Difference, alignment: Alignment, *, length: int | None = None) -> str:
    """A difference in words; texts in it are cut to ``length`` characters, if that is given.

    >>> import aifgraph
    >>> first = aifgraph.load("fixtures/debate/first.json")
    >>> differences = aifgraph.compare(first, aifgraph.load("fixtures/debate/second.json")).differences()
    >>> reason(gravest(differences)[0], differences.alignment, length=10)
    're-attached attack: “a bus is …” attacks “there sho…” (first), “a bus is …” attacks “the counc…” (second)'
    """
    words = _words(difference, alignment)
    if length is None:
        return words
    return _QUOTED.sub(lambda quoted: f"“{shortened(quoted[1], length)}”", words)


def _words(difference: Difference, alignment: Alignment) -> str:
    wordings = (difference.first_wording, difference.second_wording)
    noun = _noun(difference, alignment)
    if difference.kind == "missing" and difference.sides != "both":
        side = 0 if difference.sides == "first" else 1
        told = _relation_missed(difference, alignment, noun) or f"{noun} {wordings[side]}"
        return f"the {('second', 'first')[side]} missed the {told}"
    # What both sides have, and each in its own way.
    named = noun if difference.kind in ("reversed", "relabelled", "re-attached", "reworded") else ""
    head = " ".join(filter(None, (difference.kind, named)))
    told = ", ".join(f"{words} ({side})" for words, side in zip(wordings, ("first", "second"), strict=True) if words)
    return f"{head}: {told}"


def _noun(difference: Difference, alignment: Alignment) -> str:
    """What it is about: relations by their type, where all are of one."""
    sides = (alignment.first, alignment.second)
    nouns = {
        "undercut" if _undercuts(alignment, side, node) else _NOUNS.get(sides[side].kinds[node], "")
        for side, node in difference.nodes
    }
    noun = nouns.pop() if len(nouns) == 1 else ""
    return noun or _SINGULAR[difference.group]


def _undercuts(alignment: Alignment, side: int, node: int) -> bool:
    """Whether it is a conflict with a relation."""
    analysis = (alignment.first, alignment.second)[side]
    ends = (analysis.kinds[end] for end in analysis.successors[node])
    return analysis.kinds[node] == "CA" and any(kind in RELATIONS for kind in ends)


def _relation_missed(difference: Difference, alignment: Alignment, noun: str) -> str:
    """“the support of B by A”; empty where it is not one relation with both ends."""
    if difference.group != "relations" or len(difference.nodes) != 1:
        return ""
    [(side, node)] = difference.nodes
    analysis = (alignment.first, alignment.second)[side]
    writer = RowWriter(alignment)

    def told(nodes: Sequence[int], kinds: Sequence[str]) -> str:
        return " and ".join(writer.words(side, each, 1) for each in nodes if analysis.kinds[each] in kinds)

    before = told(analysis.predecessors[node], ("I", "L"))
    after = told(analysis.successors[node], ("I", "L", *RELATIONS))
    return f"{noun} of {after} by {before}" if before and after else ""
