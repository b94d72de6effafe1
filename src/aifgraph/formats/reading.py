"""What the readers of formats share: JSON in a field, and edges that may be loops or given twice."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from aifgraph.errors import FormatError
from aifgraph.graph import GraphBuilder, Scheme

J = TypeVar("J", dict[str, Any], list[Any])


def add_edge(
    build: GraphBuilder, source: str, target: str, id_: str | None = None, record: dict[str, Any] | None = None
) -> None:
    """An edge between two nodes that are there; one that is a loop or there already is left out, with a notice."""
    if source == target:
        build.notice("edge-loop", f"the edge from node {source} to itself is left out", source)
    elif build.has_edge(source, target):
        build.notice("edge-repeated", f"the edge {source} → {target} is given twice and counts once", source, target)
    else:
        build._edge(source, target, id_, record or {})


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
