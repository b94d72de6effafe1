"""Label nodes by what surrounds them (Weisfeiler and Lehman; docs/measures.md, section 3).

A node's label of round 0 is its type and text, that of round r its label of round r − 1 with the sorted labels of its
predecessors and successors of round r − 1. Labels mean the same on both sides: equal ones are one object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from aifgraph.align.analysis import Analysis

#: Node → the node whose texts and position it has. Comparing with chance permutes these.
Permutation = Mapping[int, int]
Permutations = tuple[Permutation, Permutation]
UNPERMUTED: Permutations = ({}, {})

Labels: TypeAlias = "tuple[Label, ...]"

#: Labels of this round hold a node's context: the neighbours' labels of rounds 0, 1 and 2.
_LAST_ROUND = 3


class Label:
    """The neighbourhood of a node up to some distance; labels of one round are sorted by their keys."""

    __slots__ = ("sort_key", "text")

    def __init__(self, sort_key: tuple[Label, Labels, Labels] | tuple[str, str]) -> None:
        self.sort_key = sort_key
        #: The text of the node itself, whole.
        self.text: str = sort_key[1] if len(sort_key) == 2 else sort_key[0].text

    def __lt__(self, other: Label) -> bool:
        return self.sort_key < other.sort_key  # type: ignore[operator]  # both of one round


class Contexts:
    """Labels of the nodes of two analyses, computed on first use.

    Where texts are permuted, a node is called by the number of the one whose text it has.
    """

    def __init__(self, first: Analysis, second: Analysis, permutations: Permutations = UNPERMUTED) -> None:
        self._sides = (first, second)
        self._sources = permutations
        self._node_with_text = [{source: node for node, source in side.items()} for side in permutations]
        self._labels: dict[object, Label] = {}
        self._by_node: dict[tuple[int, int, int], Label] = {}

    @property
    def asked(self) -> bool:
        """Whether a label was asked for: if not, it does not matter which node has which text."""
        return bool(self._by_node)

    def node_with_text(self, side: int, node: int) -> int:
        """Return the node that has the text of ``node``."""
        return self._node_with_text[side].get(node, node)

    def context(self, side: int, node: int) -> Label:
        """Return all that tells a node from others, but its place and the order of the file."""
        return self._label(side, self.node_with_text(side, node), _LAST_ROUND)

    def surroundings(self, side: int, node: int) -> Label:
        """Return the label of round 2 of a node."""
        return self._label(side, self.node_with_text(side, node), _LAST_ROUND - 1)

    def _label(self, side: int, node: int, turn: int) -> Label:
        key = (side, node, turn)
        label = self._by_node.get(key)
        if label is None:
            analysis = self._sides[side]
            sort_key: tuple[Label, Labels, Labels] | tuple[str, str]
            if turn == 0:
                kind = analysis.kinds[node]
                source = self._sources[side].get(node, node)
                sort_key = kind, analysis.label_keys[node] if kind == "YA" else analysis.whole(source)
            else:
                before = [self._label(side, start, turn - 1) for start in analysis.predecessors[node]]
                after = [self._label(side, end, turn - 1) for end in analysis.successors[node]]
                sort_key = self._label(side, node, turn - 1), tuple(sorted(before)), tuple(sorted(after))
            label = self._labels.get(sort_key)
            if label is None:
                label = self._labels[sort_key] = Label(sort_key)
            self._by_node[key] = label
        return label


def common_context(first: Label, second: Label) -> tuple[int, int, int]:
    """Return (k₂, k₁, k₀): how many labels of each round the neighbours of two nodes have in common."""
    shared: list[int] = []
    while len(first.sort_key) == 3 and len(second.sort_key) == 3:
        first, before, after = first.sort_key
        second, other_before, other_after = second.sort_key
        shared.append(_in_common(before, other_before) + _in_common(after, other_after))
    k2, k1, k0 = shared
    return k2, k1, k0


def _in_common(first: Labels, second: Labels) -> int:
    """Return the size of the intersection of two multisets."""
    if first == second:
        return len(first)
    if len(first) == 1 or len(second) == 1:
        return int(first[0] in second if len(first) == 1 else second[0] in first)
    return sum((Counter(first) & Counter(second)).values())
