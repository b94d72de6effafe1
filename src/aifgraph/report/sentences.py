"""Sentences for the page: speakers and their claims, the agreement of two analyses, and the largest difference."""

from __future__ import annotations

import re
from functools import cached_property

from aifgraph.comparison.breakdown import speaker_names
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import Difference
from aifgraph.comparison.differences.words import Wording
from aifgraph.printable import printable, unhashed
from aifgraph.text.words import words_with_places


def shorten(text: str, letters: int) -> str:
    """Cut a text off at a word after so many letters."""
    return text if len(text) <= letters else text[:letters].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


def clean_text(text: str) -> str:
    """Return a text as people see it: one line, control characters as escapes."""
    return unhashed(printable(" ".join(text.split())))


def plain(text: str) -> str:
    return " ".join(words_with_places(text).words)


class Pair(Wording):
    """The two analyses with their differences: who says what, in words."""

    def __init__(self, result: Comparison) -> None:
        super().__init__(result.alignment, [printable(name.removesuffix(".json")) for name in result.result.names])
        self.result, self.differences = result, result.differences()
        # Labels of the map have room for names of people, not of files.
        short = all(len(name) <= 10 and name.isalpha() for name in self.names)
        self.short_names = self.names if short else ["first", "second"]
        self.row_of = {node: row for row in self.differences for node in (*row.nodes, *row.follows)}

    def text(self, side: int, node: int) -> str:
        """Return what a claim or locution says, as people see it."""
        return clean_text(self.sides[side].said[node])

    def speakers(self, side: int, node: int) -> set[str]:
        """Return who says a claim or makes a locution."""
        analysis = self.sides[side]
        locutions = [node] if analysis.kinds[node] == "L" else analysis.locutions_of.get(node, ())
        return {unhashed(printable(name)) for name in speaker_names(analysis, locutions)}

    @cached_property
    def several_speakers(self) -> bool:
        names = {name for side in (0, 1) for node in self.claims[side] for name in self.speakers(side, node)}
        return len(names) > 1

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
        """Whether the two look like analyses of different texts."""
        return self.result.result.different_documents

    def summary(self) -> str:
        first, second = self.names
        matched, (one, other) = self.alignment.propositions.matched, map(len, self.claims)
        both = f"{matched} of {one}" if one == other else f"{matched} of {one} and {other}"
        both = f"all {one}" if matched == one == other else both
        if self.unlike:
            return self.result.result.summary
        if not self.largest:
            return f"{first} and {second} share {both} propositions and agree on the argument."
        return f"{first} and {second} share {both} propositions and disagree most about {self.about(self.largest)}."

    def about(self, row: Difference) -> str:
        """Return what a row about the argument leaves open, in a clause."""
        side, node = row.nodes[0]
        if row.group == "propositions":
            text = f"“{shorten(self.text(side, node), 90)}”"
            return f"where {text} ends" if row.sides == "both" else f"{text}, which only {self.names[side]} has"
        words = "".join(
            one if one == other else f"{one or 'nothing'} or {other or 'nothing'}" for one, other in self.runs(row)
        )
        words = re.sub("“([^“]*?)”", lambda found: f"“{shorten(found[1], 60)}”", words)
        return f"whether {words}{'' if row.sides == 'both' else f', as only {self.names[side]} says'}"
