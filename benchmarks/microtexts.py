"""Microtext XML to AIF: maps a second, beside arguebuf where it is installed.

    python benchmarks/microtexts.py path/to/microtexts/part1/corpus/en [--repeat 5]

Both read the same files from disk, the files of the folder over and over until 1 000 are read, taking turns; the
fastest turn of each counts. arguebuf keeps neither the text nor the roles.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path


def seconds(read: Callable[[Path], object], paths: list[Path]) -> float:
    """How long reading all these files takes."""
    start = time.perf_counter()
    for path in paths:
        read(path)
    return time.perf_counter() - start


def readers() -> dict[str, Callable[[Path], object]]:
    """From a file to AIF JSON as text, by those that are installed."""
    found: dict[str, Callable[[Path], object]] = {}
    try:
        from aifgraph import dumps, load

        found["aifgraph"] = lambda path: dumps(load(path), format="aif", indent=None)
    except ImportError:
        pass
    try:
        import json

        import arguebuf
        from arguebuf.dump._config import Config, Format

        aif = Config(format=Format.AIF)
        found["arguebuf"] = lambda path: json.dumps(
            arguebuf.dump.dict(arguebuf.load.file(path, config=arguebuf.load.Config()), aif)
        )
    except ImportError:
        pass
    return found


def main() -> None:
    """Measure and print a line for each reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--files", type=int, default=1000)
    given = parser.parse_args()
    paths = list(islice(cycle(sorted(given.folder.glob("*.xml"))), given.files))
    if not paths:
        parser.error(f"there are no .xml files in {given.folder}")
    known = readers()
    best: dict[str, float] = {}
    for _ in range(given.repeat):
        for name, read in known.items():
            best[name] = min(best.get(name, float("inf")), seconds(read, paths))
    for name, took in best.items():
        print(f"{name:<10} {took:.3f} s for {len(paths)} files")
    if len(best) == 2:
        print(f"ratio      {best['aifgraph'] / best['arguebuf']:.2f}")


if __name__ == "__main__":
    main()
