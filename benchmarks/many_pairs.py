"""Many small pairs as JSON lines: time, and the memory of the main process while it runs (Linux).

``aifgraph compare --only cass --results`` runs in a process of its own; where ``stop`` is a share of the pairs, it is
killed there and goes on with ``--resume``. The maps are a few thousand different ones, each with a word of its own.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DIFFERENT = 2_000
PERIOD = 5.0  # seconds between two samples of memory


@dataclass(frozen=True)
class Sample:
    """Memory of the main process in MiB, and bytes of the file of results, some seconds after the start."""

    seconds: float
    memory: float
    written: int


def write_lines(folder: Path, maps: int, nodes: int) -> tuple[tuple[Path, Path], float]:
    """Two files of ``maps`` maps of about ``nodes`` nodes, unless they are there; the nodes of the first maps, mean."""
    from generate import pair

    size = max(1, round(nodes / 5))  # a proposition and what belongs to it are five nodes
    paths = (folder / f"first-{maps}-{nodes}.jsonl", folder / f"second-{maps}-{nodes}.jsonl")
    different = min(maps, DIFFERENT)
    made: list[tuple[str, list[str]]] = []
    for seed in range(different):
        *analyses, text = pair(size, seed)
        word = text.split()[0]
        parts = [f'"map":{each},"text":{json.dumps(text)}}}\n' for each in analyses]
        made.append((word, [re.sub(rf"\b{word}\b", "\0", part) for part in parts]))
    mean = sum(part.count('"nodeID"') for _, (part, _) in made) / different
    for side, path in enumerate(paths):
        if not path.exists():
            with path.open("w", encoding="utf-8") as file:
                for number in range(maps):
                    word, parts = made[number % different]
                    part = parts[side].replace("\0", f"{word}{number}")
                    file.write(f'{{"name":"y{number // 20_000}/m{number}",{part}')
    return paths, mean


def run(
    folder: Path, maps: int, nodes: int, jobs: int, scheduler: str | None = None, stop: float | None = None
) -> Iterator[str]:
    """What there is to say about the run, line by line."""
    start = time.perf_counter()
    paths, mean = write_lines(folder, maps, nodes)
    size = sum(path.stat().st_size for path in paths) / 2**30
    yield f"{maps} pairs of maps of {mean:.0f} nodes, {size:.2f} GiB, made in {time.perf_counter() - start:.0f} s"
    results = folder / "results.jsonl"
    results.unlink(missing_ok=True)
    where = ["--scheduler", scheduler] if scheduler else ["--jobs", str(jobs)]
    command = [sys.executable, "-m", "aifgraph", "compare", *map(str, paths), "--only", "cass", *where]
    command += ["--results", str(results)]
    done = 0
    for share, further in ((stop, []), (None, ["--resume"])) if stop else ((None, []),):
        samples = list(_sampled([*command, *further], results, maps, share))
        with results.open("rb") as file:
            pairs = sum(line.endswith(b"\n") for line in file) - 1
        yield _described(samples, pairs, done, "killed" if share else "ended")
        done = pairs


def _sampled(command: list[str], results: Path, maps: int, share: float | None) -> Iterator[Sample]:
    """Samples of a run, which is killed at a share of its pairs."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=sys.stderr)
    most = None
    while process.poll() is None:
        written = results.stat().st_size if results.exists() else 0
        yield Sample(time.perf_counter() - start, _memory(process.pid), written)
        if share is not None and most is None and written > 1 << 20:
            with results.open("rb") as file:
                lines = file.read(1 << 20).splitlines()
            most = share * maps * (1 << 20) / len(lines)
        if most is not None and written >= most:
            process.send_signal(signal.SIGKILL)
        time.sleep(PERIOD if maps > 50_000 else 0.2)
    if process.returncode != (-signal.SIGKILL if share is not None else 0):
        raise SystemExit(f"the run ended with {process.returncode}")


def _memory(process: int) -> float:
    """The memory that a process holds, in MiB, files that it has mapped not counted."""
    status = Path(f"/proc/{process}/status")
    try:
        found = re.search(r"RssAnon:\s*(\d+)", status.read_text(encoding="utf-8"))
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _described(samples: list[Sample], pairs: int, before: int, how: str) -> str:
    growing = [sample for sample in samples if sample.memory and sample.written > samples[0].written]
    if len(growing) < 2:
        return f"{pairs - before} pairs, {how} too soon for samples"
    first, middle, last = growing[0], growing[len(growing) // 2], growing[-1]
    rate = (pairs - before) / (last.seconds - first.seconds)
    return (
        f"{pairs - before} pairs, {how} after {samples[-1].seconds:.0f} s, of which {first.seconds:.0f} s before the "
        f"first; {rate:.0f} pairs/s; MiB of the main process {first.memory:.0f} at the first pair, "
        f"{middle.memory:.0f} in the middle, {last.memory:.0f} at the end, {max(s.memory for s in samples):.0f} at most"
    )
