"""p-values of all pairs of systems of a task: their table, and statistics of summed counts to test with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from aifgraph.errors import InputError
from aifgraph.stats.randomisation import randomisation_test_of
from aifgraph.tables import Table
from aifgraph.tasks.scores import Result, ZeroDivision, signature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from aifgraph.stats.bootstrap import Statistic

    Counts: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairTests(Result):
    """p-values of all pairs of systems, by the two-sided approximate randomisation test.

    Attributes:
        order: the names of the systems by their score, best first.
        p: the p-value of each pair of names, above 0, at most 1; None where the score of one is undefined.
        measure: what was tested.
        rounds: how often the systems' answers were swapped at random.
        seed: what the swaps were drawn with.
        options: further options that change a number.
    """

    order: tuple[str, ...]
    p: Mapping[frozenset[str], float | None]
    measure: str
    rounds: int
    seed: int
    options: Mapping[str, str]

    def of(self, first: str, second: str) -> float | None:
        """The p-value of two systems.

        Args:
            first: the name of one.
            second: the name of the other; the order does not matter.

        Returns:
            The p-value; None where the score of one is undefined.
        """
        return self.p[frozenset((first, second))]

    @property
    def signature(self) -> str:
        test = {"test": "approximate-randomisation", "sided": 2, "rounds": self.rounds, "seed": self.seed}
        return signature(self.measure, **test, **self.options)

    def tables(self) -> list[Table]:
        """The p-values as a table.

        Returns:
            The lower triangle, with a row and a column for each system.
        """
        return [p_table(self.order, self.p)]


def p_table(order: Sequence[str], p: Mapping[frozenset[str], float | None]) -> Table:
    """The lower triangle of p-values; columns are numbered where their names would not fit the screen."""
    wide = sum(len(name) + 2 for name in order) > _SCREEN
    columns = [str(place + 1) for place in range(len(order) - 1)] if wide else list(order[:-1])
    rows = [
        (
            f"{index + 1} {row}" if wide else row,
            *(p[frozenset((row, column))] if place < index else None for place, column in enumerate(order[:-1])),
        )
        for index, row in enumerate(order)
        if index or wide
    ]
    note = "a column's number is that of its system" if wide else ""
    return Table("P-values", ("system", *columns), rows, digits=4, note=note)


_SCREEN = 100


def pair_tests(
    rows: Mapping[str, Counts],
    statistic: Statistic,
    *,
    measure: str,
    rounds: int,
    seed: int,
    options: Mapping[str, str] | None = None,
) -> PairTests:
    """Test every pair of systems' ``rows`` (items × counts, the same items in the same order) by ``statistic``.

    Raises:
        InputError: fewer than two systems. OptionError: rounds or seed out of range.
    """
    import numpy as np

    if len(rows) < 2:
        raise InputError("there is nothing to compare", remedy="give two systems or more")
    with np.errstate(all="ignore"):
        scores = {name: float(statistic(counts.sum(axis=0)[np.newaxis])[0]) for name, counts in rows.items()}
    order = sorted(rows, key=lambda name: (not np.isfinite(scores[name]), -scores[name], name))
    tests = {
        frozenset(pair): randomisation_test_of(rows[pair[0]], rows[pair[1]], statistic, rounds=rounds, seed=seed).p
        for pair in combinations(order, 2)
    }
    return PairTests(tuple(order), tests, measure, rounds, seed, options or {})


def macro_f1_of(counts: Counts, labels: int, averaged: Sequence[int], zero_division: ZeroDivision) -> Counts:
    """Macro F1 of rows of confusion counts (gold × predicted, ``labels`` squared, one row a sum) over some labels."""
    import numpy as np

    cells = counts.reshape(len(counts), labels, labels)
    gold, predicted = cells.sum(axis=2)[:, averaged], cells.sum(axis=1)[:, averaged]
    both = np.diagonal(cells, axis1=1, axis2=2)[:, averaged]
    absent = gold + predicted == 0
    scores = np.divide(2 * both, gold + predicted, out=np.zeros_like(both), where=~absent)
    if zero_division != "leave-out":
        scores[absent] = float(zero_division)
        mean: Counts = scores.mean(axis=1)
        return mean
    with np.errstate(all="ignore"):
        left: Counts = scores.sum(axis=1) / (~absent).sum(axis=1)
    return left
