"""Where the EDUs of an arggraph stand in its text, and with them its ADUs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aifgraph.graph import Span

Places = dict[str, tuple[int, int]]


def find_edus(edus: Mapping[str, Mapping[str, Any]], text: str) -> Places | None:
    """Start and end of each EDU in a text that holds them in their order; None where it does not. Implicit EDUs are
    in no text."""
    places: Places = {}
    cursor = 0
    for id_, edu in edus.items():
        words = edu["text"]
        if not words or "implicit" in edu:
            continue
        start = text.find(words, cursor)
        if start < 0:
            return None
        places[id_] = start, (cursor := start + len(words))
    return places


def join_edus(edus: Mapping[str, Mapping[str, Any]]) -> tuple[str, Places]:
    """The EDUs as one text, joined by blanks, and their places in it.

    >>> join_edus({"e1": {"text": "Masks help"}, "e2": {"text": "they filter"}})
    ('Masks help they filter', {'e1': (0, 10), 'e2': (11, 22)})
    """
    places: Places = {}
    parts: list[str] = []
    length = 0
    for id_, edu in edus.items():
        words = edu["text"]
        if words and "implicit" not in edu:
            places[id_] = length, length + len(words)
            parts.append(words)
            length += len(words) + 1
    return " ".join(parts), places


def unit_spans(node_id: str, edus: Iterable[str], text: str, places: Places) -> Iterator[Span]:
    """The spans of an ADU: one for each run of neighbouring EDUs."""
    start = end = -1
    for part in edus:
        if part not in places:
            continue
        here = places[part]
        if start >= 0 and not text[end : here[0]].strip():
            end = here[1]
            continue
        if start >= 0:
            yield Span(node_id, start, end)
        start, end = here
    if start >= 0:
        yield Span(node_id, start, end)
