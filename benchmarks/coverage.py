"""How often a 95 % interval holds the true value: simulated corpora, for the table of docs/reporting.md.

A population of texts is made up, and two to four analysts of each: sentences in which some argue for or against others,
and analysts who cut sentences in two, miss relations, take one for another, and write claims of their own in between;
how much of this, differs from text to text. Every two analyses of a text are a pair. Corpora of so many texts are drawn
from the population, and for each interval it is counted whether the population's own value lies in it.

    python benchmarks/coverage.py            # the table, in markdown
    python benchmarks/coverage.py --corpora 200 --texts 300
"""

from __future__ import annotations

import argparse
import random
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from aifgraph import GraphBuilder, compare
from aifgraph.comparison.cass import fuse_arrays
from aifgraph.stats.bootstrap import bootstrap_many
from aifgraph.tables import Table, render

if TYPE_CHECKING:
    from aifgraph import ArgumentGraph
    from aifgraph.comparison.result import PairResult
    from aifgraph.stats.bootstrap import Array

SIZES = (5, 10, 20, 50, 100)
METHODS = ("percentile", "bca")
#: What a pair brings, a column each.
VALUES = ("M-κ", "M-F1", "S", "ER-κ", "ER-F1")
#: The columns of the table.
COLUMNS = ("M-κ", "S", "CASS-κ", "M-F1", "CASS-F1", "ER-κ", "ER-F1")
_WORDS = [first + second for first in ("ba", "de", "fi", "go", "lu", "ma", "ne") for second in ("ck", "lt", "rn", "sp")]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2000, help="texts of the population")
    parser.add_argument("--corpora", type=int, default=2000, help="corpora of every size")
    parser.add_argument("--rounds", type=int, default=1000, help="resamples of an interval")
    given = parser.parse_args()
    population = np.array([text_row(random.Random(f"text {number}")) for number in range(given.texts)])
    print(render(coverage(population, given.corpora, given.rounds), "markdown"), end="")


def coverage(population: Array, corpora: int, rounds: int) -> Table:
    """The share of ``corpora`` whose interval holds the population's value, in %; how wide it is in the mean."""
    true = {name: float(value[0]) for name, value in numbers(population.sum(axis=0)[np.newaxis]).items()}
    rows: list[list[str | int | float]] = []
    for method in METHODS:
        for size in SIZES:
            draws = np.random.default_rng(size).integers(0, len(population), size=(corpora, size))
            held, wide = dict.fromkeys(true, 0), dict.fromkeys(true, 0.0)
            for number, drawn in enumerate(draws):
                found = bootstrap_many(
                    population[drawn],
                    numbers,
                    rounds=rounds,
                    seed=number,
                    level=0.95,
                    method=method,
                    defined=numbers_defined(population[drawn]),
                )
                for name, interval in found.items():
                    if interval.low is not None and interval.high is not None:
                        held[name] += interval.low <= true[name] <= interval.high
                        wide[name] += interval.high - interval.low
            rows.append([method, size, *(100 * held[name] / corpora for name in true), f"{wide['M-κ'] / corpora:.3f}"])
    return Table("Coverage", ("method", "texts", *true, "width of M-κ"), rows, digits=1)


def text_row(rng: random.Random) -> list[float]:
    """The means over the pairs of a text, each with 1 if it is defined, else 0 and 0."""
    pairs = [compare(one, other) for one, other in combinations(analyses(rng), 2)]
    means: list[float] = []
    for values in zip(*map(pair_values, pairs), strict=True):
        known = [value for value in values if value is not None]
        means += [sum(known) / len(known), 1.0] if known else [0.0, 0.0]
    return means


def pair_values(pair: PairResult) -> list[float | None]:
    """``VALUES`` of a pair."""
    said = pair.explicit
    return [pair.mean["kappa"], pair.mean["f1"], pair.S, *((said["kappa"], said["f1"]) if said else (None, None))]


def numbers(sums: Array) -> dict[str, Array]:
    """The macro numbers for every line of summed rows."""
    with np.errstate(all="ignore"):
        means = dict(zip(VALUES, (sums[:, 0::2] / sums[:, 1::2]).T, strict=True))
    fused = {f"CASS-{score}": fuse_arrays(means[f"M-{score}"], means["S"]) for score in ("κ", "F1")}
    every = {**means, **fused}
    return {name: every[name] for name in COLUMNS}


def numbers_defined(table: Array) -> dict[str, np.ndarray]:
    """In which texts each of them is."""
    return {name: np.isfinite(values) for name, values in numbers(table).items()}


def analyses(rng: random.Random) -> list[ArgumentGraph]:
    """Two to four analyses of a text that is made up."""
    sentences = [" ".join(rng.choices(_WORDS, k=rng.randint(6, 12))) for _ in range(rng.randint(5, 14))]
    argument = {unit: (rng.randrange(unit), rng.random() < 0.25) for unit in range(1, len(sentences))}
    wrong = rng.betavariate(2, 3)
    return [analysis(rng, sentences, argument, wrong) for _ in range(rng.choice((2, 2, 2, 3, 4)))]


def analysis(
    rng: random.Random, sentences: list[str], argument: dict[int, tuple[int, bool]], wrong: float
) -> ArgumentGraph:
    """One analyst's map: each decision is wrong with a probability of about ``wrong``."""
    build = GraphBuilder()
    build.source(". ".join(sentences) + ".")
    units = []
    for sentence in sentences:
        words = sentence.split()
        cut = len(words) // 2 if rng.random() < wrong / 2 else len(words)
        units.append(build.proposition(" ".join(words[:cut])))
        if words[cut:]:
            build.proposition(" ".join(words[cut:]))
    for unit, (claim, attacks) in argument.items():
        if rng.random() < wrong / 2:
            continue
        if rng.random() < wrong:
            claim = rng.choice([other for other in range(len(units)) if other != unit])
        if rng.random() < wrong / 3:
            attacks = not attacks
        target = units[claim]
        if rng.random() < 0.25:  # a claim that nobody uttered, in words of the analyst's own
            between = build.proposition(" ".join(f"own{rng.randrange(10**9)}" for _ in range(6)))
            build.inference([between], target)
            target = between
        if attacks:
            build.conflict(units[unit], target)
        else:
            build.inference([units[unit]], target)
    return build.graph()


if __name__ == "__main__":
    main()
