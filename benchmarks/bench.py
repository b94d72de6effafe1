"""Time and memory of comparing two analyses, on one core: ``python benchmarks/bench.py [SIZE …]``.

Each size runs in a process of its own, parsing included (JSON text in, result as plain values out). The growth
exponent is that of the time between 1 000 and 30 000. Figures are wall time, the best of a few runs; peak
memory is the operating system's, of the whole process.
"""

from __future__ import annotations

import json
import math
import platform
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
SIZES = (30, 300, 1_000, 3_000, 10_000, 30_000, 100_000)


def measure(size: int) -> dict[str, float]:
    """Best wall times of loading, comparing and writing out one pair of ``size``, and the peak memory in MiB."""
    import resource

    from generate import pair

    import aifgraph

    first, second, text = pair(size)
    best: dict[str, float] = {}
    for _ in range(max(1, min(200, 20_000 // size))):
        start = time.perf_counter()
        one, other = aifgraph.loads(first), aifgraph.loads(second)
        loaded = time.perf_counter()
        result = aifgraph.compare(one, other, first_text=text, second_text=text)
        compared = time.perf_counter()
        result.to_dict()
        done = time.perf_counter()
        run = {"load": loaded - start, "compare": compared - loaded, "write": done - compared, "total": done - start}
        if not best or run["total"] < best["total"]:
            best = run
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"size": size, "bytes": len(first) + len(second), **best, "MiB": peak}


def shares(size: int = 1_000) -> dict[str, float]:
    """Which share of a pair's time goes to parsing, alignment, and calculations with their scores."""
    from generate import pair

    import aifgraph
    from aifgraph.align.alignment import align
    from aifgraph.graph import SourceText

    first, second, words = pair(size)
    text = SourceText(words, "given")
    best: dict[str, float] = {}
    for _ in range(10):
        start = time.perf_counter()
        one, other = aifgraph.loads(first), aifgraph.loads(second)
        loaded = time.perf_counter()
        align(one, other, first_text=text, second_text=text)
        aligned = time.perf_counter()
        result = aifgraph.compare(one, other, first_text=text, second_text=text)
        assert result.cass["kappa"] is not None
        done = time.perf_counter()
        rest = max(0.0, (done - aligned) - (aligned - loaded))
        run = {"parsing": loaded - start, "alignment": aligned - loaded, "calculations": rest}
        if not best or sum(run.values()) < sum(best.values()):
            best = run
    return {name: seconds / sum(best.values()) for name, seconds in best.items()}


def chance(size: int = 30, rounds: int = 100) -> float:
    """How many times one comparison the same one takes with ``rounds`` rounds of chance; scores included in both."""
    from generate import pair

    import aifgraph

    first, second, text = pair(size)
    one, other = aifgraph.loads(first), aifgraph.loads(second)

    def best(runs: int, **options: int) -> float:
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            result = aifgraph.compare(one, other, first_text=text, second_text=text, **options)
            assert result.layers["dialogical"].cass["kappa"] is not None
            assert (result.chance is None) == (not options)
            times.append(time.perf_counter() - start)
        return min(times)

    return best(10, chance=rounds) / best(200)


def import_time() -> float:
    """Seconds that ``import aifgraph`` takes in a fresh interpreter, the best of five."""
    code = "import time; t = time.perf_counter(); import aifgraph; print(time.perf_counter() - t)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5))
    return min(float(run.stdout) for run in runs)


def main(sizes: tuple[int, ...]) -> None:
    """Print one row per size, then pairs a second, growth, and import time."""
    print(f"Python {platform.python_version()} on {platform.machine()}, one core")
    print(f"{'n':>7} {'MB':>6} {'load s':>8} {'compare s':>9} {'write s':>8} {'total s':>8} {'peak MiB':>8}")
    rows: list[dict[str, float]] = []
    for size in sizes:
        command = [sys.executable, __file__, "--one", str(size)]
        row = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        rows.append(row)
        print(
            f"{size:>7} {row['bytes'] / 1e6:>6.1f} {row['load']:>8.4f} {row['compare']:>9.4f} {row['write']:>8.4f} "
            f"{row['total']:>8.4f} {row['MiB']:>8.0f}",
            flush=True,
        )
    small = next((row for row in rows if row["size"] == 30), None)
    if small:
        print(f"pairs a second at n = 30: {1 / small['total']:.0f}")
    large = [row for row in rows if 1_000 <= row["size"] <= 30_000]
    if len(large) > 1:
        growth = math.log(large[-1]["total"] / large[0]["total"]) / math.log(large[-1]["size"] / large[0]["size"])
        print(f"growth from n = {large[0]['size']:.0f} to {large[-1]['size']:.0f}: n^{growth:.2f}")
    print("of a pair's time at n = 1 000: " + ", ".join(f"{name} {part:.0%}" for name, part in shares().items()))
    print(f"chance=100 at n = 30: {chance():.0f} times one comparison")
    print(f"import aifgraph: {import_time() * 1000:.0f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        sys.path.insert(0, str(HERE))
        print(json.dumps(measure(int(sys.argv[2]))))
    else:
        main(tuple(map(int, sys.argv[1:])) or SIZES)
