"""Options of a format: the keyword parameters of its ``read`` or ``write``, checked by name and by type."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from aifgraph.errors import OptionError


@cache
def options_of(function: Callable[..., object]) -> dict[str, Any]:
    """The options that a codec's ``read`` or ``write`` takes, with their types.

    >>> from aifgraph.formats.registry import codec
    >>> list(options_of(codec("brat").read))
    ['major']
    """
    keywords = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    hints = get_type_hints(function) if keywords else {}
    return {name: hints.get(name, Any) for name in keywords}


def checked(function: Callable[..., object], given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The given options, or an ``OptionError`` that names the right one; ``what`` is e.g. ``reading brat``."""
    if not given:
        return {}
    known = options_of(function)
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            remedy = f"is it {near[0]}?" if near else f"it takes {', '.join(known) or 'no options'}"
            raise OptionError(f"{what} takes no option {name!r}", remedy=remedy)
        choices = _literals(known[name])
        if choices and value not in choices:
            near = get_close_matches(str(value), [str(choice) for choice in choices], n=1)
            remedy = f"is it {near[0]}?" if near else f"choose from {', '.join(map(str, choices))}"
            raise OptionError(f"{name} cannot be {value!r}", remedy=remedy)
        if not choices and not _fits(value, known[name]):
            raise OptionError(f"{name} cannot be {value!r}", remedy=f"it is {_shown(known[name])}")
    return dict(given)


def _parts(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _literals(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def _fits(value: object, hint: Any) -> bool:
    for part in _parts(hint):
        kind = get_origin(part) or part
        if kind is Any or (isinstance(kind, type) and isinstance(value, kind) and not (kind is int and value is True)):
            return True
    return False


def _shown(hint: Any) -> str:
    names = ["None" if part is NoneType else getattr(part, "__name__", str(part)) for part in _parts(hint)]
    return " or ".join(names)
