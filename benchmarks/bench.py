"""Time and memory of comparing two analyses, on one core: ``python benchmarks/bench.py [--out FILE] [SIZE …]``.

The yardstick is ``json.load`` of the same two files in the same run: a run reads both with it, then loads and compares
them, part by part, and then as users do. Ratios are medians over the runs, of processor time, which other programs
disturb less than wall time; both times stand beside them. Each run begins with no text kept from the one before. Each
size runs in a process of its own, and once more in another for its peak memory. All figures go into a JSON file, of
which ``docs/speed_tables.py`` makes the tables.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OUT = HERE.parent / "docs" / "speed.json"
SIZES = (30, 1_000, 10_000, 100_000)
#: The sizes of the maps that are compared without their text.
WITHOUT_TEXT = (3_000, 30_000)
#: Above this many propositions only one kind of file is measured.
BOTH_KINDS = 10_000
PARTS = ("read", "markup", "place", "match", "calculate", "score")


class Clock:
    """Wall and processor time since it was made or asked last."""

    def __init__(self) -> None:
        self._last = self._now()

    def _now(self) -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    def lap(self) -> tuple[float, float]:
        """Seconds of both since the last lap."""
        now, last = self._now(), self._last
        self._last = self._now()
        return now[0] - last[0], now[1] - last[1]


def forget() -> None:
    """Forget the texts that the library keeps for the next comparison: the next one may be of other texts."""
    from aifgraph.text import placing

    placing._cached_phrases.cache_clear()
    placing._cached_tokens.cache_clear()


def once(paths: tuple[str, str]) -> dict[str, tuple[float, float]]:
    """One run over a pair of files: (wall, processor) seconds of ``json.load``, of each part, and of it all."""
    import aifgraph
    from aifgraph.align.alignment import align_placed, placed_sides
    from aifgraph.align.analysis import analyse
    from aifgraph.align.positions import place
    from aifgraph.comparison.calculations.registry import calculate
    from aifgraph.comparison.segmentation import segmentation_of
    from aifgraph.gc_pause import gc_paused
    from aifgraph.text.markup import plain_text

    found: dict[str, tuple[float, float]] = {}
    forget()
    clock = Clock()
    for path in paths:
        with Path(path).open(encoding="utf-8") as file:
            json.load(file)
    found["json"] = clock.lap()
    result = aifgraph.compare(*paths)
    assert result.kappa is not None
    found["whole"] = clock.lap()
    del result
    forget()
    clock.lap()
    one, other = map(aifgraph.load, paths)
    found["read"] = clock.lap()
    for graph in (one, other):
        source = graph.meta.source
        assert source is not None
        plain_text(source.text)
    found["markup"] = clock.lap()

    @gc_paused
    def parts() -> None:
        clock.lap()
        sides = analyse(one), analyse(other)
        placement = place(*sides, None, None)
        found["place"] = clock.lap()
        alignment = align_placed(*placed_sides(*sides, placement), placement)
        found["match"] = clock.lap()
        calculations, _ = calculate(alignment)
        segmentation_of(alignment)
        found["calculate"] = clock.lap()
        for each in calculations.values():
            assert each.matrix
        found["score"] = clock.lap()

    parts()
    found["place"] = tuple(a - b for a, b in zip(found["place"], found["markup"], strict=True))  # type: ignore[assignment]
    return found


def measure(paths: tuple[str, str], size: int) -> dict[str, Any]:
    """The medians of the runs of a size: milliseconds of wall and processor time, and ratios to ``json.load``."""
    runs = [once(paths) for _ in range(max(1 if size > 50_000 else 3, min(100, 15_000 // size)))]
    row: dict[str, Any] = {"size": size, "bytes": sum(Path(path).stat().st_size for path in paths), "runs": len(runs)}
    for name in ("json", "whole", *PARTS):
        row[name] = {
            "wall_ms": 1000 * statistics.median(run[name][0] for run in runs),
            "cpu_ms": 1000 * statistics.median(run[name][1] for run in runs),
            "ratio": statistics.median(run[name][1] / run["json"][1] for run in runs),
        }
    return row


def memory(paths: tuple[str, str]) -> float:
    """The peak memory of a process that compares one pair, in MiB."""
    import resource

    import aifgraph

    assert aifgraph.compare(*map(aifgraph.load, paths)).kappa is not None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def systems(paths: tuple[str, str], count: int = 20) -> dict[str, float]:
    """Processor seconds of comparing one gold map with so many systems: the gold map loaded once; each comparison by
    itself, with nothing kept; and each anew, with the text that the library keeps by itself."""
    import aifgraph

    def best(run: Callable[[], object]) -> float:
        times = []
        for _ in range(5):
            forget()
            clock = Clock()
            run()
            times.append(clock.lap()[1])
        return min(times)

    def kept() -> None:
        gold = aifgraph.load(paths[0])
        for _ in range(count):
            assert aifgraph.compare(gold, paths[1]).kappa is not None

    def anew() -> None:
        for _ in range(count):
            assert aifgraph.compare(*paths).kappa is not None

    def apart() -> None:
        for _ in range(count):
            forget()
            assert aifgraph.compare(*paths).kappa is not None

    times = {"systems": float(count), "kept": best(kept), "anew": best(anew), "apart": best(apart)}
    return times | {"share": times["kept"] / times["apart"], "share_of_anew": times["kept"] / times["anew"]}


def without_text(paths: tuple[str, str], size: int) -> dict[str, float]:
    """Seconds of loading and comparing two maps that have no text, the best of a few."""
    import aifgraph

    times = []
    for _ in range(3 if size <= 3_000 else 1):
        clock = Clock()
        one, other = (aifgraph.load(path).with_meta(source=None) for path in paths)
        loaded = clock.lap()
        assert aifgraph.compare(one, other).kappa is not None
        times.append((clock.lap(), loaded))
    (wall, cpu), (load, _) = min(times)
    return {"size": size, "compare": wall, "compare_cpu": cpu, "load": load}


def validation(path: str) -> dict[str, float]:
    """Processor seconds of loading a map and of checking it in the profile ``iat``, and its number of nodes."""
    import aifgraph

    clock = Clock()
    graph = aifgraph.load(path)
    loaded = clock.lap()[1]
    aifgraph.validate(graph, profile="iat")
    return {"nodes": len(graph), "load": loaded, "validate": clock.lap()[1]}


def write_files(folder: Path, size: int, kind: str) -> tuple[str, str]:
    """The pair of a size as files: ``aif`` with the text beside, ``xaif`` with numbers as ids and the text in it."""
    from generate import marked_up, pair

    first, second, text = pair(size)
    paths = []
    for name, content in (("first", first), ("second", second)):
        path = folder / f"{kind}-{size}-{name}.json"
        if kind == "xaif":
            content = marked_up(content, text)
        else:
            path.with_suffix(".txt").write_text(text, "utf-8")
        path.write_text(content, "utf-8")
        paths.append(str(path))
    return paths[0], paths[1]


def import_time() -> float:
    """Seconds that ``import aifgraph`` takes in a fresh interpreter, the best of five."""
    code = "import time; t = time.perf_counter(); import aifgraph; print(time.perf_counter() - t)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5))
    return min(float(run.stdout) for run in runs)


def apart(what: str, paths: tuple[str, str], size: int) -> Any:
    """What a function of this file gives, called in a process of its own."""
    command = [sys.executable, __file__, "--apart", what, str(size), *paths]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main(sizes: tuple[int, ...], out: Path) -> None:
    """Measure, print, and write the JSON file."""
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "pairs": [],
    }
    print(f"Python {found['python']}, {found['machine']}; ratios are to json.load of the same two files")
    print(f"{'n':>7} {'file':>5} {'json ms':>8} {'all ms':>9} {'ratio':>6} {'MiB':>6}  parts, as ratios")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in sizes:
            for kind in ("aif", "xaif") if size <= BOTH_KINDS else ("aif",):
                paths = write_files(folder, size, kind)
                row = {"kind": kind, **apart("measure", paths, size), "MiB": apart("memory", paths, size)}
                found["pairs"].append(row)
                parts = ", ".join(f"{part} {row[part]['ratio']:.2f}" for part in PARTS)
                print(
                    f"{size:>7} {kind:>5} {row['json']['wall_ms']:>8.2f} {row['whole']['wall_ms']:>9.2f} "
                    f"{row['whole']['ratio']:>6.2f} {row['MiB']:>6.0f}  {parts}",
                    flush=True,
                )
        found["growth"] = growth([row for row in found["pairs"] if row["kind"] == "aif" and row["size"] >= 1_000])
        found["systems"] = {n: apart("systems", write_files(folder, n, "aif"), n) for n in (30, 1_000)}
        found["without_text"] = [apart("without_text", write_files(folder, n, "aif"), n) for n in WITHOUT_TEXT]
        found["validation"] = apart("validation", write_files(folder, 12_000, "aif"), 12_000)
    found["import_ms"] = 1000 * import_time()
    print(f"growth from n = 1 000 on: n^{found['growth']:.2f}" if found["growth"] else "growth: one size only")
    for n, row in found["systems"].items():
        shares = f"{row['share']:.0%} of 20 comparisons by themselves, {row['share_of_anew']:.0%} of 20 in a row"
        print(f"20 systems against one gold map, n = {n}: {shares}")
    for row in found["without_text"]:
        print(f"without text, n = {row['size']:.0f}: {row['compare']:.2f} s")
    row = found["validation"]
    print(f"{row['nodes']} nodes: loaded in {row['load']:.2f} s, checked in profile iat in {row['validate']:.2f} s")
    print(f"import aifgraph: {found['import_ms']:.0f} ms")
    known = json.loads(out.read_text("utf-8")) if out.exists() else {}
    out.write_text(json.dumps(known | found, indent=1) + "\n", "utf-8")


def growth(rows: list[dict[str, Any]]) -> float | None:
    """The exponent of the processor time from the smallest size to the largest."""
    if len(rows) < 2:
        return None
    times = rows[-1]["whole"]["cpu_ms"] / rows[0]["whole"]["cpu_ms"]
    return math.log(times) / math.log(rows[-1]["size"] / rows[0]["size"])


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    if sys.argv[1:2] == ["--apart"]:
        what, size, *given = sys.argv[2:]
        both = (given[0], given[1])
        jobs: dict[str, Callable[[], object]] = {
            "measure": lambda: measure(both, int(size)),
            "memory": lambda: memory(both),
            "systems": lambda: systems(both),
            "without_text": lambda: without_text(both, int(size)),
            "validation": lambda: validation(both[0]),
        }
        print(json.dumps(jobs[what]()))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
        parser.add_argument("--out", type=Path, default=OUT)
        arguments = parser.parse_args()
        main(tuple(arguments.sizes), arguments.out)
