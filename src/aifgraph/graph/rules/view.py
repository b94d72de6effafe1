"""What the rules look at: a graph's types and links, gone through once, so that validating costs less than loading."""

from __future__ import annotations

from functools import cached_property

from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.kinds import RELATIONS
from aifgraph.graph.meta import LocutionRecord
from aifgraph.graph.nodes import Node
from aifgraph.graph.schemes import letters

#: OVA3's enthymeme is a proposition that nobody said: the rules treat it as one.
ENTHYMEME = "EN"


def label_of(illocution: Node) -> str:
    """An illocution's label in letters only: its text, or its scheme's name where the text says nothing."""
    text = letters(illocution.text)
    if text in ("", "ya"):
        return letters(illocution.schemes[0].name or "") if illocution.schemes else ""
    return text


class View:
    """Types, predecessors and successors by id. ``kind["7"]`` is the AIF type, with EN counted as I."""

    def __init__(self, graph: ArgumentGraph) -> None:
        self.graph = graph
        self.kind: dict[str, str] = {}
        self.by_kind: dict[str, list[str]] = {}
        for node in graph:
            type_ = node.type
            kind = "I" if type_ == ENTHYMEME else type_
            self.kind[node.id] = kind
            self.by_kind.setdefault(kind, []).append(node.id)
        self.into: dict[str, list[str]] = {}
        self.out: dict[str, list[str]] = {}
        for edge in graph.edges:
            self.out.setdefault(edge.source, []).append(edge.target)
            self.into.setdefault(edge.target, []).append(edge.source)

    def of(self, *kinds: str) -> list[str]:
        """The ids of all nodes of these types, type by type."""
        return [id_ for kind in kinds for id_ in self.by_kind.get(kind, ())]

    def node(self, id_: str) -> Node:
        """The node itself."""
        return self.graph[id_]

    def starts(self, id_: str) -> list[str]:
        """What an S-node starts from. The illocution that anchors a relation leads to it, too, but is no premise, and
        a relation that leads to another (an undercut) is one only where there is no other; only locutions are the start
        of a transition."""
        kind = self.kind[id_]
        into = self.into.get(id_, [])
        if kind == "TA":
            return [each for each in into if self.kind[each] == "L"]
        if kind == "YA":
            return into
        premises = [each for each in into if self.kind[each] != "YA"]
        return [each for each in premises if self.kind[each] not in RELATIONS] or premises

    def ends(self, id_: str) -> list[str]:
        """What an S-node leads to; of a transition its locutions, not the illocutions anchored in it."""
        if self.kind[id_] == "TA":
            return [each for each in self.out.get(id_, ()) if self.kind[each] == "L"]
        return self.out.get(id_, [])

    def name(self, id_: str) -> str:
        """A node as messages call it: ``RA 12``."""
        return f"{self.graph[id_].type} {id_}"

    def names(self, ids: list[str]) -> str:
        """Several nodes as messages call them."""
        shown = [self.name(id_) for id_ in ids[:5]]
        more = len(ids) - len(shown)
        if more:
            shown.append(f"{more} more")
        return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all illocutions (see ``label_of``)."""
        return {id_: label_of(self.graph[id_]) for id_ in self.of("YA")}

    @cached_property
    def analysing(self) -> set[str]:
        """The illocutions of analysts: bookkeeping (who drew this), not speech."""
        return {id_ for id_, label in self.labels.items() if label == "analysing"}

    @cached_property
    def speech(self) -> list[str]:
        """The locutions that people made: all that are in a relation to anything, without those that only serve an
        analyst's Analysing."""
        found = []
        for id_ in self.of("L"):
            out = self.out.get(id_)
            if (out or id_ in self.into) and not (out and all(each in self.analysing for each in out)):
                found.append(id_)
        return found

    @cached_property
    def relations(self) -> list[str]:
        """RA-, CA-, MA- and PA-nodes."""
        return self.of(*RELATIONS)

    @cached_property
    def records(self) -> dict[str, list[LocutionRecord]]:
        """Locution records by node."""
        found: dict[str, list[LocutionRecord]] = {}
        for record in self.graph.meta.locutions:
            found.setdefault(record.node_id, []).append(record)
        return found
