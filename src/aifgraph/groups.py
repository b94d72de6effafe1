"""What belongs together, directly or by way of others.

networkx has such a structure, but importing it takes longer than comparing a pair of maps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Groups(Generic[K]):
    """Things in groups, which grow together: a forest in which each thing leads to the one that stands for its group.

    >>> groups = Groups("abcd")
    >>> groups.join("a", "b")
    >>> groups.join("c", "b")
    >>> groups["a"] == groups["c"], groups["a"] == groups["d"]
    (True, False)
    >>> groups.all()
    [['a', 'b', 'c'], ['d']]
    """

    def __init__(self, things: Iterable[K] = ()) -> None:
        self._above: dict[K, K] = {thing: thing for thing in things}

    def __getitem__(self, thing: K) -> K:
        """The one that stands for the group of a thing; a thing not seen before is a group of its own."""
        above = self._above
        top = above.setdefault(thing, thing)
        while above[top] != top:
            top = above[top]
        while thing != top:  # so that the next way is short
            above[thing], thing = top, above[thing]
        return top

    def join(self, *things: K) -> None:
        """Makes one group of the groups of these."""
        tops = [self[thing] for thing in things]
        for top in tops[1:]:
            self._above[self[top]] = tops[0]

    def all(self) -> list[list[K]]:
        """Every group, in the order in which their things came."""
        found: dict[K, list[K]] = {}
        for thing in list(self._above):
            found.setdefault(self[thing], []).append(thing)
        return list(found.values())
