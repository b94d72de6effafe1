"""Bootstrap intervals of a corpus comparison: every score, macro and micro, whole and by layer.

Pairs are drawn with replacement. What a pair brings is a row of numbers that are summed over the pairs drawn::

    macro   M, 1 if defined, for every layer and score; CASS, 1 if defined; S, 1 if defined
    micro   the cells of every calculation's matrix that occur anywhere; edits, potential boundaries, 1 if S is defined

so that a round costs a line of a matrix product (``aifgraph.stats.bootstrap``), and the numbers of a round are those
that macro and micro give for the pairs drawn. A score may be negative, and so may the ends of its interval; CASS itself
is never below 0, and an interval of CASS that starts at 0 says that M does not keep away from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.errors import OptionError
from aifgraph.evaluation.pooled import ALL_LAYERS, PairSummary, micro_scores
from aifgraph.stats.bootstrap import Interval, Method, Statistic, bootstrap_many
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.ranges import check_level, check_rounds, check_seed
from aifgraph.stats.scores import SCORES
from aifgraph.text.segmentation import Edits

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array


@dataclass(frozen=True)
class Intervals:
    """Intervals by (``macro`` or ``micro``, layer with ``""`` the whole, what): what is ``S``, or a score's ``mean.…``
    or ``cass.…``; with a calculation in place of the layer, a score's ``score.…``; macro also ``mean_of_cass.…``."""

    found: Mapping[tuple[str, str, str], Interval]
    rounds: int
    seed: int
    level: float
    method: str

    @property
    def signature(self) -> str:
        """How they were made, for the signature of a result."""
        return f"ci:{self.method}.{self.level:.12g}.{self.rounds}.{self.seed}"

    def __getitem__(self, key: tuple[str, str, str]) -> Interval:
        return self.found[key]

    def to_dict(self) -> dict[str, Any]:
        """As plain values: ``["macro"]["all"]["cass"]["kappa"]["low"]``."""
        data: dict[str, Any] = {
            "rounds": self.rounds,
            "seed": self.seed,
            "level": self.level,
            "method": self.method,
            "macro": {},
            "micro": {},
        }
        for (pooled, layer, what), interval in self.found.items():
            kept = asdict(interval)
            short = {key: kept[key] for key in ("value", "low", "high")}
            short |= {key: kept[key] for key in ("undefined", "reason") if kept[key]}
            place = data[pooled].setdefault(layer or "all", {})
            *steps, last = what.split(".")
            for step in steps:
                place = place.setdefault(step, {})
            place[last] = short
        return data


def intervals_of(
    pairs: Iterable[PairSummary],
    *,
    rounds: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    method: Method = "percentile",
) -> Intervals:
    """Bootstrap intervals over pairs, of every number of macro and micro.

    Raises:
        OptionError: no pairs; rounds, seed or level out of range; an unknown method.
    """
    check_rounds(rounds)
    check_seed(seed)
    check_level(level)
    if method not in ("percentile", "bca"):
        raise OptionError(f"there is no bootstrap method {method!r}", remedy="choose percentile or bca")
    rows = _Rows(pairs)
    if not rows.count:
        raise OptionError("there are no pairs to draw from", remedy="give two corpora with texts in common")
    found: dict[tuple[str, str, str], Interval] = {}
    for pooled, table, score in (("macro", rows.macro, _macro_of), ("micro", rows.micro, rows.micro_of)):
        once = _Once(score)
        names = list(once(_sum(table())))
        statistics = {f"{layer}\t{what}": _pick(once, (layer, what)) for layer, what in names}
        drawn = bootstrap_many(table(), statistics, rounds=rounds, seed=seed, level=level, method=method)
        for key, interval in drawn.items():
            layer, _, what = key.partition("\t")
            found[pooled, layer, what] = interval
    return Intervals(found, rounds, seed, level, method)


Found = dict[tuple[str, str], "Array"]


class _Once:
    """All numbers of the same sums, computed when the first of them is asked for."""

    def __init__(self, function: Callable[[Array], Found]) -> None:
        self._function = function
        self._known: list[tuple[Array, Found]] = []

    def __call__(self, sums: Array) -> Found:
        for seen, found in self._known:
            if seen is sums or (seen.shape == sums.shape and len(sums) == 1 and (seen == sums).all()):
                return found
        found = self._function(sums)
        self._known = [*self._known[-3:], (sums, found)]
        return found


def _pick(once: _Once, key: tuple[str, str]) -> Statistic:
    return lambda sums: once(sums)[key]


def _sum(table: Array) -> Array:
    total: Array = table.sum(axis=0, keepdims=True)
    return total


class _Rows:
    """What each pair brings, gathered in one pass; 8 bytes a number and pair."""

    def __init__(self, pairs: Iterable[PairSummary]) -> None:
        from array import array

        self._macro, self._micro = array("d"), array("d")
        self._cells: dict[tuple[str, str, str], int] = {}
        self._places, self._columns, self._values = array("Q"), array("Q"), array("d")
        self.labels: dict[str, tuple[str, ...]] = {}
        self.count = 0
        for pair in pairs:
            self._macro.extend(_macro_row(pair))
            self._micro.extend((pair.edits.weight, float(pair.edits.potential), float(pair.S is not None)))
            for name, matrix in pair.matrices.items():
                known = self.labels.get(name, ())
                if matrix.labels != known:
                    self.labels[name] = tuple(dict.fromkeys((*known, *matrix.labels)))
                for (first, second), number in (*matrix.cells.items(), (("", ""), 1)):
                    column = self._cells.setdefault((name, first, second), len(self._cells))
                    self._places.append(self.count)
                    self._columns.append(column)
                    self._values.append(number)
            self.count += 1

    def macro(self) -> Array:
        import numpy as np

        return np.frombuffer(self._macro, dtype=np.float64).reshape(self.count, -1)

    def micro(self) -> Array:
        import numpy as np

        table = np.zeros((self.count, 3 + len(self._cells)))
        table[:, :3] = np.frombuffer(self._micro, dtype=np.float64).reshape(self.count, 3)
        if len(self._values):
            places, columns = (
                np.frombuffer(each, dtype=np.uint64).astype(int) for each in (self._places, self._columns)
            )
            table[places, 3 + columns] = np.frombuffer(self._values, dtype=np.float64)
        return table

    def micro_of(self, sums: Array) -> Found:
        """The numbers of ``micro`` for every line of sums."""
        import numpy as np

        order = [name for names in LAYERS.values() for name in names if name in self.labels]
        labels = {name: tuple(sorted(self.labels[name], key=lambda label: label == "none")) for name in order}
        cells: dict[str, list[tuple[int, int, int]]] = {name: [] for name in order}
        there: dict[str, int] = {}
        for (name, first, second), column in self._cells.items():
            if (first, second) == ("", ""):
                there[name] = 3 + column
            else:
                cells[name].append((labels[name].index(first), labels[name].index(second), 3 + column))
        lines: list[dict[tuple[str, str], float]] = []
        for line in sums.tolist():
            similarity = Edits(weight=line[0], potential=round(line[1])).similarity if line[2] > 0.5 else None
            totals = {}
            for name in order:
                if line[there[name]] > 0.5:
                    rows = [[0] * len(labels[name]) for _ in labels[name]]
                    for one, other, column in cells[name]:
                        rows[one][other] = round(line[column])
                    totals[name] = ConfusionMatrix(labels[name], tuple(map(tuple, rows)))
            lines.append(dict(_flat(micro_scores(totals, similarity), order)))
        return {key: np.array([line[key] for line in lines]) for key in lines[0]}


def _flat(data: dict[str, Any], order: Iterable[str]) -> Iterator[tuple[tuple[str, str], float]]:
    from math import nan

    def number(value: float | None) -> float:
        return nan if value is None else value

    yield ("", "S"), number(data["S"])
    for layer in ALL_LAYERS:
        cass = data["layers"][layer] if layer else data["cass"]
        mean = cass["mean"] if layer else data["mean"]
        for name in SCORES:
            yield (layer, f"mean.{name}"), number(mean[name])
            yield (layer, f"cass.{name}"), number(cass[name])
    for calculation in order:
        scores = data["calculations"].get(calculation, {})
        for name in SCORES:
            yield (calculation, f"score.{name}"), number(scores.get(name))


def _macro_row(pair: PairSummary) -> Iterator[float]:
    values = [pair.S, *pair.cass[""].values()]
    for layer in ALL_LAYERS:
        values += pair.means[layer].values()
    for value in values:
        yield from (0.0, 0.0) if value is None else (value, 1.0)


def _macro_of(sums: Array) -> Found:
    """The numbers of ``macro`` for every line of sums, the columns as in ``_macro_row``."""
    import numpy as np

    with np.errstate(all="ignore"):
        means = sums[:, 0::2] / sums[:, 1::2]
        similarity = means[:, 0]
        found: Found = {("", "S"): similarity}
        column = 1
        for name in SCORES:
            found["", f"mean_of_cass.{name}"] = means[:, column]
            column += 1
        for layer in ALL_LAYERS:
            for name in SCORES:
                mean = means[:, column]
                column += 1
                fused = 2 * mean * similarity / (mean + similarity)
                fused = np.where((mean <= 0) | (similarity <= 0), 0.0, fused)
                found[layer, f"mean.{name}"] = mean
                found[layer, f"cass.{name}"] = np.where(np.isnan(mean + similarity), np.nan, fused)
    return found
