"""Rows of the propositions and locutions that differ: one side lacks them, cuts them differently, gives them another
speaker or words them differently."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.align.alignment import Alignment, NodeClass
from aifgraph.comparison.breakdown import name_key, speaker_names
from aifgraph.comparison.differences.rows import Kind, NodeNumber, Row

#: A class of one layer: whether it is of locutions, and its number.
_Class = tuple[bool, int]


def content_rows(alignment: Alignment) -> Iterator[Row]:
    """A row for each class that differs; those that an illocution joins and that differ alike are one row, which is
    about the proposition."""
    classes = (alignment.propositions.classes, alignment.locutions.classes)
    problems: dict[_Class, tuple[Kind, bool, bool]] = {}
    for spoken in (False, True):
        for number, node_class in enumerate(classes[spoken]):
            if kind := _problem(alignment, node_class, spoken=spoken):
                problems[spoken, number] = (kind, bool(node_class.first), bool(node_class.second))
    alike = {key: [key] for key in problems}
    for locution, proposition in _anchored(alignment):
        if problems.get((True, locution), ()) == problems.get((False, proposition)):
            group, other = alike[True, locution], alike[False, proposition]
            if group is not other:
                group += other
                alike.update(dict.fromkeys(other, group))
    together: dict[_Class, tuple[list[NodeNumber], list[NodeNumber]]] = {}
    for key in problems:
        together.setdefault(alike[key][0], ([], []))[key[0]].extend(members(classes[key[0]][key[1]]))
    for key, (claims, spoken_nodes) in together.items():
        if claims:
            yield Row("propositions", problems[key][0], claims, spoken_nodes)
        else:
            yield Row("locutions", problems[key][0], spoken_nodes)


def members(node_class: NodeClass) -> Iterator[NodeNumber]:
    """The nodes of a class on both sides."""
    yield from ((0, node) for node in node_class.first)
    yield from ((1, node) for node in node_class.second)


def _problem(alignment: Alignment, node_class: NodeClass, *, spoken: bool) -> Kind | None:
    match = node_class.match
    if match is None:
        return "missing"
    if node_class.joined:
        return "cut differently"
    first, second = alignment.first, alignment.second
    one, other = match.first, match.second
    said_alike = first.said_normalised[one] == second.said_normalised[other]
    if not said_alike:
        places = alignment.first_positions.get(one), alignment.second_positions.get(other)
        if all(places) and places[0] != places[1]:
            return "cut differently"
    if spoken:
        who = [
            {name_key(name) for name in speaker_names(side, [node])} for side, node in ((first, one), (second, other))
        ]
        if all(who) and who[0] != who[1]:
            return "spoken by another"
    return None if said_alike else "reworded"


def _anchored(alignment: Alignment) -> Iterator[tuple[int, int]]:
    """Locution class and proposition class of every locution that anchors a proposition."""
    locutions, propositions = alignment.locutions, alignment.propositions
    for side, locution_classes, proposition_classes in (
        (alignment.first, locutions.first_class, propositions.first_class),
        (alignment.second, locutions.second_class, propositions.second_class),
    ):
        for node, kind in enumerate(side.kinds):
            if kind == "YA":
                for anchor in side.predecessors[node]:
                    if anchor in locution_classes:
                        for content in side.successors[node]:
                            if content in proposition_classes:
                                yield locution_classes[anchor], proposition_classes[content]
