"""A number that may be undefined, and the plainest of them: mean and deviation.

>>> mean_and_deviation([1.0, 2.0, 3.0, 4.0])
(2.5, 1.118033988749895)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt


@dataclass(frozen=True, slots=True)
class Estimate:
    """``value``, or ``None`` and the ``reason`` why it is undefined."""

    value: float | None
    reason: str | None = None

    @classmethod
    def undefined(cls, reason: str) -> Estimate:
        """No value, for this reason."""
        return cls(None, reason)


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float] | None:
    """The mean and the population standard deviation (divided by n, not n − 1); ``None`` of no values."""
    if not values:
        return None
    mean = fsum(values) / len(values)
    return mean, sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
