"""Argdown's text, written only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Any

from aifgraph.formats.argdown.graph_to_argdown import argdown_of
from aifgraph.formats.argdown.model import Argdown, Argument, End, Section, Statement, numbered_of
from aifgraph.formats.codec import Codec, Written
from aifgraph.graph import ArgumentGraph

_TITLE = re.compile(r"[^\[\]<>\s+_!-](?:[^\[\]<>\r\n\u2028\u2029]*[^\[\]<>\s])?\Z")
_TAG = re.compile("#(?:\\(([^)\r\n]+)\\)|([a-zA-Z0-9-\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]+))")
_IN_TAG = re.compile("[a-zA-Z0-9-\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\\[\\]\\\\^_`]")
#: What JavaScript's ``\s`` matches.
_SPACE = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_UNSAFE = "\\[]<>{}#*_"
#: A dot or a colon that would begin a shortcode (``.A.``, ``:smile:``).
_SHORTCODE = [re.compile(rf"{re.escape(mark)}(?=[^{_SPACE}][^{_SPACE}{mark}]*{re.escape(mark)})") for mark in ".:"]
#: What is not part of a run of plain text to Argdown's lexer: a blank after it is lost but for one.
_CUTS = frozenset("@#*_[],.:;</>-(){}")
_UNPRINTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff{}=]")
_SIGNS = {"support": "+>", "attack": "->", "undercut": "_>", "contradictory": "><", "entails": "+>", "contrary": "->"}


class ArgdownText(Codec):
    """An ``.argdown`` file."""

    name = "argdown"
    title = "Argdown"
    suffixes = (".argdown", ".ad")
    reads = False

    def write(self, graph: ArgumentGraph) -> Written:
        document = argdown_of(graph, lambda id_: _TITLE.match(id_) is not None)
        return Written("\n\n".join(_Writer(document).blocks()) + "\n")


class _Writer:
    def __init__(self, document: Argdown) -> None:
        self.document = document
        self.below: dict[End, list[str]] = {}
        between = {kind for kind, source, target in document.relations if not (source.argument or target.argument)}
        self.loose = bool(between & {"support", "attack"})
        self.strict = not self.loose and bool(between & {"entails", "contrary"})

    def blocks(self) -> Iterator[str]:
        """The parts of the file, with empty lines between them."""
        document = self.document
        front = self._front()
        if front:
            lines = [f"{key if key.isidentifier() else _json(key)}: {_json(value)}" for key, value in front.items()]
            yield "\n".join(["===", *lines, "==="])
        self._relations()
        units = [(End(title), entry) for title, entry in document.statements.items()]
        units += ((End(title, True), entry) for title, entry in document.arguments.items())
        by_section: dict[str | None, list[tuple[End, Statement]]] = {}
        known = {section["id"] for section in _all(document.sections)}
        for end, entry in units:
            by_section.setdefault(entry.section if entry.section in known else None, []).append((end, entry))
        if not units and not document.sections:
            yield "# Empty"
        for end, entry in by_section.get(None, ()):
            yield from self._unit(end, entry)
        for section in _all(document.sections):
            data = f"\n{_json(section['data'])}" if "data" in section else ""
            title = self._escaped(_on_one_line(section["title"]), section.get("tags", []))
            yield f"{'#' * section['level']} {title or _NOTHING}{data}"
            for end, entry in by_section.get(section["id"], ()):
                yield from self._unit(end, entry)

    def _front(self) -> dict[str, Any]:
        front = dict(self.document.front)
        model = front.get("model")
        settings = dict(model) if isinstance(model, dict) else {}
        if self.strict:
            settings["mode"] = "strict"
        elif self.loose and settings.get("mode") == "strict":
            settings["mode"] = "loose"
        return {**front, "model": settings} if settings else front

    def _relations(self) -> None:
        for kind, source, target in self.document.relations:
            between = not (source.argument or target.argument)
            if kind == "contrary" and not (self.strict and between):  # an attack each way says the same
                self.below.setdefault(target, []).append(f"  -> {_shown(source)}")
            if target.step is not None and kind not in ("support", "entails"):
                self.below.setdefault(target, []).append(f"  <_ {_shown(source)}")
            else:
                self.below.setdefault(source, []).append(f"  {_SIGNS[kind]} {_shown(target)}")

    def _unit(self, end: End, entry: Statement) -> Iterator[str]:
        steps = entry.steps if isinstance(entry, Argument) else []
        lines = [_shown(end)]
        inside: set[str] = set()
        if entry.text is not None:
            plain = _on_one_line(entry.text)
            inside = {match.group(1) or match.group(2) for match in _TAG.finditer(plain)}
            # A comment is the only nothing that Argdown takes for a text.
            lines = [f"{_shown(end)}: {self._escaped(plain, entry.tags)}" if plain else f"{_shown(end)}:\n//"]
        more = [f"#({tag})" for tag in entry.tags if tag not in inside]
        if entry.text is None:
            lines[0] = " ".join([lines[0], *more])
        elif more:
            yield " ".join([_shown(end), *more])
        below = self.below.get(end, [])
        if entry.data:
            lines.append(_json(entry.data))
            if below:
                # Between data and relations Argdown would add a blank to the text.
                yield "\n".join([_shown(end), *below])
                below = []
        yield "\n".join([*lines, *below])
        if steps:
            yield "\n".join(self._structure(end.title, numbered_of(steps)))

    def _structure(self, title: str, numbered: list[tuple[str, list[str] | None, dict[str, Any]]]) -> Iterator[str]:
        for place, (statement, rules, data) in enumerate(numbered):
            if rules is not None:
                named = ", ".join(self._escaped(rule, [], ",-") for rule in rules)
                middle = " ".join(filter(None, (named, _json(data) if data else "")))
                yield f"-- {middle} --" if middle else "----"
                yield from self.below.get(End(title, True, place), ())
            yield f"({place + 1}) [{statement}]"

    def _escaped(self, text: str, tags: list[str], more: str = "") -> str:
        """A text on one line such that Argdown reads it as it is; ``more`` are characters to escape."""
        marks: dict[int, str] = {}
        for match in _TAG.finditer(text):
            if (match.group(1) or match.group(2)) in tags and (match.group(1) or not _IN_TAG.match(text, match.end())):
                marks[match.start()] = match.group()
        for pattern in _SHORTCODE:
            for match in pattern.finditer(text):
                marks.setdefault(match.start(), "")
        out: list[str] = []
        after, place = _After.START, 0
        while place < len(text):
            char = text[place]
            piece = marks.get(place, char)
            if char in " \t":
                kept = after is _After.RUN or (after is _After.ESCAPE and char == " ")
                alone = after is _After.CUT and text[place + 1 : place + 2] not in (" ", "\t")
                out.append(char if kept or alone else "\\" + char)
                after = _After.START if alone else after if kept else _After.ESCAPE
            elif len(piece) > 1:
                out.append(piece)
                after = _After.CUT
                place += len(piece) - 1
            elif not piece or char in _UNSAFE + more or _begins(text, place):
                out.append("\\" + char)
                after = _After.ESCAPE
            else:
                out.append(char)
                after = _After.CUT if char in _CUTS else _After.RUN
            place += 1
        return "".join(out)


class _After(Enum):
    """What a character follows: Argdown keeps all blanks, blanks but no tab, one blank, or none."""

    RUN = auto()
    ESCAPE = auto()
    CUT = auto()
    START = auto()


def _begins(text: str, place: int) -> bool:
    """Whether a comment or front matter would begin here."""
    char = text[place]
    return (char == "/" and text[place + 1 : place + 2] in ("/", "*")) or (
        char == "=" and "===" in text[max(0, place - 2) : place + 3]
    )


_NOTHING = "\\ "


def _all(sections: list[Section]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from _all(section["children"])


def _on_one_line(text: str) -> str:
    return re.sub(r"[ \t]*[\r\n]+[ \t]*", " ", text)


def _shown(end: End) -> str:
    return f"<{end.title}>" if end.argument else f"[{end.title}]"


def _json(value: Any) -> str:
    """A value as JSON, which is YAML; no character in a string of it can end the braces or the front matter."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(
        r'"(?:[^"\\]|\\.)*"', lambda found: _UNPRINTED.sub(lambda c: f"\\u{ord(c.group()):04x}", found.group()), text
    )
