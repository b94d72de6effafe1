"""Marked-up source texts: plain text, and which characters which node's ``<span>`` holds.

``br``, ``p`` and ``div`` count as a line break, other tags as nothing, entities are decoded, all as Python's
``html.parser`` reads it (docs/measures.md, section 1). AIF tools write ``<span class="highlighted" id="node12">``.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import NamedTuple

from aifgraph.entities import bounded, unescape

_BREAKS = frozenset({"br", "p", "div"})


class MarkedSpan(NamedTuple):
    """The characters ``start`` to ``end`` of the plain text, marked under ``id`` (without a leading ``node``)."""

    id: str
    start: int
    end: int


class PlainText(NamedTuple):
    """A text without markup, and its spans in the order in which they begin."""

    text: str
    spans: list[MarkedSpan]


def plain_text(marked: str) -> PlainText:
    """The text and the spans of a text that may be marked up.

    >>> plain_text('Ann: <span id="node7">a &amp; b</span><br>c')
    PlainText(text='Ann: a & b\\nc', spans=[MarkedSpan(id='7', start=5, end=10)])
    """
    if "<" not in marked and "&" not in marked:
        return PlainText(marked, [])
    marked = bounded(marked)
    simple = simply_marked(marked)
    return _parsed(marked) if simple is None else simple


#: What AIF tools write: the opening tag of a span (its attributes in a group), a closing one, or a break.
_TAGS = re.compile(r'<(?:span((?: [a-z-]+="[^"<>&]*")*)|(/span|br|br ?/))>')
_ID = re.compile(r' id="([^"]*)"')
#: ``html.parser`` takes ``<br/>`` for a break that begins and one that ends.
_BREAK_TEXTS = {"br": "\n", "br/": "\n\n", "br /": "\n\n"}


def simply_marked(marked: str) -> PlainText | None:
    """The same of a text with no other ``<`` than those of spans and breaks, as tools write them; None of any other.

    >>> simply_marked('<span id="7">a</span><br>b')
    PlainText(text='a\\nb', spans=[MarkedSpan(id='7', start=0, end=1)])
    >>> simply_marked("<p>a") is None
    True
    """
    pieces = _TAGS.split(marked)
    texts = pieces[::3]
    if any("<" in text for text in texts):
        return None
    if "&" in marked:
        texts = [unescape(text) for text in texts]
    parts = [texts[0]]
    length = len(texts[0])
    opened: list[tuple[str | None, int, int]] = []
    spans: list[tuple[int, MarkedSpan]] = []
    for order, (attributes, tag, text) in enumerate(zip(pieces[1::3], pieces[2::3], texts[1:], strict=True)):
        if tag is None:
            ids = _ID.findall(attributes)
            opened.append((ids[-1].removeprefix("node") if ids and ids[-1] else None, length, order))
        elif tag == "/span":
            if opened:
                id_, start, begun = opened.pop()
                if id_ is not None and start < length:
                    spans.append((begun, MarkedSpan(id_, start, length)))
        else:
            parts.append(_BREAK_TEXTS[tag])
            length += len(_BREAK_TEXTS[tag])
        parts.append(text)
        length += len(text)
    # What is never closed reaches to the end.
    spans += [
        (begun, MarkedSpan(id_, start, length)) for id_, start, begun in opened if id_ is not None and start < length
    ]
    return PlainText("".join(parts), [span for _, span in sorted(spans)])


def _parsed(marked: str) -> PlainText:
    """The text and the spans as ``html.parser`` reads them."""
    try:
        return _Reader().read(marked)
    except AssertionError:
        # html.parser gives up on marked sections of an unknown kind (``<![x[``): they are text then.
        return _Reader().read(marked.replace("<![", "&lt;!["))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.length = 0
        self.open: list[tuple[str | None, int, int]] = []
        self.spans: list[tuple[int, MarkedSpan]] = []
        self.count = 0
        # If one is not closed up to the end of the text, a later one is not either.
        self.unclosed_comment = False
        self.unclosed_section = False

    def read(self, marked: str) -> PlainText:
        # What is never closed is text; html.parser would look for the end of each ``<`` again.
        end = marked.rfind(">") + 1
        self.feed(marked[:end])
        self.close()
        if end < len(marked):
            self.handle_data(marked[end:] if self.cdata_elem else unescape(marked[end:]))
        while self.open:  # what is never closed reaches to the end
            self._close_span()
        return PlainText("".join(self.parts), [span for _, span in sorted(self.spans)])

    def parse_comment(self, i: int, report: bool = True) -> int:
        if self.unclosed_comment:
            return -1
        end = super().parse_comment(i, report)
        self.unclosed_comment = end < 0
        return end

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        if self.unclosed_section:
            return -1
        end = super().parse_marked_section(i, report)
        self.unclosed_section = end < 0
        return end

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKS:
            self.handle_data("\n")
        elif tag == "span":
            id_ = dict(attrs).get("id")
            self.open.append((id_.removeprefix("node") if id_ else None, self.length, self.count))
            self.count += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.handle_data("\n")
        elif tag == "span" and self.open:
            self._close_span()

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
        self.length += len(data)

    def _close_span(self) -> None:
        id_, start, order = self.open.pop()
        if id_ is not None and start < self.length:
            self.spans.append((order, MarkedSpan(id_, start, self.length)))
