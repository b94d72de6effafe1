"""Argdown's own model of an argumentation, between AIF and Argdown's two forms (text and JSON export).

=========================  ==========================================================================================
Argdown                    AIF
=========================  ==========================================================================================
equivalence class          I-node under its title
argument, a sketch         I-node, marked ``argument``
argument, reconstructed    an RA-node for each step, its rules the schemes
support, entails           RA-node (``strict`` where it is entailed); from an argument: from its conclusion
attack                     CA-node
contrary, contradictory    two CA-nodes, one each way, marked ``symmetric``
undercut                   CA-node onto the RA-node of the argument (of a sketch: onto the RA-node that it makes)
=========================  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS, named_scheme

SYMMETRIC = ("contrary", "contradictory")

#: A heading and what is under it, as in Argdown's JSON export.
Section = dict[str, Any]


@dataclass
class Step:
    """One inference of a structure, its statements by title; ``place`` is its conclusion's in the structure, from 0."""

    premises: list[str]
    conclusion: str
    rules: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    place: int = 0


def steps_of(numbered: Sequence[tuple[str, list[str] | None, dict[str, Any]]]) -> list[Step]:
    """The steps of a structure: each statement's title, with rules and data where an inference leads to it.

    An inference starts from what its data names under ``uses``, else from everything since the conclusion before, that
    one included.
    """
    steps: list[Step] = []
    premises: list[str] = []
    for place, (title, rules, data) in enumerate(numbered):
        if rules is None:
            premises.append(title)
            continue
        uses = data.get("uses")
        if isinstance(uses, list) and uses and all(type(use) is int and 0 < use <= place for use in uses):
            premises = [numbered[use - 1][0] for use in uses]
        steps.append(Step(premises, title, rules, data, place))
        premises = [title]
    return steps


def numbered_of(steps: Sequence[Step]) -> list[tuple[str, list[str] | None, dict[str, Any]]]:
    """The numbered statements that ``steps_of`` reads as these steps; each step is told its place."""
    numbered: list[tuple[str, list[str] | None, dict[str, Any]]] = []
    places: dict[str, int] = {}
    implied: list[str] = []
    for step in steps:
        premises = list(dict.fromkeys(step.premises))
        for premise in premises:
            if premise not in places:
                places[premise] = len(numbered)
                numbered.append((premise, None, {}))
                implied.append(premise)
        uses = {} if set(implied) == set(premises) else {"uses": [places[premise] + 1 for premise in premises]}
        step.place = len(numbered)
        places.setdefault(step.conclusion, step.place)
        numbered.append((step.conclusion, step.rules, {**uses, **step.data}))
        implied = [step.conclusion]
    return numbered


@dataclass
class Statement:
    """A statement under its title: what it says, its tags and data, the id of the section that it stands in."""

    text: str | None = None
    tags: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    section: str | None = None

    def record(self) -> dict[str, Any]:
        """What of it goes into the record of a node."""
        fields = {"tags": self.tags, "data": self.data, "section": self.section}
        return {key: value for key, value in fields.items() if value}


@dataclass
class Argument(Statement):
    """An argument: what it says in a sketch, and its steps where it is reconstructed."""

    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class End:
    """A statement or an argument, by title; with ``step`` the inference of the argument that leads to that place."""

    title: str
    argument: bool = False
    step: int | None = None


@dataclass
class Argdown:
    """A whole document; ``relations`` are (kind, from, to)."""

    statements: dict[str, Statement] = field(default_factory=dict)
    arguments: dict[str, Argument] = field(default_factory=dict)
    relations: list[tuple[str, End, End]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    front: dict[str, Any] = field(default_factory=dict)

    def entry(self, end: End) -> Statement:
        """What is known of a statement or an argument; new where it is met first."""
        if end.argument:
            return self.arguments.setdefault(end.title, Argument())
        return self.statements.setdefault(end.title, Statement())


def section_of(
    id_: str, level: int, title: str, tags: list[str], data: dict[str, Any], parent: Section | None
) -> Section:
    """A heading as in Argdown's JSON export, with nothing under it yet."""
    return {
        "type": "section",
        "id": id_,
        "level": level,
        "title": title,
        "children": [],
        **({"tags": tags} if tags else {}),
        **({"data": data} if data else {}),
        **({"parent": parent["id"]} if parent else {}),
    }


def sections_from(value: Any, parent: Section | None = None, depth: int = 0) -> list[Section]:
    """Sections of the JSON export; what is no section is left out."""
    sections = []
    for entry in value if isinstance(value, list) and depth < _MAX_LEVELS else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str) and isinstance(entry.get("title"), str):
            lowest = parent["level"] + 1 if parent else 1
            level = entry.get("level")
            level = min(max(level, lowest), _MAX_LEVELS) if type(level) is int else lowest
            data = entry["data"] if isinstance(entry.get("data"), dict) else {}
            section = section_of(entry["id"], level, entry["title"], strings(entry.get("tags")), data, parent)
            section["children"] = sections_from(entry.get("children"), section, depth + 1)
            sections.append(section)
    return sections


def strings(value: Any) -> list[str]:
    """The strings in a list; nothing where there is none."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


_MAX_LEVELS = 100


class _Graph:
    """From Argdown to AIF."""

    def __init__(self, document: Argdown, where: str) -> None:
        self.document = document
        self.build = GraphBuilder(name=where)
        self.homes: dict[End, str] = {}
        self.steps: dict[str, list[str]] = {}
        self.of_sketch: dict[str, str] = {}
        self.relations: set[str] = set()
        self.count = 0
        self.taken = set(document.statements) | set(document.arguments)

    def make(self) -> None:
        document = self.document
        for title, statement in document.statements.items():
            text = title if statement.text is None else statement.text
            self.homes[End(title)] = self.build.proposition(text, id=title, record=statement.record())
        for title, argument in document.arguments.items():
            if argument.steps:
                self.steps[title] = [self._step(title, argument, number) for number in range(len(argument.steps))]
                continue
            id_ = title if title not in self.build else self._fresh(f"{title} (argument)")
            text = title if argument.text is None else argument.text
            record = {"argument": True, **argument.record()}
            self.homes[End(title, True)] = self.build.proposition(text, id=id_, record=record)
        # Undercuts come last: what they attack has to be there.
        for kind, source, target in sorted(document.relations, key=lambda relation: relation[0] == "undercut"):
            self._relation(kind, source, target)

    def _step(self, title: str, argument: Argument, number: int) -> str:
        step = argument.steps[number]
        wanted = title if len(argument.steps) == 1 else f"{title} ({number + 1})"
        id_ = wanted if wanted not in self.build else self._fresh(wanted)
        schemes = tuple(named_scheme(rule, "RA") for rule in step.rules)
        record: dict[str, Any] = {"argument": title}
        if number == len(argument.steps) - 1:
            record |= argument.record()
            if argument.text is not None:
                record["description"] = argument.text
        data = {key: value for key, value in step.data.items() if key != "uses"}
        if data:
            record["inference"] = data
        premises = [self.homes[End(each)] for each in dict.fromkeys(step.premises) if each != step.conclusion]
        conclusion = self.homes[End(step.conclusion)]
        text = step.rules[0] if step.rules else DEFAULT_TEXTS["RA"]
        self.relations.add(id_)
        # By its edges, since a step that concludes what it begins with has no premise.
        made = self.build.node("RA", text, id=id_, schemes=schemes, record=record)
        for premise in premises:
            self.build.edge(premise, made)
        self.build.edge(made, conclusion)
        return made

    def _fresh(self, wanted: str) -> str:
        number = 2
        while f"{wanted} {number}" in self.build or f"{wanted} {number}" in self.taken:
            number += 1
        return f"{wanted} {number}"

    def _relation(self, kind: str, source: End, target: End) -> None:
        start = self._start(source)
        end = self._end(target, kind)
        if start is None or end is None or start == end:
            self.build.notice(
                "relation-left-out", f"{kind} of {target.title} by {source.title} joins nothing: left out"
            )
            return
        if kind == "undercut" and end not in self.relations:
            self.build.notice(
                "undercut-of-sketch", f"{target.title} makes no inference: its undercut is an attack", end
            )
        if kind in SYMMETRIC:
            for a, b in ((start, end), (end, start)):
                if a not in self.relations:
                    self._add("CA", a, b, {"symmetric": kind})
        elif kind in ("attack", "undercut"):
            self._add("CA", start, end, {})
        else:
            made = self._add("RA", start, end, {"strict": True} if kind == "entails" else {})
            if source.argument and source in self.homes:
                self.of_sketch.setdefault(source.title, made)

    def _start(self, end: End) -> str | None:
        argument = self.document.arguments.get(end.title) if end.argument else None
        if argument is not None and argument.steps:
            return self.homes[End(argument.steps[-1].conclusion)]
        return self.homes.get(end)

    def _end(self, end: End, kind: str) -> str | None:
        if end.argument and self.steps.get(end.title):
            places = [step.place for step in self.document.arguments[end.title].steps]
            return self.steps[end.title][places.index(end.step) if end.step in places else -1]
        if end.argument and kind == "undercut" and end.title in self.of_sketch:
            return self.of_sketch[end.title]
        return self.homes.get(end)

    def _add(self, type_: str, source: str, target: str, record: dict[str, Any]) -> str:
        self.count += 1
        while (id_ := f"R{self.count}") in self.build or id_ in self.taken:
            self.count += 1
        text = DEFAULT_TEXTS[type_]
        self.relations.add(id_)
        return self.build.relation(type_, [source], target, text, id=id_, record=record)


def graph_of(document: Argdown, where: str, form: str) -> ArgumentGraph:
    """The graph of a document."""
    making = _Graph(document, where)
    making.make()
    side_data = {"sections": document.sections, "frontMatter": document.front}
    own = {key: value for key, value in side_data.items() if value}
    graph = making.build.graph(form=form)
    return graph.with_meta(aif={**graph.meta.aif, "argdown": own}) if own else graph
