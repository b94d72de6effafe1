"""Ids as AMF's services take them: all of one type in a file, and countable.

A service finds the next free id by counting: whole numbers, as numbers or as strings, or OVA's ``12_1633958932``; with
any other id, or with two kinds in one list, it fails. Ids that are not of the file's kind are therefore numbered. The
map's own id stays in the entry, as ``aifgraphID`` (null: the map has none), and is the id again when the file is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

#: The field of an entry that holds the map's own id for it.
OWN: Final = "aifgraphID"

#: A whole number as an id.
WHOLE: Final = re.compile(r"(?:0|[1-9][0-9]{0,17})\Z")
#: What JSON's whole numbers look like.
_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,4000})\Z")
_SESSION = re.compile(r"([0-9]{1,18})_(.+)\Z", re.DOTALL)
#: The fields that name nodes, in whatever part of a document.
_NAMING: Final = frozenset({"nodeID", "fromID", "toID", "selectedID"})

#: Id, as a string → what it is written as.
Ids = dict[str, str | int]


def as_text(value: object) -> str:
    """An id of a file as the string that it is compared by."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def of_one_type(ids: Iterable[object], taken: Iterable[object] = (), *, numbering: bool = True) -> Ids:
    """What each id is written as: of the kind that most have and the type of the first of these; ``taken`` are no new
    ids. Without ``numbering`` all stay, as numbers where the first is one and all can be, else as strings.

    >>> of_one_type([3, 7.0, "8", "a1"])
    {'3': 3, '7': 7, '8': 8, 'a1': 9}
    >>> of_one_type(["a1", "c1", "2"])
    {'a1': '3', 'c1': '4', '2': '2'}
    >>> of_one_type(["4_163", "9_170", "11"])
    {'4_163': '4_163', '9_170': '9_170', '11': '10_163'}
    >>> of_one_type([3, "8"], numbering=False), of_one_type([3, "a1"], numbering=False)
    ({'3': 3, '8': 8}, {'3': '3', 'a1': 'a1'})
    """
    own = {as_text(value): value for value in reversed(list(ids))}
    keys = list(reversed(own))
    if not numbering:
        can = bool(own) and not isinstance(own[keys[0]], str) and all(map(_NUMBER.match, keys))
        return {key: int(key) if can else key for key in keys}
    whole = [key for key in keys if WHOLE.match(key)]
    sessions = [match for key in keys if (match := _SESSION.match(key))]
    in_sessions = len(sessions) > len(whole)
    numbers = [int(match[1]) for match in sessions] if in_sessions else [int(key) for key in whole]
    numbers += [int(key) for value in taken if WHOLE.match(key := as_text(value))]
    kept = {match[0] for match in sessions} if in_sessions else set(whole)
    as_numbers = bool(whole) and not in_sessions and not isinstance(own[whole[0]], str)
    free = max(numbers, default=0) + 1
    written: Ids = {}
    for key in keys:
        if key in kept:
            written[key] = int(key) if as_numbers else key
            continue
        written[key] = f"{free}_{sessions[0][2]}" if in_sessions else free if as_numbers else str(free)
        free += 1
    return written


def numbered(ids: Mapping[str, str | int]) -> dict[str, str]:
    """Of ids and what they are written as, those that have become others."""
    return {key: str(value) for key, value in ids.items() if str(value) != key}


def kept(entry: dict[str, Any], field: str, ids: Ids) -> dict[str, Any]:
    """An entry under the id that it is written as; its own stays in it where that is another."""
    if entry.get(field) is None:
        return entry
    own = as_text(entry[field])
    entry[field] = ids[own]
    if str(ids[own]) != own:
        entry[OWN] = own
    return entry


def renamed(value: Any, ids: Mapping[str, str | int]) -> Any:
    """A part of a document with other ids wherever it names nodes."""
    if isinstance(value, list):
        return [renamed(each, ids) for each in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: ids.get(as_text(each), each)
        if key in _NAMING and isinstance(each, str | int | float)
        else renamed(each, ids)
        for key, each in value.items()
    }


def naming(value: Any) -> Iterator[str | int | float]:
    """The ids by which a part of a document names nodes."""
    for key, each in value.items() if isinstance(value, Mapping) else enumerate(value):
        if key in _NAMING and isinstance(each, str | int | float):
            yield each
        elif isinstance(each, list | Mapping):
            yield from naming(each)


def own_ids(entries: Iterable[Any], field: str) -> dict[str, str] | None:
    """What the numbers of a file stand for; None where that is not clear: two entries claim one id."""
    numbers: dict[str, str] = {}
    others: set[str] = set()
    for entry in entries:
        if not isinstance(entry, dict) or entry.get(field) is None:
            continue
        number, own = as_text(entry[field]), entry.get(OWN)
        if isinstance(own, str) and numbers.get(number, own) == own:
            numbers[number] = own
        elif OWN not in entry:
            others.add(number)
    distinct = set(numbers.values())
    return numbers if len(distinct) == len(numbers) and not distinct & (others - numbers.keys()) else None
