"""Finding runs of words in a text without reading all of it each time: an index of where every word occurs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise


class WordIndex:
    """A word sequence and the places of each word.

    >>> list(WordIndex("to be or not to be".split()).occurrences(["to", "be"]))
    [0, 4]
    """

    __slots__ = ("_pairs", "places", "words")

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        places = defaultdict[str, list[int]](list)
        for place, word in enumerate(self.words):
            places[word].append(place)
        self.places = dict(places)
        self._pairs: dict[tuple[str, str], list[int]] | None = None

    def occurrences(self, run: Sequence[str]) -> Iterator[int]:
        """The first places of every occurrence of ``run`` (not empty), from left to right; they may overlap."""
        places = self.places
        rarest: list[int] = places.get(run[0], [])
        offset = 0
        for index, word in enumerate(run):
            here = places.get(word)
            if here is None:
                return
            if len(here) < len(rarest):
                rarest, offset = here, index
        words, size, run = self.words, len(run), list(run)
        for place in rarest:
            start = place - offset
            if start >= 0 and words[start : start + size] == run:
                yield start

    @property
    def pairs(self) -> dict[tuple[str, str], list[int]]:
        """The places of every two words that stand side by side; made when first asked for."""
        if self._pairs is None:
            pairs = defaultdict[tuple[str, str], list[int]](list)
            for place, pair in enumerate(pairwise(self.words)):
                pairs[pair].append(place)
            self._pairs = dict(pairs)
        return self._pairs
