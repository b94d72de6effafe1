"""The items that calculations label: links between classes of nodes, undercuts and illocutions.

A class is the number that an alignment gives it. A link between two nodes of one class is *inner*: only the side of
these nodes can have it, so it is made of node numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from aifgraph.align.alignment import Alignment, NodeClass, NodeKind
from aifgraph.printable import shortened


class Link(NamedTuple):
    """An ordered pair of classes; both sides can have it."""

    start: int
    end: int


class InnerLink(NamedTuple):
    """An ordered pair of nodes in one class, on one side (0 or 1)."""

    side: int
    start: int
    end: int


class Relation(NamedTuple):
    """A link between propositions with the type of its S-node."""

    link: Link | InnerLink
    type: str


class Undercut(NamedTuple):
    """A proposition class that supports, attacks or rephrases a relation."""

    premise: int
    relation: Relation


class JointSupport(NamedTuple):
    """Two proposition classes (the smaller number first) that both support a third."""

    first: int
    second: int
    conclusion: int


#: Where an illocution is anchored: a locution class or a transition.
Anchor = int | Link | InnerLink
#: What an illocution leads to: a proposition class or a relation.
Content = int | Relation


class Act(NamedTuple):
    """An illocution: its content (None if it leads to nothing) and its anchor."""

    content: Content | None
    anchor: Anchor


Item: TypeAlias = "int | Link | InnerLink | Undercut | JointSupport | Act"
#: A scheme node (by number) gives a label to an item.
Claim: TypeAlias = "tuple[int, Item, str]"
LinkClaim: TypeAlias = "tuple[int, Link | InnerLink, str]"
UndercutClaim: TypeAlias = "tuple[int, Undercut, str]"
ActClaim: TypeAlias = "tuple[int, Act, str]"


class Part(NamedTuple):
    """A class that an item is made of; ``inner``: the item is a link inside this class."""

    nodes: NodeKind
    number: int
    inner: bool = False


@dataclass(frozen=True, slots=True)
class ItemInWords:
    """An item in words, with the ids of the nodes that it is made of on each side."""

    text: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"text": self.text, "first": list(self.first), "second": list(self.second)}


def parts(item: Item | Content, nodes: NodeKind, alignment: Alignment) -> Iterator[Part]:
    """Yield the classes that an item is made of, what it starts from first; bare numbers are classes of ``nodes``."""
    match item:
        case Act(content, anchor):
            if content is not None:
                yield from parts(content, "propositions", alignment)
            yield from parts(anchor, "locutions", alignment)
        case Undercut(premise, relation):
            yield Part("propositions", premise)
            yield from parts(relation, "propositions", alignment)
        case Relation(link):
            yield from parts(link, nodes, alignment)
        case InnerLink(side, start):
            matched = getattr(alignment, nodes)
            yield Part(nodes, (matched.second_class if side else matched.first_class)[start], inner=True)
        case int(number):
            yield Part(nodes, number)
        case _:  # links and joint supports are made of classes alone
            yield from (Part(nodes, number) for number in item)


def class_of(part: Part, alignment: Alignment) -> NodeClass:
    """Return the class of a part."""
    node_class: NodeClass = getattr(alignment, part.nodes).classes[part.number]
    return node_class


def describe(item: Item, nodes: NodeKind, alignment: Alignment) -> ItemInWords:
    """Put an item into words."""
    ids: tuple[dict[str, None], dict[str, None]] = ({}, {})
    sides = alignment.first, alignment.second

    def quoted(side: int, node: int) -> str:
        ids[side][sides[side].ids[node]] = None
        return f"“{shortened(sides[side].texts[node], 60)}”"

    def words(item: Item | Content, nodes: NodeKind) -> str:
        match item:
            case Act(content, anchor):
                what = "" if content is None else f"{words(content, 'propositions')} in "
                return what + words(anchor, "locutions")
            case Undercut(premise, relation):
                return f"{words(premise, nodes)} on {words(relation, nodes)}"
            case Relation(link, type_):
                return f"{type_} ({words(link, nodes)})"
            case JointSupport(first, second, conclusion):
                return f"{words(first, nodes)} and {words(second, nodes)} for {words(conclusion, nodes)}"
            case InnerLink(side, start, end):
                return f"{quoted(side, start)} → {quoted(side, end)} (inside one unit of the other)"
            case Link(start, end):
                return f"{words(start, nodes)} → {words(end, nodes)}"
            case int(number):
                node_class = class_of(Part(nodes, number), alignment)
                texts = [quoted(0, node) for node in node_class.first] + [quoted(1, node) for node in node_class.second]
                return texts[0]

    text = words(item, nodes)
    return ItemInWords(text, tuple(ids[0]), tuple(ids[1]))
