"""Marked-up source texts: the plain text, and which characters of it the ``<span>`` of each node holds.

``br``, ``p`` and ``div`` count as a line break, other tags as nothing, and entities are decoded, all as Python's
``html.parser`` reads it (section 1 of docs/measures.md). AIF tools write ``<span class="highlighted" id="node12">``.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final, NamedTuple

#: Numeric references beyond Unicode, and leading zeros: Python refuses to read numbers of thousands of digits.
_TOO_LARGE: Final = re.compile(r"&#(?:[xX]0*[1-9a-fA-F][0-9a-fA-F]{7,}|0*[1-9][0-9]{9,});?")
_ZEROS: Final = re.compile(r"&#([xX]?)0{9,}")

_BREAKS: Final = frozenset({"br", "p", "div"})


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` to ``end`` (exclusive) of a plain text that are marked for a node."""

    node_id: str
    start: int
    end: int


class PlainText(NamedTuple):
    """A text without markup, and its spans in the order in which they begin."""

    text: str
    spans: list[Span]


def unescape(text: str) -> str:
    """Decode character references as HTML does; numbers beyond Unicode are U+FFFD.

    >>> unescape("a &lt; b"), unescape("&#" + "1" * 5000 + ";") == "\\ufffd"
    ('a < b', True)
    """
    return html.unescape(_bounded(text)) if "&" in text else text


def _bounded(text: str) -> str:
    return _ZEROS.sub(r"&#\g<1>0", _TOO_LARGE.sub("\ufffd", text)) if "&#" in text else text


def plain_text(marked: str) -> PlainText:
    """Read a text that may be marked up.

    >>> plain_text('Ann: <span id="node7">a &amp; b</span><br>c')
    PlainText(text='Ann: a & b\\nc', spans=[Span(node_id='7', start=5, end=10)])
    """
    if "<" not in marked:
        return PlainText(unescape(marked), [])
    try:
        return _Parser().read(_bounded(marked))
    except AssertionError:  # html.parser gives up on unknown marked sections (``<![x[``), which are text then
        return _Parser().read(_bounded(marked).replace("<![", "&lt;!["))


class _Parser(HTMLParser):
    """Collects the plain text and the spans."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[Span | None] = []  # in the order in which they begin; None for one without id
        self.open: list[tuple[str, int, int]] = []  # id, start, and place in the list of spans
        # If one is not closed up to the end of the text, a later one is not either.
        self.unclosed_comment = self.unclosed_section = False

    def read(self, marked: str) -> PlainText:
        # What is never closed is text; html.parser would look for the end of each ``<`` again.
        end = marked.rfind(">") + 1
        self.feed(marked[:end])
        self.close()
        if end < len(marked):
            self.handle_data(marked[end:] if self.cdata_elem else unescape(marked[end:]))
        while self.open:  # what is never closed reaches to the end
            self.handle_endtag("span")
        return PlainText("".join(self.parts), [span for span in self.spans if span is not None])

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
        self.length += len(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKS:
            self.handle_data("\n")
        elif tag == "span":
            id_ = dict(attrs).get("id") or ""
            self.open.append((id_.removeprefix("node"), self.length, len(self.spans)))
            self.spans.append(None)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.handle_data("\n")
        elif tag == "span" and self.open:
            id_, start, place = self.open.pop()
            if id_:
                self.spans[place] = Span(id_, start, self.length)

    def updatepos(self, i: int, j: int) -> int:
        return j  # lines and columns are not counted

    def parse_comment(self, i: int, report: bool = True) -> int:
        end = -1 if self.unclosed_comment else super().parse_comment(i, report)
        self.unclosed_comment = end < 0
        return end

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        end = -1 if self.unclosed_section else super().parse_marked_section(i, report)
        self.unclosed_section = end < 0
        return end
