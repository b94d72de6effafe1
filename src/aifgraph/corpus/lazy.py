"""Sequences whose items are made when they are asked for: a list of a million would be most of what a run holds."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)
U_co = TypeVar("U_co", covariant=True)


class LazySequence(Sequence[T_co]):
    """A sequence without items of its own; it equals any sequence of equal items. A part of it is one, too."""

    @abstractmethod
    def item(self, number: int) -> T_co:
        """The item of a number from 0 to the length less 1."""

    @abstractmethod
    def part(self, numbers: range) -> LazySequence[T_co]:
        """The items of these numbers."""

    @overload
    def __getitem__(self, key: int) -> T_co: ...
    @overload
    def __getitem__(self, key: slice) -> LazySequence[T_co]: ...
    def __getitem__(self, key: int | slice) -> T_co | LazySequence[T_co]:
        count = len(self)
        if isinstance(key, slice):
            return self.part(range(count)[key])
        if not -count <= key < count:
            raise IndexError(key)
        return self.item(key if key >= 0 else key + count)

    def __iter__(self) -> Iterator[T_co]:
        return map(self.item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazySequence | tuple):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        if len(self) <= 5:
            return repr(tuple(self))
        return f"({', '.join(map(repr, self[:5]))}, … {len(self)} in all)"


class Made(LazySequence[T_co]):
    """The items that ``make`` gives for some numbers.

    >>> Made(range(3), str)[1:], Made(range(3), str) == ("0", "1", "2")
    (('1', '2'), True)
    """

    def __init__(self, numbers: Sequence[int], make: Callable[[int], T_co]) -> None:
        self._numbers = numbers
        self._make = make

    def __len__(self) -> int:
        return len(self._numbers)

    def item(self, number: int) -> T_co:
        return self._make(self._numbers[number])

    def part(self, numbers: range) -> Made[T_co]:
        return Made(picked(self._numbers, numbers), self._make)


class Mapped(LazySequence[U_co], Generic[T_co, U_co]):
    """What ``change`` makes of every item of a sequence.

    >>> Mapped(("a", "b"), str.upper)[0]
    'A'
    """

    def __init__(self, items: Sequence[T_co], change: Callable[[T_co], U_co]) -> None:
        self._items = items
        self._change = change

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[U_co]:
        return map(self._change, self._items)

    def item(self, number: int) -> U_co:
        return self._change(self._items[number])

    def part(self, numbers: range) -> Made[U_co]:
        return Made(numbers, self.item)


def compact(numbers: Iterable[int]) -> Sequence[int]:
    """Numbers from 0 on in 8 bytes each; those that follow each other, as most do, as a range.

    >>> compact([3, 4, 5]), compact([4, 3])
    (range(3, 6), array('Q', [4, 3]))
    """
    held = array("Q", numbers)
    start = held[0] if held else 0
    whole = range(start, start + len(held))
    return whole if all(map(int.__eq__, held, whole)) else held


def picked(numbers: Sequence[int], places: range) -> Sequence[int]:
    """The numbers at these places, as compact as they were."""
    if isinstance(numbers, range):
        start, step = numbers.start, numbers.step
        return range(start + step * places.start, start + step * places.stop, step * places.step)
    return array("Q", map(numbers.__getitem__, places))
