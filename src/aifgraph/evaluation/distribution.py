"""How a number is spread over the pairs of a corpus: quartiles, outliers, the worst first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest
from math import fsum, sqrt

from aifgraph.errors import OptionError
from aifgraph.evaluation.pooled import PairSummary
from aifgraph.stats.scores import SCORES


@dataclass(frozen=True, slots=True)
class Distribution:
    """Of ``count`` defined values: mean, standard deviation (of the population), least, quartiles, greatest.

    ``outliers`` are the names whose value lies more than 1.5 interquartile ranges outside the quartiles (Tukey 1977),
    the least first.
    """

    count: int
    mean: float
    deviation: float
    least: float
    quartiles: tuple[float, float, float]
    greatest: float
    outliers: tuple[tuple[str, float], ...]


def distribution(values: Iterable[tuple[str, float | None]]) -> Distribution | None:
    """The distribution of the defined values by name; None if there is none. Quartiles are interpolated linearly.

    >>> found = distribution([("a", 0.5), ("b", 0.6), ("c", 0.7), ("d", 0.0), ("e", 0.6), ("f", None)])
    >>> found.quartiles, found.outliers
    ((0.5, 0.6, 0.6), (('d', 0.0),))
    """
    known = sorted((value, name) for name, value in values if value is not None)
    if not known:
        return None
    numbers = [value for value, _ in known]
    mean = fsum(numbers) / len(numbers)
    low, middle, high = (_quantile(numbers, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (high - low)
    return Distribution(
        len(numbers),
        mean,
        sqrt(fsum((value - mean) ** 2 for value in numbers) / len(numbers)),
        numbers[0],
        (low, middle, high),
        numbers[-1],
        tuple((name, value) for value, name in known if value < low - reach or value > high + reach),
    )


def _quantile(numbers: list[float], share: float) -> float:
    place = share * (len(numbers) - 1)
    below = int(place)
    above = min(below + 1, len(numbers) - 1)
    return numbers[below] + (place - below) * (numbers[above] - numbers[below])


def worst(pairs: Iterable[PairSummary], score: str = "kappa", count: int = 10) -> list[PairSummary]:
    """The ``count`` pairs with the least CASS of a score, the worst first; what is undefined is left out.

    Raises:
        OptionError: there is no such score.
    """
    if score not in SCORES:
        raise OptionError(f"there is no score {score!r}", remedy=f"choose among {', '.join(SCORES)}")
    defined = ((pair.cass[""][score], number, pair) for number, pair in enumerate(pairs))
    known = ((value, number, pair) for value, number, pair in defined if value is not None)
    return [pair for _, _, pair in nsmallest(count, known, key=lambda each: each[:2])]
