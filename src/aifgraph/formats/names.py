"""Ids in a format that is choosier than AIF: a node keeps its id where the format allows it, else gets another."""

from __future__ import annotations

from collections.abc import Callable

from aifgraph.formats.contents import Losses
from aifgraph.graph import Node


class NodeIds:
    """The ids that nodes get in a file, each once; what had to be renamed is counted as lost.

    ``allowed`` says whether a text can be an id of the format.
    """

    def __init__(self, losses: Losses, allowed: Callable[[str], bool]) -> None:
        self._losses = losses
        self._allowed = allowed
        self._names: dict[str, str] = {}
        # Other nodes' own ids are not given away, whether or not their turn has come.
        self._taken = {node.id for node in losses.graph if allowed(node.id)}
        self._next = 1

    def take(self, node: Node) -> str:
        """The id of a node in the file."""
        if node.id not in self._names:
            if self._allowed(node.id):
                self._names[node.id] = node.id
            else:
                initial = "c" if node.type != "I" else "a"
                self._names[node.id] = self.fresh(f"{initial}_")
                if "node ids" in self._losses.holds:
                    self._losses.lose("node ids")
        return self._names[node.id]

    def fresh(self, prefix: str, wanted: object = None) -> str:
        """A new id: the wanted one where it is free, else one that begins with ``prefix``."""
        if isinstance(wanted, str) and self._allowed(wanted) and wanted not in self._taken:
            self._taken.add(wanted)
            return wanted
        while f"{prefix}{self._next}" in self._taken:
            self._next += 1
        self._taken.add(f"{prefix}{self._next}")
        return f"{prefix}{self._next}"

    def reserve(self, name: str) -> None:
        """An id that stands in the file for something else than a node."""
        self._taken.add(name)

    def __getitem__(self, id_: str) -> str:
        return self._names[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._names
