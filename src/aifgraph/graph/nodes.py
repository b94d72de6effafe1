"""A node of an argument graph: one frozen class per AIF type; and the types, by the letters that files use.

``text`` is what a reader sees (HTML entities decoded); ``record`` is the entry of the file it came from, untouched, so
that unknown fields and the spelling of ids survive a round trip. Nodes made in code have an empty record.

>>> from aifgraph.graph import Inference, Proposition
>>> Proposition("1", "Masks help").type, Inference("2", "Default Inference").type
('I', 'RA')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias


class _Empty(Mapping[str, Any]):
    """A mapping without anything in it that, unlike a mapping proxy, can be hashed and sent to another process."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "{}"

    def __reduce__(self) -> str:
        return "EMPTY"


EMPTY: Final = _Empty()


def shortened(text: str, length: int) -> str:
    """A text for one line of a prompt: blanks and line breaks as one blank, cut to ``length`` characters.

    >>> shortened("Masks  help\\neverybody", 12)
    'Masks help …'
    """
    plain = " ".join(text.split())
    return plain if len(plain) <= length else f"{plain[: length - 1]}…"


class Scheme(NamedTuple):
    """A scheme that a node fulfils: its id in AIFdb's catalogue and its name, None where they are not known."""

    id: str | None
    name: str | None


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Node:
    """What all nodes have: an id that is unique in its graph, a text, the schemes that it fulfils, and its entry in the
    file that it came from (see the module)."""

    id: str
    text: str = ""
    schemes: tuple[Scheme, ...] = ()
    record: Mapping[str, Any] = field(default=EMPTY, compare=False, repr=False)

    kind: ClassVar[str] = ""

    def __init__(
        self, id: str, text: str = "", schemes: tuple[Scheme, ...] = (), record: Mapping[str, Any] = EMPTY
    ) -> None:
        """See the class."""
        # What dataclass makes of a frozen class takes twice the time, of thousands of nodes.
        _put_id(self, id)
        _put_text(self, text)
        _put_schemes(self, schemes)
        _put_record(self, record)

    @property
    def type(self) -> str:
        """The AIF type in upper case: ``I``, ``L``, ``RA`` …"""
        return self.kind

    @property
    def scheme(self) -> Scheme | None:
        """The first scheme that the node fulfils, None where it has none; ``schemes`` are all.

        >>> from aifgraph.graph import Inference, Scheme
        >>> Inference("2", "Default Inference", (Scheme("15", "ExpertOpinion"),)).scheme.name
        'ExpertOpinion'
        """
        return self.schemes[0] if self.schemes else None

    def __repr__(self) -> str:
        parts = [f"id={self.id!r}", f"text={shortened(self.text, 60)!r}"]
        parts += [f"schemes={self.schemes!r}"] if self.schemes else []
        parts += [] if self.kind else [f"type={self.type!r}"]
        return f"{type(self).__name__}({', '.join(parts)})"

    @property
    def timestamp(self) -> str | None:
        """When the node was stored, as its file says it (see ``aifgraph.graph.meta`` to read it)."""
        value = self.record.get("timestamp")
        return None if value is None else str(value)

    @property
    def extra(self) -> dict[str, Any]:
        """The fields of the file that AIF does not define."""
        return {key: value for key, value in self.record.items() if key not in NODE_FIELDS}


_put_id, _put_text, _put_schemes, _put_record = (
    Node.__dict__[name].__set__ for name in ("id", "text", "schemes", "record")
)

#: The fields that AIF defines: of nodes, of edges, of locution records and people.
NODE_FIELDS: Final = frozenset({"nodeID", "text", "type", "timestamp", "scheme", "schemeID"})
EDGE_FIELDS: Final = frozenset({"edgeID", "fromID", "toID", "formEdgeID"})
ENTRY_FIELDS: Final = frozenset(
    {"nodeID", "personID", "timestamp", "start", "end", "source", "participantID", "firstname", "surname"}
)


class Proposition(Node):
    """I: what is claimed, asked or assumed."""

    __slots__ = ()
    kind: ClassVar[str] = "I"


class Locution(Node):
    """L: what somebody said, when and where."""

    __slots__ = ()
    kind: ClassVar[str] = "L"


class SchemeNode(Node):
    """An application of a scheme: what joins other nodes."""

    __slots__ = ()


class Inference(SchemeNode):
    """RA: premises support a conclusion."""

    __slots__ = ()
    kind: ClassVar[str] = "RA"


class Conflict(SchemeNode):
    """CA: one thing speaks against another."""

    __slots__ = ()
    kind: ClassVar[str] = "CA"


class Rephrase(SchemeNode):
    """MA: one proposition restates another."""

    __slots__ = ()
    kind: ClassVar[str] = "MA"


class Preference(SchemeNode):
    """PA: one thing is preferred to another."""

    __slots__ = ()
    kind: ClassVar[str] = "PA"


class Illocution(SchemeNode):
    """YA: what is done by a locution or a transition (asserting, arguing, …)."""

    __slots__ = ()
    kind: ClassVar[str] = "YA"


class Transition(SchemeNode):
    """TA: which locution answers which."""

    __slots__ = ()
    kind: ClassVar[str] = "TA"


@dataclass(frozen=True, slots=True, repr=False)
class OtherNode(Node):
    """A node of a type that AIF does not define (OVA3's EN, for instance), ``other`` in upper case: kept, flagged, and
    outside every measure."""

    other: str = ""

    @property
    def type(self) -> str:
        return self.other


NODE_CLASSES: Final[Mapping[str, type[Node]]] = MappingProxyType(
    {
        cls.kind: cls
        for cls in (Proposition, Locution, Inference, Conflict, Rephrase, Preference, Illocution, Transition)
    }
)


#: Every type that AIF defines, in the order in which counts are shown.
KINDS: Final = tuple(NODE_CLASSES)
#: The types that relate propositions to each other.
RELATIONS: Final = ("RA", "CA", "MA", "PA")
#: The types of scheme nodes: relations, illocutions and transitions.
SCHEME_KINDS: Final = (*RELATIONS, "YA", "TA")
#: How people call them: ``proposition``, ``locution``, …
NAMES: Final = {kind: cls.__name__.lower() for kind, cls in NODE_CLASSES.items()}


def make_node(
    type_: str,
    id_: str,
    text: str = "",
    schemes: tuple[Scheme, ...] = (),
    record: Mapping[str, Any] = EMPTY,
) -> Node:
    """The node of the class that ``type_`` (in any case) calls for.

    >>> make_node("ra", "7").type
    'RA'
    >>> make_node("EN", "8")
    OtherNode(id='8', text='', type='EN')
    """
    cls = NODE_CLASSES.get(type_) or NODE_CLASSES.get(type_.upper())
    if cls is None:
        return OtherNode(id_, text, schemes, record, type_.upper())
    return cls(id_, text, schemes, record)


#: What the verbs of a graph take for a node: the node, its id, or its id as a number (``3`` for ``"3"``).
NodeLike: TypeAlias = Node | str | int


def node_id(node: NodeLike) -> str:
    """The id of a node, or an id as it is.

    >>> node_id(Proposition("7")), node_id(7)
    ('7', '7')
    """
    return node.id if isinstance(node, Node) else str(node)


class Edge(NamedTuple):
    """An edge between the nodes of two ids; its own id is None where the file gave it none. Two are equal if all but
    their records are; the record is empty where it says no more than the edge."""

    source: str
    target: str
    id: str | None = None
    # A named tuple, because a map of a thousand propositions has seven thousand edges, and it is made in half the time.
    record: Mapping[str, Any] = EMPTY

    def __eq__(self, other: object) -> bool:
        return self[:3] == other[:3] if isinstance(other, Edge) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:3])

    def __repr__(self) -> str:
        return f"Edge(source={self.source!r}, target={self.target!r}, id={self.id!r})"

    @property
    def form_edge_id(self) -> str | None:
        """The role in a scheme that the edge plays (AIFdb's ``formEdgeID``), hardly ever set."""
        value = self.record.get("formEdgeID")
        return None if value is None else str(value)
