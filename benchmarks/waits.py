"""Where people wait: whole commands with their seconds of processor and of wall.

``python benchmarks/waits.py [ROW …]``; the rows are help, differences, resume, check, chance, turtle and queries, all
of them unless some are named. The maps are made up (``generate.py``), in a temporary folder. Where the machine is busy,
the processor's seconds are the better ones; but two processes that share a core slow each other down, there too.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import generate
import many_pairs

import aifgraph

#: Propositions of a map of a corpus: with their locutions, illocutions and relations about 31 nodes.
SMALL = 6
PAIRS = 1_000
RESUMED, MANY = 20_000, 1_000_000
QUERIES = ("most-attacked", "schemes", "self-contradiction", "undercuts", "unanswered-questions")


class Seconds(NamedTuple):
    """What something took."""

    processor: float
    wall: float

    def __str__(self) -> str:
        return f"{self.processor:8.2f} s processor {self.wall:8.2f} s wall"


def command(*arguments: object) -> Seconds:
    """``aifgraph`` with these arguments, in a process of its own."""
    # Without the compiled modules, importing would be most of a short command.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    line = [sys.executable, "-m", "aifgraph", *map(str, arguments)]
    subprocess.run(line, check=True, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(processor, time.perf_counter() - start)


def corpora(folder: Path, pairs: int) -> tuple[Path, Path]:
    """Two folders of so many maps."""
    sides = folder / f"first{pairs}", folder / f"second{pairs}"
    if not sides[0].exists():
        for side in sides:
            side.mkdir()
        for seed in range(pairs):
            for side, analysis in zip(sides, generate.pair(SMALL, seed)[:2], strict=True):
                (side / f"m{seed}.json").write_text(analysis, encoding="utf-8")
    return sides


def help_(folder: Path) -> Iterator[str]:
    """The least of five runs, after one that compiles the modules."""
    for arguments in (("--help",), ("compare", "--help")):
        runs = [command(*arguments) for _ in range(6)][1:]
        yield f"aifgraph {' '.join(arguments):14} {Seconds(*map(min, zip(*runs, strict=True)))}"


def differences(folder: Path) -> Iterator[str]:
    """Differences against the comparison alone."""
    sides = corpora(folder, PAIRS)
    compared, listed = command("compare", *sides), command("differences", *sides)
    yield f"compare, {PAIRS} pairs          {compared}"
    yield f"differences, {PAIRS} pairs      {listed}, {listed.processor / compared.processor:.2f} × compare"


def resume(folder: Path) -> Iterator[str]:
    """All lines of a results file that is complete, with opening and pairing; and what follows for a million."""
    sides, _ = many_pairs.write_lines(folder, RESUMED, 30)
    run = ["compare", *sides, "--only", "cass", "--results", folder / "results.jsonl"]
    command(*run, "--jobs", -1)
    took = command(*run, "--resume")
    yield f"resuming {RESUMED} pairs       {took}, {took.processor * MANY / RESUMED / 60:.1f} min for {MANY:,}"


def check(folder: Path) -> Iterator[str]:
    """The maps of one side."""
    yield f"check, {PAIRS} maps             {command('check', corpora(folder, PAIRS)[0])}"


def chance(folder: Path) -> Iterator[str]:
    """In one process, from the text of two maps: the least of several runs."""
    first, second, text = generate.pair(30)

    def seconds(times: int, **options: Any) -> float:
        took = []
        for _ in range(times):
            start = time.process_time()
            maps = aifgraph.loads(first), aifgraph.loads(second)
            result = aifgraph.compare(*maps, first_text=text, second_text=text, **options)
            _ = result.over, result.chance
            took.append(time.process_time() - start)
        return min(took)

    seconds(1, chance=2)  # imports
    once, rounds = seconds(10), seconds(3, chance=100)
    many = f"{rounds / once:.0f} comparisons of {1e3 * once:.1f} ms"
    yield f"chance, 100 rounds, n = 30   {rounds:6.2f} s processor, {many}"


def turtle(folder: Path) -> Iterator[str]:
    """A corpus as Turtle, with the report of what is lost."""
    maps = corpora(folder, PAIRS)[0]
    yield f"Turtle, {PAIRS} maps            {command('convert', maps, folder / 'turtle', '--to', 'turtle')}"


def queries(folder: Path) -> Iterator[str]:
    """The worked queries, over corpora and over a store of them."""
    maps, store = corpora(folder, PAIRS // 2)[0], folder / "maps.store"
    for query in QUERIES:
        yield f"query {query:22} {command('query', maps, query)}"
    yield f"store add, {PAIRS // 2} maps          {command('store', 'add', store, maps)}"
    for query in QUERIES:
        yield f"of the store {query:15}  {command('query', '--store', store, query)}"


ROWS: dict[str, Callable[[Path], Iterator[str]]] = {
    "help": help_,
    "differences": differences,
    "resume": resume,
    "check": check,
    "chance": chance,
    "turtle": turtle,
    "queries": queries,
}


def main(names: list[str]) -> None:
    print(f"load {os.getloadavg()[0]:.1f}")
    with TemporaryDirectory(prefix="aifgraph-") as folder:
        for name in names or ROWS:
            for line in ROWS[name](Path(folder)):
                print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
