"""What the tree of a file means: statements of one title are one, relations join what they stand under, headings are
sections, and front matter sets the mode."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aifgraph.errors import FormatError
from aifgraph.formats.argdown.model import (
    SYMMETRIC,
    Argdown,
    Argument,
    End,
    Section,
    Statement,
    Step,
    section_of,
    steps_of,
    strings,
)
from aifgraph.formats.argdown.syntax import (
    Content,
    Heading,
    Inference,
    Items,
    Member,
    Relation,
    Structure,
    data_in,
    parse,
    read_yaml,
)
from aifgraph.formats.argdown.tokens import Kind, Token
from aifgraph.formats.files import place_in

_Relation = tuple[str, End, End]
_KINDS = {"+": "support", "-": "attack", "_": "undercut"}
_LINK = re.compile(r"\[(.+)\]\(.+\)")
_CONTENT = (Kind.TEXT, Kind.ESCAPED, Kind.LINK, Kind.TAG, Kind.MENTION, Kind.NEWLINE, Kind.RANGE_START)


def read_text(text: str, name: str) -> Argdown:
    """The document in a file."""
    return _Reader(text, name).document()


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.out = Argdown()
        self.untitled = 0
        self.open_sections: list[Section] = []
        self.count = 0
        self.first_sections: dict[End, str | None] = {}
        self.canonical: set[End] = set()
        self.relations: dict[_Relation, None] = {}
        self.inference: End | None = None
        self.premises: dict[str, set[str]] = {}

    def document(self) -> Argdown:
        tree = parse(self.text, self.name)
        if tree.front:
            data = read_yaml(tree.front.image.strip().strip("="), self._place(tree.front))
            self.out.front = data if isinstance(data, dict) else {}
        before: End | None = None
        for unit in tree.units:
            end = None
            if isinstance(unit, Heading):
                self._heading(unit)
            elif isinstance(unit, Items):
                for member in unit.members:
                    self._member(member)
            elif isinstance(unit, Structure):
                self._structure(unit, before)
            else:
                end = self._member(unit)
            before = end if end is not None and end.argument else None
        for end, section in self.first_sections.items():
            entry = self.out.entry(end)
            entry.section = section if entry.section is None else entry.section
        self._join_conclusions()
        model = self.out.front.get("model")
        if isinstance(model, dict) and model.get("mode") == "strict":
            self._be_strict()
        self._drop_repeated_attacks()
        group = self.out.front.get("group")
        regroup = group.get("regroup") if isinstance(group, dict) else None
        if isinstance(regroup, list) and regroup:
            for entry in (*self.out.statements.values(), *self.out.arguments.values()):
                entry.section = None
            self.out.sections = self._regrouped(regroup, 0, None)
        self.out.relations = list(self.relations)
        return self.out

    def _place(self, token: Token) -> str:
        return f"{self.name}, {place_in(self.text, token.offset)}"

    def _regrouped(self, groups: list[Any], first: int, parent: Section | None) -> list[Section]:
        """The sections that front matter asks for in place of the headings; numbered as Argdown does."""
        sections = []
        for number, group in enumerate(groups, first):
            if not isinstance(group, dict):
                continue
            level = parent["level"] + 1 if parent else 1
            title, tags = str(group.get("title", "")), strings(group.get("tags"))
            section = section_of(f"s{number}", level, title, tags, {}, parent)
            for key, argument in (("statements", False), ("arguments", True)):
                known: Mapping[str, Statement] = self.out.arguments if argument else self.out.statements
                for each in strings(group.get(key)):
                    if each in known:
                        known[each].section = section["id"]
            children = group.get("children")
            if isinstance(children, list):
                section["children"] = self._regrouped(children, number + 1, section)
            sections.append(section)
        return sections

    # Texts.

    def _data(self, token: Token | None) -> dict[str, Any]:
        data = read_yaml(data_in(token.image), self._place(token)) if token else None
        return data if isinstance(data, dict) else {}

    def _words(self, content: Content) -> tuple[str, list[str]]:
        """A text and its tags."""
        text = ""
        tags: list[str] = []
        for place, token in enumerate(content):
            if token.kind is Kind.TAG:
                tags.append(token.image.strip(" \t")[1:].removeprefix("(").removesuffix(")"))
            if token.kind is not Kind.NEWLINE:
                text += self._piece(token)
            elif place + 1 < len(content) and content[place + 1].kind in _CONTENT and not text.endswith(" "):
                text += " "
        return text, list(dict.fromkeys(tags))

    def _piece(self, token: Token) -> str:
        image = token.image
        blank = " " if image.endswith(" ") else ""
        if token.kind is Kind.ESCAPED:
            return image[1:]
        if token.kind is Kind.LINK:
            match = _LINK.search(image)
            if match is None:
                raise FormatError("a link that goes on in another line", where=self._place(token))
            return match.group(1) + blank
        if token.kind is Kind.RANGE_END:
            return blank
        return "" if token.kind is Kind.RANGE_START else image

    def _untitled(self) -> str:
        self.untitled += 1
        return f"Untitled {self.untitled}"

    # Units.

    def _heading(self, unit: Heading) -> None:
        text, tags = self._words(unit.content)
        self.count += 1
        while self.open_sections and self.open_sections[-1]["level"] >= unit.level:
            self.open_sections.pop()
        parent = self.open_sections[-1] if self.open_sections else None
        section = section_of(f"s{self.count}", unit.level, text.strip(), tags, self._data(unit.data), parent)
        (parent["children"] if parent else self.out.sections).append(section)
        self.open_sections.append(section)

    def _section(self) -> str | None:
        return self.open_sections[-1]["id"] if self.open_sections else None

    def _member(self, member: Member) -> End:
        text, tags = self._words(member.content)
        if member.broken_after_data and member.relations and not text.endswith(" "):
            text += " "  # Argdown's own reading: the line break after data counts as a blank before relations
        title = None
        if member.title is not None:
            inside = re.search(r"[\[<](.+)[\]>]", member.title.image)
            title = inside.group(1) if inside else None
        data = self._data(member.data)
        end = End(title or self._untitled(), member.argument)
        self._relations(member.relations, end)
        self._note(end, member, text, tags, data)
        return end

    def _note(self, end: End, member: Member, text: str, tags: list[str], data: dict[str, Any]) -> None:
        entry = self.out.entry(end)
        entry.tags += [tag for tag in tags if tag not in entry.tags]
        _merge(entry.data, data)
        section = self._section()
        self.first_sections.setdefault(end, section)
        in_group = data.get("isInGroup")
        if in_group is True or (not member.reference and in_group is None and entry.section is None):
            entry.section = section
        # The last place that says something counts, unless one is marked as the canonical one.
        if not member.reference and (data.get("isCanonical") or end not in self.canonical):
            entry.text = text
            if data.get("isCanonical"):
                self.canonical.add(end)

    def _structure(self, unit: Structure, before: End | None) -> None:
        end = before or End(self._untitled(), True)
        argument = self.out.entry(end)
        assert isinstance(argument, Argument)
        if argument.steps:
            raise FormatError(
                f"a second premise-conclusion structure for <{end.title}>",
                where=self._place(unit.start),
                remedy="expected is one for each argument",
            )
        argument.section = self._section() or argument.section
        numbered: list[tuple[str, list[str] | None, dict[str, Any]]] = []
        for member, inference in unit.statements:
            rules, data = self._inference(inference, End(end.title, True, len(numbered))) if inference else (None, {})
            numbered.append((self._member(member).title, rules, data))
        argument.steps = steps_of(numbered)
        self.premises[end.title] = {title for title, rules, _ in numbered if rules is None}

    def _inference(self, inference: Inference, end: End) -> tuple[list[str], dict[str, Any]]:
        self.inference = end
        self._relations(inference.undercuts, end)
        rules = ["".join(map(self._piece, rule)).strip() for rule in inference.rules]
        return rules, self._data(inference.data)

    # Relations.

    def _relations(self, relations: Sequence[Relation], parent: End) -> None:
        if relations and parent.step is None:
            self.out.entry(parent)
        for relation in relations:
            sign = relation.sign
            kind = "contradictory" if sign == "><" else _KINDS[sign.strip("<>")]
            child = self._member(relation.member)
            goal = parent
            if kind == "undercut" and not parent.argument and self.inference:
                # This is how Argdown reads an undercut of a statement: the file's last inference is undercut.
                goal = self.inference
            source, target = (parent, child) if sign == "><" or sign.endswith(">") else (child, goal)
            if kind != "contradictory" or (kind, target, source) not in self.relations:
                self.relations[kind, source, target] = None

    def _join_conclusions(self) -> None:
        """A reconstructed argument supports by its conclusion; what undercuts it undercuts its last inference."""
        joined: dict[_Relation, None] = {}
        for kind, source, target in self.relations:
            if source.step is None and (steps := self._steps(source)):
                source = End(steps[-1].conclusion)
            if kind == "undercut" and target.step is None and (steps := self._steps(target)):
                target = End(target.title, True, steps[-1].place)
            joined[kind, source, target] = None
        self.relations = joined

    def _steps(self, end: End) -> list[Step]:
        argument = self.out.arguments.get(end.title) if end.argument else None
        return argument.steps if argument else []

    def _be_strict(self) -> None:
        """Between statements support is entailment, attack contrariety."""
        strict: dict[_Relation, None] = {}
        for kind, source, target in self.relations:
            if not (source.argument or target.argument):
                kind = {"support": "entails", "attack": "contrary"}.get(kind, kind)
            if kind != "contrary" or (kind, target, source) not in strict:
                strict[kind, source, target] = None
        self.relations = strict

    def _drop_repeated_attacks(self) -> None:
        """A statement that attacks an argument and one of its premises attacks the premise."""
        against: dict[End, set[str]] = {}
        for kind, source, target in self.relations:
            if kind in ("attack", *SYMMETRIC) and not (source.argument or target.argument):
                against.setdefault(source, set()).add(target.title)
                if kind != "attack":
                    against.setdefault(target, set()).add(source.title)
        for relation in list(self.relations):
            kind, source, target = relation
            attack = kind == "attack" and target.argument and not source.argument
            if attack and against.get(source, set()) & self.premises.get(target.title, set()):
                del self.relations[relation]


def _merge(known: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(known.get(key), dict):
            _merge(known[key], value)
        else:
            known[key] = value
