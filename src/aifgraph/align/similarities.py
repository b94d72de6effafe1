"""Similarities of texts, worked out each time or kept for those who compare the same texts again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aifgraph.text.similar_pairs import similar_pairs
from aifgraph.text.similarity import similarity


class Similarities:
    """Similarities of normalised texts, worked out each time."""

    def of(self, first: str, second: str) -> float:
        """How alike two texts are, from 0 to 1."""
        return similarity(first, second)

    def pairs(self, first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
        """All pairs of indices of texts that are at least ``least`` similar, with the similarity."""
        return similar_pairs(first, second, least)


class KeptSimilarities(Similarities):
    """Similarities of the texts of two sides, each worked out once, however the texts are dealt out among the nodes.

    >>> kept = KeptSimilarities(["a", "bc"], ["bd", "a"])
    >>> sorted(kept.pairs(["bc", "a"], ["a", "bd"], 0.5))
    [(0, 1, 0.5), (1, 0, 1.0)]
    """

    def __init__(self, first: Iterable[str], second: Iterable[str]) -> None:
        self._texts = list(dict.fromkeys(first)), list(dict.fromkeys(second))
        self._values: dict[tuple[str, str], float] = {}
        self._near: dict[float, dict[str, list[tuple[str, float]]]] = {}

    def of(self, first: str, second: str) -> float:
        value = self._values.get((first, second))
        if value is None:
            value = self._values[first, second] = similarity(first, second)
        return value

    def pairs(self, first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
        if least not in self._near:
            ours, theirs = self._texts
            near = self._near[least] = {}
            for i, j, value in similar_pairs(ours, theirs, least):
                near.setdefault(ours[i], []).append((theirs[j], value))
        places: dict[str, list[int]] = {}
        for place, text in enumerate(second):
            places.setdefault(text, []).append(place)
        for i, text in enumerate(first):
            for other, value in self._near[least].get(text, ()):
                for j in places.get(other, ()):
                    yield i, j, value
