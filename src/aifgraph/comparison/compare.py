"""``compare``: two analyses of one text, from graphs to a ``Comparison``.

load → **align → compare → score** → report: the graphs are aligned (``aifgraph.align``), counted
(``aifgraph.comparison.calculations``) and scored (``aifgraph.comparison.cass``); the result holds all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Unpack

from aifgraph.align.alignment import Alignment, MatchingRules, align
from aifgraph.align.analysis import Analysis
from aifgraph.align.candidates import Gate
from aifgraph.align.positions import SidePlacement
from aifgraph.comparison.breakdown import Breakdown, NameCounts, name_counts
from aifgraph.comparison.calculations.registry import LAYERS, calculate
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, FusedLayers, ScoreLayer, Scores, fused
from aifgraph.comparison.chance import Chance, above_chance, expected_means, too_few
from aifgraph.comparison.comparison_tables import ComparisonTables
from aifgraph.comparison.differences import Differences, differences
from aifgraph.comparison.input_hash import input_hash
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.comparison.scored_calculation import ScoredCalculation, ScoredCalculations
from aifgraph.comparison.segmentation import SegmentationScore, segmentation_of
from aifgraph.comparison.side_names import checked_names, told_apart
from aifgraph.comparison.stored_comparison import StoredComparison
from aifgraph.errors import OptionError
from aifgraph.formats.io import Source, load
from aifgraph.formats.result_files import SCHEMA_VERSION
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice, SourceText
from aifgraph.hooks import hook
from aifgraph.stats.matrix import NONE
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, shown
from aifgraph.version import __version__


@dataclass(frozen=True)
class Comparison(ComparisonTables):
    """How two analyses of one text agree. Rows of matrices, and the reference of Pk and WindowDiff, are the first.

    Attributes:
        alignment: which nodes of the two were matched, and why.
        calculations: each calculation by name or code, with its matrix, its scores and the items behind every cell.
        segmentation: S and the other measures of segmentation.
        options: how it was compared.
        warnings: what was repaired, skipped or could not be used.
        given_names: names of the two sides, if they were given (see ``named``).

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
    segmentation: SegmentationScore
    options: Options
    warnings: tuple[Notice, ...]
    given_names: tuple[str, str] | None = None

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called: names that were given, else what tells their paths apart."""
        return self.given_names or told_apart(self.first.name, self.second.name)

    def named(self, first: str, second: str) -> Comparison:
        """The same comparison with names for the two sides, as pages and tables show them.

        Args:
            first: the name of the first analysis.
            second: the name of the second.

        Returns:
            The comparison; no number changes.

        Raises:
            OptionError: the names are equal, empty or longer than 200 letters.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> aifgraph.compare(graph, graph).named("Ann", "Ben").names
        ('Ann', 'Ben')
        """
        return replace(self, given_names=checked_names(first, second))

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
        axis = ["axis:anchors"] if self.anchors else []
        inputs = [f"in:{'.'.join(self.input_hashes)}"] if self.options.hashes else []
        return signature_of(self.options, *axis, *inputs)

    @cached_property
    def input_hashes(self) -> tuple[str, str]:
        """What the two maps, as they were read, and their texts hash to (SHA-256, 16 digits): equal where nothing that
        could change a number has changed."""
        texts = self.alignment.placement.texts
        return input_hash(self.first, texts[0]), input_hash(self.second, texts[1])

    @property
    def anchors(self) -> bool:
        """Whether the texts were too long for ``difflib``, so that another diff stood in (measures, section 1)."""
        axis = self.alignment.placement.axis
        return axis is not None and axis.method == "anchors"

    @property
    def _scored(self) -> Mapping[str, ScoredCalculation]:
        return self.calculations

    @property
    def _cuts(self) -> SegmentationScore:
        return self.segmentation

    @property
    def _warnings(self) -> tuple[Notice, ...]:
        return self.warnings

    @cached_property
    def _fused(self) -> Fused:
        return self._over(self.calculations)

    @property
    def kappa(self) -> float | None:
        """CASS-κ: ``cass["kappa"]``."""
        return self._cass("kappa")

    @property
    def f1(self) -> float | None:
        """CASS-F1: ``cass["f1"]``."""
        return self._cass("f1")

    @gc_paused
    def _cass(self, score: str, layer: ScoreLayer = "all") -> float | None:
        """CASS of one score, of the whole or of a layer, without working out the others."""
        if layer == "all" and "_fused" in self.__dict__:
            return self.cass[score]
        names = self.calculations if layer == "all" else LAYERS[layer]
        applicable = {
            name: {score: scored[score]}
            for name, scored in self.calculations.items()
            if name in names and scored.applicable
        }
        return self._fuse(applicable, (score,)).cass[score]

    @cached_property
    def layers(self) -> FusedLayers:
        """The same for each layer alone: ``layers["propositional"].cass["kappa"]``."""
        return FusedLayers((layer, self._over(LAYERS[layer])) for layer in SCORE_LAYERS if layer != "all")

    @cached_property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores: attachment and labels apart, each label, schemes, speakers."""
        applicable = {name: scored.matrix for name, scored in self.calculations.items() if scored.applicable}
        return Breakdown.of(applicable, self.name_counts)

    @property
    def name_counts(self) -> NameCounts:
        """What the breakdown needs besides the matrices: what a corpus adds up."""
        items = {name: each.calculation.items_total for name, each in self.calculations.items() if each.applicable}
        return name_counts(self.alignment, self.options.relations, items)

    @cached_property
    def chance(self) -> Chance | None:
        """What the scores would be by chance, and how far above that they are; None without the option ``chance``.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> chance = aifgraph.compare(graph, graph, chance=20).chance
        >>> chance.mean["kappa"] < 0.5, chance.above["kappa"]
        (True, 1.0)
        """
        rounds = self.options.chance
        if rounds is None:
            return None
        few = too_few(self.alignment)
        expected = {} if few else expected_means(self.alignment, self.options, rounds)
        nothing: Scores = dict.fromkeys(SCORES)
        over = {
            layer: above_chance(
                self._fused if layer == "all" else self.layers[layer],
                expected.get(layer, nothing),
                self.segmentation.S,
                one_sided=self._one_sided,
                too_few=few,
            )
            for layer in SCORE_LAYERS
        }
        return Chance(rounds, self.options.seed, over)

    @property
    def _one_sided(self) -> bool:
        return bool(self.alignment.first.units) != bool(self.alignment.second.units)

    @cached_property
    def wordless(self) -> bool:
        """Whether no unit of either side has a word, so that CASS is undefined."""
        return not any(side.has_words for side in (self.alignment.first, self.alignment.second))

    def _over(self, names: Iterable[str]) -> Fused:
        applicable = {
            name: scored.scores for name, scored in self.calculations.items() if name in names and scored.applicable
        }
        return self._fuse(applicable, SCORES)

    def _fuse(self, applicable: Mapping[str, Scores], names: Iterable[str]) -> Fused:
        return fused(
            applicable,
            names,
            self.segmentation.S,
            one_sided=self._one_sided,
            wordless=self.wordless,
            mean_of_layers=self.options.mean == "layers",
        )

    def classes(self, layer: Literal["propositions", "locutions"]) -> Iterator[dict[str, Any]]:
        """The classes that the nodes were put into, as plain values.

        Args:
            layer: which nodes: ``propositions`` or ``locutions``.

        Returns:
            For each class the ids of both sides (``first``, ``second``), the similarity (0 to 1), what matched them
            (``by``), and why in words (``because``).
        """
        aligned = self.alignment.propositions if layer == "propositions" else self.alignment.locutions
        for node_class in aligned.classes:
            yield {
                "first": [self.alignment.first.ids[node] for node in node_class.first],
                "second": [self.alignment.second.ids[node] for node in node_class.second],
                "similarity": node_class.similarity,
                "by": node_class.match.by if node_class.match else None,
                "because": self.alignment.because(node_class),
            }

    @gc_paused
    def differences(self) -> Differences:
        """What the two disagree about, one disagreement a row, in the order of the text (see ``Differences``).

        Returns:
            The rows, each with its kind, the texts, and the decisions of the matrices that it costs.

        >>> import aifgraph
        >>> first = aifgraph.load("fixtures/debate/first.json")
        >>> differences = aifgraph.compare(first, aifgraph.load("fixtures/debate/second.json")).differences()
        >>> len(differences), differences.rows[0].kind
        (8, 'reworded')
        """
        return differences(self.alignment, self.calculations)

    def items(self) -> dict[str, list[dict[str, Any]]]:
        """What stands behind every cell of every calculation that applies but (none, none).

        Returns:
            For each calculation a list of plain values: the two labels (a ``cell``), the item in words, and the ids of
            its nodes on each side.
        """
        return {
            name: [
                {"cell": list(cell), **item.to_dict()}
                for cell in each.matrix.cells
                if cell != (NONE, NONE)
                for item in each.items(*cell)
            ]
            for name, each in self.calculations.items()
            if each.applicable
        }

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> StoredComparison:
        """The comparison of a document that ``to_dict`` made: every number and table of it, without the maps.

        Args:
            document: the parsed JSON of ``compare --format json``, of this version or an earlier one from 0.2.0.

        Returns:
            The stored comparison: its numbers, tables and signature.

        Raises:
            FormatError: the document is no result, a damaged one (its scores are not those of its matrices, for
                instance), or one of a later version.

        >>> import aifgraph
        >>> result = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
        >>> round(aifgraph.Comparison.from_dict(result.to_dict()).kappa, 3)
        0.914
        """
        return StoredComparison.of(document)

    @gc_paused
    def to_dict(self, *, items: bool = False) -> dict[str, Any]:
        """The whole result as plain values (``schemas/comparison.schema.json``).

        Args:
            items: whether to list the items behind every cell.

        Returns:
            Dictionaries, lists, strings, numbers and None.
        """
        alignment, placement = self.alignment, self.alignment.placement
        reasons: dict[str, dict[str, str]] = {"cass": self.undefined}
        reasons.update((layer, scores.reasons) for layer, scores in self.layers.items())
        return {
            "aifgraph": __version__,
            "schema_version": SCHEMA_VERSION,
            "signature": self.signature,
            "first": _side_dict(self.names[0], alignment.first, placement.first, self.input_hashes[0]),
            "second": _side_dict(self.names[1], alignment.second, placement.second, self.input_hashes[1]),
            "text_overlap": placement.axis.overlap if placement.axis else None,
            "alignment": {
                "propositions": {
                    "classes": len(alignment.propositions.classes),
                    "matched": alignment.propositions.matched,
                    "by_meaning": alignment.propositions.matched_by("meaning"),
                    "pairs": list(self.classes("propositions")),
                },
                "locutions": {
                    "classes": len(alignment.locutions.classes),
                    "matched": alignment.locutions.matched,
                    "by_meaning": alignment.locutions.matched_by("meaning"),
                    "pairs": list(self.classes("locutions")),
                },
            },
            "calculations": {name: scored.to_dict() for name, scored in self.calculations.items()},
            **({"items": self.items()} if items else {}),
            "breakdown": self.breakdown.to_dict(),
            "segmentation": self.segmentation.to_dict(),
            "n": self.n,
            "mean": self.mean,
            "cass": self.cass,
            "layers": {
                layer: {**scores.cass, "mean": scores.mean, **self._chance_dict(layer)}
                for layer, scores in self.layers.items()
            },
            **self._chance_dict("all"),
            "undefined": {what: why for what, why in reasons.items() if why},
            "warnings": [notice.message for notice in self.warnings],
        }

    def _chance_dict(self, layer: ScoreLayer) -> dict[str, Any]:
        return {"chance": self.chance.to_dict(layer)} if self.chance else {}

    def _side_rows(self) -> list[list[Cell]]:
        alignment, placement = self.alignment, self.alignment.placement
        return [
            [side, name, len(own.propositions), len(own.locutions), len(own.units), placed.placed, placed.text]
            for side, name, own, placed in (
                ("first", self.names[0], alignment.first, placement.first),
                ("second", self.names[1], alignment.second, placement.second),
            )
        ]

    def _match_rows(self) -> list[list[Cell]]:
        layers = (("propositions", self.alignment.propositions), ("locutions", self.alignment.locutions))
        return [[name, len(layer.classes), layer.matched, layer.matched_by("meaning")] for name, layer in layers]

    def to_html(self) -> str:
        """A self-contained page that shows the comparison: maps, texts, matrices, alignment, warnings.

        Returns:
            The HTML of the page; it needs no network and no other file.
        """
        html: str = hook("report_html")(self)
        return html

    def show(self, path: str | PathLike[str] | None = None, *, browser: bool = True) -> Path:
        """Write the page and open it in the browser.

        Args:
            path: Where the page goes; by default a new temporary file, which stays.
            browser: Whether to open it.

        Returns:
            The file.

        Raises:
            InputError: The file cannot be written.
        """
        file: Path = hook("show_comparison")(self, path, browser=browser)
        return file

    def __repr__(self) -> str:
        kappa, f1 = shown(self.cass["kappa"]), shown(self.cass["f1"])
        return f"<Comparison CASS-κ {kappa} CASS-F1 {f1} of {self.first.name!r} and {self.second.name!r}>"

    def _repr_html_(self) -> str:
        html: str = hook("comparison_html")(self)
        return html


def _side_dict(name: str, analysis: Analysis, side: SidePlacement, sha256: str) -> dict[str, Any]:
    return {
        "source": analysis.graph.name,
        "name": name,
        "text": side.text,
        "propositions": len(analysis.propositions),
        "locutions": len(analysis.locutions),
        "units": len(analysis.units),
        "placed": side.placed,
        "sha256": sha256,
    }


@gc_paused
def compare(
    first: ArgumentGraph | Source,
    second: ArgumentGraph | Source,
    *,
    first_text: str | SourceText | None = None,
    second_text: str | SourceText | None = None,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Comparison:
    """Compare two analyses of one text with CASS.

    Swapping the two transposes every matrix and leaves the symmetric scores as they are.

    Source: Duthie, Lawrence, Budzynska and Reed 2016, as defined in ``docs/measures.md``.

    Args:
        first: a graph, or whatever :func:`aifgraph.load` takes: a path, an open file, a parsed document, an address.
            Rows of matrices are its.
        second: the other analysis, given in the same way. Columns of matrices are its.
        first_text: the source text of the first, which may be marked up; None for that of the graph. A text that only
            one side has serves both.
        second_text: the source text of the second, in the same way.
        options: how to compare; None for the defaults.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``. Relations and
            calculations are given by name or code, as a list or joined: ``relations="RA+CA"``, ``calculations=["PR",
            "TR"]``.

    Returns:
        The scores, with everything that they were made of.

    Raises:
        OptionError: there is no such option, or not with such a value.
        InputError: a map cannot be read (``FormatError``, ``NotFoundError``, ``LimitError``).
        RemoteError: a server does not answer as it should, for an address.

    >>> import aifgraph
    >>> graph = aifgraph.loads('{"nodes": [{"nodeID": 1, "type": "I", "text": "Masks help"}], "edges": []}')
    >>> result = aifgraph.compare(graph, graph)
    >>> result.cass["kappa"] is None, result.undefined["kappa"]
    (True, 'no calculation applies')
    """
    chosen = Options.given(options, **keywords)
    first, second = (given if isinstance(given, ArgumentGraph) else load(given) for given in (first, second))
    gate = Gate(chosen.gate, chosen.min_overlap, chosen.min_similarity)
    alignment = align(
        first,
        second,
        MatchingRules(chosen.matching, chosen.granularity, gate, chosen.encoder, chosen.min_meaning),
        first_text=_given_text("first_text", first_text),
        second_text=_given_text("second_text", second_text),
    )
    calculations, notices = calculate(alignment, chosen.calculations, types=chosen.relations, layers=chosen.layers)
    warnings = [
        *(replace(notice, message=f"first: {notice.message}") for notice in first.notices),
        *(replace(notice, message=f"second: {notice.message}") for notice in second.notices),
        *alignment.placement.notices,
        *notices,
    ]
    return Comparison(
        alignment,
        ScoredCalculations({name: ScoredCalculation(each, alignment) for name, each in calculations.items()}),
        segmentation_of(alignment, chosen.segmentation),
        chosen,
        tuple(warnings),
    )


def _given_text(name: str, text: object) -> SourceText | None:
    if text is None or isinstance(text, SourceText):
        return text
    if isinstance(text, str):
        return SourceText(text, "given")
    raise OptionError(f"{name} is of type {type(text).__name__}", remedy="give a string or a SourceText")
