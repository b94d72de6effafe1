"""Words: runs of letters, numbers and marks; Han and Kana characters one by one."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.text.words import words_of, words_with_places
from reference import words as oracle


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don’t panic!", ["don", "t", "panic"]),
        ("snake_case 3.14", ["snake", "case", "3", "14"]),  # _ is punctuation (Pc)
        ("x² ½ Ⅷ", ["x2", "1⁄2", "viii"]),  # No and Nl are numbers; NFKC unfolds them
        ("cafe\u0301", ["café"]),  # a mark (Mn) belongs to its run
        (bytes(range(128)).decode(), ["0123456789", *["abcdefghijklmnopqrstuvwxyz"] * 2]),
        ("STRASSE Straße", ["strasse", "strasse"]),  # casefold, not lower
        ("ﬁne", ["fine"]),
        ("हिन्दी", ["हिन्दी"]),  # marks (Mc, Mn) inside
        ("茶a水", ["茶", "a", "水"]),
        ("㐀䶿一鿿豈﫿", ["㐀", "䶿", "一", "鿿", "豈"]),  # the ends of the Han blocks; U+FAFF is unassigned
        ("ぁん゠ァー・ヿ", ["ぁ", "ん", "ァ", "ー", "コト"]),  # ゠ and ・ are punctuation
        ("한국어", ["한국어"]),  # Hangul is no block of its own
        ("ｶﾞ", ["ガ"]),  # halfwidth Katakana lie outside the blocks: one run, folded by NFKC
        ("𠀀𠀁", ["𠀀𠀁"]),  # Han beyond the first plane too
        ("🙂 — …", []),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_every_character_by_its_category() -> None:
    blocks = [*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00), *range(0x3040, 0x3100)]
    alone = set(blocks)
    for code in range(0, min(sys.maxunicode, 0x20000), 7):
        char = chr(code)
        is_word = unicodedata.category(char)[0] in "LNM"
        assert len(words_of(f"{char} ")) == is_word, hex(code)
        assert len(words_of(char + char)) == is_word * (2 if code in alone else 1), hex(code)


@given(st.text())
def test_places_are_those_of_the_words(text: str) -> None:
    found = words_with_places(text)
    assert found.words == words_of(text) == oracle.words(text)
    assert list(zip(found.starts, found.ends, strict=True)) == oracle.word_spans(text)
