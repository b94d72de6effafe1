"""A part of a sort key that is worked out only if what stands before it in the key is equal."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=tuple[Any, ...])


class Deferred(Generic[Key]):
    """Compares as the tuple that ``key`` returns, which is called at the first comparison.

    >>> sorted([(2, Deferred(lambda: 1 / 0)), (1, Deferred(lambda: 1 / 0))])[0][0]
    1
    """

    def __init__(self, key: Callable[[], Key]) -> None:
        self._key = key

    @cached_property
    def value(self) -> Key:
        """The tuple."""
        return self._key()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deferred) and bool(self.value == other.value)

    def __lt__(self, other: Deferred[Key]) -> bool:
        return self.value < other.value

    __hash__ = None  # type: ignore[assignment]
