"""Time of ``compare``, ``differences`` and ``merge`` on a pair of maps: ``python benchmarks/merging.py [SIZE …]``.

CPU time in seconds, the median of several runs with the fastest and the slowest. ``compare`` is the comparison with all
its scores. ``differences`` and ``merge`` are what comes on top of it, from the comparison that is made already.
"""

from __future__ import annotations

import platform
import statistics
import sys
import time
from pathlib import Path

RUNS = 9


def measure(size: int) -> dict[str, list[float]]:
    """CPU seconds of each step, in each run."""
    from generate import pair

    import aifgraph
    from aifgraph.adjudication.merge import merge_compared

    first, second, text = pair(size)
    one, other = aifgraph.loads(first), aifgraph.loads(second)
    times: dict[str, list[float]] = {"compare": [], "differences": [], "merge": []}
    for run in range(RUNS + 1):
        start = time.process_time()
        comparison = aifgraph.compare(one, other, first_text=text, second_text=text)
        assert comparison.cass["kappa"] is not None
        compared = time.process_time()
        differences = comparison.differences()
        assert differences.summary
        listed = time.process_time()
        merge_compared(comparison, prefer="both")
        merged = time.process_time()
        if run:  # the first run imports and fills caches
            times["compare"].append(compared - start)
            times["differences"].append(listed - compared)
            times["merge"].append(merged - listed)
    return times


def main(sizes: list[int]) -> None:
    """Print a row for each size and step."""
    print(f"Python {platform.python_version()} on {platform.machine()}, CPU seconds of {RUNS} runs")
    print(f"{'n':>7} {'step':<12} {'median':>8} {'least':>8} {'most':>8}")
    for size in sizes:
        for step, times in measure(size).items():
            print(f"{size:>7} {step:<12} {statistics.median(times):>8.3f} {min(times):>8.3f} {max(times):>8.3f}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main([int(size) for size in sys.argv[1:]] or [3_000])
