"""What a line of a results file holds, as a model: a file to go on with may be damaged, or made by somebody else."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from aifgraph.comparison.calculations.registry import CALCULATIONS
from aifgraph.comparison.cass import SCORE_LAYERS
from aifgraph.errors import FormatError
from aifgraph.stats.scores import SCORES

#: Counts are summed and divided: what a float cannot hold exactly is none.
Count = Annotated[int, Field(ge=0, le=2**53)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Score = Number | None
Cells = list[tuple[str, str, Count]]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Matrix(_Strict):
    labels: list[str]
    matrix: list[list[Count]]


class _Names(_Strict):
    items: dict[str, Count]
    schemes: dict[str, Cells]
    speakers: Cells


class _Chance(_Strict):
    rounds: Count
    seed: Count
    over: dict[str, tuple[dict[str, Score], dict[str, Score], dict[str, Score], dict[str, str]]]


class _Pair(_Strict):
    first: str
    second: str
    inputs: list[str] = []


class FailedLine(_Pair):
    """The line of a pair that could not be compared."""

    error: str


class PairLine(_Pair):
    """The line of a pair that was compared."""

    S: Score
    mode: Literal["", "positions", "units"]
    edits: tuple[Count, Count, Count, Annotated[Number, Field(ge=0)], Count]
    calculations: dict[str, _Matrix]
    mean: dict[str, dict[str, Score]]
    cass: dict[str, dict[str, Score]]
    warnings: list[str]
    names: _Names
    anchors: bool = False
    chance: _Chance | None = None
    measures: dict[str, Score] = {}
    comparison: dict[str, Any] = {}


def check_line(line: bytes, where: str, remedy: str) -> None:
    """Raise ``FormatError`` with the place unless the line is one that a run has written.

    >>> check_line(b'{"first": "a", "second": "a", "error": "no map"}', "r.jsonl, line 2", "remove it")
    >>> check_line(b'{"first": "a", "second": "a"}', "r.jsonl, line 2", "remove it")
    Traceback (most recent call last):
    aifgraph.errors.FormatError: r.jsonl, line 2: a damaged line of results (S: Field required, and 7 more); remove it
    """
    try:
        if b'"error"' in line and b'"calculations"' not in line:
            FailedLine.model_validate_json(line)
            return
        _check_names(PairLine.model_validate_json(line))
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"])) or "line"
        more = f", and {len(others)} more" if others else ""
        what = f"a damaged line of results ({place}: {first['msg']}{more})"
    except ValueError as error:
        what = f"a damaged line of results ({error})"
    else:
        return
    raise FormatError(what[:300], where=where, remedy=remedy)


def _check_names(line: PairLine) -> None:
    """Calculations that there are, and every score of every layer and no other."""
    if unknown := (line.calculations.keys() | line.names.items.keys()) - CALCULATIONS.keys():
        raise ValueError(f"there is no calculation {min(unknown)!r}")
    layers = [line.mean, line.cass]
    if line.chance:
        over = line.chance.over.items()
        layers += [{layer: parts[part] for layer, parts in over} for part in range(3)]  # type: ignore[misc]
    for scores in layers:
        if set(scores) != set(SCORE_LAYERS) or any(set(each) != set(SCORES) for each in scores.values()):
            raise ValueError("not the scores of every layer")
