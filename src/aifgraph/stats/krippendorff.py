"""Krippendorff's alpha for any number of coders: nominal with missing labels, and unitised.

>>> nominal_alpha({("a", "a", None): 1, ("b", "b", "b"): 1, ("a", "b", None): 1}).value
0.5
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from typing import TYPE_CHECKING

from aifgraph.errors import OptionError
from aifgraph.stats import Estimate
from aifgraph.stats.agreement import LabelRow, label_sums

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

Unit = tuple[int, int, str]
"""A unit a coder marked: start, end (exclusive), category."""


def nominal_alpha(counts: Mapping[LabelRow, int]) -> Estimate:
    """Krippendorff's alpha for nominal labels: how many items got which labels, ``None`` where a coder gave none.

    1 − (n − 1)(n − Σo) / (n² − Σn²) over the labels of items that have at least two; o of a label is its number of
    ordered agreeing pairs, each item's divided by its number of labels − 1. 1 if all labels are the same; undefined if
    no item has two. (The package ``krippendorff`` takes a row an item, and so memory for items × labels²; the items of
    a study are pairs of propositions, most of them without a relation.)

    Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability.
    """
    agreeing, *totals = label_sums(counts)
    n = sum(totals)
    if not n:
        return Estimate.undefined("no item has two labels")
    expected = n * n - sum(total * total for total in totals)
    if not expected:
        return Estimate(1.0)
    return Estimate(float(1 - (n - 1) * (n - agreeing) / Fraction(expected)))


def alpha_of_sums(sums: Array) -> Array:
    """Alpha for every line of added ``stats.agreement.label_sums``; NaN where it is undefined."""
    import numpy as np

    n = sums[:, 1:].sum(axis=1)
    expected = n * n - (sums[:, 1:] ** 2).sum(axis=1)
    with np.errstate(all="ignore"):
        alpha: Array = np.where(expected > 0, 1 - (n - 1) * (n - sums[:, 0]) / expected, 1.0)
    return np.where(n > 0, alpha, np.nan)


@dataclass(frozen=True, slots=True)
class UnitisedAlpha:
    """Unitised alpha of one category or of all; None where it is undefined, with the ``reason``.

    The disagreements, ``observed`` and ``expected`` by chance, can be summed over texts: 1 − Σ observed / Σ expected is
    then the alpha of them all.
    """

    value: float | None
    observed: float
    expected: float
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Unitisation:
    """Unitised alpha over all categories, and of each by name in sorted order."""

    all: UnitisedAlpha
    categories: Mapping[str, UnitisedAlpha]


def unitised_alpha(coders: Sequence[Iterable[Unit]], length: int) -> Unitisation:
    """Krippendorff's unitised alpha of what ``coders`` marked on one continuum of ``length`` places (say, words).

    Per category, the units of one coder must not overlap; what no unit covers is gap. Observed disagreement counts,
    over ordered pairs of coders, for two units that intersect the squared distances of their starts and of their ends,
    and for a unit that lies in the other's gap its squared length; over m(m − 1)·length². The expected one is the same
    over all ways in which the units and gaps found could meet. Over all categories, both are summed first. Undefined
    where nobody marked a unit, or nothing but agreement was possible. Exact until the last division; the time grows
    with the units of each pair of coders, not with ``length``.

    Source: Krippendorff (1995), On the reliability of unitizing continuous data, with the formulas as in Krippendorff
    (2004), Content analysis, chapter 11; used for arguments by Habernal and Gurevych (2016).

    Raises:
        OptionError: fewer than two coders; a unit outside the continuum or without length; overlapping units.

    >>> first = [(225, 295, "c"), (370, 400, "c")]
    >>> second = [(220, 300, "c"), (355, 375, "c"), (400, 420, "c")]
    >>> shift = lambda units: [(start - 150, end - 150, category) for start, end, category in units]
    >>> result = unitised_alpha([shift(first), shift(second)], 300)
    >>> [round(number, 4) for number in (result.all.observed, result.all.expected, result.all.value)]
    [0.0144, 0.0532, 0.7286]
    """
    if len(coders) < 2:
        raise OptionError(f"agreement of {len(coders)} coder(s)", remedy="give two or more")
    if length < 1:
        raise OptionError(f"a continuum of length {length}", remedy="give 1 or more")
    units_of: dict[str, list[list[tuple[int, int]]]] = {}
    for number, units in enumerate(coders):
        for start, end, category in units:
            if not 0 <= start < end <= length:
                raise OptionError(f"the unit {start} to {end} does not lie in 0 to {length}", where=f"coder {number}")
            units_of.setdefault(category, [[] for _ in coders])[number].append((start, end))
    parts: dict[str, tuple[Fraction, Fraction]] = {}
    for category in sorted(units_of):
        marked = units_of[category]
        for number, spans in enumerate(marked):
            spans.sort()
            for (_, end), (start, _) in pairwise(spans):
                if start < end:
                    raise OptionError(
                        f"two units of category {category!r} overlap at {start}",
                        where=f"coder {number}",
                        remedy="join them, or put them into different categories",
                    )
        parts[category] = _observed(marked, length), _expected(marked, length)
    total = sum((part[0] for part in parts.values()), Fraction(0)), sum((p[1] for p in parts.values()), Fraction(0))
    return Unitisation(_alpha(*total), {category: _alpha(*part) for category, part in parts.items()})


def _alpha(observed: Fraction, expected: Fraction) -> UnitisedAlpha:
    if not expected:
        return UnitisedAlpha(None, float(observed), 0.0, "no unit is marked, or no disagreement is possible")
    return UnitisedAlpha(float(1 - observed / expected), float(observed), float(expected))


def _observed(marked: list[list[tuple[int, int]]], length: int) -> Fraction:
    total = sum(_disagreement(first, second) for first, second in combinations(marked, 2))
    coders = len(marked)
    return Fraction(2 * total, coders * (coders - 1) * length**2)


def _disagreement(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> int:
    """Of an unordered pair of coders, in one sweep over both."""
    total = place = 0
    met = [False] * len(second)
    for start, end in first:
        while place < len(second) and second[place][1] <= start:
            place += 1
        alone, ahead = True, place
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
