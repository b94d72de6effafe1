"""``python -m fuzz --minutes 10``: changed inputs over all cores; exit 1 where something came out that is no error
of the library. A smallest input for each new place is written to
``fuzz-found/``, with a file that says how it was given."""

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

from fuzz.attempt import Attempt, Outcome, attempt_of, minimised, tried

_FOUND = Path("fuzz-found")
#: Per label: how often each outcome.
Counts = Counter[tuple[str, str]]


def work(seed: int, first: int, step: int, until: float, only: str) -> tuple[Counts, dict[str, int]]:
    """Every ``step``-th attempt from ``first``: what came out, and the first attempt at each site."""
    warnings.simplefilter("ignore")
    logging.disable()
    counts: Counts = Counter()
    sites: dict[str, int] = {}
    number = first
    while time.time() < until:
        attempt = attempt_of(seed, number)
        if attempt.label.startswith(only):
            outcome: Outcome = tried(attempt)
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
    given = parser.parse_args()
    until = time.time() + given.minutes * 60
    with multiprocessing.Pool(given.jobs) as pool:
        parts = pool.starmap(work, [(given.seed, first, given.jobs, until, given.only) for first in range(given.jobs)])
    counts = sum((part[0] for part in parts), Counter[tuple[str, str]]())
    sites = {site: number for part in parts for site, number in part[1].items()}
    print(f"{counts.total()} inputs, seed {given.seed}, {given.minutes:g} minutes, {given.jobs} processes")
    for title, place in (("by what came out", 1), ("by what was given", 0)):
        print(f"\n{title}")
        groups: Counter[str] = Counter()
        for key, count in counts.items():
            groups[key[place]] += count
        for name, count in groups.most_common():
            print(f"{count:9} {name}")
    for site, number in sites.items():
        _report(attempt_of(given.seed, number), site, number)
    return 1 if sites else 0


def _report(attempt: Attempt, site: str, number: int) -> None:
    small = minimised(attempt, site)
    _FOUND.mkdir(exist_ok=True)
    name = f"{attempt.seed.replace('/', '-')}-{small.name.replace('/', '_')}"
    (_FOUND / name).write_bytes(small.data)
    how = f"{site}\n{small.kind}: {small.target}, changed {small.role or 'answer'} {small.name}\n"
    (_FOUND / f"{name}.how").write_text(how, "utf-8")
    print(f"\n{how}    input {number}: {_FOUND / name} ({len(small.data)} bytes)")


if __name__ == "__main__":
    sys.exit(main())
