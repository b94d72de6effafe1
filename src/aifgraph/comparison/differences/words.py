"""Differences in words: the kind of a row, what it is about, what it costs, and a whole list in a sentence.

Lists, panels, maps, the text, the terminal and errors take their words from here, so that they say the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.differences.rows import GROUPS, VERBS, Difference, DifferenceGroup
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
        return "another scheme" if row.kind == "scheme" else row.kind
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
    """What a row costs, and in which others of these ``rows`` decisions are counted that depend on it, too."""
    counted = Counter(row.counted_with)
    others = " and ".join([named(rows[id_]) for id_, _ in counted.most_common(_MAX_OTHERS)])
    if len(counted) > _MAX_OTHERS:
        others += f" and {len(counted) - _MAX_OTHERS} more"
    there = sum(counted.values())
    are = "is" if there == 1 else "are"
    if not row.decisions:
        return f"{count(there, 'decision')}, which {are} counted under {others}" if there else "no score counts it"
    return count(row.decisions, "decision") + (f"; {there} more {are} counted under {others}" if there else "")


#: So many other rows are named where decisions are counted.
_MAX_OTHERS: Final = 2


def listed(
    rows: Sequence[Difference],
    all_rows: Mapping[str, Difference],
    sides: tuple[str, str] = SIDES,
    context: bool = False,
) -> str:
    """A paragraph for each of the ``rows``; with ``context`` also nodes, what follows, places and costs."""
    lines: list[str] = []
    for row in rows:
        lines += ["", f"{row.id}  {heading(row, sides)} ({cost(row, all_rows)})"]
        if row.sides == "both":
            room = max(map(len, sides)) + 1
            wordings = (row.first_wording, row.second_wording)
            lines += [f"  {f'{side}:':{room}} {words}" for side, words in zip(sides, wordings, strict=True)]
        else:
            lines += [f"  {row.first_wording or row.second_wording}"]
        lines += [f"  used in:  {relation}" for relation in row.relations]
        if context:
            lines += _context(row.first, row.second, "nodes")
            lines += _context(row.first_follows, row.second_follows, "decided with it")
            lines += [f"  words:  {row.place[0] + 1} to {row.place[1]} of the text"] if row.place else []
            lines += [f"  costs:  {row.calculation}"] if row.costs else []
    return "".join(f"{line}\n" for line in lines)


def _context(first: Sequence[str], second: Sequence[str], title: str) -> list[str]:
    sides = [f"{', '.join(ids)} ({side})" for ids, side in ((first, "first"), (second, "second")) if ids]
    return [f"  {title}: {'; '.join(sides)}"] if sides else []


def count(number: int, noun: str) -> str:
    """A number of something: "1 claim", "2 claims"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Sentences(NamedTuple):
    """What both find, what they disagree about most, and the rest of what they differ in."""

    common: str
    main: str
    rest: str


def summary(alignment: Alignment, rows: Sequence[Difference]) -> Sentences:
    """What both find, and what they disagree about."""
    layer, noun = (
        (alignment.propositions, "claim") if alignment.propositions.classes else (alignment.locutions, "locution")
    )
    first = sum(not node_class.second for node_class in layer.classes)
    second = sum(not node_class.first for node_class in layer.classes)
    common = layer.matched
    if first or second:
        (number, side), *other = [each for each in ((first, "first"), (second, "second")) if each[0]]
        only = f"{'is' if number == 1 else 'are'} only in the {side}"
        only += "".join(f" and {number} only in the {side}" for number, side in other)
        both = f"Both find {count(common, noun)}; {number} more" if common else f"No {noun} is in both: {number}"
        both = f"{both} {only}"
    else:
        if not (common or rows):
            return Sentences("Neither map has a claim. ", "There is nothing to compare", ".")
        both = f"Both find the same {count(common, noun)}" if common else "Neither map has a claim"
    return Sentences(f"{both}. ", *_disagreement(rows))


def costliest(rows: Sequence[Difference]) -> list[Difference]:
    """The rows on which most hangs first; relations before the rest where that is equal."""
    return sorted(rows, key=lambda row: (-row.at_stake, -row.decisions, GROUPS.index(row.group)))


def _disagreement(rows: Sequence[Difference]) -> tuple[str, str]:
    if not rows:
        return "They agree on everything", "."
    main = costliest(rows)[0]
    if not main.at_stake:
        return f"They differ in {count(len(rows), 'point')} that no score counts", f": {_kinds(rows)}."
    others = [row for row in rows if row is not main]
    rest = f"; {count(len(others), 'more difference')}: {_kinds(others)}" if others else ""
    return f"They disagree {'most ' if others else ''}about {_about(main)}", f"{rest}."


def _kinds(rows: Sequence[Difference]) -> str:
    counts = Counter((row.group, row.kind if row.sides == "both" else "missing") for row in rows)
    listed = []
    for (group, kind), number in counts.most_common(_MAX_KINDS):
        noun, phrase = group if number > 1 else _NOUNS[group], _PHRASES.get(kind, "")
        listed.append(f"{number} {noun} {phrase}" if phrase else f"{number} {kind} {noun}")
    left = sum(counts.values()) - sum(number for _, number in counts.most_common(_MAX_KINDS))
    return ", ".join([*listed, *([count(left, "other")] if left else [])])


#: Kinds that no adjective says.
_PHRASES: Final = {
    "missing": "that only one of them has",
    "cut differently": "cut differently",
    "spoken by another": "given to another speaker",
    "scheme": "of another scheme",
}


def cut(wording: str) -> str:
    """A wording, with its quotations cut off where they are long."""
    return shortened(_QUOTED.sub(lambda quoted: f"“{shortened(quoted[1], _MAX_QUOTED)}”", wording), 4 * _MAX_QUOTED)


def _about(row: Difference) -> str:
    wording = row.first_wording or row.second_wording
    quoted = _QUOTED.search(wording)
    text = f"“{shortened(quoted[1], _MAX_QUOTED)}”" if quoted else cut(wording)
    match row.group, row.kind:
        case "relations", "reversed":
            return f"whether {cut(wording)}, or the other way round"
        case "relations", "relabelled":
            verbs = _VERB.fullmatch(row.first_wording), _VERB.fullmatch(row.second_wording)
            if verbs[0] and verbs[1] and verbs[0]["verb"] != verbs[1]["verb"]:
                both = f"{verbs[0]['verb']} or {verbs[1]['verb']}"
                return f"whether {cut(verbs[0]['start'])} {both} {cut(verbs[0]['end'])}"
            return f"what the relation is in {cut(wording)}"
        case "relations", "scheme":
            return f"the scheme by which {cut(wording)}"
        case "relations", "missing":
            return f"whether {cut(wording)}: only the {row.sides} says so"
        case "relations", _:
            return f"what {text} is joined to"
        case "propositions" | "locutions", "missing":
            return f"{text}, which only the {row.sides} has"
        case "propositions" | "locutions", "cut differently":
            return f"where {text} begins and ends"
        case "propositions" | "locutions", "spoken by another":
            return f"who says {text}"
        case "illocutions", _:
            return f"what is done by saying {text}"
        case "transitions", _:
            return f"what {text} is followed by"
        case _:
            return text


#: A relation of one premise and one conclusion in words.
_VERB: Final = re.compile(f"(?P<start>“[^”]*”) (?P<verb>{'|'.join(VERBS.values())}) (?P<end>“[^”]*”)(?: \\(.*\\))?")
