"""The ranges of the options that all resampling shares: rounds, seed, level."""

from __future__ import annotations

from aifgraph.errors import OptionError

MOST_ROUNDS = 1_000_000
MOST_SEED = 2**32 - 1


def check_rounds(rounds: int) -> None:
    """Raise OptionError unless ``rounds`` is an integer from 1 to a million."""
    _check_integer("rounds", rounds, 1, MOST_ROUNDS)


def check_seed(seed: int) -> None:
    """Raise OptionError unless ``seed`` is an integer from 0 to 2³² − 1."""
    _check_integer("seed", seed, 0, MOST_SEED)


def check_level(level: float) -> None:
    """Raise OptionError unless the confidence ``level`` lies between 0 and 1."""
    if not 0 < level < 1:
        raise OptionError(f"a confidence level of {level}", remedy="give one between 0 and 1, such as 0.95")


def _check_integer(name: str, value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise OptionError(f"{name} is {value!r}", remedy=f"give an integer from {least} to {most}")
