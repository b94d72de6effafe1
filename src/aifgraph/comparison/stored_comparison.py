"""A comparison that is read back from its JSON: every number and table of it, without the maps."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from math import isclose
from typing import TYPE_CHECKING, Any

from aifgraph.comparison.breakdown import Breakdown, NameCounts
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, FusedLayers, ScoreLayer, Scores, means_over
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.comparison.comparison_tables import ComparisonTables
from aifgraph.comparison.options import signature_words
from aifgraph.errors import FormatError, OptionError
from aifgraph.formats.result_files import checked_comparison
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all
from aifgraph.tables import Cell, shown

if TYPE_CHECKING:
    from aifgraph.formats.schemas.results import AgainstChance, ComparisonResult, SegmentationResult

#: Two writings of one number differ by less.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class StoredCalculation:
    """A calculation of a stored comparison: its matrix, and the scores of that."""

    applicable: bool
    reason: str
    items_total: int
    matrix: ConfusionMatrix

    @cached_property
    def scores(self) -> dict[str, float | None]:
        """Every score by name."""
        return score_all(self.matrix) if self.applicable else dict.fromkeys(SCORES)

    def __getitem__(self, score: str) -> float | None:
        return self.scores[score]


@dataclass(frozen=True, repr=False)
class StoredComparison(ComparisonTables):
    """A comparison as its JSON has it. What needs the maps (items, differences, pages) is not there.

    >>> import aifgraph
    >>> result = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    >>> stored = aifgraph.Comparison.from_dict(result.to_dict())
    >>> stored.kappa == result.kappa, str(stored) == str(result)
    (True, True)
    """

    document: ComparisonResult
    plain: Mapping[str, Any]
    calculations: Mapping[str, StoredCalculation]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> StoredComparison:
        """The comparison of a document.

        Raises:
            FormatError: the document is no result, a damaged one, or one of a later version.
        """
        model = checked_comparison(document)
        calculations = {}
        for name, calculation in model.calculations.items():
            try:
                rows = tuple(map(tuple, calculation.matrix or ()))
                matrix = ConfusionMatrix(tuple(calculation.labels or ()), rows)
            except (OptionError, ValueError) as error:
                raise _damaged(f"calculations.{name}: {error}") from None
            calculations[name] = StoredCalculation(
                calculation.applicable, calculation.reason or "", calculation.items or 0, matrix
            )
        stored = cls(model, deepcopy(dict(document)), calculations)
        stored._check_numbers()
        return stored

    def _check_numbers(self) -> None:
        """Whether the scores are those of the matrices: nothing else shows that a number was changed."""
        for name, calculation in self.calculations.items():
            stored = self.document.calculations[name]
            if stored.decisions != calculation.matrix.total:
                raise _damaged(f"calculations.{name}: decisions is not the sum of the matrix")
            _check_equal(calculation.scores, stored.model_dump(), f"calculations.{name}")
        by_layer = signature_words(self.signature).get("mean") == "layers"
        applicable = {name: each.scores for name, each in self.calculations.items() if each.applicable}
        _check_equal(means_over(applicable, SCORES, mean_of_layers=by_layer), self.document.mean.model_dump(), "mean")
        if missing := set(SCORE_LAYERS) - {"all"} - self.document.layers.keys():
            raise _damaged(f"layers: {min(missing)} is missing")

    @property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        return self.document.signature

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings that came with the result."""
        return tuple(self.document.warnings)

    @property
    def measures(self) -> dict[str, float | None]:
        """The measures other than CASS that were requested."""
        return self.document.measures or {}

    @property
    def segmentation(self) -> SegmentationResult:
        """S and the measures next to it."""
        return self.document.segmentation

    @cached_property
    def layers(self) -> FusedLayers:
        """M and CASS of each layer alone."""
        undefined = self.document.undefined
        return FusedLayers(
            (layer, Fused(_of(scores.mean), _of(scores), undefined.get(layer, {})))
            for layer in SCORE_LAYERS
            if layer != "all" and (scores := self.document.layers[layer])
        )

    @cached_property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores."""
        applicable = {name: each.matrix for name, each in self.calculations.items() if each.applicable}
        return Breakdown.of(applicable, self.name_counts)

    @property
    def name_counts(self) -> NameCounts:
        """What the breakdown needs besides the matrices."""
        behind = self.document.breakdown
        cells = {
            type_: {(first, second): count for first, second, count in names.cells}
            for type_, names in behind.schemes.items()
        }
        speakers = {(first, second): count for first, second, count in behind.speakers.cells}
        items = {name: each.items_total for name, each in self.calculations.items() if each.applicable}
        return NameCounts(items, cells, speakers)

    @cached_property
    def chance(self) -> Chance | None:
        """What the scores would be by chance, where it was worked out."""
        whole = self.document.chance
        if whole is None:
            return None
        over: dict[ScoreLayer, AboveChance] = {"all": _against(whole)}
        for layer in SCORE_LAYERS:
            if layer != "all" and (against := self.document.layers[layer].chance):
                over[layer] = _against(against)
        if over.keys() != set(SCORE_LAYERS):
            raise _damaged("layers: chance is missing")
        return Chance(whole.rounds, whole.seed, over)

    def to_dict(self) -> dict[str, Any]:
        """The document as it was read."""
        return deepcopy(dict(self.plain))

    @cached_property
    def _fused(self) -> Fused:
        return Fused(_of(self.document.mean), _of(self.document.cass), self.document.undefined.get("cass", {}))

    @property
    def _scored(self) -> Mapping[str, StoredCalculation]:
        return self.calculations

    @property
    def _cuts(self) -> SegmentationResult:
        return self.document.segmentation

    @property
    def _warnings(self) -> tuple[str, ...]:
        return self.warnings

    def _side_rows(self) -> list[list[Cell]]:
        sides = (("first", self.document.first), ("second", self.document.second))
        return [
            [side, of.name or of.source, of.propositions, of.locutions, of.units, of.placed, of.text]
            for side, of in sides
        ]

    def _match_rows(self) -> list[list[Cell]]:
        layers = (
            ("propositions", self.document.alignment.propositions),
            ("locutions", self.document.alignment.locutions),
        )
        return [[name, of.classes, of.matched, of.by_meaning] for name, of in layers]

    def __repr__(self) -> str:
        return f"<StoredComparison CASS-κ {shown(self.kappa)} CASS-F1 {shown(self.f1)}>"


def _of(scores: Any) -> dict[str, float | None]:
    return {name: getattr(scores, name) for name in SCORES} if scores is not None else dict.fromkeys(SCORES)


def _against(chance: AgainstChance) -> AboveChance:
    return AboveChance(_of(chance.mean), _of(chance.above), _of(chance.cass), chance.undefined or {})


def _check_equal(computed: Scores, stored: Mapping[str, Any], where: str) -> None:
    for name, value in computed.items():
        other = stored.get(name)
        if (value is None) != (other is None):
            raise _damaged(f"{where}.{name} is {other}, and by the matrices {value}")
        if value is not None and other is not None and not isclose(value, other, rel_tol=0, abs_tol=_TOLERANCE):
            raise _damaged(f"{where}.{name} is {other}, and by the matrices {value}")


def _damaged(what: str) -> FormatError:
    return FormatError(f"a damaged result: {what}"[:300], remedy="make it again: aifgraph compare … --format json")
