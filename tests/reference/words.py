"""Section 1: words, and the source text with its spans."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_word_character(c: str) -> bool:
    return unicodedata.category(c)[0] in "LNM"


def _stands_alone(c: str) -> bool:
    p = ord(c)
    return 0x3400 <= p <= 0x4DBF or 0x4E00 <= p <= 0x9FFF or 0xF900 <= p <= 0xFAFF or 0x3040 <= p <= 0x30FF


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each word, in characters."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for at, c in enumerate(text):
        joins = _is_word_character(c) and not _stands_alone(c)
        if joins and start is None:
            start = at
        if not joins and start is not None:
            spans.append((start, at))
            start = None
        if _is_word_character(c) and _stands_alone(c):
            spans.append((at, at + 1))
    if start is not None:
        spans.append((start, len(text)))
    return spans


def words(text: str) -> list[str]:
    return [fold(text[s:e]) for s, e in word_spans(text)]


class _Markup(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.plain = ""
        self.open: list[tuple[str | None, int]] = []
        self.marks: list[tuple[str, int, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "p", "div"):
            self.plain += "\n"
        if tag == "span":
            self.open.append((dict(attrs).get("id"), len(self.plain)))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("br", "p", "div"):
            self.plain += "\n"
        if tag == "span" and self.open:
            self._shut()

    def handle_data(self, data: str) -> None:
        self.plain += data

    def _shut(self) -> None:
        name, start = self.open.pop()
        if name:
            self.marks.append((name.removeprefix("node"), start, len(self.plain)))

    def close(self) -> None:
        super().close()
        while self.open:
            self._shut()


class Source:
    """A text as words, and for each span its id and the numbers of the words that are at least half inside."""

    def __init__(self, text: str) -> None:
        parser = _Markup()
        parser.feed(text)
        parser.close()
        places = word_spans(parser.plain)
        self.words = [fold(parser.plain[s:e]) for s, e in places]
        self.spans: list[tuple[str, frozenset[int]]] = []
        for name, start, end in parser.marks:
            inside = frozenset(i for i, (s, e) in enumerate(places) if 2 * max(0, min(e, end) - max(s, start)) >= e - s)
            if inside:
                self.spans.append((name, inside))
