"""The sentence above the differences of a pair: what both find, and what they disagree about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.difference import GROUPS, Difference

#: So many letters of a text are quoted.
_QUOTED: Final = 60
#: So many kinds are told.
_TOLD: Final = 4


def lead(alignment: Alignment, rows: Sequence[Difference]) -> str:
    """What both find, and what they disagree about.

    >>> import aifgraph
    >>> graph = aifgraph.load("fixtures/debate/first.json")
    >>> aifgraph.compare(graph, graph).differences().lead
    'Both find the same 13 claims; they agree on everything.'
    """
    layer, noun = (
        (alignment.propositions, "claim") if alignment.propositions.classes else (alignment.locutions, "locution")
    )
    first = sum(not each.second for each in layer.classes)
    second = sum(not each.first for each in layer.classes)
    common = layer.matched
    if first or second:
        only = " and ".join(
            f"{number} only the {side} has" for number, side in ((first, "first"), (second, "second")) if number
        )
        found = f"Both find {_count(common, noun)}, {only}" if common else f"They find no {noun} in common: {only}"
    else:
        found = f"Both find the same {_count(common, noun)}"
    return f"{found}; {_disagreement(rows)}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _disagreement(rows: Sequence[Difference]) -> str:
    if not rows:
        return "they agree on everything"
    counted = [row for row in rows if row.costs]
    if not counted:
        return f"they differ in {_count(len(rows), 'detail')} that no score counts ({_kinds(rows)})"
    # Arguments are what a reader asks for first; among them what costs most.
    telling = max(counted, key=lambda row: (row.group == "relations", row.decisions, -GROUPS.index(row.group)))
    others = [row for row in rows if row is not telling]
    rest = f", and in {_count(len(others), 'other point')} ({_kinds(others)})" if others else ""
    return f"they disagree about {_about(telling)}{rest}"


def _kinds(rows: Sequence[Difference]) -> str:
    counts = Counter((row.group, row.kind) for row in rows).most_common()
    told = [
        f"{number} {group.removesuffix('s') if number == 1 else group} {kind}"
        for (group, kind), number in counts[:_TOLD]
    ]
    return ", ".join([*told, *(["…"] if len(counts) > _TOLD else [])])


def _about(row: Difference) -> str:
    wording = row.first_wording or row.second_wording
    quoted = wording.split("”")[0].lstrip("[").partition("“")[2]
    text = f"“{quoted if len(quoted) <= _QUOTED else quoted[: _QUOTED - 1].rstrip() + '…'}”"
    match row.group, row.kind:
        case "relations", "reversed":
            return f"which way the argument of {text} goes"
        case "relations", "relabelled":
            return f"how {text} bears on what it is joined to"
        case "relations", "scheme":
            return f"by what scheme {text} argues"
        case "relations", "missing":
            return f"whether {text} is part of an argument that only the {row.sides} has"
        case "relations", _:
            return f"what {text} bears on"
        case "propositions" | "locutions", "missing":
            return f"{text}, which only the {row.sides} has"
        case "propositions" | "locutions", "cut differently":
            return f"where {text} is cut"
        case "illocutions", _:
            return f"what is done by saying {text}"
        case "transitions", _:
            return f"what answers {text}"
        case _:
            return text
