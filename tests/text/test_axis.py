"""One axis for two texts."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from aifgraph.text import axis as module
from aifgraph.text.axis import Axis, merge

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=25)


def places(axis: Axis, first: list[str], second: list[str]) -> tuple[list[int], list[int]]:
    return list(axis.first or range(len(first))), list(axis.second or range(len(second)))


def assert_merge(axis: Axis, first: list[str], second: list[str]) -> None:
    """Each place holds one word, of one text or of both; words keep their order."""
    ours, theirs = places(axis, first, second)
    assert ours == sorted(set(ours))
    assert theirs == sorted(set(theirs))
    assert set(ours) | set(theirs) == set(range(axis.length))
    words: dict[int, str] = dict(zip(ours, first, strict=True))
    for place, word in zip(theirs, second, strict=True):
        assert words.setdefault(place, word) == word
    assert axis.common == len(set(ours) & set(theirs))


@given(WORDS, WORDS)
def test_a_merge_the_same_from_both_ends(first: list[str], second: list[str]) -> None:
    one, other = merge(first, second), merge(second, first)
    assert_merge(one, first, second)
    assert (one.length, one.common, one.first, one.second) == (other.length, other.common, other.second, other.first)


@given(WORDS, WORDS)
def test_difflib_says_what_is_shared(first: list[str], second: list[str]) -> None:
    small, large = sorted((first, second))
    blocks = SequenceMatcher(None, small, large, autojunk=False).get_matching_blocks()
    assert merge(first, second).common == sum(block.size for block in blocks)


def test_by_hand() -> None:
    # a b|x|c against a b|y z|c: a b x c is the smaller, so x stands before y z.
    first, second = ["a", "b", "x", "c"], ["a", "b", "y", "z", "c"]
    assert merge(first, second) == Axis(6, 3, [0, 1, 2, 5], [0, 1, 3, 4, 5], "difflib")
    assert merge(first, first) == Axis(4, 4)
    assert merge(first, second).overlap == 0.5


def test_autojunk_is_off() -> None:
    # difflib would drop a word that makes up more than a hundredth of 200 words and more.
    first = ["the"] * 150 + [str(n) for n in range(100)]
    second = [*first[:120], "new", *first[120:]]
    assert merge(first, second).common == 250


def test_long_texts_by_anchors() -> None:
    rng = random.Random(7)
    for _ in range(30):
        first = [rng.choice("abcdefgh") + str(rng.randrange(30)) for _ in range(rng.randint(30, 300))]
        second = list(first)
        for _ in range(rng.randint(0, 25)):
            at = rng.randrange(len(second))
            second[at : at + rng.randint(0, 6)] = [str(rng.randrange(9)) for _ in range(rng.randint(0, 6))]
        with patch.object(module, "DIFFLIB_WORDS", 10):
            axis, other = merge(first, second), merge(second, first)
        assert_merge(axis, first, second)
        assert (axis.first, axis.second) == (other.second, other.first)
        if first != second:
            assert axis.method == "anchors"
            assert axis.common >= 0.8 * merge(first, second).common


@given(WORDS, WORDS)
def test_anchors_on_any_texts(first: list[str], second: list[str]) -> None:
    with patch.object(module, "DIFFLIB_WORDS", 0):
        assert_merge(merge(first, second), first, second)
