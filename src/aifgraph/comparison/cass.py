"""Segmentation similarity S, scores of calculations, M and CASS (docs/measures.md, sections 5 to 7).

S says how alike two analyses cut their text, M is the mean of a score over the calculations that apply, and
``CASS = 2·M·S / (M + S)``, 0 where M or S is not above 0 (Duthie et al. 2016).

A text of n words has n − 1 places where an inner boundary may stand; the place p lies before word p (counted from 0)::

    words        w0   w1   w2   w3   w4   w5
    places          1    2    3    4    5
    first           |         |                 boundaries (1, 3), masses 1 2 3
    second          |              |            boundaries (1, 4), masses 1 3 2

S and B count edits: additions (a boundary that only one side has, weight 1) and transpositions (one moved by one place,
weight 1/2). Everything is linear in the number of boundaries, whatever the length of the text.

>>> first, second = Segmentation(6, (1, 3)), Segmentation(6, (1, 4))
>>> measures(first, second)
SegmentationMeasures(S=0.9, B=0.75, Pk=0.5, WindowDiff=0.5)

Sources: Fournier and Inkpen (2012), Segmentation similarity and agreement; Fournier (2013), Evaluating text
segmentation using boundary edit distance; Beeferman, Berger, Lafferty (1999), Statistical models for text segmentation
(Pk); Pevzner and Hearst (2002), A critique and improvement of an evaluation metric for text segmentation (WindowDiff).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, get_args

from aifgraph.align.alignment import NODE_KINDS, Alignment, NodeKind
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations import CALCULATIONS, LAYERS, LabelledItems
from aifgraph.stats.scores import NONE, SCORES, ConfusionMatrix, mean_of, quotient, score_all, undefined_reason
from aifgraph.text.words import words_of


class Strict:
    """Marks what a document must have in its own type, perhaps within bounds: "3" is no count, and 1 no truth."""

    def __init__(self, **bounds: int) -> None:
        self.bounds = bounds

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return {**handler(source), "strict": True, **self.bounds}


#: Counts are summed and divided: what a float cannot hold exactly is none.
Natural = Annotated[int, Strict(ge=0, le=2**53)]
Real = Annotated[float, Strict()]
Flag = Annotated[bool, Strict()]
#: Values by the name of their score; None where one is undefined.
Scores = Mapping[str, Real | None]
#: The calculations of a CASS: all, or those of the argument or the dialogue.
ScoreLayer = Literal["all", "propositional", "dialogical"]
SCORE_LAYERS: Final[tuple[ScoreLayer, ...]] = get_args(ScoreLayer)
#: What stands before M and CASS of a layer, in the order of reports.
LAYER_NAMES: Final[dict[ScoreLayer, str]] = {"propositional": "argument ", "dialogical": "dialogue ", "all": ""}
#: What a field is called in JSON, where that is not its name.
_KEYS: Final = {
    "rows": "matrix",
    "matches": "alignment",
    "name_counts": "breakdown",
    "weight": "edits",
    "how": "signature",
}
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

    applicable: Flag
    items: Natural
    labels: tuple[str, ...]
    rows: tuple[tuple[Natural, ...], ...]
    reason: str = ""
    coverage: Coverage | None = None

    @classmethod
    def from_items(cls, items: LabelledItems, coverage: Coverage | None = None) -> CalculationResult:
        """Return the result of labelled items."""
        matrix = items.matrix
        result = cls(not items.reason, items.size, matrix.labels, matrix.rows, items.reason, coverage)
        vars(result)["matrix"] = matrix
        return result

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
    S: Real | None
    B: Real | None
    Pk: Real | None
    WindowDiff: Real | None
    masses: tuple[tuple[Natural, ...], tuple[Natural, ...]] | None
    weight: Annotated[float, Strict(ge=0)]
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
        scores = {
            name: calculation.scores
            for name, calculation in calculations.items()
            if calculation.applicable and counts_in(name, layer)
        }
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


# -- against chance (docs/measures.md, section 9) ----------------------------------------------------------------------

#: What is expected by chance: M of a layer, or the scores of explicit relations.
Expected = ScoreLayer | Literal["explicit"]

_TOO_FEW = "each side has at most one proposition and at most one locution: there is nothing to permute"


@dataclass(frozen=True)
class ExpectedMeans:
    """M by chance, for every layer and score; ``too_few``: there was nothing to permute.

    ``explicit`` are the scores of explicit relations, None where they do not apply.
    """

    rounds: Natural
    seed: Natural
    means: Mapping[ScoreLayer, Scores]
    too_few: Flag = False
    explicit: Scores | None = None

    def __post_init__(self) -> None:
        if set(self.means) != set(SCORE_LAYERS) or any(
            set(scores) != set(SCORES) for scores in (*self.means.values(), self.explicit or SCORES)
        ):
            raise ValueError("not the scores of every layer")


@dataclass(frozen=True, slots=True)
class AboveChance:
    """By score: M by chance (``mean``, never below 0), how far M is above that, CASS of that, and why one is undefined.

    ``above`` is 0 where M is as by chance, 1 for full agreement. Of explicit relations, their own scores stand in place
    of M, and there is no CASS.
    """

    mean: Scores
    above: Scores
    cass: Scores
    undefined: Mapping[str, str] = field(default_factory=dict)


def above_chance(scores: Scores, expected: Scores, undefined: Mapping[str, str], *, too_few: bool) -> AboveChance:
    """Return ``(score − E) / (1 − E)`` of every score, without CASS; ``undefined`` is why scores are.

    >>> round(above_chance({"kappa": 0.6}, {"kappa": 0.2}, {}, too_few=False).above["kappa"], 3)
    0.5
    """
    above: dict[str, float | None] = {}
    reasons = dict(undefined)
    for name, score in scores.items():
        chance = expected[name]
        above[name] = None if score is None or chance is None or chance == 1 else (score - chance) / (1 - chance)
        if above[name] is None and too_few:
            reasons[name] = _TOO_FEW
        elif above[name] is None and score is not None:
            reasons[name] = "undefined in every round" if chance is None else "chance alone gives 1"
    return AboveChance(expected, above, {}, reasons)


# -- measures of two segmentations ------------------------------------------------------------------------------------

#: The span of a transposition in places, both ends counted (the n_t of Fournier and Inkpen).
_N_T: Final = 2
#: From windows of this many words on segeval's WindowDiff fails: it compares two ints by ``is``.
_SEGEVALS_LIMIT: Final = 256


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A text of ``length`` words, cut before each word in ``boundaries`` (sorted, unique, 1 to length − 1)."""

    length: int
    boundaries: tuple[int, ...] = ()

    @classmethod
    def from_boundaries(cls, length: int, boundaries: Iterable[int]) -> Segmentation:
        """Return a segmentation by boundaries in any order; those not inside the text do not count."""
        return cls(length, tuple(sorted({boundary for boundary in boundaries if 0 < boundary < length})))

    @property
    def masses(self) -> tuple[int, ...]:
        """The numbers of words of the segments; of a text without words, none."""
        ends = (0, *self.boundaries, self.length)
        return tuple(end - start for start, end in pairwise(ends)) if self.length else ()


class Edits(NamedTuple):
    """How many boundaries only one side has, how many are moved by one place, and how many both have."""

    additions: int
    transpositions: int
    matches: int

    @property
    def weight(self) -> float:
        """The weight of all edits."""
        return self.additions + self.transpositions / _N_T


class SegmentationMeasures(NamedTuple):
    """The four measures of a pair, None where one is undefined. Pk and WindowDiff are distances."""

    S: float | None = None
    B: float | None = None
    Pk: float | None = None
    WindowDiff: float | None = None


def edits(first: Segmentation, second: Segmentation) -> Edits:
    """Return the boundary edit distance: transpositions by one place, left to right; the rest are additions.

    Transpositions do not share a place.
    """
    ours, theirs = set(first.boundaries), set(second.boundaries)
    missed = ours ^ theirs
    transpositions = 0
    last = -1  # the last boundary that is taken
    for boundary in sorted(missed):
        if boundary > last and boundary + 1 in missed and (boundary in ours) != (boundary + 1 in ours):
            transpositions, last = transpositions + 1, boundary + 1
    return Edits(len(missed) - 2 * transpositions, transpositions, (len(ours) + len(theirs) - len(missed)) // 2)


def edit_similarity(weight: float, potential: int) -> float:
    """Return S: the share of what could be edited without an edit; 1 without edits, and never below 0."""
    if not weight:
        return 1.0
    return max(0.0, (potential - weight) / potential) if potential else 0.0


def measures(first: Segmentation, second: Segmentation) -> SegmentationMeasures:
    """Return all four, with ``first`` as the reference of Pk and WindowDiff.

    S = 1 − weight of the edits / (words − 1), B = 1 − weight of the edits / (edits + boundaries in common); both are 1
    for two texts without inner boundary, and undefined without a word. Pk is the share of windows where only one side
    has a boundary inside, WindowDiff of those where the two sides have different numbers of boundaries inside; both are
    undefined where no window fits.
    """
    if not first.length:
        return SegmentationMeasures()
    changes = edits(first, second)
    count, weight = sum(changes), changes.weight
    boundary_similarity = (count - weight) / count if count else 1.0
    return SegmentationMeasures(
        edit_similarity(weight, first.length - 1), boundary_similarity, *_windows(first, second)
    )


def window_size(reference: Segmentation) -> int:
    """Return half the mean mass of the reference in words, rounded half to even, and at least 2.

    >>> window_size(Segmentation(10, (5,))), window_size(Segmentation(14, (7,)))
    (2, 4)
    """
    segments = len(reference.boundaries) + 1
    size, rest = divmod(reference.length, 2 * segments)
    if rest > segments or (rest == segments and size % 2):
        size += 1
    return max(2, size)


def with_segeval(first: Segmentation, second: Segmentation) -> SegmentationMeasures:
    """Return all four by segeval 2.0.11, Fournier's own package; None for each that it cannot give.

    It fails on S and B of two texts without inner boundary (of which S is 1 here) and on WindowDiff with windows of 256
    words and more; of a text of one or two words, where no window fits, it makes a Pk of 0 and a WindowDiff of −0,
    which is None here. Time and memory grow with the words of the text (WindowDiff: times those of the window).
    """
    if not first.length:
        return SegmentationMeasures()
    import segeval

    ours, theirs = first.masses, second.masses
    similar, same, far, different = 1.0, None, None, None
    if first.boundaries or second.boundaries:
        similar = float(segeval.segmentation_similarity(ours, theirs, n_t=_N_T))
        same = float(segeval.boundary_similarity(ours, theirs, n_t=_N_T))
    window = window_size(first)
    if window < first.length:
        far = float(segeval.pk(theirs, ours))
        if window < _SEGEVALS_LIMIT:
            different = float(segeval.window_diff(theirs, ours))
    return SegmentationMeasures(similar, same, far, different)


def _windows(reference: Segmentation, hypothesis: Segmentation) -> tuple[float | None, float | None]:
    """Return Pk and WindowDiff. Window i holds the places i + 1 to i + window; i runs from 0 to length − window − 1."""
    window = window_size(reference)
    count = reference.length - window
    if count <= 0:
        return None, None
    # A boundary comes into the window at i = place − window and is out of it at i = place. Between two such events
    # nothing changes, so runs of windows are counted at once. The four lists are sorted: sorting them joined is linear.
    events = [(count, 0, 0)]
    for side, marks in enumerate((reference.boundaries, hypothesis.boundaries)):
        events += [(max(mark - window, 0), side, 1) for mark in marks]
        events += [(mark, side, -1) for mark in marks if mark < count]
    events.sort()
    inside = [0, 0]
    far = different = now = 0
    for at, side, change in events:
        if inside[0] != inside[1]:
            different += at - now
            if not (inside[0] and inside[1]):
                far += at - now
        now = at
        inside[side] += change
    return far / count, different / count


# -- S of an alignment -----------------------------------------------------------------------------------------------


def segmentation_of(alignment: Alignment) -> SegmentationScore:
    """Return S of an alignment, and the other measures where positions are known."""
    placement = alignment.placement
    if not placement.fits:
        return _by_units(alignment)
    first, second = (Segmentation.from_boundaries(placement.length, side.boundaries) for side in placement.sides)
    values = (with_segeval if alignment.options.segmentation == "segeval" else measures)(first, second)
    masses = first.masses, second.masses
    return SegmentationScore("positions", *values, masses, edits(first, second).weight, placement.length - 1)


def _by_units(alignment: Alignment) -> SegmentationScore:
    """Return S = 1 − E / U: E sums the differences in number of nodes over all classes, U is the number of nodes."""
    (first, second), options = alignment.analyses, alignment.options
    required = options.reference == "first"
    kept = [nodes for nodes in NODE_KINDS if options.layers == "all" or (required and getattr(first, nodes))]
    nodes, other_nodes = _counted_nodes(first, second, kept), _counted_nodes(second, first, kept)
    if not any(
        words_of(side.said[node]) for side, of_side in ((first, nodes), (second, other_nodes)) for node in of_side
    ):
        return SegmentationScore("units", None, None, None, None, None, 0.0, 0)
    differing = 0.0
    for node_class in (*alignment.propositions.classes, *alignment.locutions.classes):
        differing += abs(len(nodes.intersection(node_class.first)) - len(other_nodes.intersection(node_class.second)))
    units = len(nodes) + len(other_nodes)
    return SegmentationScore("units", edit_similarity(differing, units), None, None, None, None, differing, units)


def _counted_nodes(own: Analysis, other: Analysis, kept: Collection[NodeKind]) -> set[int]:
    """Return the units of a side, or all its nodes of the one kind (propositions or locutions) that both sides have,
    if the other kind need not be ``kept``."""
    for common, lacking in (NODE_KINDS, NODE_KINDS[::-1]):
        both = bool(getattr(own, common) and getattr(other, common)) and lacking not in kept
        if both and bool(getattr(own, lacking)) != bool(getattr(other, lacking)):
            return set(getattr(own, common))
    return set(own.units)
