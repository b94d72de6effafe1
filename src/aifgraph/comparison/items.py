"""What calculations count: links between classes of nodes, and what is done where.

Classes are the numbers that an alignment gives them. Where both nodes of a link are in one class, only their own side
can have the link: it is *inner*, and is made of node numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from aifgraph.align.alignment import Alignment, NodeClass, NodeLayer
from aifgraph.printable import shortened


class Link(NamedTuple):
    """From one class to another, whichever side joins them."""

    start: int
    end: int


class InnerLink(NamedTuple):
    """Between two nodes of one class, on one side (0 or 1)."""

    side: int
    start: int
    end: int


class Relation(NamedTuple):
    """A link between propositions with the type of its S-node."""

    link: Link | InnerLink
    type: str


class Undercut(NamedTuple):
    """A proposition class that bears on a relation."""

    premise: int
    relation: Relation


class JointSupport(NamedTuple):
    """Two proposition classes (the smaller number first) that both support a third."""

    first: int
    second: int
    conclusion: int


#: Where something is done: a locution class, or a transition.
Anchor = int | Link | InnerLink
#: What is done there: a proposition class, or a relation.
Content = int | Relation


class Act(NamedTuple):
    """What is done and where; an illocution that leads to nothing has no content."""

    content: Content | None
    anchor: Anchor


Item: TypeAlias = "int | Link | InnerLink | Undercut | JointSupport | Act"
#: What a scheme node says: its number, the item, and the label that the node gives it.
Claim: TypeAlias = "tuple[int, Item, str]"
LinkClaim: TypeAlias = "tuple[int, Link | InnerLink, str]"
UndercutClaim: TypeAlias = "tuple[int, Undercut, str]"
ActClaim: TypeAlias = "tuple[int, Act, str]"


class Part(NamedTuple):
    """A class that an item is made of; ``inner``: the item tells nodes of the class apart, which one side does not."""

    nodes: NodeLayer
    number: int
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """An item in words, with the ids of the nodes that it is made of on each side."""

    text: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"text": self.text, "first": list(self.first), "second": list(self.second)}


def parts(item: Item | Content, nodes: NodeLayer, alignment: Alignment) -> Iterator[Part]:
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
            layer = getattr(alignment, nodes)
            yield Part(nodes, (layer.second_class if side else layer.first_class)[start], inner=True)
        case int(number):
            yield Part(nodes, number)
        case _:  # links and joint supports are made of classes alone
            yield from (Part(nodes, number) for number in item)


def class_of(part: Part, alignment: Alignment) -> NodeClass:
    """Return the class of a part."""
    node_class: NodeClass = getattr(alignment, part.nodes).classes[part.number]
    return node_class


def describe(item: Item, nodes: NodeLayer, alignment: Alignment) -> Described:
    """Put an item into words."""
    ids: tuple[dict[str, None], dict[str, None]] = ({}, {})
    sides = alignment.first, alignment.second

    def quoted(side: int, node: int) -> str:
        ids[side][sides[side].ids[node]] = None
        return f"“{shortened(sides[side].texts[node], _MAX_QUOTED)}”"

    def words(item: Item | Content, nodes: NodeLayer) -> str:
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
    return Described(text, tuple(ids[0]), tuple(ids[1]))


#: So many letters of a text are quoted.
_MAX_QUOTED = 60
