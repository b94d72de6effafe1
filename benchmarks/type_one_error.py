"""How often the paired test of CASS finds a difference at 5 % where there is none: a table of docs/evaluate-systems.md.

Two systems have equal CASS. Each text has an M and an S of each system, drawn from beta distributions with the means
below. Two tests see the same texts: the library's, of the contributions of texts (docs/measures.md, section 8), and one
that exchanges the M and the S of texts. The table has the range over numbers of texts, and over texts alike and unlike.

``python benchmarks/type_one_error.py`` writes the table into the page; ``--check`` fails where the page has another.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import product

import numpy as np
from figures import ROOT, SEED, fill, save

from aifgraph.comparison.cass import fuse
from aifgraph.evaluation.estimates import MetricName, mean_table, paired_test
from aifgraph.stats.resampling import Array, Bootstrap, exchanges
from aifgraph.tables import Table, as_markdown

PAGE = ROOT / "docs" / "evaluate-systems.md"
#: Pairs of systems that are drawn, patterns of exchange of a test, and the level of the tests.
RUNS, ROUNDS, LEVEL = 4_000, 1_024, 0.05
TEXTS = (10, 20, 40)
#: The mean S of the two systems. M of the first is ``FIRST_M``, and M of the second makes CASS equal.
SIMILARITIES = ((0.9, 0.9), (0.4, 1.0))
FIRST_M = 0.9
#: What beta distributions of M and S add up to: more makes texts more alike.
SPREADS = (30.0, 3.0)
M, S, CASS = MetricName("M", "kappa"), MetricName("S"), MetricName("CASS", "kappa")


def drawn(mean: float, spread: float, texts: int, generator: np.random.Generator) -> Array:
    """Return values from 0 to 1 with a mean; all are 1 if that is 1."""
    return np.ones(texts) if mean == 1 else generator.beta(mean * spread, (1 - mean) * spread, texts)


def exchange_parts(systems: Mapping[str, tuple[Array, Array]], seed: int) -> float:
    """Return p of a test that exchanges the M and the S of texts, and fuses their means in each round."""
    both = np.array([*systems.values()])  # system, M or S, text
    patterns, exact = exchanges(both.shape[2], ROUNDS, seed)
    changed = np.concatenate([*patterns])[:, np.newaxis, :]
    first, second = (np.where(changed, both[1 - side], both[side]).mean(axis=2) for side in (0, 1))
    apart = np.abs(fuse(*first.T) - fuse(*second.T))
    observed = abs(float(np.subtract(*(fuse(*side.mean(axis=1)) for side in both))))
    return float(((apart >= observed - 1e-12).sum() + (not exact)) / (len(apart) + (not exact)))


def rejections(texts: int, similarities: tuple[float, float], spread: float) -> list[float]:
    """Return which share of runs each test rejects."""
    generator = np.random.default_rng([SEED, texts, *map(int, (100 * similarities[0], spread))])
    cass = 2 * FIRST_M * similarities[0] / (FIRST_M + similarities[0])
    means = [FIRST_M, cass * similarities[1] / (2 * similarities[1] - cass)]
    names = [f"text{number}" for number in range(texts)]
    rejected = np.zeros(2)
    for run in range(RUNS):
        systems = {
            name: (drawn(mean, spread, texts, generator), drawn(similarity, spread, texts, generator))
            for name, mean, similarity in zip(("first", "second"), means, similarities, strict=True)
        }
        tables = {
            name: mean_table(names, {M: m, S: s}, None, lambda of: {**of, CASS: fuse(of[M], of[S])})
            for name, (m, s) in systems.items()
        }
        own = paired_test(tables, CASS, rounds=ROUNDS, bootstrap=Bootstrap(1, seed=run)).p or 1
        rejected += [own <= LEVEL, exchange_parts(systems, run) <= LEVEL]
    return [*(rejected / RUNS)]


def main() -> int:
    """Simulate, and write or check the page."""
    rows = []
    for similarities in SIMILARITIES:
        shares = [rejections(texts, similarities, total) for total, texts in product(SPREADS, TEXTS)]
        print(similarities, *shares, sep="\t", file=sys.stderr)
        cells = [f"{100 * min(of):.1f} to {100 * max(of):.1f}" for of in zip(*shares, strict=True)]
        rows.append(("{} and {}".format(*similarities), *cells))
    columns = ("mean S", "contributions (%)", "M and S exchanged (%)")
    table = as_markdown(Table("", columns, rows)).strip()
    return int(not save(PAGE, fill(PAGE.read_text("utf-8"), {"type one error": table})))


if __name__ == "__main__":
    sys.exit(main())
