"""From a graph to Argdown's model."""

from __future__ import annotations

from collections.abc import Callable

from aifgraph.formats.argdown.model import (
    SYMMETRIC,
    Argdown,
    Argument,
    End,
    Statement,
    Step,
    numbered_of,
    sections_from,
    strings,
)
from aifgraph.formats.writing import NodeIds, writable
from aifgraph.graph import ArgumentGraph, Node, Proposition, Scheme, SchemeNode
from aifgraph.graph.schemes import is_default, named_scheme, split_camel_case

_Relations = dict[str, tuple[SchemeNode, list[Proposition], Node]]


def argdown_of(graph: ArgumentGraph, allowed: Callable[[str], bool]) -> Argdown:
    """The document of the graph; ``allowed`` says what can be a title. Repeated attacks are left out."""
    titles = NodeIds(graph, allowed)
    document = Argdown()
    _side_data(document, graph)
    for unit in graph.propositions:
        titles.take(unit)
    relations = writable(
        graph,
        ("RA", "CA"),
        lambda relation, node: node.type == "RA" and all(c.type == "I" for c in graph.conclusions_of(node)),
    )
    marked = {unit.id for unit in graph.propositions if unit.record.get("argument") is True}
    structures = _structures(relations, marked, allowed)
    inside = {
        end.id for group in structures.values() for id_ in group for end in (*relations[id_][1], relations[id_][2])
    }
    ends = {unit.id: End(titles[unit.id], unit.id in marked - inside) for unit in graph.propositions}
    for unit in graph.propositions:
        entry = document.entry(ends[unit.id])
        entry.text = unit.text
        _carry(entry, unit)
    goals: dict[str, End] = dict(ends)
    for name, group in structures.items():
        title = name if group != [name] else titles.take(relations[name][0])
        argument = Argument()
        for id_ in group:
            relation, premises, target = relations[id_]
            step = Step([titles[each.id] for each in premises], titles[target.id], _rules(relation))
            data = relation.record.get("inference")
            step.data = dict(data) if isinstance(data, dict) else {}
            argument.steps.append(step)
        _carry(argument, relations[group[-1]][0])
        text = relations[group[-1]][0].record.get("description")
        argument.text = text if isinstance(text, str) else None
        document.arguments[title] = argument
        numbered_of(argument.steps)
        goals |= {id_: End(title, True, step.place) for id_, step in zip(group, argument.steps, strict=True)}
    for id_, (relation, premises, _) in relations.items():
        if relation.type == "RA" and id_ not in goals and premises[0].id in marked:
            goals[id_] = ends[premises[0].id]
    _relate(document, relations, goals, {id_ for group in structures.values() for id_ in group})
    return document


def _side_data(document: Argdown, graph: ArgumentGraph) -> None:
    own = graph.meta.aif.get("argdown")
    if isinstance(own, dict):
        document.sections = sections_from(own.get("sections"))
        front = own.get("frontMatter")
        document.front = front if isinstance(front, dict) else {}


def _carry(entry: Statement, node: Node) -> None:
    """Tags, data and section of a record, where they are what Argdown means by them."""
    record = node.record
    entry.tags = [tag for tag in strings(record.get("tags")) if tag and not set(tag) & set(")\r\n")]
    data, section = record.get("data"), record.get("section")
    entry.data = dict(data) if isinstance(data, dict) else {}
    entry.section = section if isinstance(section, str) else None


def _structures(relations: _Relations, marked: set[str], allowed: Callable[[str], bool]) -> dict[str, list[str]]:
    """Which inferences are written as premise-conclusion structures: ids of inferences by argument, in order."""
    attacked = {target.id for _, _, target in relations.values() if not isinstance(target, Proposition)}
    sketched: set[str] = set()
    supports: set[tuple[str, str]] = set()
    alone: list[str] = []
    groups: dict[str, list[str]] = {}
    for id_, (relation, premises, target) in relations.items():
        if relation.type != "RA" or not isinstance(target, Proposition):
            continue
        argument = relation.record.get("argument")
        # Argdown takes the same relation once, however often it is written.
        repeated = len(premises) == 1 and (premises[0].id, target.id) in supports
        if isinstance(argument, str):
            groups.setdefault(argument, []).append(id_)
        elif (
            len(premises) > 1
            or repeated
            or _rules(relation)
            or (id_ in attacked and premises[0].id not in marked - sketched)
        ):
            alone.append(id_)
        if len(premises) == 1:
            # The first inference from a sketch is undercut by what undercuts the sketch.
            sketched.add(premises[0].id)
            supports.add((premises[0].id, target.id))
    whole: dict[str, list[str]] = {}
    for argument, group in groups.items():
        ordered = [f"{argument} ({number + 1})" for number in range(len(group))]
        if len(group) > 1 and allowed(argument) and set(group) == set(ordered):
            whole[argument] = ordered
        else:
            alone += group
    return {id_: [id_] for id_ in relations if id_ in set(alone)} | whole


def _relate(
    document: Argdown,
    relations: _Relations,
    goals: dict[str, End],
    structured: set[str],
) -> None:
    done: set[str] = set()
    written: set[tuple[str, End, End]] = set()
    conflicts: dict[tuple[object, tuple[str, ...], str], str] = {}
    for id_, (relation, premises, target) in relations.items():
        if relation.type == "CA":
            ids = tuple(premise.id for premise in premises)
            conflicts.setdefault((relation.record.get("symmetric"), ids, target.id), id_)
    for id_, (relation, premises, target) in relations.items():
        if id_ in structured or id_ in done:
            continue
        goal, kind = goals[target.id], _kind(relation, target)
        mirror = conflicts.get((kind, (target.id,), premises[0].id)) if len(premises) == 1 else None
        if kind in SYMMETRIC and (mirror is None or mirror == id_):
            kind = "attack"
        ends = [(kind, goals[premise.id], goal) for premise in premises]
        if written.issuperset(ends):
            continue  # the same again, which is lost
        if kind in SYMMETRIC and mirror is not None:
            done.add(mirror)
            written.add((kind, goal, goals[premises[0].id]))
        document.relations += ends
        written.update(ends)


def _rules(relation: SchemeNode) -> list[str]:
    """The schemes of an inference as names, of those whose names lead back to them."""
    own = [scheme for scheme in relation.schemes if not is_default(scheme, relation.type)]
    return [rule for scheme in own if relation.type == "RA" and (rule := _rule(scheme))]


def _rule(scheme: Scheme) -> str:
    name = split_camel_case(scheme.name or "").strip()
    plain = bool(name) and not set(name) & set("\r\n,-{}\\") and named_scheme(name, "RA") == scheme
    return name if plain else ""


def _kind(relation: SchemeNode, target: Node) -> str:
    if relation.type == "RA":
        return "entails" if relation.record.get("strict") else "support"
    if not isinstance(target, Proposition):
        return "undercut"
    symmetric = relation.record.get("symmetric")
    return symmetric if symmetric in SYMMETRIC else "attack"
