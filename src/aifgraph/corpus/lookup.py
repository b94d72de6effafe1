"""Where a text stands in a sequence of texts, for sequences that do not fit in a dictionary of Python."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Final

from aifgraph.corpus.lazy import LazySequence
from aifgraph.errors import LimitError

_SMALLEST: Final = 16  # places of an empty table
_MOST: Final = 2**32 - 2  # items that a place can name


class Lookup:
    """The numbers of texts by hash: 6 to 12 bytes an item, twice that and more while items are added.

    Only numbers are kept; the texts themselves are asked for to tell equal ones from those that only share a place.

    >>> names = ("a", "b", "a")
    >>> found = Lookup(names)
    >>> [found.add(names[number], number) for number in range(3)], found.find("b"), found.find("c")
    ([0, 1, 0], 1, -1)
    """

    # A table with open addressing: a text's place follows from its hash, and the next free one is taken.

    def __init__(self, texts: Sequence[str]) -> None:
        # What is asked for most often goes past the checks of a sequence.
        self._text: Callable[[int], str] = texts.item if isinstance(texts, LazySequence) else texts.__getitem__
        self._places = array("I", bytes(4 * _SMALLEST))  # number + 1, or 0
        self._hashes: array[int] | None = array("q", bytes(8 * _SMALLEST))  # of the texts at these places
        self._used = 0

    @classmethod
    def of(cls, texts: Sequence[str], *, last: bool = False) -> Lookup:
        """All texts of a sequence; of equal ones the first is found, or the ``last``."""
        made = cls(texts)
        numbers = range(len(texts))
        for number in reversed(numbers) if last else numbers:
            made.add(texts[number], number)
        made.finish()
        return made

    def add(self, text: str, number: int) -> int:
        """Add the text of a number; the number that is found for it, which is an earlier one where the text is known.

        The sequence may have it later.

        Raises:
            LimitError: it is one of more than four thousand million.
        """
        assert self._hashes is not None, "nothing is added once it is finished"
        if number > _MOST:
            raise LimitError(f"more than {_MOST} maps", remedy="split the corpus")
        if 3 * self._used >= 2 * len(self._places):
            self._grow()
        place, known = self._place(text)
        if known >= 0:
            return known
        self._places[place] = number + 1
        self._hashes[place] = hash(text)
        self._used += 1
        return number

    def find(self, text: str) -> int:
        """The number of a text, or −1."""
        return self._place(text)[1]

    def finish(self) -> None:
        """Give back what is needed for adding only."""
        self._hashes = None

    def _place(self, text: str) -> tuple[int, int]:
        """The place of a text and its number; where it is not known, the place to put it and −1."""
        hashed, places, hashes = hash(text), self._places, self._hashes
        last = len(places) - 1
        place = hashed & last
        while number := places[place]:
            if (hashes is None or hashes[place] == hashed) and self._text(number - 1) == text:
                return place, number - 1
            place = (place + 1) & last
        return place, -1

    def _grow(self) -> None:
        places, hashes = self._places, self._hashes
        assert hashes is not None
        size = 2 * len(places)
        self._places, self._hashes = array("I", bytes(4 * size)), array("q", bytes(8 * size))
        for number, hashed in zip(places, hashes, strict=True):
            if number:
                place = hashed & (size - 1)
                while self._places[place]:
                    place = (place + 1) & (size - 1)
                self._places[place] = number
                self._hashes[place] = hashed
