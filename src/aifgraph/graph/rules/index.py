"""What the rules look at: types and links of a graph by node id, found once for all rules; and the table of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Final

from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.graph.side_data import LocutionRecord, speaker_prefix
from aifgraph.printable import enumerated

#: OVA3's enthymeme is a proposition that nobody said: the rules treat it as one.
ENTHYMEME: Final = "EN"

#: The letters of codes, and what they stand for.
LEVELS: Final = {"E": "error", "W": "warning", "N": "note"}
#: Which rules hold how much: plain AIF, Inference Anchoring Theory (everything), xAIF (under-specified on purpose).
PROFILES: Final = ("aif", "iat", "xaif")

#: What a rule finds: a message and the ids of the nodes that it names.
Hit = tuple[str, tuple[str, ...]]


class GraphIndex:
    """The AIF types and the links of a graph.

    ``kind`` is the AIF type of each node by id (EN counts as I), and ``by_kind`` has the ids of each type. ``out`` has
    the ids that a node leads to, and ``into`` those that lead to it, where there are any. ``pairs`` has the ids at the
    ends of edges, by the types there.
    """

    def __init__(self, graph: ArgumentGraph) -> None:
        self.graph = graph
        self.kind = {node.id: "I" if node.type == ENTHYMEME else node.type for node in graph.nodes}
        self.by_kind: dict[str, list[str]] = {}
        ids, neighbours = graph._columns.ids, graph._columns.neighbours
        self.out, self.into = (
            {id_: [ids[end] for end in ends] for id_, ends in zip(ids, of, strict=True) if ends} for of in neighbours
        )
        self.pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for id_, kind in self.kind.items():
            self.by_kind.setdefault(kind, []).append(id_)
        for source, target, _, _ in graph.edges:
            self.pairs.setdefault((self.kind[source], self.kind[target]), []).append((source, target))

    def of(self, *kinds: str) -> list[str]:
        """Return the ids of the nodes of some types, type by type."""
        return [id_ for kind in kinds for id_ in self.by_kind.get(kind, ())]

    def text(self, id_: str) -> str:
        return self.graph[id_].text

    # -- scheme nodes -------------------------------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> dict[str, list[str]]:
        premises = {id_: [node.id for node in self.graph.premises_of(id_)] for id_ in self.of(*RELATIONS)}
        return self.into | premises | self._locutions(self.into)

    @cached_property
    def _ends(self) -> dict[str, list[str]]:
        return self.out | self._locutions(self.out)

    def _locutions(self, neighbours: dict[str, list[str]]) -> dict[str, list[str]]:
        """Return the locutions among the neighbours of each transition."""
        return {id_: [end for end in neighbours.get(id_, ()) if self.kind[end] == "L"] for id_ in self.of("TA")}

    def starts(self, id_: str) -> list[str]:
        """Return what an S-node starts from: the premises of a relation, and only locutions of a transition."""
        return self._starts.get(id_, [])

    def ends(self, id_: str) -> list[str]:
        """Return what an S-node leads to: of a transition its locutions, not the illocutions anchored in it."""
        return self._ends.get(id_, [])

    def links(self, *kinds: str) -> list[tuple[str, str, str]]:
        """Return each S-node of some types with each of its starts and each of its ends."""
        return [(id_, start, end) for id_ in self.of(*kinds) for start in self.starts(id_) for end in self.ends(id_)]

    # -- dialogue -----------------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all illocutions as they are compared."""
        return {id_: fold_name(label_of(self.graph[id_])) for id_ in self.of("YA")}

    @cached_property
    def analysing(self) -> set[str]:
        """The illocutions of analysts, which say who drew the map."""
        return {id_ for id_, label in self.labels.items() if label == "analysing"}

    @cached_property
    def speech(self) -> list[str]:
        """The locutions that have an edge, without those that lead to nothing but an analyst's illocution."""
        linked = [id_ for id_ in self.of("L") if id_ in self.into or id_ in self.out]
        return [id_ for id_ in linked if id_ not in self.out or not self.analysing.issuperset(self.out[id_])]

    @cached_property
    def speakers(self) -> dict[str, str]:
        """The names that the texts of ``speech`` begin with; empty where there is none."""
        return {id_: speaker_prefix(self.text(id_)) for id_ in self.speech}

    @property
    def records(self) -> dict[str, list[LocutionRecord]]:
        """Locution records by node, those of unknown nodes included."""
        return self.graph._records

    @cached_property
    def acts(self) -> list[tuple[str, str, frozenset[str], str]]:
        """Each illocution with each of its contents: its id, its label, the types of its anchors, the content."""
        acts = []
        for id_, label in self.labels.items():
            anchors = frozenset([self.kind[anchor] for anchor in self.starts(id_)])
            acts += [(id_, label, anchors, end) for end in self.ends(id_)]
        return acts

    @cached_property
    def _says(self) -> dict[str, list[str]]:
        says: dict[str, list[str]] = {}
        for locution, act in self.pairs.get(("L", "YA"), ()):
            if act not in self.analysing:
                says.setdefault(locution, []).extend(self.out.get(act, ()))
        return says

    def contents(self, *locutions: str) -> set[str]:
        """Return what locutions say; of reported speech also what is said in it."""
        contents: set[str] = set()
        speaking = list(locutions)
        while speaking:
            said = [content for locution in speaking for content in self._says.get(locution, ())]
            speaking = [content for content in said if content not in contents and self.kind[content] == "L"]
            contents.update(said)
        return contents

    # -- messages -----------------------------------------------------------------------------------------------------

    def name(self, id_: str) -> str:
        """Return type and id of a node: ``RA 12``."""
        return f"{self.graph[id_].type} {id_}"

    def names(self, ids: Sequence[str]) -> str:
        """Return types and ids of the first five nodes, and how many more there are: ``RA 12 and RA 13``."""
        return enumerated([*map(self.name, ids[:5]), *([f"{len(ids) - 5} more"] if len(ids) > 5 else [])])


# -- rules ------------------------------------------------------------------------------------------------------------

Check = Callable[[GraphIndex], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: what it says, its source in the literature, and its level by profile, where the profile asks it."""

    number: int
    name: str
    levels: dict[str, str]
    source: str
    text: str
    check: Check


RULES: Final[dict[int, Rule]] = {}


def rule(number: int, levels: str, source: str, name: str = "", text: str = "") -> Callable[[Check], Check]:
    """Make a function a rule; without a name and a text of its own, it has those of the function.

    ``levels`` are the letters of its levels in the profiles, in their order, ``-`` where it is not asked.
    """

    def add(check: Check) -> Check:
        by_profile = {profile: level for profile, level in zip(PROFILES, levels, strict=True) if level in LEVELS}
        own_name = name or getattr(check, "__name__", "").replace("_", "-")
        says = " ".join((text or check.__doc__ or "").split())
        RULES[number] = Rule(number, own_name, by_profile, source, says, check)
        return check

    return add


def cycles(links: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the strongly connected parts of more than one node; nodes and parts in the order in which links start.

    >>> cycles([("1", "2"), ("2", "3"), ("3", "2")])
    [['2', '3']]
    """
    links = [(start, end) for start, end in links if start != end]
    before: dict[str, list[str]] = {}
    for start, end in links:
        before.setdefault(end, []).append(start)
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        import networkx  # slow to import, and most maps have no cycle

        order = {id_: place for place, id_ in enumerate(dict.fromkeys(start for start, _ in links))}
        graph: networkx.DiGraph[str] = networkx.DiGraph(links)
        parts = (part for part in networkx.strongly_connected_components(graph) if len(part) > 1)
        return sorted((sorted(part, key=order.__getitem__) for part in parts), key=lambda part: order[part[0]])
    return []
