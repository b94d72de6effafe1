"""One changed file given to the library or to a command, and what came of it."""

from __future__ import annotations

import contextlib
import io
import random
import signal
import tempfile
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import aifgraph
from aifgraph.cli import main
from aifgraph.errors import AifgraphError
from aifgraph.formats.files import Input
from aifgraph.formats.io import read_input
from aifgraph.formats.registry import codec, names
from aifgraph.graph.chains import longest_chain, tree_lines
from fuzz.mutation import mutated

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: Seconds that one input may take.
PATIENCE = 20

#: Commands by what they are given: ``FILE`` the changed file, ``OTHER`` an undamaged one, ``FOLDER`` both of them.
COMMANDS = (
    "show FILE",
    "show FILE --tree",
    "show FILE --format latex",
    "check FILE",
    "check FOLDER --format sarif",
    "repair FILE -o OUT.json",
    "convert FILE OUT.json",
    "convert FILE OUT.ttl",
    "convert FOLDER OUT.jsonl",
    "compare FILE OTHER --format json",
    "compare OTHER FILE --format html",
    "compare FOLDER FOLDER --format csv",
    "draw FILE -o OUT.dot",
    "draw FILE OTHER -o OUT.mmd",
    "stats FOLDER",
    "pack FOLDER -o OUT.zip",
    "pair FOLDER FOLDER",
    "agreement FOLDER FOLDER",
    "baseline FOLDER OUT --kind chain",
)


@dataclass(frozen=True)
class Attempt:
    """A seed file, a target (a format or a command) and the bytes that it is given."""

    target: str
    name: str
    data: bytes


@dataclass(frozen=True)
class Outcome:
    """``kind`` is ``read``, the name of an error of the tree, or ``CRASH`` with the ``site`` where it happened."""

    kind: str
    site: str = ""


class HangError(BaseException):
    """An input took too long."""


@cache
def seeds() -> tuple[Path, ...]:
    """The files that are changed, in an order that does not depend on the machine."""
    return tuple(sorted(path for path in FIXTURES.rglob("*") if path.is_file() and path.stat().st_size < 100_000))


def attempt_of(seed: int, number: int) -> Attempt:
    """The attempt of a number; the same for the same seed."""
    rng = random.Random(f"{seed}/{number}")
    path = rng.choice(seeds())
    data = mutated(rng, path.read_bytes())
    readable = [name for name in names() if codec(name).reads]
    if rng.random() < 0.15:
        target = rng.choice(COMMANDS)
    else:
        own = [name for name in readable if path.suffix in codec(name).suffixes]
        target = rng.choice(["", "", *own, rng.choice(readable)])
    return Attempt(target, path.name, data)


def tried(attempt: Attempt) -> Outcome:
    """What comes of an attempt. Only the documented errors count as answers."""
    try:
        with _patience():
            return _command(attempt) if " " in attempt.target else _library(attempt)
    except AifgraphError as error:
        cause = error.__cause__
        if cause is not None and not isinstance(cause, AifgraphError):
            return Outcome("CRASH", _site(cause))  # the last resort of load has caught it
        return Outcome(type(error).__name__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Outcome("CRASH", _site(error))


def _library(attempt: Attempt) -> Outcome:
    suffix = Path(attempt.name).suffix
    given = Input(attempt.name, attempt.data, suffix)
    graph = read_input(given, attempt.target or None)
    if len(graph) > 3000:
        return Outcome("read")
    writers: list[Callable[[], object]] = [
        lambda name=name: codec(name).write(graph)  # type: ignore[misc]
        for name in names()
        if codec(name).writes
    ]
    number = len(attempt.data)
    steps: list[Callable[[], object]] = [
        *(writers[(number + step) % len(writers)] for step in range(3)),
        lambda: aifgraph.validate(graph),
        lambda: list(tree_lines(graph)),
        lambda: longest_chain(graph, "RA"),
        lambda: aifgraph.compare(graph, graph).to_dict() if len(graph) < 300 else None,
        lambda: graph._repr_html_() if number % 20 == 0 else None,
    ]
    for step in steps:
        # What a graph cannot be made into is said by an error of the tree, and the next step is tried.
        with contextlib.suppress(AifgraphError):
            step()
    return Outcome("read")


def _command(attempt: Attempt) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        folder = place / "corpus"
        folder.mkdir()
        file = folder / attempt.name
        file.write_bytes(attempt.data)
        other = folder / "other.json"
        other.write_bytes((FIXTURES / "debate" / "first.json").read_bytes())
        words = {"FILE": file, "OTHER": other, "FOLDER": folder}
        arguments = [
            str(words.get(word, place / word.lower() if word.startswith("OUT") else word))
            for word in attempt.target.split()
        ]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(arguments)
        left = [path.name for path in place.rglob("*.part")]
        if code not in (0, 1, 2) or left:
            return Outcome("CRASH", f"{arguments[0]}: exit {code} {left or ''} {err.getvalue()[-200:]}")
        return Outcome(f"exit {code}")


def _site(error: BaseException) -> str:
    """The innermost line of the library, with the kind of the error."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "aifgraph" in frame.filename]
    frame = ours[-1] if ours else None
    place = f"{frame.filename.split('aifgraph/')[-1]}:{frame.lineno}" if frame else "?"
    return f"{type(error).__name__} at {place}"


@contextmanager
def _patience() -> Iterator[None]:
    def ring(number: int, frame: types.FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def minimised(attempt: Attempt, site: str, rounds: int = 400) -> Attempt:
    """A smaller attempt that fails at the same site: pieces are left out as long as it does."""
    data = attempt.data
    size = max(1, len(data) // 2)
    while size and rounds:
        at = 0
        while at < len(data) and rounds:
            rounds -= 1
            shorter = data[:at] + data[at + size :]
            if tried(Attempt(attempt.target, attempt.name, shorter)).site == site:
                data = shorter
            else:
                at += size
        size //= 2
    return Attempt(attempt.target, attempt.name, data)
