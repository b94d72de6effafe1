"""Nodes and edges.

There is one class for each node type of AIF. Propositions (I) and locutions (L) hold what is claimed and what was said;
scheme nodes join them: inferences (RA), conflicts (CA), rephrases (MA), preferences (PA), illocutions (YA) and
transitions (TA). All are immutable; ``dataclasses.replace`` makes changed copies.

>>> from aifgraph.graph import Inference, Proposition
>>> Proposition("1", "Masks help").type, Inference("2", "Default Inference").type
('I', 'RA')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from aifgraph.errors import InputError, OptionError
from aifgraph.files import plain_json


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
        extra: further fields, which AIF does not define: a confidence, a role. They survive a round trip.
        kind: the AIF type of the class; empty for types that AIF does not define.
    """

    id: str
    text: str = ""
    schemes: tuple[Scheme, ...] = ()
    timestamp: str | None = field(default=None, compare=False, repr=False)
    extra: dict[str, Any] = field(default_factory=dict, hash=False, repr=False)
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
        """The first scheme, or None."""
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
    """YA: the act of a locution or a transition: asserting, arguing, …"""

    __slots__ = ()
    kind: ClassVar[str] = "YA"


class Transition(SchemeNode):
    """TA: one locution responds to another."""

    __slots__ = ()
    kind: ClassVar[str] = "TA"


@dataclass(frozen=True, slots=True)
class OtherNode(Node):
    """A node of a type that AIF does not define, such as OVA3's EN. It is kept, but no measure counts it."""

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

#: The name of a class of AIF's ontology, perhaps with its address: ``RA-node``, ``aif:RA-node``.
_CLASS_NAME: Final = re.compile(rf"(?:.*[#/:])?({'|'.join(KINDS)}|S)[-_ ]?NODE", re.DOTALL)

#: What methods accept for a node. Numbers are ids, too: ``3`` for ``"3"``.
NodeLike: TypeAlias = Node | str | int


def type_named(name: str) -> str:
    """Return a type in upper case, given in any case or by its class in AIF's ontology.

    >>> type_named("ra"), type_named("aif:RA-node"), type_named("EN")
    ('RA', 'RA', 'EN')
    """
    if name in NODE_CLASSES:
        return name
    named = _CLASS_NAME.fullmatch(name.upper())
    return named[1] if named else name.upper()


def make_node(
    type_: str,
    id_: str,
    text: str = "",
    schemes: tuple[Scheme, ...] = (),
    timestamp: str | None = None,
    extra: dict[str, Any] | None = None,
) -> Node:
    """Make a node of the class for a type, as :func:`type_named` knows it."""
    kind = type_named(type_)
    cls = NODE_CLASSES.get(kind)
    if cls is None:
        return OtherNode(id_, text, schemes, timestamp, extra or {}, kind)
    return cls(id_, text, schemes, timestamp, extra or {})


def check_text(value: object, what: str, where: str | None = None) -> str:
    """Return a text; anything else, such as the None and NaN of tables and of models, is an ``InputError``."""
    if not isinstance(value, str):
        raise InputError(f"{what} is {_shown(value)}, not a string", where=where)
    return str.__str__(value)  # of an enum its value


def _shown(value: object) -> str:
    return repr(value) if value is None or isinstance(value, float | int) else f"a {type(value).__name__}"


def check_id(value: object, what: str = "the id") -> str:
    """Return an id as a string: a text that is not empty, or a whole number."""
    if isinstance(value, str) and value:
        return str.__str__(value)
    if isinstance(value, bool | str) or not hasattr(value, "__index__"):
        shown = "empty" if value == "" else f"{_shown(value)}, neither a string nor a whole number"
        raise InputError(f"{what} is {shown}")
    return str(value)


def plain_fields(extra: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return further fields as the plain values that every format keeps; numpy's numbers become Python's.

    >>> plain_fields({"confidence": 0.9, "spans": [(0, 5)]})
    {'confidence': 0.9, 'spans': [[0, 5]]}
    """
    if extra is None:
        return {}
    if not isinstance(extra, Mapping) or not all(isinstance(key, str) for key in extra):
        raise InputError("further fields are not a mapping of names to values")
    no_numbers: list[str] = []
    try:
        fields: dict[str, Any] = plain_json(extra, no_numbers)
    except (OptionError, RecursionError) as error:
        raise InputError(f"fields that JSON cannot hold ({error}): {', '.join(extra)}"[:200]) from None
    if no_numbers:
        raise InputError(f"fields that JSON cannot hold ({no_numbers[0]}): {', '.join(extra)}"[:200])
    return fields


def node_id(node: NodeLike) -> str:
    """Return the id of a node; an id as a string."""
    return node.id if isinstance(node, Node) else str.__str__(node) if isinstance(node, str) else str(node)


class Edge(NamedTuple):
    """An edge between two nodes, given by their ids. Files may give it an id, and further fields."""

    source: str
    target: str
    id: str | None = None
    extra: dict[str, Any] | None = None

    def __hash__(self) -> int:
        return hash(self[:3])


class NewIds:
    """Ids that continue the first ones.

    >>> ids = NewIds(["a1", "a4", "root"])
    >>> ids.next(), ids.next()
    ('a5', 'a6')
    >>> NewIds(["10_3f9", "11_3f9"]).next(), NewIds([]).next()
    ('12_3f9', '1')
    """

    #: A number with what AIFdb, OVA3 and others put around it: ``12``, ``a12``, ``12_3f9``.
    _NUMBERED = re.compile(r"(\D*)(\d{1,18})(_\w*)?", re.ASCII)

    def __init__(self, ids: Iterable[str]) -> None:
        self._first = tuple(ids)
        self.taken = set(self._first)
        self._form = ("", "")
        self._last = 0

    def next(self) -> str:
        """Return an id that was not there before."""
        if not self._last:
            self._form, self._last = self._most_common_form()
        prefix, suffix = self._form
        self._last = next(number for number in count(self._last + 1) if f"{prefix}{number}{suffix}" not in self.taken)
        id_ = f"{prefix}{self._last}{suffix}"
        self.taken.add(id_)
        return id_

    def _most_common_form(self) -> tuple[tuple[str, str], int]:
        """Return what stands around the numbers of most ids, and the highest of these numbers."""
        matches = [match for id_ in self._first if (match := self._NUMBERED.fullmatch(id_))]
        forms = Counter((match[1], match[3] or "") for match in matches)
        form = max(forms, key=lambda form: (forms[form], form == ("", ""), form), default=("", ""))
        if 3 * forms[form] < len(self._first):
            form = ("", "")
        return form, max((int(match[2]) for match in matches if (match[1], match[3] or "") == form), default=0)
