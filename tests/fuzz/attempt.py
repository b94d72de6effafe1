"""One changed input given to the library or to a command, and what came of it.

``python -m fuzz.attempt --minutes 10`` tries them on all cores; exit 1 where something came out that is no error of the
library. The first input for each place where that happened is written to ``fuzz-found/``.
"""

import argparse
import io
import logging
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
import warnings
from collections import Counter
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import NamedTuple

import aifgraph
from aifgraph.cli import main as aifgraph_main
from aifgraph.errors import AifgraphError
from aifgraph.files import Input
from aifgraph.formats import FORMATS, read_input
from fuzz import commands, seeds
from fuzz.mutate import mutated
from fuzz.seeds import FIXTURES
from web.servers import Process

#: Seconds of computing that one input may take.
PATIENCE = 20
#: A map with more nodes is only read and written: what is quadratic has its own tests.
MOST = 300
READ = [name for name, each in FORMATS.items() if each.reads]
WRITTEN = [name for name, each in FORMATS.items() if each.writer]


class Attempt(NamedTuple):
    """A command line, or for reading (``kind`` is ``read``) a format; the name and the bytes that it is given."""

    kind: str
    target: str
    role: str
    name: str
    data: bytes
    seed: str


class HangError(BaseException):
    """An input took too long."""


def attempt_of(seed: int, number: int) -> Attempt:
    """The attempt of a number; the same for the same seed."""
    rng = random.Random(f"{seed}/{number}")
    if rng.random() < 0.6:
        # A file of a format; now and then one of another format under its name, or one that has to be recognised.
        format = rng.choice(READ)
        kind, role, target = "read", rng.choice((format, format, format, "map")), rng.choice((format, format, ""))
    else:
        kind, (role, target) = "command", rng.choice(commands.LINES)
    name, data = rng.choice(seeds.of(role))
    return Attempt(kind, target, role, name, mutated(rng, data), f"{seed}/{number}")


def tried(attempt: Attempt) -> str:
    """``read``, an exit code, the name of an error of the library, or ``CRASH`` and where anything else happened."""
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        if attempt.kind == "read":
            return _read(attempt)
        return (_upload if attempt.target.startswith("serve ") else _command)(attempt)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        cause = error.__cause__ or error
        if isinstance(error, AifgraphError) and isinstance(cause, AifgraphError):
            return type(error).__name__
        ours = [frame for frame in traceback.extract_tb(cause.__traceback__) if "aifgraph/" in frame.filename]
        place = f"{ours[-1].filename.split('aifgraph/')[-1]}:{ours[-1].lineno}" if ours else "?"
        return f"CRASH {type(cause).__name__} at {place}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _ring(number: int, frame: types.FrameType | None) -> None:
    raise HangError


def _read(attempt: Attempt) -> str:
    """Read, check, repair, write and compare a map."""
    rng = random.Random(attempt.seed)
    texts = seeds.beside(attempt.name, rng)
    graph = read_input(Input(attempt.name, attempt.data, Path(attempt.name).suffix, texts.get), attempt.target or None)
    if len(graph) <= 10 * MOST:
        aifgraph.validate(graph)
        aifgraph.repair(graph)
        with suppress(AifgraphError):
            aifgraph.dumps(graph, format=rng.choice(WRITTEN))
    if len(graph) <= MOST:
        other = aifgraph.load(FIXTURES / "debates" / "ben" / "nodeset2.json")
        with suppress(AifgraphError):
            aifgraph.compare(*rng.choice(((graph, graph), (graph, other), (other, graph)))).to_dict()
    return "read"


def _command(attempt: Attempt) -> str:
    # The console script writes to a pipe like this.
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"), io.StringIO()
    with tempfile.TemporaryDirectory(prefix="aifgraph-fuzz-") as name, chdir(name):
        arguments = arguments_for(attempt, Path(name))
        with redirect_stdout(out), redirect_stderr(err):
            code = aifgraph_main(arguments)
        left = [path.name for path in Path(name).rglob("*.part")]
        if "--resume" not in arguments and Path("corpus", attempt.name).read_bytes() != attempt.data:
            left.append("a changed input")
        said = err.getvalue().replace(name, "")
    if code in (0, 1, 2) and not left and "Traceback" not in said:
        return f"exit {code}"
    last = [line for line in said.splitlines() if "Error" in line] or said.splitlines() or [""]
    return f"CRASH {attempt.target}: exit {code} {left or ''} {last[-1][-160:]}"


def _upload(attempt: Attempt) -> str:
    """Upload two files or folders to a server, and get what it makes of them."""
    with tempfile.TemporaryDirectory(prefix="aifgraph-fuzz-") as name:
        _, *sides = arguments_for(attempt, Path(name))
        uploads = [
            (f"{side}_file", (path.name, path.read_bytes()))
            for side, source in zip(("first", "second"), map(Path, sides), strict=True)
            for path in (sorted(source.iterdir()) if source.is_dir() else [source])
        ]
        server = Process("--results", f"{name}/results")
        try:
            answer = server.compare(files=uploads)
            if answer.is_redirect:
                answer = server("GET", answer.headers["Location"])
        finally:
            log = server.close()
    if answer.status_code < 500 and "Traceback" not in log:
        return f"exit {int(answer.status_code != 200)}"
    return f"CRASH {attempt.target}: status {answer.status_code} {log[-160:]}"


def arguments_for(attempt: Attempt, place: Path) -> list[str]:
    """The command line of an attempt, what it is given put into a folder."""
    here = place / "corpus"
    if attempt.role.endswith("/"):
        file = here
        shutil.copytree(FIXTURES / attempt.role, here)
        if attempt.role.startswith("tasks/"):
            for path in sorted(here.iterdir()):
                shutil.copy(path, here / f"again-{path.name}")
    else:
        here.mkdir()
        file = here / attempt.name
        for suffix, text in seeds.beside(attempt.name, random.Random(attempt.seed)).items():
            file.with_suffix(suffix).write_bytes(text)
        shutil.copy(FIXTURES / "debate" / "first.json", here / "other.json")
        # a map that has a partner in the other corpora
        shutil.copy(FIXTURES / "debates" / "ann" / "nodeset1.json", here / "nodeset1.json")
    (here / attempt.name).write_bytes(attempt.data)
    places = {"FILE": file, "HERE": here, "OTHER": here / "other.json", **seeds.PLACES}

    def argument(word: str) -> str:
        option, equal, value = word.rpartition("=")
        start, slash, rest = value.partition("/")
        if start in places:
            return f"{option}{equal}{places[start]}{slash}{rest}"
        return str(place / word.lower()) if word.startswith("OUT") else word

    return [argument(word) for word in attempt.target.split()]


def _work(seed: int, first: int, step: int, until: float) -> tuple[Counter[str], dict[str, Attempt]]:
    """Every ``step``-th attempt from ``first``: how often each outcome, and the first attempt of each crash."""
    warnings.simplefilter("ignore")
    logging.disable()
    counts: Counter[str] = Counter()
    crashes: dict[str, Attempt] = {}
    while time.time() < until:
        attempt = attempt_of(seed, first)
        outcome = tried(attempt)
        counts[f"{attempt.kind} {' '.join(attempt.target.split()[:3])}: {outcome[:40]}"] += 1
        if outcome.startswith("CRASH"):
            crashes.setdefault(outcome, attempt)
        first += step
    return counts, crashes


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    jobs, until = os.cpu_count() or 1, time.time() + args.minutes * 60
    with multiprocessing.Pool(jobs) as pool:
        parts = pool.starmap(_work, [(args.seed, first, jobs, until) for first in range(jobs)])
    for outcome, count in sorted(sum((counts for counts, _ in parts), Counter[str]()).items()):
        print(f"{count:9} {outcome}")
    found = {outcome: attempt for _, crashes in parts for outcome, attempt in crashes.items()}
    for outcome, attempt in found.items():
        path = Path("fuzz-found") / f"{attempt.seed.replace('/', '-')}-{attempt.name.replace('/', '_')}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(attempt.data)
        print(f"\n{outcome}\n{attempt.kind} {attempt.target}, changed {attempt.role} {attempt.name}: {path}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
