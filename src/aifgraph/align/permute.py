"""The texts and positions of one side's nodes change places (docs/measures.md, section 9).

The graph stays as it is, and so does what is said where: it is drawn at random which node says it. Propositions
change places with propositions, locutions with locutions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from aifgraph.align.alignment import Alignment, PlacedSide, placed_sides
from aifgraph.align.context import Contexts, Permutation

if TYPE_CHECKING:
    from numpy.random import Generator


class Permuter:
    """Permutes one side of an alignment, ``side`` 0 or 1, again and again.

    The draws are those of numpy: a permutation of the propositions, then one of the locutions, both in an order that
    does not depend on the file but between nodes that nothing tells apart.
    """

    def __init__(self, alignment: Alignment, side: Literal[0, 1], seed: int) -> None:
        from numpy.random import default_rng

        self.side = placed_sides(alignment.first, alignment.second, alignment.placement)[side]
        axis = alignment.placement.axis
        contexts = Contexts(alignment.first, alignment.second)
        analysis = self.side.analysis
        self._kinds = [
            _ordered(self.side, nodes, side, axis.length if axis else 0, contexts)
            for nodes in (analysis.propositions, analysis.locutions)
        ]
        self._rng: Generator = default_rng(seed)

    def next(self) -> Permutation:
        """The next permutation."""
        sources: dict[int, int] = {}
        for nodes in self._kinds:
            places = self._rng.permutation(len(nodes)).tolist()
            sources.update(zip(nodes, map(nodes.__getitem__, places), strict=True))
        return sources


def _ordered(side: PlacedSide, nodes: list[int], number: int, length: int, contexts: Contexts) -> list[int]:
    """Nodes by first word (unknown: the length of the axis), whole text, surroundings, and file order."""

    def first_word(node: int) -> int:
        position = side.positions.get(node)
        return position[0][0] if position else length

    return sorted(
        nodes,
        key=lambda node: (first_word(node), side.analysis.whole(node), contexts.surroundings((number, node)), node),
    )
