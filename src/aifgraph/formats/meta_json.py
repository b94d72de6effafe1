"""The side data of a graph, as one JSON object, for formats that have a free field for it."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from aifgraph.errors import FormatError
from aifgraph.formats.aif.read import locution_record, participant
from aifgraph.formats.aif.write import locution_entry, participant_entry
from aifgraph.graph import Meta, Scheme, SourceText, Span, UnreadEntry

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


def meta_to_json(meta: Meta) -> dict[str, Any]:
    """People, locutions, source text, and what the file held besides; notices are not kept."""
    value: dict[str, Any] = {"form": meta.form}
    if meta.participants:
        value["participants"] = [participant_entry(person) for person in meta.participants]
    if meta.locutions:
        value["locutions"] = [locution_entry(record) for record in meta.locutions]
    if meta.source:
        source: dict[str, Any] = {"text": meta.source.text, "origin": meta.source.origin}
        if meta.source.spans is not None:
            source["spans"] = [[span.node_id, span.start, span.end] for span in meta.source.spans]
        value["source"] = source
    for key, mapping in (("document", meta.document), ("aif", meta.aif)):
        if mapping:
            value[key] = dict(mapping)
    if meta.unread:
        value["leftovers"] = [[left.section, left.index, dict(left.value)] for left in meta.unread]
    return value


def meta_from_json(value: dict[str, Any], where: str) -> Meta:
    """The ``Meta`` that ``meta_to_json`` wrote. Raises ``FormatError``.

    >>> meta = Meta(source=SourceText("Masks help.", spans=(Span("1", 0, 5),)))
    >>> meta_from_json(meta_to_json(meta), "a map") == meta
    True
    """
    try:
        source = value.get("source")
        spans = source.get("spans") if source else None
        return Meta(
            participants=tuple(map(participant, _objects(value, "participants"))),
            locutions=tuple(map(locution_record, _objects(value, "locutions"))),
            source=SourceText(
                str(source["text"]),
                "given" if source.get("origin") == "given" else "embedded",
                None if spans is None else tuple(Span(str(id_), int(start), int(end)) for id_, start, end in spans),
            )
            if source
            else None,
            form=str(value.get("form", "aif")),
            document=dict(value.get("document", {})),
            aif=dict(value.get("aif", {})),
            unread=tuple(
                UnreadEntry("nodes" if section == "nodes" else "edges", int(index), dict(entry), None)
                for section, index, entry in value.get("leftovers", ())
            ),
        )
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        raise FormatError("what stands beside the graph is not as it was written", where=where) from None


def _objects(value: dict[str, Any], key: str) -> list[dict[str, Any]]:
    entries = value.get(key, [])
    if not all(isinstance(entry, dict) for entry in entries):
        raise TypeError(key)
    return list(entries)
