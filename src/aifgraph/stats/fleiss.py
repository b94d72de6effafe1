"""Fleiss' kappa: agreement of a fixed number of coders per item, who need not be the same from item to item.

>>> fleiss_kappa([["pro", "pro", "con"], ["con", "con", "con"], ["pro", "pro", "pro"]]).value
0.55
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from aifgraph.errors import OptionError
from aifgraph.stats.estimate import Estimate


def fleiss_kappa(items: Iterable[Sequence[Hashable]]) -> Estimate:
    """(P − Pe) / (1 − Pe), P the mean share of agreeing pairs of labels in an item, Pe = Σ p², p a label's share.

    One sequence of labels per item, all of the same length, 2 or more. 1 if chance agreement is 1, as with Cohen's;
    undefined without items. Source: Fleiss (1971), Measuring nominal scale agreement among many raters.

    Raises:
        OptionError: an item with another number of labels than the first, or with fewer than two.
    """
    totals: Counter[Hashable] = Counter()
    agreeing = count = coders = 0
    for number, labels in enumerate(items):
        coders = coders or len(labels)
        if len(labels) != coders or coders < 2:
            raise OptionError(
                f"{len(labels)} labels, where {max(coders, 2)} are needed",
                where=f"item {number}",
                remedy="Krippendorff's alpha allows missing labels",
            )
        found = Counter(labels)
        agreeing += sum(many * (many - 1) for many in found.values())
        totals += found
        count += 1
    if not count:
        return Estimate.undefined("there are no items")
    observed = Fraction(agreeing, count * coders * (coders - 1))
    chance = Fraction(sum(many * many for many in totals.values()), (count * coders) ** 2)
    return Estimate(float((observed - chance) / (1 - chance)) if chance != 1 else 1.0)
