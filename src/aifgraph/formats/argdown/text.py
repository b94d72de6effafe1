"""Argdown's text syntax: statements, arguments, relations in lists, and premise-conclusion structures.

Read: ``[Title]: text``, ``<Title>: text``, ``+ - _`` and ``+> -> _> ><`` (with ``<+ <- <_``) in indented lists,
numbered premises and conclusions with an inference line between them. Headings, comments and front matter are passed
over; tags and data in braces are left out with a notice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aifgraph.errors import FormatError
from aifgraph.formats.argdown.model import HOLDS, OWN, Argdown, Argument, End, Step, argdown_of, graph_of
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.contents import Losses, NodeIds, not_held
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph, Notice

_ELEMENT = re.compile(
    r"(?:\[(?P<s>(?:[^\[\]\\]|\\.)+)\]|<(?P<a>(?:[^<>\\]|\\.)+)>)(?P<colon>:)?(?:[ \t]+|\Z)(?P<text>.*)", re.DOTALL
)
_RELATION = re.compile(r"([ \t]+)(<\+|\+>|\+|<-|->|-|<_|_>|_|><)[ \t]+(.*)\Z")
_STEP = re.compile(r"[ \t]*\((\d{1,9})\)[ \t]+(.*)\Z")
_COMMENT = re.compile(r"/\*|<!--|(?<![:\\])//[^\n]*")
_FRONT = re.compile(r"\s*={3,}[ \t]*\n.*?\n={3,}[ \t]*(?=\n|\Z)", re.DOTALL)
_TAG = re.compile(r"(?<!\\)#(?:\([^()]*\)|[\w-]+)")
_DATA = re.compile(r"(?<!\\)\{[^{}]*\}")
_ESCAPED = re.compile(r"\\([\\\[\]<>{}#*_@/:|()+\-.=])")
_SIGNS = {"+": "support", "-": "attack", "_": "undercut"}
_TITLE = re.compile(r"[^\[\]<>{}\\\r\n#*_@/:\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+\Z")
_KNOWN = re.compile(rb"^[ \t]*(?:\[[^\[\]\n]+\]|<[A-Z\d][^<>\n/]*>)(?::|\s*$)", re.MULTILINE)


class ArgdownText(Codec):
    """An ``.argdown`` file."""

    name = "argdown"
    title = "Argdown"
    suffixes = (".argdown", ".ad")
    loses = (*not_held(HOLDS), "joint premises", "line breaks in texts")

    def sniff(self, given: Input) -> bool:
        # Only what its suffix promises: any text is Argdown.
        return given.suffix in self.suffixes and (_KNOWN.search(given.data) is not None)

    def read(self, given: Input) -> ArgumentGraph:
        reader = _Reader(given)
        document = reader.document()
        graph = graph_of(document, given.name, self.name)
        return graph.with_meta(notices=graph.notices + tuple(reader.notices))

    def write(self, graph: ArgumentGraph) -> Written:
        losses = Losses(graph, HOLDS, OWN)
        titles = NodeIds(losses, lambda id_: _TITLE.match(id_) is not None and id_ == id_.strip())
        return Written(_text(argdown_of(losses, titles), losses), losses.report())


class _Reader:
    def __init__(self, given: Input) -> None:
        self.where = given.name
        text = given.text.replace("\r\n", "\n").replace("\r", "\n")
        front = _FRONT.match(text)
        if front:
            text = "\n" * front.group().count("\n") + text[front.end() :]
        self.lines = _without_comments(text).split("\n")
        self.out = Argdown()
        self.notices: list[Notice] = []
        self.untitled = 0
        self.argument: str | None = None
        self.left_out = 0

    def document(self) -> Argdown:
        stack: list[tuple[int, End]] = []
        texts: dict[End, list[str]] = {}
        last: End | None = None
        steps: list[tuple[End, bool, list[str]]] = []
        pending: list[str] | None = None
        number = 0
        while number < len(self.lines):
            line = self.lines[number]
            number += 1
            place = f"{self.where}, line {number}"
            if not line.strip(" \t"):
                stack, last = [], None
                continue
            if re.match(r"#+[ \t]", line):
                stack, last = [], None
                continue
            step, rule, relation = _STEP.match(line), _rule(line), _RELATION.match(line)
            if steps and rule:
                if pending is not None:
                    raise FormatError("two inference lines without a statement between them", where=place)
                named = rule.words
                if named is None and line.strip(" \t") == "--":
                    inner: list[str] = []
                    while number < len(self.lines) and self.lines[number].strip(" \t") != "--":
                        inner.append(self.lines[number])
                        number += 1
                    number += 1
                    named = " ".join(inner)
                pending = [each.strip() for each in self._clean(named or "").split(",") if each.strip()]
                last = None
            elif step:
                if int(step.group(1)) == 1 or not steps:
                    self._structure(steps, place)
                    steps, pending = [], None
                end, words = self._element(step.group(2))
                texts.setdefault(end, []).extend(words)
                steps.append((end, pending is not None, pending or []))
                pending, last, stack = None, end, [(0, end)]
            elif relation and stack:
                indent, sign = len(relation.group(1).expandtabs(4)), relation.group(2)
                while len(stack) > 1 and stack[-1][0] >= indent:
                    stack.pop()
                end, words = self._element(relation.group(3))
                texts.setdefault(end, []).extend(words)
                self._relate(sign, stack[-1][1], end)
                stack.append((indent, end))
                last = end
            elif last is not None and not _ELEMENT.match(line.strip(" \t")):
                texts.setdefault(last, []).append(line.strip(" \t"))
            else:
                content = re.sub(r"^[ \t]*(?:\*[ \t]+)?", "", line)
                end, words = self._element(content)
                texts.setdefault(end, []).extend(words)
                stack, last = [(len(line) - len(line.lstrip(" \t")), end)], end
                if end.argument:
                    self._structure(steps, place)
                    steps, pending, self.argument = [], None, end.title
        self._structure(steps, self.where)
        for end, words in texts.items():
            if words:
                self.out.mention(end, self._clean(" ".join(word for word in words if word)))
        if self.left_out:
            self.notices.append(Notice("argdown-data", f"{self.left_out} tags and data in braces are left out"))
        return self.out

    def _element(self, content: str) -> tuple[End, list[str]]:
        """A statement or an argument, and the words of its text in this place; a text of nothing is an empty word."""
        found = _ELEMENT.match(content.strip(" \t"))
        if found and (found.group("colon") or not self._clean(found.group("text"))):
            title = _ESCAPED.sub(r"\1", found.group("s") or found.group("a")).strip()
            if title:
                end = self.out.mention(End(title, found.group("a") is not None))
                return end, [found.group("text").strip(" \t")] if found.group("colon") else []
        self.untitled += 1
        return self.out.mention(End(f"Untitled {self.untitled}")), [content.strip(" \t")]

    def _relate(self, sign: str, parent: End, child: End) -> None:
        if sign == "><":
            self.out.relations.append(("contradictory", parent, child))
        elif sign.endswith(">"):
            self.out.relations.append((_SIGNS[sign[0]], parent, child))
        else:
            self.out.relations.append((_SIGNS[sign[-1]], child, parent))

    def _structure(self, steps: list[tuple[End, bool, list[str]]], where: str) -> None:
        """Statements numbered one after the other become the steps of the argument above them."""
        if not steps:
            return
        if any(end.argument for end, _, _ in steps):
            raise FormatError("an argument as a premise", where=where, remedy="name a statement: [Title]")
        made: list[Step] = []
        premises: list[str] = []
        for end, concludes, rules in steps:
            if not concludes:
                premises.append(end.title)
                continue
            made.append(Step(premises, end.title, rules))
            premises = [end.title]
        if self.argument is None:
            self.untitled += 1
            self.argument = f"Untitled {self.untitled}"
        self.out.arguments.setdefault(self.argument, Argument()).steps = made
        self.argument = None

    def _clean(self, text: str) -> str:
        """A text without tags and data, its escapes resolved."""
        text, data = _DATA.subn("", text)
        text, tags = _TAG.subn("", text)
        self.left_out += data + tags
        return _ESCAPED.sub(r"\1", text).strip(" \t")


@dataclass(frozen=True)
class _Rule:
    """An inference line: the rules in it, None where it is of dashes alone."""

    words: str | None


def _rule(line: str) -> _Rule | None:
    line = line.strip(" \t")
    if not line.startswith("--"):
        return None
    if not line.strip("-"):
        return _Rule(None)
    return _Rule(line.strip("-").strip(" \t")) if line.endswith("--") else None


def _without_comments(text: str) -> str:
    """The text without comments, its lines as many as before. What is never closed is no comment."""
    parts: list[str] = []
    done = 0
    never: set[str] = set()
    while found := _COMMENT.search(text, done):
        closing = {"/*": "*/", "<!--": "-->"}.get(found.group())
        end = found.end()
        if closing is not None:
            end = -1 if closing in never else text.find(closing, found.end()) + len(closing)
            if end < len(closing):
                never.add(closing)
                parts.append(text[done : found.end()])
                done = found.end()
                continue
        parts += (text[done : found.start()], "\n" * text.count("\n", found.start(), end))
        done = end
    return "".join([*parts, text[done:]])


def _text(document: Argdown, losses: Losses) -> str:
    blocks: list[str] = []
    mirrored = {"contrary": "attack", "entails": "support"}
    signs = {"support": "+>", "attack": "->", "undercut": "_>", "contradictory": "><"}
    below: dict[End, list[str]] = {}
    for kind, source, target in document.relations:
        below.setdefault(source, []).append(f"  {signs[mirrored.get(kind, kind)]} {_shown(target)}")
        if kind == "contrary":  # loose Argdown knows no contraries: an attack each way says the same
            below.setdefault(target, []).append(f"  -> {_shown(source)}")
    units: list[tuple[End, str | None]] = [(End(title), text) for title, text in document.statements.items()]
    units += ((End(title, True), argument.text) for title, argument in document.arguments.items() if not argument.steps)
    for end, text in units:
        plain = re.sub(r"[ \t]*[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+[ \t]*", " ", text or "").strip(" \t")
        losses.lose("line breaks in texts", plain != text)
        blocks.append("\n".join([f"{_shown(end)}: {_escaped(plain)}".rstrip(" "), *below.get(end, ())]))
    for title, argument in document.arguments.items():
        for step in argument.steps:
            lines = [f"<{title}>", ""]
            lines += (f"({number}) [{premise}]" for number, premise in enumerate(step.premises, 1))
            lines += [f"-- {', '.join(map(_escaped, step.rules))} --" if step.rules else "----"]
            blocks.append("\n".join([*lines, f"({len(step.premises) + 1}) [{step.conclusion}]"]))
    return "\n\n".join(blocks) + "\n"


def _shown(end: End) -> str:
    return f"<{end.title}>" if end.argument else f"[{end.title}]"


def _escaped(text: str) -> str:
    return re.sub(r"([\\\[\]<>{}#*_@/])", r"\\\1", text)
