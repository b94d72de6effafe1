"""A study of agreement before it begins: which texts to annotate twice, and how many.

``sample`` draws texts of a corpus, at random or in proportion from strata of like texts. ``plan`` gives the intervals
of the scores by the number of texts, from a pilot: texts of the pilot are drawn with replacement, as many as the study
would have, and the interval over these draws is what the study can expect. It tells how the spread of the pilot's texts
shrinks; it does not know texts unlike them.

Source: Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 25 (sample size by the bootstrap).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from os import PathLike
from random import Random
from typing import Any, Final, Literal

from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer
from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.counts import words_analysed
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.defaults import DEFAULT_SIZES
from aifgraph.evaluation.intervals import planned_intervals
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.stats.bootstrap import Interval, check_seed
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table

#: What texts can be put into strata by: how many speak (1, 2, 3 or more), how long they are (thirds of the corpus), and
#: the sub-folder they are in.
Stratum = Literal["speakers", "length", "folder"]
STRATA: Final[tuple[Stratum, ...]] = ("speakers", "length", "folder")

_LENGTHS = ("short", "middle", "long")


@dataclass(frozen=True, slots=True)
class SampledText:
    """A text: its name, what is known of it, its stratum (a value for each of ``by``), and whether it was drawn."""

    name: str
    words: int
    speakers: int
    stratum: tuple[str, ...]
    drawn: bool = False


@dataclass(frozen=True)
class Sample:
    """The texts that were drawn, in the order of the corpus, and how."""

    texts: tuple[SampledText, ...]
    by: tuple[Stratum, ...]
    seed: int
    failed: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the texts that were drawn."""
        return tuple(text.name for text in self.texts if text.drawn)

    @property
    def signature(self) -> str:
        """How they were drawn."""
        return f"sample:{len(self.names)} of {len(self.texts)}|by:{'+'.join(self.by) or 'random'}|seed:{self.seed}"

    def list_table(self) -> Table:
        """The texts that were drawn, one a row."""
        rows: list[list[Cell]] = [
            [text.name, text.words, text.speakers, *text.stratum] for text in self.texts if text.drawn
        ]
        return Table("Sample", ("name", "words", "speakers", *(f"by {name}" for name in self.by)), rows)

    def tables(self) -> list[Table]:
        """The list, and how many of each stratum were drawn."""
        if not self.by:
            return [self.list_table()]
        sizes, drawn = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        for text in self.texts:
            sizes[text.stratum] += 1
            drawn[text.stratum] += text.drawn
        rows: list[list[Cell]] = [[*stratum, sizes[stratum], drawn[stratum]] for stratum in sorted(sizes)]
        return [self.list_table(), Table("Strata", (*self.by, "texts", "drawn"), rows)]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "texts": self.list_table().records(),
            "failed": [{"name": name, "error": error} for name, error in self.failed],
        }


def sample(corpus: Corpus | str | PathLike[str], number: int, *, by: Sequence[Stratum] = (), seed: int = 0) -> Sample:
    """Draw texts of a corpus, from strata in proportion to their sizes (largest remainders).

    Maps that cannot be read are listed under ``failed`` and not drawn. The same corpus and seed give the same texts.

    Args:
        number: how many texts to draw.
        by: what the strata are: ``speakers``, ``length``, ``folder``; none draws from all alike.

    Raises:
        OptionError: an unknown stratum; a number below 1; a seed out of range.
        InputError: the corpus has fewer texts.

    >>> drawn = sample("fixtures/debates/ann", 2, by=["speakers"], seed=1)
    >>> len(drawn.names), drawn.signature
    (2, 'sample:2 of 4|by:speakers|seed:1')
    """
    check_seed(seed)
    if unknown := [name for name in by if name not in STRATA]:
        raise OptionError(f"texts are not put into strata by {unknown[0]!r}", remedy=f"choose from {', '.join(STRATA)}")
    if number < 1:
        raise OptionError(f"a sample of {number} texts", remedy="give one or more")
    corpus = as_corpus(corpus)
    known: list[tuple[str, int, int]] = []
    failed: list[tuple[str, str]] = []
    for entry in corpus:
        try:
            graph = entry.load()
        except AifgraphError as error:
            failed.append((entry.name, str(error)))
            continue
        known.append((entry.name, len(words_analysed(graph)[0]), _speakers(graph)))
    if number > len(known):
        more = f", and {len(failed)} more that cannot be read" if failed else ""
        raise InputError(f"the corpus has {len(known)} texts{more}", where=str(corpus.path), remedy="draw fewer")
    thirds = _thirds(sorted(words for _, words, _ in known))
    strata: dict[tuple[str, ...], list[str]] = {}
    texts = []
    for name, words, speakers in known:
        values = {
            "speakers": "3 or more" if speakers > 2 else str(max(speakers, 1)),
            "length": _LENGTHS[sum(words > limit for limit in thirds)],
            "folder": name.rpartition("/")[0],
        }
        stratum = tuple(values[kind] for kind in by)
        strata.setdefault(stratum, []).append(name)
        texts.append(SampledText(name, words, speakers, stratum))
    chosen = _drawn(strata, number, len(known), Random(seed))
    marked = (replace(text, drawn=text.name in chosen) for text in texts)
    return Sample(tuple(marked), tuple(by), seed, tuple(failed))


def _drawn(strata: dict[tuple[str, ...], list[str]], number: int, total: int, random: Random) -> set[str]:
    """So many names of each stratum as its share of the corpus; what is left over goes to the largest remainders."""
    order = sorted(strata)
    exact = {stratum: number * len(strata[stratum]) / total for stratum in order}
    sizes = {stratum: int(exact[stratum]) for stratum in order}
    random.shuffle(order)  # equal remainders: chance decides
    order.sort(key=lambda stratum: sizes[stratum] - exact[stratum])
    for stratum in order[: number - sum(sizes.values())]:
        sizes[stratum] += 1
    return {name for stratum in sorted(strata) for name in random.sample(strata[stratum], sizes[stratum])}


def _thirds(numbers: list[int]) -> tuple[int, int]:
    """The greatest number of the lowest third, and of the middle third."""
    count = len(numbers)
    return numbers[max(0, -(-count // 3) - 1)], numbers[max(0, -(-2 * count // 3) - 1)]


def _speakers(graph: ArgumentGraph) -> int:
    people = (graph.speaker_of(node) for node in graph.locutions)
    return len({person.name or person.id for person in people if person is not None})


#: A pilot of fewer texts says little about their spread.
_MIN_PILOT = 10
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
        if self.texts >= _MIN_PILOT:
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
        """What ``aifgraph.report.plots.curves`` draws: one panel per layer that has a score, one line per score."""
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
    sizes: Sequence[int] = DEFAULT_SIZES,
    *,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Plan:
    """The intervals that a study can expect, from the pairs of a pilot.

    Pairs of the pilot that share a map are of one text and drawn together.

    Args:
        sizes: the numbers of texts that the study could have, each from 2 to 10 000.
        rounds: studies that are drawn for each size.
        level: the confidence of the intervals, between 0 and 1.

    Raises:
        OptionError: a pilot of fewer than two texts; sizes, rounds, seed or level out of range.
    """
    chosen = sorted(set(sizes))
    if not chosen or chosen[0] < 2 or chosen[-1] > 10_000:
        raise OptionError("numbers of texts are from 2 to 10000", remedy="give some such as 10,20,40")
    texts, planned = planned_intervals(pilot.counted, chosen, rounds=rounds, seed=seed, level=level)
    intervals = {
        size: {(layer, score): of[PooledNumber("cass", layer, score)] for layer in SCORE_LAYERS for score in SCORES}
        for size, of in planned.items()
    }
    line = f"{pilot.signature}|plan:percentile.{level:.12g}.{rounds}.{seed}"
    return Plan(intervals, texts, rounds, seed, level, line)
