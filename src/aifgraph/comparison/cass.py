"""Scores of calculations, S, M and CASS (docs/measures.md, sections 5 to 7).

Segmentation similarity S says how alike two analyses cut their text, M is the mean of a score over the calculations
that apply, and ``CASS = 2·M·S / (M + S)``, 0 where M or S is not above 0 (Duthie et al. 2016).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, get_args

from annotated_types import Ge, Le

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations import CALCULATIONS, LAYERS
from aifgraph.comparison.options import CountedLayers, SegmentationEngine, signature_words
from aifgraph.errors import OptionError
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.stats.scores import SCORES, mean_of, quotient, score_all, undefined_reason
from aifgraph.tables import Result
from aifgraph.text.segmentation import Segmentation, edit_similarity, edits, measures, with_segeval
from aifgraph.text.words import words_of

#: Counts are summed and divided: what a float cannot hold exactly is none.
Natural = Annotated[int, Ge(0), Le(2**53)]
#: Values by the name of their score; None where one is undefined.
Scores = Mapping[str, float | None]
#: The calculations of a CASS: all, or those of the argument or the dialogue.
ScoreLayer = Literal["all", "propositional", "dialogical"]
SCORE_LAYERS: Final[tuple[ScoreLayer, ...]] = get_args(ScoreLayer)
#: What stands before M and CASS of a layer, in the order of reports.
LAYER_NAMES: Final[dict[ScoreLayer, str]] = {"propositional": "argument ", "dialogical": "dialogue ", "all": ""}
#: What a field is called in JSON, where that is not its name.
_KEYS: Final = {"rows": "matrix", "matches": "alignment", "name_counts": "breakdown", "weight": "edits"}
#: How pydantic reads and writes the classes here.
JSON: Final[dict[str, Any]] = {
    "alias_generator": lambda name: _KEYS.get(name, name),
    "allow_inf_nan": False,
    "ser_json_inf_nan": "null",
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the relations of each side take part in a calculation, of how many."""

    first: tuple[Natural, Natural]
    second: tuple[Natural, Natural]


@dataclass(frozen=True)
class CalculationResult:
    """A calculation: whether it applies (or the ``reason`` why not), its number of items, and its matrix.

    The ``rows`` of the matrix are the first analysis. ``coverage`` is of a calculation in which not all relations take
    part.
    """

    __pydantic_config__: ClassVar = JSON

    applicable: bool
    items: Natural
    labels: tuple[str, ...]
    rows: tuple[tuple[Natural, ...], ...]
    reason: str = ""
    coverage: Coverage | None = None

    def __post_init__(self) -> None:
        try:
            _ = self.matrix
        except OptionError as error:
            raise ValueError(str(error)) from None
        if self.applicable and {*self.labels} <= {NONE}:
            raise ValueError("a calculation applies, and has no label")

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix; an item with two labels counts twice."""
        return ConfusionMatrix(self.labels, self.rows)

    @cached_property
    def scores(self) -> Scores:
        """Every score by name; None where it is undefined or the calculation does not apply."""
        return score_all(self.matrix) if self.applicable else dict.fromkeys(SCORES)

    @property
    def labelled_items(self) -> int:
        """The number of items that a side gives a label."""
        return self.items - self.matrix.count(NONE, NONE)

    @property
    def label_count(self) -> int:
        """The number of labels: what both sides give, and what only one does; an item with two counts twice."""
        return self.matrix.total - self.matrix.count(NONE, NONE)

    @property
    def undefined(self) -> dict[str, str]:
        """Why scores are undefined, by name."""
        if not self.applicable:
            return {}
        return {name: undefined_reason(name, self.matrix) for name, value in self.scores.items() if value is None}

    def to_dict(self) -> dict[str, Any]:
        """Return the computed scores as plain values."""
        return {"label_count": self.label_count, **self.scores, "undefined": self.undefined}


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """S, and where positions are known B, Pk and WindowDiff; S and B are similarities, Pk and WindowDiff distances.

    None is undefined, with its reason in ``reasons``. A corpus sums the ``weight`` of all edits and the number of
    ``potential`` boundaries (in mode ``units``: of units). ``masses`` are the lengths of the segments of both sides in
    words; None without positions.
    """

    mode: Literal["positions", "units"]
    S: float | None
    B: float | None
    Pk: float | None
    WindowDiff: float | None
    masses: tuple[tuple[Natural, ...], tuple[Natural, ...]] | None
    weight: Annotated[float, Ge(0)]
    potential: Natural

    @property
    def reasons(self) -> dict[str, str]:
        """Why a measure is undefined."""
        why = "there are no positions" if self.mode == "units" else "the text is too short for it"
        values = {"B": self.B, "Pk": self.Pk, "WindowDiff": self.WindowDiff}
        reasons = {name: why for name, value in values.items() if value is None}
        return {"S": "no unit has a word", **reasons} if self.S is None else reasons


@dataclass(frozen=True, slots=True)
class Cass:
    """M and CASS by score over ``n`` calculations, and why CASS is undefined where it is."""

    n: int
    mean: Scores
    cass: Scores
    undefined: Mapping[str, str] = field(default_factory=dict)


def fuse(mean: Any, similarity: Any) -> Any:
    """Return the harmonic mean of M and S, numbers or arrays of them; 0 where one is not above 0, None (in arrays NaN)
    where one is undefined.

    >>> round(fuse(0.43, 0.95), 2), fuse(-0.1, 0.9), fuse(None, 0.9)
    (0.59, 0.0, None)
    """
    if mean is None or similarity is None:
        return None
    positive = (mean > 0) & (similarity > 0)
    return quotient(2 * mean * similarity * positive, mean + similarity, 0.0) + 0.0  # 0.0: never -0.0


def counts_in(name: str, layer: ScoreLayer) -> bool:
    """Whether a calculation counts in a layer."""
    return layer == "all" or CALCULATIONS[name].layer == layer


def means_over(
    scores: Mapping[str, Mapping[str, Any]], names: Iterable[str], *, mean_of_layers: bool = False
) -> dict[str, Any]:
    """Return M of every score from the scores (numbers or arrays) of the calculations that apply, by their names.

    ``mean_of_layers``: M is the mean of the means of the layers.
    """
    if not mean_of_layers:
        return {score: mean_of([values[score] for values in scores.values()]) for score in names}
    groups = [[values for name, values in scores.items() if counts_in(name, layer)] for layer in LAYERS]
    return {score: mean_of([mean_of([values[score] for values in group]) for group in groups]) for score in names}


def cass_by_layer(
    calculations: Mapping[str, CalculationResult],
    similarity: float | None,
    *,
    mean_of_layers: bool,
    one_sided: bool,
) -> dict[ScoreLayer, Cass]:
    """Return M and CASS of the whole and of each layer over the calculations that apply.

    ``one_sided``: only one side has units, so that both are 0.
    """
    by_layer: dict[ScoreLayer, Cass] = {}
    for layer in SCORE_LAYERS:
        scores = {name: of.scores for name, of in calculations.items() if of.applicable and counts_in(name, layer)}
        if one_sided and (scores or layer == "all"):
            by_layer[layer] = Cass(len(scores), dict.fromkeys(SCORES, 0.0), dict.fromkeys(SCORES, 0.0))
            continue
        mean = means_over(scores, SCORES, mean_of_layers=mean_of_layers)
        cass = {name: fuse(value, similarity) for name, value in mean.items()}
        if not scores:
            reason = "no calculation applies"
        elif similarity is None:
            reason = "neither analysis has a word"
        else:
            reason = "the score is undefined in every calculation that applies"
        undefined = {name: reason for name, value in cass.items() if value is None}
        by_layer[layer] = Cass(len(scores), mean, cass, undefined)
    return by_layer


class PairScores(Result):
    """S, M and CASS, which a result and a comparison have in common."""

    segmentation: SegmentationScore
    if TYPE_CHECKING:  # fields of the one, properties of the other

        @property
        def signature(self) -> str: ...
        @property
        def calculations(self) -> Mapping[str, CalculationResult]: ...
        @property
        def one_sided(self) -> bool: ...

    @property
    def mean_of_layers(self) -> bool:
        """Whether M is the mean of the layers' means, and not of all calculations."""
        return signature_words(self.signature).get("mean") == "layers"

    @cached_property
    def layers(self) -> dict[ScoreLayer, Cass]:
        """M and CASS of the whole (``all``) and of each layer: ``layers["propositional"].cass["kappa"]``."""
        return cass_by_layer(self.calculations, self.S, mean_of_layers=self.mean_of_layers, one_sided=self.one_sided)

    @property
    def S(self) -> float | None:  # noqa: N802  (its name in the literature)
        """Segmentation similarity."""
        return self.segmentation.S

    @property
    def mean(self) -> Scores:
        """M: the mean of each score over the calculations that apply, or over the layers (``Options.mean``)."""
        return self.layers["all"].mean

    @property
    def cass(self) -> Scores:
        """CASS by score: ``cass["kappa"]`` is CASS-κ."""
        return self.layers["all"].cass

    @property
    def kappa(self) -> float | None:
        """CASS-κ."""
        return self.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1."""
        return self.cass["f1"]


# -- segmentation -----------------------------------------------------------------------------------------------------


def segmentation_of(
    alignment: Alignment, engine: SegmentationEngine = "own", layers: CountedLayers = "common"
) -> SegmentationScore:
    """Return S of an alignment, and the other measures where positions are known."""
    placement = alignment.placement
    if not placement.fits or placement.axis is None:
        return _by_units(alignment, layers)
    length = placement.axis.length
    first, second = (Segmentation.of(length, side.boundaries) for side in (placement.first, placement.second))
    values = (with_segeval if engine == "segeval" else measures)(first, second)
    masses = first.masses, second.masses
    return SegmentationScore("positions", *values, masses, edits(first, second).weight, length - 1)


def _by_units(alignment: Alignment, layers: CountedLayers) -> SegmentationScore:
    """Return S = 1 − E / U: E sums the differences in number of nodes over all classes, U is the number of nodes."""
    sides = alignment.first, alignment.second
    first, second = (_counted_nodes(own, other, layers) for own, other in (sides, sides[::-1]))
    texts = (side.said[node] for side, nodes in zip(sides, (first, second), strict=True) for node in nodes)
    if not any(map(words_of, texts)):
        return SegmentationScore("units", None, None, None, None, None, 0.0, 0)
    differing = 0.0
    for node_class in (*alignment.propositions.classes, *alignment.locutions.classes):
        differing += abs(len(first.intersection(node_class.first)) - len(second.intersection(node_class.second)))
    units = len(first) + len(second)
    return SegmentationScore("units", edit_similarity(differing, units), None, None, None, None, differing, units)


def _counted_nodes(own: Analysis, other: Analysis, layers: CountedLayers) -> set[int]:
    """Return the units of a side, or all its nodes of the one kind (propositions or locutions) that both sides have."""
    propositions, locutions = own.propositions and other.propositions, own.locutions and other.locutions
    if layers == "common" and propositions and bool(own.locutions) != bool(other.locutions):
        return set(own.propositions)
    if layers == "common" and locutions and bool(own.propositions) != bool(other.propositions):
        return set(own.locutions)
    return set(own.units)
