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
    """What surrounds a node up to some distance; labels of one round are in the order of their contents."""

    __slots__ = ("content", "text")

    def __init__(self, content: tuple[Label, Labels, Labels] | tuple[str, str]) -> None:
        self.content = content
        #: The text of the node itself, whole.
        self.text: str = content[1] if len(content) == 2 else content[0].text

    def __lt__(self, other: Label) -> bool:
        return self.content < other.content  # type: ignore[operator]  # both of one round


class Contexts:
    """Labels of the nodes of two analyses, worked out when they are asked for.

    Where texts are permuted, a node is called by the number of the one whose text it has.
    """

    def __init__(self, first: Analysis, second: Analysis, permutations: Permutations = UNPERMUTED) -> None:
        self._sides = (first, second)
        self._sources = permutations
        self._holders = [{source: node for node, source in side.items()} for side in permutations]
        self._labels: dict[object, Label] = {}
        self._by_node: dict[tuple[int, int, int], Label] = {}

    @property
    def asked(self) -> bool:
        """Whether a label was asked for: if not, it does not matter which node has which text."""
        return bool(self._by_node)

    def holder(self, side: int, node: int) -> int:
        """Return the node that has the text of ``node``."""
        return self._holders[side].get(node, node)

    def context(self, side: int, node: int) -> Label:
        """Return all that tells a node from others, but its place and the order of the file."""
        return self._label(side, self.holder(side, node), _LAST_ROUND)

    def surroundings(self, side: int, node: int) -> Label:
        """Return the label of round 2 of a node."""
        return self._label(side, self.holder(side, node), _LAST_ROUND - 1)

    def _label(self, side: int, node: int, turn: int) -> Label:
        key = (side, node, turn)
        label = self._by_node.get(key)
        if label is None:
            analysis = self._sides[side]
            content: tuple[Label, Labels, Labels] | tuple[str, str]
            if turn == 0:
                kind = analysis.kinds[node]
                source = self._sources[side].get(node, node)
                content = kind, analysis.label_keys[node] if kind == "YA" else analysis.whole(source)
            else:
                before = [self._label(side, start, turn - 1) for start in analysis.predecessors[node]]
                after = [self._label(side, end, turn - 1) for end in analysis.successors[node]]
                content = self._label(side, node, turn - 1), tuple(sorted(before)), tuple(sorted(after))
            label = self._labels.get(content)
            if label is None:
                label = self._labels[content] = Label(content)
            self._by_node[key] = label
        return label


def common_context(first: Label, second: Label) -> tuple[int, int, int]:
    """Return (k₂, k₁, k₀): how many labels of each round the neighbours of two nodes have in common."""
    shared: list[int] = []
    while len(first.content) == 3 and len(second.content) == 3:
        first, before, after = first.content
        second, other_before, other_after = second.content
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
