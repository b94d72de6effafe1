"""Two texts: how alike they are in letters and in meaning, and one axis for the words of both (docs/measures.md,
sections 1 to 3).

Similarity is *normalised Levenshtein* with all costs 1, not the ``2·M/T`` ratio that many libraries call similarity
(kitten/sitting is 0.571 here, 0.615 there). Of two lists every pair has to be considered, since texts that are half
alike need not share any part. Two bounds leave out nearly all pairs: two texts are at most as similar as the shorter
one is long, measured by the longer one; and at most as similar as their longest common subsequence is long, which takes
a sixth of the time of the distance.

Nearness in meaning is no test of agreement: “should ban” and “should not ban” are near.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, TypeVar

from aifgraph.errors import AifgraphError, LimitError, OptionError
from aifgraph.text.words import Budget, visible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

#: How many pairs of characters are compared at most, in one pair of texts or one pair of lists: about ten seconds.
MAX_CELLS: Final = 100_000_000_000
#: What rounding may cost a bound.
_ERROR = 1e-6


def normalised(text: str) -> str:
    """Return a text as it is compared: what is seen of it, NFKC, casefold, white space collapsed and stripped."""
    if text.isascii():
        folded = text.lower()
        if text.isprintable() and "  " not in text:  # of white space only single spaces, as in most texts
            return folded.strip()
    else:
        folded = unicodedata.normalize("NFKC", visible(text)).casefold()
    return " ".join(folded.split())


def similarity(first: str, second: str) -> float:
    """Return the similarity ``1 − lev / longer`` of two *normalised* texts, from 0 to 1.

    It is 1 if both are empty, 0 if one is.

    >>> round(similarity("kitten", "sitting"), 3), similarity("", ""), similarity("", "a")
    (0.571, 1.0, 0.0)
    """
    if first == second:
        return 1.0
    if not first or not second:
        return 0.0
    _check_cells(len(first) * len(second))
    distance: int = _distance()(first, second)
    longer = max(len(first), len(second))
    # One division: 1 − 9/10 is not 0.1, and thresholds are written as 0.1.
    return (longer - distance) / longer


def _check_cells(cells: int) -> None:
    if cells > MAX_CELLS:
        raise LimitError(f"the texts of nodes are too long to compare: more than {MAX_CELLS:,} pairs of characters")


@cache
def _distance() -> Any:
    # The same engine under two names; python-Levenshtein (GPL) need not be there.
    try:
        return import_module("Levenshtein").distance
    except ImportError:
        return import_module("rapidfuzz.distance.Levenshtein").distance


def similar_pairs(first: Sequence[str], second: Sequence[str], least: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of indices of *normalised* texts that are at least ``least`` similar, with the similarity.

    They come in no particular order.

    >>> list(similar_pairs(["tea", "cake"], ["tea", "cakes"], 0.5))
    [(0, 0, 1.0), (1, 1, 0.8)]
    """
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import extract

    bound = max(0.0, least - _ERROR)
    by_length = sorted(range(len(second)), key=lambda j: len(second[j]))
    texts = [second[j] for j in by_length]
    lengths = [len(text) for text in texts]
    sums = list(accumulate(lengths, initial=0))
    cells = 0
    for i, text in enumerate(first):
        start = bisect_left(lengths, bound * len(text))
        stop = bisect_right(lengths, len(text) / bound) if bound else len(texts)
        _check_cells(cells := cells + len(text) * (sums[stop] - sums[start]))
        scorer = LCSseq.normalized_similarity
        for _, _, offset in extract(text, texts[start:stop], scorer=scorer, score_cutoff=bound, limit=None):
            j = by_length[start + offset]
            value = similarity(text, second[j])
            if value >= least:
                yield i, j, value


# -- meaning ----------------------------------------------------------------------------------------------------------

#: A callable from n texts to n vectors, none of which depends on the other texts.
EncodeTexts = Callable[[list[str]], Any]

#: The numbers that an encoder keeps: 2²⁵ are 256 MiB, or 87 381 texts of 384 dimensions.
MAX_CACHED_NUMBERS: Final = 2**25
_REMEDY: Final = "return one row of finite numbers for each text, all of one length and none of them zero"


class Encoder:
    """A sentence model and its last vectors, so that each text of a run is encoded once.

    ``name`` says in a signature which model it is: its ``name`` and ``hash``, else where the callable stands. Encoders
    of one name are equal. Another process begins anew, with the callable. Of a model that a signature names there is no
    callable (None).
    """

    def __init__(self, encode: EncodeTexts | None, name: str = "") -> None:
        self.encode = encode
        self.name: Final = name or self._name_of(encode)
        self._vectors: dict[str, NDArray[np.float64]] = {}

    @staticmethod
    def _name_of(encode: EncodeTexts | None) -> str:
        name, digest = getattr(encode, "name", None), getattr(encode, "hash", None)
        named: Any = encode if hasattr(encode, "__qualname__") else type(encode)
        place = f"callable.{named.__module__}.{named.__qualname__}"
        whole = f"{name}@{digest}" if isinstance(name, str) and isinstance(digest, str) else place
        return re.sub(r"[^\w.@+-]+", "_", whole)

    def cosines(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of every first text (row) with every second (column), rounded to 6 decimals.

        The same for a pair of texts whichever comes first and whatever others are given.
        """
        import numpy as np

        # Sorted: what is encoded is the same whichever side comes first.
        if new := sorted({*first, *second} - self._vectors.keys()):
            vectors = self._encoded(new)
            if (len(self._vectors) + len(new)) * vectors.shape[1] > MAX_CACHED_NUMBERS:
                needed = {text: self._vectors[text] for text in (*first, *second) if text in self._vectors}
                self._vectors = needed
            self._vectors |= zip(new, vectors, strict=True)
        columns = np.array([self._vectors[text] for text in second])
        # Not a product of matrices: that one's last digits depend on which comes first and on how many there are.
        products = [(columns * self._vectors[text]).sum(axis=1) for text in first]
        return np.array(products).reshape(len(first), len(second)).round(6) + 0.0

    def _encoded(self, texts: list[str]) -> NDArray[np.float64]:
        """Return the vectors of some texts, all of length 1."""
        import numpy as np

        if self.encode is None:
            raise OptionError("only the name of the sentence model is known", where=self.name)
        try:
            vectors = np.array(self.encode(texts), dtype=np.float64)
        except AifgraphError:
            raise
        except Exception as cause:
            what = f"failed on {len(texts)} texts: {type(cause).__name__}: {cause}"
            raise OptionError(what, where=self.name, remedy=_REMEDY) from cause
        if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
            what = f"returned an array of shape {vectors.shape} for {len(texts)} texts"
            raise OptionError(what, where=self.name, remedy=_REMEDY)
        bad = ~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1)
        if bad.any():
            what = f"the vector of {texts[int(bad.argmax())][:60]!r} is zero or not finite"
            raise OptionError(what, where=self.name, remedy=_REMEDY)
        # Scaled first, so that no square of a very large or very small number is lost.
        vectors /= np.abs(vectors).max(axis=1, keepdims=True)
        vectors /= np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return vectors

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoder) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[type[Encoder], tuple[EncodeTexts | None, str]]:
        return Encoder, (self.encode, self.name)


# -- one axis: the words of both, those they share in one place ------------------------------------------------------

#: Above this many words a side another diff stands in, which is not quadratic; the signature says which was used.
DIFFLIB_WORDS = 20_000
#: The least number of steps that a diff may take, and how many it may take for each word. Real texts take under 1200.
MIN_STEPS: Final = 20_000_000
STEPS_PER_WORD: Final = 2500

Opcode = tuple[str, int, int, int, int]


class _Matcher(SequenceMatcher[str]):
    """A matcher that counts its steps, which are cubic in the number of words where these are often repeated."""

    def __init__(self, first: list[str], second: list[str], budget: Budget) -> None:
        super().__init__(None, first, second, autojunk=False)
        indices: Mapping[str, list[int]] = self.b2j  # type: ignore[attr-defined]
        self._steps = list(accumulate((1 + len(indices.get(word, ())) for word in first), initial=0))
        self._budget = budget

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        self._budget.spend(self._steps[-1 if ahi is None else ahi] - self._steps[alo])
        return super().find_longest_match(alo, ahi, blo, bhi)


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
    steps = max(MIN_STEPS, STEPS_PER_WORD * (len(small) + len(other)))
    budget = Budget(steps, "the texts take too long to compare word by word")
    opcodes = _anchored(small, other, budget) if long else _Matcher(small, other, budget).get_opcodes()
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


def _anchored(first: list[str], second: list[str], budget: Budget) -> Iterator[Opcode]:
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
    for start, other_start in _chain(first, second, head, stop, other_stop):
        if start < done or other_start < other_done:
            continue
        yield from _between(first, second, (done, start, other_done, other_start), budget)
        end, other_end = start, other_start
        while end < stop and other_end < other_stop and first[end] == second[other_end]:
            end, other_end = end + 1, other_end + 1
        yield ("equal", start, end, other_start, other_end)
        done, other_done = end, other_end
    yield from _between(first, second, (done, stop, other_done, other_stop), budget)
    if tail:
        yield ("equal", stop, len(first), other_stop, len(second))


def _between(
    first: list[str], second: list[str], stretch: tuple[int, int, int, int], budget: Budget
) -> Iterator[Opcode]:
    low, high, other_low, other_high = stretch
    if low == high and other_low == other_high:
        return
    if low == high or other_low == other_high or (high - low) * (other_high - other_low) > _STRETCH:
        yield ("replace", low, high, other_low, other_high)
        return
    matcher = _Matcher(first[low:high], second[other_low:other_high], budget)
    for tag, a, b, c, d in matcher.get_opcodes():
        yield (tag, low + a, low + b, other_low + c, other_low + d)


def _chain(first: list[str], second: list[str], start: int, stop: int, other_stop: int) -> list[tuple[int, int]]:
    """Return where runs that occur once in either text begin, as pairs: the longest chain that rises in both."""
    ours, theirs = _once(first, start, stop), _once(second, start, other_stop)
    pairs = sorted((start, theirs[gram]) for gram, start in ours.items() if gram in theirs)
    tails: list[int] = []
    chains: list[int] = []
    before: list[int] = []
    for index, (_, other_start) in enumerate(pairs):
        rank = bisect_left(tails, other_start)
        before.append(chains[rank - 1] if rank else -1)
        if rank == len(tails):
            tails.append(other_start)
            chains.append(index)
        else:
            tails[rank], chains[rank] = other_start, index
    chain: list[tuple[int, int]] = []
    index = chains[-1] if chains else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _once(words: list[str], start: int, stop: int) -> dict[tuple[str, ...], int]:
    starts: dict[tuple[str, ...], int] = {}
    for index in range(start, stop - _GRAM + 1):
        gram = tuple(words[index : index + _GRAM])
        starts[gram] = -1 if gram in starts else index
    return {gram: index for gram, index in starts.items() if index >= 0}


# -- positions on the axis: sets of words as sorted, separate runs ``(start, stop)`` ----------------------------------

Position = tuple[tuple[int, int], ...]

#: The most pairs of nodes that may match or overlap: about five seconds, 400 MB.
MAX_PAIRS: Final = 500_000


def size(position: Position) -> int:
    """Return the number of words of a position."""
    if len(position) == 1:  # as most have
        return position[0][1] - position[0][0]
    return sum(stop - start for start, stop in position)


def common_words(first: Position, second: Position) -> int:
    """Return the number of words that two positions share."""
    common = row = column = 0
    while row < len(first) and column < len(second):
        common += max(0, min(first[row][1], second[column][1]) - max(first[row][0], second[column][0]))
        if first[row][1] < second[column][1]:
            row += 1
        else:
            column += 1
    return common


def jaccard(first: Position | None, second: Position | None) -> float:
    """Return the shared words among all words of two positions; 0 if either is unknown."""
    if not first or not second:
        return 0.0
    common = common_words(first, second)
    return common / (size(first) + size(second) - common)


def bounded(pairs: Iterable[T], most: int = MAX_PAIRS, remedy: str = "") -> Iterator[T]:
    """Yield pairs; raise ``LimitError`` if they are more than ``most``."""
    for number, pair in enumerate(pairs):
        if number >= most:
            raise LimitError(f"more than {most:,} pairs of nodes that could match", remedy=remedy)
        yield pair


def overlaps(first: Mapping[int, Position], second: Mapping[int, Position]) -> dict[tuple[int, int], int]:
    """Return the number of words that nodes share, by pair of nodes that share any.

    Raises ``LimitError`` if the nodes overlap more than ``MAX_PAIRS`` times.

    >>> overlaps({1: ((0, 4),)}, {7: ((3, 9),), 8: ((5, 6),)})
    {(1, 7): 1}
    """
    runs = sorted(
        (start, stop, number, node)
        for number, positions in enumerate((first, second))
        for node, position in positions.items()
        for start, stop in position
    )
    common: dict[tuple[int, int], int] = {}
    open_runs: tuple[list[tuple[int, int]], ...] = ([], [])
    times = 0
    for start, stop, number, node in runs:
        others = open_runs[1 - number]
        times += len(others)
        if times > MAX_PAIRS:
            raise LimitError(f"more than {MAX_PAIRS:,} overlaps of nodes in the text")
        ended = False
        for other_stop, other in others:
            if other_stop > start:
                pair = (other, node) if number else (node, other)
                common[pair] = common.get(pair, 0) + (stop if stop < other_stop else other_stop) - start
            else:
                ended = True
        if ended:  # what ended before this run shares nothing with those that follow
            others[:] = [run for run in others if run[0] > start]
        open_runs[number].append((stop, node))
    return common
