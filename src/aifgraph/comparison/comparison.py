"""A comparison: two maps that are aligned and counted, and the result that follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, Layer, NodeLayer
from aifgraph.comparison.breakdown import count_names, matched_by_meaning, wording_of
from aifgraph.comparison.calculations import ER, Count, count_pair
from aifgraph.comparison.caveats import Caveat
from aifgraph.comparison.chance import Chance, expected_means
from aifgraph.comparison.differences import Differences, find_differences
from aifgraph.comparison.links import Claims
from aifgraph.comparison.options import Options, signature_of
from aifgraph.comparison.result import CalculationResult, Coverage, LayerMatches, Matches, PairResult, Scored
from aifgraph.comparison.segmentation import SegmentationScore
from aifgraph.comparison.sides import PairNames, Side
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.tables import Table, written


@dataclass(frozen=True, repr=False)
class Comparison(Scored):
    """Two maps that are aligned and counted; ``result`` is what is stored of it.

    Attributes:
        options: how they are compared.
        alignment: which nodes of the two were matched, and why.
        claims: what the scheme nodes of each side claim.
        counts: the calculations of M by name, with the items behind every cell.
        segmentation: S and the other measures of segmentation.
        names: what the two are called.
        measures: measures other than CASS, by name.

    >>> import aifgraph
    >>> comparison = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    >>> round(comparison.kappa, 3), len(comparison.differences())
    (0.914, 8)
    """

    options: Options
    alignment: Alignment = field(repr=False)
    claims: tuple[Claims, Claims] = field(repr=False)
    counts: Mapping[str, Count] = field(repr=False)
    segmentation: SegmentationScore
    names: PairNames
    measures: Mapping[str, float | None] = field(default_factory=dict)

    def named(self, first: str, second: str) -> Comparison:
        """Return the same comparison with names for the two sides; no number changes."""
        return replace(self, names=PairNames(first, second))

    @property
    def first(self) -> ArgumentGraph:
        """The first analysis."""
        return self.alignment.first.graph

    @property
    def second(self) -> ArgumentGraph:
        """The second analysis."""
        return self.alignment.second.graph

    @cached_property
    def calculations(self) -> dict[str, CalculationResult]:  # type: ignore[override]
        """The calculations of M by name."""
        return {name: self._stored(count) for name, count in self.counts.items()}

    @property
    def mean_of_layers(self) -> bool:  # type: ignore[override]
        """Whether M is the mean of the layers' means, and not of all calculations."""
        return self.options.mean == "layers"

    @property
    def one_sided(self) -> bool:  # type: ignore[override]
        """Whether only one side has units."""
        return self.alignment.one_sided

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Both analyses: source, sizes."""
        return self._side(0), self._side(1)

    @property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        axis = self.alignment.placement.axis
        anchors = ["axis:anchors"] if axis and axis.method == "anchors" else []
        return signature_of(self.options, *anchors)

    @cached_property
    def _explicit(self) -> Count:
        if ER.name in self.counts:
            return self.counts[ER.name]
        return count_pair(self.alignment, self.claims, [ER.name], self.options.layers)[ER.name]

    @property
    def explicit(self) -> CalculationResult | None:
        """Explicit relations, in M or not; None where they do not apply."""
        return self.result.explicit

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

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of reading the maps and placing their nodes."""
        return tuple(self._notices())

    @cached_property
    @gc_paused
    def result(self) -> PairResult:
        """The result as it is stored: every number, without the maps."""
        alignment, options, axis = self.alignment, self.options, self.alignment.placement.axis
        first, second = alignment.placement.texts
        applies = not self._explicit.reason
        return PairResult(
            self.signature,
            self.names,
            *self.sides,
            axis.overlap if axis else None,
            Matches(_matches(alignment.propositions), _matches(alignment.locutions)),
            self.calculations,
            count_names(alignment, self.claims),
            self.segmentation,
            tuple(notice.message for notice in self.notices),
            wording_of(alignment),
            matched_by_meaning(alignment),
            self._stored(self._explicit) if applies else None,
            None if options.chance is None else expected_means(alignment, self.claims, options, explicit=applies),
            self.measures,
            same_map=bool(alignment.first.units) and alignment.first.same_as(alignment.second) and first == second,
        )

    def differences(self) -> Differences:
        """Return what the two disagree about, one disagreement a row, in the order of the text."""
        return self._differences

    @cached_property
    def _differences(self) -> Differences:
        return find_differences(self.alignment, self.claims, self.counts)

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
        counts = {**self.counts, ER.name: self._explicit}
        described = {name: count.described(self.alignment) for name, count in counts.items() if not count.reason}
        return {
            name: [
                {"cell": list(cell), **item.to_dict()}
                for cell in counts[name].matrix.cells
                for item in items.get(cell, ())
            ]
            for name, items in described.items()
        }

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the tables that a format holds, and the signature."""
        return self.result.tables_for(format)

    def short_table(self) -> Table:
        """Return the short table: M, S and CASS."""
        return self.result.short_table()

    def tables(self) -> list[Table]:
        """Return every number in tables."""
        return self.result.tables()

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

    def _stored(self, count: Count) -> CalculationResult:
        coverage = None
        first, second = (side.paths for side in self.claims) if count.calculation is ER else (None, None)
        if first and second and not count.reason:
            coverage = Coverage(first.coverage, second.coverage)
        matrix = count.matrix
        stored = CalculationResult(not count.reason, count.size, matrix.labels, matrix.rows, count.reason, coverage)
        stored.__dict__["matrix"] = matrix  # which would be made again
        return stored

    def _side(self, number: Literal[0, 1]) -> Side:
        alignment, placement = self.alignment, self.alignment.placement
        analysis = (alignment.first, alignment.second)[number]
        placed = (placement.first, placement.second)[number]
        return Side(
            analysis.graph.name,
            self.names[number],
            placed.text,
            len(analysis.propositions),
            len(analysis.locutions),
            len(analysis.units),
            placed.placed,
            len(alignment.reconstructed[number] or ()),
        )

    def _notices(self) -> Iterator[Notice]:
        alignment = self.alignment
        for name, graph in (("first", self.first), ("second", self.second)):
            for notice in graph.notices:
                yield replace(notice, message=f"{name}: {notice.message}")
        yield from alignment.placement.notices
        for side in self.claims:
            for node in side.structure.adrift:
                id_ = side.analysis.ids[node]
                message = f"the illocution {id_} is anchored in a transition without locutions: it counts nowhere"
                yield Notice("act-adrift", message, (id_,))
        if self.options.layers == "common" and not alignment.one_sided:
            for nodes in ("locutions", "propositions"):
                first, second = getattr(alignment.first, nodes), getattr(alignment.second, nodes)
                if bool(first) != bool(second):
                    which = "second" if first else "first"
                    message = f"the {which} analysis has no {nodes}: calculations that need them are left out"
                    yield Notice("layer-missing", message)


def _matches(layer: Layer) -> LayerMatches:
    return LayerMatches(len(layer.classes), layer.matched, layer.matched_by("meaning"))
