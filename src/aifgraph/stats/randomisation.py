"""The paired approximate randomisation test: are two systems, run on the same items, really different?

In each round the two results of every item are swapped with probability ½; c counts the rounds whose difference is at
least as large, either way, as the one observed, and p = (c + 1) / (R + 1). Few items have few patterns of exchange: all
of them are counted then, and p is the share c has of them. The same seed swaps the same items for every
pair of systems, so that a pair's p does not depend on which other systems are compared. (The draws of
``scipy.stats.permutation_test`` depend on the size of its batches, and it does not know a statistic without a value.)

>>> systems = {"ours": [[1, 1]] * 8, "theirs": [[0, 1]] * 8}
>>> tests = randomisation_tests(systems, lambda sums: sums[:, 0] / sums[:, 1], rounds=999, seed=1)
>>> test = tests["ours", "theirs"]
>>> test.difference, test.p == test.smallest_p == 2 / 2**8, test.exact
(1.0, True, True)
>>> holm([0.01, 0.04, 0.03])
[0.03, 0.06, 0.06]

Sources: Noreen (1989), Computer-intensive methods for testing hypotheses; Habernal et al. (2018), SemEval-2018 task 12;
Holm (1979), A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import nan
from typing import TYPE_CHECKING

from aifgraph.errors import OptionError
from aifgraph.stats.bootstrap import BLOCK, MAX_ROUNDS, Statistic, check_rounds, check_seed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from aifgraph.stats.bootstrap import Array, Mask

# Two sums of the same numbers in another order may differ in their last digits: they are still as large.
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class RandomisationTest:
    """``difference`` = first − second over the ``items`` in which both are defined; ``at_least`` = c of the ``rounds``.

    ``p`` = (c + 1) / (rounds + 1); where all patterns of exchange were counted (``exact``), the ``rounds`` are these
    patterns and ``p`` = c / rounds. Where the difference is undefined, so is ``p``, and ``reason`` says why.
    """

    difference: float | None
    p: float | None
    at_least: int
    rounds: int
    items: int
    exact: bool = False
    reason: str | None = None

    @property
    def smallest_p(self) -> float | None:
        """The smallest p that so many items can give, 2 / 2^items; None without items."""
        return min(1.0, 2.0 ** (1 - self.items)) if self.items else None


def randomisation_tests(
    systems: Mapping[str, ArrayLike],
    statistic: Statistic,
    *,
    rounds: int = 10_000,
    seed: int = 0,
    defined: Mapping[str, Mask] | None = None,
) -> dict[tuple[str, str], RandomisationTest]:
    """Test every two of ``systems``, by their names: the difference of a ``statistic`` of their summed rows (items ×
    columns, the same items in the same order).

    Only the items count in which both are ``defined`` (by default all). With at most as many patterns of exchange
    (2^items) as ``rounds``, all of them are counted: the test is exact. A round in which either side's statistic is
    undefined counts as at least as large, which makes p greater, not smaller.

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
    same_items: dict[bytes, tuple[Mask, list[tuple[str, str]]]] = {}
    for pair in combinations(tables, 2):
        mask = items_of_both(*pair, len(tables[pair[0]]), defined)
        same_items.setdefault(mask.tobytes(), (mask, []))[1].append(pair)
    tests: dict[tuple[str, str], RandomisationTest] = {}
    for mask, pairs in same_items.values():
        tests |= _tests({name: table[mask] for name, table in tables.items()}, pairs, statistic, rounds, seed)
    return {pair: tests[pair] for pair in combinations(tables, 2)}


def items_of_both(one: str, other: str, items: int, defined: Mapping[str, Mask] | None) -> Mask:
    """The items in which two systems are both defined."""
    import numpy as np

    return np.ones(items, dtype=bool) if defined is None else defined[one] & defined[other]


def _tests(
    tables: Mapping[str, Array], pairs: list[tuple[str, str]], statistic: Statistic, rounds: int, seed: int
) -> dict[tuple[str, str], RandomisationTest]:
    """The tests of some pairs over the same items."""
    import numpy as np

    items, columns = next(iter(tables.values())).shape
    exact = items < MAX_ROUNDS.bit_length() and 2**items <= rounds
    counted = 2**items if exact else rounds
    sums = {name: table.sum(axis=0) for name, table in tables.items()}

    def differences(left: Array, right: Array) -> Array:
        with np.errstate(all="ignore"):
            apart: Array = statistic(left) - statistic(right)
        return apart

    observed = {
        (one, other): float(differences(sums[one][np.newaxis], sums[other][np.newaxis])[0]) if items else nan
        for one, other in pairs
    }
    bars = {pair: abs(apart) - _SLACK * max(1.0, abs(apart)) for pair, apart in observed.items() if np.isfinite(apart)}
    counts = dict.fromkeys(bars, 0)
    for swaps in _patterns(items, columns=columns) if exact else _swaps(items, rounds, seed, columns=columns):
        swapped = {name: swaps @ tables[name] for name in dict.fromkeys(chain.from_iterable(bars))}
        for (one, other), bar in bars.items():
            moved = swapped[other] - swapped[one]
            turned = np.abs(differences(sums[one] + moved, sums[other] - moved))
            counts[one, other] += int(np.count_nonzero(~(turned < bar)))  # NaN counts
    reason = "the statistic is undefined for one of the two" if items else "there is no item in which both are defined"
    tests = {}
    for pair, apart in observed.items():
        if pair not in counts:
            tests[pair] = RandomisationTest(None, None, 0, counted, items, exact, reason)
            continue
        p = counts[pair] / counted if exact else (counts[pair] + 1) / (rounds + 1)
        tests[pair] = RandomisationTest(apart, p, counts[pair], counted, items, exact)
    return tests


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


def _patterns(items: int, *, columns: int) -> Iterator[Array]:
    """Blocks of all 2^items patterns of exchange, as :func:`_swaps` has those that it draws."""
    import numpy as np

    block = max(1, BLOCK // max(items, columns, 1))
    for start in range(0, 2**items, block):
        numbers = np.arange(start, min(start + block, 2**items))
        yield ((numbers[:, np.newaxis] >> np.arange(items)) & 1).astype(np.float64)
