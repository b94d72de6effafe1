"""Words and where they stand (docs/measures.md, section 1).

A word is a longest run of letters, numbers and marks; each Han, Hiragana or Katakana character is a word of its own.
Words are compared after NFKC and casefold. Characters that nobody sees (Unicode category Cf: soft hyphens, joiners,
marks of direction) are as if they were not there; the zero width space is a blank.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from aifgraph.errors import LimitError


class Words(NamedTuple):
    """The words of a text, normalised, with the characters ``starts[i]`` to ``ends[i]`` that each takes."""

    words: list[str]
    starts: list[int]
    ends: list[int]


def visible(text: str) -> str:
    """Return a text without the characters that nobody sees.

    >>> visible("co\N{SOFT HYPHEN}operate now"), visible("so\N{ZERO WIDTH SPACE}what")
    ('cooperate now', 'so what')
    """
    return text if text.isascii() else text.translate(_VISIBLE)


def words_of(text: str) -> list[str]:
    """Return the words of a text, as they are compared.

    >>> words_of("Don’t panic: 論点 2nd!")
    ['don', 't', 'panic', '論', '点', '2nd']
    """
    if text.isascii():
        return text.encode().translate(_ASCII_WORDS).decode().split()
    return [_normal(text[run.start() : run.end()]) for run in _RUNS.finditer(text.translate(_CLASSES))]


def words_with_places(text: str) -> Words:
    """Return the words of a text with their characters."""
    # What is between words and the words, in turn.
    pieces = _ASCII.split(text) if text.isascii() else _RUNS.split(text.translate(_CLASSES))
    ends = list(accumulate(map(len, pieces)))
    return Words(words_of(text), ends[:-1:2], ends[1::2])


def _normal(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", visible(word)).casefold()


_ASCII = re.compile("([A-Za-z0-9]+)")
#: Letters and digits as they are compared, all else as spaces: takes half the time of the pattern.
_ASCII_WORDS = bytes(ord(char.lower()) if char.isascii() and char.isalnum() else 32 for char in map(chr, range(256)))
# In the translated text a stands for a character of a word, c for one that is a word by itself, - for one that nobody
# sees.
_RUNS = re.compile("(a+(?:-+a+)*|c)")

_ALONE = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF))


_ZERO_WIDTH_SPACE = 0x200B


class _Classes(dict[int, str]):
    """Character → its class, found out when it is first met: all of Unicode would take longer than most texts."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))
        if category == "Cf" and code != _ZERO_WIDTH_SPACE:
            kind = "-"
        elif category[0] not in "LNM":
            kind = " "
        else:
            kind = "c" if any(low <= code <= high for low, high in _ALONE) else "a"
        self[code] = kind
        return kind


_CLASSES = _Classes()


class _Visible(dict[int, str]):
    """Character → what is seen of it."""

    def __missing__(self, code: int) -> str:
        kind = _CLASSES[code]
        self[code] = seen = "" if kind == "-" else " " if code == _ZERO_WIDTH_SPACE else chr(code)
        return seen


_VISIBLE = _Visible()


class Budget:
    """The number of steps that may be taken, and what there is too much of if they do not suffice."""

    def __init__(self, steps: int, what: str) -> None:
        self.steps, self.left, self.what = steps, steps, what

    def spend(self, steps: int) -> None:
        """Take steps; raise ``LimitError`` if they are too many, before they are done."""
        self.left -= steps
        if self.left < 0:
            raise LimitError(f"{self.what}: more than {self.steps:,} steps")


#: A word that occurs so rarely is compared there at once; to look for a rarer one takes longer.
_RARE = 2


class WordIndex:
    """A word sequence and the indices of each word.

    >>> WordIndex("to be or not to be".split()).occurrences(["to", "be"])
    [0, 4]
    """

    __slots__ = ("_pairs", "indices", "words")

    def __init__(self, words: Sequence[str]) -> None:
        indices = defaultdict[str, list[int]](list)
        for index, word in enumerate(words):
            indices[word].append(index)
        self.indices = dict(indices)
        # Of equal words one is kept: a long text is looked through in a fifth of the time, and takes less memory.
        self.words = list(map(dict(zip(indices, indices, strict=True)).__getitem__, words))
        self._pairs: dict[tuple[str, str], list[int]] | None = None

    def occurrences(self, run: Sequence[str]) -> list[int]:
        """Return where ``run`` (not empty) occurs, from left to right; occurrences may overlap."""
        indices = self.indices
        rarest: list[int] | None = None
        offset = 0
        for index, word in enumerate(run):
            here = indices.get(word)
            if here is None:
                return []
            if rarest is None or len(here) < len(rarest):
                rarest, offset = here, index
                if len(here) <= _RARE:
                    break
        words, size, run, first = self.words, len(run), list(run), run[0]
        if size > len(words):
            return []
        starts = [index - offset for index in rarest or () if words[index - offset] == first]
        return [start for start in starts if start >= 0 and words[start : start + size] == run]

    @property
    def pairs(self) -> dict[tuple[str, str], list[int]]:
        """Where every two words that stand side by side begin; made when first asked for."""
        if self._pairs is None:
            pairs = defaultdict[tuple[str, str], list[int]](list)
            for index, pair in enumerate(pairwise(self.words)):
                pairs[pair].append(index)
            self._pairs = dict(pairs)
        return self._pairs
