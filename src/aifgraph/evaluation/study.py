"""How many texts a study of agreement needs, planned from a pilot before it begins.

Texts of the pilot are drawn with replacement, as many as the study would have, and the interval of M over these draws
is what the study can expect. How many texts an interval of some width needs, or a test that finds some difference of
two systems, is searched for in the same way. A plan tells how the spread of the pilot's texts shrinks; it does not know
texts unlike them.

Source: Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 25 (sample size by the bootstrap).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

from aifgraph.comparison.cass import SCORE_LAYERS, Scores
from aifgraph.comparison.options import signature_without
from aifgraph.errors import OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.defaults import DEFAULT_SIZES, SHOWN
from aifgraph.evaluation.intervals import ER
from aifgraph.evaluation.pooled import MacroScores
from aifgraph.graph import Notice
from aifgraph.slips import answering
from aifgraph.stats.bootstrap import BLOCK, Interval, bootstrap_many
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Document, Result, Table

#: A pilot of fewer texts says little about their spread.
_MIN_PILOT = 10
#: The most texts that a search goes up to.
_MAX_SIZE = 10_000
#: The rounds of a search, and the texts that they draw, are at most so many, or as many rounds as the plan has.
_MAX_ROUNDS, _MAX_DRAWS = 10_000, 2_000_000
#: With fewer texts no exact test has a p below 0.05.
_MIN_TEST = 6
#: p below which a test finds a difference, and how often it shall.
_SIGNIFICANT, _POWER = 0.05, 0.8
#: What is planned: M of the whole and of each layer, and the argument among what was said.
PLANNED: Final[Mapping[str, str]] = {**{layer: layer for layer in SCORE_LAYERS}, ER: "among what was said"}


@dataclass(frozen=True)
class Plan(Result):
    """Intervals of macro M, and of the argument among what was said, by number of texts.

    ``plan.intervals[40]["all", "kappa"]`` is of the whole; a layer, or ``"explicit_relations"``, may stand for it.
    ``texts`` is how many the pilot has. ``paired`` says whether the differences of two systems are known from it.
    """

    intervals: Mapping[int, Mapping[tuple[str, str], Interval]]
    texts: int
    rounds: int
    seed: int
    level: float
    signature: str
    paired: bool = False
    #: Of each number what it is on every text of the pilot, and how much higher it is there for the first system than
    #: for the second.
    _values: Mapping[tuple[str, str], tuple[float, ...]] = field(default_factory=dict, repr=False)
    _apart: Mapping[tuple[str, str], tuple[float, ...]] = field(default_factory=dict, repr=False)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """That the pilot is small, where it is."""
        if self.texts >= _MIN_PILOT:
            return ()
        message = f"a pilot of {self.texts} texts says little about their spread: take the widths for a rough guess"
        return (Notice("small-pilot", message),)

    def interval(self, size: int, of: str = "all", score: str = "kappa", *, rounds: int | None = None) -> Interval:
        """The interval that a study of ``size`` texts can expect.

        So many texts are drawn with replacement as have the number among ``size`` texts of the pilot. The texts of a
        pilot differ a little less than those it was drawn from, and those of a study do, too: the interval is as much
        wider or narrower as that makes (nothing, where the study has as many texts as the pilot). ``rounds`` stands for
        those of the plan.
        """
        values = self._values[of, score]
        texts = _of_size(size, values, self.texts)
        planned = bootstrap_many(
            [(value, 1.0) for value in values] or [(0.0, 0.0)],
            lambda sums: {"mean": sums[:, 0] / sums[:, 1]},
            rounds=rounds or self.rounds,
            seed=self.seed,
            level=self.level,
            draws=texts,
        )["mean"]
        if planned.value is None or planned.low is None or planned.high is None or texts == len(values):
            return planned
        wider = sqrt(len(values) / (len(values) - 1) * (texts - 1) / texts)
        value = planned.value
        low, high = (value + (end - value) * wider for end in (planned.low, planned.high))
        return replace(planned, low=low, high=high)

    def width(self, size: int, of: str = "all", score: str = "kappa") -> float | None:
        """How wide the interval over ``size`` texts is; None where it is undefined."""
        known = self.intervals.get(size)
        return _width(known[of, score] if known else self.interval(size, of, score))

    def needed(self, width: float, of: str = "all", score: str = "kappa") -> int | None:
        """How many texts the smallest study has whose interval is at most ``width`` wide, found by search.

        None where no width is known, or 10 000 texts are too few.

        Raises:
            OptionError: a width outside 0 to 1.
        """
        if not 0 < width < 1:
            raise OptionError(f"a width of {width}", remedy="give one between 0 and 1, such as 0.1")
        if len(self._values[of, score]) < 2:
            return None

        def narrow(size: int) -> bool:
            found = _width(self.interval(size, of, score, rounds=self._rounds_for(size)))
            return found is not None and found <= width

        return _smallest(2, narrow)

    def _rounds_for(self, size: int) -> int:
        """The rounds of a search: so many that chance does not decide where it ends, as far as time allows."""
        return max(self.rounds, min(_MAX_ROUNDS, _MAX_DRAWS // size))

    def power(
        self, size: int, difference: float, of: str = "all", score: str = "kappa", *, rounds: int | None = None
    ) -> float | None:
        """How often a test over ``size`` texts finds that two systems whose M differs by so much do differ (p < 0.05).

        So many studies as there are rounds are drawn, and each is tested by randomisation: with many texts the mean
        difference under exchange is normal, with the sum of the squares for its variance. The differences on the texts
        spread as those of the pilot's two systems do; where it has one, as if the systems were independent of one
        another, which asks for more texts than systems that find the same texts hard. None where no spread is known.
        """
        apart = self._apart.get((of, score)) if self.paired else self._values[of, score]
        if not apart or len(apart) < 2:
            return None
        texts = _of_size(size, apart, self.texts)
        if texts < _MIN_TEST:
            return 0.0
        import numpy as np

        noise = (np.array(apart) - np.mean(apart)) * sqrt(len(apart) / (len(apart) - 1))
        random = np.random.default_rng(self.seed)
        limit = NormalDist().inv_cdf(1 - _SIGNIFICANT / 2)
        found, studies = 0, rounds or self.rounds
        block = max(1, BLOCK // texts)
        for start in range(0, studies, block):
            shape = (min(block, studies - start), texts)
            drawn = noise[random.integers(0, len(noise), shape)] + difference
            if not self.paired:
                drawn -= noise[random.integers(0, len(noise), shape)]
            found += int(np.count_nonzero(np.abs(drawn.sum(axis=1)) > limit * np.sqrt((drawn**2).sum(axis=1))))
        return found / studies

    def needed_to_find(self, difference: float, of: str = "all", score: str = "kappa") -> int | None:
        """How many texts the smallest study has in which a test finds a ``difference`` of two systems in 80 of 100
        cases, found by search. None where no spread is known, or 10 000 texts are too few.

        Raises:
            OptionError: a difference outside 0 to 1.
        """
        if not 0 < difference < 1:
            raise OptionError(f"a difference of {difference}", remedy="give one between 0 and 1, such as 0.05")
        if self.power(_MIN_TEST, difference, of, score) is None:
            return None

        def powerful(size: int) -> bool:
            return (self.power(size, difference, of, score, rounds=self._rounds_for(size)) or 0) >= _POWER

        return _smallest(_MIN_TEST, powerful)

    def tables(self, width: float | None = None, difference: float | None = None) -> list[Table]:
        """Kappa and F1 of M of each layer, and among what was said, by number of texts; how many texts an interval of
        a ``width`` needs, and a test that finds a ``difference``."""
        rows: list[list[Cell]] = []
        for of, score in self._shown():
            for size, intervals in self.intervals.items():
                interval = intervals[of, score]
                if interval.value is not None:
                    row: list[Cell] = [PLANNED[of], _name(of, score), size]
                    rows.append([*row, interval.value, interval.low, interval.high, self.width(size, of, score)])
        note = (
            f"{self.level:.4g} intervals of macro scores over so many texts, drawn from the {self.texts} of the pilot, "
            f"{self.rounds} rounds, seed {self.seed}"
        )
        columns = ("layer", "score", "texts", "value", "low", "high", "width")
        tables = [Table("Plan", columns, rows, note=note)]
        if width is not None:
            title = f"Texts for an interval of width {width:.4g}"
            note = f"the smallest number, up to {_MAX_SIZE}, for which the interval is at most so wide"
            tables.append(self._found(title, lambda of, score: self.needed(width, of, score), note))
        if difference is not None:
            title = f"Texts to find a difference of {difference:.4g} with power {_POWER:g}"
            spread = "of the two systems" if self.paired else "of two systems that are independent of one another"
            note = (
                f"two systems on the same texts, p < {_SIGNIFICANT:g} (randomisation, two-sided)\n"
                f"spread of their differences: {spread}; {self.rounds} rounds, seed {self.seed}"
            )
            tables.append(self._found(title, lambda of, score: self.needed_to_find(difference, of, score), note))
        return tables

    def _shown(self) -> list[tuple[str, str]]:
        return [key for key in product(PLANNED, SHOWN) if self._values[key]]

    def _found(self, title: str, texts: Callable[[str, str], int | None], note: str) -> Table:
        needed: list[list[Cell]] = [[PLANNED[of], _name(of, score), texts(of, score)] for of, score in self._shown()]
        return Table(title, ("layer", "score", "texts"), needed, note=note)

    def score_table(self) -> Table:
        """Every score of every layer, for CSV."""
        rows: list[list[Cell]] = [
            [of, score, size, interval.value, interval.low, interval.high, self.width(size, of, score)]
            for size, intervals in self.intervals.items()
            for (of, score), interval in intervals.items()
        ]
        return Table("Plan", ("layer", "score", "texts", "value", "low", "high", "width"), rows)

    def panels(self) -> dict[str, dict[tuple[str, str], list[tuple[float, float | None, float | None, float | None]]]]:
        """What ``aifgraph.report.plots.curves`` draws: one panel per layer that has a score, one line per score."""
        panels: dict[str, dict[tuple[str, str], list[tuple[float, float | None, float | None, float | None]]]] = {}
        for key in self._shown():
            of_size = [(float(size), intervals[key]) for size, intervals in sorted(self.intervals.items())]
            points = [(size, interval.value, interval.low, interval.high) for size, interval in of_size]
            panels.setdefault(PLANNED[key[0]], {})["macro", SHOWN[key[1]]] = points
        return panels

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables(), csv=[self.score_table()], signature=self.signature)

    def to_dict(self, width: float | None = None, difference: float | None = None) -> dict[str, Any]:
        """As plain values; what a ``width`` and a ``difference`` need as in ``tables``."""
        _, *needed = self.tables(width, difference)
        asked = [key for key, value in (("width", width), ("difference", difference)) if value is not None]
        return {
            "signature": self.signature,
            "pilot_texts": self.texts,
            "rounds": self.rounds,
            "seed": self.seed,
            "level": self.level,
            "plan": self.score_table().records(),
            **{f"texts_for_{key}": table.records() for key, table in zip(asked, needed, strict=True)},
        }


def _width(interval: Interval) -> float | None:
    return None if interval.low is None or interval.high is None else interval.high - interval.low


def _of_size(size: int, values: Sequence[float], texts: int) -> int:
    """How many of ``size`` texts have a number that so many ``values`` of the pilot's ``texts`` have."""
    return max(2, round(size * len(values) / texts))


def _smallest(low: int, holds: Callable[[int], bool]) -> int | None:
    """The smallest size from ``low`` to 10 000 for which something holds that holds for all greater ones."""
    if holds(low):
        return low
    high = low
    while not holds(high):
        if high == _MAX_SIZE:
            return None
        low, high = high, min(2 * high, _MAX_SIZE)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@answering()
def plan(
    pilot: CorpusComparison,
    sizes: Sequence[int] = DEFAULT_SIZES,
    *,
    other: CorpusComparison | None = None,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Plan:
    """The intervals that a study can expect of macro M and of the argument among what was said, and how many texts it
    needs, from the texts of a pilot. CASS is not planned, as it is cut off at 0.

    Args:
        sizes: the numbers of texts that the study could have, each from 2 to 10 000.
        other: a second system on the texts of the pilot, compared with the same gold corpus: then the spread of the
            differences of two systems is known.
        rounds: studies that are drawn for each size.
        level: the confidence of the intervals, between 0 and 1.

    Raises:
        OptionError: a pilot of fewer than two texts, or two systems with fewer than two in common; sizes, rounds, seed
            or level out of range.
    """
    if not hasattr(pilot, "texts"):
        raise OptionError("a plan is made from a comparison", remedy="plan(compare_corpora(first, second))")
    if isinstance(sizes, int | str):
        raise OptionError(f"sizes is {sizes!r}"[:200], remedy="give a list of numbers of texts, such as [10, 20, 40]")
    chosen = sorted(set(sizes))
    if not chosen or chosen[0] < 2 or chosen[-1] > _MAX_SIZE:
        raise OptionError(f"numbers of texts are from 2 to {_MAX_SIZE}", remedy="give some such as 10,20,40")
    texts = pilot.texts
    if len(texts) < 2:
        raise OptionError("the spread of a single text is not known", remedy="give a pilot of two texts or more")
    of_other = dict(other.texts) if other else {}
    common = [(scores, of_other[name]) for name, scores in texts if name in of_other]
    if other and len(common) < 2:
        raise OptionError("the two systems have fewer than two texts in common", remedy="give more of the same texts")
    keys = list(product(PLANNED, SCORES))
    values, apart = {}, {}
    for key in keys:
        values[key] = tuple(value for _, scores in texts if (value := _number(scores, key)) is not None)
        both = [(_number(one, key), _number(two, key)) for one, two in common]
        apart[key] = tuple(one - two for one, two in both if one is not None and two is not None)
    line = f"{signature_without(pilot.signature, 'ci')}|plan:percentile.{level:.12g}.{rounds}.{seed}"
    empty = Plan({}, len(texts), rounds, seed, level, line, other is not None, values, apart)
    return replace(empty, intervals={size: {key: empty.interval(size, *key) for key in keys} for size in chosen})


def _number(scores: MacroScores, key: tuple[str, str]) -> float | None:
    of, score = key
    means: dict[str, Scores] = {layer: over.mean for layer, over in scores.over.items()}
    return (scores.explicit or {}).get(score) if of == ER else means[of][score]


def _name(of: str, score: str) -> str:
    return f"{'ER' if of == ER else 'M'}-{SHOWN[score]}"
