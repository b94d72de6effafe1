"""What the rules look at: a graph's types and links, gone through once, so that validating costs less than loading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import LocutionRecord
from aifgraph.graph.nodes import RELATIONS, Edge, Node
from aifgraph.graph.schemes import letters

#: OVA3's enthymeme is a proposition that nobody said: the rules treat it as one.
ENTHYMEME = "EN"
_NONE: list[str] = []


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
        #: Edges by the types at their ends.
        self.between: dict[tuple[str, str], list[Edge]] = {}
        kind_of, into, out, between = self.kind, self.into, self.out, self.between
        for edge in graph.edges:
            source, target = edge.source, edge.target
            out.setdefault(source, []).append(target)
            into.setdefault(target, []).append(source)
            between.setdefault((kind_of[source], kind_of[target]), []).append(edge)
        self._contents: dict[str, set[str]] = {}
        self._starts = self._start_lists()
        self._ta_ends: dict[str, list[str]] = {}
        for edge in between.get(("TA", "L"), ()):
            self._ta_ends.setdefault(edge.source, []).append(edge.target)

    def _start_lists(self) -> dict[str, list[str]]:
        plain: dict[str, list[str]] = {}
        acting: dict[str, list[str]] = {}
        for (source, target), edges in self.between.items():
            if target in RELATIONS:
                found = None if source == "YA" else acting if source in RELATIONS else plain
            else:
                found = plain if target == "YA" or (source, target) == ("L", "TA") else None
            if found is not None:
                for edge in edges:
                    found.setdefault(edge.target, []).append(edge.source)
        return acting | plain

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
        return self._starts.get(id_, _NONE)

    def ends(self, id_: str) -> list[str]:
        """What an S-node leads to; of a transition its locutions, not the illocutions anchored in it."""
        ends = self._ta_ends if self.kind[id_] == "TA" else self.out
        return ends.get(id_, _NONE)

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

    def several_starts(self, kind: str) -> list[str]:
        """The S-nodes of a type that start from more than one node."""
        starts = self._starts
        return [id_ for id_ in self.by_kind.get(kind, ()) if len(starts.get(id_, _NONE)) > 1]

    def several_ends(self, kind: str) -> list[str]:
        """The S-nodes of a type that lead to more than one node."""
        ends = self._ta_ends if kind == "TA" else self.out
        return [id_ for id_ in self.by_kind.get(kind, ()) if len(ends.get(id_, _NONE)) > 1]

    def lacking(self, kind: str) -> list[str]:
        """The S-nodes of a type that lack what they start from or what they lead to."""
        starts, ends = self._starts, self._ta_ends if kind == "TA" else self.out
        return [id_ for id_ in self.by_kind.get(kind, ()) if id_ not in starts or id_ not in ends]

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all illocutions (see ``label_of``)."""
        known: dict[tuple[object, ...], str] = {}
        found: dict[str, str] = {}
        for id_ in self.of("YA"):
            node = self.graph[id_]
            key = (node.text, node.schemes)
            label = known.get(key)
            if label is None:
                label = known[key] = label_of(node)
            found[id_] = label
        return found

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

    def contents(self, locution: str) -> set[str]:
        """What a locution says; of reported speech also what is said in it."""
        if locution not in self._contents:
            found: set[str] = set()
            speaking = [locution]
            while speaking:
                said = [
                    end
                    for each in speaking
                    for act in self.out.get(each, ())
                    if self.kind[act] == "YA" and act not in self.analysing
                    for end in self.out.get(act, ())
                ]
                speaking = [each for each in said if each not in found and self.kind[each] == "L"]
                found.update(said)
            self._contents[locution] = found
        return self._contents[locution]


def cycles(after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected parts of more than one node, nodes and parts in the order of ``after``.

    >>> cycles({"1": ["2"], "2": ["3"], "3": ["2"]})
    [['2', '3']]
    """
    if not after:
        return []
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(after)
    graph.add_edges_from((start, end) for start, ends in after.items() for end in ends)
    order = {id_: place for place, id_ in enumerate(graph)}
    parts = [sorted(part, key=order.__getitem__) for part in networkx.strongly_connected_components(graph)]
    return sorted((part for part in parts if len(part) > 1), key=lambda part: order[part[0]])
