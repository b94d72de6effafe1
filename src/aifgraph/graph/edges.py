"""An edge of an argument graph. It has no type of its own: what it means comes from the nodes at its ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aifgraph.graph.nodes import EMPTY


@dataclass(frozen=True, slots=True)
class Edge:
    """From one node to another, by id; ``id`` is the edge's own where the file gave it one."""

    source: str
    target: str
    id: str | None = None
    record: Mapping[str, Any] = field(default=EMPTY, compare=False, repr=False)

    @property
    def form_edge_id(self) -> str | None:
        """The role in a scheme that the edge plays (AIFdb's ``formEdgeID``), hardly ever set."""
        value = self.record.get("formEdgeID")
        return None if value is None else str(value)
