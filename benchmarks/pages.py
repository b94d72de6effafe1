"""Seconds of the processor for pages: ``python benchmarks/pages.py [PROPOSITIONS …]``, and sixty small pages.

Pairs are made up (``generate.py``). What is compared already is not measured: this is the page of a pair alone, with
its differences, its layout and what each decision shows.
"""

from __future__ import annotations

import sys
import time

import generate

import aifgraph
from aifgraph.report.html import report_html

SIZES = (30, 300, 3_000)
#: Pages of a corpus, of so many propositions each.
PAGES, SMALL = 60, 12


def compared(size: int, seed: int = 1) -> aifgraph.Comparison:
    first, second, text = generate.pair(size, seed)
    return aifgraph.compare(aifgraph.loads(first), aifgraph.loads(second), first_text=text, second_text=text)


def main() -> None:
    report_html(compared(3))  # imports, and templates that are read once
    for size in [int(given) for given in sys.argv[1:]] or SIZES:
        result = compared(size)
        start = time.process_time()
        page = report_html(result)
        seconds = time.process_time() - start
        count = len(result.differences())
        print(f"{size:>6} propositions, {count:>5} differences: {seconds:6.2f} s, {len(page):,} letters")
    results = [compared(SMALL, seed) for seed in range(PAGES)]
    start = time.process_time()
    for result in results:
        report_html(result)
    print(f"{PAGES} pages of {SMALL} propositions: {time.process_time() - start:.2f} s")


if __name__ == "__main__":
    main()
