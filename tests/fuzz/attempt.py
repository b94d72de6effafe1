"""One changed input given to the library or to a command, and what came of it."""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import signal
import tempfile
import traceback
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import aifgraph
from aifgraph.cli import main
from aifgraph.datasets import Log, read_dataset
from aifgraph.errors import AifgraphError
from aifgraph.files import Input
from aifgraph.formats import FORMATS, read_input
from fuzz import commands, seeds
from fuzz.mutation import mutated
from fuzz.seeds import FIXTURES

#: Seconds of computing that one input may take, and of waiting (other work may have the machine).
PATIENCE = 20
WAITING = 300
#: A map with more nodes is only read and written: what is quadratic has its own tests.
MOST = 300
#: Data sets: the folder of fixtures that is changed, and what of it is opened.
DATASETS = {
    "iac1": ("datasets/iac1/", ""),
    "iac2": ("datasets/iac2/", "small.sql"),
    "microtexts": ("datasets/microtexts/", ""),
    "sciarg": ("datasets/sciarg-abstracts/", "two.tsv"),
    "cdcp": ("datasets/cdcp/", ""),
    "ruarg": ("datasets/ruarg/", "train.tsv"),
    "arct": ("datasets/arct/", "full.txt"),
    "aurc": ("datasets/aurc/", ""),
    "essays": ("brat/", ""),
    "abstrct": ("brat/", ""),
}
#: How often each kind of attempt is made.
_SHARES = {"read": 60.0, "command": 30.0, "dataset": 10.0}


@dataclass(frozen=True)
class Attempt:
    """A kind of attempt, its target (a format, a command line, a data set), and the name and bytes that it is given."""

    kind: str
    target: str
    role: str
    name: str
    data: bytes
    seed: str

    @property
    def label(self) -> str:
        """What is counted together."""
        words = self.target.split()
        inner = words[:3] if words[:1] == ["task"] else words[:1]
        return " ".join([self.kind, *inner])


@dataclass(frozen=True)
class Outcome:
    """``kind`` is ``read``, an exit code, the name of an error, or ``CRASH`` with the ``site`` where it happened."""

    kind: str
    site: str = ""


class HangError(BaseException):
    """An input took too long."""


def attempt_of(seed: int, number: int) -> Attempt:
    """The attempt of a number; the same for the same seed."""
    rng = random.Random(f"{seed}/{number}")
    kind = rng.choices(list(_SHARES), list(_SHARES.values()))[0]
    if kind == "read":
        format = rng.choice([name for name, each in FORMATS.items() if each.reads])
        # A file of the format; now and then one of another format under its name, or one that has to be recognised.
        role, target = rng.choice((format, format, format, "map")), rng.choice((format, format, format, ""))
    elif kind == "command":
        row = rng.choices(commands.ROWS, [len(row.lines) for row in commands.ROWS])[0]
        role, target = row.role, rng.choice(row.lines)
    else:
        target = rng.choice(sorted(DATASETS))
        role = DATASETS[target][0]
    name, data = rng.choice(seeds.of(role))
    return Attempt(kind, target, role, name, mutated(rng, data), f"{seed}/{number}")


def tried(attempt: Attempt) -> Outcome:
    """What comes of an attempt. Only the library's own errors count as answers."""
    rng = random.Random(attempt.seed)
    act = {"read": _read, "command": _command, "dataset": _dataset}[attempt.kind]
    try:
        with _patience():
            return act(attempt, rng)
    except AifgraphError as error:
        cause = error.__cause__
        if cause is not None and not isinstance(cause, AifgraphError):
            return Outcome("CRASH", _site(cause))  # the last resort of load has caught it
        return Outcome(type(error).__name__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Outcome("CRASH", _site(error))


def _read(attempt: Attempt, rng: random.Random) -> Outcome:
    texts = seeds.beside(attempt.name, rng)
    graph = read_input(Input(attempt.name, attempt.data, Path(attempt.name).suffix, texts.get), attempt.target or None)
    if len(graph) <= 3000:
        _use(graph, rng)
    return Outcome("read")


def _use(graph: aifgraph.ArgumentGraph, rng: random.Random) -> None:
    """Check, repair, write and compare a map that was read from hostile data."""
    aifgraph.validate(graph)
    aifgraph.repair(graph)
    with contextlib.suppress(AifgraphError):
        aifgraph.dumps(graph, format=rng.choice([name for name, each in FORMATS.items() if each.writes]))
    if len(graph) <= MOST:
        other = aifgraph.load(FIXTURES / "debates" / "ben" / "nodeset2.json")
        with contextlib.suppress(AifgraphError):
            aifgraph.compare(*rng.choice(((graph, graph), (graph, other), (other, graph)))).to_dict()


def _dataset(attempt: Attempt, rng: random.Random) -> Outcome:
    with _place() as place:
        folder = _copied(place, attempt)
        log = Log(strict=rng.random() < 0.1)
        for graph in read_dataset(attempt.target, folder / DATASETS[attempt.target][1], log=log):
            if rng.random() < 0.1:
                _use(graph, rng)
    return Outcome("read with problems" if log.problems else "read")


def _command(attempt: Attempt, rng: random.Random) -> Outcome:
    with _place() as place:
        arguments = arguments_for(attempt, place)
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(arguments)
        left = [path.name for path in place.rglob("*.part")]
        said = err.getvalue()
        if code not in (0, 1, 2) or left or "Traceback" in said:
            return Outcome("CRASH", f"{attempt.label}: exit {code} {left or ''} {_blamed(said, place)}")
        return Outcome(f"exit {code}")


def arguments_for(attempt: Attempt, place: Path) -> list[str]:
    """The command line of an attempt, what it is given put into a folder."""
    if attempt.role.endswith("/"):
        file = here = _copied(place, attempt)
    else:
        file = _put(place, attempt)
        here = file.parent
    places = {
        "FILE": file,
        "HERE": here,
        "OTHER": here / "other.json",
        "ANN": FIXTURES / "debates" / "ann",
        "BEN": FIXTURES / "debates" / "ben",
        "FIRST": FIXTURES / "debate" / "first.json",
        "SECOND": FIXTURES / "debate" / "second.json",
    }
    return [_argument(word, places, place) for word in attempt.target.split()]


def _argument(word: str, places: dict[str, Path], place: Path) -> str:
    option, equal, value = word.rpartition("=")
    start, slash, rest = value.partition("/")
    if start in places:
        return f"{option}{equal}{places[start]}{slash}{rest}"
    return str(place / word.lower()) if word.startswith("OUT") else word


def _blamed(said: str, place: Path) -> str:
    """The line of standard error that says what went wrong, without the temporary place."""
    lines = [line for line in said.splitlines() if "Error" in line] or said.splitlines()
    return lines[-1].replace(str(place), "")[-160:] if lines else ""


@contextmanager
def _place() -> Iterator[Path]:
    """A folder for one attempt, which is the working directory too."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="aifgraph-fuzz-") as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def _put(place: Path, attempt: Attempt) -> Path:
    """The changed file in a folder of its own, next to an undamaged map."""
    folder = place / "corpus"
    folder.mkdir()
    file = folder / attempt.name
    file.write_bytes(attempt.data)
    for suffix, text in seeds.beside(attempt.name, random.Random(attempt.seed)).items():
        if suffix != file.suffix:
            file.with_suffix(suffix).write_bytes(text)
    (folder / "other.json").write_bytes((FIXTURES / "debate" / "first.json").read_bytes())
    if attempt.name != "nodeset1.json":  # a map that has a partner in the other corpora
        (folder / "nodeset1.json").write_bytes((FIXTURES / "debates" / "ann" / "nodeset1.json").read_bytes())
    return file


def _copied(place: Path, attempt: Attempt) -> Path:
    """A copy of the fixtures of a role with the one file changed."""
    folder = place / "corpus"
    shutil.copytree(FIXTURES / attempt.role, folder)
    if attempt.role.startswith("tasks/"):
        for path in sorted(folder.iterdir()):
            shutil.copy(path, folder / f"again-{path.name}")
    (folder / attempt.name).write_bytes(attempt.data)
    return folder


def _site(error: BaseException) -> str:
    """The innermost line of the library, with the kind of the error."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "aifgraph/" in frame.filename]
    frame = ours[-1] if ours else None
    place = f"{frame.filename.split('aifgraph/')[-1]}:{frame.lineno}" if frame else "?"
    return f"{type(error).__name__} at {place}"


@contextmanager
def _patience() -> Iterator[None]:
    def ring(number: int, frame: types.FrameType | None) -> None:
        raise HangError

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, PATIENCE), (signal.SIGALRM, signal.ITIMER_REAL, WAITING))
    before = [signal.signal(number, ring) for number, _, _ in timers]
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), old in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, old)


def minimised(attempt: Attempt, site: str, rounds: int = 400) -> Attempt:
    """A smaller attempt that fails at the same site: pieces are left out as long as it does."""
    data = attempt.data
    size = max(1, len(data) // 2)
    while size and rounds:
        at = 0
        while at < len(data) and rounds:
            rounds -= 1
            shorter = data[:at] + data[at + size :]
            if tried(replace(attempt, data=shorter)).site == site:
                data = shorter
            else:
                at += size
        size //= 2
    return replace(attempt, data=data)
