"""The paired approximate randomisation test: are two systems, run on the same items, really different?

In each round the two results of every item are swapped with probability ½; c counts the rounds whose difference is at
least as large, either way, as the one observed, and p = (c + 1) / (R + 1). The same seed swaps the same items for every
pair of systems, so that a pair's p does not depend on which other systems are compared. (The draws of
``scipy.stats.permutation_test`` depend on the size of its batches, and it does not know a statistic without a value.)

>>> systems = {"ours": [[1, 1]] * 8, "theirs": [[0, 1]] * 8}
>>> tests = randomisation_tests(systems, lambda sums: sums[:, 0] / sums[:, 1], rounds=999, seed=1)
>>> test = tests["ours", "theirs"]
>>> test.difference, test.p < 0.05
(1.0, True)
>>> holm([0.01, 0.04, 0.03])
[0.03, 0.06, 0.06]

Sources: Noreen (1989), Computer-intensive methods for testing hypotheses; Habernal et al. (2018), SemEval-2018 task 12;
Holm (1979), A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from aifgraph.errors import OptionError
from aifgraph.stats.bootstrap import BLOCK, Statistic, check_rounds, check_seed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from aifgraph.stats.bootstrap import Array

# Two sums of the same numbers in another order may differ in their last digits: they are still as large.
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class RandomisationTest:
    """``difference`` = first − second; ``at_least`` = c of the ``rounds``; ``p`` = (c + 1) / (rounds + 1).

    Where the difference is undefined, so is ``p``, and ``reason`` says why.
    """

    difference: float | None
    p: float | None
    at_least: int
    rounds: int
    reason: str | None = None


def randomisation_tests(
    systems: Mapping[str, ArrayLike], statistic: Statistic, *, rounds: int = 10_000, seed: int = 0
) -> dict[tuple[str, str], RandomisationTest]:
    """Test every two of ``systems``, by their names: the difference of a ``statistic`` of their summed rows (items ×
    columns, the same items in the same order).

    A round in which either side's statistic is undefined counts as at least as large, which makes p greater, not
    smaller.

    Raises:
        OptionError: tables of different shapes, no items, numbers that are not finite, rounds or seed out of range.
    """
    import numpy as np

    check_rounds(rounds)
    check_seed(seed)
    tables = {name: np.asarray(rows, dtype=np.float64) for name, rows in systems.items()}
    shapes = {table.shape for table in tables.values()}
    if len(shapes) != 1 or any(table.ndim != 2 or not table.size for table in tables.values()):
        raise OptionError(f"rows of shapes {sorted(shapes)}", remedy="give items × columns of every system")
    if not all(np.isfinite(table).all() for table in tables.values()):
        raise OptionError("a value is no finite number", remedy="leave out, or score as 0, what has none")
    ((items, columns),) = shapes
    sums = {name: table.sum(axis=0) for name, table in tables.items()}

    def differences(left: Array, right: Array) -> Array:
        with np.errstate(all="ignore"):
            apart: Array = statistic(left) - statistic(right)
        return apart

    observed = {
        (one, other): float(differences(sums[one][np.newaxis], sums[other][np.newaxis])[0])
        for one, other in combinations(tables, 2)
    }
    bars = {pair: abs(apart) - _SLACK * max(1.0, abs(apart)) for pair, apart in observed.items() if np.isfinite(apart)}
    counts = dict.fromkeys(bars, 0)
    for swaps in _swaps(items, rounds, seed, columns=columns):
        swapped = {name: swaps @ table for name, table in tables.items()}
        for (one, other), bar in bars.items():
            moved = swapped[other] - swapped[one]
            turned = np.abs(differences(sums[one] + moved, sums[other] - moved))
            counts[one, other] += int(np.count_nonzero(~(turned < bar)))  # NaN counts
    undefined = RandomisationTest(None, None, 0, rounds, "the statistic is undefined for one of the two")
    return {
        pair: RandomisationTest(apart, (counts[pair] + 1) / (rounds + 1), counts[pair], rounds)
        if pair in counts
        else undefined
        for pair, apart in observed.items()
    }


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values, in the order given; ``None`` stays ``None`` and is not counted as a test.

    The k-th smallest of m is multiplied by m − k + 1, is at least as large as those before it, and at most 1.

    Raises:
        OptionError: a p-value outside 0 to 1.
    """
    ranked = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(ranked):
        largest = max(largest, min(1.0, p * (len(ranked) - rank)))
        adjusted[place] = largest
    return adjusted


def _swaps(items: int, rounds: int, seed: int, *, columns: int) -> Iterator[Array]:
    """Blocks (some rounds × items) of 1 for swapped, 0 for not, all of ``rounds``."""
    import numpy as np

    random = np.random.default_rng(seed)
    block = max(1, BLOCK // max(items, columns))
    # One bit a swap, and whole 32-bit words a round: so the stream does not depend on the size of the blocks.
    width = 4 * -(-items // 32)
    for start in range(0, rounds, block):
        drawn = np.frombuffer(random.bytes(min(block, rounds - start) * width), dtype=np.uint8)
        yield np.unpackbits(drawn.reshape(-1, width), axis=1, count=items).astype(np.float64)
