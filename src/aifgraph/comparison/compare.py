"""``compare``: two analyses of one text, from graphs to a ``Comparison``.

load → **align → compare → score** → report: the graphs are aligned (``aifgraph.align``), counted
(``aifgraph.comparison.calculations``) and scored (``aifgraph.comparison.cass``); the result holds all three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from aifgraph.align.alignment import Alignment, align
from aifgraph.align.candidates import Gate
from aifgraph.comparison.calculations.calculation import Calculation
from aifgraph.comparison.calculations.registry import LAYERS, calculate
from aifgraph.comparison.cass import Fused, fused
from aifgraph.comparison.explanation import Item, because, explain
from aifgraph.comparison.options import Options
from aifgraph.comparison.segmentation import SegmentationScore, by_positions, by_units
from aifgraph.comparison.signature import signature
from aifgraph.errors import OptionError
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice, SourceText
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all, undefined_reason


@dataclass(frozen=True)
class ScoredCalculation:
    """One calculation with its matrix and scores; ``each["kappa"]`` is None where undefined or not applicable."""

    calculation: Calculation
    alignment: Alignment

    @property
    def name(self) -> str:
        """Its name: ``propositional_relations``, ``transitions`` …"""
        return self.calculation.name

    @property
    def applicable(self) -> bool:
        """Whether it says anything about this pair; if not, ``reason`` says why."""
        return self.calculation.applicable

    @property
    def reason(self) -> str:
        """Why it does not apply; empty if it does."""
        return self.calculation.reason

    @property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix, rows the first analysis."""
        return self.calculation.matrix

    @cached_property
    def scores(self) -> dict[str, float | None]:
        """Every score by name."""
        return score_all(self.matrix) if self.applicable else dict.fromkeys(SCORES)

    def __getitem__(self, score: str) -> float | None:
        return self.scores[score]

    def items(self, first: str, second: str) -> list[Item]:
        """The items behind a cell of the matrix: what the first analysis calls ``first`` and the second ``second``.

        (none, none) is everything that neither side labels and is not listed: an ``OptionError``.
        """
        labels = self.matrix.labels
        if first not in labels or second not in labels:
            unknown = first if first not in labels else second
            raise OptionError(f"{self.name} has no label {unknown!r}", remedy=f"choose from {', '.join(labels)}")
        if first == second == labels[-1]:
            raise OptionError(
                "items without a label on either side are counted, not listed", remedy="ask for another cell"
            )
        return [explain(self.alignment, self.name, item) for item in self.calculation.labelled(first, second)]

    @cached_property
    def undefined(self) -> dict[str, str]:
        """Why scores are undefined, by name."""
        if not self.applicable:
            return {}
        return {name: undefined_reason(name, self.matrix) or "" for name, value in self.scores.items() if value is None}


@dataclass(frozen=True)
class Comparison:
    """How two analyses of one text agree. Rows of matrices, and the reference of Pk and WindowDiff, are the first.

    >>> import aifgraph
    >>> one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    >>> for build in (one, other):
    ...     claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    ...     _ = build.inference([reason], claim)
    >>> result = aifgraph.compare(one.graph(), other.graph())
    >>> result.cass["kappa"], result.calculations["propositional_relations"].matrix.rows
    (1.0, ((1, 0), (0, 1)))
    """

    alignment: Alignment
    calculations: Mapping[str, ScoredCalculation]
    segmentation: SegmentationScore
    options: Options
    warnings: tuple[Notice, ...]

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
        axis = self.alignment.placement.axis
        return signature(self.options, *(["axis:anchors"] if axis and axis.method == "anchors" else []))

    @cached_property
    def _fused(self) -> Fused:
        return self._over(self.calculations)

    @property
    def mean(self) -> dict[str, float | None]:
        """M: the mean of each score over the calculations that apply."""
        return self._fused.mean

    @property
    def cass(self) -> dict[str, float | None]:
        """CASS for each score: ``cass["kappa"]`` is CASS-κ."""
        return self._fused.cass

    @cached_property
    def layers(self) -> dict[str, Fused]:
        """The same for each layer alone: ``layers["propositional"].cass["kappa"]``."""
        return {layer: self._over(names) for layer, names in LAYERS.items()}

    @property
    def undefined(self) -> dict[str, str]:
        """Why CASS is undefined, by score."""
        return self._fused.reasons

    @cached_property
    def wordless(self) -> bool:
        """Whether no unit of either side has a word, so that CASS is undefined."""
        return not any(any(side.said_words.values()) for side in (self.alignment.first, self.alignment.second))

    def _over(self, names: Any) -> Fused:
        applicable = [each.scores for name, each in self.calculations.items() if name in names and each.applicable]
        first, second = self.alignment.first, self.alignment.second
        one_sided = bool(first.units) != bool(second.units)
        return fused(applicable, SCORES, self.segmentation.S, one_sided=one_sided, wordless=self.wordless)

    def classes(self, layer: str) -> Iterator[dict[str, Any]]:
        """The classes of ``propositions`` or ``locutions``: ids of both sides, similarity, and how each came about."""
        for each in getattr(self.alignment, layer).classes:
            yield {
                "first": [self.alignment.first.nodes[node].id for node in each.first],
                "second": [self.alignment.second.nodes[node].id for node in each.second],
                "similarity": each.similarity,
                "because": because(self.alignment, each),
            }

    @gc_paused
    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values (``schemas/comparison.schema.json``)."""
        from aifgraph.comparison.plain_values import comparison_dict

        return comparison_dict(self)

    def to_html(self) -> str:
        """A self-contained page that shows the comparison: maps, texts, matrices, alignment, warnings."""
        # By name: how it looks is decided in a room above this one.
        from aifgraph.report.html import report_html

        return report_html(self)

    def rows(self) -> list[dict[str, Any]]:
        """One row per calculation, for a data frame."""
        return [
            {"calculation": name, "applicable": each.applicable, "items": each.calculation.items_total, **each.scores}
            for name, each in self.calculations.items()
        ]

    def __str__(self) -> str:
        from aifgraph.comparison.summary import tables_of, text_of

        return text_of(tables_of(self), self)

    def __repr__(self) -> str:
        kappa, f1 = (f"{value:.3f}" if value is not None else "–" for value in (self.cass["kappa"], self.cass["f1"]))
        return f"<Comparison CASS-κ {kappa} CASS-F1 {f1} of {self.first.name!r} and {self.second.name!r}>"

    def _repr_html_(self) -> str:
        from aifgraph.report.notebook import comparison_html

        return comparison_html(self)


@gc_paused
def compare(
    first: ArgumentGraph,
    second: ArgumentGraph,
    *,
    first_text: str | SourceText | None = None,
    second_text: str | SourceText | None = None,
    options: Options | None = None,
    **choices: Any,
) -> Comparison:
    """Compare two analyses of one text with CASS (Duthie et al. 2016).

    The source texts are those given here (they may be marked up), else those of the graphs; one that only one side has
    serves both. Further options by keyword, see ``Options``. Swapping the two transposes every matrix and leaves the
    symmetric scores as they are. Raises ``OptionError`` for an option that is not one.

    >>> import aifgraph
    >>> graph = aifgraph.loads('{"nodes": [{"nodeID": 1, "type": "I", "text": "Masks help"}], "edges": []}')
    >>> result = aifgraph.compare(graph, graph)
    >>> result.cass["kappa"] is None, result.undefined["kappa"]
    (True, 'no calculation applies')
    """
    chosen = chosen_options(options, choices)
    gate = Gate(chosen.gate, chosen.min_overlap, chosen.min_similarity)
    alignment = align(
        first,
        second,
        matching=chosen.matching,
        granularity=chosen.granularity,
        gate=gate,
        first_text=_given_text("first_text", first_text),
        second_text=_given_text("second_text", second_text),
    )
    found, notices = calculate(alignment, chosen.calculations, types=chosen.relations, layers=chosen.layers)
    warnings = [
        *(replace(notice, message=f"first: {notice.message}") for notice in first.notices),
        *(replace(notice, message=f"second: {notice.message}") for notice in second.notices),
        *alignment.placement.notices,
        *notices,
    ]
    return Comparison(
        alignment,
        {name: ScoredCalculation(each, alignment) for name, each in found.items()},
        _segmentation(alignment, chosen.segmentation),
        chosen,
        tuple(warnings),
    )


def chosen_options(options: Options | None, choices: Mapping[str, Any]) -> Options:
    """The options with those given by keyword in place of theirs. Raises ``OptionError`` for one there is not."""
    try:
        return replace(options or Options(), **choices)
    except TypeError:
        known = set(Options.__dataclass_fields__)
        unknown = next(iter(set(choices) - known), "an option")
        raise OptionError(f"there is no option {unknown!r}", remedy=f"choose from {', '.join(sorted(known))}") from None


def _given_text(name: str, text: object) -> SourceText | None:
    if text is None or isinstance(text, SourceText):
        return text
    if isinstance(text, str):
        return SourceText(text, "given")
    raise OptionError(f"{name} is of type {type(text).__name__}", remedy="give a string or a SourceText")


def _segmentation(alignment: Alignment, engine: str) -> SegmentationScore:
    placement = alignment.placement
    if placement.fits and placement.axis is not None:
        return by_positions(placement.axis.length, placement.first.boundaries, placement.second.boundaries, engine)
    first, second = alignment.first, alignment.second
    words, other_words = first.said_words, second.said_words
    return by_units(
        (
            sum(node in words for node in each.first),
            sum(node in other_words for node in each.second),
            sum(len(words[node]) for node in each.first if node in words),
            sum(len(other_words[node]) for node in each.second if node in other_words),
        )
        for layer in (alignment.locutions, alignment.propositions)
        for each in layer.classes
    )
