"""Ranking, significance and difficulty of SemEval-2018 task 12 (Habernal et al. 2018, tables 2 and 3, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aifgraph.errors import InputError
from aifgraph.stats.randomisation import randomisation_tests
from aifgraph.tables import Table
from aifgraph.tasks.arct.instances import TWIN, Answers, right
from aifgraph.tasks.scores import Result, signature
from aifgraph.tasks.significance import p_table


@dataclass(frozen=True, slots=True)
class Placed:
    """A system's place; equal accuracies share a ``rank``, and a withdrawn system has none.

    ``pairs`` is, where the gold file is a doubled one, the share of instances right together with their twin.
    """

    rank: int | None
    name: str
    right: int
    items: int
    status: str = ""
    pairs: float | None = None

    @property
    def accuracy(self) -> float:
        """The share of gold ids that are right."""
        return self.right / self.items


@dataclass(frozen=True, slots=True)
class Ranking(Result):
    """Systems by accuracy, best first; equal ones by name."""

    places: tuple[Placed, ...]

    @property
    def signature(self) -> str:
        return signature("arct.accuracy", missing="error", extra="error")

    def tables(self) -> list[Table]:
        """One row per system."""
        doubled = any(place.pairs is not None for place in self.places)
        columns = ("rank", "system", "accuracy", "right", "items", "status", *(["pairs right"] if doubled else []))
        rows = [
            (p.rank, p.name, p.accuracy, p.right, p.items, p.status, *([p.pairs] if doubled else []))
            for p in self.places
        ]
        return [Table("Ranking", columns, rows)]


def ranking(gold: Answers, systems: Sequence[Answers]) -> Ranking:
    """Accuracy over all gold ids, and the rank by it.

    Raises:
        InputError: a system's answers lack an id, or have one that is not in the gold file.
    """
    results = sorted(((right(gold, system), system) for system in systems), key=lambda r: (-sum(r[0]), r[1].name))
    ranked = [sum(hits) for hits, system in results if "withdrawn" not in system.status]
    return Ranking(
        tuple(
            Placed(
                None if "withdrawn" in system.status else 1 + sum(other > sum(hits) for other in ranked),
                system.name,
                sum(hits),
                len(hits),
                system.status,
                _pairs(gold, hits),
            )
            for hits, system in results
        )
    )


def _pairs(gold: Answers, hits: Sequence[int]) -> float | None:
    hit = dict(zip(gold.labels, hits, strict=True))
    both = [hit[one] * hit[one + TWIN] for one in hit if one + TWIN in hit]
    return sum(both) / len(both) if both else None


@dataclass(frozen=True, slots=True)
class Significance(Result):
    """p-values of all pairs of systems, which stand in ``order`` of their ranking."""

    order: tuple[str, ...]
    p: dict[frozenset[str], float]
    rounds: int
    seed: int

    def of(self, first: str, second: str) -> float:
        """The p-value of two systems, whichever comes first."""
        return self.p[frozenset((first, second))]

    @property
    def signature(self) -> str:
        return signature(
            "arct.significance", test="approximate-randomisation", sided=2, rounds=self.rounds, seed=self.seed
        )

    def tables(self) -> list[Table]:
        """The lower triangle: a row and a column for each system."""
        return [p_table(self.order, self.p)]


def significance(gold: Answers, systems: Sequence[Answers], *, rounds: int = 10_000, seed: int = 0) -> Significance:
    """Two-sided approximate randomisation test of every pair, p = (c + 1) / (R + 1).

    A pair's p does not depend on the other systems, nor on the order of the files.

    Raises:
        InputError: fewer than two systems, or ids that do not fit. OptionError: rounds or seed out of range.
    """
    if len(systems) < 2:
        raise InputError("there is nothing to compare", remedy="give the answers of two systems or more")
    by_name = {system.name: system for system in systems}
    order = tuple(place.name for place in ranking(gold, systems).places)
    # Sorted ids: the draws must not depend on the order of the gold file's lines.
    ids = sorted(gold.labels)
    for system in systems:
        right(gold, system)
    hits = {name: [float(by_name[name].labels[i] == gold.labels[i]) for i in ids] for name in order}
    tests = randomisation_tests(hits, rounds=rounds, seed=seed)
    return Significance(order, {frozenset(pair): test.p or 0.0 for pair, test in tests.items()}, rounds, seed)


@dataclass(frozen=True, slots=True)
class Difficulty(Result):
    """``right``: for each gold id, how many of the ``systems`` have it right."""

    right: dict[str, int]
    systems: int

    @property
    def histogram(self) -> list[int]:
        """Instances that 0, 1, … all systems have right."""
        counts = list(self.right.values())
        return [counts.count(number) for number in range(self.systems + 1)]

    @property
    def solved_by_all(self) -> list[str]:
        """Ids that every system has right."""
        return [identity for identity, count in self.right.items() if count == self.systems]

    @property
    def solved_by_none(self) -> list[str]:
        """Ids that no system has right."""
        return [identity for identity, count in self.right.items() if not count]

    @property
    def signature(self) -> str:
        return signature("arct.difficulty", systems=self.systems)

    def tables(self) -> list[Table]:
        """The histogram, and the two lists of ids."""
        ids = [("all", identity) for identity in self.solved_by_all]
        ids += [("none", identity) for identity in self.solved_by_none]
        return [
            Table("Histogram", ("systems right", "instances"), list(enumerate(self.histogram))),
            Table("Solved by all or none", ("solved by", "id"), ids),
        ]


def difficulty(gold: Answers, systems: Sequence[Answers]) -> Difficulty:
    """How many systems have each instance right (the paper's figure 3).

    Raises:
        InputError: no system, or ids that do not fit.
    """
    if not systems:
        raise InputError("there is no system", remedy="give one answer file or more")
    hits = [right(gold, system) for system in systems]
    return Difficulty(dict(zip(gold.labels, map(sum, zip(*hits, strict=True)), strict=True)), len(systems))
