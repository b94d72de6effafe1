"""One axis for two texts: the words of both, those they share in one place (docs/measures.md, section 1).

Equal texts are their own axis. Otherwise the smaller of the two (as lists of words) is merged with the other over the
opcodes of ``difflib.SequenceMatcher``, so that swapping the two gives the same axis.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

#: Above this many words a side another diff stands in, which is not quadratic; the signature says which was used.
DIFFLIB_WORDS = 20_000

Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Axis:
    """The places of both texts on an axis of ``length`` words, of which ``common`` belong to both.

    ``first`` and ``second`` map a text's words to places; None where they are the same. ``method`` is ``equal``,
    ``difflib`` or ``anchors``.
    """

    length: int
    common: int
    first: Sequence[int] | None = None
    second: Sequence[int] | None = None
    method: str = "equal"

    @property
    def overlap(self) -> float:
        """The share of the axis that both texts have."""
        return self.common / self.length if self.length else 1.0


def merge(first: list[str], second: list[str]) -> Axis:
    """Return the axis of two word sequences.

    >>> merge("a b c".split(), "a c d".split())
    Axis(length=4, common=2, first=[0, 1, 2], second=[0, 2, 3], method='difflib')
    """
    if first == second:
        return Axis(len(first), len(first))
    swapped = second < first
    small, other = (second, first) if swapped else (first, second)
    long = max(len(small), len(other)) > DIFFLIB_WORDS
    opcodes = _anchored(small, other) if long else SequenceMatcher(None, small, other, autojunk=False).get_opcodes()
    small_places: list[int] = []
    other_places: list[int] = []
    end = common = 0
    for tag, low, high, other_low, other_high in opcodes:
        small_places.extend(range(end, end + high - low))
        if tag == "equal":
            other_places.extend(range(end, end + high - low))
            common += high - low
            end += high - low
        else:
            other_places.extend(range(end + high - low, end + high - low + other_high - other_low))
            end += high - low + other_high - other_low
    places = (other_places, small_places) if swapped else (small_places, other_places)
    return Axis(end, common, *places, "anchors" if long else "difflib")


#: Runs of this many words that occur once in either text are anchors.
_GRAM = 5
#: Stretches between anchors are compared word by word up to this many pairs of words.
_STRETCH = 4_000_000


def _anchored(first: list[str], second: list[str]) -> Iterator[Opcode]:
    """Yield opcodes for long texts: equal ends, then the longest rising chain of anchors, difflib between them."""
    head = 0
    shorter = min(len(first), len(second))
    while head < shorter and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < shorter - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    if head:
        yield ("equal", 0, head, 0, head)
    done, other_done = head, head
    stop, other_stop = len(first) - tail, len(second) - tail
    for place, other in _chain(first, second, head, stop, other_stop):
        if place < done or other < other_done:
            continue
        yield from _between(first, second, done, place, other_done, other)
        run = 0
        while place + run < stop and other + run < other_stop and first[place + run] == second[other + run]:
            run += 1
        yield ("equal", place, place + run, other, other + run)
        done, other_done = place + run, other + run
    yield from _between(first, second, done, stop, other_done, other_stop)
    if tail:
        yield ("equal", stop, len(first), other_stop, len(second))


def _between(
    first: list[str], second: list[str], low: int, high: int, other_low: int, other_high: int
) -> Iterator[Opcode]:
    if low == high and other_low == other_high:
        return
    if low == high or other_low == other_high or (high - low) * (other_high - other_low) > _STRETCH:
        yield ("replace", low, high, other_low, other_high)
        return
    matcher = SequenceMatcher(None, first[low:high], second[other_low:other_high], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        yield (tag, low + a, low + b, other_low + c, other_low + d)


def _chain(first: list[str], second: list[str], start: int, stop: int, other_stop: int) -> list[tuple[int, int]]:
    """Return pairs of places of runs that occur once in either text, the longest chain that rises in both."""
    ours, theirs = _once(first, start, stop), _once(second, start, other_stop)
    pairs = sorted((place, theirs[gram]) for gram, place in ours.items() if gram in theirs)
    tails: list[int] = []
    chains: list[int] = []
    before: list[int] = []
    for index, (_, other) in enumerate(pairs):
        at = bisect_left(tails, other)
        before.append(chains[at - 1] if at else -1)
        if at == len(tails):
            tails.append(other)
            chains.append(index)
        else:
            tails[at], chains[at] = other, index
    chain: list[tuple[int, int]] = []
    index = chains[-1] if chains else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _once(words: list[str], start: int, stop: int) -> dict[tuple[str, ...], int]:
    places: dict[tuple[str, ...], int] = {}
    for place in range(start, stop - _GRAM + 1):
        gram = tuple(words[place : place + _GRAM])
        places[gram] = -1 if gram in places else place
    return {gram: place for gram, place in places.items() if place >= 0}
