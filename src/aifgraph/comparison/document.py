"""The JSON of a comparison: what is stored, with every score that follows from it, which reading computes again.

pydantic reads, writes and describes it; it is imported when a document is asked for, because it takes its time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from aifgraph.comparison.cass import Expected
from aifgraph.comparison.result import Comparison
from aifgraph.errors import FormatError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


@cache
def comparison_adapter() -> TypeAdapter[Comparison]:
    """Return what reads, writes and describes results."""
    from pydantic import TypeAdapter

    return TypeAdapter(Comparison)


def to_document(result: Comparison) -> dict[str, Any]:
    """Return a result as plain values."""
    stored = comparison_adapter().dump_python(result, mode="json", by_alias=True, exclude_defaults=True)
    return {"aifgraph": result.how.version, **_merged(stored, _derived(result))}


def _derived(result: Comparison) -> dict[str, Any]:
    """Return what follows from the fields, in its place in a document."""
    layers, explicit = result.layers, result.explicit
    return {
        "name": result.name,
        "summary": result.summary,
        "caveats": [caveat._asdict() for caveat in result.caveats],
        "n": result.n,
        "mean": result.mean,
        "cass": result.cass,
        "layers": {
            layer: {**of.cass, "mean": of.mean, **_against_chance(result, layer)}
            for layer, of in layers.items()
            if layer != "all"
        },
        "calculations": {name: of.to_dict() for name, of in result.calculations.items()},
        **({"explicit": {**explicit.to_dict(), **_against_chance(result, "explicit")}} if explicit else {}),
        "breakdown": result.breakdown,
        "segmentation": {"undefined": result.segmentation.reasons},
        **_against_chance(result, "all"),
        "undefined": {
            "cass" if layer == "all" else layer: of.undefined for layer, of in layers.items() if of.undefined
        },
    }


def _against_chance(result: Comparison, part: Expected) -> dict[str, Any]:
    if result.expected is None:
        return {}
    values = asdict(result.chance[part]) if part in result.chance else {}
    if part == "explicit":
        values.pop("cass", None)
    return {"chance": {"rounds": result.expected.rounds, "seed": result.expected.seed, **values}}


def _merged(stored: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    """Return what is stored, with what follows from it in its places."""
    together = dict(stored)
    for key, value in derived.items():
        together[key] = _merged(together[key], value) if isinstance(together.get(key), dict) else value
    return together


def read_document(adapter: TypeAdapter[T], document: Mapping[str, Any] | bytes) -> T:
    """Return a document, or a line of JSON, as what the adapter makes of it.

    Raises:
        FormatError: it is damaged, or something else.
    """
    from pydantic import ValidationError

    try:
        return adapter.validate_python(json.loads(document) if isinstance(document, bytes) else document)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"])) or "the document"
        what = f"{place}: {first['msg']}{f', and {len(others)} more' if others else ''}"
    except (ValueError, TypeError, RecursionError) as error:
        what = str(error)
    remedy = "make it again: aifgraph compare … -o RESULT.json, or --resume RUN.jsonl for corpora"
    raise FormatError(f"no result, or a damaged one: {what}"[:300], remedy=remedy)
