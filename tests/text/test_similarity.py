"""Normalised Levenshtein."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.text import similarity as module
from aifgraph.text.similarity import normalised, similarity
from reference.match import levenshtein

SHORT = st.text(alphabet="abé ", max_size=8).map(normalised)


def test_not_the_ratio() -> None:
    assert similarity("kitten", "sitting") == pytest.approx(1 - 3 / 7)  # the 2·M/T ratio is 0.615


@given(st.text(alphabet="aB \t\n\x1c\x00é", max_size=8))
def test_white_space_is_collapsed_however_a_text_is_read(text: str) -> None:
    assert normalised(text) == " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def test_normalised() -> None:
    assert normalised(" A\u00a0 B\n\tC ") == "a b c"
    assert normalised("ＦＵＬＬ ﬁ ß") == "full fi ss"


@given(SHORT, SHORT)
def test_by_definition(first: str, second: str) -> None:
    longer = max(len(first), len(second))
    expected = 1 - levenshtein(first, second) / longer if longer else 1.0
    assert similarity(first, second) == pytest.approx(expected, abs=1e-12)
    assert similarity(first, second) == similarity(second, first)


def test_rapidfuzz_alone_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """python-Levenshtein is GPL and need not be installed."""
    from importlib import import_module as real

    def without(name: str) -> object:
        if name == "Levenshtein":
            raise ImportError(name)
        return real(name)

    module._distance.cache_clear()
    monkeypatch.setattr(module, "import_module", without)
    assert similarity("kitten", "sitting") == pytest.approx(4 / 7)
    module._distance.cache_clear()


@given(st.text(), st.text())
def test_both_engines_count_the_same_edits(first: str, second: str) -> None:
    """So that every number is the same with python-Levenshtein and without it."""
    levenshtein = pytest.importorskip("Levenshtein")
    from rapidfuzz.distance import Levenshtein as Permissive

    assert levenshtein.distance(first, second) == Permissive.distance(first, second)
