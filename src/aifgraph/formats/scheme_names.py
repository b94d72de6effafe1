"""Schemes as pairs of id and name in JSON, and by the names that other formats give."""

from __future__ import annotations

from typing import Any

from aifgraph.errors import FormatError
from aifgraph.graph import Scheme
from aifgraph.graph.schemes import catalogue, letters


def scheme_pairs(pairs: list[Any], where: str) -> tuple[Scheme, ...]:
    """Schemes from ``[[id, name], …]``."""
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise FormatError("schemes: no list of pairs", where=where)
    return tuple(Scheme(*(None if part is None else str(part) for part in pair)) for pair in pairs)


def named_scheme(name: str, kind: str) -> Scheme:
    """The scheme that a name stands for: AIFdb's where exactly one of its schemes of that kind has it, on letters only
    and with or without a leading “Argument from”.

    >>> named_scheme("Argument From Sign", "RA"), named_scheme("My own", "RA")
    (Scheme(id='30', name='Sign'), Scheme(id=None, name='My own'))
    """
    wanted = letters(name)
    forms = {
        wanted,
        wanted.removeprefix("argument"),
        wanted.removeprefix("argumentfrom"),
        wanted.removesuffix("scheme"),
    }
    for form in sorted(forms, key=len, reverse=True):
        found = [row for row in catalogue().values() if row.kind == kind and letters(row.name) == form]
        if found:
            return Scheme(found[0].id, found[0].name) if len(found) == 1 else Scheme(None, name.strip())
    return Scheme(None, name.strip())


def spoken(name: str) -> str:
    """A scheme's name with blanks between its words: ``ExpertOpinion`` → ``Expert Opinion``."""
    return "".join(f" {c}" if c.isupper() and i and name[i - 1].islower() else c for i, c in enumerate(name))
