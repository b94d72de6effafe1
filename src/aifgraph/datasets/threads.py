"""Links between posts: which of them would lead in a circle."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def in_cycle(parent_of: Mapping[K, K]) -> set[K]:
    """The keys that come back to themselves over their parents. Linear in the number of keys.

    >>> sorted(in_cycle({1: 2, 2: 3, 3: 2, 4: 4, 5: 0}))
    [2, 3, 4]
    """
    found: set[K] = set()
    done: set[K] = set()
    for key in parent_of:
        path: dict[K, int] = {}
        at = key
        while at in parent_of and at not in done and at not in path:
            path[at] = len(path)
            at = parent_of[at]
        if at in path:
            found.update(each for each, place in path.items() if place >= path[at])
        done.update(path)
    return found


def closing_links(links: Iterable[tuple[K, K]]) -> set[tuple[K, K]]:
    """The links (from, to) to leave out so that the rest has no circle; deterministic, linear.

    >>> sorted(closing_links([("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")]))
    [('c', 'a'), ('d', 'd')]
    """
    after: dict[K, list[K]] = {}
    for start, end in links:
        after.setdefault(start, []).append(end)
        after.setdefault(end, [])
    state: dict[K, int] = {}
    left_out: set[tuple[K, K]] = set()
    for root in after:
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(after[root]))]
        while stack:
            at, rest = stack[-1]
            for end in rest:
                if state.get(end) == 1:
                    left_out.add((at, end))
                elif end not in state:
                    state[end] = 1
                    stack.append((end, iter(after[end])))
                    break
            else:
                state[at] = 2
                stack.pop()
    return left_out
