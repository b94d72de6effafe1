"""Time and memory of comparing two analyses, on one core: ``python benchmarks/bench.py [SIZE …]``.

The yardstick is ``json.load`` of the same two files in the same run: a run reads both with it, then loads and compares
them, part by part, and then as users do. Ratios are medians over the runs, of processor time, which other programs
disturb less than wall time; both times stand beside them. Each run begins with no text kept from the one before. Each
size runs in a process of its own, and once more in another for its peak memory.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SIZES = (30, 1_000)
#: Above this many propositions only one kind of file is measured.
BOTH_KINDS = 10_000
PARTS = ("read", "place", "match", "calculate", "score")


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
    from aifgraph.text import source as placing

    placing._kept_text.cache_clear()


def once(paths: tuple[str, str]) -> dict[str, tuple[float, float]]:
    """One run over a pair of files: (wall, processor) seconds of ``json.load``, of each part, and of it all."""
    import aifgraph
    from aifgraph.align.alignment import align_placed
    from aifgraph.align.analysis import analyse
    from aifgraph.align.matching import place
    from aifgraph.comparison.calculations import label_items_of_pair
    from aifgraph.comparison.cass import segmentation_of
    from aifgraph.comparison.links import links_of_both
    from aifgraph.graph.columns import gc_paused

    found: dict[str, tuple[float, float]] = {}
    options = aifgraph.Options()
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

    @gc_paused
    def parts() -> None:
        clock.lap()
        sides = analyse(one), analyse(other)
        placement = place(sides)
        found["place"] = clock.lap()
        alignment = align_placed(placement, options)
        found["match"] = clock.lap()
        calculations = label_items_of_pair(alignment, links_of_both(alignment))
        segmentation_of(alignment)
        found["calculate"] = clock.lap()
        for each in calculations.values():
            assert each.matrix
        found["score"] = clock.lap()

    parts()
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


def apart(what: str, paths: tuple[str, str], size: int) -> Any:
    """What a function of this file gives, called in a process of its own."""
    command = [sys.executable, __file__, "--apart", what, str(size), *paths]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main(sizes: list[int]) -> None:
    """Measure and print a row for each size and kind of file."""
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    print("ratios are to json.load of the same two files")
    print(f"{'n':>7} {'file':>5} {'json ms':>8} {'all ms':>9} {'ratio':>6} {'MiB':>6}  parts, as ratios")
    with tempfile.TemporaryDirectory() as name:
        for size in sizes:
            for kind in ("aif", "xaif") if size <= BOTH_KINDS else ("aif",):
                paths = write_files(Path(name), size, kind)
                row, peak = apart("measure", paths, size), apart("memory", paths, size)
                parts = ", ".join(f"{part} {row[part]['ratio']:.2f}" for part in PARTS)
                print(
                    f"{size:>7} {kind:>5} {row['json']['wall_ms']:>8.2f} {row['whole']['wall_ms']:>9.2f} "
                    f"{row['whole']['ratio']:>6.2f} {peak:>6.0f}  {parts}",
                    flush=True,
                )


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    if sys.argv[1:2] == ["--apart"]:
        what, size, first, second = sys.argv[2:]
        both = (first, second)
        print(json.dumps(measure(both, int(size)) if what == "measure" else memory(both)))
    else:
        main([int(size) for size in sys.argv[1:]] or list(SIZES))
