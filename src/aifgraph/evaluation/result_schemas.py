"""All JSON Schemas by name: the documents of maps, results of comparisons, and findings.

What a result stores is described by its own classes (``PairResult``, ``StoredCorpus``); here stands what a document has
besides: the numbers that follow. ``python -m aifgraph.evaluation.result_schemas FOLDER`` writes the schemas.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, create_model

from aifgraph.comparison.result import adapter
from aifgraph.errors import OptionError
from aifgraph.evaluation.corpus_document import Failure, corpus_adapter
from aifgraph.formats.document_schemas import AifDocument, Open, XaifDocument
from aifgraph.stats.scores import SCORES

Score = float | None

_SCORES: dict[str, Any] = dict.fromkeys(SCORES, (Score, None))
#: Scores by name; null where undefined.
Scores: Final = create_model("Scores", __base__=Open, **_SCORES)


class CalculationNumbers(Scores):  # type: ignore[valid-type, misc]
    """The scores of a calculation."""

    decisions: int = Field(description="Sum of the matrix: an item with two labels is two decisions.")
    undefined: dict[str, str]


class SegmentationNumbers(Open):
    """Why measures of segmentation are undefined."""

    undefined: dict[str, str]


class AboveChance(Open):
    """The scores against chance: M by chance, M above chance, CASS of that; null where undefined."""

    rounds: int = Field(ge=1)
    seed: int = Field(ge=0)
    mean: Scores = Field(description="M by chance, never below 0.")  # type: ignore[valid-type]
    above: Scores = Field(description="(M − chance) / (1 − chance)")  # type: ignore[valid-type]
    cass: Scores = Field(description="CASS of the score above chance.")  # type: ignore[valid-type]
    undefined: dict[str, str] | None = Field(None, description="Why the score of a pair is undefined.")
    texts: dict[str, int] | None = Field(None, description="Texts of a corpus that the means are over.")
    pairs: dict[str, int] | None = Field(None, description="Their pairs, in which both are defined.")
    left_out: dict[str, int] | None = Field(None, description="The other pairs.")


class LayerScores(Scores):  # type: ignore[valid-type, misc]
    """CASS of one layer, and the mean of its calculations; of a corpus also the S that it is fused with."""

    mean: Scores | None = None  # type: ignore[valid-type]
    S: Score = None
    chance: AboveChance | None = None


class Support(Open):
    """How many decisions have a label in the first and in the second analysis."""

    first: int = Field(ge=0)
    second: int = Field(ge=0)


class FoldScores(Scores):  # type: ignore[valid-type, misc]
    """Scores of a folded matrix."""

    support: Support
    undefined: dict[str, str] | None = None


class CalculationBreakdown(Open):
    """A calculation with more than one label: attachment, label given attachment, each label against the rest."""

    items: int = Field(ge=0)
    decisions: int = Field(ge=0)
    attachment: FoldScores
    label_given_attachment: FoldScores
    labels: dict[str, FoldScores]


class BreakdownNumbers(Open):
    """What stands behind the scores: no part of M."""

    calculations: dict[str, CalculationBreakdown]


class NameNumbers(Open):
    """Agreement on names."""

    decisions: int = Field(ge=0)
    kappa: Score
    accuracy: Score
    support: dict[str, Support]
    undefined: str | None = None


class PairNumbers(Open):
    """The numbers that follow from what a result stores."""

    aifgraph: str = Field(description="The version that made it.")
    name: str
    n: int = Field(ge=0, description="How many calculations apply.")
    mean: Scores  # type: ignore[valid-type]
    cass: Scores  # type: ignore[valid-type]
    layers: dict[str, LayerScores]
    chance: AboveChance | None = None
    undefined: dict[str, dict[str, str]] = Field(description="Why a CASS is undefined, by layer.")


class Micro(Open):
    """Scores of summed counts; ``explicit`` is the argument among what was said."""

    cass: Scores  # type: ignore[valid-type]
    layers: dict[str, LayerScores]
    mean: Scores  # type: ignore[valid-type]
    S: Score = None
    explicit: Scores | None = None  # type: ignore[valid-type]
    modes: dict[str, int] | None = Field(None, description="How many S are of which mode: positions, units.")


class MeansOver(Open):
    """How many texts, or pairs, there are, and how many each mean is over: those of S, of M by layer and score, of CASS
    and of the argument among what was said."""

    all: int = Field(ge=0)
    S: int = Field(ge=0)
    mean: dict[str, dict[str, int]]
    mean_of_cass: dict[str, int]
    explicit: dict[str, int]
    modes: dict[str, int] | None = Field(None, description="How many S are of which mode: positions, units.")


class TextNumbers(Micro):
    """The means over the pairs of one text."""

    name: str
    pairs: int = Field(ge=1)
    mean_of_cass: Scores  # type: ignore[valid-type]
    chance: AboveChance | None = None


class Macro(Micro):
    """Means over texts of the means over a text's pairs."""

    chance: AboveChance | None = None
    mean_of_cass: Scores  # type: ignore[valid-type]
    texts: MeansOver
    pairs: MeansOver


class CorpusNumbers(Open):
    """The numbers that follow from the results of the pairs."""

    aifgraph: str = Field(description="The version that made it.")
    macro: Macro
    micro: Micro
    texts: list[TextNumbers]
    breakdown: dict[str, Any]
    measures: dict[str, Score] | None = Field(None, description="Means over pairs.")


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


#: The numbers by the class whose stored fields they stand beside in a document.
_NUMBERS: Final[dict[str, type[BaseModel]]] = {
    "PairResult": PairNumbers,
    "StoredCorpus": CorpusNumbers,
    "CalculationResult": CalculationNumbers,
    "SegmentationScore": SegmentationNumbers,
    "NameCounts": BreakdownNumbers,
    "NameAgreement": NameNumbers,
}


def _with_numbers(document: dict[str, Any]) -> dict[str, Any]:
    """The schema of what is stored, as a schema of documents."""
    parts = document["$defs"]
    for name, numbers in _NUMBERS.items():
        whole = document if document["title"] == name else parts.get(name)
        if whole is not None:
            more = numbers.model_json_schema()
            parts |= more.get("$defs", {})
            whole["properties"] |= more["properties"]
            whole["required"] = [*whole.get("required", ()), *more.get("required", ())]
    return document


#: Name of the schema → what makes it, and its title.
SCHEMAS: Final[dict[str, tuple[Callable[[], dict[str, Any]], str]]] = {
    "aif": (AifDocument.model_json_schema, "AIF JSON, as AIFdb emits it and as it is uploaded"),
    "xaif": (XaifDocument.model_json_schema, "xAIF"),
    "comparison": (lambda: _with_numbers(adapter().json_schema()), "The comparison of two analyses"),
    "corpus-comparison": (lambda: _with_numbers(corpus_adapter().json_schema()), "The comparison of two corpora"),
    "findings": (CheckResult.model_json_schema, "What a check found"),
}


def schema(name: str) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) by name: aif, xaif, comparison, corpus-comparison, findings.

    >>> schema("aif")["required"]
    ['nodes']
    """
    if name not in SCHEMAS:
        raise OptionError(f"there is no schema {name!r}", remedy=f"choose from {', '.join(SCHEMAS)}")
    made, title = SCHEMAS[name]
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:aifgraph:schema:{name}",
        "title": title,
    }
    return head | {key: value for key, value in made().items() if key != "title"}


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
