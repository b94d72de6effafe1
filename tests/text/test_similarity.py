"""Normalised Levenshtein, and the similar pairs of two lists of texts: bounds leave out none of them."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.text.similarity import normalised, similar_pairs, similarity
from reference.match import levenshtein

SHORT = st.text(alphabet="abé ", max_size=8).map(normalised)


@given(st.text(alphabet="aB \t\n\x1c\x00é", max_size=8))
def test_white_space_is_collapsed_however_a_text_is_read(text: str) -> None:
    assert normalised(text) == " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def test_normalised() -> None:
    assert normalised(" A\u00a0 B\n\tＦＵＬＬ ﬁ ß ") == "a b full fi ss"


@given(SHORT, SHORT)
def test_by_definition(first: str, second: str) -> None:
    longer = max(len(first), len(second))
    expected = 1 - levenshtein(first, second) / longer if longer else 1.0
    assert similarity(first, second) == pytest.approx(expected, abs=1e-12)
    assert similarity(first, second) == similarity(second, first)


LEAST = [0.0, 0.01, 0.3, 0.5, 0.6, 0.8, 0.9, 1.0]


def by_definition(first: list[str], second: list[str], least: float) -> list[tuple[int, int, float]]:
    every = ((i, j, similarity(a, b)) for i, a in enumerate(first) for j, b in enumerate(second))
    return [pair for pair in every if pair[2] >= least]


@st.composite
def alike(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Two lists of texts many of which are near-duplicates: a few texts, changed here and there."""
    letters = st.sampled_from("abcdé \U0001f600")
    bases = draw(st.lists(st.text(letters, max_size=14), min_size=1, max_size=3))

    def changed() -> str:
        text = draw(st.sampled_from(bases))
        for _ in range(draw(st.integers(0, 4))):
            place, length = draw(st.integers(0, len(text))), draw(st.integers(0, 3))
            text = text[:place] + draw(st.text(letters, max_size=3)) + text[place + length :]
        return text

    return ([changed() for _ in range(draw(st.integers(0, 6)))], [changed() for _ in range(draw(st.integers(0, 6)))])


@given(alike(), st.sampled_from(LEAST))
def test_bounds_leave_out_no_similar_pair(texts: tuple[list[str], list[str]], least: float) -> None:
    assert sorted(similar_pairs(*texts, least)) == by_definition(*texts, least)


@pytest.mark.parametrize("least", [0.45, 0.5, 0.9])
def test_texts_of_every_length(least: float) -> None:
    """Short, medium and long ones, and pairs that are similar just so."""
    rng = random.Random(7)
    words = ["mask", "air", "schools", "the", "of", "is", "filter", "parliament", "we", "nobody", "ought to", "¿qué?"]

    def texts(count: int) -> list[str]:
        made = [" ".join(rng.choices(words, k=rng.choice((1, 3, 9, 14, 20, 30)))) for _ in range(count)]
        return made + [text[: round(len(text) * rng.uniform(0.4, 1.1))] + rng.choice(words) for text in made]

    first, second = texts(40), texts(30)
    second += [text[len(text) // 2 :] for text in first] + [text.replace("a", "o") for text in first]
    expected = by_definition(first, second, least)
    assert len(expected) > 40
    assert sorted(similar_pairs(first, second, least)) == expected


def test_no_text_is_fine() -> None:
    assert list(similar_pairs([], [], 0.5)) == list(similar_pairs(["a"], [], 0.5)) == []
    assert list(similar_pairs(["", "a"], ["", "b"], 0.5)) == [(0, 0, 1.0)]
    assert sorted(similar_pairs(["\ud800", "x" * 70], ["\ud800", "x" * 7_000], 0.01)) == [(0, 0, 1.0), (1, 1, 0.01)]
