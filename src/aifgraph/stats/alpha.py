"""Agreement of any number of coders: Krippendorff's alpha, nominal with missing labels and unitised; Fleiss' kappa.

Alpha and kappa of labels are made of sums that add up over texts; each function takes an array (rounds × sums), as a
bootstrap has them.

>>> nominal_alpha({("a", "a", None): 1, ("b", "b", "b"): 1, ("a", "b", None): 1})
0.5

Sources: Krippendorff (2011), Computing Krippendorff's alpha-reliability; Fleiss (1971), Measuring nominal scale
agreement among many raters; Krippendorff (1995), On the reliability of unitizing continuous data.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, TypeVar

from aifgraph.errors import OptionError

if TYPE_CHECKING:
    from aifgraph.stats.resampling import Array

#: The labels that the coders give to one item.
LabelRow = TypeVar("LabelRow", bound=tuple[Hashable, ...])

Unit = tuple[int, int, str]
"""A unit a coder marked: start, end (exclusive), category."""


def label_sums(counts: Mapping[LabelRow, int], labels: Iterable[Hashable] | None = None) -> list[Fraction | int]:
    """Return what alpha and Fleiss' kappa are computed from, to be added up over texts.

    These are the ordered pairs of agreeing labels, each item's divided by its number of labels − 1; then how often each
    of the ``labels`` (by default those that occur) is given in items that have at least two. ``counts`` says how many
    items got which labels, None where a coder gave none.
    """
    totals: dict[Hashable, int] = dict.fromkeys(labels or (), 0)
    agreeing: Counter[int] = Counter()
    for item, count in counts.items():
        given = Counter(label for label in item if label is not None)
        if (number := given.total()) > 1:
            for label, times in given.items():
                totals[label] = totals.get(label, 0) + times * count
                agreeing[number - 1] += times * (times - 1) * count
    return [sum(Fraction(pairs, others) for others, pairs in agreeing.items()), *totals.values()]


def alpha_of_sums(sums: Array) -> Array:
    """Return alpha, 1 − (n − 1)(n − Σo) / (n² − Σn²), of rows of ``label_sums``; NaN where no item has two labels.

    n are the labels, Σo their agreeing pairs. It is 1 if all labels are the same.
    """
    import numpy as np

    n = sums[:, 1:].sum(axis=1)
    expected = n * n - (sums[:, 1:] ** 2).sum(axis=1)
    with np.errstate(all="ignore"):
        alpha: Array = np.where(expected > 0, 1 - (n - 1) * (n - sums[:, 0]) / expected, 1.0)
    return np.where(n > 0, alpha, np.nan)


def fleiss_of_sums(sums: Array) -> Array:
    """Return Fleiss' kappa, (P − Pe) / (1 − Pe), of rows of ``label_sums``; NaN where there are no labels.

    P is the share of agreeing pairs of labels, Pe = Σp² over the shares of labels. All items have the same number of
    labels, 2 or more. It is 1 if Pe is.
    """
    import numpy as np

    labels = sums[:, 1:].sum(axis=1)
    with np.errstate(all="ignore"):
        observed, chance = sums[:, 0] / labels, (sums[:, 1:] ** 2).sum(axis=1) / labels**2
        kappa: Array = np.where(chance < 1, (observed - chance) / (1 - chance), 1.0)
    return np.where(labels > 0, kappa, np.nan)


def nominal_alpha(counts: Mapping[LabelRow, int]) -> float | None:
    """Return alpha of nominal labels; None if no item has two.

    (The package ``krippendorff`` takes a row an item, and so memory for items × labels²; the items of a study are pairs
    of propositions, most of them without a relation.)
    """
    import numpy as np

    alpha = float(alpha_of_sums(np.array([label_sums(counts)], dtype=np.float64))[0])
    return None if np.isnan(alpha) else alpha


@dataclass(frozen=True, slots=True)
class UnitisedAlpha:
    """Unitised alpha of one category or of all; None where no unit is marked, or no disagreement is possible.

    The disagreements, ``observed`` and ``expected`` by chance, can be summed over texts: 1 − Σ observed / Σ expected is
    then the alpha of them all.
    """

    value: float | None
    observed: float
    expected: float


@dataclass(frozen=True, slots=True)
class Unitisation:
    """Unitised alpha over all categories, and of each by name in sorted order."""

    all: UnitisedAlpha
    categories: Mapping[str, UnitisedAlpha]


def unitised_alpha(coders: Sequence[Iterable[Unit]], length: int) -> Unitisation:
    """Return Krippendorff's unitised alpha of what ``coders`` marked on one continuum of ``length`` places.

    Units of one coder and category that overlap are one unit; what no unit covers is gap. Observed disagreement counts,
    over ordered pairs of coders, for two units that intersect the squared distances of their starts and of their ends,
    and for a unit that lies in the other's gap its squared length; over m(m − 1)·length². The expected one is the same
    over all ways in which the units and gaps found could meet. Over all categories, both are summed first. Undefined
    where nobody marked a unit, or nothing but agreement was possible. Exact until the last division; the time grows
    with the units of each pair of coders, not with ``length``.

    Source: Krippendorff (1995), On the reliability of unitizing continuous data, with the formulas as in Krippendorff
    (2004), Content analysis, chapter 11; used for arguments by Habernal and Gurevych (2016).

    >>> first = [(225, 295, "c"), (370, 400, "c")]
    >>> second = [(220, 300, "c"), (355, 375, "c"), (400, 420, "c")]
    >>> shift = lambda units: [(start - 150, end - 150, category) for start, end, category in units]
    >>> result = unitised_alpha([shift(first), shift(second)], 300)
    >>> [round(number, 4) for number in (result.all.observed, result.all.expected, result.all.value)]
    [0.0144, 0.0532, 0.7286]
    """
    if len(coders) < 2:
        raise OptionError(f"agreement needs two coders or more, not {len(coders)}")
    if length < 1:
        raise OptionError(f"length cannot be {length}", remedy="give 1 or more")
    units_of: dict[str, list[list[tuple[int, int]]]] = {}
    for number, units in enumerate(coders):
        for start, end, category in units:
            if not 0 <= start < end <= length:
                raise OptionError(f"the unit {start} to {end} does not lie in 0 to {length}", where=f"coder {number}")
            units_of.setdefault(category, [[] for _ in coders])[number].append((start, end))
    parts: dict[str, tuple[Fraction, Fraction]] = {}
    for category in sorted(units_of):
        marked = list(map(_joined, units_of[category]))
        parts[category] = _observed(marked, length), _expected(marked, length)
    total = sum((part[0] for part in parts.values()), Fraction(0)), sum((p[1] for p in parts.values()), Fraction(0))
    return Unitisation(_alpha(*total), {category: _alpha(*part) for category, part in parts.items()})


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order; those that overlap become one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _alpha(observed: Fraction, expected: Fraction) -> UnitisedAlpha:
    value = float(1 - observed / expected) if expected else None
    return UnitisedAlpha(value, float(observed), float(expected))


def _observed(marked: list[list[tuple[int, int]]], length: int) -> Fraction:
    total = sum(_disagreement(first, second) for first, second in combinations(marked, 2))
    coders = len(marked)
    return Fraction(2 * total, coders * (coders - 1) * length**2)


def _disagreement(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> int:
    """Return the disagreement of a pair of coders, in one sweep over both."""
    total = index = 0
    met = [False] * len(second)
    for start, end in first:
        while index < len(second) and second[index][1] <= start:
            index += 1
        alone, ahead = True, index
        while ahead < len(second) and second[ahead][0] < end:
            total += (start - second[ahead][0]) ** 2 + (end - second[ahead][1]) ** 2
            alone, met[ahead] = False, True
            ahead += 1
        # A unit that meets none of the other's lies in one of the other's gaps.
        if alone:
            total += (end - start) ** 2
    return total + sum((end - start) ** 2 for (start, end), seen in zip(second, met, strict=True) if not seen)


def _expected(marked: list[list[tuple[int, int]]], length: int) -> Fraction:
    lengths = [end - start for spans in marked for start, end in spans]
    gaps = sorted(gap for spans in marked for gap in _gaps(spans, length))
    above = [0, *accumulate(reversed(gaps))]  # above[k]: the k longest gaps together
    total = 0
    for size in lengths:
        wide = len(gaps) - bisect_left(gaps, size)
        # The squared distances over all ways in which two units of lengths l, l' can intersect sum to f(l) + f(l'),
        # f(l) = l(l − 1)(2l − 1) / 3; into a gap g it fits in g − l + 1 ways.
        total += (len(lengths) - 1) * (size * (size - 1) * (2 * size - 1))
        total += 3 * size * size * (above[wide] - wide * (size - 1))
    places = len(marked) * length
    return Fraction(2 * total, 3 * length * (places * (places - 1) - sum(size * (size - 1) for size in lengths)))


def _gaps(spans: list[tuple[int, int]], length: int) -> list[int]:
    edges = [0, *(edge for span in spans for edge in span), length]
    return [gap for start, end in zip(edges[::2], edges[1::2], strict=True) if (gap := end - start)]
