"""Random weights of items: the bootstrap, and exchanges for paired tests.

Weights come in blocks (rounds × items), so that memory does not grow with the number of rounds. One seed gives one
sequence of weights, whatever the size of the blocks.

Sources: Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 13 (percentile intervals); Noreen
(1989), Computer-intensive methods for testing hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from aifgraph.errors import OptionError

Array: TypeAlias = NDArray[np.float64]

#: Numbers in a block.
BLOCK = 2_000_000
#: The most rounds, and the greatest seed.
MAX_ROUNDS, MAX_SEED = 1_000_000, 2**32 - 1


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Percentile intervals at a ``level`` from ``rounds`` resamples.

    >>> Bootstrap(rounds=500).parts
    {'intervals': 'percentile', 'level': '0.95', 'rounds': 500, 'seed': 0}
    """

    rounds: int = 1000
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        _check("rounds", self.rounds, 1, MAX_ROUNDS)
        _check("seed", self.seed, 0, MAX_SEED)
        if not 0.5 <= self.level < 1:
            raise OptionError(f"level is {self.level!r}, not from 0.5 to less than 1")

    @property
    def parts(self) -> dict[str, object]:
        """The parts of a signature that describe the intervals."""
        return {"intervals": "percentile", "level": f"{self.level:.12g}", "rounds": self.rounds, "seed": self.seed}

    def weights(self, items: int) -> Iterator[Array]:
        """Yield how often each item is drawn in each round, as many a round as there are; none below two items."""
        if items < 2:
            return
        block, generator = max(1, BLOCK // items), np.random.default_rng(self.seed)
        for start in range(0, self.rounds, block):
            rounds = min(block, self.rounds - start)
            drawn = generator.integers(0, items, size=(rounds, items)) + items * np.arange(rounds)[:, np.newaxis]
            yield np.bincount(drawn.ravel(), minlength=rounds * items).reshape(rounds, items).astype(np.float64)

    def interval(self, blocks: Sequence[Array]) -> tuple[float | None, float | None, int]:
        """Return the ends of the interval of resampled values, and how many are undefined."""
        values = np.concatenate([np.empty(0), *blocks])
        defined = values[np.isfinite(values)]
        if not len(defined):
            return None, None, len(values)
        tail = (1 - self.level) / 2
        low, high = np.quantile(defined, [tail, 1 - tail])
        return float(low), float(high), len(values) - len(defined)


def exchanges(items: int, rounds: int, seed: int) -> tuple[Iterator[NDArray[np.uint8]], bool]:
    """Return patterns of exchange (1 for an item that changes sides, else 0), and whether they are all there are.

    All 2^items patterns are given where these are at most as many as ``rounds``.
    """
    _check("rounds", rounds, 1, MAX_ROUNDS)
    if items < rounds.bit_length() and 2**items <= rounds:
        return _all_exchanges(items), True
    return _random_exchanges(items, rounds, seed), False


def _all_exchanges(items: int) -> Iterator[NDArray[np.uint8]]:
    block = max(1, BLOCK // items)
    for start in range(0, 2**items, block):
        numbers = np.arange(start, min(start + block, 2**items))[:, np.newaxis]
        yield ((numbers >> np.arange(items)) & 1).astype(np.uint8)


def _random_exchanges(items: int, rounds: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    generator = np.random.default_rng(seed)
    block = max(1, BLOCK // items)
    width = 4 * -(-items // 32)  # bytes a round: one bit an item, in whole words of 32 bits
    for start in range(0, rounds, block):
        drawn = np.frombuffer(generator.bytes(min(block, rounds - start) * width), dtype=np.uint8)
        yield np.unpackbits(drawn.reshape(-1, width), axis=1, count=items)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted after Holm (1979), in the order given; None stays None and counts as no test.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    ranked = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, index) in enumerate(ranked):
        largest = max(largest, min(1.0, p * (len(ranked) - rank)))
        adjusted[index] = largest
    return adjusted


def _check(name: str, value: Any, least: int, most: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise OptionError(f"{name} is {value!r}, not a whole number from {least} to {most}")
