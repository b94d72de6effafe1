"""The JSON that the profile ``full`` embeds: entries exactly as they are, checked as strictly as a file is.

Each function gives the entry, or raises ``FormatError`` where the text is no JSON or not of the shape that was written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from aifgraph.errors import FormatError
from aifgraph.graph import Edge, LocutionRecord, Node, Notice, Participant, Scheme, Span, UnreadEntry
from aifgraph.graph.nodes import EMPTY, make_node


class Embedded:
    """Reads the entries of one document; ``where`` is its name, for messages."""

    def __init__(self, where: str) -> None:
        self._where = where or None

    def node(self, text: str) -> Node:
        """``[id, type, text, schemes, record]``."""
        id_, type_, content, schemes, record = self._list(text, 5)
        if not _strings(id_, type_, content) or not type_.strip() or not isinstance(schemes, list):
            self._damaged(text)
        for scheme in schemes:
            if not (isinstance(scheme, list) and len(scheme) == 2 and _optional(*scheme)):
                self._damaged(text)
        kept = self._record(record, text)
        if not _is_id(kept.get("nodeID", "")) or not isinstance(kept.get("type", ""), str):
            self._damaged(text)
        if not _optional(kept.get("text")):
            self._damaged(text)
        return make_node(type_, id_, content, tuple(Scheme(*scheme) for scheme in schemes), kept)

    def edge(self, text: str) -> Edge:
        """``[source, target, id, record]``."""
        source, target, id_, record = self._list(text, 4)
        kept = self._record(record, text)
        ends = (kept.get(key, "") for key in ("fromID", "toID"))
        if not _strings(source, target) or not _optional(id_) or not all(map(_is_id, ends)):
            self._damaged(text)
        return Edge(source, target, id_, kept)

    def person(self, text: str) -> Participant:
        """``[id, first name, surname, record]``."""
        id_, first, last, record = self._list(text, 4)
        if not _strings(id_, first, last):
            self._damaged(text)
        return Participant(id_, first, last, self._record(record, text))

    def locution(self, text: str) -> LocutionRecord:
        """``[node id, person, start, end, source, timestamp, record]``."""
        node_id, person, start, end, source, stamp, record = self._list(text, 7)
        if not _strings(node_id) or not _optional(person, start, end, source, stamp):
            self._damaged(text)
        return LocutionRecord(node_id, person, start, end, source, stamp, self._record(record, text))

    def span(self, text: str) -> Span:
        """``[node id, start, end]``."""
        node_id, start, end = self._list(text, 3)
        if not _strings(node_id) or type(start) is not int or type(end) is not int or not 0 <= start <= end:
            self._damaged(text)
        return Span(node_id, start, end)

    def leftover(self, text: str) -> UnreadEntry:
        """``[section, index, value, notice]``."""
        section, index, value, notice = self._list(text, 4)
        if section not in ("nodes", "edges") or type(index) is not int or index < 0 or not isinstance(value, dict):
            self._damaged(text)
        if section == "nodes" and not (_is_id(value.get("nodeID")) and isinstance(value.get("type"), str)):
            self._damaged(text)
        ends = (value.get(key) for key in ("fromID", "toID"))
        if section == "edges" and not all(end is None or _is_id(end) for end in ends):
            self._damaged(text)
        return UnreadEntry(section, index, value, None if notice is None else self._notice(notice, text))

    def notices(self, text: str) -> tuple[Notice, ...]:
        """``[[code, message, nodes], …]``."""
        listed = self._value(text)
        if not isinstance(listed, list):
            self._damaged(text)
        return tuple(self._notice(each, text) for each in listed)

    def source(self, text: str) -> tuple[str, bool, bool]:
        """``[text, origin, spans]``: the text, whether it was given from outside, whether its spans are separate."""
        content, origin, spans = self._list(text, 3)
        if not _strings(content) or origin not in ("given", "embedded") or not isinstance(spans, bool):
            self._damaged(text)
        return content, origin == "given", spans

    def document(self, text: str) -> dict[str, Any]:
        """The rest of a file's outermost object."""
        value = self._value(text)
        if not isinstance(value, dict) or "AIF" in value or "nodes" in value:
            self._damaged(text)
        return dict(value)

    def aif(self, text: str) -> dict[str, Any]:
        """The rest of the object that holds the nodes."""
        value = self._value(text)
        if not isinstance(value, dict) or "nodes" in value:
            self._damaged(text)
        if any(value.get(key) not in (None, []) for key in ("edges", "locutions", "participants")):
            self._damaged(text)
        fulfilments = value.get("schemefulfillments")
        if fulfilments is not None and not (
            isinstance(fulfilments, list) and all(isinstance(entry, dict) for entry in fulfilments)
        ):
            self._damaged(text)
        return dict(value)

    def _notice(self, given: Any, text: str) -> Notice:
        if not isinstance(given, list) or len(given) != 3:
            self._damaged(text)
        code, message, nodes = given
        if not _strings(code, message) or not isinstance(nodes, list) or not _strings(*nodes):
            self._damaged(text)
        return Notice(code, message, tuple(nodes))

    def _record(self, given: Any, text: str) -> Mapping[str, Any]:
        if given is not None and not isinstance(given, dict):
            self._damaged(text)
        return given or EMPTY

    def _list(self, text: str, length: int) -> list[Any]:
        value = self._value(text)
        if not isinstance(value, list) or len(value) != length:
            self._damaged(text)
        return list(value)

    def _value(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            self._damaged(text)

    def _damaged(self, text: str) -> NoReturn:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise FormatError(f"damaged entry: {shown}", where=self._where, remedy="write it again from the map") from None


def _strings(*values: object) -> bool:
    return all(isinstance(value, str) for value in values)


def _optional(*values: object) -> bool:
    return all(value is None or isinstance(value, str) for value in values)


def _is_id(value: object) -> bool:
    """A string or a whole number, as in AIF JSON."""
    return isinstance(value, str) or type(value) is int or (isinstance(value, float) and value.is_integer())
