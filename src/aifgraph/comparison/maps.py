"""What a comparison counts, from two aligned maps: how much of each takes part, what matches, and what has to be said.

All of it is stored with the scores, and is made when somebody asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Literal, NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Pair, contexts_of
from aifgraph.align.matching import Match
from aifgraph.comparison.breakdown import NameCounts, count_names
from aifgraph.comparison.calculations import ER, LabelledItems, label_items_of_pair
from aifgraph.comparison.cass import (
    CalculationResult,
    Coverage,
    ExpectedMeans,
    Natural,
    Real,
    SegmentationScore,
    segmentation_of,
)
from aifgraph.comparison.links import ClassLinks, node_links
from aifgraph.graph import Notice
from aifgraph.text.words import words_of


class PairNames(NamedTuple):
    """The names of the two maps of a pair; in corpora those that the corpora give them."""

    first: str
    second: str

    @property
    def display_name(self) -> str:
        """The name that both have, or both names; for people, not a key: ``a ~ b`` may be the name of a map."""
        return self.first if self.first == self.second else f"{self.first} ~ {self.second}"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two analyses: where it is from, whose text it has, and how much of it takes part.

    ``placed`` is how many of its units have a place in the text, ``reconstructed`` how many propositions nobody said,
    ``unlinked`` how many only this side has and nobody links, ``duplicates`` how many have the text of an earlier one.
    """

    source: str
    name: str
    text: Literal["given", "embedded", "shared", "none"]
    propositions: Natural
    locutions: Natural
    units: Natural
    placed: Natural
    reconstructed: Natural = 0
    unlinked: Natural = 0
    duplicates: Natural = 0


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many classes of propositions or locutions there are, how many have nodes of both sides, and by meaning."""

    classes: Natural
    matched: Natural
    by_meaning: Natural


@dataclass(frozen=True, slots=True)
class Matches:
    """How the nodes of both sides were matched."""

    propositions: MatchCounts
    locutions: MatchCounts


@dataclass(frozen=True, slots=True)
class MatchedTexts:
    """The texts of two matched nodes, their similarity, and the cosine of a match by meaning."""

    first: str
    second: str
    similarity: Real
    cosine: Real | None = None


@dataclass(frozen=True, slots=True)
class WordingAgreement:
    """How many matches by place have a similarity below one half, of how many; and the least similar ones of these."""

    count: Natural = 0
    of: Natural = 0
    pairs: tuple[MatchedTexts, ...] = ()


@dataclass(frozen=True)
class Maps:
    """Two maps, aligned, with the links and the labels of their sides; and, by the names of the fields of a comparison
    that is made of them, what that stores."""

    alignment: Alignment
    links: Pair[ClassLinks]
    items: Mapping[str, LabelledItems]
    names: PairNames

    @property
    def first(self) -> Side:
        """How much of the first map takes part."""
        first, _ = self._sides
        return first

    @property
    def second(self) -> Side:
        """How much of the second map takes part."""
        _, second = self._sides
        return second

    @cached_property
    def _sides(self) -> Pair[Side]:
        classes, linked = self.alignment.propositions.classes, set[object]()
        for links in self.links:
            linked.update(end for _, link, _ in links.relations if len(link) == 2 for end in link)
            linked.update(premise for _, (premise, _), _ in links.undercuts)
            linked.update(content for _, (content, _), _ in links.acts)
        alone = {number for number, nodes in enumerate(classes) if nodes.match is None} - linked
        made: list[Side] = []
        for side, links, name in zip(self.alignment.sides, self.links, self.names, strict=True):
            analysis = side.analysis
            propositions = analysis.propositions
            made.append(
                Side(
                    analysis.graph.name,
                    name,
                    side.origin,
                    len(propositions),
                    len(analysis.locutions),
                    len(analysis.units),
                    side.placed,
                    len(links.reconstructed or ()),
                    sum(number in alone for number in links.proposition_class.values()),
                    len(propositions) - len({analysis.texts[node].strip() or node for node in propositions}),
                )
            )
        first, second = made
        return first, second

    @property
    def text_overlap(self) -> float | None:
        """How far the two texts are one."""
        axis = self.alignment.placement.axis
        return axis.overlap if axis else None

    @cached_property
    def matches(self) -> Matches:
        """How many nodes match."""
        return Matches(
            *(
                MatchCounts(len(nodes.classes), nodes.matched, nodes.matched_by_meaning)
                for nodes in self.alignment.kinds
            )
        )

    @cached_property
    def calculations(self) -> dict[str, CalculationResult]:
        """The matrices of the calculations."""
        return {name: self._calculation(items) for name, items in self.items.items()}

    @cached_property
    def _explicit(self) -> LabelledItems:
        options = self.alignment.options
        name = ER.name
        return self.items.get(name) or label_items_of_pair(self.alignment, self.links, options, [name])[name]

    @cached_property
    def explicit(self) -> CalculationResult | None:
        """Explicit relations, in M or not."""
        return None if self._explicit.reason else self._calculation(self._explicit)

    @property
    def explicit_beyond(self) -> CalculationResult | None:
        """Explicit relations that only the second map has, where the first is a reference without any."""
        only_second = (
            self.alignment.options.reference == "first" and self._explicit.reason and any(self._explicit.labels)
        )
        return self._calculation(self._explicit) if only_second else None

    def _calculation(self, items: LabelledItems) -> CalculationResult:
        coverage = None
        first, second = (side.paths for side in self.links) if items.calculation is ER else (None, None)
        if first and second and not items.reason:
            coverage = Coverage(first.coverage, second.coverage)
        return CalculationResult.from_items(items, coverage)

    @cached_property
    def segmentation(self) -> SegmentationScore:
        """S."""
        return segmentation_of(self.alignment, self.alignment.options)

    @cached_property
    def expected(self) -> ExpectedMeans | None:
        """M by chance."""
        options = self.alignment.options
        if not options.chance:
            return None
        from aifgraph.comparison.chance import expected_means

        return expected_means(self.alignment, self.links, options, explicit=self.explicit is not None)

    @cached_property
    def name_counts(self) -> NameCounts:
        """The names of schemes and speakers."""
        return count_names(self.alignment, self.links)

    @property
    def notices(self) -> tuple[str, ...]:
        """What was repaired, skipped or not used."""
        return tuple(notice.message for notice in self.all_notices)

    @cached_property
    def all_notices(self) -> tuple[Notice, ...]:
        """The same with codes and ids."""
        return tuple(self._notices())

    def _notices(self) -> Iterator[Notice]:
        analyses, options = self.alignment.analyses, self.alignment.options
        for name, analysis in zip(("first", "second"), analyses, strict=True):
            for notice in analysis.graph.notices:
                yield replace(notice, message=f"{name}: {notice.message}")
        placed = self.alignment.placement.notices
        if placed and different_documents(self.shared_words):  # which a caveat says
            placed = tuple(notice for notice in placed if notice.code != "text-overlap")
        yield from placed
        for analysis in analyses:
            for id_ in map(analysis.ids.__getitem__, node_links(analysis.graph).unattached):
                message = f"the illocution {id_} is anchored in a transition without locutions and is not counted"
                yield Notice("act-unattached", message, (id_,))
        for nodes in ("locutions", "propositions") if options.layers == "common" and not self.one_sided else ():
            having = [bool(getattr(analysis, nodes)) for analysis in analyses]
            if any(having) and not all(having):
                which = ("first", "second")[having.index(False)]
                if which == "second" and options.reference == "first":
                    continue  # it is wrong, and not left out
                message = f"the {which} analysis has no {nodes}; calculations that need them are left out"
                yield Notice("layer-missing", message)

    @property
    def one_sided(self) -> bool:
        """Whether only one side has units."""
        return self.alignment.one_sided

    @cached_property
    def shared_words(self) -> float | None:
        """The share of different words that both maps have, their texts included.

        None if a map has no word, or if at least half of the nodes match that can: of each kind as many as the side
        with fewer has.
        """
        kinds, placement = self.alignment.kinds, self.alignment.placement
        matched = sum(nodes.matched for nodes in kinds)
        if matched and 2 * matched >= sum(min(map(len, nodes.class_of)) for nodes in kinds):
            return None
        words: list[set[str]] = []
        common = next((side.text for side in placement.sides if side.text), None) if placement.fits else None
        for side in placement.sides:
            source = side.text or common
            words.append(set(words_of("\n".join([*side.analysis.said.values(), source.text if source else ""]))))
        first, second = words
        return len(first & second) / len(first | second) if first and second else None

    @cached_property
    def same_map(self) -> bool:
        """Whether both sides are the same map of the same words: ids, times and the order of nodes do not count."""
        (first, second), analyses = self.alignment.sides, self.alignment.analyses
        differ = any(sum(items.matrix.diagonal) < items.matrix.total for items in self.items.values())
        if differ or any(len(nodes.classes) > nodes.matched for nodes in self.alignment.kinds):
            return False
        if not first.analysis.units or first.boundaries != second.boundaries:
            return False
        surrounded, other_surrounded = (
            Counter(context.context(node) for node, kind in enumerate(analysis.kinds) if kind)
            for analysis, context in zip(analyses, contexts_of(analyses), strict=True)
        )
        words, other_words = (words_of(side.text.text) if side.text else None for side in self.alignment.sides)
        if surrounded != other_surrounded or words != other_words:
            return False
        counts = self.name_counts
        return all(cell[0] == cell[1] for names in (counts.speakers, *counts.schemes.values()) for cell in names.cells)

    @cached_property
    def same_ids(self) -> Literal["", "units", "all"]:
        """Which nodes have the same ids on both sides."""
        first, second = self.alignment.analyses
        if not first.units or not second.units:
            return ""
        if {*compress(first.ids, first.kinds)} == {*compress(second.ids, second.kinds)}:
            return "all"
        units, other_units = ({side.ids[node] for node in side.units} for side in (first, second))
        return "units" if units == other_units else ""

    @cached_property
    def wording(self) -> WordingAgreement:
        """The wording of what was matched one to one, both places being known."""
        first, second = (side.positions for side in self.alignment.sides)
        placed = [match for match in self._matches("text") if match.first in first and match.second in second]
        low = [self._texts(match) for match in placed if match.similarity < 0.5]
        least = sorted(set(low), key=lambda texts: (texts.similarity, texts.first, texts.second))
        return WordingAgreement(len(low), len(placed), tuple(least[:3]))

    @cached_property
    def matched_by_meaning(self) -> tuple[MatchedTexts, ...]:
        """What was matched by meaning, the nearest first."""
        found = map(self._texts, self._matches("meaning"))
        return tuple(sorted(found, key=lambda texts: (-(texts.cosine or 0), texts.first, texts.second)))

    def _matches(self, by: str) -> Iterator[Match]:
        for node_class in (node_class for nodes in self.alignment.kinds for node_class in nodes.classes):
            if node_class.match and node_class.match.by == by:
                yield node_class.match

    def _texts(self, match: Match) -> MatchedTexts:
        first, second = (side.analysis.said for side in self.alignment.sides)
        return MatchedTexts(first[match.first], second[match.second], match.similarity, match.cosine)


def different_documents(share: float | None) -> bool:
    """Whether so few words are shared (None where many nodes match) that two maps are of different documents.

    Two analyses of one text had 52 % of their words in common or more (56 pairs of AraucariaDB), two of different
    texts 21 % at most (300 pairs of AraucariaDB, US2016 and QT30).
    """
    return share is not None and share < 0.25
