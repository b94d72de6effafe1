"""The paired approximate randomisation test: are two systems, run on the same items, really different?

In each round the two results of every item are swapped with probability ½; c counts the rounds whose difference is at
least as large, either way, as the one observed, and p = (c + 1) / (R + 1). The same seed swaps the same items for every
pair of systems, so that a pair's p does not depend on which other systems are compared.

>>> test = randomisation_test([1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 0], rounds=999, seed=1)
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
from typing import TYPE_CHECKING, TypeAlias

from aifgraph.errors import OptionError
from aifgraph.stats.bootstrap import Statistic, check_rounds, check_seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array: TypeAlias = NDArray[np.float64]

# Numbers held at a time (8 bytes each), whatever the numbers of items, rounds and pairs.
_BLOCK = 2_000_000

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


def randomisation_test(
    first: Sequence[float], second: Sequence[float], *, rounds: int = 10_000, seed: int = 0
) -> RandomisationTest:
    """Test the difference of the means of two systems' values on the same items, in the same order.

    Raises:
        OptionError: unequal lengths, no items, values that are no finite numbers, rounds or seed out of range.
    """
    return randomisation_tests({"first": first, "second": second}, rounds=rounds, seed=seed)["first", "second"]


def accuracy_test(
    first: Sequence[int | bool], second: Sequence[int | bool], *, rounds: int = 10_000, seed: int = 0
) -> RandomisationTest:
    """Test the difference of two accuracies; 1 for each item a system has right, 0 for each it has wrong.

    Raises:
        OptionError: as :func:`randomisation_test`, and for a value that is neither 0 nor 1.
    """
    for name, values in (("first", first), ("second", second)):
        for place, value in enumerate(values):
            if value not in (0, 1):
                raise OptionError(f"{value!r} is neither 0 nor 1", where=f"{name}, item {place}")
    return randomisation_test(first, second, rounds=rounds, seed=seed)


def randomisation_tests(
    systems: Mapping[str, Sequence[float]], *, rounds: int = 10_000, seed: int = 0
) -> dict[tuple[str, str], RandomisationTest]:
    """Test every pair of ``systems`` (name → one value per item), by (earlier name, later name).

    Raises:
        OptionError: as :func:`randomisation_test`.
    """
    import numpy as np

    check_rounds(rounds)
    check_seed(seed)
    names = list(systems)
    lengths = {name: len(systems[name]) for name in names}
    items = lengths[names[0]] if names else 0
    for name, length in lengths.items():
        if length != items or not items:
            raise OptionError(f"{length} items, where {items or 'at least one'} are needed", where=name)
    pairs = list(combinations(range(len(names)), 2))
    if not pairs:
        return {}
    table = np.array([systems[name] for name in names], dtype=np.float64)
    if not np.isfinite(table).all():
        raise OptionError("a value is no finite number", remedy="leave out, or score as 0, what has none")
    apart = table[[a for a, _ in pairs]] - table[[b for _, b in pairs]]  # pairs × items
    observed = apart.sum(axis=1)
    bar = np.abs(observed) - _SLACK * np.abs(apart).sum(axis=1)
    counts = np.zeros(len(pairs), dtype=np.int64)
    for swaps in _swaps(items, rounds, seed, columns=len(pairs)):
        # Swapping an item turns its difference round: Σd − 2 Σ over swapped d.
        turned = observed - 2 * (swaps @ apart.T)
        counts += np.count_nonzero(np.abs(turned) >= bar, axis=0)
    return {
        (names[a], names[b]): RandomisationTest(
            float(observed[place]) / items, (int(counts[place]) + 1) / (rounds + 1), int(counts[place]), rounds
        )
        for place, (a, b) in enumerate(pairs)
    }


def randomisation_test_of(
    first: ArrayLike, second: ArrayLike, statistic: Statistic, *, rounds: int = 10_000, seed: int = 0
) -> RandomisationTest:
    """Test the difference of a ``statistic`` of summed rows (items × columns), as in :mod:`aifgraph.stats.bootstrap`.

    A round in which either side's statistic is undefined counts as at least as large, which makes p greater, not
    smaller.

    Raises:
        OptionError: tables of different shapes, no items, numbers that are not finite, rounds or seed out of range.
    """
    import numpy as np

    check_rounds(rounds)
    check_seed(seed)
    ours, theirs = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if ours.ndim != 2 or ours.shape != theirs.shape or not ours.size:
        raise OptionError(f"rows of shapes {ours.shape} and {theirs.shape}", remedy="give items × columns, twice")
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        raise OptionError("a value is no finite number", remedy="leave out, or score as 0, what has none")

    def differences(left: Array, right: Array) -> Array:
        with np.errstate(all="ignore"):
            apart: Array = statistic(left) - statistic(right)
        return apart

    left, right, change = ours.sum(axis=0), theirs.sum(axis=0), theirs - ours
    observed = float(differences(left[np.newaxis], right[np.newaxis])[0])
    if not np.isfinite(observed):
        return RandomisationTest(None, None, 0, rounds, "the statistic is undefined for one of the two")
    bar = abs(observed) - _SLACK * max(1.0, abs(observed))
    count = 0
    for swaps in _swaps(len(ours), rounds, seed, columns=ours.shape[1]):
        moved = swaps @ change
        turned = np.abs(differences(left + moved, right - moved))
        count += int(np.count_nonzero(~(turned < bar)))  # NaN counts
    return RandomisationTest(observed, (count + 1) / (rounds + 1), count, rounds)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values, in the order given; ``None`` stays ``None`` and is not counted as a test.

    The k-th smallest of m is multiplied by m − k + 1, is at least as large as those before it, and at most 1.

    Raises:
        OptionError: a p-value outside 0 to 1.
    """
    for place, p in enumerate(p_values):
        if p is not None and not 0 <= p <= 1:
            raise OptionError(f"{p!r} is no p-value", where=f"number {place}")
    ranked = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, place) in enumerate(ranked):
        least = max(least, min(1.0, p * (len(ranked) - rank)))
        adjusted[place] = least
    return adjusted


def _swaps(items: int, rounds: int, seed: int, *, columns: int) -> Iterator[Array]:
    """Blocks (some rounds × items) of 1 for swapped, 0 for not, all of ``rounds``."""
    import numpy as np

    random = np.random.default_rng(seed)
    block = max(1, _BLOCK // max(items, columns))
    # One bit a swap, and whole 32-bit words a round: so the stream does not depend on the size of the blocks.
    width = 4 * -(-items // 32)
    for start in range(0, rounds, block):
        drawn = np.frombuffer(random.bytes(min(block, rounds - start) * width), dtype=np.uint8)
        yield np.unpackbits(drawn.reshape(-1, width), axis=1, count=items).astype(np.float64)
