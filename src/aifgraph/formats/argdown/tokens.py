"""Argdown's tokens, as version 1.7 of its own parser cuts them.

What a character means depends on what stands before it: relations, list items, numbered statements and headings begin a
line; indentation becomes ``indent`` and ``dedent``; between the dashes of an inference other rules hold. Every scan
ahead remembers what it found, so that the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from aifgraph.errors import FormatError
from aifgraph.formats.files import place_in


class Kind(StrEnum):
    """The kinds of tokens; the value is what an error calls them."""

    FRONT = "front matter"
    DATA = "data in braces"
    ESCAPED = "an escaped character"
    EMPTY_LINE = "an empty line"
    NEWLINE = "a line break"
    INFERENCE = "an inference (--)"
    INFERENCE_END = "the end of the inference (--)"
    COMMA = "a comma"
    RELATION = "a relation"
    HEADING = "a heading"
    NUMBER = "a numbered statement"
    ORDERED = "an item of a numbered list"
    UNORDERED = "an item of a list"
    RANGE_START = "the start of bold or italic text"
    RANGE_END = "the end of bold or italic text"
    LINK = "a link"
    TAG = "a tag"
    STATEMENT_DEFINITION = "[Title]:"
    STATEMENT_REFERENCE = "[Title]"
    ARGUMENT_DEFINITION = "<Title>:"
    ARGUMENT_REFERENCE = "<Title>"
    MENTION = "a mention"
    TEXT = "text"
    INDENT = "more indentation"
    DEDENT = "less indentation"
    END = "the end of the file"


class Token(NamedTuple):
    """A piece of the file; ``image`` is its text."""

    kind: Kind
    image: str
    offset: int


#: What JavaScript takes for a blank, as in a regular expression.
SPACE = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_LINE_ENDS = "\n\r\u2028\u2029"
_BLANK = "[' \\t]*"
_EMPTY_LINE = re.compile(r"(?:[ \t]*(?:\r\n|\n)){2,}")
_NEWLINE = re.compile(r"[ \t]*(?:\r\n|\n|\r)")
_INFERENCE = re.compile(_BLANK + "--")
_INFERENCE_END = re.compile("-{2,}")
_RELATION = re.compile(rf"({_BLANK})(\+>|->|<?\+|<?-|><|_>|<_|_(?=[{SPACE}]))")
_HEADING = re.compile("#+ ")
_NUMBER = re.compile(_BLANK + r"\([0-9]+\)")
_ORDERED = re.compile(rf"({_BLANK})[0-9]+\.(?=[{SPACE}])")
_UNORDERED = re.compile(rf"({_BLANK})\*(?=[{SPACE}])")
_RANGE_START = re.compile(rf"(\*\*?|__?)(?![{SPACE}])")
_RANGE_END = re.compile(r"[ \t]|(?=[\n\r)}_.,!?;:\-*])|\Z")
_TAG = re.compile("#[a-zA-z0-9\\-\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]+")
_SPACES = re.compile(r"[ \t]+")
_ESCAPED = re.compile(rf"\\[^{_LINE_ENDS}] *")
_TEXT = re.compile(r"[^\\@#*_\[\],.:;</>\-\r\n(){}]+|[@#*_\[\],.:;</>\-(){}][ \t]?")
_EQUALS = re.compile("={3,}")
_DATA_LIMIT = re.compile(rf"\}}[{SPACE}][^,}}]|[\r\u2028\u2029]")
_DATA_GOES_ON = re.compile(rf"[{SPACE}]*[,}}]")
_COMMENT_AFTER = {
    Kind.EMPTY_LINE: re.compile(r"(?:[ \t]*\r\n|\n|\r)*"),
    Kind.NEWLINE: re.compile(r"[ \t]*(?:\r\n|\n|\r)(?![ \t]*(?:\r\n|\n|\r))"),
}
_LINE_START = (None, Kind.NEWLINE, Kind.EMPTY_LINE)


def tokens_of(text: str, name: str) -> list[Token]:
    """The tokens of a file, ``END`` last; ``name`` is the file's, for errors."""
    return _Lexer(text, name).run()


class _Lexer:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 0
        self.tokens: list[Token] = []
        self.indents = [0]
        self.ranges: list[str] = []
        self.in_inference = False
        self.known_places: dict[tuple[str, int], int] = {}
        self.data_limit = -1
        self.data_end = -1

    def run(self) -> list[Token]:
        while self.at < len(self.text):
            if not (self._comment() or (self._inference() if self.in_inference else self._default())):
                raise FormatError(
                    "a backslash at the end of a line",
                    where=f"{self.name}, {place_in(self.text, self.at)}",
                    remedy=r"expected is the character that it escapes; a backslash is written \\",
                )
        if self.last is Kind.EMPTY_LINE:
            self.tokens.pop()
        self._indent(0)
        self.tokens.append(Token(Kind.END, "", len(self.text)))
        return self.tokens

    @property
    def last(self) -> Kind | None:
        return self.tokens[-1].kind if self.tokens else None

    def _find(self, what: str, start: int, series: int = 0) -> int:
        """Where ``what`` comes next; the length of the text where it does not. Within a series ``start`` only grows."""
        place = self.known_places.get((what, series), -1)
        if place < start:
            place = self.text.find(what, start)
            place = self.known_places[what, series] = len(self.text) if place < 0 else place
        return place

    def _line_end(self, start: int, series: int) -> int:
        return min(self._find(end, start, series) for end in _LINE_ENDS)

    def _add(self, kind: Kind, end: int) -> bool:
        self.tokens.append(Token(kind, self.text[self.at : end], self.at))
        self.at = end
        return True

    def _match(self, kind: Kind, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self.text, self.at)
        return match is not None and self._add(kind, match.end())

    def _with_blank(self, end: int) -> int:
        """The end of a token that takes one blank with it."""
        return end + (self.text[end : end + 1] in (" ", "\t"))

    def _comment(self) -> bool:
        text, start = self.text, self.at
        if text.startswith("<!--", start):
            end = self._find("-->", start + 4) + 3
        elif text.startswith("/*", start):
            end = self._find("*/", start + 2) + 2
        elif text.startswith("//", start):
            # What the file's last line holds, without a line break, is no comment to Argdown.
            end = self._line_end(start, 0)
            end = end if text[end : end + 1] in ("\n", "\r") else len(text) + 1
        else:
            return False
        if end > len(text):
            return False
        after = _COMMENT_AFTER.get(self.last or Kind.END)
        breaks = after.match(text, end) if after else None
        self.at = breaks.end() if breaks else end
        return True

    def _inference(self) -> bool:
        if self._match(Kind.INFERENCE_END, _INFERENCE_END):
            self.in_inference = False
            return True
        if self.text[self.at] == ",":
            return self._add(Kind.COMMA, self.at + 1)
        if self._match(Kind.NEWLINE, _NEWLINE) or self._data():
            return True
        return self._blanks() or self._match(Kind.TEXT, _TEXT) or self._match(Kind.ESCAPED, _ESCAPED)

    def _default(self) -> bool:
        char = self.text[self.at]
        return (
            (char == "=" and self._front())
            or (char == "{" and self._data())
            or (char == "\\" and self._match(Kind.ESCAPED, _ESCAPED))
            or self._line_break()
            or (self.last in _LINE_START and self._line_start())
            or (char in "*_" and self._range())
            or (char == "#" and self._tag())
            or (char == "[" and self._link())
            or (char in "[<@" and self._title(char))
            or self._blanks()
            or self._match(Kind.TEXT, _TEXT)
        )

    def _blanks(self) -> bool:
        match = _SPACES.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match is not None

    def _front(self) -> bool:
        opening = _EQUALS.match(self.text, self.at)
        if opening is None:
            return False
        closing = _EQUALS.match(self.text, self._find("===", opening.end()))
        if closing is None and len(opening.group()) >= 6:
            closing = opening
        return closing is not None and self._add(Kind.FRONT, closing.end())

    def _data(self) -> bool:
        """From ``{`` to the last ``}`` that can close it: no comma or brace comes next, and no new word before it."""
        text, start = self.text, self.at
        if text[start] != "{":
            return False
        if self.data_limit <= start:
            limit = _DATA_LIMIT.search(text, start + 1)
            self.data_limit = limit.start() if limit else len(text)
            self.data_end = text.rfind("}", start, self.data_limit + 1)
            while self.data_end > start and _DATA_GOES_ON.match(text, self.data_end + 1):
                self.data_end = text.rfind("}", start, self.data_end)
        return self.data_end > start and self._add(Kind.DATA, self.data_end + 1)

    def _line_break(self) -> bool:
        lines = _EMPTY_LINE.match(self.text, self.at) if self.last is not Kind.EMPTY_LINE else None
        if lines is None:
            return self._match(Kind.NEWLINE, _NEWLINE)
        if lines.end() < len(self.text):
            self._indent(0)
        return self._add(Kind.EMPTY_LINE, lines.end())

    def _line_start(self) -> bool:
        text, start = self.text, self.at
        if self.last is not Kind.EMPTY_LINE and _INFERENCE.match(text, start):
            self._indent(0)
            self.in_inference = True
            return self._match(Kind.INFERENCE, _INFERENCE)
        if relation := _RELATION.match(text, start):
            self._indent(len(relation.group(1)))
            return self._add(Kind.RELATION, relation.end())
        if self._match(Kind.HEADING, _HEADING):
            return True
        if number := _NUMBER.match(text, start):
            self._indent(0)
            return self._add(Kind.NUMBER, number.end())
        for kind, pattern in ((Kind.ORDERED, _ORDERED), (Kind.UNORDERED, _UNORDERED)):
            if item := pattern.match(text, start):
                self._indent(len(item.group(1)) + 1)
                return self._add(kind, item.end())
        return False

    def _indent(self, level: int) -> None:
        if level > self.indents[-1]:
            self.indents.append(level)
            self.tokens.append(Token(Kind.INDENT, "", self.at))
        while level < self.indents[-1]:
            self.indents.pop()
            self.tokens.append(Token(Kind.DEDENT, "", self.at))

    def _range(self) -> bool:
        mark = self.ranges[-1] if self.ranges else ""
        if mark and self.text.startswith(mark, self.at):
            end = _RANGE_END.match(self.text, self.at + len(mark))
            if end:
                self.ranges.pop()
                return self._add(Kind.RANGE_END, end.end())
        start = _RANGE_START.match(self.text, self.at)
        if start is None:
            return False
        self.ranges.append(start.group(1))
        return self._add(Kind.RANGE_START, start.end())

    def _tag(self) -> bool:
        start = self.at
        if self.text.startswith("#(", start):
            end = self._find(")", start + 2, 1)
            return start + 2 < end < len(self.text) and self._add(Kind.TAG, self._with_blank(end + 1))
        match = _TAG.match(self.text, start)
        return match is not None and self._add(Kind.TAG, self._with_blank(match.end()))

    def _link(self) -> bool:
        start = self.at
        middle = self._find("]", start + 1, 2)
        if middle == start + 1 or not self.text.startswith("](", middle):
            return False
        end = self._find(")", middle + 2, 3)
        return middle + 2 < end < len(self.text) and self._add(Kind.LINK, self._with_blank(end + 1))

    def _title(self, char: str) -> bool:
        """A definition, a reference or a mention."""
        text, start = self.text, self.at
        if char == "@":
            close = {"[": "]", "<": ">"}.get(text[start + 1 : start + 2], "")
            end = self._find(close, start + 3, 4) if close else len(text)
            closed = end < self._line_end(start + 2, 4)
            return closed and self._add(Kind.MENTION, self._with_blank(end + 1))
        statement = char == "["
        close = "]" if statement else ">"
        end = self._find(close + ":", start + 2, 5)
        if end < self._line_end(start + 1, 5):
            return self._add(Kind.STATEMENT_DEFINITION if statement else Kind.ARGUMENT_DEFINITION, end + 2)
        end = self._find(close, start + 2, 6)
        if text.startswith("-", start + 1) or end >= self._line_end(start + 2, 6):
            return False
        return self._add(Kind.STATEMENT_REFERENCE if statement else Kind.ARGUMENT_REFERENCE, end + 1)
