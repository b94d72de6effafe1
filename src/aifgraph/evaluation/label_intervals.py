"""Intervals over texts of the agreement of all annotators at once: alpha, Fleiss' kappa, and alpha of every label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from aifgraph.evaluation.text_agreement import LabelRow
from aifgraph.stats.agreement import fleiss_of_sums, label_sums
from aifgraph.stats.bootstrap import Interval, Method, bootstrap_many
from aifgraph.stats.krippendorff import alpha_of_sums
from aifgraph.stats.matrix import NONE

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

#: How many items of a text got which labels.
TextLabels = Mapping[LabelRow, int]


class LabelNumber(NamedTuple):
    """Krippendorff's alpha or Fleiss' kappa of a calculation; with a ``label``, alpha of it against all the rest."""

    what: Literal["alpha", "fleiss"]
    calculation: str
    label: str = ""


def labels_alone(rows: TextLabels, label: str) -> TextLabels:
    """The same items with nothing but one label: whether each annotator gives it.

    >>> dict(labels_alone({("RA", "CA+RA"): 2, ("CA", None): 1}, "RA"))
    {('RA', 'RA'): 2, ('none', None): 1}
    """
    found: Counter[LabelRow] = Counter()
    for row, count in rows.items():
        found[tuple(given and (label if label in given.split("+") else NONE) for given in row)] += count
    return found


def label_intervals(
    texts: Mapping[str, Sequence[TextLabels]],
    labels: Sequence[tuple[str, str]],
    *,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    method: Method = "percentile",
) -> dict[LabelNumber, Interval]:
    """Intervals of alpha and Fleiss' kappa by calculation, from the labels of its ``texts``, and of alpha of each of
    the ``labels`` (calculation, label). Only texts with items that count are drawn.

    Raises:
        OptionError: rounds, seed or level out of range.
    """
    import numpy as np

    intervals: dict[LabelNumber, Interval] = {}

    def add(number: LabelNumber, rows: Sequence[TextLabels], statistic: Callable[[Array], Array]) -> None:
        known = sorted({label for text in rows for row in text for label in row if label is not None})
        given = [place for place, label in enumerate(known, 1) if label != NONE]
        table = np.array([label_sums(text, known) for text in rows], dtype=np.float64)

        def defined(drawn: Array) -> dict[LabelNumber, Array]:
            # Where nobody gives a label there is nothing to agree on, as in the whole.
            return {number: np.where(drawn[:, given].sum(axis=1) > 0, statistic(drawn), np.nan)}

        counted = {number: table[:, 1:].sum(axis=1) > 0}
        intervals.update(
            bootstrap_many(table, defined, rounds=rounds, seed=seed, level=level, method=method, defined=counted)
        )

    for calculation, rows in texts.items():
        add(LabelNumber("alpha", calculation), rows, alpha_of_sums)
        of_all = [{row: count for row, count in text.items() if None not in row} for text in rows]
        add(LabelNumber("fleiss", calculation), of_all, fleiss_of_sums)
    for calculation, label in labels:
        own = [labels_alone(text, label) for text in texts[calculation]]
        add(LabelNumber("alpha", calculation, label), own, alpha_of_sums)
    return intervals
