"""The argument among what was said: paths of relations from one proposition that was said to another, over claims that
nobody said (docs/measures.md, section 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

#: Premise, type, conclusion.
Triple: TypeAlias = "tuple[int, str, int]"

#: The type of a path that goes on with a relation. A PA stands only in a path of its own.
_COMPOSED: Final = {
    ("RA", "RA"): "RA",
    ("RA", "CA"): "CA",
    ("CA", "RA"): "CA",
    ("CA", "CA"): "RA",
    ("MA", "MA"): "MA",
    **{pair: kind for kind in ("RA", "CA") for pair in (("MA", kind), (kind, "MA"))},
}


class Step(NamedTuple):
    """A relation with the rest of the path before it, None at its start."""

    before: Step | None
    triple: Triple


def steps_of(last: Step) -> list[Triple]:
    """The relations of a path, from its start on."""
    steps: list[Triple] = []
    step: Step | None = last
    while step:
        steps.append(step.triple)
        step = step.before
    return steps[::-1]


@dataclass(frozen=True, slots=True)
class ExplicitPaths:
    """The paths of one side by premise, type and conclusion, each with the last step of the shortest such path; and how
    many of the side's triples take part, of how many."""

    last_steps: Mapping[Triple, Step]
    coverage: tuple[int, int]


def explicit_paths(triples: Set[Triple], reconstructed: Set[int]) -> ExplicitPaths:
    """The paths over ``triples`` all of whose inner nodes, and no others, are ``reconstructed``.

    >>> paths = explicit_paths({(0, "CA", 1), (1, "CA", 2), (1, "RA", 3)}, {1, 3})
    >>> list(paths.last_steps), paths.coverage
    ([(0, 'RA', 2)], (2, 3))
    """
    following: dict[int, list[Triple]] = {}
    for triple in sorted(triples):
        following.setdefault(triple[0], []).append(triple)
    last_steps: dict[Triple, Step] = {}
    for start, first in following.items():
        if start in reconstructed:
            continue
        waiting = deque((triple[1], Step(None, triple)) for triple in first)
        seen: set[tuple[str, int]] = set()
        while waiting:
            kind, step = waiting.popleft()
            node = step.triple[2]
            if (kind, node) in seen:
                continue
            seen.add((kind, node))
            if node not in reconstructed:
                if node != start:
                    last_steps[start, kind, node] = step
            elif kind != "PA":
                for triple in following.get(node, ()):
                    if triple[1] != "PA":
                        waiting.append((_COMPOSED[kind, triple[1]], Step(step, triple)))
    return ExplicitPaths(last_steps, (_taking_part(triples, reconstructed), len(triples)))


def _taking_part(triples: Set[Triple], reconstructed: Set[int]) -> int:
    """How many lead, over reconstructed propositions alone, from one that was said and to one that was."""
    after: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for premise, kind, conclusion in triples:
        if kind != "PA":
            after.setdefault(premise, []).append(conclusion)
            before.setdefault(conclusion, []).append(premise)
    reached = _reached((node for node in after if node not in reconstructed), after)
    reaching = _reached((node for node in before if node not in reconstructed), before)
    return sum(
        (premise not in reconstructed and conclusion not in reconstructed)
        or (
            kind != "PA"
            and (premise not in reconstructed or premise in reached)
            and (conclusion not in reconstructed or conclusion in reaching)
        )
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
