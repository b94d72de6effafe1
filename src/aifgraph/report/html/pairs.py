"""Which scheme nodes of two analyses are drawn as one: those that claim the same, then those that claim some of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from aifgraph.report.html.facts import Fact, Facts


def pair_schemes(first: Facts, second: Facts) -> dict[int, int]:
    """First node → second node: equal facts first, then the most facts in common, then the most items in common."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    _equal(first, second, found, taken)
    _most(first, second, found, taken, lambda group, fact: (group, fact))
    _most(first, second, found, taken, lambda group, fact: (group, fact[0]))
    return found


def _equal(first: Facts, second: Facts, found: dict[int, int], taken: set[int]) -> None:
    waiting: dict[Hashable, list[int]] = {}
    for node, (group, facts) in second.nodes.items():
        if facts:
            waiting.setdefault((group, frozenset(facts)), []).append(node)
    for node, (group, facts) in first.nodes.items():
        others = waiting.get((group, frozenset(facts)))
        if others:
            found[node] = others.pop(0)
            taken.add(found[node])


def _most(
    first: Facts, second: Facts, found: dict[int, int], taken: set[int], key: Callable[[str, Fact], Hashable]
) -> None:
    index: dict[Hashable, list[int]] = {}
    for node, (group, facts) in second.nodes.items():
        if node not in taken:
            for fact in facts:
                index.setdefault(key(group, fact), []).append(node)
    for node, (group, facts) in first.nodes.items():
        if node in found:
            continue
        shared = Counter(other for fact in facts for other in index.get(key(group, fact), ()) if other not in taken)
        if shared:
            best = max(shared.items(), key=lambda entry: (entry[1], -entry[0]))[0]
            found[node] = best
            taken.add(best)
