"""The result of comparing two maps that still has them: the alignment, the items behind every cell, the differences.

What a stored result holds is computed here when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from os import PathLike
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, NodeClass
from aifgraph.comparison.breakdown import NameCounts, name_counts
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.registry import calculate
from aifgraph.comparison.cass import SCORE_LAYERS, Scores
from aifgraph.comparison.chance import expected_means, too_few
from aifgraph.comparison.differences import Differences, differences
from aifgraph.comparison.options import Options, signature_of
from aifgraph.comparison.result import ExpectedMeans, LayerMatches, MatchedClass, Matches, PairResult
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.comparison.segmentation import SegmentationScore
from aifgraph.comparison.sides import PairNames, Side, checked_names, input_hash, told_apart
from aifgraph.comparison.wording import MatchedTexts, Wording, matched_by_meaning, wording_of
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.stats.matrix import NONE
from aifgraph.stats.scores import SCORES
from aifgraph.tables import written


class Comparison(PairResult):
    """A result with its maps: the alignment, the items behind every cell, the differences, and pages.

    Attributes:
        alignment: which nodes of the two were matched, and why.
        calculations: each calculation by name or code, with its matrix, its scores and the items behind every cell.
        segmentation: S and the other measures of segmentation.
        options: how it was compared.
        warnings: what was repaired, skipped or could not be used.

    >>> import aifgraph
    >>> one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    >>> for build in (one, other):
    ...     claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    ...     _ = build.inference([reason], claim)
    >>> result = aifgraph.compare(one.graph(), other.graph())
    >>> result.cass["kappa"], result.calculations["propositional_relations"].matrix.rows
    (1.0, ((1, 0), (0, 1)))
    >>> result.kappa, result.calculations["PR"]["f1"]
    (1.0, 1.0)
    """

    alignment: Alignment
    calculations: Mapping[str, ScoredCalculation]
    options: Options
    notices: tuple[Notice, ...]

    def __init__(
        self,
        alignment: Alignment,
        calculations: Mapping[str, ScoredCalculation],
        segmentation: SegmentationScore,
        options: Options,
        warnings: tuple[Notice, ...],
        names: PairNames | None = None,
        measures: Mapping[str, float | None] | None = None,
    ) -> None:
        graphs = alignment.first.graph, alignment.second.graph
        self.__dict__.update(
            alignment=alignment,
            calculations=calculations,
            segmentation=segmentation,
            options=options,
            notices=warnings,
            names=names or told_apart(graphs[0].name, graphs[1].name),
            measures=measures or {},
        )

    def named(self, first: str, second: str) -> Comparison:
        """The same comparison with names for the two sides, as pages and tables show them; no number changes.

        Raises:
            OptionError: the names are equal, empty or longer than 200 letters.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> tuple(aifgraph.compare(graph, graph).named("Ann", "Ben").names)
        ('Ann', 'Ben')
        """
        names = checked_names(first, second)
        counted = self.alignment, self.calculations, self.segmentation, self.options, self.warnings
        return Comparison(*counted, names, self.measures)

    @cached_property
    def explicit(self) -> ScoredCalculation | None:
        """The argument among what was said; None where it does not apply. It is not part of M."""
        name = EXPLICIT_RELATIONS.name
        scored = self.calculations.get(name)
        if scored is None:
            alignment, options = self.alignment, self.options
            found, _ = calculate(alignment, (name,), types=options.relations, layers=options.layers)
            scored = ScoredCalculation(found[name], alignment)
        return scored if scored.applicable else None

    @property
    def first(self) -> ArgumentGraph:
        """The first analysis."""
        return self.alignment.first.graph

    @property
    def second(self) -> ArgumentGraph:
        """The second analysis."""
        return self.alignment.second.graph

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """What was repaired, skipped or could not be used."""
        return self.notices

    @property
    def messages(self) -> tuple[str, ...]:
        """The warnings in words."""
        return tuple(notice.message for notice in self.notices)

    @property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        axis = ["axis:anchors"] if self.anchors else []
        inputs = [f"in:{'.'.join(self.input_hashes)}"] if self.options.hashes else []
        return signature_of(self.options, *axis, *inputs)

    @property
    def anchors(self) -> bool:
        """Whether the texts were too long for ``difflib``, so that another diff stood in (measures, section 1)."""
        axis = self.alignment.placement.axis
        return axis is not None and axis.method == "anchors"

    @property
    def mean_of_layers(self) -> bool:
        """Whether M is the mean of the layers' means, and not of all calculations."""
        return self.options.mean == "layers"

    @cached_property
    def input_hashes(self) -> tuple[str, str]:
        """What the two maps, as they were read, and their texts hash to (SHA-256, 16 digits): equal where nothing that
        could change a number has changed."""
        texts = self.alignment.placement.texts
        return input_hash(self.first, texts[0]), input_hash(self.second, texts[1])

    @property
    def first_side(self) -> Side:
        """The first analysis: source, sizes, hash."""
        return self._side(0)

    @property
    def second_side(self) -> Side:
        """The second analysis: source, sizes, hash."""
        return self._side(1)

    def _side(self, number: Literal[0, 1]) -> Side:
        analysis = (self.alignment.first, self.alignment.second)[number]
        placed = (self.alignment.placement.first, self.alignment.placement.second)[number]
        return Side(
            analysis.graph.name,
            self.names[number],
            placed.text,
            len(analysis.propositions),
            len(analysis.locutions),
            len(analysis.units),
            placed.placed,
            self.input_hashes[number],
            len(self.alignment.reconstructed[number] or ()),
        )

    @property
    def _one_sided(self) -> bool:
        return self.alignment.one_sided

    @property
    def text_overlap(self) -> float | None:
        """How far the two texts are one, 0 to 1; None without two texts."""
        axis = self.alignment.placement.axis
        return axis.overlap if axis else None

    @property
    def matches(self) -> Matches:
        """How the nodes of both were matched, in numbers (``classes`` lists them)."""
        return self._matches(listed=False)

    def _matches(self, *, listed: bool) -> Matches:
        def of(layer: Literal["propositions", "locutions"]) -> LayerMatches:
            aligned = getattr(self.alignment, layer)
            pairs = tuple(map(self._matched_class, aligned.classes)) if listed else None
            return LayerMatches(len(aligned.classes), aligned.matched, aligned.matched_by("meaning"), pairs)

        return Matches(of("propositions"), of("locutions"))

    def _matched_class(self, node_class: NodeClass) -> MatchedClass:
        first, second = self.alignment.first.ids, self.alignment.second.ids
        return MatchedClass(
            tuple(first[node] for node in node_class.first),
            tuple(second[node] for node in node_class.second),
            node_class.similarity,
            node_class.match.by if node_class.match else None,
            self.alignment.because(node_class),
        )

    @cached_property
    def name_counts(self) -> NameCounts:
        """The names of schemes and speakers that the breakdown counts."""
        return name_counts(self.alignment, self.options.relations)

    @cached_property
    def wording(self) -> Wording:
        """How many matches by place share less than half of their wording, and the least similar ones."""
        return wording_of(self.alignment)

    @cached_property
    def matched_by_meaning(self) -> tuple[MatchedTexts, ...]:
        """What was matched by meaning, with both texts and the cosine, the nearest first."""
        return matched_by_meaning(self.alignment)

    @cached_property
    def expected(self) -> ExpectedMeans | None:
        """M by chance; None without the option ``chance``."""
        rounds = self.options.chance
        if rounds is None:
            return None
        few = too_few(self.alignment)
        applies = self.explicit is not None
        means = {} if few else expected_means(self.alignment, self.options, rounds, explicit=applies)
        nothing: Scores = dict.fromkeys(SCORES)
        by_layer = {layer: means.get(layer, nothing) for layer in SCORE_LAYERS}
        explicit = means.get("explicit", nothing) if applies else None
        return ExpectedMeans(rounds, self.options.seed, by_layer, few, explicit)

    @cached_property
    def summary(self) -> str:
        """What both find, and what they disagree about, in a sentence."""
        return self.differences().summary

    def classes(self, layer: Literal["propositions", "locutions"]) -> Iterator[dict[str, Any]]:
        """The classes that the nodes were put into, as plain values: the ids of both sides (``first``, ``second``), the
        similarity (0 to 1), what matched them (``by``), and why in words (``because``)."""
        for node_class in getattr(self.alignment, layer).classes:
            matched = self._matched_class(node_class)
            ids = {"first": list(matched.first), "second": list(matched.second)}
            yield {**ids, "similarity": matched.similarity, "by": matched.by, "because": matched.because}

    def differences(self) -> Differences:
        """What the two disagree about, one disagreement a row, in the order of the text (see ``Differences``).

        >>> import aifgraph
        >>> first = aifgraph.load("fixtures/debate/first.json")
        >>> differences = aifgraph.compare(first, aifgraph.load("fixtures/debate/second.json")).differences()
        >>> len(differences), differences.rows[0].kind
        (8, 'reworded')
        """
        return self._differences

    @cached_property
    @gc_paused
    def _differences(self) -> Differences:
        return differences(self.alignment, self.calculations)

    @property
    def counted(self) -> Mapping[str, ScoredCalculation]:
        """The calculations, and the argument among what was said where it applies, in M or not."""
        return {**self.calculations, **({EXPLICIT_RELATIONS.name: self.explicit} if self.explicit else {})}

    def items(self) -> dict[str, list[dict[str, Any]]]:
        """What stands behind every cell of every calculation that applies but (none, none), as plain values: the two
        labels (a ``cell``), the item in words, and the ids of its nodes on each side."""
        return {
            name: [
                {"cell": list(cell), **item.to_dict()}
                for cell in scored.matrix.cells
                if cell != (NONE, NONE)
                for item in scored.items(*cell)
            ]
            for name, scored in self.counted.items()
            if scored.applicable
        }

    @gc_paused
    def stored(
        self,
        names: PairNames | None = None,
        *,
        text: str = "",
        classes: bool = True,
        measures: Mapping[str, float | None] | None = None,
    ) -> PairResult:
        """The result without its maps.

        Args:
            names: what the maps are called in their corpora; None for the names that they have here.
            text: what their text is called there.
            classes: whether to list the classes of the alignment, and to say in a sentence what differs.
            measures: measures other than CASS, which become part of the result; None for those that it has here.
        """
        values: dict[str, Any] = {
            "names": names or self.names,
            "matches": self._matches(listed=classes),
            "calculations": {name: scored.stored for name, scored in self.calculations.items()},
            "explicit": self.explicit.stored if self.explicit else None,
            "summary": self.summary if classes else "",
            "measures": self.measures if measures is None else measures,
            "text": text,
        }
        # What is asked for otherwise is not computed first: the summary alone needs all differences.
        rest = (column.name for column in fields(PairResult) if column.name not in values)
        return PairResult(**values, **{name: getattr(self, name) for name in rest})

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values."""
        return self.stored().to_dict()

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """A page that shows the comparison (maps, texts, matrices, …); it needs no network and no other file."""
        from aifgraph.report.html import report_html

        return written(report_html(self), path)

    def _repr_html_(self) -> str:
        from aifgraph.report.display import comparison_html

        return comparison_html(self)
