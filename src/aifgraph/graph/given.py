"""What people give to a builder: nodes or ids, and values that can be written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from aifgraph.errors import OptionError
from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import EMPTY, Node


def id_of(node: object) -> str:
    """The id of a node, or an id as it is (a number is one, too).

    >>> from aifgraph.graph import Proposition
    >>> id_of(Proposition("7", "Masks help")), id_of("7"), id_of(7)
    ('7', '7', '7')
    """
    if isinstance(node, Node):
        return node.id
    if isinstance(node, str):
        return node
    if isinstance(node, int) and not isinstance(node, bool):
        return str(node)
    remedy = "give a node or its id, as the builder returned it"
    if type(node).__name__ == "Participant":
        remedy = "give a node; update(person, first_name=…, surname=…) gives a person another name"
    elif isinstance(node, Iterable):
        remedy = "give a node or its id; several go one by one: remove(*nodes)"
    raise OptionError(f"an id of type {type(node).__name__}", remedy=remedy)


def new_id(id_: object) -> str:
    """An id that somebody chose for something new."""
    if isinstance(id_, str) or type(id_) is int:
        return str(id_)
    raise OptionError(f"an id of type {type(id_).__name__}", remedy="give a string or a whole number")


def checked_text(text: object, what: str = "text") -> str:
    """A text, which is nothing but a string."""
    if isinstance(text, str):
        return str(text)
    raise OptionError(f"{what} is of type {type(text).__name__}", remedy="give a string")


def written_time(time: object, what: str = "start") -> str | None:
    """A time as files write it.

    >>> written_time(datetime(2019, 3, 6, 14, 31, 23)), written_time("after the break")
    ('2019-03-06 14:31:23', 'after the break')
    """
    if time is None or isinstance(time, str):
        return time
    if isinstance(time, datetime):
        return time.isoformat(" ")
    remedy = "give a datetime, or a text such as 2019-03-06 14:31:23"
    raise OptionError(f"{what} is of type {type(time).__name__}", remedy=remedy)


def given_time(start: object) -> str | None:
    """A time that somebody gives, as files write it; what a file has may be anything.

    >>> given_time("7 May 2020 9pm")
    Traceback (most recent call last):
    aifgraph.errors.OptionError: start is '7 May 2020 9pm', which is no time; give a datetime or 2019-03-06 14:31:23
    """
    time = written_time(start)
    if time is not None and parse_time(time) is None:
        what = f"start is {time!r}, which is no time"[:200]
        raise OptionError(what, remedy="give a datetime or 2019-03-06 14:31:23")
    return time


def plain_record(record: object) -> Mapping[str, Any]:
    """Fields of an entry as values that JSON has, in a copy that belongs to the graph.

    Raises:
        OptionError: a value cannot be written.

    >>> plain_record({"mood": ["good", 1, None], "seen": datetime(2019, 3, 6)})
    {'mood': ['good', 1, None], 'seen': '2019-03-06 00:00:00'}
    """
    if record is EMPTY:
        return EMPTY
    if not isinstance(record, Mapping):
        raise OptionError(f"record is of type {type(record).__name__}", remedy="give a dictionary")
    try:
        fields: dict[str, Any] = _plain(record, "record")
    except RecursionError:
        raise OptionError("record is nested too deeply", remedy="give plain values") from None
    return fields


def _plain(value: object, where: str) -> Any:
    if value is None or type(value) in (str, bool, int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise OptionError(f"{where} has a key of type {type(key).__name__}", remedy="keys are strings")
        return {str(key): _plain(part, f"{where}[{str(key)[:40]!r}]") for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part, f"{where}[{index}]") for index, part in enumerate(value)]
    if isinstance(value, str | int):  # of a subclass
        return str(value) if isinstance(value, str) else int(value)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    shown = repr(value) if isinstance(value, float) else f"of type {type(value).__name__}"
    raise OptionError(f"{where} is {shown}"[:200], remedy="give what JSON has: text, numbers, true, null, lists")
