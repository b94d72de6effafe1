"""The result of comparing two analyses of one text: what is stored of it, and what follows from that.

A ``PairResult`` holds what was counted: both sides, how they were matched, a matrix for each calculation, the measures
of segmentation, what stands behind the scores. Every score is a property of it, computed from these counts. A
``Comparison`` (``aifgraph.comparison.comparison``) is a result that still has its maps.

Its fields are the JSON of a result: ``aifgraph.comparison.document`` adds the scores to them (``compare --format
json``), a line of a results file has the fields alone, and both are read back, and checked, by the same class. A
further field here is thereby written, read again and described in the JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from aifgraph.comparison import tables as result_tables
from aifgraph.comparison.breakdown import Breakdown, NameCounts
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.registry import LAYERS, ByCalculation
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, fused_by_layer
from aifgraph.comparison.chance import Chance, above_chance, scores_above_chance
from aifgraph.comparison.document import derived_from, merged
from aifgraph.comparison.look_out import LookOut
from aifgraph.comparison.options import signature_words
from aifgraph.comparison.result_files import check_kind, is_corpus_result, read_result, validated
from aifgraph.comparison.segmentation import SegmentationScore
from aifgraph.comparison.sides import Count, PairNames, Side
from aifgraph.comparison.wording import MatchedTexts, Wording
from aifgraph.errors import FormatError, OptionError
from aifgraph.graph import Notice
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES, score_all, undefined_reason
from aifgraph.tables import Result, render, shown

if TYPE_CHECKING:
    from pydantic import TypeAdapter

#: What a field is called in JSON, where that is not its name.
_KEYS: Final = {
    "first_side": "first",
    "second_side": "second",
    "items_total": "items",
    "rows": "matrix",
    "matches": "alignment",
    "name_counts": "breakdown",
    "weight": "edits",
    "messages": "warnings",
}
#: How pydantic reads and writes the classes here.
JSON: Final[dict[str, Any]] = {
    "alias_generator": lambda name: _KEYS.get(name, name),
    "allow_inf_nan": False,
    "ser_json_inf_nan": "null",
}


@dataclass(frozen=True, slots=True)
class MatchedClass:
    """A class of the alignment: the ids of the nodes of both sides that count as the same.

    ``similarity`` is that of its one-to-one match, ``by`` what that match came about by, ``because`` the whole in
    words.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    similarity: float | None
    by: Literal["text", "meaning"] | None
    because: str


@dataclass(frozen=True, slots=True)
class LayerMatches:
    """The alignment of propositions or of locutions: how many classes, with nodes of both sides, by which means; and
    the classes themselves, where they are kept (``pairs``)."""

    classes: Count
    matched: Count
    by_meaning: Count
    pairs: tuple[MatchedClass, ...] | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """How the nodes of both sides were matched."""

    propositions: LayerMatches
    locutions: LayerMatches


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the relations of each side take part in a calculation, of how many."""

    first: tuple[Count, Count]
    second: tuple[Count, Count]


@dataclass(frozen=True)
class CalculationResult:
    """A calculation: whether it applies (or the ``reason`` why not), the size of its universe, and its matrix, rows the
    first analysis. ``calculation["kappa"]`` is a score, None where undefined or not applicable. ``coverage`` is that of
    a calculation in which not all relations take part."""

    __pydantic_config__: ClassVar = JSON

    applicable: bool
    items_total: Count
    labels: tuple[str, ...]
    rows: tuple[tuple[Count, ...], ...]
    reason: str = ""
    coverage: Coverage | None = None

    def __post_init__(self) -> None:
        try:
            _ = self.matrix
        except OptionError as error:
            raise ValueError(str(error)) from None

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix; its sum is the number of decisions (an item with two labels is two)."""
        return ConfusionMatrix(self.labels, self.rows)

    @cached_property
    def scores(self) -> dict[str, float | None]:
        """Every score by name."""
        return score_all(self.matrix) if self.applicable else dict.fromkeys(SCORES)

    def __getitem__(self, score: str) -> float | None:
        return self.scores[score]

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa."""
        return self["kappa"]

    @property
    def f1(self) -> float | None:
        """F1 over the cells, ``none`` being the negative."""
        return self["f1"]

    @property
    def undefined(self) -> dict[str, str]:
        """Why scores are undefined, by name."""
        if not self.applicable:
            return {}
        return {name: undefined_reason(name, self.matrix) or "" for name, value in self.scores.items() if value is None}


@dataclass(frozen=True)
class ExpectedMeans:
    """M by chance, for every layer and score; ``too_few``: there was nothing to permute. ``explicit`` is that of the
    argument among what was said, None where it does not apply."""

    rounds: Count
    seed: Count
    means: Mapping[ScoreLayer, Mapping[str, float | None]]
    too_few: bool = False
    explicit: Mapping[str, float | None] | None = None

    def __post_init__(self) -> None:
        if set(self.means) != set(SCORE_LAYERS) or any(
            set(of) != set(SCORES) for of in (*self.means.values(), self.explicit or SCORES)
        ):
            raise ValueError("not the scores of every layer")


@dataclass(frozen=True)
class PairResult(Result):
    """How two analyses of one text agree, without their maps.

    Attributes:
        signature: the line that says how the numbers were made.
        names: what the two maps are called.
        first_side: the first analysis: source, sizes, hash.
        second_side: the second analysis.
        text_overlap: how far the two texts are one, 0 to 1; None without two texts.
        matches: how the nodes of both were matched.
        calculations: each calculation by name, with its matrix and its scores.
        explicit: the argument among what was said, with the coverage of each side; None where it does not apply.
        segmentation: S and the other measures of segmentation.
        name_counts: the names of schemes and speakers that the breakdown counts.
        messages: what was repaired, skipped or could not be used.
        wording: how many matches by place share less than half of their wording, and the least similar ones.
        matched_by_meaning: what was matched by meaning, with both texts and the cosine.
        expected: M by chance, where it was computed.
        measures: measures other than CASS that were asked for, by name.
        text: what the text is called, in a corpus: pairs of one text count as one.
        summary: what both find, and what they disagree about, in a sentence; empty where that was not computed.

    >>> import aifgraph
    >>> result = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    >>> stored = PairResult.from_dict(result.to_dict())
    >>> stored.kappa == result.kappa, str(stored) == str(result)
    (True, True)
    """

    __pydantic_config__: ClassVar = JSON

    signature: str
    names: PairNames
    first_side: Side
    second_side: Side
    text_overlap: float | None
    matches: Matches
    calculations: Mapping[str, CalculationResult]
    name_counts: NameCounts
    segmentation: SegmentationScore
    messages: tuple[str, ...]
    wording: Wording = field(default_factory=Wording)
    matched_by_meaning: tuple[MatchedTexts, ...] = ()
    explicit: CalculationResult | None = None
    expected: ExpectedMeans | None = None
    measures: Mapping[str, float | None] = field(default_factory=dict)
    text: str = ""
    summary: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "calculations", ByCalculation(self.calculations))

    def __eq__(self, other: object) -> bool:
        # So that a comparison is equal to what is read from its file, which has no maps.
        return self.to_dict() == other.to_dict() if isinstance(other, PairResult) else NotImplemented

    @property
    def name(self) -> str:
        """The pair's name as people see it."""
        return self.names.shown

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both analyses."""
        return self.first_side, self.second_side

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """What was repaired, skipped or could not be used."""
        return tuple(Notice("stored", message) for message in self.messages)

    @property
    def S(self) -> float | None:  # noqa: N802  (its name in the literature)
        """Segmentation similarity."""
        return self.segmentation.S

    @property
    def wordless(self) -> bool:
        """Whether no unit of either side has a word, so that CASS is undefined."""
        return self.S is None

    @property
    def anchors(self) -> bool:
        """Whether the texts were too long for ``difflib``, so that another diff stood in (measures, section 1)."""
        return "axis" in signature_words(self.signature)

    @property
    def mean_of_layers(self) -> bool:
        """Whether M is the mean of the layers' means, and not of all calculations."""
        return signature_words(self.signature).get("mean") == "layers"

    @property
    def counted(self) -> Mapping[str, CalculationResult]:
        """The calculations, and the argument among what was said where it applies, in M or not."""
        return {**self.calculations, **({EXPLICIT_RELATIONS.name: self.explicit} if self.explicit else {})}

    @property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """The matrices of the calculations that apply."""
        return {name: of.matrix for name, of in self.calculations.items() if of.applicable}

    @property
    def n(self) -> int:
        """The number of calculations that apply."""
        return len(self.matrices)

    @cached_property
    def over(self) -> dict[ScoreLayer, Fused]:
        """M and CASS of the whole (``all``) and of each layer, and why one is undefined."""
        scores = {name: of.scores for name, of in self.calculations.items() if of.applicable}
        zero = [layer for layer in SCORE_LAYERS if self._counts_as_zero(layer)]
        return fused_by_layer(scores, self.S, zero=zero, wordless=self.wordless, mean_of_layers=self.mean_of_layers)

    def _counts_as_zero(self, layer: ScoreLayer) -> bool:
        """Whether only one side has units, and a calculation of the layer applies (docs/measures.md, section 7)."""
        return self._one_sided and (layer == "all" or any(name in LAYERS[layer] for name in self.matrices))

    @property
    def _one_sided(self) -> bool:
        return bool(self.first_side.units) != bool(self.second_side.units)

    @property
    def mean(self) -> dict[str, float | None]:
        """M: the mean of each score over the calculations that apply, or over the layers (``Options.mean``)."""
        return self.over["all"].mean

    @property
    def cass(self) -> dict[str, float | None]:
        """CASS for each score: ``cass["kappa"]`` is CASS-κ."""
        return self.over["all"].cass

    @property
    def kappa(self) -> float | None:
        """CASS-κ: ``cass["kappa"]``."""
        return self.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1: ``cass["f1"]``."""
        return self.cass["f1"]

    @property
    def undefined(self) -> dict[str, str]:
        """Why CASS is undefined, by score."""
        return self.over["all"].reasons

    @property
    def layers(self) -> dict[ScoreLayer, Fused]:
        """M and CASS of each layer alone: ``layers["propositional"].cass["kappa"]``."""
        return {layer: of for layer, of in self.over.items() if layer != "all"}

    @cached_property
    def chance(self) -> Chance | None:
        """What the scores would be by chance, and how far above that they are; None without the option ``chance``.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> chance = aifgraph.compare(graph, graph, chance=20).chance
        >>> chance.mean["kappa"] < 0.5, chance.above["kappa"]
        (True, 1.0)
        """
        expected = self.expected
        if expected is None:
            return None
        over = {
            layer: above_chance(
                of,
                expected.means[layer],
                self.S,
                one_sided=self._counts_as_zero(layer),
                too_few=expected.too_few,
            )
            for layer, of in self.over.items()
        }
        explicit = None
        if self.explicit and expected.explicit:
            own = self.explicit
            explicit = scores_above_chance(own.scores, expected.explicit, own.undefined, too_few=expected.too_few)
        return Chance(expected.rounds, expected.seed, over, explicit)

    @property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores: attachment and labels apart, each label, schemes, speakers."""
        matrices = {name: of.matrix for name, of in self.counted.items() if of.applicable}
        return Breakdown.of(matrices, {name: of.items_total for name, of in self.counted.items()}, self.name_counts)

    @property
    def look_out(self) -> list[str]:
        """What a reader of the scores has to know, each in a few words."""
        return LookOut.of(self).of_pair()

    document = result_tables.document
    short_table = result_tables.short_table
    tables = result_tables.pair_tables
    chance_table = result_tables.against_chance
    score_table = result_tables.score_table
    rows = result_tables.calculation_rows

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values: what is stored, and every score."""
        stored = adapter().dump_python(self, mode="json", by_alias=True, exclude_defaults=True)
        version = signature_words(self.signature).get("v", "")
        return {"aifgraph": version, **merged(stored, derived_from(self))}

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> PairResult:
        """The result of a document that ``to_dict`` made: every number and table of it, without the maps.

        Raises:
            FormatError: the document is no result, or a damaged one.

        >>> import aifgraph
        >>> result = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json")
        >>> round(aifgraph.Comparison.from_dict(result.to_dict()).kappa, 3)
        0.914
        """
        check_kind(document)
        if is_corpus_result(document):
            raise FormatError("the result of two corpora is read from the lines that --resume writes")
        return validated(adapter(), document)

    @staticmethod
    def load(path: str | PathLike[str]) -> PairResult:
        """The result in a file: the JSON that ``to_json`` and ``aifgraph compare -o result.json`` write.

        Raises:
            NoSuchFileError: there is no such file.
            FormatError: what is in it is no result of two maps, or a damaged one.
        """
        try:
            return PairResult.from_dict(read_result(Path(path)))
        except FormatError as error:
            raise error if error.where else error.at(str(path)) from None

    def __str__(self) -> str:
        warnings = "".join(f"\nwarning: {notice}" for notice in self.warnings)
        return f"{render(self.short_table())}{self.signature}{warnings}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} CASS-κ {shown(self.kappa)} CASS-F1 {shown(self.f1)} of {self.name!r}>"


@cache
def adapter() -> TypeAdapter[PairResult]:
    """What writes, reads, validates and describes results; made on first use, because pydantic takes its time."""
    from pydantic import TypeAdapter

    return TypeAdapter(PairResult)
