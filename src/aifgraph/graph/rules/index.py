"""What the rules look at: a graph's types and links by node id, gone through once for all rules."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from aifgraph.entities import unescape
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import LocutionRecord, speaker_prefix
from aifgraph.graph.nodes import RELATIONS, Node
from aifgraph.graph.schemes import fold_name, label_of

#: OVA3's enthymeme is a proposition that nobody said: the rules treat it as one.
ENTHYMEME = "EN"
_NONE: list[str] = []

_TAG = re.compile(r"<[^<>]*>")

Pair = tuple[str, str]


class GraphIndex:
    """What a rule looks at: types, predecessors and successors by id. ``kind["7"]`` is the AIF type, EN counted as I.

    Args:
        graph: the graph that is checked.

    Attributes:
        graph: as given.
        kind: the AIF type of each node.
        by_kind: the ids of each type.
        out: the ids that a node leads to; nodes that lead to nothing are not in it.
        into: the ids that lead to a node; nodes that nothing leads to are not in it.
        pairs: the ids at the ends of edges, by the types at their ends.
    """

    def __init__(self, graph: ArgumentGraph) -> None:
        kinds: dict[str, str] = {}
        by_kind: defaultdict[str, list[str]] = defaultdict(list)
        into: defaultdict[str, list[str]] = defaultdict(list)
        out: defaultdict[str, list[str]] = defaultdict(list)
        pairs: defaultdict[Pair, list[Pair]] = defaultdict(list)
        for node in graph:
            kinds[node.id] = kind = node.kind or ("I" if node.type == ENTHYMEME else node.type)
            by_kind[kind].append(node.id)
        for source, target, _, _ in graph.edges:
            out[source].append(target)
            into[target].append(source)
            pairs[kinds[source], kinds[target]].append((source, target))
        self.graph, self.kind, self._nodes = graph, kinds, {node.id: node for node in graph}
        self.by_kind, self.into, self.out, self.pairs = dict(by_kind), dict(into), dict(out), dict(pairs)

    def of(self, *kinds: str) -> list[str]:
        """The ids of the nodes of some types (such as ``RA``), type by type."""
        return [id_ for kind in kinds for id_ in self.by_kind.get(kind, ())]

    def node(self, id_: str) -> Node:
        """The node of an id."""
        return self._nodes[id_]

    def text(self, id_: str) -> str:
        """The text of a node."""
        return self._nodes[id_].text

    # -- scheme nodes -----------------------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> dict[str, list[str]]:
        plain: dict[str, list[str]] = {}
        acting: dict[str, list[str]] = {}
        for (source, target), pairs in self.pairs.items():
            if target in RELATIONS:
                starts = None if source == "YA" else acting if source in RELATIONS else plain
            else:
                starts = plain if target == "YA" or (source, target) == ("L", "TA") else None
            if starts is not None:
                for start, end in pairs:
                    starts.setdefault(end, []).append(start)
        return acting | plain

    @cached_property
    def _ta_ends(self) -> dict[str, list[str]]:
        ends: dict[str, list[str]] = {}
        for source, target in self.pairs.get(("TA", "L"), ()):
            ends.setdefault(source, []).append(target)
        return ends

    def starts(self, id_: str) -> list[str]:
        """What an S-node starts from.

        The illocution that anchors a relation leads to it, too, but is no premise, and a relation that leads to another
        (an undercut) is one only where there is no other; only locutions are the start of a transition.
        """
        return self._starts.get(id_, _NONE)

    def ends(self, id_: str) -> list[str]:
        """What an S-node leads to; of a transition its locutions, not the illocutions anchored in it."""
        return (self._ta_ends if self.kind[id_] == "TA" else self.out).get(id_, _NONE)

    def several_starts(self, kind: str) -> list[tuple[str, list[str]]]:
        """The S-nodes of a type that start from more than one node, and these."""
        return [(id_, self.starts(id_)) for id_ in self.of(kind) if len(self.starts(id_)) > 1]

    def several_ends(self, kind: str) -> list[tuple[str, list[str]]]:
        """The S-nodes of a type that lead to more than one node, and these."""
        return [(id_, self.ends(id_)) for id_ in self.of(kind) if len(self.ends(id_)) > 1]

    def links(self, *kinds: str) -> list[tuple[str, str, str]]:
        """Each start of each S-node of some types with each of its ends: the S-node, the start and the end."""
        return [(id_, start, end) for id_ in self.of(*kinds) for start in self.starts(id_) for end in self.ends(id_)]

    # -- dialogue ---------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all illocutions as they are compared (``aifgraph.graph.schemes``: ``label_of``)."""
        return {id_: fold_name(label_of(self._nodes[id_])) for id_ in self.of("YA")}

    @cached_property
    def analysing(self) -> set[str]:
        """The illocutions of analysts: bookkeeping (who drew this), not speech."""
        return {id_ for id_, label in self.labels.items() if label == "analysing"}

    @cached_property
    def speech(self) -> list[str]:
        """The locutions that people made: all that are in a relation to anything, without those that only serve an
        analyst's Analysing."""
        return [
            id_
            for id_ in self.of("L")
            if (id_ in self.into or id_ in self.out)
            and (id_ not in self.out or not self.analysing.issuperset(self.out[id_]))
        ]

    @cached_property
    def speakers(self) -> dict[str, str]:
        """Who speaks, as the texts of ``speech`` say it in front; empty where they do not."""
        return {id_: speaker_prefix(self.text(id_)) for id_ in self.speech}

    @property
    def records(self) -> dict[str, list[LocutionRecord]]:
        """Locution records by node, those of nodes that are not there included."""
        return self.graph._records()

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
        """What each locution says itself."""
        says: dict[str, list[str]] = {}
        for locution, act in self.pairs.get(("L", "YA"), ()):
            if act not in self.analysing:
                says.setdefault(locution, []).extend(self.out.get(act, ()))
        return says

    def contents(self, *locutions: str) -> set[str]:
        """What locutions say; of reported speech also what is said in it."""
        contents: set[str] = set()
        speaking = list(locutions)
        while speaking:
            said = [content for locution in speaking for content in self._says.get(locution, ())]
            speaking = [content for content in said if content not in contents and self.kind[content] == "L"]
            contents.update(said)
        return contents

    @cached_property
    def source_text(self) -> str | None:
        """The source text without markup; None where there is none or nothing stands in it."""
        source = self.graph.meta.source
        if source is None or not source.text.strip():
            return None
        return source.text if source.spans is not None else unescape(_TAG.sub(" ", source.text))

    # -- messages ---------------------------------------------------------------------------------------------

    def name(self, id_: str) -> str:
        """A node as messages call it: its type and id (``RA 12``)."""
        return f"{self._nodes[id_].type} {id_}"

    def names(self, ids: Sequence[str]) -> str:
        """Several nodes as messages call them: the first five (``RA 12 and RA 13``), and how many more there are."""
        named = [self.name(id_) for id_ in ids[:5]]
        more = len(ids) - len(named)
        if more:
            named.append(f"{more} more")
        return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def cycles(after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected parts of more than one node, nodes and parts in the order of ``after``.

    >>> cycles({"1": ["2"], "2": ["3"], "3": ["2"]})
    [['2', '3']]
    """
    # Most maps have none: what nothing leads to is taken away, one node at a time.
    leading = Counter(chain.from_iterable(after.values()))
    free = [id_ for id_ in after if id_ not in leading]
    remaining = dict(after)
    while free:
        for end in remaining.pop(free.pop(), ()):
            leading[end] -= 1
            if not leading[end]:
                free.append(end)
    if not remaining:
        return []
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(remaining)
    graph.add_edges_from((start, end) for start, ends in remaining.items() for end in ends)
    order = {id_: place for place, id_ in enumerate(graph)}
    parts = [sorted(part, key=order.__getitem__) for part in networkx.strongly_connected_components(graph)]
    return sorted((part for part in parts if len(part) > 1), key=lambda part: order[part[0]])
