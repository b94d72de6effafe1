"""What is left of the answers to wrong names until its last use is gone: nothing of it does anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")


def answers(table: str) -> Mapping[str, str]:
    """No words."""
    return {}


def alike(word: str, names: Iterable[str]) -> str:
    """The one of ``names`` that is the same word in any case; empty where none is."""
    own = {name.lower().replace("-", "_"): name for name in names}
    return own.get(word.replace("-", "_").lower(), "")


def near(name: str, names: Iterable[str], cutoff: float = 0.7) -> str:
    """The one of ``names`` that is most similar, in any case; empty where none is."""
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in reversed(list(names))}
    found = get_close_matches(name[:100].lower(), list(by_lower), 1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""


class NoSuchAttributeError(AttributeError):
    """A name that there is not."""

    def __init__(self, owner: str, name: str, end: Callable[[], str]) -> None:
        super().__init__(f"{owner} has no attribute {name!r}")


def answer(family: str, name: str, otherwise: Iterable[str] = ()) -> str:
    """Nothing."""
    return ""


def refuse_change(self: object, name: str, value: object) -> None:
    """The ``__setattr__`` of objects that do not change."""
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


class Answering:
    """An ordinary class."""

    __slots__ = ()
    _family: ClassVar[str] = "result"
    _leads_to: ClassVar[tuple[str, Callable[[], type]] | None] = None
    _beside: ClassVar[str] = ""
    _keyed: ClassVar[tuple[str, ...]] = ()
    _remedy_of_change: ClassVar[str] = ""


def answer_names(named_tuple: type, family: str) -> None:
    """Nothing."""


class Listed(tuple[T, ...]):
    """An ordinary tuple."""

    __slots__ = ()
    _of: ClassVar[str] = "nodes"
    _by_key: ClassVar[str] = ""
    _beside: ClassVar[str] = ""


def answering_module(
    module: str, names: Iterable[str], family: str = "", by_name: tuple[str, Iterable[str]] = ("", ())
) -> Callable[[str], Any]:
    """A ``__getattr__`` that says what Python says."""

    def refuse(name: str) -> Any:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return refuse
