"""What of a graph takes part in a comparison, and in which role (docs/measures.md, section 0).

Nodes are numbers here, in file order; what an analyst's bookkeeping adds (Analysing, detached copies of locutions) and
nodes of other types are left out, and their edges with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from aifgraph.graph import ArgumentGraph
from aifgraph.graph.graph import cached_per_graph
from aifgraph.graph.nodes import Node
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.graph.side_data import said
from aifgraph.text.similarity import normalised
from aifgraph.text.words import words_of

_ANALYSING = "analysing"


class Utterances:
    """What propositions and locutions say, computed when it is first asked for and kept with the graph."""

    def __init__(self, nodes: Sequence[Node], propositions: list[int], locutions: list[int]) -> None:
        self._nodes, self._propositions, self._locutions = nodes, propositions, locutions

    @cached_property
    def texts(self) -> dict[int, str]:
        """The text of each, a locution's without the speaker."""
        return {index: said(self._nodes[index]) for index in (*self._locutions, *self._propositions)}

    @cached_property
    def normalised(self) -> dict[int, str]:
        """The said texts as they are compared."""
        # A proposition mostly has the text of its locution.
        known: dict[str, str] = {}
        by_index: dict[int, str] = {}
        for index, text in self.texts.items():
            plain = known.get(text)
            if plain is None:
                plain = known[text] = normalised(text)
            by_index[index] = plain
        return by_index


@dataclass(frozen=True)
class Analysis:
    """One side of a comparison.

    ``kinds[i]`` is the type of node ``i``, empty for a node that is left out; ``successors`` and ``predecessors`` hold
    numbers of nodes that take part. ``units`` are the nodes that segment the text: all locutions, and the propositions
    that nobody is seen to say; ``sayings`` are the locutions that say each of the others. ``label_names`` are the
    labels of illocutions as people read them, ``label_keys`` as they are compared.
    """

    graph: ArgumentGraph
    ids: Sequence[str] = field(repr=False)
    texts: Sequence[str] = field(repr=False)
    kinds: list[str] = field(repr=False)
    successors: list[list[int]] = field(repr=False)
    predecessors: list[list[int]] = field(repr=False)
    propositions: list[int]
    locutions: list[int]
    units: list[int]
    sayings: dict[int, list[int]] = field(repr=False)
    label_names: dict[int, str] = field(repr=False)
    label_keys: dict[int, str] = field(repr=False)
    utterances: Utterances = field(repr=False, compare=False)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the graph, by number."""
        return self.graph.nodes

    @cached_property
    def said(self) -> dict[int, str]:
        """What each proposition and locution says: its text, a locution's without the speaker."""
        return self.utterances.texts

    @cached_property
    def said_normalised(self) -> dict[int, str]:
        """The said texts as they are compared."""
        return self.utterances.normalised

    def said_words(self) -> Iterator[tuple[int, list[str]]]:
        """The units with their said words, which are not kept: they take more memory than all the rest."""
        said = self.said
        return ((index, words_of(said[index])) for index in self.units)

    @cached_property
    def has_words(self) -> bool:
        """Whether any unit has a word."""
        return any(words for _, words in self.said_words())

    def whole(self, node: int) -> str:
        """The whole text of a node, speaker included, as it is compared."""
        return normalised(self.texts[node])


#: All that an analysis holds but its graph: what the graph keeps must not lead back to it.
_Parts: TypeAlias = (
    "tuple[Sequence[str], Sequence[str], list[str], list[list[int]], list[list[int]], list[int], list[int], list[int], "
    "dict[int, list[int]], dict[int, str], dict[int, str], Utterances]"
)


def analyse(graph: ArgumentGraph) -> Analysis:
    """The part of a graph that CASS compares; what is found out is kept with the graph, and nobody may change it.

    >>> from aifgraph import loads
    >>> graph = loads('''{"nodes": [
    ...   {"nodeID": 1, "type": "L", "text": "Ann: yes"}, {"nodeID": 2, "type": "YA", "text": "Asserting"},
    ...   {"nodeID": 3, "type": "I", "text": "yes"}, {"nodeID": 4, "type": "L", "text": "Coder: Ann: yes"}],
    ...   "edges": [{"fromID": 1, "toID": 2}, {"fromID": 2, "toID": 3}]}''')
    >>> sides = analyse(graph)
    >>> [sides.nodes[index].text for index in sides.locutions], sides.units
    (['Ann: yes'], [0])
    """
    return Analysis(graph, *_parts(graph))


@cached_per_graph
def _parts(graph: ArgumentGraph) -> _Parts:
    nodes = graph.nodes
    number = {node.id: index for index, node in enumerate(nodes)}
    kinds = [node.kind for node in nodes]
    successors: list[list[int]] = [[] for _ in kinds]
    predecessors: list[list[int]] = [[] for _ in kinds]
    for source_id, target_id, _, _ in graph.edges:
        source, target = number[source_id], number[target_id]
        successors[source].append(target)
        predecessors[target].append(source)
    acts = [index for index, kind in enumerate(kinds) if kind == "YA"]
    label_names = {index: label_of(nodes[index]) for index in acts}
    label_keys = {index: fold_name(name) for index, name in label_names.items()}
    for index in _left_out(kinds, successors, predecessors, label_keys):
        kinds[index] = ""
        if successors[index] or predecessors[index]:
            for other in successors[index]:
                predecessors[other].remove(index)
            for other in predecessors[index]:
                successors[other].remove(index)
            successors[index], predecessors[index] = [], []
    propositions = [index for index, kind in enumerate(kinds) if kind == "I"]
    locutions = [index for index, kind in enumerate(kinds) if kind == "L"]
    said_by = _sayings(acts, kinds, successors, predecessors)
    sayings = {index: said_by[index] for index in propositions if index in said_by}
    units = locutions + [index for index in propositions if index not in said_by]
    texts = [node.text for node in nodes]
    utterances = Utterances(nodes, propositions, locutions)
    parts = kinds, successors, predecessors, propositions, locutions, units
    return (list(number), texts, *parts, sayings, label_names, label_keys, utterances)


def _left_out(
    kinds: list[str], successors: list[list[int]], predecessors: list[list[int]], label_keys: dict[int, str]
) -> list[int]:
    """Nodes of other types, the analyst's illocutions, and the locutions that serve only these or nothing."""
    others = [index for index, kind in enumerate(kinds) if not kind]
    analysing = {index for index, key in label_keys.items() if key == _ANALYSING}
    locutions = [index for index, kind in enumerate(kinds) if kind == "L"]
    bare = [index for index in locutions if not successors[index] and not predecessors[index]]
    copies = [index for index in locutions if successors[index] and analysing.issuperset(successors[index])]
    return [*others, *analysing, *copies, *(bare if len(bare) < len(locutions) else ())]


def _sayings(
    acts: list[int], kinds: list[str], successors: list[list[int]], predecessors: list[list[int]]
) -> dict[int, list[int]]:
    """The locutions that propositions are anchored in; those of the others that their transitions lead to."""
    direct: dict[int, list[int]] = {}
    through: dict[int, list[int]] = {}
    for act in acts:
        for content in successors[act]:
            if kinds[content] == "I":
                for anchor in predecessors[act]:
                    if kinds[anchor] == "L":
                        direct.setdefault(content, []).append(anchor)
                    elif kinds[anchor] == "TA" and (ends := [end for end in successors[anchor] if kinds[end] == "L"]):
                        through.setdefault(content, []).extend(ends)
    return {**through, **direct}
