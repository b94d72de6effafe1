"""What stands beside the graph: who spoke, when, the text it analyses, and whatever else its file held.

Nothing here takes part in the graph's structure, and nothing of it is lost on the way through the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from aifgraph.graph.nodes import EMPTY


@dataclass(frozen=True, slots=True)
class Participant:
    """A person: the id that locution records name, first name and surname."""

    id: str
    first_name: str = ""
    surname: str = ""
    record: Mapping[str, Any] = field(default=EMPTY, compare=False, repr=False)

    @property
    def name(self) -> str:
        """First name and surname, as far as they are known."""
        return f"{self.first_name} {self.surname}".strip()


@dataclass(frozen=True, slots=True)
class LocutionRecord:
    """Who made a locution and when; a node may have several. Times are as the file writes them."""

    node_id: str
    person_id: str | None = None
    start: str | None = None
    end: str | None = None
    source: str | None = None
    timestamp: str | None = None
    record: Mapping[str, Any] = field(default=EMPTY, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` to ``end`` (exclusive) of a plain text, marked for a node."""

    node_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text that a graph analyses.

    Without ``spans`` the text may be marked up, and its ``<span id=…>`` elements say where nodes are; with ``spans``
    (a converter that knows offsets) it is plain. ``origin`` is ``given`` for a text from outside the map's own file.
    """

    text: str
    origin: Literal["given", "embedded"] = field(default="embedded", compare=False)
    spans: tuple[Span, ...] | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a user should know: a stable ``code``, a ``message`` of one line, and the node ids it is about."""

    code: str
    message: str
    nodes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Leftover:
    """An entry of the file that is no part of the graph (a repeated node, a dangling edge), kept for the way back.

    ``section`` and ``index`` say where it stood: ``nodes[17]``, ``edges[3]``.
    """

    section: Literal["nodes", "edges"]
    index: int
    value: Mapping[str, Any]
    notice: Notice | None


@dataclass(frozen=True, slots=True)
class Meta:
    """Everything beside nodes and edges.

    ``form`` names the shape of the file (``aif``, ``xaif``, …); ``document`` holds the rest of its outermost object and
    ``aif`` the rest of the object that holds the nodes, for the way back.
    """

    participants: tuple[Participant, ...] = ()
    locutions: tuple[LocutionRecord, ...] = ()
    source: SourceText | None = None
    form: str = "aif"
    document: Mapping[str, Any] = field(default=EMPTY, repr=False)
    aif: Mapping[str, Any] = field(default=EMPTY, repr=False)
    leftovers: tuple[Leftover, ...] = field(default=(), repr=False)
    notices: tuple[Notice, ...] = ()
