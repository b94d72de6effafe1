"""Whole corpora: wall time and memory of many maps, bootstrap, segeval, scikit-learn: ``python benchmarks/corpora.py``.

The corpora are folders of made-up maps of 30 propositions (200 different pairs, over and over), so that reading,
comparing and writing results are all in the time. Memory is the operating system's peak of the parent process.

``--maps 1000000 --nodes 30 --stop 0.5`` compares a million small pairs instead (14 GiB of maps; ``many_pairs``).
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

SIZE = 30
DIFFERENT = 200


def write_corpora(folder: Path, maps: int) -> tuple[Path, Path]:
    """Two folders of ``maps`` maps each, a text beside each map, a thousand to a sub-folder."""
    from generate import pair

    made = [pair(SIZE, seed) for seed in range(min(DIFFERENT, maps))]
    paths = (folder / "first", folder / "second")
    for side, path in enumerate(paths):
        for number in range(maps):
            inner = path / f"{number // 1000}"
            if number % 1000 == 0:
                inner.mkdir(parents=True)
            (inner / f"m{number}.json").write_text(made[number % len(made)][side], encoding="utf-8")
            (inner / f"m{number}.txt").write_text(made[number % len(made)][2], encoding="utf-8")
    return paths


def single() -> float:
    """Seconds for one pair, JSON text in and result out: the mean over the different pairs, the best of three."""
    from generate import pair

    import aifgraph

    made = [pair(SIZE, seed) for seed in range(DIFFERENT)]
    runs = []
    for _ in range(3):
        start = time.perf_counter()
        for first, second, text in made:
            one, other = aifgraph.loads(first), aifgraph.loads(second)
            result = aifgraph.compare(one, other, first_text=text, second_text=text)
            json.dumps(result.to_dict())
        runs.append((time.perf_counter() - start) / len(made))
    return min(runs)


def corpus(maps: int, jobs: int) -> dict[str, Any]:
    """Wall time per map, and peak memory in MiB, of comparing two corpora with results in a file."""
    import aifgraph

    with tempfile.TemporaryDirectory() as name:
        paths = write_corpora(Path(name), maps)
        start = time.perf_counter()
        found = aifgraph.compare_corpora(
            *paths, classes=False, jobs=jobs, results=Path(name) / "results.jsonl", pair_by="name"
        )
        kappa = found.macro.cass["kappa"]
        wall = time.perf_counter() - start
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": wall, "kappa": kappa, "MiB": own}


def bootstrap(maps: int = 1_000, rounds: int = 1_000) -> float:
    """Seconds for intervals of every score, macro and micro, from pairs that are compared already."""
    import aifgraph

    with tempfile.TemporaryDirectory() as name:
        found = aifgraph.compare_corpora(*write_corpora(Path(name), maps), classes=False)
    start = time.perf_counter()
    found.intervals(rounds=rounds)
    return time.perf_counter() - start


def against_segeval() -> tuple[float, float]:
    """Seconds of ours and of segeval for S, B, Pk and WindowDiff of the same segmentations; the values are equal."""
    import random

    import segeval

    from aifgraph.text.segmentation import Segmentation, measures

    rng = random.Random(1)
    cuts = [[sorted(rng.sample(range(1, 200), 25)) for _ in range(2)] for _ in range(20)]
    pairs = [(Segmentation.of(200, a), Segmentation.of(200, b)) for a, b in cuts]
    start = time.perf_counter()
    ours = [measures(a, b) for a, b in pairs]
    middle = time.perf_counter()
    theirs = [
        (
            segeval.segmentation_similarity(a.masses, b.masses),
            segeval.boundary_similarity(a.masses, b.masses),
            segeval.pk(b.masses, a.masses),
            segeval.window_diff(b.masses, a.masses),
        )
        for a, b in pairs
    ]
    end = time.perf_counter()
    for one, other in zip(ours, theirs, strict=True):
        assert abs(one.segmentation_similarity - float(Fraction(other[0]))) < 1e-9
    return middle - start, end - middle


def against_sklearn() -> tuple[float, float] | None:
    """Seconds of ours and of scikit-learn for kappa of the same 200 matrices; the values are equal."""
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        return None
    import random

    from aifgraph.stats.agreement import kappa
    from aifgraph.stats.matrix import ConfusionMatrix

    rng = random.Random(1)
    items = [[(rng.choice("abcd"), rng.choice("abcd")) for _ in range(900)] for _ in range(200)]
    start = time.perf_counter()
    ours = [kappa(ConfusionMatrix.of_pairs(pairs)) for pairs in items]
    middle = time.perf_counter()
    theirs = [cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs]) for pairs in items]
    end = time.perf_counter()
    assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True) if a is not None) < 1e-9
    return middle - start, end - middle


def main(maps: int = 2_000, jobs: int = 2) -> None:
    """Print one row per question."""
    print(f"Python {platform.python_version()} on {platform.machine()}; maps of {SIZE} propositions")
    alone = single()
    print(f"one pair, alone: {1000 * alone:.2f} ms")
    for count in dict.fromkeys((1, jobs)):
        found = corpus(maps, count)
        each = found["wall"] / maps
        print(
            f"{maps} pairs, {count} process(es): {found['wall']:.1f} s, {maps / found['wall']:.0f} pairs/s, "
            f"{each / alone:.2f} of a single pair's time each, peak of the parent {found['MiB']:.0f} MiB, "
            f"CASS-κ {found['kappa']:.3f}"
        )
    print(f"bootstrap of 1 000 maps × 1 000 rounds, every score: {bootstrap():.2f} s")
    ours, theirs = against_segeval()
    print(f"segmentation measures: {1000 * ours:.1f} ms, segeval {1000 * theirs:.1f} ms, {theirs / ours:.0f} times")
    if both := against_sklearn():
        print(f"kappa: {1000 * both[0]:.1f} ms, scikit-learn {1000 * both[1]:.1f} ms, {both[1] / both[0]:.0f} times")


def many(given: argparse.Namespace) -> None:
    """Print what many small pairs took."""
    from many_pairs import run

    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for line in run(folder, given.maps, given.nodes, given.jobs, given.scheduler, given.stop):
            print(line, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=2_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--nodes", type=int, help="only many pairs of so many nodes, as JSON lines (many_pairs.py)")
    parser.add_argument("--scheduler", help="with --nodes: compare on this Dask cluster")
    parser.add_argument("--stop", type=float, help="with --nodes: kill the run at this share of the pairs, and resume")
    parser.add_argument("--folder", type=Path, help="with --nodes: where the maps and the results are kept")
    arguments = parser.parse_args()
    if arguments.nodes is None:
        main(arguments.maps, arguments.jobs)
    else:
        many(arguments)
