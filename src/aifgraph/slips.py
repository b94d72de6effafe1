"""What is left of the answers to wrong arguments until its last use is gone: nothing of it does anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

K = TypeVar("K")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
B = TypeVar("B", bound=type)


def answering(instead: str = "", *, called: str = "", more: tuple[str, ...] | None = None) -> Callable[[F], F]:
    """The function as it is."""
    return lambda verb: verb


def answer_verbs(owner: type) -> None:
    """Nothing."""


def answering_slips(more: tuple[str, ...]) -> Callable[[B], B]:
    """The class as it is."""
    return lambda owner: owner


class Named(dict[K, T]):
    """An ordinary dictionary."""

    _what: ClassVar[str] = "name"

    def __missing__(self, key: object) -> T:
        raise KeyError(key)
