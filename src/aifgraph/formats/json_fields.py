"""JSON in a field of another format."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from aifgraph.errors import FormatError
from aifgraph.graph import Scheme

J = TypeVar("J", dict[str, Any], list[Any])


def as_json(value: object) -> str:
    """Compact JSON in ASCII: nothing in it can be taken for markup of the text around it."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def from_json(text: str, kind: type[J], where: str) -> J:
    """The JSON value of one shape in a text; ``FormatError`` for any other."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(f"no JSON in a field that holds JSON: {text[:40]}", where=where) from None
    if not isinstance(value, kind):
        raise FormatError(f"no JSON {kind.__name__} in a field that holds one: {text[:40]}", where=where)
    return value


def scheme_pairs(pairs: list[Any], where: str) -> tuple[Scheme, ...]:
    """Schemes from ``[[id, name], …]``."""
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise FormatError("schemes: not a list of pairs", where=where)
    return tuple(Scheme(*(None if part is None else str(part) for part in pair)) for pair in pairs)
