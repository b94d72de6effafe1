"""The cycles of a small directed graph, without recursion: maps hold chains of thousands of transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cycles(after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected parts of more than one node, each in the order in which it was reached (Tarjan 1972).

    >>> cycles({"1": ["2"], "2": ["3"], "3": ["2"]})
    [['2', '3']]
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    on_stack: set[str] = set()
    stack: list[str] = []
    found: list[list[str]] = []
    for root in after:
        if root in number:
            continue
        work = [(root, iter(after.get(root, ())))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            here, following = work[-1]
            for each in following:
                if each not in number:
                    number[each] = low[each] = len(number)
                    stack.append(each)
                    on_stack.add(each)
                    work.append((each, iter(after.get(each, ()))))
                    break
                if each in on_stack:
                    low[here] = min(low[here], number[each])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == number[here]:
                    part = [stack.pop()]
                    while part[-1] != here:
                        part.append(stack.pop())
                    on_stack.difference_update(part)
                    if len(part) > 1:
                        found.append(part[::-1])
    return found
