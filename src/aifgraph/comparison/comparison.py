"""A comparison: the result of two maps with the maps themselves, aligned and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, NodeKind
from aifgraph.align.context import Contexts
from aifgraph.comparison.breakdown import NameCounts, count_names, matched_by_meaning, wording_of
from aifgraph.comparison.calculations import ER, LabelledItems, label_items_of_pair
from aifgraph.comparison.cass import (
    CalculationResult,
    Coverage,
    PairScores,
    SegmentationScore,
)
from aifgraph.comparison.chance import expected_means
from aifgraph.comparison.differences import Differences, find_differences
from aifgraph.comparison.links import ClassLinks, node_links
from aifgraph.comparison.options import Options, signature_of
from aifgraph.comparison.result import MatchCounts, Matches, PairNames, PairResult, Side, different_documents
from aifgraph.comparison.tables import Caveat
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.tables import Table, written
from aifgraph.text.words import words_of


@dataclass(frozen=True, repr=False)
class Comparison(PairScores):
    """The comparison of two maps: their alignment, the labels and the scores; ``result`` is stored without the maps.

    The main scores are attributes here; ``comparison.result`` has all scores.

    Attributes:
        options: how they are compared.
        alignment: which nodes of the two were matched, and why.
        links: the labels that the scheme nodes of each side give to links between classes.
        items: the items of the calculations of M by name, with the labels of both sides.
        segmentation: S and the other measures of segmentation.
        names: the names of the two sides.
        measures: measures other than CASS, by name.

    >>> import aifgraph
    >>> comparison = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    >>> round(comparison.kappa, 3), len(comparison.differences())
    (0.914, 8)
    """

    options: Options
    alignment: Alignment
    links: tuple[ClassLinks, ClassLinks]
    items: Mapping[str, LabelledItems]
    segmentation: SegmentationScore
    names: PairNames
    measures: Mapping[str, float | None]

    @property
    def first(self) -> ArgumentGraph:
        """The first analysis."""
        return self.alignment.first.graph

    @property
    def second(self) -> ArgumentGraph:
        """The second analysis."""
        return self.alignment.second.graph

    @property
    def signature(self) -> str:
        """The version and all options, in one line."""
        axis = self.alignment.placement.axis
        return signature_of(self.options, **({"axis": axis.method} if axis and axis.method == "anchors" else {}))

    @cached_property
    def calculations(self) -> dict[str, CalculationResult]:
        """The calculations of M by name, each with its matrix and its scores."""
        return {name: self._calculation(items) for name, items in self.items.items()}

    @property
    def one_sided(self) -> bool:
        """Whether only one side has units."""
        return self.alignment.one_sided

    @property
    def caveats(self) -> list[Caveat]:
        """The caveats of the pair."""
        return self.result.caveats

    def differences(self) -> Differences:
        """Return the differences, one in each row, in the order of the text."""
        return self._differences

    @cached_property
    def _differences(self) -> Differences:
        found = find_differences(self.alignment, self.links, self.items, self.names)
        unlike = self.result.summary if different_documents(self._shared_words) else ""
        return replace(found, signature=self.signature, unlike=unlike)

    @cached_property
    def _shared_words(self) -> float | None:
        return shared_words(self.alignment)

    def classes(self, kind: NodeKind) -> Iterator[dict[str, Any]]:
        """Yield the classes of the nodes as plain values: the ids of both sides (``first``,
        ``second``), the similarity (0 to 1), what matched them (``by``), and why in words (``because``)."""
        first, second = self.alignment.first.ids, self.alignment.second.ids
        for node_class in getattr(self.alignment, kind).classes:
            yield {
                "first": [first[node] for node in node_class.first],
                "second": [second[node] for node in node_class.second],
                "similarity": node_class.similarity,
                "by": node_class.match.by if node_class.match else None,
                "because": self.alignment.because(node_class),
            }

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the tables that a format holds, and the signature."""
        return self.result.tables_for(format)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return self.result.to_dict()

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Return a page that shows the comparison; it needs no network and no other file."""
        from aifgraph.report.page import report_html

        return written(report_html(self), path)

    def _repr_html_(self) -> str:
        from aifgraph.report.display import comparison_html

        return comparison_html(self)

    def __str__(self) -> str:
        return str(self.result)

    def __repr__(self) -> str:
        return repr(self.result).replace("PairResult", "Comparison", 1)

    @cached_property
    @gc_paused
    def result(self) -> PairResult:
        """The stored result: every number, without the maps."""
        alignment, options, axis = self.alignment, self.options, self.alignment.placement.axis
        names, applies = count_names(alignment, self.links), not self._explicit.reason
        alike = all(sum(items.matrix.diagonal) == items.matrix.total for items in self.items.values())
        return PairResult(
            self.signature,
            self.names,
            _side(alignment, 0, self.names),
            _side(alignment, 1, self.names),
            text_overlap=axis.overlap if axis else None,
            matches=Matches(
                *(
                    MatchCounts(len(nodes.classes), nodes.matched, nodes.matched_by_meaning)
                    for nodes in (alignment.propositions, alignment.locutions)
                )
            ),
            calculations=self.calculations,
            name_counts=names,
            segmentation=self.segmentation,
            notices=tuple(notice.message for notice in self.notices),
            wording=wording_of(alignment),
            matched_by_meaning=matched_by_meaning(alignment),
            explicit=self._calculation(self._explicit) if applies else None,
            expected=expected_means(alignment, self.links, options, explicit=applies) if options.chance else None,
            measures=self.measures,
            same_map=alike and _same_map(alignment, names),
            shared_words=self._shared_words,
        )

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of reading the maps and placing their nodes."""
        first, second, found = self.alignment.first, self.alignment.second, list[Notice]()
        for name, analysis in (("first", first), ("second", second)):
            notices = analysis.graph.notices
            found += [replace(notice, message=f"{name}: {notice.message}") for notice in notices]
        said = different_documents(self._shared_words)  # by a caveat
        found += [of for of in self.alignment.placement.notices if not (said and of.code == "text-overlap")]
        for analysis in (first, second):
            for id_ in map(analysis.ids.__getitem__, node_links(analysis.graph).unattached):
                message = f"the illocution {id_} is anchored in a transition without locutions and is not counted"
                found.append(Notice("act-unattached", message, (id_,)))
        if self.options.layers == "common" and not self.alignment.one_sided:
            for nodes in ("locutions", "propositions"):
                if bool(getattr(first, nodes)) != bool(getattr(second, nodes)):
                    which = "second" if getattr(first, nodes) else "first"
                    message = f"the {which} analysis has no {nodes}; calculations that need them are left out"
                    found.append(Notice("layer-missing", message))
        return tuple(found)

    @cached_property
    def _explicit(self) -> LabelledItems:
        if ER.name in self.items:
            return self.items[ER.name]
        return label_items_of_pair(self.alignment, self.links, [ER.name], self.options.layers)[ER.name]

    def _calculation(self, items: LabelledItems) -> CalculationResult:
        coverage = None
        first, second = (side.paths for side in self.links) if items.calculation is ER else (None, None)
        if first and second and not items.reason:
            coverage = Coverage(first.coverage, second.coverage)
        matrix = items.matrix
        return CalculationResult(not items.reason, items.size, matrix.labels, matrix.rows, items.reason, coverage)


def shared_words(alignment: Alignment) -> float | None:
    """Return the share of different words that both maps have, their texts included.

    None if a map has no word, or if at least half of the nodes match that can: of each kind as many as the side with
    fewer has.
    """
    kinds = alignment.propositions, alignment.locutions
    matched = sum(nodes.matched for nodes in kinds)
    if matched and 2 * matched >= sum(min(len(nodes.first_class), len(nodes.second_class)) for nodes in kinds):
        return None
    placement, words = alignment.placement, list[set[str]]()
    common = next(filter(None, placement.texts), None) if placement.fits else None
    for analysis, own in zip((alignment.first, alignment.second), placement.texts, strict=True):
        source = own or common
        words.append(set(words_of("\n".join([*analysis.said.values(), source.text if source else ""]))))
    first, second = words
    return len(first & second) / len(first | second) if first and second else None


def _same_map(alignment: Alignment, names: NameCounts) -> bool:
    """Whether both sides are the same map of the same words: ids, times and the order of nodes do not count."""
    placement, sides = alignment.placement, (alignment.first, alignment.second)
    apart = any(len(nodes.classes) > nodes.matched for nodes in (alignment.propositions, alignment.locutions))
    if apart or not sides[0].units or placement.first.boundaries != placement.second.boundaries:
        return False
    contexts = Contexts(*sides)
    first, second = (
        Counter(contexts.context(number, node) for node, kind in enumerate(side.kinds) if kind)
        for number, side in enumerate(sides)
    )
    same_names = all(one == other for of in (names.speakers, *names.schemes.values()) for one, other, _ in of.cells)
    first_words, second_words = (words_of(text.text) if text else None for text in placement.texts)
    return first == second and same_names and first_words == second_words


def _side(alignment: Alignment, number: Literal[0, 1], names: PairNames) -> Side:
    analysis = (alignment.first, alignment.second)[number]
    placed = (alignment.placement.first, alignment.placement.second)[number]
    return Side(
        analysis.graph.name,
        names[number],
        placed.text,
        len(analysis.propositions),
        len(analysis.locutions),
        len(analysis.units),
        placed.placed,
        len(alignment.reconstructed[number] or ()),
    )
