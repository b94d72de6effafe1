"""A pair as a line of a results file, and back."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Final

from aifgraph.comparison.breakdown import NameCounts
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.errors import FormatError
from aifgraph.evaluation.pair_task import PairOutcome
from aifgraph.evaluation.pooled import PairNames, PairSummary
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.text.segmentation import Edits

#: What a results file of this version says of itself in its first line.
KIND: Final = "aifgraph results 4"
#: What to do about a file that cannot be gone on with.
ANEW: Final = "give another file for the results, or remove this one"


def record_of(result: PairOutcome) -> dict[str, Any]:
    """A result as plain values: a line of the file."""
    record: dict[str, Any] = {"first": result.names.first, "second": result.names.second}
    if result.inputs:
        record["inputs"] = list(result.inputs)
    if result.summary is None:
        return record | {"error": result.error}
    summary = result.summary
    record |= {
        "S": summary.S,
        "mode": summary.mode,
        "edits": [getattr(summary.edits, field.name) for field in fields(Edits)],
        "calculations": {
            name: {"labels": list(matrix.labels), "matrix": [list(row) for row in matrix.rows]}
            for name, matrix in summary.matrices.items()
        },
        "mean": summary.means,
        "cass": summary.cass,
        "warnings": list(summary.warnings),
        "names": summary.names_given.to_dict(),
    }
    if summary.anchors:
        record["anchors"] = True
    if summary.chance:
        record["chance"] = _chance_record(summary.chance)
    if summary.inputs:
        record["hashes"] = list(summary.inputs)
    if summary.measures:
        record["measures"] = summary.measures
    return record | ({"comparison": result.details} if result.details is not None else {})


def summary_from(record: dict[str, Any], where: str | None = None) -> PairSummary:
    """A summary from its line; ``FormatError`` with the place where something of it is missing or of another kind."""
    try:
        return _summary_from(record)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"a damaged line of results ({type(error).__name__}: {error})"
        raise FormatError(what, where=where, remedy=ANEW) from None


def _summary_from(record: dict[str, Any]) -> PairSummary:
    return PairSummary(
        names_in(record),
        record["S"],
        Edits(*record["edits"]),
        {
            name: ConfusionMatrix(tuple(counts["labels"]), tuple(map(tuple, counts["matrix"])))
            for name, counts in record["calculations"].items()
        },
        record["mean"],
        record["cass"],
        tuple(record["warnings"]),
        record.get("measures", {}),
        NameCounts.from_dict(record["names"]),
        record.get("anchors", False),
        _chance_from(record["chance"]) if "chance" in record else None,
        record["mode"],
        tuple(record["hashes"]) if "hashes" in record else None,
    )


def _chance_record(chance: Chance) -> dict[str, Any]:
    over = {layer: [of.mean, of.above, of.cass, of.reasons] for layer, of in chance.over.items()}
    return {"rounds": chance.rounds, "seed": chance.seed, "over": over}


def _chance_from(record: dict[str, Any]) -> Chance:
    over = {layer: AboveChance(*parts) for layer, parts in record["over"].items()}
    return Chance(record["rounds"], record["seed"], over)


def names_in(record: dict[str, Any]) -> PairNames:
    """The names of the pair of a line."""
    return PairNames(record.get("first", ""), record.get("second", ""))


def line_of(record: dict[str, Any]) -> bytes:
    """A line of the file."""
    return json.dumps(record, separators=(",", ":")).encode("ascii") + b"\n"


def read_line(line: bytes, where: str) -> dict[str, Any]:
    """What a line holds; ``FormatError`` with the place where it is no line of results."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError("no line of results", where=where, remedy=ANEW) from None
    if not isinstance(record, dict):
        raise FormatError("no line of results", where=where, remedy=ANEW)
    return record
