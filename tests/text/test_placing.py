"""Placing the units of an analysis in its text: the four steps; one axis for two texts."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from aifgraph.text import axis as module
from aifgraph.text.axis import Axis, merge
from aifgraph.text.markup import Span, plain_text
from aifgraph.text.placing import Run, nearly_found, place_units, source_words
from aifgraph.text.words import WordIndex
from reference.read import Analysis, Source, nearly, place


def placed(text: str, units: dict[str, str], others: tuple[str, ...] = ()) -> dict[str, list[Run]]:
    """Unit id → its runs."""
    plain = plain_text(text)
    source = source_words(plain.text, tuple(plain.spans))
    assert source is not None
    found = place_units(source, list(units.items()), [*units, *others])
    return {id_: list(unit.runs) for id_, unit in zip(units, found, strict=True)}


def test_marked_by_id_whatever_it_says() -> None:
    text = 'a b <span id="node1">c d</span> e <span id="1">f</span>'
    assert placed(text, {"1": "x y z w"}) == {"1": [(2, 4), (5, 6)]}
    # Spans of one id that touch are one run; a span of another node takes nothing from it.
    assert placed('<span id="1">a</span> <span id="1">b</span> c', {"1": "c"}) == {"1": [(0, 2)]}


def test_a_word_belongs_to_a_span_that_holds_half_of_it() -> None:
    spans = (Span("1", 2, 8),)  # "ab cdef gh": of ab nothing, of cdef all, of gh nothing
    source = source_words("ab cdef gh", spans)
    assert [(s.start, s.stop) for s in source.spans] == [(1, 2)]
    for start, end, expected in [(1, 5, (0, 2)), (1, 4, (0, 1)), (5, 9, (1, 3)), (6, 10, (2, 3))]:
        source = source_words("ab cdef gh", (Span("1", start, end),))
        assert [(s.start, s.stop) for s in source.spans] == [expected], (start, end)
    source = source_words("abcd", (Span("1", 1, 2),))  # a quarter
    assert source.spans == ()


def test_spans_that_mark_no_node_come_first() -> None:
    text = 'yes a yes b <span id="other">yes</span>'
    assert placed(text, {"1": "yes"}) == {"1": [(4, 5)]}
    # The id is that of a node here, though of no unit: then the span says nothing about this unit.
    assert placed(text, {"1": "yes"}, ("other",)) == {"1": [(0, 1)]}
    # Exactly the words of the span: a longer span does not help.
    assert placed('yes <span id="x">yes sir</span>', {"1": "yes"}) == {"1": [(0, 1)]}


WORDS = st.lists(st.sampled_from("abc"), max_size=4).map(" ".join)


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=14), st.lists(WORDS, max_size=6), st.data())
def test_units_are_placed_as_the_oracle_places_them(text: list[str], said: list[str], data: st.DataObject) -> None:
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    opening, closing = ('<span id="0">', "</span>") if start < stop else ("", "")
    marked = " ".join([*text[:start], f"{opening}{' '.join(text[start:stop])}{closing}", *text[stop:]])
    units = {str(number): each for number, each in enumerate(said)}
    analysis = Analysis(dict.fromkeys(units, "I"), units, units, {}, {}, [])
    expected = place(analysis, Source(marked), own=True).runs
    assert placed(marked, units) == {id_: expected.get(id_, []) for id_ in units}


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
def test_a_merge_the_same_from_both_ends(first: list[str], second: list[str]) -> None:
    one, other = merge(first, second), merge(second, first)
    assert_merge(one, first, second)
    assert (one.length, one.common, one.first, one.second) == (other.length, other.common, other.second, other.first)


@given(LETTERS, LETTERS)
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


def test_every_word_between_changes_far_apart_is_common() -> None:
    """Where a stretch between anchors is never looked into, their runs alone find what is equal."""
    first = [str(number) for number in range(200)]
    for places in ([50, 100, 150], [0, 60, 199], [30, 31, 32, 120]):
        second = [word if int(word) not in places else f"other {word}" for word in first]
        with patch.object(module, "DIFFLIB_WORDS", 0), patch.object(module, "_STRETCH", 0):
            axis = merge(first, second)
        assert_merge(axis, first, second)
        assert axis.common == 200 - len(places)


@settings(max_examples=100)
@given(LETTERS, LETTERS)
def test_anchors_on_any_texts(first: list[str], second: list[str]) -> None:
    with patch.object(module, "DIFFLIB_WORDS", 0):
        assert_merge(merge(first, second), first, second)
