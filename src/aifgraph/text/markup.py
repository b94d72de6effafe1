"""Marked-up source texts: plain text, and which characters which node's ``<span>`` holds.

``br``, ``p`` and ``div`` count as a line break, other tags as nothing, entities are decoded, all as Python's
``html.parser`` reads it (docs/measures.md, section 1). AIF tools write ``<span class="highlighted" id="node12">``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import NamedTuple

from aifgraph.entities import bounded, unescape

_BREAKS = frozenset({"br", "p", "div"})
#: Tags as AIF tools write them. html.parser applies five patterns to each of these, which tell all others apart.
_USUAL_START = re.compile(r'<(span|br|p|div)((?: [a-z-]+="[^"<>&]*")*)( ?/)?>')
_USUAL_END = re.compile(r"</(span|p|div)>")
_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')


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
    try:
        return _Reader().read(marked)
    except AssertionError:
        # html.parser gives up on marked sections of an unknown kind (``<![x[``): they are text then.
        return _Reader().read(marked.replace("<![", "&lt;!["))


def moved_marks(marked: str, into: Mapping[str, str | None], *, prefix: bool = False) -> str:
    """A marked-up text with the marks of nodes renamed, by their old ids, or gone, where the new one is None; what
    they mark stays. With ``prefix`` each is ``node`` and the id; otherwise one has the prefix where it had it.

    >>> moved_marks('<span id="node7">a <span id="8">b</span></span>', {"7": None, "8": "9"})
    'a <span id="9">b</span>'
    >>> moved_marks('<span class=x id=3>Masks</span>', {"3": "3"}, prefix=True)
    '<span class="x" id="node3">Masks</span>'
    """
    if "<" not in marked:
        return marked
    marks = _Marks(bounded(marked).replace("<![", "&lt;!["), into, prefix)
    return marks.changed() if marks.changes else marked


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

    def updatepos(self, i: int, j: int) -> int:
        # html.parser counts lines and columns, which nobody asks for here.
        return j

    def parse_starttag(self, i: int) -> int:
        tag = _USUAL_START.match(self.rawdata, i)
        if tag is None:
            return super().parse_starttag(i)
        name, attributes, empty = tag.groups()
        self.handle_starttag(name, _ATTRIBUTE.findall(attributes) if attributes else [])
        if empty:
            self.handle_endtag(name)
        return tag.end()

    def parse_endtag(self, i: int) -> int:
        # Within a script every tag but its own end is text.
        tag = None if self.cdata_elem else _USUAL_END.match(self.rawdata, i)
        if tag is None:
            return super().parse_endtag(i)
        self.handle_endtag(tag[1])
        return tag.end()

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
        if id_ is not None:
            self.spans.append((order, MarkedSpan(id_, start, self.length)))


class _Marks(_Reader):
    """Where the tags of some nodes' spans are, and what takes their places."""

    def __init__(self, marked: str, into: Mapping[str, str | None], prefix: bool) -> None:
        super().__init__()
        self.marked, self.into, self.prefix = marked, into, prefix
        #: The places of tags, each with its new tag.
        self.changes: list[tuple[int, int, str]] = []
        self.base = self.fed = 0
        #: The new opening tag of each open span: empty for one that goes, None for one that stays as it is.
        self.tags: list[str | None] = []
        #: What takes the place of the tag that is read.
        self.tag: str | None = None
        self.read(marked)

    def changed(self) -> str:
        parts, written = [], 0
        for start, end, tag in sorted(self.changes):
            if start >= written:  # a tag that ends itself is one
                parts += [self.marked[written:start], tag]
                written = end
        return "".join([*parts, self.marked[written:]])

    def feed(self, data: str) -> None:
        self.fed += len(data)
        super().feed(data)

    def goahead(self, end: bool) -> None:
        self.base = self.fed - len(self.rawdata)
        super().goahead(end)

    def updatepos(self, i: int, j: int) -> int:
        # What was read is from i to j: where a tag ends is known only now.
        if self.tag is not None:
            self.changes.append((self.base + i, self.base + j, self.tag))
            self.tag = None
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag == "span":
            fields = dict(attrs)
            id_ = fields.get("id") or ""
            known = id_.removeprefix("node")
            if id_ and known in self.into:
                new = self.into[known]
                if new is not None:
                    fields["id"] = f"node{new}" if self.prefix or id_ != known or new.startswith("node") else new
                listed = "".join(f' {name}="{html.escape(value or "")}"' for name, value in fields.items())
                if new is None or fields["id"] != id_:
                    self.tag = "" if new is None else f"<span{listed}>"
            self.tags.append(self.tag)

    def _close_span(self) -> None:
        super()._close_span()
        if self.tags.pop() == "":
            self.tag = ""
