"""One changed input given to the library or to a command, and what came of it."""

from __future__ import annotations

import contextlib
import io
import random
import shutil
import signal
import tempfile
import traceback
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import aifgraph
from aifgraph.cli import main
from aifgraph.errors import AifgraphError
from aifgraph.files import Input
from aifgraph.formats import FORMATS, read_input
from fuzz import commands, seeds
from fuzz.mutate import mutated
from fuzz.seeds import FIXTURES

#: Seconds of computing that one input may take, and of waiting (other work may have the machine).
PATIENCE = 20
WAITING = 300
#: A map with more nodes is only read and written: what is quadratic has its own tests.
MOST = 300
READ = [name for name, each in FORMATS.items() if each.reads]
WRITTEN = [name for name, each in FORMATS.items() if each.writes]


@dataclass(frozen=True)
class Attempt:
    """A command line, or for reading (``kind`` is ``read``) a format; the name and the bytes that it is given."""

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
        return " ".join([self.kind, *words[: 3 if words[:1] == ["task"] else 1]])


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
    if rng.random() < 0.6:
        # A file of a format; now and then one of another format under its name, or one that has to be recognised.
        format = rng.choice(READ)
        kind, role, target = "read", rng.choice((format, format, format, "map")), rng.choice((format, format, ""))
    else:
        kind, (role, target) = "command", rng.choice(commands.LINES)
    name, data = rng.choice(seeds.of(role))
    return Attempt(kind, target, role, name, mutated(rng, data), f"{seed}/{number}")


def tried(attempt: Attempt) -> Outcome:
    """What comes of an attempt. Only the library's own errors count as answers."""
    try:
        with _patience():
            return (_read if attempt.kind == "read" else _command)(attempt)
    except AifgraphError as error:
        cause = error.__cause__
        if cause is not None and not isinstance(cause, AifgraphError):
            return Outcome("CRASH", _site(cause))  # the last resort of load has caught it
        return Outcome(type(error).__name__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Outcome("CRASH", _site(error))


def _read(attempt: Attempt) -> Outcome:
    """Read, check, repair, write and compare a map."""
    rng = random.Random(attempt.seed)
    texts = seeds.beside(attempt.name, rng)
    graph = read_input(Input(attempt.name, attempt.data, Path(attempt.name).suffix, texts.get), attempt.target or None)
    if len(graph) <= 10 * MOST:
        aifgraph.validate(graph)
        aifgraph.repair(graph)
        with contextlib.suppress(AifgraphError):
            aifgraph.dumps(graph, format=rng.choice(WRITTEN))
    if len(graph) <= MOST:
        other = aifgraph.load(FIXTURES / "debates" / "ben" / "nodeset2.json")
        with contextlib.suppress(AifgraphError):
            aifgraph.compare(*rng.choice(((graph, graph), (graph, other), (other, graph)))).to_dict()
    return Outcome("read")


def _command(attempt: Attempt) -> Outcome:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with tempfile.TemporaryDirectory(prefix="aifgraph-fuzz-") as name, contextlib.chdir(name):
        arguments = arguments_for(attempt, Path(name))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(arguments)
        left = [path.name for path in Path(name).rglob("*.part")]
        said = err.getvalue().replace(name, "")
    if code in (0, 1, 2) and not left and "Traceback" not in said:
        return Outcome(f"exit {code}")
    last = [line for line in said.splitlines() if "Error" in line] or said.splitlines() or [""]
    return Outcome("CRASH", f"{attempt.label}: exit {code} {left or ''} {last[-1][-160:]}")


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


def _site(error: BaseException) -> str:
    """The innermost line of the library, with the kind of the error."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "aifgraph/" in frame.filename]
    place = f"{ours[-1].filename.split('aifgraph/')[-1]}:{ours[-1].lineno}" if ours else "?"
    return f"{type(error).__name__} at {place}"


@contextlib.contextmanager
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
