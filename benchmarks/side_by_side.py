"""This library beside others that do a part of the same: a table in markdown, with versions and conditions.

    python benchmarks/side_by_side.py path/to/microtexts/part1/corpus/en --arguebuf path/to/python

Times are of the processor (user and system) in one process, the least of ``--repeat`` turns in which both take part.
The values of both are compared where both give one. ``--arguebuf`` is the Python of an environment with arguebuf, which
reads the same files in a process of its own; the start of Python and imports are in no time.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")

#: Words of the segmented text, and units that are labelled by three coders.
WORDS, UNITS = 100_000, 100_000
FILES = 1_000

_READER = """
import json, sys, time
import arguebuf
from importlib.metadata import version
paths = json.load(sys.stdin)
arguebuf.load.file(paths[0])
start = time.process_time()
nodes = sum(len(arguebuf.load.file(path).nodes) for path in paths)
print(json.dumps([time.process_time() - start, nodes, version("arguebuf")]))
"""


class Row(NamedTuple):
    """What was done, by which package, in how many seconds here and there."""

    what: str
    package: str
    ours: float
    theirs: float


def timed(function: Callable[[], T]) -> tuple[float, T]:
    """Seconds of the processor, and the result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def segmentations() -> Iterator[Row]:
    """S, B, Pk and WindowDiff of two segmentations of one text: units of about 12 words, a tenth of the bounds left
    out and a third of the others moved by one word."""
    import segeval

    from aifgraph.text.segmentation import Segmentation, measures

    rng = random.Random(1)
    first = sorted(rng.sample(range(1, WORDS), WORDS // 12))
    moved = (cut + rng.choice((0, 0, 0, 0, 1, -1)) for cut in first if rng.random() > 0.1)
    second = sorted({cut for cut in moved if 0 < cut < WORDS})
    one, other = Segmentation.of(WORDS, first), Segmentation.of(WORDS, second)
    ours, values = timed(lambda: measures(one, other))
    package = f"segeval {version('segeval')}"
    total = 0.0
    for name, function, mine in (
        ("S", segeval.segmentation_similarity, values.segmentation_similarity),
        ("B", segeval.boundary_similarity, values.boundary_similarity),
        ("Pk", segeval.pk, values.pk),
        ("WindowDiff", segeval.window_diff, values.window_diff),
    ):
        # Pk and WindowDiff of segeval take the reference second.
        given = (one, other) if name in ("S", "B") else (other, one)
        took, value = timed(lambda: function(*(each.masses for each in given)))  # noqa: B023  called at once
        assert mine is not None
        assert abs(mine - float(value)) < 1e-9, f"{name}: {mine} and {value}"
        total += took
    yield Row(f"S, B, Pk and WindowDiff, {WORDS} words", package, ours, total)


def agreement() -> Iterator[Row]:
    """Krippendorff's α, nominal, of three coders, a fifth of whose labels are drawn at random, a tenth missing."""
    import krippendorff
    import numpy

    from aifgraph.stats.krippendorff import nominal_alpha

    rng = random.Random(2)
    truth = [rng.randrange(5) for _ in range(UNITS)]

    def label(true: int) -> int | None:
        return None if rng.random() < 0.1 else rng.randrange(5) if rng.random() < 0.2 else true

    coders = [[label(true) for true in truth] for _ in range(3)]

    def mine() -> float | None:
        rows = Counter(tuple(str(each) for each in unit if each is not None) for unit in zip(*coders, strict=True))
        return nominal_alpha(rows).value

    def other() -> float:
        data = numpy.array([[numpy.nan if each is None else each for each in coder] for coder in coders])
        return float(krippendorff.alpha(reliability_data=data, level_of_measurement="nominal"))

    ours, one = timed(mine)
    theirs, two = timed(other)
    assert one is not None
    assert abs(one - two) < 1e-9, f"alpha: {one} and {two}"
    yield Row(f"nominal α, {UNITS} units, 3 coders", f"krippendorff {version('krippendorff')}", ours, theirs)


def reading(folder: Path, python: str) -> Iterator[Row]:
    """Arggraph files of the microtexts, over and over until 1 000 are read, with all their nodes asked for."""
    from aifgraph import load

    paths = list(islice(cycle(sorted(folder.glob("*.xml"))), FILES))
    load(paths[0])
    ours, nodes = timed(lambda: sum(len(list(load(path).nodes)) for path in paths))
    run = [python, "-c", _READER]
    asked = json.dumps([str(path) for path in paths])
    done = subprocess.run(run, input=asked, capture_output=True, text=True, check=True)
    theirs, other, release = json.loads(done.stdout)
    print(f"nodes read: {nodes}, by arguebuf {other}", file=sys.stderr)
    yield Row(f"{len(paths)} arggraph files read", f"arguebuf {release}", ours, theirs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="arggraph files, for arguebuf")
    parser.add_argument("--arguebuf", metavar="PYTHON", help="the Python of an environment with arguebuf")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    least: dict[tuple[str, str], tuple[float, float]] = {}
    for _ in range(given.repeat):
        rows = [*segmentations(), *agreement()]
        rows += reading(given.folder, given.arguebuf) if given.folder and given.arguebuf else []
        for row in rows:
            ours, theirs = least.get(row[:2], (row.ours, row.theirs))
            least[row[:2]] = min(ours, row.ours), min(theirs, row.theirs)
    from aifgraph.version import __version__

    system = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    print(f"aifgraph {__version__}, {system}; seconds of the processor, the least of {given.repeat} turns\n")
    print("| what | other package | aifgraph, s | other, s | times as fast |\n|---|---|---:|---:|---:|")
    for (what, package), (ours, theirs) in least.items():
        print(f"| {what} | {package} | {ours:.3f} | {theirs:.3f} | {theirs / ours:.1f} |")


if __name__ == "__main__":
    main()
