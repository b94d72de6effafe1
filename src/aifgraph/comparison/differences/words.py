"""Differences in words: the kind of a row, what it is about, what it costs, and a whole list in a sentence.

Lists, panels, maps, the text, the terminal and errors take their words from here, so that they say the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.differences.rows import GROUPS, Difference, DifferenceGroup
from aifgraph.graph.nodes import shortened

#: So many letters of a text are quoted.
_MAX_QUOTED: Final = 60
#: So many kinds are named.
_MAX_KINDS: Final = 4
_QUOTED: Final = re.compile("“([^”]*)”")
#: The sides where they have no names of their own.
SIDES: Final = ("first", "second")
_NOUNS: Final[Mapping[DifferenceGroup, str]] = {group: group.removesuffix("s") for group in GROUPS}


def title(row: Difference, sides: tuple[str, str] = SIDES) -> str:
    """What kind of difference a row is, in a few words: "re-attached", "only the first has it"."""
    if row.sides == "both":
        return row.kind
    name = sides[row.sides == "second"]
    return f"only {'the ' if sides == SIDES else ''}{name} has it"


def heading(row: Difference, sides: tuple[str, str] = SIDES) -> str:
    """The same with what differs: "relation: re-attached".

    >>> import aifgraph
    >>> first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    >>> heading(aifgraph.compare(first, second).differences().rows[0])
    'proposition: reworded'
    """
    return f"{_NOUNS[row.group]}: {title(row, sides)}"


def named(row: Difference) -> str:
    """What a row is about, short enough for a sentence."""
    return cut(row.first_wording or row.second_wording)


def cost(row: Difference, rows: Mapping[str, Difference]) -> str:
    """What a row costs, and in which others of these ``rows`` decisions are counted that hang on it."""
    counted = Counter(row.counted_with)
    others = " and ".join([named(rows[id_]) for id_, _ in counted.most_common(_MAX_OTHERS)])
    if len(counted) > _MAX_OTHERS:
        others += f" and {len(counted) - _MAX_OTHERS} more"
    there = sum(counted.values())
    if not row.decisions:
        return f"{count(there, 'decision')}, counted with {others}" if there else "no score counts it"
    return count(row.decisions, "decision") + (f", and {there} counted with {others}" if there else "")


#: So many other rows are named where decisions are counted.
_MAX_OTHERS: Final = 2


def count(number: int, noun: str) -> str:
    """A number of something: "1 claim", "2 claims"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def summary(alignment: Alignment, rows: Sequence[Difference]) -> str:
    """What both find, and what they disagree about, in a sentence."""
    layer, noun = (
        (alignment.propositions, "claim") if alignment.propositions.classes else (alignment.locutions, "locution")
    )
    first = sum(not node_class.second for node_class in layer.classes)
    second = sum(not node_class.first for node_class in layer.classes)
    common = layer.matched
    if first or second:
        only = " and ".join(
            f"{number} only the {side} has" for number, side in ((first, "first"), (second, "second")) if number
        )
        both = f"Both find {count(common, noun)}, {only}" if common else f"They find no {noun} in common: {only}"
    else:
        both = f"Both find the same {count(common, noun)}" if common else "Neither finds anything"
    return f"{both}; {_disagreement(rows)}."


def costliest(rows: Sequence[Difference]) -> list[Difference]:
    """The rows on which most hangs first; relations before the rest where that is equal."""
    return sorted(rows, key=lambda row: (-row.at_stake, -row.decisions, GROUPS.index(row.group)))


def _disagreement(rows: Sequence[Difference]) -> str:
    if not rows:
        return "they agree on everything"
    main = costliest(rows)[0]
    if not main.at_stake:
        return f"they differ in {count(len(rows), 'detail')} that no score counts ({_kinds(rows)})"
    others = [row for row in rows if row is not main]
    rest = f", and in {count(len(others), 'other point')} ({_kinds(others)})" if others else ""
    return f"they disagree about {_about(main)}{rest}"


def _kinds(rows: Sequence[Difference]) -> str:
    counts = Counter((row.group, row.kind if row.sides == "both" else "that one of them lacks") for row in rows)
    listed = [
        f"{number} {group if number > 1 else _NOUNS[group]} {kind}"
        for (group, kind), number in counts.most_common(_MAX_KINDS)
    ]
    return ", ".join([*listed, *(["…"] if len(counts) > _MAX_KINDS else [])])


def cut(wording: str) -> str:
    """A wording, with its quotations cut off where they are long."""
    return shortened(_QUOTED.sub(lambda quoted: f"“{shortened(quoted[1], _MAX_QUOTED)}”", wording), 4 * _MAX_QUOTED)


def _about(row: Difference) -> str:
    wording = row.first_wording or row.second_wording
    quoted = _QUOTED.search(wording)
    text = f"“{shortened(quoted[1], _MAX_QUOTED)}”" if quoted else cut(wording)
    match row.group, row.kind:
        case "relations", "reversed":
            return f"which way the argument of {text} goes"
        case "relations", "relabelled":
            return f"how {text} bears on what it is joined to"
        case "relations", "scheme":
            return f"by what scheme {text} argues"
        case "relations", "missing":
            return f"whether {cut(wording)}, as only the {row.sides} has it"
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
