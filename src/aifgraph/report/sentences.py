"""Differences in sentences: what each side says, what of it differs, and the largest difference in a clause."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from aifgraph.align.analysis import Analysis
from aifgraph.comparison.breakdown import scheme_names, speaker_names
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import Difference
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.differences.words import PLURALS, VERBS
from aifgraph.printable import printable, unhashed
from aifgraph.text.words import words_with_places

NOUNS = {"relations": "relation", "propositions": "claim", "illocutions": "illocution",
         "transitions": "transition", "locutions": "locution"}  # fmt: skip


def shorten(text: str, letters: int) -> str:
    """Cut a text off at a word after so many letters."""
    return text if len(text) <= letters else text[:letters].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


def clean_text(text: str) -> str:
    """Return a text as people see it: one line, control characters as escapes."""
    return unhashed(printable(" ".join(text.split())))


def plain(text: str) -> str:
    return " ".join(words_with_places(text).words)


def ends_of(analysis: Analysis, node: int) -> tuple[list[int], list[int]]:
    """Return what a relation, transition or illocution starts from, and what it leads to."""
    kinds, before, after = analysis.kinds, analysis.predecessors[node], analysis.successors[node]
    if kinds[node] == "YA":
        return [*before], [*after]
    source = "L" if kinds[node] == "TA" else "I"
    return [n for n in before if kinds[n] == source], [n for n in after if kinds[n] != "YA"]


class Piece(NamedTuple):
    """Words of a sentence; those with a ``key`` stand for something that the other side may have, too."""

    text: str
    quoted: bool = False
    key: Hashable = None
    changed: bool = False


class Pair:
    """The two analyses with their differences: who says what, in words."""

    def __init__(self, result: Comparison) -> None:
        self.result, self.differences = result, result.differences()
        self.names = [printable(name.removesuffix(".json")) for name in result.result.names]
        # Labels of the map have room for names of people, not of files.
        short = all(len(name) <= 10 and name.isalpha() for name in self.names)
        self.short_names = self.names if short else ["first", "second"]
        self.alignment = alignment = result.alignment
        self.sides = alignment.first, alignment.second
        self.claims = alignment.propositions.first_class, alignment.propositions.second_class
        self.locutions = alignment.locutions.first_class, alignment.locutions.second_class
        self.row_of = {node: row for row in self.differences for node in (*row.nodes, *row.follows)}

    # -- words ---------------------------------------------------------------------------------------------------------

    def text(self, side: int, node: int) -> str:
        return clean_text(self.sides[side].said[node])

    def speakers(self, side: int, node: int) -> set[str]:
        """Return who says a claim or makes a locution."""
        analysis = self.sides[side]
        locutions = [node] if analysis.kinds[node] == "L" else analysis.sayings.get(node, ())
        return {unhashed(printable(name)) for name in speaker_names(analysis, locutions)}

    @cached_property
    def several_speakers(self) -> bool:
        names = {name for side in (0, 1) for node in self.claims[side] for name in self.speakers(side, node)}
        return len(names) > 1

    def kind(self, node: NodeNumber) -> str:
        return self.sides[node[0]].kinds[node[1]]

    def ends(self, side: int, node: int) -> tuple[list[int], list[int]]:
        """Return what a relation, transition or illocution starts from, and what it leads to."""
        return ends_of(self.sides[side], node)

    def sentence(self, side: int, node: int, role: str = "", depth: int = 0) -> list[Piece]:
        """Return a node in words. Pieces have keys that are equal on both sides where they stand for the same."""
        analysis, kind = self.sides[side], self.sides[side].kinds[node]
        if kind in ("I", "L"):
            number = (self.claims if kind == "I" else self.locutions)[side].get(node)
            return [Piece(self.text(side, node), True, (role, kind, number))]
        starts, ends = self.ends(side, node)
        if kind == "YA":
            label = Piece(analysis.label_names[node], key=analysis.label_keys[node])
            return [label, Piece(": "), *self.several(side, ends)]
        if depth and role == "end":
            step = [Piece("the step from", key="step"), Piece(" "), *self.several(side, starts, "end", 1)]
            return [*step, Piece(" to "), *self.several(side, ends, "to", 2)]
        verb = VERBS.get(kind, kind)
        schemes = "" if depth or kind == "TA" else ", ".join(scheme_names(analysis.nodes[node], kind))
        return [
            *self.several(side, starts, "start", depth + 1),
            Piece(" "),
            Piece(verb if len(starts) < 2 else PLURALS.get(verb, verb), key=kind),
            Piece(" "),
            *self.several(side, ends, "end", depth + 1),
            *([Piece(f" ({schemes})", key=schemes)] if schemes else []),
        ]

    def several(self, side: int, nodes: Sequence[int], role: str = "", depth: int = 1) -> list[Piece]:
        if not nodes or depth > 3:
            return [Piece("nothing" if not nodes else "…")]
        pieces: list[Piece] = []
        for node in nodes:
            pieces += [Piece(" and ")] if pieces else []
            pieces += self.sentence(side, node, role, depth)
        return pieces

    def said(self, row: Difference) -> tuple[list[Piece], list[Piece]]:
        """Return a sentence for each side, with what differs marked."""
        sides: tuple[list[Piece], list[Piece]] = ([], [])
        for side, node in row.nodes:
            sides[side].extend([Piece(" "), Piece("¦", changed=True), Piece(" ")] if sides[side] else [])
            sides[side].extend(self.sentence(side, node))
        if row.sides != "both":
            own = int(row.sides == "second")
            sides[1 - own].append(Piece(self.absence(row, own)))
            return sides
        if row.kind in ("reworded", "cut differently") and len(sides[0]) == len(sides[1]) == 1:
            return changed_words(sides[0][0].text, sides[1][0].text)
        if row.kind == "spoken by another":
            for side, node in row.nodes:
                who = ", ".join(speaker_names(self.sides[side], [node]))
                sides[side].insert(0, Piece(f"{unhashed(who)}: ", key=who))
        if row.group == "illocutions" and row.kind == "re-attached":
            for side, node in row.nodes:
                sides[side].extend([Piece(", at "), *self.several(side, self.ends(side, node)[0], "end")])
        turned = row.kind == "reversed"
        keys = [{p.key for p in pieces} for pieces in sides]
        for side, pieces in enumerate(sides):
            for n, piece in enumerate(pieces):
                marked = piece.key in VERBS if turned else piece.key is not None and piece.key not in keys[1 - side]
                pieces[n] = piece._replace(changed=piece.changed or marked)
        return sides

    def absence(self, row: Difference, own: int) -> str:
        """Return what the side says that has nothing of a row."""
        if row.group != "relations":
            return f"no such {NOUNS[row.group]}"
        around = [end for node in row.nodes for ends in self.ends(*node) for end in ends]
        lacking = [n for n in around if self.kind((own, n)) == "I" and not self.members(self.claims[own][n], 1 - own)]
        if lacking:
            return f"does not have “{shorten(self.text(own, lacking[0]), 80)}”"
        return "has these claims, but no such relation between them"

    def members(self, number: int, side: int) -> tuple[int, ...]:
        """Return the propositions of one side in a class."""
        node_class = self.alignment.propositions.classes[number]
        return node_class.second if side else node_class.first

    def title(self, row: Difference) -> str:
        if row.sides != "both":
            return f"{NOUNS[row.group]} only in {self.names[row.sides == 'second']}"
        return f"{NOUNS[row.group]} {'of another scheme' if row.kind == 'scheme' else row.kind}"

    # -- the sentence on top -------------------------------------------------------------------------------------------

    @cached_property
    def largest(self) -> Difference | None:
        """The disagreement about the argument on which most hangs; never a transition or an illocution."""

        def stake(row: Difference) -> tuple[int, int]:
            return row.costs.get("propositional_relations", 0), row.at_stake

        argument = ("relations", "propositions")
        rows = [row for row in self.differences if row.group in argument and row.kind != "reworded"]
        return max(rows, key=stake, default=None)

    @cached_property
    def unlike(self) -> bool:
        """Whether the two hardly look like analyses of one text."""
        layer = self.alignment.propositions
        fewest = min(len(self.claims[0]), len(self.claims[1]))
        apart = any(notice.code == "text-overlap" for notice in self.result.notices)
        return apart or (fewest > 0 and layer.matched < 0.2 * max(len(self.claims[0]), len(self.claims[1])))

    def summary(self) -> str:
        first, second = self.names
        matched, (one, other) = self.alignment.propositions.matched, map(len, self.claims)
        both = f"{matched} of {one}" if one == other else f"{matched} of {one} and {other}"
        both = f"all {one}" if matched == one == other else both
        if self.unlike:
            return f"{first} and {second} look like different texts: {both} claims match."
        if not self.largest:
            return f"{first} and {second} share {both} claims and agree on the argument."
        return f"{first} and {second} share {both} claims and disagree most about {self.about(self.largest)}."

    def about(self, row: Difference) -> str:
        """Return what a row about the argument leaves open, in a clause."""
        side, node = row.nodes[0]

        def words(pieces: Iterable[Piece]) -> str:
            return "".join(f"“{shorten(p.text, 60)}”" if p.quoted else p.text for p in pieces)

        if row.group == "propositions":
            text = f"“{shorten(self.text(side, node), 90)}”"
            return f"where {text} ends" if row.sides == "both" else f"{text}, which only {self.names[side]} has"
        whole = self.sentence(side, node)
        if row.sides != "both":
            return f"whether {words(whole)}, as only {self.names[side]} says"
        if row.kind == "reversed":
            return f"whether {words(whole)} or the other way round"
        other = self.sentence(*next(n for n in row.nodes if n[0] == 1))
        theirs = {piece.key for piece in other}
        verb = next(n for n, piece in enumerate(whole) if piece.key in VERBS)
        if row.kind == "relabelled":
            more = next(p.text.strip() for p in other if p.key in VERBS)
            return f"whether {words(whole[:verb])}{whole[verb].text.strip()} or {more}{words(whole[verb + 1 :])}"
        if row.kind == "re-attached" and all(p.key in theirs for p in whole[:verb] if p.quoted):
            return f"what {words(whole[:verb])}{whole[verb].text.rstrip()}"
        if row.kind == "re-attached":
            return f"what {whole[verb].text.strip()}{words(whole[verb + 1 :])}"
        return f"the scheme by which {words(whole)}"


def changed_words(first: str, second: str) -> tuple[list[Piece], list[Piece]]:
    one, other = first.split(), second.split()
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for side, words in enumerate((one[a:b], other[c:d])):
            sides[side].extend([Piece(" ".join(words), True, None, tag != "equal")] if words else [])
    return sides
