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

from dataclasses import dataclass, field
from typing import Any

from aifgraph.formats.contents import ARGUMENT, Losses, NodeIds
from aifgraph.formats.tree_relations import writable
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, Proposition, Scheme, SchemeNode
from aifgraph.graph.schemes import DEFAULT_TEXTS, is_default, named_scheme, spoken

HOLDS = ARGUMENT | {"node ids", "schemes"}
OWN = frozenset({"argument", "strict", "symmetric"})
SYMMETRIC = ("contrary", "contradictory")


@dataclass
class Step:
    """One inference of a premise-conclusion structure, its statements by title."""

    premises: list[str]
    conclusion: str
    rules: list[str] = field(default_factory=list)


@dataclass
class Argument:
    """An argument: what it says in a sketch, and its steps where it is reconstructed."""

    text: str | None = None
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class End:
    """A statement or an argument, by title."""

    title: str
    argument: bool = False


@dataclass
class Argdown:
    """A whole document; ``relations`` are (kind, from, to)."""

    statements: dict[str, str | None] = field(default_factory=dict)
    arguments: dict[str, Argument] = field(default_factory=dict)
    relations: list[tuple[str, End, End]] = field(default_factory=list)

    def mention(self, end: End, text: str | None = None) -> End:
        """Note a statement or an argument; the first text that it is given counts."""
        if end.argument:
            known = self.arguments.setdefault(end.title, Argument())
            known.text = text if known.text is None else known.text
        elif self.statements.setdefault(end.title, text) is None:
            self.statements[end.title] = text
        return end


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
        for title, text in document.statements.items():
            self.homes[End(title)] = self.build.proposition(title if text is None else text, id=title)
        for title, argument in document.arguments.items():
            if argument.steps:
                self.steps[title] = [self._step(title, argument, number) for number in range(len(argument.steps))]
                continue
            id_ = title if title not in self.build else self._fresh(f"{title} (argument)")
            text = title if argument.text is None else argument.text
            self.homes[End(title, True)] = self.build.proposition(text, id=id_, record={"argument": True})
        # Undercuts come last: what they attack has to be there.
        for kind, source, target in sorted(document.relations, key=lambda relation: relation[0] == "undercut"):
            self._relation(kind, source, target)

    def _step(self, title: str, argument: Argument, number: int) -> str:
        step = argument.steps[number]
        wanted = title if len(argument.steps) == 1 else f"{title} ({number + 1})"
        id_ = wanted if wanted not in self.build else self._fresh(wanted)
        schemes = tuple(named_scheme(rule, "RA") for rule in step.rules)
        record: dict[str, Any] = {"argument": title}
        premises = [self.homes[End(each)] for each in dict.fromkeys(step.premises) if each != step.conclusion]
        conclusion = self.homes[End(step.conclusion)]
        text = step.rules[0] if step.rules else DEFAULT_TEXTS["RA"]
        self.relations.add(id_)
        return self.build.relation("RA", premises, conclusion, text, id=id_, schemes=schemes, record=record)

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
            return self.steps[end.title][-1]
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
    return making.build.graph(form=form)


def argdown_of(losses: Losses, titles: NodeIds) -> Argdown:
    """The document of the graph; what is in it is counted as kept."""
    graph = losses.graph
    document = Argdown()
    for unit in graph.propositions:
        losses.keep_node(unit.id)
        losses.lose("schemes", sum(not is_default(scheme, unit.type) for scheme in unit.schemes))
        titles.take(unit)
    relations = writable(
        graph,
        ("RA", "CA"),
        lambda relation, node: node.type == "RA" and all(c.type == "I" for c in graph.conclusions_of(node)),
    )
    attacked = {target.id for _, _, target in relations.values() if not isinstance(target, Proposition)}
    structured = {
        id_: titles.take(relation)
        for id_, (relation, premises, target) in relations.items()
        if relation.type == "RA"
        and isinstance(target, Proposition)
        and (
            len(premises) > 1
            or id_ in attacked
            or _rules(relation)[0]
            or isinstance(relation.record.get("argument"), str)
        )
    }
    inside = {end.id for id_ in structured for end in (*relations[id_][1], relations[id_][2])}
    sketches = {unit.id for unit in graph.propositions if unit.record.get("argument") is True} - inside
    ends = {unit.id: End(titles[unit.id], unit.id in sketches) for unit in graph.propositions}
    for unit in graph.propositions:
        document.mention(ends[unit.id], unit.text)
    done: set[str] = set()
    for id_, (relation, premises, target) in relations.items():
        losses.keep_relation(relation, premises, target)
        rules, lost = _rules(relation)
        losses.lose("schemes", lost if id_ in structured else lost + len(rules))
        if id_ in structured:
            step = Step([titles[each.id] for each in premises], titles[target.id], rules)
            document.arguments[structured[id_]] = Argument(None, [step])
            continue
        losses.lose("node ids")
        losses.lose("joint premises", len(premises) - 1)
        goal = End(structured[target.id], True) if target.id in structured else ends.get(target.id)
        if id_ in done or goal is None:
            continue
        kind = _kind(relation, target)
        mirror = _mirror(relations, relation, premises, target) if kind in SYMMETRIC else None
        if kind in SYMMETRIC and mirror is None:
            kind = "attack"
        elif mirror is not None:
            done.add(mirror)
        document.relations += [(kind, ends[premise.id], goal) for premise in premises]
    return document


def _rules(relation: SchemeNode) -> tuple[list[str], int]:
    """The schemes of an inference as names that lead back to them, and how many have none."""
    own = [scheme for scheme in relation.schemes if not is_default(scheme, relation.type)]
    rules = [rule for scheme in own if relation.type == "RA" and (rule := _rule(scheme))]
    return rules, len(own) - len(rules)


def _rule(scheme: Scheme) -> str:
    name = spoken(scheme.name or "").strip()
    plain = bool(name) and not set(name) & set("\r\n,-{}\\") and named_scheme(name, "RA") == scheme
    return name if plain else ""


def _kind(relation: SchemeNode, target: Node) -> str:
    if relation.type == "RA":
        return "entails" if relation.record.get("strict") else "support"
    if not isinstance(target, Proposition):
        return "undercut"
    symmetric = relation.record.get("symmetric")
    return symmetric if symmetric in SYMMETRIC else "attack"


def _mirror(relations: Any, relation: SchemeNode, premises: list[Proposition], target: Node) -> str | None:
    """The conflict that leads back, of the same kind."""
    for id_, (other, starts, end) in relations.items():
        same = other.type == "CA" and other.record.get("symmetric") == relation.record.get("symmetric")
        if (
            same
            and id_ != relation.id
            and [s.id for s in starts] == [target.id]
            and [p.id for p in premises] == [end.id]
        ):
            return str(id_)
    return None
