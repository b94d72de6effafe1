"""Placing the units of an analysis in its text: the four steps; one axis for two texts."""

import random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aifgraph.errors import LimitError
from aifgraph.text import similarity as module
from aifgraph.text import source as source_module
from aifgraph.text.similarity import Axis, merge
from aifgraph.text.source import nearly_found, place_units, plain_text, source_words
from aifgraph.text.words import WordIndex
from reference import read as oracle
from reference.read import Analysis, Source, nearly, place

SPANS = [f'<span id="{id_}">' for id_ in ("0", "node1", "ya", "x")]
MARKED = st.lists(st.sampled_from([*"abcd", "a b a", *SPANS, "</span>"])).map(" ".join)


@settings(max_examples=200)
@given(MARKED, st.lists(st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join), max_size=6))
def test_units_are_placed_as_the_oracle_places_them(marked: str, said: list[str]) -> None:
    """Spans are of a unit, of another node (``ya``) or of none."""
    plain = plain_text(marked)
    source = source_words(plain.text, tuple(plain.spans))
    units = {str(number): each for number, each in enumerate(said)}
    analysis = Analysis({**dict.fromkeys(units, "I"), "ya": "YA"}, units, units, {}, {}, [])
    expected = place(analysis, Source(marked), own=True).runs
    found = place_units(source, list(units.items()), [*units, "ya"]) if source else []
    runs = {id_: list(unit.runs) for id_, unit in zip(units, found, strict=bool(source)) if unit.runs}
    assert runs == expected


@settings(max_examples=100)
@given(st.lists(st.sampled_from("abcd"), max_size=24), st.lists(st.sampled_from("abcd"), max_size=9))
def test_nearly_found_as_the_oracle_has_it(text: list[str], words: list[str]) -> None:
    assert nearly_found(WordIndex(text), words) == nearly(words, text)


LETTERS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=25)


def places(axis: Axis, first: list[str], second: list[str]) -> tuple[list[int], list[int]]:
    return list(axis.first or range(len(first))), list(axis.second or range(len(second)))


def assert_merge(axis: Axis, first: list[str], second: list[str]) -> None:
    """Each place holds one word, of one text or of both; words keep their order."""
    ours, theirs = places(axis, first, second)
    assert ours == sorted(set(ours))
    assert theirs == sorted(set(theirs))
    assert set(ours) | set(theirs) == set(range(axis.length))
    words: dict[int, str] = dict(zip(ours, first, strict=True))
    for at, word in zip(theirs, second, strict=True):
        assert words.setdefault(at, word) == word
    assert axis.common == len(set(ours) & set(theirs))


@given(LETTERS, LETTERS)
def test_a_merge_as_the_oracle_has_it(first: list[str], second: list[str]) -> None:
    for one, other in ((first, second), (second, first)):
        found, wanted = merge(one, other), oracle.axis(one, other)
        assert (found.length, *places(found, one, other), found.overlap) == wanted


def test_by_hand() -> None:
    # a b|x|c against a b|y z|c: a b x c is the smaller, so x stands before y z.
    first, second = ["a", "b", "x", "c"], ["a", "b", "y", "z", "c"]
    for limit, method in ((5, "difflib"), (4, "anchors")):
        with patch.object(module, "DIFFLIB_WORDS", limit):
            assert merge(first, second) == Axis(6, 3, [0, 1, 2, 5], [0, 1, 3, 4, 5], method)
    assert merge(first, first) == Axis(4, 4)
    assert merge(first, second).overlap == 0.5


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


@settings(max_examples=100)
@given(LETTERS, LETTERS)
def test_anchors_on_any_texts(first: list[str], second: list[str]) -> None:
    with patch.object(module, "DIFFLIB_WORDS", 0):
        assert_merge(merge(first, second), first, second)


@pytest.mark.parametrize("long", [0, 20_000])
def test_words_repeated_without_end_are_not_merged(long: int) -> None:
    first, second = ["a"] * 1900, ["a", "b"] * 950
    with patch.object(module, "MIN_STEPS", 1_000_000), patch.object(module, "STEPS_PER_WORD", 1):
        with patch.object(module, "DIFFLIB_WORDS", long), pytest.raises(LimitError):
            merge(first, second)
        assert merge(first[:50], second[:50]).common == 25


#: A text, and units that stand in it, or nearly, everywhere.
REPEATED = {
    "one nearly found": ("a b " * 1000, ["a b " * 400 + "c d"]),
    "many nearly found": ("a b " * 2000, ["c d " + "a b " * 60 + f"c{number}" for number in range(200)]),
    "found": ("a b " * 20_000, [("a b " * number)[:-2] for number in range(1, 100)]),
}


@pytest.mark.parametrize("name", REPEATED)
def test_units_that_stand_everywhere(name: str) -> None:
    text, said = REPEATED[name]
    source = source_words(text)
    assert source
    units = [(str(number), words) for number, words in enumerate(said)]
    with patch.object(source_module, "MAX_STEPS", 1_000_000), pytest.raises(LimitError):
        place_units(source, units, [])
