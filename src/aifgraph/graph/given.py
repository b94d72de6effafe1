"""What people give to a builder: nodes or ids, values that can be written, and arguments under other names."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import wraps
from typing import Any, Final, TypeVar

from aifgraph.errors import OptionError, nearest
from aifgraph.graph.nodes import EMPTY, Node

B = TypeVar("B", bound=type)

#: Other words for arguments, each with those that it may stand for.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "scheme": ("schemes",),
    "scheme_id": ("schemes",),
    **dict.fromkeys(("person", "participant", "author", "who", "said_by", "by", "name"), ("speaker", "first_name")),
    **dict.fromkeys(("time", "timestamp", "when", "date", "at"), ("start",)),
    **dict.fromkeys(("premise", "reason", "reasons", "sources"), ("premises", "source")),
    **dict.fromkeys(
        ("source", "from_", "from_id"), ("premises", "source", "attacker", "anchor", "start", "rephrasing")
    ),
    **dict.fromkeys(
        ("target", "to", "to_id"), ("conclusion", "target", "attacked", "content", "end", "rephrased", "dispreferred")
    ),
    **dict.fromkeys(("claim", "supported"), ("conclusion", "text", "attacked")),
    **dict.fromkeys(("locution", "utterance"), ("anchor", "text")),
    **dict.fromkeys(("proposition",), ("content", "text")),
    **dict.fromkeys(("content", "label", "force", "illocution", "words"), ("text",)),
    **dict.fromkeys(("node_id", "key", "nodeID"), ("id", "node")),
    **dict.fromkeys(("type", "kind"), ("type_", "text")),
    **dict.fromkeys(("firstname", "first", "given_name"), ("first_name",)),
    **dict.fromkeys(("lastname", "last_name", "last", "family_name"), ("surname",)),
    **dict.fromkeys(("extra", "fields", "metadata", "attributes", "data"), ("record",)),
}


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


def answering_slips(builder: B) -> B:
    """The class with verbs that answer a wrong argument (``scheme=``) with the right one."""

    def answering(verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        def answered(*arguments: Any, **named: Any) -> Any:
            try:
                return verb(*arguments, **named)
            except TypeError:
                slip = _slip(verb, arguments, named)
                if slip is None:
                    raise
                raise slip from None

        return answered

    for name, verb in list(vars(builder).items()):
        if callable(verb) and not name.startswith("_"):
            setattr(builder, name, answering(verb))
    return builder


def _slip(verb: Callable[..., Any], arguments: tuple[Any, ...], named: Mapping[str, Any]) -> OptionError | None:
    """What is wrong with the arguments of a call, with the name that is meant; None where they fit."""
    signature = inspect.signature(verb)
    try:
        signature.bind(*arguments, **named)
    except TypeError as error:
        parameters = [name for name in signature.parameters if name not in ("self", "cls", "more")]
        if any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values()):
            parameters += ["id", "schemes", "record"]
        wrong = next((name for name in named if name not in parameters), None)
        if wrong is None:
            return OptionError(f"{verb.__name__}: {error}", remedy=f"it takes {', '.join(parameters)}")
        return OptionError(f"{verb.__name__} has no argument {wrong!r}", remedy=_meant(wrong, parameters))
    return None


def _meant(wrong: str, parameters: list[str]) -> str:
    for word in (*_WORDS.get(wrong, ()), *(() if wrong not in ("speaker", "start") else (wrong,))):
        if word in parameters:
            return f"did you mean {word!r}?"
    if "speaker" in (wrong, *_WORDS.get(wrong, ())) or wrong == "start":
        return (
            "who speaks, and when, is said of a locution: locution(text, speaker=…), illocution(locution, proposition)"
        )
    return nearest(wrong, parameters)
