"""Systems on the same items: the difference of every two with its interval, p, and p after Holm.

>>> systems = {"ours": [[1, 1]] * 8 + [[0, 1]], "theirs": [[0, 1]] * 8 + [[1, 1]]}
>>> (test,) = paired_tests(systems, lambda sums: sums[:, 0] / sums[:, 1])
>>> round(test.difference, 3), test.higher, test.p
(0.778, 'ours', 0.0390625)
>>> test.interval.low < test.difference < test.interval.high
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from aifgraph.stats.bootstrap import Interval, Statistic, bootstrap_many, coverage_notes
from aifgraph.stats.randomisation import RandomisationTest, holm, items_of_both, randomisation_tests
from aifgraph.tables import Cell, Table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from aifgraph.stats.bootstrap import Array, Mask


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two systems by name: the difference of their ``score`` (first − second) with its interval, and the test of it.

    ``adjusted`` is p after Holm over the tests that were made together; ``left_out`` are the items that took no part,
    where they have names.
    """

    first: str
    second: str
    test: RandomisationTest
    interval: Interval
    adjusted: float | None
    score: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def difference(self) -> float | None:
        """First − second."""
        return self.test.difference

    @property
    def p(self) -> float | None:
        """How probable so large a difference is, either way, if the null hypothesis holds."""
        return self.test.p

    @property
    def higher(self) -> str | None:
        """The system with the higher score; None where they have the same, or one has none."""
        if not self.difference:
            return None
        return self.first if self.difference > 0 else self.second

    def to_dict(self, item: str) -> dict[str, Any]:
        """As plain values; ``item`` is what the systems were run on, such as ``text``."""
        return {
            "first": self.first,
            "second": self.second,
            **({"score": self.score} if self.score else {}),
            "difference": self.difference,
            "higher": self.higher,
            "low": self.interval.low,
            "high": self.interval.high,
            "undefined_resamples": self.interval.undefined,
            "p": self.p,
            "p_holm": self.adjusted,
            f"{item}s": self.test.items,
            "exact": self.test.exact,
            "smallest_p": self.test.smallest_p,
            **({"left_out": list(self.left_out)} if self.left_out else {}),
            **({"reason": reason} if (reason := self.test.reason or self.interval.reason) else {}),
        }


def paired_tests(
    systems: Mapping[str, ArrayLike],
    statistic: Statistic,
    *,
    score: str = "",
    rounds: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    defined: Mapping[str, Mask] | None = None,
) -> tuple[PairedTest, ...]:
    """Test every two of ``systems`` as :func:`~aifgraph.stats.randomisation.randomisation_tests` does, with p after
    Holm, and the bootstrap interval of each difference over 1000 resamples of the same items.

    Raises:
        OptionError: tables of different shapes, no items, numbers that are not finite, an option out of range.
    """
    import numpy as np

    tests = randomisation_tests(systems, statistic, rounds=rounds, seed=seed, defined=defined)
    tables = [np.asarray(rows, dtype=np.float64) for rows in systems.values()]
    items, columns = tables[0].shape

    def differences(sums: Array) -> dict[tuple[str, str], Array]:
        blocks = np.split(sums, range(columns, columns * len(tables), columns), axis=1)
        values = dict(zip(systems, map(statistic, blocks), strict=True))
        return {(one, other): values[one] - values[other] for one, other in combinations(systems, 2)}

    masks = {pair: items_of_both(*pair, items, defined) for pair in tests}
    intervals = bootstrap_many(np.hstack(tables), differences, seed=seed, level=level, defined=masks)
    adjusted = holm([test.p for test in tests.values()])
    return tuple(
        PairedTest(*pair, test, intervals[pair], p, score)
        for (pair, test), p in zip(tests.items(), adjusted, strict=True)
    )


def null_hypothesis(item: str) -> str:
    """What is tested, in a sentence.

    >>> null_hypothesis("text")
    'the two systems are equally good: on each text their two results could as well be exchanged'
    """
    return f"the two systems are equally good: on each {item} their two results could as well be exchanged"


def paired_dict(tests: Sequence[PairedTest], *, item: str, seed: int) -> dict[str, Any]:
    """The tests as plain values, with what was tested and the notes of :func:`paired_table`."""
    rows = [test.to_dict(item) for test in tests]
    return {"null_hypothesis": null_hypothesis(item), "notes": _notes(tests, item, seed), "tests": rows}


def paired_table(tests: Sequence[PairedTest], *, item: str, seed: int, title: str = "Tests") -> Table:
    """A row for each test, and in the note what was tested and how."""
    scored = any(test.score for test in tests)
    rows: list[list[Cell]] = [
        [
            test.first,
            test.second,
            *([test.score] if scored else []),
            test.difference,
            test.interval.low,
            test.interval.high,
            test.p,
            test.adjusted,
            test.higher,
            test.test.items,
        ]
        for test in tests
    ]
    columns = ("first", "second", *(("score",) if scored else ()), "difference", "low", "high", "p", "p (Holm)")
    return Table(title, (*columns, "higher", f"{item}s"), rows, digits=4, note="\n".join(_notes(tests, item, seed)))


def _notes(tests: Sequence[PairedTest], item: str, seed: int) -> list[str]:
    if not tests:
        return []
    notes = [f"p (two-sided) tests the hypothesis that {null_hypothesis(item)}"]
    drawn = next((test.test for test in tests if not test.test.exact), None)
    if drawn is not None:
        notes.append(f"p: paired approximate randomisation over {item}s, {drawn.rounds} rounds, seed {seed}")
    for items in sorted({test.test.items for test in tests if test.test.exact and test.test.items}):
        smallest = min(1.0, 2.0 ** (1 - items))
        patterns = f"all {2**items} ways of exchanging them"
        notes.append(f"p over {items} {item}s: exact, of {patterns}; it cannot be smaller than {smallest:.4g}")
    if max(Counter(test.score for test in tests).values()) > 1:
        several = len({test.score for test in tests}) > 1
        notes.append(f"p (Holm): corrected for several tests{', of each score' if several else ''}")
    first = tests[0].interval
    how = f"{first.method} bootstrap, {first.rounds} rounds, seed {seed}"
    notes.append(f"low, high: {first.level * 100:.4g} % interval of the difference, {how}")
    if undefined := sum(test.interval.undefined for test in tests):
        notes.append(f"{undefined} resamples without a value were left out")
    left_out: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for test in tests:
        if test.left_out:
            left_out.setdefault((f"{test.first} – {test.second}", test.left_out), []).append(test.score)
    for (pair, names), scores in left_out.items():
        of = pair if len(scores) == len({test.score for test in tests}) else f"{pair}, {', '.join(scores)}"
        notes.append(f"left out of {of}: {', '.join(names[:5])}{' …' if names[5:] else ''}")
    reasons = dict.fromkeys(reason for test in tests if (reason := test.test.reason or test.interval.reason))
    notes += reasons
    return [*notes, *coverage_notes((test.interval for test in tests), item)]
