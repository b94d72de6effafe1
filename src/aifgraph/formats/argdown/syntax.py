"""Argdown's grammar: from tokens to a tree.

::

    document   = [newline] [empty] [front [newline] empty] unit {empty unit}
    unit       = heading | member | structure | list
    heading    = "#" content [data [newline]]
    member     = (content | ("[Title]" | "<Title>") {tag} [newline] | ("[Title]:" | "<Title>:") content)
                 [data [newline]] [relations]
    relations  = indent relation {relation} dedent              relation  = ("+" | "->" | …) member
    list       = indent item {item} dedent                      item      = ("*" | "1.") member
    structure  = numbered {{numbered} inference numbered}+      numbered  = "(1)" member, no argument
    inference  = "--" [[newline] rules] [newline] [data [newline]] "--" newline [undercuts]
    content    = {text | link | bold or italic content | tag | mention | newline}+
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.argdown.tokens import Kind, Token, tokens_of
from aifgraph.formats.files import place_in

#: How deeply relations are nested at most; far more than anybody indents.
MAX_DEPTH = 150

_TEXTS = (Kind.TEXT, Kind.ESCAPED)
_CONTENT = (*_TEXTS, Kind.LINK, Kind.TAG, Kind.MENTION, Kind.NEWLINE, Kind.RANGE_START)
_MEMBERS = {
    Kind.STATEMENT_DEFINITION: False,
    Kind.STATEMENT_REFERENCE: False,
    Kind.ARGUMENT_DEFINITION: True,
    Kind.ARGUMENT_REFERENCE: True,
}
_REFERENCES = (Kind.STATEMENT_REFERENCE, Kind.ARGUMENT_REFERENCE)
Content = list[Token]


@dataclass(frozen=True)
class Relation:
    """A sign (``+``, ``<-``, …) and what stands behind it."""

    sign: str
    member: Member


@dataclass(frozen=True)
class Member:
    """A statement or an argument, defined or referred to; without ``title`` a statement that is just text."""

    title: Token | None
    argument: bool
    content: Content
    data: Token | None
    broken_after_data: bool
    relations: list[Relation]

    @property
    def reference(self) -> bool:
        return self.title is not None and self.title.kind in _REFERENCES


@dataclass(frozen=True)
class Heading:
    """A heading, ``level`` 1 the highest."""

    level: int
    content: Content
    data: Token | None


@dataclass(frozen=True)
class Inference:
    """The line between premises and conclusion: its rules, and what undercuts it."""

    rules: list[Content]
    data: Token | None
    undercuts: list[Relation]


@dataclass(frozen=True)
class Structure:
    """A premise-conclusion structure; conclusions come with their inference. ``start`` is where it begins."""

    statements: list[tuple[Member, Inference | None]]
    start: Token


@dataclass(frozen=True)
class Items:
    """A list."""

    members: list[Member]


Unit = Heading | Member | Structure | Items


@dataclass(frozen=True)
class Document:
    """A whole file."""

    front: Token | None
    units: list[Unit]


def parse(text: str, name: str) -> Document:
    """The tree of a file.

    Raises ``FormatError`` with line, column and what was expected, ``LimitError`` where relations nest too deeply.

    >>> parse("[A]: Masks help.\\n  - [B]", "map.argdown").units[0].relations[0].sign
    '-'
    """
    return _Parser(text, name).document()


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.tokens = tokens_of(text, name)
        self.at = 0
        self.depth = 0

    def _kind(self) -> Kind:
        return self.tokens[self.at].kind

    def _take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _maybe(self, kind: Kind) -> Token | None:
        return self._take() if self._kind() is kind else None

    def _expect(self, kind: Kind, note: str = "") -> Token:
        return self._take() if self._kind() is kind else self._fail(note or kind.value)

    def _fail(self, expected: str) -> NoReturn:
        token = self.tokens[self.at]
        shown = token.image.strip() or token.kind.value
        shown = shown if len(shown) <= 40 else f"{shown[:40]}…"
        shown = " ".join(shown.split())
        where = f"{self.name}, {place_in(self.text, token.offset)}"
        raise FormatError(f"not Argdown: {shown!r}", where=where, remedy=f"expected is {expected}")

    def document(self) -> Document:
        self._maybe(Kind.NEWLINE)
        self._maybe(Kind.EMPTY_LINE)
        front = self._maybe(Kind.FRONT)
        if front:
            self._maybe(Kind.NEWLINE)
            self._expect(Kind.EMPTY_LINE)
        units = [self._unit()]
        while self._kind() is not Kind.END:
            self._expect(Kind.EMPTY_LINE, "an empty line or the end of the file")
            units.append(self._unit())
        return Document(front, units)

    def _unit(self) -> Unit:
        if self._kind() is Kind.HEADING:
            level = len(self._take().image) - 1
            return Heading(level, self._content(), self._data())
        if self._kind() is Kind.NUMBER:
            return self._structure()
        if self._kind() is Kind.INDENT:
            return self._items()
        return self._member()

    def _items(self) -> Items:
        self._expect(Kind.INDENT)
        kind = self._kind()
        if kind not in (Kind.ORDERED, Kind.UNORDERED):
            self._fail("a statement or an argument in front of the relation")
        members = []
        while self._kind() is kind:
            self._take()
            members.append(self._member())
        self._expect(Kind.DEDENT, f"{kind.value} or an empty line")
        return Items(members)

    def _member(self, argument: bool = True) -> Member:
        """A statement, or (where there can be one) an argument."""
        title = None
        if self._kind() in _MEMBERS and (argument or not _MEMBERS[self._kind()]):
            title = self._take()
        if title is not None and title.kind in _REFERENCES:
            content = []
            while self._kind() is Kind.TAG:
                content.append(self._take())
            if self._kind() is Kind.NEWLINE:
                self._take()
        elif self._kind() in _CONTENT:
            content = self._content()
        else:
            self._fail("text" if title else "a statement or an argument" if argument else "a statement")
        data = self._data()
        broken = data is not None and self.tokens[self.at - 1].kind is Kind.NEWLINE
        is_argument = title is not None and _MEMBERS[title.kind]
        return Member(title, is_argument, content, data, broken, self._relations())

    def _data(self) -> Token | None:
        data = self._maybe(Kind.DATA)
        if data:
            self._maybe(Kind.NEWLINE)
        return data

    def _relations(self, undercuts: bool = False) -> list[Relation]:
        if self._kind() is not Kind.INDENT:
            return []
        self.depth += 1
        if self.depth > MAX_DEPTH:
            where = f"{self.name}, {place_in(self.text, self.tokens[self.at].offset)}"
            raise LimitError("relations nested too deeply", where=where, remedy=f"at most {MAX_DEPTH} levels are read")
        self._take()
        relations: list[Relation] = []
        while not relations or self._kind() is Kind.RELATION:
            sign = self._expect(Kind.RELATION, "a relation: + - _ +> -> _> or ><").image.lstrip("' \t")
            if undercuts and sign not in ("_", "<_"):
                self.at -= 1
                self._fail("an undercut: <_")
            relations.append(Relation(sign, self._member(argument=sign != "><")))
        self._expect(Kind.DEDENT, "a relation or an empty line")
        self.depth -= 1
        return relations

    def _structure(self) -> Structure:
        start = self.tokens[self.at]
        statements: list[tuple[Member, Inference | None]] = [(self._numbered(), None)]
        while len(statements) == 1 or self._kind() in (Kind.NUMBER, Kind.INFERENCE):
            while self._kind() is Kind.NUMBER:
                statements.append((self._numbered(), None))
            inference = self._inference()
            statements.append((self._numbered(), inference))
        return Structure(statements, start)

    def _numbered(self) -> Member:
        self._expect(Kind.NUMBER, "a numbered statement: (1)")
        return self._member(argument=False)

    def _inference(self) -> Inference:
        self._expect(Kind.INFERENCE, "a numbered statement or an inference: ----")
        rules: list[Content] = []
        after = self.tokens[self.at + 1].kind if self._kind() is Kind.NEWLINE else self._kind()
        if after in _TEXTS:
            self._maybe(Kind.NEWLINE)
            rules.append(self._rule())
            while self._maybe(Kind.COMMA):
                rules.append(self._rule())
        self._maybe(Kind.NEWLINE)
        data = self._data()
        self._expect(Kind.INFERENCE_END)
        self._expect(Kind.NEWLINE, "a line break and the conclusion")
        return Inference(rules, data, self._relations(undercuts=True))

    def _rule(self) -> Content:
        tokens: Content = []
        while not tokens or self._kind() in _TEXTS:
            tokens.append(self._take() if self._kind() in _TEXTS else self._fail("the name of a rule"))
        return tokens

    def _content(self) -> Content:
        """The tokens of a text; bold and italic ranges are closed in it."""
        tokens: Content = []
        ranges: list[str] = []
        while self._kind() in _CONTENT or (ranges and self._kind() is Kind.RANGE_END):
            token = self._take()
            tokens.append(token)
            if token.kind is Kind.RANGE_START:
                ranges.append(token.image)
            elif token.kind is Kind.RANGE_END:
                ranges.pop()
        if ranges:
            self._fail(f"{ranges[-1]} to end what it began; as a character of the text it is written \\{ranges[-1][0]}")
        return tokens if tokens else self._fail("text")


_BLOCK = re.compile(r"\{[ \t]*(?:\n\r|\n)")
_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
#: What a scalar without quotes is, as in YAML's core schema; all else is text.
_PLAIN: tuple[tuple[str, Callable[[str], Any]], ...] = (
    (r"~|null|Null|NULL|", lambda text: None),
    (r"(?i:true|false)", lambda text: text.lower() == "true"),
    (r"[-+]?[0-9]{1,300}", int),
    (r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)", float),
)


def data_in(image: str) -> str:
    """The YAML of a token of data: what spans lines stands in block form within its braces."""
    block = _BLOCK.match(image)
    return re.sub(r"\}\s*\Z", "", image[block.end() :]) if block else image


def read_yaml(text: str, where: str) -> Any:
    """The value in a text; ``where`` is its place in the file.

    >>> read_yaml("{uses: [1, 2], sure: yes}", "map.argdown")
    {'uses': [1, 2], 'sure': 'yes'}
    """
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        return None if node is None else _value(node, set())
    except yaml.MarkedYAMLError as error:
        raise FormatError(f"not YAML: {error.problem or error.context}", where=where) from None
    except (yaml.YAMLError, ValueError) as error:
        raise FormatError(f"not YAML: {str(error).splitlines()[0]}", where=where) from None
    except RecursionError:
        raise LimitError("YAML nested too deeply", where=where) from None


def _value(node: Any, known: set[Any]) -> Any:
    """What a node of YAML says. An alias would let a small text grow large, a key given twice would hide a value."""
    if node in known:
        raise ValueError("an alias")
    known.add(node)
    if node.tag not in _TAGS:
        raise ValueError(f"a tag that JSON does not have: {node.tag}"[:80])
    if node.id == "sequence":
        return [_value(each, known) for each in node.value]
    if node.id == "mapping":
        if any(key.id != "scalar" for key, _ in node.value):
            raise ValueError("a key that is no text")
        mapping = {key.value: _value(value, known) for key, value in node.value}
        if len(mapping) < len(node.value):
            raise ValueError("the same key twice")
        return mapping
    if node.style is None:
        for pattern, made in _PLAIN:
            if re.fullmatch(pattern, node.value):
                return made(node.value)
    return node.value
