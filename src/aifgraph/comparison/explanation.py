"""What stands behind a number: the nodes of an item, and why a class is a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aifgraph.align.alignment import Alignment, NodeClass


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a calculation in words, with the ids of the nodes it is made of on each side."""

    text: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


def because(alignment: Alignment, each: NodeClass) -> str:
    """How a class came about: matched, with what joined it as a part, or alone."""
    if each.match is None:
        return "alone: no node of the other analysis is admissible and free"
    one, other = each.match
    place, other_place = alignment.first_positions.get(one), alignment.second_positions.get(other)
    same = "equal texts" if each.similarity == 1 else f"similarity {each.similarity:.3f}"
    if place and other_place:
        where = "at the same place" if place == other_place else "at places that overlap"
    else:
        where = "by text alone, a position being unknown"
    parts = [f"matched: {same}, {where}"]
    for side, node, share in each.joined:
        id_ = (alignment.second if side else alignment.first).nodes[node].id
        parts.append(f"joined as part: {('first', 'second')[side]} {id_}, {share:.0%} of its words are covered")
    return "; ".join(parts)


def explain(alignment: Alignment, calculation: str, item: Any) -> Item:
    """An item of a calculation in words."""
    text, first, second = _Explainer(alignment).item(calculation, item)
    return Item(text, tuple(dict.fromkeys(first)), tuple(dict.fromkeys(second)))


_Parts = tuple[str, list[str], list[str]]


class _Explainer:
    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment

    def item(self, calculation: str, item: Any) -> _Parts:
        if calculation == "propositional_relations":
            if item[0] == "on":
                return self.both(self.class_("propositions", item[1]), " on ", self.relation(item[2]))
            return self.link("propositions", item)
        if calculation == "argument_structure":
            one, other, conclusion = item
            pair = self.both(self.class_("propositions", one), " and ", self.class_("propositions", other))
            return self.both(pair, " for ", self.class_("propositions", conclusion))
        if calculation == "illocutions":
            return self.anchor(item)
        if calculation == "transitions":
            return self.link("locutions", item)
        content, anchor = item
        return self.both(self.content(content), " in ", self.anchor(anchor))

    def anchor(self, anchor: Any) -> _Parts:
        return self.class_("locutions", anchor) if isinstance(anchor, int) else self.link("locutions", anchor)

    def content(self, content: Any) -> _Parts:
        return self.class_("propositions", content) if isinstance(content, int) else self.relation(content)

    def relation(self, relation: Any) -> _Parts:
        link, kind = relation
        text, first, second = self.link("propositions", link)
        return f"{kind} ({text})", first, second

    def link(self, layer: str, link: Any) -> _Parts:
        if len(link) == 2:
            return self.both(self.class_(layer, link[0]), " → ", self.class_(layer, link[1]))
        side, start, end = link
        nodes = (self.alignment.second if side else self.alignment.first).nodes
        text = f"{_short(nodes[start].text)} → {_short(nodes[end].text)} (inside one unit of the other)"
        ids = [nodes[start].id, nodes[end].id]
        return (text, [], ids) if side else (text, ids, [])

    def class_(self, layer: Any, number: int) -> _Parts:
        first, second = self.alignment.ids(layer, number)
        graph, id_ = (self.alignment.first.graph, first[0]) if first else (self.alignment.second.graph, second[0])
        return _short(graph[id_].text), first, second

    @staticmethod
    def both(one: _Parts, between: str, other: _Parts) -> _Parts:
        return one[0] + between + other[0], one[1] + other[1], one[2] + other[2]


def _short(text: str, length: int = 60) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= length else f"“{line[: length - 1]}…”"
