"""The part of a graph that a comparison uses (docs/measures.md, section 0), and what surrounds each node (section 3).

Nodes are numbered here in the order of the file. Nodes of other types and the nodes of an analyst's bookkeeping
(Analysing, detached copies of locutions) are left out, with their edges. What concerns both sides comes as a pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import Any, Final, TypeAlias, TypeVar

from aifgraph.graph import ArgumentGraph
from aifgraph.graph.columns import cached_per_graph
from aifgraph.graph.nodes import KINDS, Node, Scheme
from aifgraph.graph.schemes import fold_name, label_of_text
from aifgraph.graph.side_data import without_speaker
from aifgraph.text.similarity import normalised

T = TypeVar("T")
#: The first side's and the second side's.
Pair: TypeAlias = tuple[T, T]


@dataclass(frozen=True)
class Analysis:
    """One side of a comparison.

    ``kinds[i]`` is the type of node ``i``, empty for a node that is left out; ``by_kind`` has the numbers of the others
    by type, and ``successors`` and ``predecessors`` are among these. ``units`` segment the text: all locutions, and the
    propositions that no locution says. ``locutions_of`` maps each other proposition to the locutions that say it.
    ``label_names`` are the labels of illocutions as people read them, ``label_keys`` as they are compared.
    """

    graph: ArgumentGraph
    ids: Sequence[str] = field(repr=False)
    texts: Sequence[str] = field(repr=False)
    kinds: list[str] = field(repr=False)
    by_kind: dict[str, list[int]] = field(repr=False)
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

    def schemes(self, node: int) -> Sequence[Scheme]:
        return self.graph._columns.schemes.get(node, ())

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
    columns = graph._columns
    kinds, texts, schemes = columns.kinds, columns.texts, columns.schemes
    successors, predecessors = columns.neighbours
    by_kind: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for number, kind in enumerate(kinds):
        by_kind.setdefault(kind, []).append(number)
    left_out = by_kind.pop("", [])
    acts = by_kind["YA"]
    # Acts are many, and labels are few.
    labelled = list(zip(map(texts.__getitem__, acts), map(schemes.get, acts, repeat(())), strict=True))
    names = {text_and_schemes: label_of_text(*text_and_schemes) for text_and_schemes in {*labelled}}
    keys = {name: fold_name(name) for name in names.values()}
    label_names = dict(zip(acts, map(names.__getitem__, labelled), strict=True))
    label_keys = dict(zip(acts, map(keys.__getitem__, label_names.values()), strict=True))
    if out := {*left_out, *_bookkeeping(by_kind["L"], successors, predecessors, label_keys)}:
        kinds = ["" if number in out else kind for number, kind in enumerate(kinds)]
        by_kind = {kind: [number for number in numbers if number not in out] for kind, numbers in by_kind.items()}
        successors, predecessors = (
            [[] if number in out else [end for end in ends if end not in out] for number, ends in enumerate(neighbours)]
            for neighbours in (successors, predecessors)
        )
    propositions, locutions = by_kind["I"], by_kind["L"]
    anchors = _anchors(label_names, kinds, successors, predecessors)
    locutions_of = {number: anchors[number] for number in propositions if number in anchors}
    units = locutions + [number for number in propositions if number not in locutions_of]
    roles = propositions, locutions, units, locutions_of, label_names, label_keys
    return columns.ids, texts, kinds, by_kind, successors, predecessors, *roles


@cached_per_graph
def _said(graph: ArgumentGraph) -> dict[int, str]:
    analysis, texts = analyse(graph), graph._columns.texts
    spoken = {number: without_speaker(texts[number]) for number in analysis.locutions}
    return spoken | {number: texts[number].strip() for number in analysis.propositions}


@cached_per_graph
def _said_normalised(graph: ArgumentGraph) -> dict[int, str]:
    texts = _said(graph)
    compared = {text: normalised(text) for text in dict.fromkeys(texts.values())}
    return {number: compared[text] for number, text in texts.items()}


def _bookkeeping(
    locutions: list[int], successors: list[list[int]], predecessors: list[list[int]], label_keys: dict[int, str]
) -> set[int]:
    """Return the nodes of an analyst's bookkeeping, which a comparison ignores (docs/measures.md, section 0)."""
    analysing = {number for number, key in label_keys.items() if key == "analysing"}
    isolated = [number for number in locutions if not successors[number] and not predecessors[number]]
    # Isolated locutions are an analyst's, unless all are isolated.
    copies = [n for n in locutions if successors[n] and analysing.issuperset(successors[n])] if analysing else []
    return {*analysing, *copies, *(isolated if len(isolated) < len(locutions) else ())}


def _anchors(
    acts: dict[int, str], kinds: list[str], successors: list[list[int]], predecessors: list[list[int]]
) -> dict[int, list[int]]:
    """Return the locutions that propositions are anchored in; for the others those that their transitions lead to."""
    direct: dict[int, list[int]] = {}
    through: dict[int, list[int]] = {}
    for act in acts:
        for content in successors[act]:
            if kinds[content] != "I":
                continue
            for anchor in predecessors[act]:
                if kinds[anchor] == "L":
                    direct.setdefault(content, []).append(anchor)
                elif kinds[anchor] == "TA" and (ends := [end for end in successors[anchor] if kinds[end] == "L"]):
                    through.setdefault(content, []).extend(ends)
    return {**through, **direct}


# -- what surrounds a node (Weisfeiler and Lehman) --------------------------------------------------------------------

#: Node → the node whose texts and position it has. Comparing with chance permutes these.
Permutation: TypeAlias = Mapping[int, int]
UNPERMUTED: Final[Pair[Permutation]] = ({}, {})
#: Labels of this round hold a node's context: the neighbours' labels of rounds 0, 1 and 2.
_LAST_ROUND: Final = 3


class WLLabel:
    """The neighbourhood of a node up to some distance: in round 0 its type and text, in round r its label of round
    r − 1 with the sorted ones of its predecessors and successors. Labels of one round are sorted by their keys."""

    __slots__ = ("sort_key", "text")

    def __init__(self, sort_key: tuple[WLLabel, WLLabels, WLLabels] | tuple[str, str]) -> None:
        self.sort_key = sort_key
        #: The text of the node itself, whole.
        self.text: str = sort_key[1] if len(sort_key) == 2 else sort_key[0].text

    def __lt__(self, other: WLLabel) -> bool:
        return self.sort_key < other.sort_key  # type: ignore[operator]  # both of one round


WLLabels: TypeAlias = "tuple[WLLabel, ...]"


class Context:
    """The labels of one side's nodes, computed on first use; equal ones of both sides are one object.

    Where texts are permuted, a node is called by the number of the one whose text it has.
    """

    def __init__(self, analysis: Analysis, labels: dict[object, WLLabel], permutation: Permutation) -> None:
        self._analysis, self._labels, self._permutation = analysis, labels, permutation
        self._node_with_text = {source: node for node, source in permutation.items()}
        self._by_node: dict[tuple[int, int], WLLabel] = {}

    @property
    def used(self) -> bool:
        """Whether a label was asked for: if not, it does not matter which node has which text."""
        return bool(self._by_node)

    def node_with_text(self, node: int) -> int:
        return self._node_with_text.get(node, node)

    def context(self, node: int) -> WLLabel:
        """Return all that tells a node from others, but its place in the text and the order of the file."""
        return self._label(self.node_with_text(node), _LAST_ROUND)

    def surroundings(self, node: int) -> WLLabel:
        """Return the label of round 2 of a node."""
        return self._label(self.node_with_text(node), _LAST_ROUND - 1)

    def _label(self, node: int, iteration: int) -> WLLabel:
        label = self._by_node.get((node, iteration))
        if label is None:
            analysis = self._analysis
            sort_key: tuple[WLLabel, WLLabels, WLLabels] | tuple[str, str]
            if iteration == 0:
                kind, source = analysis.kinds[node], self._permutation.get(node, node)
                sort_key = kind, analysis.label_keys[node] if kind == "YA" else analysis.whole(source)
            else:
                before = [self._label(start, iteration - 1) for start in analysis.predecessors[node]]
                after = [self._label(end, iteration - 1) for end in analysis.successors[node]]
                sort_key = self._label(node, iteration - 1), tuple(sorted(before)), tuple(sorted(after))
            label = self._labels.get(sort_key)
            if label is None:
                label = self._labels[sort_key] = WLLabel(sort_key)
            self._by_node[node, iteration] = label
        return label


def contexts_of(analyses: Pair[Analysis], permutations: Pair[Permutation] = UNPERMUTED) -> Pair[Context]:
    """Return the contexts of both sides."""
    labels: dict[object, WLLabel] = {}
    (first, second), (permuted, other_permuted) = analyses, permutations
    return Context(first, labels, permuted), Context(second, labels, other_permuted)


def common_context(first: WLLabel, second: WLLabel) -> tuple[int, int, int]:
    """Return (k₂, k₁, k₀): how many labels of each round the neighbours of two nodes have in common."""
    shared: list[int] = []
    while len(first.sort_key) == 3 and len(second.sort_key) == 3:
        first, before, after = first.sort_key
        second, other_before, other_after = second.sort_key
        shared.append(_in_common(before, other_before) + _in_common(after, other_after))
    k2, k1, k0 = shared
    return k2, k1, k0


def _in_common(first: WLLabels, second: WLLabels) -> int:
    """Return the size of the intersection of two multisets."""
    if first == second:
        return len(first)
    if len(first) == 1 or len(second) == 1:
        return int(first[0] in second if len(first) == 1 else second[0] in first)
    return sum((Counter(first) & Counter(second)).values())
