"""A comparison: the result of two maps with the maps themselves, aligned and counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, Layer, NodeLayer
from aifgraph.comparison.breakdown import count_names, matched_by_meaning, wording_of
from aifgraph.comparison.calculations import ER, Count, count_pair
from aifgraph.comparison.cass import Cass, ScoreLayer, Scores
from aifgraph.comparison.caveats import Caveat
from aifgraph.comparison.chance import Chance, expected_means
from aifgraph.comparison.differences import Differences, find_differences
from aifgraph.comparison.links import Claims, claims_of_both
from aifgraph.comparison.options import Options, signature_of
from aifgraph.comparison.result import CalculationResult, Coverage, LayerMatches, Matches, PairResult
from aifgraph.comparison.segmentation import SegmentationScore, segmentation_of
from aifgraph.comparison.sides import PairNames, Side
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.tables import Result, Table, written


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """The result of two maps, with the maps.

    Attributes:
        result: every number, as it is stored; the numbers that most people look at are attributes here, too.
        options: how they are compared.
        alignment: which nodes of the two were matched, and why.
        claims: what the scheme nodes of each side claim.
        counts: the calculations of M and explicit relations by name, with the items behind every cell.
        notices: the notices of reading the maps and placing their nodes.

    >>> import aifgraph
    >>> comparison = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    >>> round(comparison.kappa, 3), len(comparison.differences())
    (0.914, 8)
    """

    result: PairResult
    options: Options
    alignment: Alignment = field(repr=False)
    claims: tuple[Claims, Claims] = field(repr=False)
    counts: Mapping[str, Count] = field(repr=False)
    notices: tuple[Notice, ...]

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
        """The line that says how the numbers were made."""
        return self.result.signature

    @property
    def calculations(self) -> Mapping[str, CalculationResult]:
        """The calculations of M by name, each with its matrix and its scores."""
        return self.result.calculations

    @property
    def explicit(self) -> CalculationResult | None:
        """Explicit relations, in M or not; None where they do not apply."""
        return self.result.explicit

    @property
    def segmentation(self) -> SegmentationScore:
        """S and the other measures of segmentation."""
        return self.result.segmentation

    @property
    def S(self) -> float | None:  # noqa: N802  (its name in the literature)
        """Segmentation similarity."""
        return self.result.S

    @property
    def layers(self) -> dict[ScoreLayer, Cass]:
        """M and CASS of the whole (``all``) and of each layer: ``layers["propositional"].cass["kappa"]``."""
        return self.result.layers

    @property
    def mean(self) -> Scores:
        """M by score."""
        return self.result.mean

    @property
    def cass(self) -> Scores:
        """CASS by score: ``cass["kappa"]`` is CASS-κ."""
        return self.result.cass

    @property
    def kappa(self) -> float | None:
        """CASS-κ."""
        return self.result.kappa

    @property
    def f1(self) -> float | None:
        """CASS-F1."""
        return self.result.f1

    @property
    def chance(self) -> Chance | None:
        """What the scores would be by chance, and how far above that they are; None without the option ``chance``."""
        return self.result.chance

    @property
    def breakdown(self) -> dict[str, Any]:
        """What stands behind the scores as plain values: attachment and labels apart, each label, schemes, speakers."""
        return self.result.breakdown

    @property
    def caveats(self) -> list[Caveat]:
        """The caveats of the pair."""
        return self.result.caveats

    def differences(self) -> Differences:
        """Return what the two disagree about, one disagreement a row, in the order of the text."""
        return self._differences

    @cached_property
    def _differences(self) -> Differences:
        counted = {name: count for name, count in self.counts.items() if name in self.options.calculations}
        return find_differences(self.alignment, self.claims, counted)

    def classes(self, layer: NodeLayer) -> Iterator[dict[str, Any]]:
        """Yield the classes that the nodes were put into, as plain values: the ids of both sides (``first``,
        ``second``), the similarity (0 to 1), what matched them (``by``), and why in words (``because``)."""
        first, second = self.alignment.first.ids, self.alignment.second.ids
        for node_class in getattr(self.alignment, layer).classes:
            yield {
                "first": [first[node] for node in node_class.first],
                "second": [second[node] for node in node_class.second],
                "similarity": node_class.similarity,
                "by": node_class.match.by if node_class.match else None,
                "because": self.alignment.because(node_class),
            }

    def items(self) -> dict[str, list[dict[str, Any]]]:
        """Return what stands behind every cell of every calculation that applies but (none, none), as plain values:
        the two labels (a ``cell``), the item in words, and the ids of its nodes on each side."""
        described = {name: count.described(self.alignment) for name, count in self.counts.items() if not count.reason}
        return {
            name: [
                {"cell": list(cell), **item.to_dict()}
                for cell in self.counts[name].matrix.cells
                for item in items.get(cell, ())
            ]
            for name, items in described.items()
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


def compare_aligned(
    alignment: Alignment, options: Options, names: PairNames, measures: Mapping[str, float | None]
) -> Comparison:
    """Count two aligned maps, and work out their result; ``measures`` are those other than CASS."""
    claims, axis = claims_of_both(alignment, options.relations), alignment.placement.axis
    counts = count_pair(alignment, claims, {*options.calculations, ER.name}, options.layers)
    notices = tuple(_notices(alignment, claims, options))
    (first, second), texts = (alignment.first, alignment.second), alignment.placement.texts
    applies = not counts[ER.name].reason
    anchors = ["axis:anchors"] if axis and axis.method == "anchors" else []
    result = PairResult(
        signature_of(options, *anchors),
        names,
        _side(alignment, 0, names),
        _side(alignment, 1, names),
        text_overlap=axis.overlap if axis else None,
        matches=Matches(_matches(alignment.propositions), _matches(alignment.locutions)),
        calculations={
            name: _calculation(count, claims) for name, count in counts.items() if name in options.calculations
        },
        name_counts=count_names(alignment, claims),
        segmentation=segmentation_of(alignment, options.segmentation, options.layers),
        notices=tuple(notice.message for notice in notices),
        wording=wording_of(alignment),
        matched_by_meaning=matched_by_meaning(alignment),
        explicit=_calculation(counts[ER.name], claims) if applies else None,
        expected=None if options.chance is None else expected_means(alignment, claims, options, explicit=applies),
        measures=measures,
        same_map=bool(first.units) and first.same_as(second) and texts[0] == texts[1],
    )
    return Comparison(result, options, alignment, claims, counts, notices)


def _calculation(count: Count, claims: tuple[Claims, Claims]) -> CalculationResult:
    coverage = None
    first, second = (side.paths for side in claims) if count.calculation is ER else (None, None)
    if first and second and not count.reason:
        coverage = Coverage(first.coverage, second.coverage)
    return CalculationResult(
        not count.reason, count.size, count.matrix.labels, count.matrix.rows, count.reason, coverage
    )


def _matches(layer: Layer) -> LayerMatches:
    return LayerMatches(len(layer.classes), layer.matched, layer.matched_by("meaning"))


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


def _notices(alignment: Alignment, claims: tuple[Claims, Claims], options: Options) -> Iterator[Notice]:
    first, second = alignment.first, alignment.second
    for name, analysis in (("first", first), ("second", second)):
        for notice in analysis.graph.notices:
            yield replace(notice, message=f"{name}: {notice.message}")
    yield from alignment.placement.notices
    for side in claims:
        for node in side.structure.adrift:
            id_ = side.analysis.ids[node]
            message = f"the illocution {id_} is anchored in a transition without locutions: it counts nowhere"
            yield Notice("act-adrift", message, (id_,))
    if options.layers == "common" and not alignment.one_sided:
        for nodes in ("locutions", "propositions"):
            if bool(getattr(first, nodes)) != bool(getattr(second, nodes)):
                which = "second" if getattr(first, nodes) else "first"
                message = f"the {which} analysis has no {nodes}: calculations that need them are left out"
                yield Notice("layer-missing", message)
