"""What the rules look at: a graph's types and links, gone through once, so that validating costs less than loading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from aifgraph.entities import unescape
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import LocutionRecord
from aifgraph.graph.nodes import RELATIONS, Edge, Node, Scheme
from aifgraph.graph.rules.numbers import Numbers

#: OVA3's enthymeme is a proposition that nobody said: the rules treat it as one.
ENTHYMEME = "EN"
_NONE: list[str] = []


_TAG = re.compile(r"<[^<>]*>")


class View:
    """What a rule looks at: types, predecessors and successors by id. ``kind["7"]`` is the AIF type, EN counted as I.

    All comes from the columns of the graph, each part when it is first asked for; a ``Node`` and an ``Edge`` are made
    where a rule asks for one.

    Args:
        graph: the graph that is checked.

    Attributes:
        graph: as given.
    """

    def __init__(self, graph: ArgumentGraph) -> None:
        self.graph = graph
        self._columns = columns = graph._as_columns()
        #: The types of the nodes in their order, EN among them.
        self.types: Sequence[str] = columns.kinds
        if "" in self.types:  # of a node whose type AIF does not define
            self.types = [node.type for node in graph]
        odd = ENTHYMEME in self.types
        self._kinds = ["I" if type_ == ENTHYMEME else type_ for type_ in self.types] if odd else self.types
        self._contents: dict[str, set[str]] = {}

    @cached_property
    def numbers(self) -> Numbers:
        """The same by the numbers of the nodes."""
        return Numbers(self._columns, self._kinds)

    @cached_property
    def kind(self) -> dict[str, str]:
        """The AIF types of all nodes."""
        return dict(zip(self._columns.ids, self._kinds, strict=True))

    @cached_property
    def by_kind(self) -> dict[str, list[str]]:
        """The nodes of each type."""
        ids = self._columns.ids
        return {kind: [ids[number] for number in numbers] for kind, numbers in self.numbers.by_kind.items()}

    @cached_property
    def into(self) -> dict[str, list[str]]:
        """What leads to a node; nodes that nothing leads to are not in it."""
        ids, found = self._columns.ids, dict[str, list[str]]()
        for start, end in self._columns.ends:
            found.setdefault(ids[end], []).append(ids[start])
        return found

    @cached_property
    def out(self) -> dict[str, list[str]]:
        """What a node leads to; nodes that lead to nothing are not in it."""
        ids, found = self._columns.ids, dict[str, list[str]]()
        for start, end in self._columns.ends:
            found.setdefault(ids[start], []).append(ids[end])
        return found

    @cached_property
    def pairs(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """The ids at the ends of edges, by the types at their ends."""
        ids = self._columns.ids
        pairs = self.numbers.pairs.items()
        return {kinds: [(ids[start], ids[end]) for start, end in numbers] for kinds, numbers in pairs}

    @cached_property
    def between(self) -> dict[tuple[str, str], list[Edge]]:
        """Edges by the types at their ends."""
        kind, found = self.kind, dict[tuple[str, str], list[Edge]]()
        for edge in self.graph.edges:
            found.setdefault((kind[edge.source], kind[edge.target]), []).append(edge)
        return found

    @cached_property
    def text(self) -> dict[str, str]:
        """The texts of all nodes."""
        return dict(zip(self._columns.ids, self._columns.texts, strict=True))

    @cached_property
    def schemes(self) -> dict[str, tuple[Scheme, ...]]:
        """The schemes of the nodes that have any."""
        ids = self._columns.ids
        return {ids[number]: schemes for number, schemes in self._columns.schemes.items()}

    @cached_property
    def _starts(self) -> dict[str, list[str]]:
        plain: dict[str, list[str]] = {}
        acting: dict[str, list[str]] = {}
        for (source, target), pairs in self.pairs.items():
            if target in RELATIONS:
                found = None if source == "YA" else acting if source in RELATIONS else plain
            else:
                found = plain if target == "YA" or (source, target) == ("L", "TA") else None
            if found is not None:
                for start, end in pairs:
                    found.setdefault(end, []).append(start)
        return acting | plain

    @cached_property
    def _ta_ends(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for source, target in self.pairs.get(("TA", "L"), ()):
            found.setdefault(source, []).append(target)
        return found

    def of(self, *kinds: str) -> list[str]:
        """The nodes of some types.

        Args:
            *kinds: the types, such as ``RA``.

        Returns:
            Their ids, type by type.
        """
        return [id_ for kind in kinds for id_ in self.by_kind.get(kind, ())]

    def node(self, id_: str) -> Node:
        """A node.

        Args:
            id_: its id.

        Returns:
            The node itself.
        """
        return self.graph[id_]

    def starts(self, id_: str) -> list[str]:
        """What an S-node starts from.

        The illocution that anchors a relation leads to it, too, but is no premise, and a relation that leads to another
        (an undercut) is one only where there is no other; only locutions are the start of a transition.

        Args:
            id_: the id of the S-node.

        Returns:
            The ids of what it starts from.
        """
        return self._starts.get(id_, _NONE)

    def ends(self, id_: str) -> list[str]:
        """What an S-node leads to; of a transition its locutions, not the illocutions anchored in it.

        Args:
            id_: the id of the S-node.

        Returns:
            The ids of what it leads to.
        """
        ends = self._ta_ends if self.kind[id_] == "TA" else self.out
        return ends.get(id_, _NONE)

    def name(self, id_: str) -> str:
        """A node as messages call it.

        Args:
            id_: its id.

        Returns:
            Its type and id (``RA 12``).
        """
        return f"{self._type[id_]} {id_}"

    def names(self, ids: list[str]) -> str:
        """Several nodes as messages call them.

        Args:
            ids: their ids.

        Returns:
            The first five (``RA 12 and RA 13``), and how many more there are.
        """
        shown = [self.name(id_) for id_ in ids[:5]]
        more = len(ids) - len(shown)
        if more:
            shown.append(f"{more} more")
        return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"

    @cached_property
    def _type(self) -> dict[str, str]:
        return dict(zip(self._columns.ids, self.types, strict=True))

    def several_starts(self, kind: str) -> list[str]:
        """The S-nodes of a type that start from more than one node.

        Args:
            kind: the type.

        Returns:
            Their ids.
        """
        starts = self._starts
        return [id_ for id_ in self.of(kind) if len(starts.get(id_, _NONE)) > 1]

    def several_ends(self, kind: str) -> list[str]:
        """The S-nodes of a type that lead to more than one node.

        Args:
            kind: the type.

        Returns:
            Their ids.
        """
        ends = self._ta_ends if kind == "TA" else self.out
        return [id_ for id_ in self.of(kind) if len(ends.get(id_, _NONE)) > 1]

    def lacking(self, kind: str) -> list[str]:
        """The S-nodes of a type that lack what they start from or what they lead to.

        Args:
            kind: the type.

        Returns:
            Their ids.
        """
        starts, ends = self._starts, self._ta_ends if kind == "TA" else self.out
        return [id_ for id_ in self.of(kind) if id_ not in starts or id_ not in ends]

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all illocutions (see ``label_of``)."""
        return dict(zip(self.of("YA"), self.numbers.labels, strict=True))

    @cached_property
    def analysing(self) -> set[str]:
        """The illocutions of analysts: bookkeeping (who drew this), not speech."""
        return {self._columns.ids[number] for number in self.numbers.analysing}

    @cached_property
    def speech(self) -> list[str]:
        """The locutions that people made: all that are in a relation to anything, without those that only serve an
        analyst's Analysing."""
        return [self._columns.ids[number] for number in self.numbers.speech]

    @cached_property
    def speakers(self) -> dict[str, str]:
        """Who speaks, as the texts of ``speech`` say it in front; empty where they do not."""
        return dict(zip(self.speech, self.numbers.speakers, strict=True))

    @cached_property
    def source_text(self) -> str | None:
        """The source text without markup; None where there is none or nothing stands in it."""
        source = self.graph.meta.source
        if source is None or not source.text.strip():
            return None
        return source.text if source.spans is not None else unescape(_TAG.sub(" ", source.text))

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
        """What a locution says; of reported speech also what is said in it.

        Args:
            locution: its id.

        Returns:
            The ids of what it says.
        """
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
