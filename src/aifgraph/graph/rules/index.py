"""What the rules look at: types and links of a graph by node id, found once for all rules; and the table of rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Final, TypeVar

from aifgraph.errors import LimitError
from aifgraph.graph.columns import MAX_ITEMS, check_products
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.graph.side_data import speaker_prefix
from aifgraph.printable import enumerated

T = TypeVar("T", bound=Hashable)
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

    ``types`` has the AIF type of each node by id (EN counts as I), and ``ids`` those of each type. ``out`` has the ids
    that a node leads to, and ``into`` those that lead to it, where there are any. ``pairs`` has the ids at the ends of
    edges, by the types there.
    """

    def __init__(self, graph: ArgumentGraph) -> None:
        self.graph = graph
        self.types = {node.id: "I" if node.type == ENTHYMEME else node.type for node in graph.nodes}
        self.ids: defaultdict[str, list[str]] = defaultdict(list)
        for id_, type_ in self.types.items():
            self.ids[type_].append(id_)
        ids, neighbours = graph._columns.ids, graph._columns.neighbours
        self.out, self.into = (
            {id_: [ids[end] for end in ends] for id_, ends in zip(ids, lists, strict=True) if ends}
            for lists in neighbours
        )
        self._contents: dict[str, set[str]] = {}
        self._number_of_contents = 0
        self.pairs: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for source, target, _, _ in graph.edges:
            self.pairs[self.types[source], self.types[target]].append((source, target))

    def of_type(self, *types: str) -> list[str]:
        """Return the ids of the nodes of some types, type by type."""
        return [id_ for type_ in types for id_ in self.ids.get(type_, ())]

    def alone(self, type_: str) -> list[str]:
        """Return the ids of the nodes of a type that no edge joins to anything."""
        return [id_ for id_ in self.of_type(type_) if id_ not in self.into and id_ not in self.out]

    def text(self, id_: str) -> str:
        return self.graph[id_].text

    # -- scheme nodes -------------------------------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> dict[str, list[str]]:
        premises = {id_: [node.id for node in self.graph.premises_of(id_)] for id_ in self.of_type(*RELATIONS)}
        return self.into | premises | self._locutions(self.into)

    @cached_property
    def _ends(self) -> dict[str, list[str]]:
        return self.out | self._locutions(self.out)

    def _locutions(self, neighbours: dict[str, list[str]]) -> dict[str, list[str]]:
        return {id_: [end for end in neighbours.get(id_, ()) if self.types[end] == "L"] for id_ in self.of_type("TA")}

    def starts(self, id_: str) -> list[str]:
        """Return what an S-node starts from: the premises of a relation, and only locutions of a transition."""
        return self._starts.get(id_, [])

    def ends(self, id_: str) -> list[str]:
        """Return what an S-node leads to: of a transition its locutions, not the illocutions anchored in it."""
        return self._ends.get(id_, [])

    def links(self, *types: str, among: Container[str] | None = None) -> list[tuple[str, str, str]]:
        """Return each S-node of some types with each of its starts and each of its ends, all or those among some."""
        joined = [(id_, self.starts(id_), self.ends(id_)) for id_ in self.of_type(*types)]
        if among is not None:
            joined = [
                (id_, [*filter(among.__contains__, starts)], [*filter(among.__contains__, ends)])
                for id_, starts, ends in joined
            ]
        check_products(self.graph.name, ((len(starts), len(ends)) for _, starts, ends in joined))
        return [(id_, start, end) for id_, starts, ends in joined for start in starts for end in ends]

    def cycles(self, type_: str) -> list[list[str]]:
        """Return the circles that S-nodes of a type make of what they join: see ``cycles``."""
        links: list[tuple[str | int, str | int]] = []
        for id_ in self.of_type(type_):
            starts, ends = self.starts(id_), self.ends(id_)
            if len(starts) > 1 < len(ends):  # by way of a node between, so that links are no more than edges
                between = len(links)
                links += [*((start, between) for start in starts), *((between, end) for end in ends)]
            else:
                links += [(start, end) for start in starts for end in ends]
        circles = ([id_ for id_ in circle if isinstance(id_, str)] for circle in cycles(links))
        return [circle for circle in circles if len(circle) > 1]

    # -- dialogue -----------------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all illocutions as they are compared."""
        return {id_: fold_name(label_of(self.graph[id_])) for id_ in self.of_type("YA")}

    @cached_property
    def analysing(self) -> set[str]:
        """The illocutions of analysts, which say who drew the map."""
        return {id_ for id_, label in self.labels.items() if label == "analysing"}

    @cached_property
    def speech(self) -> list[str]:
        """The locutions that have an edge, without those that lead to nothing but an analyst's illocution."""
        linked = [id_ for id_ in self.of_type("L") if id_ in self.into or id_ in self.out]
        return [id_ for id_ in linked if id_ not in self.out or not self.analysing.issuperset(self.out[id_])]

    @cached_property
    def speakers(self) -> dict[str, str]:
        """The names that the texts of ``speech`` begin with; empty where there is none."""
        return {id_: speaker_prefix(self.text(id_)) for id_ in self.speech}

    @cached_property
    def acts(self) -> list[tuple[str, str, frozenset[str], str]]:
        """Each illocution with each of its contents: its id, its label, the types of its anchors, the content."""
        return [
            (id_, label, frozenset([self.types[anchor] for anchor in self.starts(id_)]), end)
            for id_, label in self.labels.items()
            for end in self.ends(id_)
        ]

    @cached_property
    def _says(self) -> dict[str, list[str]]:
        says = defaultdict[str, list[str]](list)
        for locution, act in self.pairs["L", "YA"]:
            if act not in self.analysing:
                says[locution] += self.out.get(act, ())
        return says

    def contents(self, locution: str) -> set[str]:
        """Return what a locution says; of reported speech also what is said in it."""
        if locution not in self._contents:
            contents: set[str] = set()
            speaking = [locution]
            while speaking:
                said = [content for speaker in speaking for content in self._says.get(speaker, ())]
                speaking = [content for content in said if content not in contents and self.types[content] == "L"]
                contents.update(said)
            self._contents[locution] = contents
            self._number_of_contents += len(contents)
            if self._number_of_contents > MAX_ITEMS + len(self.types):
                raise LimitError(f"more than {MAX_ITEMS} contents of reported speech", where=self.graph.name or None)
        return self._contents[locution]

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


def cycles(links: Iterable[tuple[T, T]]) -> list[list[T]]:
    """Return the strongly connected parts of more than one node; nodes and parts in the order in which links start.

    >>> cycles([("1", "2"), ("2", "3"), ("3", "2")])
    [['2', '3']]
    """
    links = [(start, end) for start, end in links if start != end]
    before = defaultdict[T, list[T]](list)
    for start, end in links:
        before[end].append(start)
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        import networkx  # slow to import, and most maps have no cycle

        order = {id_: number for number, id_ in enumerate(dict.fromkeys(start for start, _ in links))}
        graph: networkx.DiGraph[T] = networkx.DiGraph(links)
        parts = (part for part in networkx.strongly_connected_components(graph) if len(part) > 1)
        return sorted((sorted(part, key=order.__getitem__) for part in parts), key=lambda part: order[part[0]])
    return []


def spellings(texts: Mapping[str, str], fold: Callable[[str], str]) -> Iterator[dict[str, str]]:
    """Yield texts that are the same when folded, where there are several, each with the first id that has it."""
    folded = defaultdict[str, dict[str, str]](dict)
    for id_, text in texts.items():
        folded[fold(text)].setdefault(text, id_)
    return (ids for plain, ids in folded.items() if plain and len(ids) > 1)
