"""What a comparison stores of two maps: counts of labels and of matches, how much of each map takes part, notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, compress
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from aifgraph.align.alignment import NODE_KINDS, Alignment
from aifgraph.align.analysis import Analysis, Pair, contexts_of
from aifgraph.comparison.breakdown import count_names
from aifgraph.comparison.calculations import ER, LabelledItems, label_items_of_pair
from aifgraph.comparison.cass import CalculationResult, Coverage, Natural, Real, segmentation_of
from aifgraph.comparison.links import ClassLinks, node_links
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
    ``unlinked`` how many only this side has and nobody links, ``duplicates`` how many have the text of an earlier one,
    ``merged`` how many share a class with another one of this side.
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
    merged: Natural = 0


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


class LabelledPair(NamedTuple):
    """Two maps, aligned, with the links and the labels of both sides."""

    alignment: Alignment
    links: Pair[ClassLinks]
    items: Mapping[str, LabelledItems]
    names: PairNames


def scored_fields(maps: LabelledPair) -> dict[str, Any]:
    """Return the fields of a comparison that hold its scores, by name."""
    expected = None
    if maps.alignment.options.chance:
        from aifgraph.comparison.chance import expected_means

        expected = expected_means(maps.alignment, maps.links)
    return {
        "names": maps.names,
        "calculations": {name: _result(items, maps.links) for name, items in maps.items.items()},
        "segmentation": segmentation_of(maps.alignment),
        "expected": expected,
    }


def further_fields(maps: LabelledPair) -> dict[str, Any]:
    """Return the fields that describe the maps and what matches, by name; no score depends on them."""
    alignment = maps.alignment
    first, second = _sides(maps)
    explicit, beyond = _explicit(maps)
    shared_words = _shared_words(alignment)
    propositions, locutions = (
        MatchCounts(len(nodes.classes), nodes.matched, nodes.matched_by_meaning) for nodes in alignment.kinds
    )
    by_text, by_meaning = _matched_texts(alignment)
    low = [texts for texts in by_text if texts.similarity < 0.5]
    least = sorted({*low}, key=attrgetter("similarity", "first", "second"))
    return {
        "first": first,
        "second": second,
        "text_overlap": alignment.placement.axis.overlap if alignment.placement.axis else None,
        "matches": Matches(propositions, locutions),
        "notices": tuple(_notices(alignment, unlike=different_documents(shared_words))),
        "wording": WordingAgreement(len(low), len(by_text), tuple(least[:3])),
        "matched_by_meaning": tuple(
            sorted(by_meaning, key=lambda texts: (-(texts.cosine or 0), texts.first, texts.second))
        ),
        "explicit": explicit,
        "explicit_beyond": beyond,
        "same_map": _same_map(maps),
        "same_ids": _same_ids(alignment.analyses),
        "shared_words": shared_words,
    }


def _sides(maps: LabelledPair) -> Iterator[Side]:
    linked = set[object]()
    for links in maps.links:
        linked.update(end for _, link, _ in links.relations if len(link) == 2 for end in link)
        linked.update(premise for _, (premise, _), _ in links.undercuts)
        linked.update(content for _, (content, _), _ in links.acts)
    classes = maps.alignment.propositions.classes
    unlinked = {number for number, nodes in enumerate(classes) if nodes.match is None} - linked
    for side, links, name in zip(maps.alignment.sides, maps.links, maps.names, strict=True):
        analysis, propositions = side.analysis, side.analysis.propositions
        yield Side(
            analysis.graph.name,
            name,
            side.origin,
            len(propositions),
            len(analysis.locutions),
            len(analysis.units),
            side.placed,
            len(links.reconstructed or ()),
            sum(number in unlinked for number in links.proposition_class.values()),
            len(propositions) - len({analysis.texts[node].strip() or node for node in propositions}),
            sum(number for number in Counter(links.proposition_class.values()).values() if number > 1),
        )


def _result(items: LabelledItems, links: Pair[ClassLinks]) -> CalculationResult:
    coverage = None
    first, second = (side.paths for side in links) if items.calculation is ER else (None, None)
    if first and second and not items.reason:
        coverage = Coverage(first.coverage, second.coverage)
    return CalculationResult.from_items(items, coverage)


def _explicit(maps: LabelledPair) -> tuple[CalculationResult | None, CalculationResult | None]:
    """Return explicit relations where they apply; else, against a reference, those that only the second map has."""
    items = maps.items.get(ER.name) or label_items_of_pair(maps.alignment, maps.links, [ER.name])[ER.name]
    if not items.reason:
        return _result(items, maps.links), None
    beyond = maps.alignment.options.reference == "first" and any(items.labels)
    return None, _result(items, maps.links) if beyond else None


def _matched_texts(alignment: Alignment) -> Pair[list[MatchedTexts]]:
    """Return the texts of matches, of those by text where both positions are known, and of those by meaning."""
    by_text: list[MatchedTexts] = []
    by_meaning: list[MatchedTexts] = []
    (positions, said), (other_positions, other_said) = (
        (side.positions, side.analysis.said) for side in alignment.sides
    )
    for match in (node_class.match for nodes in alignment.kinds for node_class in nodes.classes if node_class.match):
        texts = MatchedTexts(said[match.first], other_said[match.second], match.similarity, match.cosine)
        if match.by == "meaning":
            by_meaning.append(texts)
        elif match.first in positions and match.second in other_positions:
            by_text.append(texts)
    return by_text, by_meaning


def _notices(alignment: Alignment, *, unlike: bool) -> Iterator[str]:
    """Yield what was repaired, skipped or not used; ``unlike`` maps share few words, as a caveat says."""
    analyses, options = alignment.analyses, alignment.options
    for name, analysis in zip(("first", "second"), analyses, strict=True):
        yield from (f"{name}: {notice.message}" for notice in analysis.graph.notices)
    placed = alignment.placement.notices
    yield from (notice.message for notice in placed if not (unlike and notice.code == "text-overlap"))
    for analysis in analyses:
        for id_ in map(analysis.ids.__getitem__, node_links(analysis.graph).unattached):
            yield f"the illocution {id_} is anchored in a transition without locutions and is not counted"
    if options.layers == "common" and not alignment.one_sided:
        # What the second lacks of a reference is wrong, and not left out.
        names = ("first",) if options.reference == "first" else ("first", "second")
        for nodes in NODE_KINDS[::-1]:
            having = [bool(getattr(analysis, nodes)) for analysis in analyses]
            lacking = [name for name, has_some in zip(names, having, strict=False) if not has_some]
            if lacking and any(having):
                yield f"the {lacking[0]} analysis has no {nodes}; calculations that need them are left out"


def _shared_words(alignment: Alignment) -> float | None:
    """Return the share of different words that both maps have, their texts included.

    None if a map has no word, or if at least half of the nodes match that can: of each kind as many as the side
    with fewer has.
    """
    matched = sum(nodes.matched for nodes in alignment.kinds)
    if matched and 2 * matched >= sum(min(map(len, nodes.class_of)) for nodes in alignment.kinds):
        return None
    placement = alignment.placement
    common = next((side.text for side in placement.sides if side.text), None) if placement.fits else None
    texts = ((side.analysis.said.values(), side.text or common) for side in placement.sides)
    words, other_words = ({*words_of("\n".join([*said, source.text if source else ""]))} for said, source in texts)
    return len(words & other_words) / len(words | other_words) if words and other_words else None


def _same_map(maps: LabelledPair) -> bool:
    """Return whether both sides are the same map of the same words: ids, times and the order of nodes do not count."""
    alignment, analyses = maps.alignment, maps.alignment.analyses
    first, second = alignment.sides
    if any(sum(items.matrix.diagonal) < items.matrix.total for items in maps.items.values()):
        return False
    if any(len(nodes.classes) > nodes.matched for nodes in alignment.kinds):
        return False
    if not first.analysis.units or first.boundaries != second.boundaries:
        return False
    surrounded, other_surrounded = (
        Counter(context.context(node) for node, kind in enumerate(analysis.kinds) if kind)
        for analysis, context in zip(analyses, contexts_of(analyses), strict=True)
    )
    words, other_words = (words_of(side.text.text) if side.text else None for side in alignment.sides)
    if surrounded != other_surrounded or words != other_words:
        return False
    names = count_names(alignment, maps.links)
    cells = chain.from_iterable(of_kind.cells for of_kind in (names.speakers, *names.schemes.values()))
    return all(name == other_name for name, other_name, _ in cells)


def _same_ids(analyses: Pair[Analysis]) -> Literal["", "units", "all"]:
    """Return which nodes have the same ids on both sides."""
    if not all(analysis.units for analysis in analyses):
        return ""
    ids, other_ids = ({*compress(analysis.ids, analysis.kinds)} for analysis in analyses)
    if ids == other_ids:
        return "all"
    units, other_units = ({analysis.ids[node] for node in analysis.units} for analysis in analyses)
    return "units" if units == other_units else ""


def different_documents(share: float | None) -> bool:
    """Whether so few words are shared (None where many nodes match) that two maps are of different documents.

    Two analyses of one text had 52 % of their words in common or more (56 pairs of AraucariaDB), two of different
    texts 21 % at most (300 pairs of AraucariaDB, US2016 and QT30).
    """
    return share is not None and share < 0.25
