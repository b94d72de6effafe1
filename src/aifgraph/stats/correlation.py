"""Correlation of a yes/no variable with a number.

>>> point_biserial([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0]).value
0.8944271909999159
>>> point_biserial([1, 1, 1], [3.0, 2.0, 1.0])
Estimate(value=None, reason='the yes/no variable is constant')
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isfinite, sqrt

from aifgraph.errors import OptionError
from aifgraph.stats import Estimate


def point_biserial(flags: Sequence[int | bool], values: Sequence[float]) -> Estimate:
    """The point-biserial correlation: Pearson's r of ``flags`` (0 or 1 each) with ``values``, of the same length.

    Undefined, with the reason, for fewer than two items and where either side is constant.

    Raises:
        OptionError: unequal lengths, a flag that is neither 0 nor 1, a value that is no finite number.
    """
    if len(flags) != len(values):
        raise OptionError(f"{len(flags)} flags for {len(values)} values", remedy="give one flag per value")
    for place, flag in enumerate(flags):
        if flag not in (0, 1):
            raise OptionError(f"{flag!r} is neither 0 nor 1", where=f"item {place}")
    for place, value in enumerate(values):
        if not isfinite(value):
            raise OptionError(f"{value!r} is no finite number", where=f"item {place}")
    if len(flags) < 2:
        return Estimate.undefined("there are fewer than two items")
    if min(flags) == max(flags):
        return Estimate.undefined("the yes/no variable is constant")
    if min(values) == max(values):
        return Estimate.undefined("the values are constant")
    count, ones = len(flags), sum(flags)
    mean = fsum(values) / count
    apart = [value - mean for value in values]
    # The scale is taken out first: squares of very small deviations would vanish.
    scale = max(map(abs, apart))
    apart = [value / scale for value in apart]
    spread = fsum(value * value for value in apart)
    shared = fsum(value for flag, value in zip(flags, apart, strict=True) if flag)
    return Estimate(max(-1.0, min(1.0, shared / sqrt(ones * (count - ones) / count * spread))))
