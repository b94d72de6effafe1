"""``python -m fuzz --minutes 10``: changed inputs over all cores; exit 1 where something came out that is no error
of the library. A smallest input for each new place is written to ``fuzz-found/``."""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from fuzz.attempt import attempt_of, minimised, tried

_FOUND = Path("fuzz-found")
#: How often each outcome of each label; the first attempt at each site.
Part = tuple[Counter[tuple[str, str]], dict[str, int]]


def work(seed: int, first: int, step: int, until: float, only: str) -> Part:
    """Every ``step``-th attempt from ``first``."""
    warnings.simplefilter("ignore")
    logging.disable()
    counts: Counter[tuple[str, str]] = Counter()
    sites: dict[str, int] = {}
    number = first
    while time.time() < until:
        attempt = attempt_of(seed, number)
        if attempt.label.startswith(only):
            outcome = tried(attempt)
            counts[attempt.label, outcome.kind] += 1
            if outcome.site and outcome.site not in sites:
                sites[outcome.site] = number
                print(f"found {outcome.site} (input {number})", file=sys.stderr, flush=True)
        number += step
    return counts, sites


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="kinds of attempts that begin so, such as 'command compare'")
    args = parser.parse_args()
    until = time.time() + args.minutes * 60
    with multiprocessing.Pool(args.jobs) as pool:
        parts = pool.starmap(work, [(args.seed, first, args.jobs, until, args.only) for first in range(args.jobs)])
    counts = sum((part[0] for part in parts), Counter[tuple[str, str]]())
    sites = {site: number for part in parts for site, number in part[1].items()}
    print(f"{counts.total()} inputs, seed {args.seed}, {args.minutes:g} minutes, {args.jobs} processes")
    for (label, outcome), count in sorted(counts.items()):
        print(f"{count:9} {label}: {outcome}")
    for site, number in sites.items():
        small = minimised(attempt_of(args.seed, number), site)
        _FOUND.mkdir(exist_ok=True)
        path = _FOUND / f"{small.seed.replace('/', '-')}-{small.name.replace('/', '_')}"
        path.write_bytes(small.data)
        print(f"\n{site}\n{small.kind} {small.target}, changed {small.role} {small.name}: {path}")
    return 1 if sites else 0


if __name__ == "__main__":
    sys.exit(main())
