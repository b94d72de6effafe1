"""``python -m fuzz --minutes 10``: changed files over all cores; exit 1 where something came out that is no error of
the tree. A smallest input for each new place is written to ``fuzz-found/``."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from fuzz.attempt import Outcome, attempt_of, minimised, tried

_FOUND = Path("fuzz-found")


def work(seed: int, first: int, step: int, until: float) -> tuple[int, Counter[str], dict[str, int]]:
    """Every ``step``-th attempt from ``first``: how many, what came out, and the first attempt at each site."""
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    sites: dict[str, int] = {}
    number = first
    while time.time() < until:
        outcome: Outcome = tried(attempt_of(seed, number))
        counts[outcome.kind] += 1
        if outcome.site:
            sites.setdefault(outcome.site, number)
        number += step
    return sum(counts.values()), counts, sites


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    until = time.time() + given.minutes * 60
    with multiprocessing.Pool(given.jobs) as pool:
        parts = pool.starmap(work, [(given.seed, number, given.jobs, until) for number in range(given.jobs)])
    counts = sum((part[1] for part in parts), Counter[str]())
    sites = {site: number for part in parts for site, number in part[2].items()}
    inputs = sum(part[0] for part in parts)
    print(f"{inputs} inputs, seed {given.seed}, {given.minutes:g} minutes, {given.jobs} processes")
    for kind, count in counts.most_common():
        print(f"{count:9} {kind}")
    for site, number in sites.items():
        small = minimised(attempt_of(given.seed, number), site)
        _FOUND.mkdir(exist_ok=True)
        file = _FOUND / f"{given.seed}-{number}-{small.name}"
        file.write_bytes(small.data)
        print(f"{site}\n    {small.target or 'load'}, input {number}: {file} ({len(small.data)} bytes)")
    return 1 if sites else 0


if __name__ == "__main__":
    sys.exit(main())
