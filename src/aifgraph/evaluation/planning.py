"""How many texts to annotate twice: the intervals of the scores by the number of texts, from a pilot.

Texts of the pilot are drawn with replacement, as many as the study would have, and the interval over these draws is
what the study can expect. It tells how the spread of the pilot's texts shrinks; it does not know texts unlike them.

Source: Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 25 (sample size by the bootstrap).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer
from aifgraph.errors import OptionError
from aifgraph.evaluation.corpus_comparison import CorpusComparison
from aifgraph.evaluation.intervals import PooledNumber, planned_intervals
from aifgraph.evaluation.usual import USUAL_SIZES
from aifgraph.graph import Notice
from aifgraph.stats.bootstrap import Interval, check_level, check_rounds, check_seed
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table

#: A pilot of fewer texts says little about their spread.
_FEW = 10
_SHOWN = {"kappa": "CASS-κ", "f1": "CASS-F1"}


@dataclass(frozen=True)
class Plan:
    """Intervals of macro CASS by number of texts: ``plan.intervals[40]["all", "kappa"]``."""

    intervals: Mapping[int, Mapping[tuple[ScoreLayer, str], Interval]]
    texts: int
    rounds: int
    seed: int
    level: float
    signature: str

    @property
    def notices(self) -> tuple[Notice, ...]:
        """That the pilot is small, where it is."""
        if self.texts >= _FEW:
            return ()
        message = f"a pilot of {self.texts} texts says little about their spread: take the widths for a rough guess"
        return (Notice("small-pilot", message),)

    def width(self, size: int, layer: ScoreLayer = "all", score: str = "kappa") -> float | None:
        """How wide the interval over ``size`` texts is; None where it is undefined."""
        interval = self.intervals[size][layer, score]
        return None if interval.low is None or interval.high is None else interval.high - interval.low

    def needed(self, width: float, layer: ScoreLayer = "all", score: str = "kappa") -> int | None:
        """About how many texts an interval of ``width`` needs: widths shrink with the root of their number.

        The largest number of texts of the plan is what the estimate starts from. None where no width is known.
        """
        if not 0 < width < 1:
            raise OptionError(f"a width of {width}", remedy="give one between 0 and 1, such as 0.1")
        size = max(self.intervals)
        known = self.width(size, layer, score)
        return None if known is None else max(2, ceil(size * (known / width) ** 2))

    def tables(self, width: float | None = None) -> list[Table]:
        """CASS-κ and CASS-F1 of each layer by number of texts; with ``width``, how many texts that needs."""
        rows: list[list[Cell]] = []
        for layer in SCORE_LAYERS:
            for score, shown in _SHOWN.items():
                for size, intervals in self.intervals.items():
                    interval = intervals[layer, score]
                    if interval.value is not None:
                        row: list[Cell] = [layer, shown, size, interval.value, interval.low, interval.high]
                        rows.append([*row, self.width(size, layer, score)])
        note = (
            f"{self.level:.4g} intervals of macro CASS over so many texts, drawn from the {self.texts} of the pilot, "
        )
        note += f"{self.rounds} rounds, seed {self.seed}"
        columns = ("layer", "score", "texts", "value", "low", "high", "width")
        tables = [Table("Plan", columns, rows, note=note)]
        if width is not None:
            needed: list[list[Cell]] = [
                [layer, shown, self.needed(width, layer, score)]
                for layer in SCORE_LAYERS
                for score, shown in _SHOWN.items()
            ]
            title = f"Texts for an interval of width {width:.4g}"
            tables.append(Table(title, ("layer", "score", "texts"), needed, note="about: widths go by 1/√texts"))
        return tables

    def score_table(self) -> Table:
        """Every score of every layer, for CSV."""
        rows: list[list[Cell]] = [
            [layer, score, size, interval.value, interval.low, interval.high, self.width(size, layer, score)]
            for size, intervals in self.intervals.items()
            for (layer, score), interval in intervals.items()
        ]
        return Table("Plan", ("layer", "score", "texts", "value", "low", "high", "width"), rows)

    def panels(self) -> dict[str, dict[tuple[str, str], list[tuple[float, float | None, float | None, float | None]]]]:
        """What ``aifgraph.report.plots.curves`` draws: a panel a layer that has a score, a line a score."""
        lines = {
            layer: {
                ("macro", shown): [
                    (float(size), of[layer, score].value, of[layer, score].low, of[layer, score].high)
                    for size, of in sorted(self.intervals.items())
                ]
                for score, shown in _SHOWN.items()
            }
            for layer in SCORE_LAYERS
        }
        return {
            layer: of_layer
            for layer, of_layer in lines.items()
            if any(value is not None for points in of_layer.values() for _, value, _, _ in points)
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "pilot_texts": self.texts,
            "rounds": self.rounds,
            "seed": self.seed,
            "level": self.level,
            "plan": self.score_table().records(),
        }


def plan(
    pilot: CorpusComparison,
    sizes: Sequence[int] = USUAL_SIZES,
    *,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Plan:
    """The intervals that a study can expect, from the pairs of a pilot.

    Pairs of the pilot that share a map are of one text and drawn together.

    Args:
        pilot: the comparison of the pilot's two corpora.
        sizes: the numbers of texts that the study could have, each from 2 to 10 000.
        rounds: studies that are drawn for each size.
        seed: the seed of the draws.
        level: the confidence of the intervals, between 0 and 1.

    Returns:
        The intervals by number of texts.

    Raises:
        OptionError: a pilot of fewer than two texts; sizes, rounds, seed or level out of range.
    """
    check_rounds(rounds)
    check_seed(seed)
    check_level(level)
    chosen = sorted(set(sizes))
    if not chosen or chosen[0] < 2 or chosen[-1] > 10_000:
        raise OptionError("numbers of texts are from 2 to 10000", remedy="give some such as 10,20,40")
    texts, planned = planned_intervals(
        pilot.counted, chosen, rounds=rounds, seed=seed, level=level, one_corpus=pilot.one_corpus
    )
    intervals = {
        size: {(layer, score): of[PooledNumber("cass", layer, score)] for layer in SCORE_LAYERS for score in SCORES}
        for size, of in planned.items()
    }
    line = f"{pilot.signature}|plan:percentile.{level:.12g}.{rounds}.{seed}"
    return Plan(intervals, texts, rounds, seed, level, line)
