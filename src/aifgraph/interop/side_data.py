"""What plain attributes of a node or an edge cannot hold, as one string of JSON: a drawing program carries it along.

It holds the order of nodes and edges, all schemes, the entries of the file that a map was read from, and
everything apart from the graph.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from aifgraph.errors import FormatError
from aifgraph.graph import (
    ArgumentGraph,
    LocutionRecord,
    Meta,
    Notice,
    Participant,
    Scheme,
    SourceText,
    Span,
    UnreadEntry,
)
from aifgraph.graph.nodes import EMPTY


@dataclass(frozen=True)
class SideData:
    """Schemes and record by node id, number and record by the ends of an edge, and the side data of a graph."""

    nodes: Mapping[str, tuple[tuple[Scheme, ...], Mapping[str, Any]]]
    edges: Mapping[tuple[str, str], tuple[int, Mapping[str, Any]]]
    meta: Meta


def side_data_text(graph: ArgumentGraph) -> str:
    """The side data of a graph, as JSON in ASCII; values that JSON does not have are written as their text."""
    value = {
        "nodes": [[node.id, [list(scheme) for scheme in node.schemes], _plain(node.record)] for node in graph],
        "edges": [[edge.source, edge.target, _plain(edge.record)] for edge in graph.edges],
        "meta": _plain(graph.meta),
    }
    return json.dumps(value, separators=(",", ":"), default=str)


def side_data_of(text: str) -> SideData:
    """The side data in a string. Raises ``FormatError`` where it is none."""
    try:
        value = json.loads(text)
        participants, locutions, source, form, document, aif, leftovers, notices, base = value["meta"]
        meta = Meta(
            tuple(Participant(*_entry(person)) for person in participants),
            tuple(LocutionRecord(*_entry(record)) for record in locutions),
            None if source is None else SourceText(source[0], source[1], _spans(source[2])),
            str(form),
            document or EMPTY,
            aif or EMPTY,
            tuple(UnreadEntry(section, index, entry, _notice(said)) for section, index, entry, said in leftovers),
            tuple(notice for said in notices if (notice := _notice(said))),
            str(base),
        )
        nodes = {
            str(id_): (tuple(Scheme(*scheme) for scheme in schemes), record or EMPTY)
            for id_, schemes, record in value["nodes"]
        }
        edges = {
            (str(source), str(target)): (number, record or EMPTY)
            for number, (source, target, record) in enumerate(value["edges"])
        }
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise FormatError("the side data of a graph are damaged", remedy="leave out the attribute aif") from None
    return SideData(nodes, edges, meta)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def _entry(values: list[Any]) -> list[Any]:
    return [*values[:-1], values[-1] or EMPTY]


def _spans(values: list[Any] | None) -> tuple[Span, ...] | None:
    return None if values is None else tuple(Span(*span) for span in values)


def _notice(values: list[Any] | None) -> Notice | None:
    return None if values is None else Notice(values[0], values[1], tuple(values[2]))
