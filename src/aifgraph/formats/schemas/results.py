"""The JSON of results as pydantic models: a comparison, a corpus of them, findings. And all schemas by name.

``python -m aifgraph.formats.schemas.results FOLDER`` writes the schemas.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from aifgraph.errors import OptionError
from aifgraph.formats.schemas.documents import AifDocument, Open, XaifDocument

Score = float | None

SchemaVersion = Annotated[int, Field(ge=1, description="Version of this schema; results before 0.2.0 have none.")]


class Scores(Open):
    """Scores by name; null where undefined, with the reason under ``undefined``."""

    kappa: Score = None
    f1: Score = None
    accuracy: Score = None
    precision: Score = None
    recall: Score = None
    specificity: Score = None
    balanced_accuracy: Score = None
    informedness: Score = None
    mcc: Score = None
    macro_f1: Score = None
    pi: Score = None
    alpha: Score = None
    ac1: Score = None


class AgainstChance(Open):
    """The scores against chance: M by chance, M above chance, CASS of that; null where undefined."""

    rounds: int = Field(ge=1)
    seed: int = Field(ge=0)
    mean: Scores = Field(description="M by chance, never below 0.")
    above: Scores = Field(description="(M − chance) / (1 − chance)")
    cass: Scores = Field(description="CASS of the score above chance.")
    undefined: dict[str, str] | None = Field(None, description="Why the score of a pair is undefined.")
    left_out: dict[str, int] | None = Field(None, description="Pairs of a corpus left out of the mean above chance.")


class LayerScores(Scores):
    """CASS of one layer, and the mean of its calculations."""

    mean: Scores | None = None
    chance: AgainstChance | None = None


class SideResult(Open):
    """One of the two analyses: where it is from, whose text it has, and how much of it takes part."""

    source: str
    name: str = Field("", description="What people call it: a given name, or what tells the two sources apart.")
    text: Literal["given", "embedded", "shared", "none"]
    propositions: int = Field(ge=0)
    locutions: int = Field(ge=0)
    units: int = Field(ge=0)
    placed: int = Field(ge=0, description="Units whose place in the text is known.")
    sha256: str = Field(pattern="^[0-9a-f]{16}$", description="Of the map as it was read, and of its text (16 digits).")


class AlignedClass(Open):
    """A class of the alignment: nodes of both sides that count as the same."""

    first: list[str]
    second: list[str]
    similarity: float | None = Field(None, description="Of its one-to-one match.")
    by: Literal["text", "meaning", "role"] | None = Field(None, description="What that match came about by.")
    because: str = Field(description="How it came about: matched, joined as part, alone.")


class LayerAlignmentResult(Open):
    """The alignment of propositions or of locutions."""

    classes: int = Field(ge=0)
    matched: int = Field(ge=0, description="Classes with nodes of both sides.")
    by_meaning: int = Field(0, ge=0, description="Classes whose one-to-one match is by meaning.")
    pairs: list[AlignedClass]


class AlignmentResult(Open):
    """Both alignments."""

    propositions: LayerAlignmentResult
    locutions: LayerAlignmentResult


class CalculationResult(Scores):
    """One calculation. Rows of the matrix are the first analysis."""

    applicable: bool
    reason: str | None = Field(None, description="Why it does not apply.")
    items: int | None = None
    decisions: int | None = Field(None, description="Sum of the matrix: an item with two labels is two decisions.")
    labels: list[str] | None = None
    matrix: list[list[int]] | None = None
    undefined: dict[str, str] | None = None


class SegmentationResult(Open):
    """How the two texts were cut into units. S and B are similarities, Pk and WindowDiff errors."""

    mode: str | None = None
    S: Score = None
    B: Score = None
    Pk: Score = None
    WindowDiff: Score = None
    masses: list[list[int]] | None = None
    edits: float = Field(ge=0, description="Weight of all edits between the two.")
    potential: int = Field(ge=0, description="Places where a boundary may stand.")


class ItemResult(Open):
    """An item of a calculation: the labels of the two sides, in words, and the ids of its nodes on each side."""

    cell: tuple[str, str]
    text: str
    first: list[str]
    second: list[str]


class Support(Open):
    """How many decisions have a label in the first and in the second analysis."""

    first: int = Field(ge=0)
    second: int = Field(ge=0)


class FoldResult(Scores):
    """Scores of a folded matrix."""

    support: Support
    undefined: dict[str, str] | None = None


class CalculationBreakdownResult(Open):
    """A calculation with more than one label: attachment, label given attachment, each label against the rest."""

    items: int = Field(ge=0)
    decisions: int = Field(ge=0)
    attachment: FoldResult
    label_given_attachment: FoldResult
    labels: dict[str, FoldResult]


class NameAgreementResult(Open):
    """Agreement on names; each cell is a name of the first, one of the second, and a count."""

    decisions: int = Field(ge=0)
    kappa: Score
    accuracy: Score
    support: dict[str, Support]
    cells: list[tuple[str, str, int]]
    undefined: str | None = None


class BreakdownResult(Open):
    """What stands behind the scores: no part of M."""

    calculations: dict[str, CalculationBreakdownResult]
    schemes: dict[str, NameAgreementResult]
    speakers: NameAgreementResult


class ComparisonResult(Open):
    """The result of comparing two analyses."""

    aifgraph: str
    schema_version: SchemaVersion
    signature: str
    first: SideResult
    second: SideResult
    text_overlap: Score = None
    alignment: AlignmentResult
    calculations: dict[str, CalculationResult]
    items: dict[str, list[ItemResult]] | None = Field(None, description="By calculation, where requested.")
    breakdown: BreakdownResult
    segmentation: SegmentationResult
    mean: Scores
    cass: Scores
    layers: dict[str, LayerScores]
    chance: AgainstChance | None = None
    undefined: dict[str, dict[str, str]] = Field(default_factory=dict, description="Why a CASS is undefined, by layer.")
    measures: dict[str, Score] | None = Field(None, description="Measures other than CASS that were requested.")
    warnings: list[str]


class PairResult(ComparisonResult):
    """A pair of a corpus, with its name, and those of its two maps."""

    name: str
    names: tuple[str, str]


class Micro(Open):
    """Scores of summed counts."""

    cass: Scores
    layers: dict[str, LayerScores]
    mean: Scores
    S: Score = None


class MacroPairs(Open):
    """How many pairs the means are over: that of S, and that of M by layer and score."""

    S: int = Field(ge=0)
    modes: dict[str, int] = Field(description="How many S are of which mode: positions, units.")
    mean: dict[str, dict[str, int]]


class Macro(Micro):
    """Means over the pairs for which a value is defined."""

    chance: AgainstChance | None = None
    mean_of_cass: Scores
    pairs: MacroPairs


class Unpaired(Open):
    """Maps without a partner, by name."""

    first: list[str]
    second: list[str]


class Failure(Open):
    """A map that could not be read, or a pair that could not be compared."""

    name: str
    error: str


class CorpusResult(Open):
    """The result of comparing two corpora."""

    aifgraph: str
    schema_version: SchemaVersion
    signature: str
    pairs: list[PairResult]
    macro: Macro
    micro: Micro
    breakdown: BreakdownResult
    unpaired: Unpaired
    failed: list[Failure]
    measures: dict[str, Score] | None = Field(None, description="Means over pairs.")
    intervals: dict[str, Any] | None = Field(None, description="Bootstrap intervals, where requested.")
    warnings: list[str]


class FindingResult(Open):
    """One place where a rule does not hold."""

    code: str = Field(pattern="^[EWN][0-9]{3}$")
    level: Literal["error", "warning", "note"]
    rule: str
    message: str
    nodes: list[str]


class MapFindings(Open):
    """The findings of one map."""

    map: str
    profile: Literal["aif", "iat", "xaif"]
    ok: bool
    findings: list[FindingResult]


class FindingsSummary(Open):
    """Sums over all maps."""

    maps: int
    without_errors: int
    errors: int
    warnings: int
    notes: int
    codes: dict[str, int]


class CheckResult(Open):
    """What ``aifgraph check --format json`` gives."""

    aifgraph: str
    maps: list[MapFindings]
    summary: FindingsSummary
    failed: list[Failure]


#: Name of the schema → model and title.
SCHEMAS: Final[dict[str, tuple[type[BaseModel], str]]] = {
    "aif": (AifDocument, "AIF JSON, as AIFdb emits it and as it is uploaded"),
    "xaif": (XaifDocument, "xAIF"),
    "comparison": (ComparisonResult, "The comparison of two analyses"),
    "corpus-comparison": (CorpusResult, "The comparison of two corpora"),
    "findings": (CheckResult, "What a check found"),
}


def schema(name: str) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) by name: aif, xaif, comparison, corpus-comparison, findings.

    >>> schema("aif")["required"]
    ['nodes']
    """
    if name not in SCHEMAS:
        raise OptionError(f"there is no schema {name!r}", remedy=f"choose from {', '.join(SCHEMAS)}")
    model, title = SCHEMAS[name]
    document = model.model_json_schema(mode="validation")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:aifgraph:schema:{name}",
        "title": title,
    }
    return head | {key: value for key, value in document.items() if key != "title"}


def schema_text(name: str) -> str:
    """The file of a schema."""
    return json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"


def main(folder: str) -> None:
    """Write every schema into a folder."""
    for name in SCHEMAS:
        (Path(folder) / f"{name}.schema.json").write_text(schema_text(name), "utf-8")


if __name__ == "__main__":
    import sys

    main(sys.argv[1] if len(sys.argv) > 1 else "schemas")
