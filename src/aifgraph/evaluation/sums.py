"""The sums behind the numbers of a corpus, pair by pair: what ``pooled`` describes is worked out here.

Macro and micro go over the pairs once and keep sums only: micro one of each, macro those of each text (a kilobyte).
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import Final

from aifgraph.comparison.breakdown import NameCounts, NameTotals
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.registry import LAYERS, ByCalculation
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer, Scores, fuse, fused_by_layer
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.comparison.look_out import LookOut
from aifgraph.comparison.options import Options
from aifgraph.comparison.result import ExpectedMeans, LayerMatches, Matches, PairResult
from aifgraph.comparison.segmentation import SegmentationScore
from aifgraph.comparison.sides import PairNames, Side
from aifgraph.evaluation.pooled import Counted, MacroScores, MicroScores, PooledNumber, SummedCalculation, What
from aifgraph.stats.matrix import ConfusionMatrix, in_order
from aifgraph.stats.scores import SCORES
from aifgraph.text.segmentation import Edits

_CLASSES: Final = ("propositions", "locutions")


class MissingPair(PairResult):
    """The pair of a text that only one corpus has, where it counts: S, M and CASS are all 0 (above chance, too)."""

    @cached_property
    def over(self) -> dict[ScoreLayer, Fused]:
        """0 for every layer and score."""
        zero: dict[str, float | None] = dict.fromkeys(SCORES, 0.0)
        return {layer: Fused(zero, zero) for layer in SCORE_LAYERS}

    @cached_property
    def chance(self) -> Chance | None:
        """0, too, where there are rounds of chance."""
        if self.expected is None:
            return None
        zero: dict[str, float | None] = dict.fromkeys(SCORES, 0.0)
        above = {layer: AboveChance(zero, zero, zero) for layer in SCORE_LAYERS}
        return Chance(self.expected.rounds, self.expected.seed, above, AboveChance(zero, zero, {}))


def missing_pair(name: str, options: Options | None = None) -> MissingPair:
    """The pair of a text that only one corpus has."""
    side, none = Side("", name, "none", 0, 0, 0, 0, ""), LayerMatches(0, 0, 0)
    zero: Scores = dict.fromkeys(SCORES, 0.0)
    rounds = options and options.chance
    expected = ExpectedMeans(rounds, options.seed, dict.fromkeys(SCORE_LAYERS, zero)) if options and rounds else None
    return MissingPair(
        signature="",
        names=PairNames(name, name),
        first_side=side,
        second_side=side,
        text_overlap=None,
        matches=Matches(none, none),
        calculations={},
        name_counts=NameCounts(),
        segmentation=SegmentationScore("units", 0.0, None, None, None, None, 0.0, 0),
        messages=(),
        expected=expected,
    )


@dataclass
class Means:
    """Means of named values that may be undefined, in one pass."""

    sums: dict[str, tuple[float, int]] = field(default_factory=dict)

    def add(self, values: Mapping[str, float | None]) -> None:
        sums = self.sums
        for name, value in values.items():
            if value is not None:
                total, count = sums.get(name, (0.0, 0))
                sums[name] = (total + value, count + 1)

    def __getitem__(self, name: str) -> float | None:
        total, count = self.sums.get(name, (0.0, 0))
        return total / count if count else None


def text_key(pair: PairResult, number: int) -> tuple[str, int]:
    """What tells the text of a pair from others: its name; a pair that names none is known by ``number``."""
    return (pair.text, -1) if pair.text else (pair.name, number)


_MODES: Final = {"positions": 0, "units": 0}


@dataclass
class MacroSums:
    """The sums behind ``macro``, pair by pair, by text. A pair that names no text is one of its own.

    ``several`` says how many pairs a text has, where these are more than one: a text whose pairs are all there is added
    to the totals and not kept. Without it every text is kept, for ``by_text`` and ``table``.

    ``texts`` are by name, as in ``text_key``: of each the sum and the count of each number, then its pairs; ``totals``
    as in ``_add_text``. ``with_chance`` is whether the first pair has scores by chance, None before there is one, and
    ``chance`` the rounds and the seed of these.
    """

    several: Mapping[str, int] | None = None
    totals: array[float] = field(default_factory=lambda: array("d"))
    texts: dict[tuple[str, int], array[float]] = field(default_factory=dict)
    with_chance: bool | None = None
    chance: tuple[int, int] | None = None
    modes: dict[str, int] = field(default_factory=lambda: dict(_MODES))
    count: int = 0

    @property
    def _columns(self) -> dict[PooledNumber, int]:
        """Where the sum of a number is; its count is behind it."""
        return {} if self.with_chance is None else _columns(tuple(SCORES), chance=self.with_chance)

    def add(self, pair: PairResult) -> None:
        """Add a pair."""
        self.count += 1
        if pair.chance and not self.chance:
            self.chance = pair.chance.rounds, pair.chance.seed
        if self.with_chance is None:
            self.with_chance = self.chance is not None
            self.totals = array("d", [0.0]) * (3 * len(self._columns) + 2)
        columns = self._columns
        key = text_key(pair, self.count)
        row = self.texts.get(key)
        if row is None:
            row = self.texts[key] = array("d", [0.0]) * (2 * len(columns) + 1)
        row[-1] += 1
        values = _macro_values(pair)
        for number, value in values.items():
            if value is not None and (column := columns.get(number)) is not None:
                row[column] += value
                row[column + 1] += 1
        if values.get(PooledNumber("S")) is not None and not isinstance(pair, MissingPair):
            self.modes[pair.segmentation.mode] += 1
        if self.several is not None and row[-1] == self.several.get(pair.text, 1):
            _add_text(self.totals, self.texts.pop(key))

    def scores(self) -> MacroScores:
        """Means over the texts, fused."""
        totals = self.totals[:]
        for row in self.texts.values():
            _add_text(totals, row)
        return self._scores(totals, self.modes)

    def by_text(self) -> Iterator[tuple[str, MacroScores]]:
        """Every text by its name, with the same of it alone."""
        for (name, _), row in self.texts.items():
            totals = array("d", bytes(self.totals.itemsize * len(self.totals)))
            _add_text(totals, row)
            yield name, self._scores(totals, {})

    @property
    def names(self) -> list[str]:
        """The names of the texts, in the order of :meth:`table`."""
        return [name for name, _ in self.texts]

    def table(self) -> tuple[list[PooledNumber], list[list[float]]]:
        """The numbers whose means over texts are macro, and of each text, number by number, its mean over the pairs of
        the text and 1, or twice 0 where it is undefined."""
        rows = [
            [part for sum_, count in zip(row[:-1:2], row[1::2], strict=True) for part in _mean_and_one(sum_, count)]
            for row in self.texts.values()
        ]
        return list(self._columns), rows

    def _scores(self, totals: Sequence[float], modes: Mapping[str, int]) -> MacroScores:
        means: defaultdict[PooledNumber, float | None] = defaultdict(lambda: None)
        counted: defaultdict[PooledNumber, Counted] = defaultdict(lambda: Counted(0, 0))
        for number, sum_, texts, pairs in zip(self._columns, totals[:-2:3], totals[1::3], totals[2::3], strict=False):
            means[number] = sum_ / texts if texts else None
            counted[number] = Counted(round(texts), round(pairs))
        texts, pairs = totals[-2:] if totals else (0, 0)

        def of(what: What, part: str = "all") -> dict[str, float | None]:
            return {name: means[PooledNumber(what, part, name)] for name in SCORES}

        similarity = {layer: means[PooledNumber("S", layer)] for layer in SCORE_LAYERS}
        over: dict[ScoreLayer, Fused] = {}
        against: dict[ScoreLayer, AboveChance] = {}
        for layer in SCORE_LAYERS:
            mean = of("mean", layer)
            over[layer] = Fused(mean, {name: fuse(value, similarity[layer]) for name, value in mean.items()})
            above, of_above = of("above_chance", layer), of("S_of_above", layer)
            cass = {name: fuse(value, of_above[name]) for name, value in above.items()}
            against[layer] = AboveChance(of("by_chance", layer), above, cass)
        explicit, by_chance, above = (of(what, EXPLICIT_RELATIONS.name) for what in ("score", *_EXPECTED))
        applies = any(value is not None for value in explicit.values())
        above_explicit = AboveChance(by_chance, above, {}) if applies else None
        chance = Chance(*self.chance, against, above_explicit) if self.chance else None
        return MacroScores(
            similarity["all"],
            over,
            of("mean_of_cass"),
            explicit if applies else None,
            round(texts),
            round(pairs),
            similarity,
            counted,
            dict(modes),
            chance,
        )


def _add_text(totals: array[float], row: Sequence[float]) -> None:
    """Add a text: of each number its mean over the pairs, 1 text, and its pairs; last 1 text and all pairs."""
    for place in range(len(row) // 2):
        sum_, count = row[2 * place : 2 * place + 2]
        if count:
            totals[3 * place] += sum_ / count
            totals[3 * place + 1] += 1
            totals[3 * place + 2] += count
    totals[-2] += 1
    totals[-1] += row[-1]


def _mean_and_one(sum_: float, count: float) -> tuple[float, float]:
    return (sum_ / count, 1.0) if count else (0.0, 0.0)


_EXPECTED: tuple[What, ...] = ("by_chance", "above_chance")


def _macro_numbers(*, chance: bool) -> Iterator[PooledNumber]:
    """The numbers that macro has means of."""
    whats: tuple[What, ...] = ("mean", *_EXPECTED, "S_of_above") if chance else ("mean",)
    for layer in SCORE_LAYERS:
        yield PooledNumber("S", layer)
        for what in whats:
            yield from (PooledNumber(what, layer, name) for name in SCORES)
    for name in SCORES:
        yield PooledNumber("mean_of_cass", "all", name)
        for what in ("score", *(_EXPECTED if chance else ())):
            yield PooledNumber(what, EXPLICIT_RELATIONS.name, name)


@cache
def _columns(_scores: tuple[str, ...], *, chance: bool) -> dict[PooledNumber, int]:
    """Twice the place of each of these; anew where a score was registered since."""
    return {number: 2 * place for place, number in enumerate(_macro_numbers(chance=chance))}


#: Every pair brings the same numbers: each is made once.
_number = lru_cache(maxsize=4096)(PooledNumber)


def _macro_values(pair: PairResult) -> dict[PooledNumber, float | None]:
    """What a pair brings to the means of macro: M and S where M-κ and S are defined, CASS, and the argument among what
    was said."""
    values = {_number("mean_of_cass", "all", name): value for name, value in pair.cass.items()}
    explicit = dict.fromkeys(SCORES, 0.0) if isinstance(pair, MissingPair) else pair.explicit and pair.explicit.scores
    values |= {_number("score", EXPLICIT_RELATIONS.name, name): value for name, value in (explicit or {}).items()}
    chance = pair.chance
    if chance and chance.explicit:
        values |= _against_chance(chance.explicit, EXPLICIT_RELATIONS.name)
    for layer, over in pair.over.items():
        if pair.S is None or over.mean["kappa"] is None:
            continue
        values[_number("S", layer)] = pair.S
        values |= {_number("mean", layer, name): value for name, value in over.mean.items()}
        if chance:
            values |= _against_chance(chance.over[layer], layer, pair.S)
    return values


def _against_chance(
    against: AboveChance, of: str, similarity: float | None = None
) -> Iterator[tuple[PooledNumber, float | None]]:
    """What is by chance and above it, and the S of the pair, of each score for which both are defined."""
    for name, above in against.above.items():
        if above is not None and against.mean[name] is not None:
            yield _number("by_chance", of, name), against.mean[name]
            yield _number("above_chance", of, name), above
            yield _number("S_of_above", of, name), similarity


@dataclass
class MicroSums:
    """The sums behind ``micro``, pair by pair: of each calculation the summed cells, and the labels in the order in
    which they were seen; ``modes`` of the pairs whose S is defined."""

    cells: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    labels: dict[str, dict[str, None]] = field(default_factory=dict)
    items: Counter[str] = field(default_factory=Counter)
    explicit_in_mean: bool = False
    edits: Edits = field(default_factory=Edits)
    modes: dict[str, int] = field(default_factory=lambda: dict(_MODES))
    names: NameTotals = field(default_factory=NameTotals)

    def add(self, pair: PairResult) -> None:
        """Add a pair."""
        self.names.add(pair.name_counts)
        if pair.S is not None:
            self.edits += pair.segmentation.edits
            self.modes[pair.segmentation.mode] += 1
        self.explicit_in_mean = self.explicit_in_mean or EXPLICIT_RELATIONS.name in pair.calculations
        explicit = {EXPLICIT_RELATIONS.name: pair.explicit} if pair.explicit else {}
        for name, of in {**pair.calculations, **explicit}.items():
            if not of.applicable:
                continue
            self.items[name] += of.items_total
            self.labels.setdefault(name, {}).update(dict.fromkeys(of.matrix.labels))
            self.cells.setdefault(name, Counter()).update(of.matrix.cells)

    def scores(self, *, mean_of_layers: bool) -> MicroScores:
        """The scores of the sums; ``mean_of_layers`` as in ``fused_by_layer``."""
        totals = {
            name: ConfusionMatrix.counts(self.cells[name], in_order(self.labels[name]))
            for names in LAYERS.values()
            for name in names
            if name in self.labels
        }
        scores = micro_scores(
            totals,
            self.edits,
            any(self.modes.values()),
            self.items,
            self.names.total,
            mean_of_layers=mean_of_layers,
            explicit_in_mean=self.explicit_in_mean,
        )
        return replace(scores, modes=dict(self.modes))


@dataclass
class CorpusSums:
    """All sums over the pairs of a corpus in one pass; with ``several`` (as in ``MacroSums``) of one size, however many
    pairs there are.

    ``warnings`` is how many warnings the pairs have, ``anchors`` whether a text was too long for the usual diff,
    ``classes`` how many propositions and locutions are matched and how many there are on the first and second sides.
    """

    macro: MacroSums = field(default_factory=MacroSums)
    micro: MicroSums = field(default_factory=MicroSums)
    means: Means = field(default_factory=Means)
    measure_names: dict[str, None] = field(default_factory=dict)
    warnings: int = 0
    anchors: bool = False
    look_out: LookOut = field(default_factory=LookOut)
    classes: dict[str, list[int]] = field(default_factory=lambda: {noun: [0, 0, 0] for noun in _CLASSES})

    @classmethod
    def of(cls, pairs: Iterable[PairResult], several: Mapping[str, int] | None = None) -> CorpusSums:
        """The sums over these pairs."""
        sums = cls(MacroSums(several))
        for pair in pairs:
            sums.add(pair)
        return sums

    def add(self, pair: PairResult) -> None:
        """Add a pair."""
        self.macro.add(pair)
        self.micro.add(pair)
        several = self.macro.several
        self.look_out.add(pair, text_key(pair, 0)[0] if several is None or pair.text in several else "")
        for noun, counts in self.classes.items():
            counts[0] += getattr(pair.matches, noun).matched
            counts[1] += getattr(pair.first_side, noun)
            counts[2] += getattr(pair.second_side, noun)
        self.means.add(pair.measures)
        self.measure_names |= dict.fromkeys(pair.measures)
        self.warnings += len(pair.messages)
        self.anchors = self.anchors or pair.anchors

    @property
    def measures(self) -> dict[str, float | None]:
        """The mean of every measure other than CASS over the pairs that have it."""
        return {name: self.means[name] for name in self.measure_names}


def macro(pairs: Iterable[PairResult]) -> MacroScores:
    """Means over texts of the means over a text's pairs, M and S fused; and the mean CASS."""
    sums = MacroSums()
    for pair in pairs:
        sums.add(pair)
    return sums.scores()


def micro_scores(
    totals: Mapping[str, ConfusionMatrix],
    edits: Edits,
    words: bool,
    items: Mapping[str, int] | None = None,
    name_counts: NameCounts | None = None,
    *,
    mean_of_layers: bool = False,
    explicit_in_mean: bool = False,
) -> MicroScores:
    """M and CASS of summed matrices by calculation and of summed edits; S is undefined if no pair has ``words``.

    The argument among what was said may be among them; it is part of M with ``explicit_in_mean``.
    """
    known = items or {}
    calculations = ByCalculation((name, SummedCalculation(matrix, known.get(name))) for name, matrix in totals.items())
    explicit = calculations.get(EXPLICIT_RELATIONS.name)
    if not explicit_in_mean:
        calculations.pop(EXPLICIT_RELATIONS.name, None)
    similarity = edits.similarity if words else None
    scores = {name: summed.scores for name, summed in calculations.items()}
    over = fused_by_layer(scores, similarity, wordless=similarity is None, mean_of_layers=mean_of_layers)
    names = name_counts or NameCounts()
    return MicroScores(similarity, over, calculations, edits, names, summed_explicit=explicit)
