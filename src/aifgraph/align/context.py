"""Telling like nodes apart by what surrounds them (Weisfeiler-Lehman labels, docs/measures.md, section 3).

Nodes are given by their texts: comparing with chance permutes these, and what surrounds a text is what surrounds the
node that has it then. Labels are numbers that mean the same on both sides, and are computed only for the nodes that
somebody asks about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from aifgraph.align.analysis import Analysis

#: Node → the node whose texts and position it has.
Permutation = Mapping[int, int]
#: Those of the two sides.
Permutations = tuple[Permutation, Permutation]
UNPERMUTED: Permutations = ({}, {})

Signature = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

#: What a label says: type and text, or the contents of a node's and its neighbours' labels of the round before.
Content: TypeAlias = "tuple[str | Content, ...]"

#: Rounds of neighbours' labels that are compared: 0, 1 and 2.
_ROUNDS = 3


class Contexts:
    """The contexts of the nodes of two analyses: ``of(side, node)`` and how much two of them have ``in_common``.

    Where texts are permuted, a node is called by the one whose text it has.
    """

    def __init__(self, first: Analysis, second: Analysis, permutations: Permutations = UNPERMUTED) -> None:
        self._sides = (first, second)
        self._sources = permutations
        self._holders = [{source: node for node, source in of_side.items()} for of_side in permutations]
        self._numbers: dict[object, int] = {}
        self._labels: dict[tuple[int, int, int], int] = {}
        self._signatures: dict[tuple[int, int], Signature] = {}
        self._common: dict[tuple[Signature, Signature], tuple[int, int, int]] = {}
        self._contents: dict[tuple[int, int, int], Content] = {}

    @property
    def asked(self) -> bool:
        """Whether anybody has asked for what surrounds a node: if not, it does not matter which node has which text."""
        return bool(self._signatures or self._contents)

    def holder(self, side: int, node: int) -> int:
        """The node that has the text of ``node``."""
        return self._holders[side].get(node, node)

    def of(self, side: int, node: int) -> Signature:
        """For each round the sorted labels of the predecessors and of the successors of a node."""
        key = (side, node)
        if key not in self._signatures:
            analysis, holder = self._sides[side], self.holder(side, node)
            self._signatures[key] = tuple(
                (
                    self._sorted(side, analysis.predecessors[holder], turn),
                    self._sorted(side, analysis.successors[holder], turn),
                )
                for turn in range(_ROUNDS)
            )
        return self._signatures[key]

    def in_common(self, first: Signature, second: Signature) -> tuple[int, int, int]:
        """(k₂, k₁, k₀): the labels of each round that two contexts share, as multisets."""
        key = (first, second)
        if key not in self._common:
            k0, k1, k2 = (
                _shared(ours[0], theirs[0]) + _shared(ours[1], theirs[1])
                for ours, theirs in zip(first, second, strict=True)
            )
            self._common[key] = (k2, k1, k0)
        return self._common[key]

    def surroundings(self, *nodes: tuple[int, int]) -> Deferred[Content]:
        """The surroundings of some nodes, each given with its side, the smaller ones first."""
        return Deferred(lambda: tuple(sorted(self._content(side, self.holder(side, node)) for side, node in nodes)))

    def _content(self, side: int, node: int, turn: int = _ROUNDS - 1) -> Content:
        """What the label of a node says.

        Contents are in the order of the numbers that docs/measures.md gives them, so that no label has to be numbered.
        """
        key = (side, node, turn)
        content = self._contents.get(key)
        if content is None:
            analysis = self._sides[side]
            if turn == 0:
                content = self._own(side, node)
            else:
                before, after = (
                    tuple(sorted(self._content(side, other, turn - 1) for other in others[node]))
                    for others in (analysis.predecessors, analysis.successors)
                )
                content = (self._content(side, node, turn - 1), before, after)
            self._contents[key] = content
        return content

    def _own(self, side: int, node: int) -> tuple[str, str]:
        analysis = self._sides[side]
        kind = analysis.kinds[node]
        return kind, analysis.label_keys[node] if kind == "YA" else analysis.whole(self._sources[side].get(node, node))

    def _sorted(self, side: int, nodes: list[int], turn: int) -> tuple[int, ...]:
        return tuple(sorted([self._label(side, node, turn) for node in nodes]))

    def _label(self, side: int, node: int, turn: int) -> int:
        key = (side, node, turn)
        label = self._labels.get(key)
        if label is None:
            analysis = self._sides[side]
            content: object
            if turn == 0:
                content = self._own(side, node)
            else:
                content = (
                    self._label(side, node, turn - 1),
                    self._sorted(side, analysis.predecessors[node], turn - 1),
                    self._sorted(side, analysis.successors[node], turn - 1),
                )
            # Numbers of different rounds never meet: contents of round 0 hold strings, of later ones numbers.
            label = self._labels[key] = self._numbers.setdefault((turn, content), len(self._numbers))
        return label


def _shared(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    if first == second:
        return len(first)
    if not first or not second:
        return 0
    counts = Counter(first)
    shared = 0
    for label in second:
        if counts[label] > 0:
            counts[label] -= 1
            shared += 1
    return shared


Key = TypeVar("Key", bound=tuple[Any, ...])


class Deferred(Generic[Key]):
    """A part of a sort key that is computed only if what stands before it in the key is equal: it compares as the tuple
    that ``key`` returns, which is called at the first comparison.

    >>> sorted([(2, Deferred(lambda: 1 / 0)), (1, Deferred(lambda: 1 / 0))])[0][0]
    1
    """

    def __init__(self, key: Callable[[], Key]) -> None:
        self._key = key

    @cached_property
    def value(self) -> Key:
        """The tuple."""
        return self._key()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deferred) and bool(self.value == other.value)

    def __lt__(self, other: Deferred[Key]) -> bool:
        return self.value < other.value

    __hash__ = None  # type: ignore[assignment]
