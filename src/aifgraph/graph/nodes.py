"""Nodes and edges.

There is one class for each node type of AIF. Propositions (I) and locutions (L) hold what is claimed and what was said;
scheme nodes join them: inferences (RA), conflicts (CA), rephrases (MA), preferences (PA), illocutions (YA) and
transitions (TA). All are immutable; ``dataclasses.replace`` makes changed copies.

>>> from aifgraph.graph import Inference, Proposition
>>> Proposition("1", "Masks help").type, Inference("2", "Default Inference").type
('I', 'RA')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias


class Scheme(NamedTuple):
    """An argumentation scheme: its id in AIFdb's catalogue and its name, each None where unknown."""

    id: str | None
    name: str | None


@dataclass(frozen=True, slots=True, init=False)
class Node:
    """A node of an argument graph.

    Attributes:
        id: unique in its graph.
        text: as readers see it, with HTML entities decoded.
        schemes: the schemes that the node fulfils.
        timestamp: when the node was stored, as the file has it.
        extra: fields of the file that AIF does not define. They survive a round trip.
        kind: the AIF type of the class; empty for types that AIF does not define.
    """

    id: str
    text: str = ""
    schemes: tuple[Scheme, ...] = ()
    timestamp: str | None = field(default=None, compare=False, repr=False)
    extra: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    kind: ClassVar[str] = ""

    def __init__(
        self,
        id: str,
        text: str = "",
        schemes: tuple[Scheme, ...] = (),
        timestamp: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        # What dataclass makes of a frozen class takes three times as long, for each node of a file.
        _set_id(self, id)
        _set_text(self, text)
        _set_schemes(self, schemes)
        _set_timestamp(self, timestamp)
        _set_extra(self, {} if extra is None else extra)

    @property
    def type(self) -> str:
        """The type in upper case: ``I``, ``L``, ``RA``, …"""
        return self.kind

    @property
    def scheme(self) -> Scheme | None:
        """The first scheme, or None.

        >>> Inference("2", "Default Inference", (Scheme("15", "ExpertOpinion"),)).scheme.name
        'ExpertOpinion'
        """
        return self.schemes[0] if self.schemes else None


_set_id, _set_text, _set_schemes, _set_timestamp, _set_extra = (
    Node.__dict__[name].__set__ for name in ("id", "text", "schemes", "timestamp", "extra")
)


class Proposition(Node):
    """I: what is claimed, asked or assumed."""

    __slots__ = ()
    kind: ClassVar[str] = "I"


class Locution(Node):
    """L: what somebody said."""

    __slots__ = ()
    kind: ClassVar[str] = "L"


class SchemeNode(Node):
    """A node that joins other nodes."""

    __slots__ = ()


class Inference(SchemeNode):
    """RA: premises support a conclusion."""

    __slots__ = ()
    kind: ClassVar[str] = "RA"


class Conflict(SchemeNode):
    """CA: one node speaks against another."""

    __slots__ = ()
    kind: ClassVar[str] = "CA"


class Rephrase(SchemeNode):
    """MA: one proposition restates another."""

    __slots__ = ()
    kind: ClassVar[str] = "MA"


class Preference(SchemeNode):
    """PA: one node is preferred to another."""

    __slots__ = ()
    kind: ClassVar[str] = "PA"


class Illocution(SchemeNode):
    """YA: what a locution or a transition does: asserting, arguing, …"""

    __slots__ = ()
    kind: ClassVar[str] = "YA"


class Transition(SchemeNode):
    """TA: one locution responds to another."""

    __slots__ = ()
    kind: ClassVar[str] = "TA"


@dataclass(frozen=True, slots=True)
class OtherNode(Node):
    """A node of a type that AIF does not define, such as OVA3's EN. It is kept, and takes part in no measure."""

    other_type: str = ""

    @property
    def type(self) -> str:
        return self.other_type


NODE_CLASSES: Final[dict[str, type[Node]]] = {
    cls.kind: cls for cls in (Proposition, Locution, Inference, Conflict, Rephrase, Preference, Illocution, Transition)
}
#: All types of AIF.
KINDS: Final = tuple(NODE_CLASSES)
#: The types that relate propositions.
RELATIONS: Final = ("RA", "CA", "MA", "PA")
#: The types of scheme nodes.
SCHEME_KINDS: Final = (*RELATIONS, "YA", "TA")
#: The English name of each type: ``proposition``, ``locution``, …
NAMES: Final = {kind: cls.__name__.lower() for kind, cls in NODE_CLASSES.items()}

#: What methods accept for a node. Numbers are ids, too: ``3`` for ``"3"``.
NodeLike: TypeAlias = Node | str | int


def make_node(
    type_: str,
    id_: str,
    text: str = "",
    schemes: tuple[Scheme, ...] = (),
    timestamp: str | None = None,
    extra: dict[str, Any] | None = None,
) -> Node:
    """Make a node of the class for a type, given in any case.

    >>> make_node("ra", "7").type, make_node("EN", "8").type
    ('RA', 'EN')
    """
    kind = type_.upper()
    cls = NODE_CLASSES.get(kind)
    if cls is None:
        return OtherNode(id_, text, schemes, timestamp, extra or {}, kind)
    return cls(id_, text, schemes, timestamp, extra or {})


def node_id(node: NodeLike) -> str:
    """Return the id of a node, or an id as it is.

    >>> node_id(Proposition("7")), node_id(7)
    ('7', '7')
    """
    return node.id if isinstance(node, Node) else str(node)


class Edge(NamedTuple):
    """An edge between two nodes, given by their ids. Files may give it an id, and further fields, which do not count
    where edges are compared."""

    source: str
    target: str
    id: str | None = None
    extra: dict[str, Any] | None = None

    def __eq__(self, other: object) -> bool:
        return self[:3] == other[:3] if isinstance(other, Edge) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:3])
