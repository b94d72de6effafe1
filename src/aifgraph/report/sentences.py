"""Sentences for the page: speakers and their claims, what two analyses share and in how much they differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from aifgraph.comparison.breakdown import speaker_names
from aifgraph.comparison.differences import Difference
from aifgraph.comparison.differences.words import Verbalizer
from aifgraph.comparison.result import Comparison
from aifgraph.printable import pluralize, printable, unhashed
from aifgraph.text.words import words_of

#: What differences are counted as, in this order.
SHOWN: Final = ("relations", "propositions", "illocutions", "locutions", "transitions", "wordings")
#: Whose cards are hidden at first.
HIDDEN: Final = ("transitions", "wordings")


def group_of(row: Difference) -> str:
    """Return what a difference is counted as."""
    return "wordings" if row.kind == "reworded" else row.group


def shorten(text: str, letters: int) -> str:
    """Cut a text off at a word after so many letters."""
    return text if len(text) <= letters else text[:letters].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


def clean_text(text: str) -> str:
    """Return a text as people see it: one line, control characters as escapes."""
    return unhashed(printable(" ".join(text.split())))


def plain(text: str) -> str:
    return " ".join(words_of(text))


def short_names(names: Sequence[str]) -> list[str]:
    """Return the parts of two names that differ, of at most 14 letters: labels and buttons have no room for more.

    >>> short_names(["gold/map_5", "system/map_5"]), short_names(["map_5", "map_6"])
    (['gold', 'system'], ['map_5', 'map_6'])
    """
    words = [re.findall(r"[^\W_]+", name) for name in names]
    shared = set.intersection(*map(set, words))
    parts = [" ".join(word for word in of_name if word not in shared) for of_name in words]
    long = parts if all(re.search(r"[^\W\d]", part) for part in parts) else names
    short = [name if len(name) <= 14 else f"{name[:6]}…{name[-6:]}" for name in long]
    return short if short[0] != short[1] else ["first", "second"]


class Pair(Verbalizer):
    """The two analyses with their differences: who says what, in words."""

    def __init__(self, result: Comparison) -> None:
        self.full_names = [printable(name.removesuffix(".json")) for name in result.names]
        super().__init__(result.alignment, short_names(self.full_names))
        self.result, self.differences = result, result.differences()
        self.row_of = {node: row for row in self.differences for node in (*row.nodes, *row.follows)}

    def text(self, side: int, node: int) -> str:
        """Return what a claim or locution says, as people see it."""
        return clean_text(self.analyses[side].said[node])

    def speakers(self, side: int, node: int) -> set[str]:
        """Return who says a claim or makes a locution."""
        analysis = self.analyses[side]
        locutions = [node] if analysis.kinds[node] == "L" else analysis.locutions_of.get(node, ())
        return {unhashed(printable(name)) for name in speaker_names(analysis, locutions)}

    @cached_property
    def several_speakers(self) -> bool:
        names = {name for side in (0, 1) for node in self.claims[side] for name in self.speakers(side, node)}
        return len(names) > 1

    # -- the sentence on top -------------------------------------------------------------------------------------------

    @cached_property
    def counts(self) -> Counter[str]:
        """How many differences there are of each group; another wording only is a group of its own."""
        return Counter(group_of(row) for row in self.differences)

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
        return self.result.different_documents

    @property
    def shared(self) -> str:
        """How many propositions both have."""
        matched, (one, other) = self.alignment.propositions.matched, map(len, self.claims)
        both = f"{matched} of {one} propositions" if one == other else f"{matched} propositions (of {one} and {other})"
        return f"all {one} propositions" if matched == one == other else both

    @property
    def ways(self) -> str:
        """How many relations differ in each way."""
        ways = Counter(self.what(row) for row in self.differences if row.group == "relations")
        return ", ".join(f"{count} {way}" for way, count in ways.most_common())

    def summary(self) -> str:
        """Return what both share and how many differences there are, by group."""
        if self.unlike:
            return self.result.summary
        kinds = ", ".join(pluralize(self.counts[group], group) for group in SHOWN if self.counts[group])
        found = (
            f"differ in {pluralize(self.counts.total(), 'places')}: {kinds}" if kinds else "agree in everything else"
        )
        return f"{self.full_names[0]} and {self.full_names[1]} share {self.shared} and {found}."
