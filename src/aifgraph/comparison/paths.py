"""Explicit relations (ER): paths over propositions that nobody said (docs/measures.md, section 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Final, TypeAlias

#: Premise, type, conclusion.
Triple: TypeAlias = "tuple[int, str, int]"

#: The type of a path that goes on with a relation. A PA stands only in a path of its own.
_COMPOSED: Final = {
    ("RA", "RA"): "RA",
    ("RA", "CA"): "CA",
    ("CA", "RA"): "CA",
    ("CA", "CA"): "RA",
    ("MA", "MA"): "MA",
    ("MA", "RA"): "RA",
    ("RA", "MA"): "RA",
    ("MA", "CA"): "CA",
    ("CA", "MA"): "CA",
}


@dataclass(frozen=True, slots=True)
class ExplicitPaths:
    """The shortest path of each premise, type and conclusion; and how many of the triples take part, of how many."""

    shortest: Mapping[Triple, tuple[Triple, ...]]
    coverage: tuple[int, int]


def explicit_paths(triples: Set[Triple], reconstructed: Set[int]) -> ExplicitPaths:
    """Return the paths over ``triples`` all of whose inner nodes, and no others, are ``reconstructed``.

    >>> paths = explicit_paths({(0, "CA", 1), (1, "CA", 2), (1, "RA", 3)}, {1, 3})
    >>> list(paths.shortest), paths.coverage
    ([(0, 'RA', 2)], (2, 3))
    """
    following: dict[int, list[Triple]] = {}
    for triple in sorted(triples):
        following.setdefault(triple[0], []).append(triple)
    shortest: dict[Triple, tuple[Triple, ...]] = {}
    for start, first_triples in following.items():
        if start in reconstructed:
            continue
        waiting: deque[tuple[str, tuple[Triple, ...]]] = deque((triple[1], (triple,)) for triple in first_triples)
        seen: set[tuple[str, int]] = set()
        while waiting:
            kind, path = waiting.popleft()
            node = path[-1][2]
            if (kind, node) in seen:
                continue
            seen.add((kind, node))
            if node not in reconstructed:
                if node != start:
                    shortest[start, kind, node] = path
            elif kind != "PA":
                for triple in following.get(node, ()):
                    if triple[1] != "PA":
                        waiting.append((_COMPOSED[kind, triple[1]], (*path, triple)))
    return ExplicitPaths(shortest, (_taking_part(triples, reconstructed), len(triples)))


def _taking_part(triples: Set[Triple], reconstructed: Set[int]) -> int:
    """Return how many lead, over reconstructed propositions alone, from one that was said to one that was."""
    if not reconstructed:
        return len(triples)
    after: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for premise, kind, conclusion in triples:
        if kind != "PA":
            after.setdefault(premise, []).append(conclusion)
            before.setdefault(conclusion, []).append(premise)
    reached = _reached(after.keys() - reconstructed, after)
    reaching = _reached(before.keys() - reconstructed, before)
    return sum(
        (premise not in reconstructed or (kind != "PA" and premise in reached))
        and (conclusion not in reconstructed or (kind != "PA" and conclusion in reaching))
        for premise, kind, conclusion in triples
    )


def _reached(starts: Iterable[int], following: Mapping[int, list[int]]) -> set[int]:
    reached = set(starts)
    waiting = list(reached)
    while waiting:
        for node in following.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached
