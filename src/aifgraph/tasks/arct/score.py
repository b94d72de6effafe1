"""Ranking, significance and difficulty of SemEval-2018 task 12 (Habernal et al. 2018, tables 2 and 3, figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aifgraph.datasets.arct import Instance
from aifgraph.errors import InputError
from aifgraph.tables import Table
from aifgraph.tasks.arct.instances import TWIN, Answers, cue, right
from aifgraph.tasks.scores import Counts, PairTests, Result, pair_tests, ranks, short, signature


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of a system in the ranking, with the number of gold ids that it has ``right``.

    ``rank`` is None for a withdrawn system. ``pairs`` is the share of instances that are right together with their
    twin; None unless the gold file is doubled.
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
    """Systems by accuracy, best first, equal ones by name (Habernal et al. 2018, table 2)."""

    places: tuple[Placed, ...]

    @property
    def signature(self) -> str:
        return signature("arct.accuracy", missing="error", extra="error")

    def tables(self) -> list[Table]:
        """One table with a row for each system."""
        doubled = any(place.pairs is not None for place in self.places)
        columns = ("rank", "system", "accuracy", "right", "items", "status", *(["pairs right"] if doubled else []))
        rows = [
            (p.rank, p.name, p.accuracy, p.right, p.items, p.status, *([p.pairs] if doubled else []))
            for p in self.places
        ]
        return [Table("Ranking", columns, rows)]


def ranking(gold: Answers, systems: Sequence[Answers]) -> Ranking:
    """Rank systems by their accuracy over all gold ids (Habernal et al. 2018, table 2).

    Raises:
        InputError: a system lacks an answer, or has one to an id that is not in the gold file.

    >>> from aifgraph.tasks import arct
    >>> gold = arct.Answers("gold", {"1": 0, "2": 1})
    >>> systems = [arct.Answers("other", {"1": 0, "2": 0}), arct.Answers("one", {"1": 0, "2": 1})]
    >>> [(place.rank, place.name, place.accuracy) for place in arct.ranking(gold, systems).places]
    [(1, 'one', 1.0), (2, 'other', 0.5)]
    """
    results = sorted(((right(gold, system), system) for system in systems), key=lambda r: (-sum(r[0]), r[1].name))
    numbers = ranks([None if "withdrawn" in system.status else sum(hits) for hits, system in results])
    return Ranking(
        tuple(
            Placed(rank, system.name, sum(hits), len(hits), system.status, _pairs(gold, hits))
            for rank, (hits, system) in zip(numbers, results, strict=True)
        )
    )


def _pairs(gold: Answers, hits: Sequence[int]) -> float | None:
    hit = dict(zip(gold.labels, hits, strict=True))
    both = [hit[one] * hit[one + TWIN] for one in hit if one + TWIN in hit]
    return sum(both) / len(both) if both else None


def significance(gold: Answers, systems: Sequence[Answers], *, rounds: int = 10_000, seed: int = 0) -> PairTests:
    """Whether systems differ: the two-sided approximate randomisation test of the accuracies of all pairs.

    In each of R rounds the two answers to an instance are swapped with probability ½. p = (c + 1) / (R + 1), where c
    counts the rounds with a difference at least as large as the observed one. It depends neither on other systems nor
    on the order of the files.

    Raises:
        InputError: fewer than two systems, or ids that are not those of the gold file.
        OptionError: ``rounds`` or ``seed`` is out of its range.
    """
    import numpy as np

    by_name = {system.name: system for system in systems}
    # Sorted ids: the draws must not depend on the order of the gold file's lines.
    ids = sorted(gold.labels)
    for system in systems:
        right(gold, system)
    hits = {
        name: np.array([[float(system.labels[i] == gold.labels[i]), 1.0] for i in ids])
        for name, system in by_name.items()
    }
    return pair_tests(
        hits,
        lambda sums: sums[:, 0] / sums[:, 1],
        item="instance",
        measure="arct.significance",
        rounds=rounds,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class Difficulty(Result):
    """How many systems have each instance right (Habernal et al. 2018, figure 3)."""

    right: dict[str, int]  # by gold id
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
        """The histogram, and the ids that all or no systems have right."""
        ids = [("all", identity) for identity in self.solved_by_all]
        ids += [("none", identity) for identity in self.solved_by_none]
        return [
            Table("Histogram", ("systems right", "instances"), list(enumerate(self.histogram))),
            Table("Solved by all or none", ("solved by", "id"), ids),
        ]


def difficulty(gold: Answers, systems: Sequence[Answers]) -> Difficulty:
    """How many systems have each instance right (Habernal et al. 2018, figure 3).

    Raises:
        InputError: no system, or ids that are not those of the gold file.
    """
    if not systems:
        raise InputError("there is no system", remedy="give one answer file or more")
    hits = [right(gold, system) for system in systems]
    return Difficulty(dict(zip(gold.labels, map(sum, zip(*hits, strict=True)), strict=True)), len(systems))


def stats(files: Mapping[str, tuple[Instance, ...]]) -> Counts:
    """How many instances, labels, debates, claims and negated warrants each file (a split) has.

    >>> one = Instance("1", "it is safe", "it is not safe", 0, "Many fly.", "Flying is good", "Air travel")
    >>> stats({"train": (one,)}).tables()[0].rows
    [('train', 1, 1, 0, 0, 1, 1, 1, 0)]
    """
    rows = []
    for name, instances in zip(short(list(files)), files.values(), strict=True):
        labels = Counter(one.label for one in instances)
        cued = [one for one in instances if cue(one) is not None]
        right = sum(one.label == cue(one) for one in cued) if labels[None] < len(instances) else None
        debates, claims = len({one.title for one in instances}), len({one.claim for one in instances})
        rows.append((name, len(instances), labels[0], labels[1], labels[None], debates, claims, len(cued), right))
    counted = ("instances", "label 0", "label 1", "no label", "debates", "claims", "one negated", "and right")
    note = "one negated: exactly one of the two warrants has a negation; and right: that warrant is the right one"
    return Counts("arct.stats", (Table("Instances", ("file", *counted), rows, note=note),))
