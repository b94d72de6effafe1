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
    """The place of a system in the ranking.

    Attributes:
        rank: from 1 on; equal accuracies share one. None for a withdrawn system.
        name: the name of the system.
        right: how many gold ids it has right.
        items: how many gold ids there are.
        status: as in :class:`aifgraph.tasks.arct.Answers`.
        pairs: the share of instances, 0 to 1, that are right together with their twin; None unless the gold file is
            doubled.
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
    """Systems by accuracy (Habernal et al. 2018, table 2).

    Attributes:
        places: the systems, best first; equal ones by name.
    """

    places: tuple[Placed, ...]

    @property
    def signature(self) -> str:
        return signature("arct.accuracy", missing="error", extra="error")

    def tables(self) -> list[Table]:
        """The ranking as a table.

        Returns:
            One table with a row for each system.
        """
        doubled = any(place.pairs is not None for place in self.places)
        columns = ("rank", "system", "accuracy", "right", "items", "status", *(["pairs right"] if doubled else []))
        rows = [
            (p.rank, p.name, p.accuracy, p.right, p.items, p.status, *([p.pairs] if doubled else []))
            for p in self.places
        ]
        return [Table("Ranking", columns, rows)]


def ranking(gold: Answers, systems: Sequence[Answers]) -> Ranking:
    """Rank systems by their accuracy over all gold ids (Habernal et al. 2018, table 2).

    Args:
        gold: the gold labels.
        systems: the answers of each system.

    Returns:
        The ranking.

    Raises:
        InputError: a system lacks an answer, or has one to an id that is not in the gold file.

    >>> from aifgraph.tasks import arct
    >>> gold = arct.Answers("gold", {"1": 0, "2": 1})
    >>> systems = [arct.Answers("other", {"1": 0, "2": 0}), arct.Answers("one", {"1": 0, "2": 1})]
    >>> [(place.rank, place.name, place.accuracy) for place in arct.ranking(gold, systems).places]
    [(1, 'one', 1.0), (2, 'other', 0.5)]
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
    """p-values of all pairs of systems (Habernal et al. 2018, table 3).

    Attributes:
        order: the names of the systems by accuracy, best first.
        p: the p-value of each pair of names, above 0, at most 1.
        rounds: how often answers were swapped at random.
        seed: what the swaps were drawn with.
    """

    order: tuple[str, ...]
    p: dict[frozenset[str], float]
    rounds: int
    seed: int

    def of(self, first: str, second: str) -> float:
        """The p-value of two systems.

        Args:
            first: the name of one.
            second: the name of the other; the order does not matter.

        Returns:
            The p-value.
        """
        return self.p[frozenset((first, second))]

    @property
    def signature(self) -> str:
        return signature(
            "arct.significance", test="approximate-randomisation", sided=2, rounds=self.rounds, seed=self.seed
        )

    def tables(self) -> list[Table]:
        """The p-values as a table.

        Returns:
            The lower triangle, with a row and a column for each system.
        """
        return [p_table(self.order, self.p)]


def significance(gold: Answers, systems: Sequence[Answers], *, rounds: int = 10_000, seed: int = 0) -> Significance:
    """Whether systems differ: the two-sided approximate randomisation test of the accuracies of all pairs.

    In each of R rounds the two answers to an instance are swapped with probability ½. p = (c + 1) / (R + 1), where c
    counts the rounds with a difference at least as large as the observed one. It depends neither on other systems nor
    on the order of the files.

    Args:
        gold: the gold labels.
        systems: the answers of each system.
        rounds: R, 1 or more.
        seed: what the swaps are drawn with.

    Returns:
        A p-value for each pair.

    Raises:
        InputError: fewer than two systems, or ids that are not those of the gold file.
        OptionError: ``rounds`` or ``seed`` is out of its range.
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
    """How many systems have each instance right (Habernal et al. 2018, figure 3).

    Attributes:
        right: the number of systems by gold id.
        systems: how many systems there are.
    """

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
        """The difficulty as tables.

        Returns:
            The histogram, and the ids that all or no systems have right.
        """
        ids = [("all", identity) for identity in self.solved_by_all]
        ids += [("none", identity) for identity in self.solved_by_none]
        return [
            Table("Histogram", ("systems right", "instances"), list(enumerate(self.histogram))),
            Table("Solved by all or none", ("solved by", "id"), ids),
        ]


def difficulty(gold: Answers, systems: Sequence[Answers]) -> Difficulty:
    """How many systems have each instance right (Habernal et al. 2018, figure 3).

    Args:
        gold: the gold labels.
        systems: the answers of each system.

    Returns:
        The numbers by gold id, with their histogram.

    Raises:
        InputError: no system, or ids that are not those of the gold file.
    """
    if not systems:
        raise InputError("there is no system", remedy="give one answer file or more")
    hits = [right(gold, system) for system in systems]
    return Difficulty(dict(zip(gold.labels, map(sum, zip(*hits, strict=True)), strict=True)), len(systems))
