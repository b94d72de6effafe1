"""What data sets and tools add to an entry of a file, as properties: one for each value, however deep it stands.

A property is named after the way to its value: ``{"arggraph": {"stance": "pro"}}`` is ``f:arggraph.stance "pro"``, the
second of a list is ``f:edus.1``. Characters that no name has are written as ``_x0020_``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

#: What stands deeper is not read.
_MAX_DEPTH: Final = 100
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
# An underscore that would be taken for the start of an escape, digits and signs in front, and what no name has.
_ESCAPED = re.compile(r"_(?=x[0-9A-F]*_)|\A[0-9-]|[^A-Za-z0-9_-]")
_ESCAPE = re.compile(r"_x([0-9A-F]{4,6}|)_")


def fields(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of a JSON object by the ways to them: texts, numbers, truth values, None, empty objects and lists.

    >>> list(fields({"iac": {"votes": [3, 4], "a b": None}}))
    [('iac.votes.0', 3), ('iac.votes.1', 4), ('iac.a_x0020_b', None)]
    """
    waiting: list[tuple[str, Any]] = [("", record)] if record else []
    while waiting:
        path, value = waiting.pop()
        start = f"{path}." if path else ""
        if isinstance(value, Mapping) and value:
            waiting += [(start + _step(str(key)), part) for key, part in reversed(list(value.items()))]
        elif isinstance(value, list | tuple) and value:
            waiting += [(f"{start}{place}", part) for place, part in reversed(list(enumerate(value)))]
        else:
            yield path, [] if isinstance(value, tuple) else value


def record_of(found: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The object whose ``fields`` these are; of two values at one place the first counts.

    >>> record_of([("iac.votes.1", 4), ("iac.a_x0020_b", None), ("iac.votes.0", 3)])
    {'iac': {'votes': [3, 4], 'a b': None}}
    """
    root: dict[str, Any] = {}
    for path, value in found:
        steps = path.split(".")
        if len(steps) > _MAX_DEPTH:
            continue
        place: Any = root
        for step in steps[:-1]:
            place = place.setdefault(step, _Branch())
            if not isinstance(place, _Branch):
                break
        if isinstance(place, _Branch) or place is root:
            place.setdefault(steps[-1], value)
    return {_key(step): _grown(value) for step, value in root.items()}


class _Branch(dict[str, Any]):
    """An object or a list by the steps to its parts."""


def _grown(value: Any) -> Any:
    if not isinstance(value, _Branch):
        return value
    if all(step.isascii() and step.isdigit() and len(step) < 16 for step in value):
        return [_grown(value[step]) for step in sorted(value, key=int)]
    return {_key(step): _grown(part) for step, part in value.items()}


def _step(key: str) -> str:
    if _PLAIN.match(key) and "_x" not in key:
        return key
    return _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", key) or "_x_"


def _key(step: str) -> str:
    return _ESCAPE.sub(_character, step)


def _character(found: re.Match[str]) -> str:
    number = int(found[1] or "0", 16)
    return "" if not found[1] else chr(number) if number < 0x110000 else found[0]
