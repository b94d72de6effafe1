"""The part of a graph that a comparison uses (docs/measures.md, section 0).

Nodes are numbered here in the order of the file. Nodes of other types and the nodes of an analyst's bookkeeping
(Analysing, detached copies of locutions) are left out, with their edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aifgraph.graph import ArgumentGraph
from aifgraph.graph.content import cached_per_graph
from aifgraph.graph.nodes import Node
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.graph.side_data import said
from aifgraph.text.similarity import normalised


@dataclass(frozen=True)
class Analysis:
    """One side of a comparison.

    ``kinds[i]`` is the type of node ``i``, empty for a node that is left out; ``successors`` and ``predecessors`` hold
    numbers of nodes that take part. ``units`` segment the text: all locutions, and the propositions that no locution
    says. ``locutions_of`` maps each other proposition to the locutions that say it. ``label_names`` are the labels of
    illocutions as people read them, ``label_keys`` as they are compared.
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
    locutions_of: dict[int, list[int]] = field(repr=False)
    label_names: dict[int, str] = field(repr=False)
    label_keys: dict[int, str] = field(repr=False)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the graph, by number."""
        return self.graph.nodes

    @cached_property
    def said(self) -> dict[int, str]:
        """The said text of each proposition and locution: its text, for a locution without the speaker."""
        return _said(self.graph)

    @cached_property
    def said_normalised(self) -> dict[int, str]:
        """The said texts as they are compared."""
        return _said_normalised(self.graph)

    def whole(self, node: int) -> str:
        """Return the whole text of a node, speaker included, as it is compared."""
        return normalised(self.texts[node])


def analyse(graph: ArgumentGraph) -> Analysis:
    """Return the part of a graph that CASS compares; the result is cached with the graph.

    >>> from aifgraph import loads
    >>> graph = loads('''{"nodes": [
    ...   {"nodeID": 1, "type": "L", "text": "Ann: yes"}, {"nodeID": 2, "type": "YA", "text": "Asserting"},
    ...   {"nodeID": 3, "type": "I", "text": "yes"}, {"nodeID": 4, "type": "L", "text": "Coder: Ann: yes"}],
    ...   "edges": [{"fromID": 1, "toID": 2}, {"fromID": 2, "toID": 3}]}''')
    >>> analysis = analyse(graph)
    >>> [analysis.nodes[number].text for number in analysis.locutions], analysis.units
    (['Ann: yes'], [0])
    """
    # What the graph keeps must not lead back to it.
    return Analysis(graph, *_parts(graph))


@cached_per_graph
def _parts(graph: ArgumentGraph) -> tuple[Any, ...]:
    """Return the fields of an analysis but the graph."""
    nodes = graph.nodes
    number_of = {node.id: number for number, node in enumerate(nodes)}
    kinds = [node.kind for node in nodes]
    successors: list[list[int]] = [[] for _ in kinds]
    predecessors: list[list[int]] = [[] for _ in kinds]
    for source_id, target_id, _, _ in graph.edges:
        source, target = number_of[source_id], number_of[target_id]
        successors[source].append(target)
        predecessors[target].append(source)
    label_names = {number: label_of(nodes[number]) for number, kind in enumerate(kinds) if kind == "YA"}
    label_keys = {number: fold_name(name) for number, name in label_names.items()}
    for number in _left_out(kinds, successors, predecessors, label_keys):
        kinds[number] = ""
        for target in successors[number]:
            predecessors[target].remove(number)
        for source in predecessors[number]:
            successors[source].remove(number)
        successors[number], predecessors[number] = [], []
    propositions = [number for number, kind in enumerate(kinds) if kind == "I"]
    locutions = [number for number, kind in enumerate(kinds) if kind == "L"]
    anchors = _anchors(label_names, kinds, successors, predecessors)
    locutions_of = {number: anchors[number] for number in propositions if number in anchors}
    units = locutions + [number for number in propositions if number not in locutions_of]
    roles = propositions, locutions, units, locutions_of, label_names, label_keys
    return list(number_of), [node.text for node in nodes], kinds, successors, predecessors, *roles


@cached_per_graph
def _said(graph: ArgumentGraph) -> dict[int, str]:
    analysis, nodes = analyse(graph), graph.nodes
    return {number: said(nodes[number]) for number in (*analysis.locutions, *analysis.propositions)}


@cached_per_graph
def _said_normalised(graph: ArgumentGraph) -> dict[int, str]:
    texts = _said(graph)
    compared = {text: normalised(text) for text in dict.fromkeys(texts.values())}
    return {number: compared[text] for number, text in texts.items()}


def _left_out(
    kinds: list[str], successors: list[list[int]], predecessors: list[list[int]], label_keys: dict[int, str]
) -> list[int]:
    """Return the nodes that a comparison ignores (docs/measures.md, section 0)."""
    others = [number for number, kind in enumerate(kinds) if not kind]
    analysing = {number for number, key in label_keys.items() if key == "analysing"}
    locutions = [number for number, kind in enumerate(kinds) if kind == "L"]
    bare = [number for number in locutions if not successors[number] and not predecessors[number]]
    # Isolated locutions are an analyst's, unless all are isolated.
    copies = [number for number in locutions if successors[number] and analysing.issuperset(successors[number])]
    return [*others, *analysing, *copies, *(bare if len(bare) < len(locutions) else ())]


def _anchors(
    acts: dict[int, str], kinds: list[str], successors: list[list[int]], predecessors: list[list[int]]
) -> dict[int, list[int]]:
    """Return the locutions that propositions are anchored in; for the others those that their transitions lead to."""
    direct: dict[int, list[int]] = {}
    through: dict[int, list[int]] = {}
    for act in acts:
        for content in successors[act]:
            for anchor in predecessors[act] if kinds[content] == "I" else ():
                if kinds[anchor] == "L":
                    direct.setdefault(content, []).append(anchor)
                elif kinds[anchor] == "TA" and (ends := [end for end in successors[anchor] if kinds[end] == "L"]):
                    through.setdefault(content, []).extend(ends)
    return {**through, **direct}
